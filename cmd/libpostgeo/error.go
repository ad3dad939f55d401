package main

/*
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// The last error is the value of a key, which frees it at the end of the thread. Thread-local
// variables of a library that is loaded late have little room.

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void create_key(void) { pthread_key_create(&key, free); }

static void set_last(const char *text) {
	pthread_once(&once, create_key);
	free(pthread_getspecific(key));
	pthread_setspecific(key, strdup(text));
}

static const char *get_last(void) {
	pthread_once(&once, create_key);
	const char *last = pthread_getspecific(key);
	return last ? last : "";
}
*/
import "C"

import (
	"encoding/json"
	"unsafe"

	"github.com/postgeo/postgeo/internal/foreign"
)

// guard returns the status of a call and keeps its error for the thread.
func guard(call func() error) int32 {
	err := foreign.Safely(call)
	if err == nil {
		return 0
	}
	f := foreign.Describe(err)
	text, err := json.Marshal(f)
	if err != nil {
		text = []byte(err.Error()) // does not occur
	}
	last := C.CString(string(text))
	defer C.free(unsafe.Pointer(last))
	C.set_last(last)
	return f.Status
}

func lastError() unsafe.Pointer { return unsafe.Pointer(C.get_last()) }
