package main

/*
#include <stdlib.h>
#include <string.h>

static _Thread_local char last[8192];

static void set_last(const char *text, size_t n) {
	memcpy(last, text, n);
	last[n] = 0;
}

static const char *get_last(void) { return last; }
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
	const most = 2000 // of a text; JSON may triple it
	for _, s := range []*string{&f.Message, &f.Input, &f.Range} {
		if len(*s) > most {
			*s = strings.ToValidUTF8((*s)[:most], "") + "…"
		}
	}
	text, _ := json.Marshal(f)
	if len(text) >= len(C.last) {
		f.Message, f.Input, f.Range = "an error with a long description", "", ""
		text, _ = json.Marshal(f)
	}
	C.set_last((*C.char)(unsafe.Pointer(unsafe.SliceData(text))), C.size_t(len(text)))
	return f.Status
}

//nolint:unused // for main.go, which has exports and so cannot have C functions
func lastError() unsafe.Pointer { return unsafe.Pointer(C.get_last()) }
