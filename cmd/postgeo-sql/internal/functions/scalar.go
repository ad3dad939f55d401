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

	"github.com/postgeo/postgeo/internal/foreign"
)

// register adds a function of vectors of text to a connection. It stays as long as the
// process, with its types.
func register(c *sql.Conn, f *foreign.Function) error {
	s := mapping.CreateScalarFunction()
	mapping.ScalarFunctionSetName(s, "postgeo_"+f.Name)
	text, number := mapping.CreateLogicalType(mapping.TypeVarchar), mapping.CreateLogicalType(mapping.TypeDouble)
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
	}
	if f.Table {
		result = mapping.CreateListType(result)
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
		found, err := find(f, row, mapping.DataChunk{Ptr: inputPtr})
		if err == nil {
			write(f, found, mapping.Vector{Ptr: outputPtr})
		}
		return err
	})
	if err != nil {
		mapping.ScalarFunctionSetError(info, err.Error())
	}
}

// find evaluates rows. Those with a null have no result.
func find(f *foreign.Function, row foreign.Row, input mapping.DataChunk) (found []foreign.Cells, err error) {
	found = make([]foreign.Cells, mapping.DataChunkGetSize(input))
	in, args := make([]vector, len(f.Arguments)), make([][]byte, len(f.Arguments))
	for i := range in {
		in[i] = newVector(mapping.DataChunkGetVector(input, mapping.IdxT(i)))
	}
	for i := range found {
		if slices.ContainsFunc(in, func(v vector) bool { return v.isNull(i) }) {
			continue
		}
		for n := range in {
			args[n] = in[n].text(i)
		}
		if found[i], err = row(context.Background(), args); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// write writes the results of rows. Those without values are null.
func write(f *foreign.Function, found []foreign.Cells, result mapping.Vector) {
	whole, members := newResult(result), result
	if f.Table {
		n := 0
		for _, cells := range found {
			n += cells.Rows(len(f.Columns))
		}
		mapping.ListVectorReserve(result, mapping.IdxT(n))
		mapping.ListVectorSetSize(result, mapping.IdxT(n))
		members = mapping.ListVectorGetChild(result)
	}
	columns := []vector{whole}
	if len(f.Columns) > 1 {
		columns = nil
		for i := range f.Columns {
			columns = append(columns, newResult(mapping.StructVectorGetChild(members, mapping.IdxT(i))))
		}
	}
	at := 0 // row of members
	for row, cells := range found {
		if len(cells) == 0 {
			whole.setNull(row)
		}
		from := at
		for len(cells) > 0 || !f.Table && at == from {
			for i := range columns {
				var value []byte
				value, cells = cells.Next()
				columns[i].set(at, value, f.Columns[i].Number)
			}
			at++
		}
		if f.Table {
			*entry[[2]int](whole.data, row) = [...]int{from, at - from} // the entry of a list
		}
	}
}
