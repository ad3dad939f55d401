package functions

/*
#include <stdint.h>
#include <stdlib.h>

void postgeo_scalar(void *info, void *input, void *output);
void duckdb_vector_assign_string_element_len(void *vector, uint64_t row, const char *text, uint64_t length);
#cgo noescape duckdb_vector_assign_string_element_len
#cgo nocallback duckdb_vector_assign_string_element_len
*/
import "C"

import (
	"context"
	"database/sql"
	"fmt"
	"hash/maphash"
	"reflect"
	"runtime/cgo"
	"strconv"
	"strings"
	"sync/atomic"
	"unsafe"

	"github.com/duckdb/duckdb-go/mapping"

	"github.com/postgeo/postgeo/enrich"
)

// A scalar is a function of DuckDB that evaluates vectors of text and numbers. Equal
// rows are usually evaluated once. Rows with a null have null.
type scalar struct {
	name    string
	inputs  []mapping.Type
	outputs []output // several are members of a struct
	row     func(ctx context.Context, args []string) ([]enrich.Value, error)
	cache   cache
}

// An output is a number or else text.
type output struct {
	name   string
	number bool
}

// register adds the forms of a function to a connection. They stay as long as the
// process.
func register(c *sql.Conn, forms []*scalar) error {
	set := mapping.CreateScalarFunctionSet(forms[0].name)
	defer mapping.DestroyScalarFunctionSet(&set)
	for _, s := range forms {
		s.addTo(set)
	}
	return c.Raw(func(driver any) error {
		// The driver evaluates rows one by one, and does not export the connection that
		// functions of vectors need.
		conn := reflect.ValueOf(driver).Elem().FieldByName("conn").FieldByName("Ptr").UnsafePointer()
		if mapping.RegisterScalarFunctionSet(mapping.Connection{Ptr: conn}, set) == mapping.StateError {
			return fmt.Errorf("function %s: DuckDB refuses it", forms[0].name)
		}
		return nil
	})
}

func (s *scalar) addTo(set mapping.ScalarFunctionSet) {
	f := mapping.CreateScalarFunction()
	defer mapping.DestroyScalarFunction(&f)
	mapping.ScalarFunctionSetName(f, s.name)
	for _, input := range s.inputs {
		t := mapping.CreateLogicalType(input)
		mapping.ScalarFunctionAddParameter(f, t)
		mapping.DestroyLogicalType(&t)
	}
	var types []mapping.LogicalType
	var names []string
	for _, o := range s.outputs {
		t := mapping.CreateLogicalType(mapping.TypeVarchar)
		if o.number {
			mapping.DestroyLogicalType(&t)
			t = mapping.CreateLogicalType(mapping.TypeDouble)
		}
		defer mapping.DestroyLogicalType(&t)
		types, names = append(types, t), append(names, o.name)
	}
	result := types[0]
	if len(types) > 1 {
		result = mapping.CreateStructType(types, names)
		defer mapping.DestroyLogicalType(&result)
	}
	mapping.ScalarFunctionSetReturnType(f, result)
	handle := C.malloc(C.size_t(unsafe.Sizeof(cgo.Handle(0))))
	*(*cgo.Handle)(handle) = cgo.NewHandle(s)
	mapping.ScalarFunctionSetExtraInfo(f, handle, nil)
	mapping.ScalarFunctionSetFunction(f, unsafe.Pointer(C.postgeo_scalar))
	mapping.AddScalarFunctionToSet(set, f)
}

//export postgeo_scalar
func postgeo_scalar(infoPtr, inputPtr, outputPtr unsafe.Pointer) {
	info, input := mapping.FunctionInfo{Ptr: infoPtr}, mapping.DataChunk{Ptr: inputPtr}
	s := (*(*cgo.Handle)(mapping.ScalarFunctionGetExtraInfo(info))).Value().(*scalar)
	if err := s.evaluate(input, mapping.Vector{Ptr: outputPtr}); err != nil {
		mapping.ScalarFunctionSetError(info, err.Error())
	}
}

