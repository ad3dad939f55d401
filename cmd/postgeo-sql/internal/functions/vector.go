package functions

import (
	"unsafe"

	"github.com/duckdb/duckdb-go/mapping"
)

// A vector is a flat vector of DuckDB.
type vector struct {
	mapping.Vector
	texts   []text
	numbers []float64 // in place of texts
	valid   []uint64  // a bit for each row; nil if no value is null
}

// inlined is the maximum length of a text inside its entry of a vector.
const inlined = 12

// A text is an entry of a vector: four bytes of the text and a pointer if it is long.
type text struct {
	length uint32
	bytes  [4]byte
	rest   [inlined - 4]byte
}

// validBits is the number of rows of a word of valid.
const validBits = 64

// newVector returns a vector with rows.
func newVector(v mapping.Vector, rows int) *vector {
	data, valid := mapping.VectorGetData(v), mapping.VectorGetValidity(v)
	return &vector{v, slice[text](data, rows), slice[float64](data, rows), slice[uint64](valid, (rows+validBits-1)/validBits)}
}

// newResult returns a vector for results, whose rows can be null.
func newResult(v mapping.Vector, rows int) *vector {
	mapping.VectorEnsureValidityWritable(v)
	return newVector(v, rows)
}

// slice returns n values in memory of DuckDB, nil for none.
func slice[T any](p unsafe.Pointer, n int) []T {
	if p == nil {
		return nil
	}
	return unsafe.Slice((*T)(p), n)
}

func (v *vector) isNull(row int) bool {
	return v.valid != nil && v.valid[row/validBits]>>(row%validBits)&1 == 0
}

func (v *vector) setNull(row int) { v.valid[row/validBits] &^= 1 << (row % validBits) } // without a call of C

// append appends a text.
func (v *vector) append(dst []byte, row int) []byte {
	t := &v.texts[row]
	from := unsafe.Pointer(&t.bytes)
	if t.length > inlined {
		from = *(*unsafe.Pointer)(unsafe.Pointer(&t.rest))
	}
	return append(dst, unsafe.Slice((*byte)(from), t.length)...)
}

func (v *vector) setText(row int, s string) {
	if len(s) > inlined {
		mapping.VectorAssignStringElementLen(v.Vector, mapping.IdxT(row), []byte(s))
		return
	}
	v.texts[row] = text{length: uint32(len(s))}
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&v.texts[row].bytes)), inlined), s)
}
