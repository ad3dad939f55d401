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
	"errors"
	"fmt"
	"strings"
	"unsafe"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/fault"
)

// A failure is an error as callers see it.
type failure struct {
	Status  int32  `json:"status"`
	Kind    string `json:"kind"`
	Message string `json:"message"`
	Code    string `json:"code,omitzero"` // of the HTTP contract
	Param   string `json:"param,omitzero"`
	Input   string `json:"input,omitzero"`
	Range   string `json:"range,omitzero"`
}

// statuses are the conditions of the statuses from 1.
var statuses = []struct {
	is   error
	kind string
}{
	{postgeo.ErrNotFound, "not found"},
	{postgeo.ErrInvalidCode, "invalid code"},
	{postgeo.ErrInvalidParam, "invalid parameter"},
	{postgeo.ErrUnavailable, "unavailable"},
	{postgeo.ErrAmbiguous, "ambiguous"},
	{postgeo.ErrDamaged, "damaged"},
	{postgeo.ErrClosed, "closed"},
	{postgeo.ErrNotDataset, "not a dataset"},
	{postgeo.ErrVersion, "version"},
}

// invalid returns the error of an argument.
func invalid(param, expected string) error {
	return &fault.Error{Kind: fault.InvalidParam, Param: param, Range: expected, Detail: param + ": expected " + expected}
}

func failureOf(err error) failure {
	f := failure{Status: int32(len(statuses) + 1), Kind: "other", Message: err.Error()}
	for i, s := range statuses {
		if errors.Is(err, s.is) {
			f.Status, f.Kind = int32(i+1), s.kind
			break
		}
	}
	var option *enrich.OptionError
	var field *enrich.FieldError
	code, message, ofInput := postgeo.Contract(err)
	switch {
	case errors.As(err, &field), errors.As(err, &option), ofInput && f.Kind == "other":
		f.Status, f.Kind = 3, statuses[2].kind
	}
	if ofInput {
		f.Code = code
		if !strings.HasPrefix(f.Message, "postgeo: ") {
			f.Message = message
		}
	}
	if e := fault.As(err); e != nil {
		f.Param, f.Input, f.Range = e.Param, e.Input, e.Range
	}
	return f
}

// guard returns the status of a call and keeps its error for the thread.
func guard(call func() error) int32 {
	if err := safely(call); err != nil {
		return keep(err)
	}
	return 0
}

// safely returns a panic as an error, because nothing may panic into C.
func safely(call func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("defect: %v", p)
		}
	}()
	return call()
}

func keep(err error) int32 {
	f := failureOf(err)
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