func (s *scalar) evaluate(input mapping.DataChunk, result mapping.Vector) error {
	var in, out []vector
	for i := range s.inputs {
		in = append(in, newVector(mapping.DataChunkGetVector(input, mapping.IdxT(i))))
	}
	whole := newVector(result)
	for i := range s.outputs {
		if len(s.outputs) == 1 {
			out = append(out, whole)
		} else {
			out = append(out, newVector(mapping.StructVectorGetChild(result, mapping.IdxT(i))))
		}
	}
	var key []byte
	for row := range uint64(mapping.DataChunkGetSize(input)) {
		var values []datum
		key = key[:0]
		for i := range in {
			if !in[i].valid(row) {
				key = nil
				break
			}
			key = append(in[i].append(key, row, s.inputs[i]), 0)
		}
		if key != nil {
			var err error
			if values, err = s.values(key); err != nil {
				return err
			}
		}
		if values == nil && len(out) > 1 {
			whole.setNull(row)
		}
		for i := range out {
			switch {
			case values == nil || values[i].null:
				out[i].setNull(row)
			case s.outputs[i].number:
				*at[float64](&out[i], row) = values[i].number
			default:
				out[i].setText(row, values[i].text)
			}
		}
	}
	return nil
}

// values returns the values of a row, or nil if there are none. The key has a zero byte
// after each argument.
func (s *scalar) values(key []byte) ([]datum, error) {
	slot := &s.cache[maphash.Bytes(seed, key)%uint64(len(s.cache))]
	if e := slot.Load(); e != nil && e.key == string(key) {
		return e.values, nil
	}
	e := &entry{key: string(key)}
	values, err := s.row(context.Background(), strings.Split(e.key[:len(key)-1], "\x00"))
	if err != nil {
		return nil, err
	}
	for i, v := range values {
		d := datum{null: v.IsNull(), number: v.Float()}
		if !s.outputs[i].number {
			d.text = v.String()
		}
		e.values = append(e.values, d)
	}
	slot.Store(e)
	return e.values, nil
}

// A cache holds recent results. The newest one of a slot replaces the others.
type cache [1 << 18]atomic.Pointer[entry]

type entry struct {
	key    string
	values []datum
}

type datum struct {
	null   bool
	text   string
	number float64
}

var seed = maphash.MakeSeed()

// A vector is a flat vector of DuckDB.
type vector struct {
	mapping.Vector
	data     unsafe.Pointer
	validity unsafe.Pointer // nil if no value is null
}

func newVector(v mapping.Vector) vector {
	return vector{v, mapping.VectorGetData(v), mapping.VectorGetValidity(v)}
}

func (v *vector) valid(row uint64) bool {
	const bits = 64
	return v.validity == nil || *(*uint64)(unsafe.Add(v.validity, row/bits*8))>>(row%bits)&1 == 1
}

func (v *vector) setNull(row uint64) {
	if v.validity == nil {
		mapping.VectorEnsureValidityWritable(v.Vector)
		v.validity = mapping.VectorGetValidity(v.Vector)
	}
	mapping.ValiditySetRowInvalid(v.validity, mapping.IdxT(row))
}

// inlined is the maximum length of a text inside its entry of a vector.
const inlined = 12

// A text is an entry of a vector: four bytes of the text and a pointer if it is long.
type text struct {
	length uint32
	bytes  [4]byte
	rest   [inlined - 4]byte
}

func at[T any](v *vector, row uint64) *T {
	return (*T)(unsafe.Add(v.data, uintptr(row)*unsafe.Sizeof(*new(T))))
}

// append appends a value as text.
func (v *vector) append(dst []byte, row uint64, t mapping.Type) []byte {
	switch t {
	case mapping.TypeDouble:
		return strconv.AppendFloat(dst, *at[float64](v, row), 'f', -1, 64)
	case mapping.TypeBigInt:
		return strconv.AppendInt(dst, *at[int64](v, row), 10)
	default:
		s := at[text](v, row)
		from := unsafe.Pointer(&s.bytes)
		if s.length > inlined {
			from = *(*unsafe.Pointer)(unsafe.Pointer(&s.rest))
		}
		return append(dst, unsafe.Slice((*byte)(from), s.length)...)
	}
}

func (v *vector) setText(row uint64, s string) {
	if len(s) > inlined {
		C.duckdb_vector_assign_string_element_len(v.Ptr, C.uint64_t(row), (*C.char)(unsafe.Pointer(unsafe.StringData(s))), C.uint64_t(len(s)))
		return
	}
	t := at[text](v, row)
	*t = text{length: uint32(len(s))}
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&t.bytes)), inlined), s)
}
