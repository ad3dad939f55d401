package functions

/*
#include <stdint.h>
void duckdb_vector_assign_string_element_len(void *vector, uint64_t row, const char *text, uint64_t length);
#cgo noescape duckdb_vector_assign_string_element_len
#cgo nocallback duckdb_vector_assign_string_element_len
*/
import "C"

import (
	"unsafe"

	"github.com/duckdb/duckdb-go/mapping"
)

// A vector is a flat vector of DuckDB.
type vector struct {
	mapping.Vector
	data  unsafe.Pointer // an entry for each row
	valid unsafe.Pointer // a bit for each row; nil if no value is null
}

// inlined is the maximum length of a text inside its entry.
const inlined = 12

// A text is an entry: four bytes of the text and a pointer if it is long.
type text struct {
	length uint32
	bytes  [4]byte
	rest   [inlined - 4]byte
}

func newVector(v mapping.Vector) vector {
	return vector{v, mapping.VectorGetData(v), mapping.VectorGetValidity(v)}
}

// newResult returns a vector for results, whose rows can be null.
func newResult(v mapping.Vector) vector {
	mapping.VectorEnsureValidityWritable(v)
	return newVector(v)
}

// entry returns the entry of a row.
func entry[T any](entries unsafe.Pointer, row int) *T {
	return (*T)(unsafe.Add(entries, row*int(unsafe.Sizeof(*new(T)))))
}

// validBits is the number of rows of a word of valid.
const validBits = 64

func (v *vector) isNull(row int) bool {
	return v.valid != nil && *entry[uint64](v.valid, row/validBits)>>(row%validBits)&1 == 0
}

func (v *vector) setNull(row int) { *entry[uint64](v.valid, row/validBits) &^= 1 << (row % validBits) } // without a call of C

// text returns a text in the memory of the vector.
func (v *vector) text(row int) []byte {
	t := entry[text](v.data, row)
	from := unsafe.Pointer(&t.bytes)
	if t.length > inlined {
		from = *(*unsafe.Pointer)(unsafe.Pointer(&t.rest))
	}
	return unsafe.Slice((*byte)(from), t.length)
}

// set sets a text, the bytes of a number, or null for nil.
func (v *vector) set(row int, value []byte, number bool) {
	switch {
	case value == nil:
		v.setNull(row)
	case number:
		copy(entry[[8]byte](v.data, row)[:], value)
	case len(value) > inlined:
		C.duckdb_vector_assign_string_element_len(v.Ptr, C.uint64_t(row), (*C.char)(unsafe.Pointer(unsafe.SliceData(value))), C.uint64_t(len(value)))
	default:
		t := entry[text](v.data, row)
		*t = text{length: uint32(len(value))}
		copy(unsafe.Slice((*byte)(unsafe.Pointer(&t.bytes)), inlined), value)
	}
}
