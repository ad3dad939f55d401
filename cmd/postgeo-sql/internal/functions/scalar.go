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
	"encoding/binary"
	"fmt"
	"reflect"
	"runtime/cgo"
	"strconv"
	"unsafe"

	"github.com/duckdb/duckdb-go/mapping"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/cache"
)

// A scalar is a function of DuckDB that evaluates vectors of text and numbers. Equal
// rows are usually evaluated once. Rows with a null have null.
type scalar struct {
	name    string
	inputs  []mapping.Type
	outputs []output // several are members of a struct
	row     func(ctx context.Context, args []string) ([]enrich.Value, error)
	cache   *cache.Cache[[]datum] // of the arguments of a row
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
	s.cache = cache.New[[]datum](maxCache)
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
	r := reader{scalar: s, in: in}
	for row := range uint64(mapping.DataChunkGetSize(input)) {
		values, err := r.values(row)
		if err != nil {
			return err
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

// A reader reads the arguments of rows.
type reader struct {
	*scalar
	in  []vector
	key []byte
}

// values returns the values of a row, or nil if there are none.
func (r *reader) values(row uint64) ([]datum, error) {
	r.key = r.key[:0]
	for i := range r.in {
		if !r.in[i].valid(row) {
			return nil, nil
		}
		from := len(r.key)
		r.key = r.in[i].append(r.key, row, r.inputs[i])
		r.key = binary.LittleEndian.AppendUint32(r.key, uint32(len(r.key)-from)) // the length ends an argument
	}
	if _, values, ok := r.cache.Get(r.key); ok {
		return values, nil
	}
	args := make([]string, len(r.in))
	for i := range r.in {
		args[i] = string(r.in[i].append(nil, row, r.inputs[i]))
	}
	found, err := r.row(context.Background(), args)
	if err != nil {
		return nil, err
	}
	var values []datum
	size := 0
	for i, v := range found {
		d := datum{null: v.IsNull(), number: v.Float()}
		if !r.outputs[i].number {
			d.text = v.String()
		}
		values = append(values, d)
		size += len(d.text) + int(unsafe.Sizeof(d))
	}
	r.cache.Put(r.key, nil, values, size)
	return values, nil
}

// maxCache is the maximum size of the results of a function in bytes.
const maxCache = 64 << 20

type datum struct {
	null   bool
	text   string
	number float64
}

// A vector is a flat vector of DuckDB.
type vector struct {
	mapping.Vector
	data     unsafe.Pointer
	validity unsafe.Pointer // nil if no value is null
}

func newVector(v mapping.Vector) vector {
	return vector{v, mapping.VectorGetData(v), mapping.VectorGetValidity(v)}
}

// validBits is the number of rows of a word of validity.
const validBits = 64

func (v *vector) validWord(row uint64) *uint64 {
	return (*uint64)(unsafe.Add(v.validity, row/validBits*8))
}

func (v *vector) valid(row uint64) bool {
	return v.validity == nil || *v.validWord(row)>>(row%validBits)&1 == 1
}

func (v *vector) setNull(row uint64) {
	if v.validity == nil {
		mapping.VectorEnsureValidityWritable(v.Vector)
		v.validity = mapping.VectorGetValidity(v.Vector)
	}
	*v.validWord(row) &^= 1 << (row % validBits) // without a call of C for each row
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
