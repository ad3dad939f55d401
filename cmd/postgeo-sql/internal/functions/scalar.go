package functions

// #include <stdlib.h>
// void postgeo_scalar(void *info, void *input, void *output);
import "C"

import (
	"context"
	"database/sql"
	"fmt"
	"reflect"
	"runtime/cgo"
	"slices"
	"unsafe"

	"github.com/duckdb/duckdb-go/mapping"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/foreign"
)

// register adds a function of vectors of text to a connection. It stays as long as the
// process.
func register(c *sql.Conn, f *foreign.Function) error {
	s := mapping.CreateScalarFunction()
	defer mapping.DestroyScalarFunction(&s)
	mapping.ScalarFunctionSetName(s, inner+f.Name)
	text, number := mapping.CreateLogicalType(mapping.TypeVarchar), mapping.CreateLogicalType(mapping.TypeDouble)
	defer mapping.DestroyLogicalType(&text)
	defer mapping.DestroyLogicalType(&number)
	for range f.Arguments {
		mapping.ScalarFunctionAddParameter(s, text)
	}
	var names []string
	var types []mapping.LogicalType
	for _, c := range f.Columns {
		names, types = append(names, c.Name), append(types, map[bool]mapping.LogicalType{false: text, true: number}[c.Number])
	}
	result := types[0]
	if len(names) > 1 {
		result = mapping.CreateStructType(types, names)
		defer mapping.DestroyLogicalType(&result)
	}
	mapping.ScalarFunctionSetReturnType(s, result)
	handle := C.malloc(C.size_t(unsafe.Sizeof(cgo.Handle(0))))
	*(*cgo.Handle)(handle) = cgo.NewHandle(f)
	mapping.ScalarFunctionSetExtraInfo(s, handle, nil)
	mapping.ScalarFunctionSetFunction(s, unsafe.Pointer(C.postgeo_scalar))
	return c.Raw(func(driver any) error {
		// The driver evaluates rows one by one, and does not export the connection that
		// functions of vectors need.
		conn := reflect.ValueOf(driver).Elem().FieldByName("conn").FieldByName("Ptr").UnsafePointer()
		if mapping.RegisterScalarFunction(mapping.Connection{Ptr: conn}, s) == mapping.StateError {
			return fmt.Errorf("function %s: DuckDB refuses it", f.Name)
		}
		return nil
	})
}

//export postgeo_scalar
func postgeo_scalar(infoPtr, inputPtr, outputPtr unsafe.Pointer) {
	info := mapping.FunctionInfo{Ptr: infoPtr}
	f := (*(*cgo.Handle)(mapping.ScalarFunctionGetExtraInfo(info))).Value().(*foreign.Function)
	err := f.Use(func(row foreign.Row) error {
		return evaluate(f, row, mapping.DataChunk{Ptr: inputPtr}, mapping.Vector{Ptr: outputPtr})
	})
	if err != nil {
		mapping.ScalarFunctionSetError(info, err.Error())
	}
}

// evaluate evaluates rows. Those with a null, or without values, have null.
func evaluate(f *foreign.Function, find foreign.Row, input mapping.DataChunk, result mapping.Vector) error {
	rows := int(mapping.DataChunkGetSize(input))
	in, args := make([]*vector, len(f.Arguments)), make([][]byte, len(f.Arguments))
	for i := range in {
		in[i] = newVector(mapping.DataChunkGetVector(input, mapping.IdxT(i)), rows)
	}
	whole := newResult(result, rows)
	out := []*vector{whole}
	if len(f.Columns) > 1 {
		out = nil
		for i := range f.Columns {
			out = append(out, newResult(mapping.StructVectorGetChild(result, mapping.IdxT(i)), rows))
		}
	}
	for row := range rows {
		var values []enrich.Value
		if !slices.ContainsFunc(in, func(v *vector) bool { return v.isNull(row) }) {
			for i, v := range in {
				args[i] = v.append(args[i][:0], row)
			}
			var err error
			if values, err = find(context.Background(), args); err != nil {
				return err
			}
		}
		if values == nil {
			whole.setNull(row)
		}
		for i, v := range out {
			switch {
			case values == nil || values[i].IsNull():
				v.setNull(row)
			case f.Columns[i].Number:
				v.numbers[row] = values[i].Float()
			default:
				v.setText(row, values[i].String())
			}
		}
	}
	return nil
}
