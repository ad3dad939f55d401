package main

/*
#include <pthread.h>
#include <stdlib.h>

// The last error is the value of a key, which frees it at the end of the thread. Thread-local
// variables of a library that is loaded late have little room.

static pthread_key_t key;
__attribute__((constructor)) static void create_key(void) { pthread_key_create(&key, free); }

static void set_last(char *text) {
	free(pthread_getspecific(key));
	pthread_setspecific(key, text);
}

static const char *get_last(void) {
	const char *last = pthread_getspecific(key);
	return last ? last : "";
}
*/
import "C"

import (
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
	C.set_last(C.CString(f.String()))
	return f.Status
}

func lastError() unsafe.Pointer { return unsafe.Pointer(C.get_last()) }
