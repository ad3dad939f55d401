package main

// #include <stdlib.h>
import "C"

import (
	"math"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow/cdata"
	"github.com/apache/arrow-go/v18/arrow/memory/mallocator"

	"github.com/postgeo/postgeo/cmd/postgeo-arrow/arrays"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/envelope"
	"github.com/postgeo/postgeo/internal/foreign"
)

// text returns a text of the caller, "" for NULL.
func text(p unsafe.Pointer) string {
	if p == nil {
		return ""
	}
	return C.GoString((*C.char)(p))
}

// buffer returns memory of the caller for rows of width values. It panics with an error if
// there is none, which guard returns.
func buffer[T any](p unsafe.Pointer, rows, width int64) []T {
	const widest = 1 << 20
	switch {
	case width < 1 || width > widest:
		panic(foreign.Invalid("width", "1 to 1048576"))
	case rows < 0 || rows > math.MaxInt32 || p == nil && rows > 0:
		panic(foreign.Invalid("rows", "0 to 2147483647, in memory that is not NULL"))
	}
	return unsafe.Slice((*T)(p), rows*width)
}

// at returns one value in the memory of the caller.
func at[T any](p unsafe.Pointer) *T { return &buffer[T](p, 1, 1)[0] }

// keys returns the keys in a buffer of the caller.
func keys(p unsafe.Pointer, width, rows int64) func(row int) string {
	b := buffer[byte](p, rows, width)
	return foreign.Keys(unsafe.String(unsafe.SliceData(b), len(b)), int(width))
}

// write sets *out to the JSON of a value, which the caller frees.
func write(out unsafe.Pointer, v any, err error) error {
	if err != nil {
		return err
	}
	to := at[unsafe.Pointer](out)
	json, err := envelope.Marshal(v)
	if err == nil {
		*to = unsafe.Pointer(C.CString(string(json)))
	}
	return err
}

//export postgeo_free
func postgeo_free(p unsafe.Pointer) { C.free(p) }

// A result is the memory of the caller for values of rows. It remains unchanged after an
// error.
type result struct {
	index, array, schema unsafe.Pointer
}

// entries writes the number of each row's entry, and the values of the entries.
func (r result) entries(e *foreign.Entries, err error) error {
	if err != nil {
		return err
	}
	index := buffer[int32](r.index, int64(len(e.Index)), 1)
	r.values(e.Columns, e.Values)
	copy(index, e.Index)
	return nil
}

// values writes values as an Arrow struct.
func (r result) values(columns []enrich.Column, rows [][]enrich.Value) {
	array, schema := at[cdata.CArrowArray](r.array), at[cdata.CArrowSchema](r.schema)
	rec := arrays.Record(mallocator.NewMallocator(), columns, rows)
	defer rec.Release()
	cdata.ExportArrowRecordBatch(rec, array, schema)
}
