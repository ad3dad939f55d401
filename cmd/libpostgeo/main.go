// Command libpostgeo is the C library of postgeo. The header postgeo.h describes its
// functions, the ownership of memory and the use by threads. "make clib" tests it.
package main

/*
#include <pthread.h>
#include <stdint.h>
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
	"context"
	"unsafe"

	"github.com/postgeo/postgeo/internal/encode"
	"github.com/postgeo/postgeo/internal/foreign"
)

func main() {} // required by -buildmode=c-shared

// Pointers to Go memory must not be kept by C (cgo's rules), so callers get numbers for
// datasets and copies of texts from malloc. Arguments and results are JSON: one function
// serves all operations, and a new one needs no new symbol and no new version of the ABI.

// datasets are the open datasets, by their handles.
var datasets foreign.Datasets

//export postgeo_abi
func postgeo_abi() int32 { return 1 }

//export postgeo_last_error
func postgeo_last_error() unsafe.Pointer { return unsafe.Pointer(C.get_last()) }

//export postgeo_free
func postgeo_free(p unsafe.Pointer) { C.free(p) }

//export postgeo_open
func postgeo_open(path, out unsafe.Pointer) int32 {
	return guard(out, func() error {
		handle, err := datasets.Open(text(path))
		if err == nil {
			*(*uint64)(out) = handle
		}
		return err
	})
}

//export postgeo_close
func postgeo_close(db uint64) int32 {
	return guard(unsafe.Pointer(&db), func() error { return datasets.Close(db) })
}

//export postgeo_call
func postgeo_call(db uint64, name, arguments, out unsafe.Pointer) int32 {
	return guard(out, func() error {
		result, err := datasets.Call(context.Background(), db, text(name), text(arguments))
		if err != nil {
			return err
		}
		json, err := encode.Marshal(result)
		if err == nil {
			*(*unsafe.Pointer)(out) = unsafe.Pointer(C.CString(string(json)))
		}
		return err
	})
}

// text returns a text of the caller, "" for NULL.
func text(p unsafe.Pointer) string {
	if p == nil {
		return ""
	}
	return C.GoString((*C.char)(p))
}

// guard returns the status of a call that writes to out, and keeps its error for the thread.
// Go locks the goroutine of an exported function to the thread of its caller, so that the
// error is found by the thread that made the call. A panic must not cross into C, where it
// would end the program; foreign.Safely returns it as an error.
func guard(out unsafe.Pointer, call func() error) int32 {
	err := foreign.Safely(func() error {
		if out == nil {
			return foreign.Invalid("out", "memory for the result, not NULL")
		}
		return call()
	})
	if err == nil {
		return 0
	}
	f := foreign.Describe(err)
	C.set_last(C.CString(f.String()))
	return f.Status
}
