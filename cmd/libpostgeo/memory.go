package main

// #include <stdlib.h>
import "C"

import (
	"math"
	"runtime/cgo"
	"strings"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow/cdata"
	"github.com/apache/arrow-go/v18/arrow/memory/mallocator"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/cmd/libpostgeo/internal/arrays"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/envelope"
	"github.com/postgeo/postgeo/internal/foreign"
)

// get returns the object of a handle, whose number is never used twice.
func get[T any](handle uint64) (v T, err error) {
	defer func() {
		if recover() != nil {
			err = postgeo.ErrClosed
		}
	}()
	v, ok := cgo.Handle(handle).Value().(T) // panics after Delete
	if !ok {
		return v, postgeo.ErrClosed
	}
	return v, nil
}

// take is get for the last use of a handle.
func take[T any](handle uint64) (v T, err error) {
	if v, err = get[T](handle); err != nil {
		return v, err
	}
	defer func() {
		if recover() != nil {
			err = postgeo.ErrClosed // another thread was faster
		}
	}()
	cgo.Handle(handle).Delete()
	return v, nil
}

// text returns a text of the caller, "" for NULL.
func text(p unsafe.Pointer) string {
	if p == nil {
		return ""
	}
	return C.GoString((*C.char)(p))
}

// write sets *out to a text that the caller frees.
func write(out unsafe.Pointer, json []byte, err error) error {
	if err != nil {
		return err
	}
	if out == nil {
		return foreign.Invalid("json", "a pointer")
	}
	*(*unsafe.Pointer)(out) = unsafe.Pointer(C.CString(string(json)))
	return nil
}

// writeJSON is write for a value.
func writeJSON(out unsafe.Pointer, v any) error {
	json, err := envelope.Marshal(v)
	return write(out, json, err)
}

// list returns a buffer of the caller with n values.
func list[T any](p unsafe.Pointer, n int64) ([]T, error) {
	if n < 0 || n > math.MaxInt32 || p == nil && n > 0 {
		return nil, foreign.Invalid("rows", "a buffer of 0 to 2147483647 rows")
	}
	return unsafe.Slice((*T)(p), n), nil
}

// keys returns the keys of a buffer with fixed width.
func keys(p unsafe.Pointer, width, rows int64) (func(row int) string, error) {
	const widest = 1 << 20
	if width < 1 || width > widest {
		return nil, foreign.Invalid("width", "1 to 1048576")
	}
	if _, err := list[byte](p, rows); err != nil {
		return nil, err
	}
	return func(row int) string {
		s := unsafe.String((*byte)(unsafe.Add(p, int64(row)*width)), width)
		if end := strings.IndexByte(s, 0); end >= 0 {
			return s[:end]
		}
		return s
	}, nil
}

// points returns two buffers of the caller.
func points(latitude, longitude unsafe.Pointer, rows int64) (lat, lon []float64, err error) {
	if lat, err = list[float64](latitude, rows); err == nil {
		lon, err = list[float64](longitude, rows)
	}
	return lat, lon, err
}

// An entries is the memory of the caller for the entries of rows.
type entries struct {
	index, array, schema unsafe.Pointer
}

// write writes the number of each row's entry, and the values of the entries.
func (e entries) write(rows int64, columns []enrich.Column, key func(row int) string, values func(keys []string) ([][]enrich.Value, error)) error {
	if e.array == nil || e.schema == nil {
		return foreign.Invalid("entries", "pointers")
	}
	out, err := list[int32](e.index, rows)
	if err != nil {
		return err
	}
	index := make([]int32, rows) // outputs remain unchanged after an error
	found, err := values(foreign.Number(index, key))
	if err != nil {
		return err
	}
	rec := arrays.Record(mallocator.NewMallocator(), arrays.Schema(columns), len(found), func(row int) []enrich.Value { return found[row] })
	defer rec.Release()
	cdata.ExportArrowRecordBatch(rec, (*cdata.CArrowArray)(e.array), (*cdata.CArrowSchema)(e.schema))
	copy(out, index)
	return nil
}
