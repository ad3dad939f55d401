// Command libpostgeo is the C library of postgeo. The header postgeo.h describes its
// functions, the ownership of memory and the use by threads. "make clib" builds it.
package main

import "C"

import (
	"context"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow/cdata"

	"github.com/postgeo/postgeo/cmd/postgeo-arrow/arrays"
	"github.com/postgeo/postgeo/internal/foreign"
)

func main() {} // required by -buildmode=c-shared

//export postgeo_abi
func postgeo_abi() int32 { return 1 }

//export postgeo_last_error
func postgeo_last_error() unsafe.Pointer { return lastError() }

// handles are the datasets and columns that callers have opened.
var handles foreign.Handles

// opened sets *out to the handle of what open returns.
func opened[T any](out unsafe.Pointer, open func() (T, error)) int32 {
	return guard(func() error {
		handle := at[uint64](out)
		object, err := open()
		if err == nil {
			*handle = handles.Add(object)
		}
		return err
	})
}

// with calls call with the object of a handle.
func with[T any](handle uint64, call func(T) error) int32 {
	return guard(func() error {
		object, err := foreign.Held[T](&handles, handle)
		if err != nil {
			return err
		}
		return call(object)
	})
}

// withView calls call with the columns of a handle.
func withView(columns uint64, call func(v *foreign.View) error) int32 {
	return with(columns, func(c *foreign.Columns) error { return c.Use(call) })
}

//export postgeo_open
func postgeo_open(path, out unsafe.Pointer) int32 {
	return opened(out, func() (*foreign.Dataset, error) {
		if path != nil && text(path) == "" {
			return nil, foreign.Invalid("path", "a file, or NULL for the default")
		}
		return foreign.Open(text(path))
	})
}

//export postgeo_close
func postgeo_close(db uint64) int32 {
	return guard(func() error { return foreign.Close[*foreign.Dataset](&handles, db) })
}

//export postgeo_swap
func postgeo_swap(db uint64, path unsafe.Pointer) int32 {
	return with(db, func(d *foreign.Dataset) error { return d.Swap(context.Background(), text(path)) })
}

//export postgeo_info
func postgeo_info(db uint64, out unsafe.Pointer) int32 {
	return with(db, func(d *foreign.Dataset) error { return write(out, d.Info(), nil) })
}

//export postgeo_operations
func postgeo_operations(out unsafe.Pointer) int32 {
	return guard(func() error { return write(out, foreign.Operations(), nil) })
}

//export postgeo_call
func postgeo_call(db uint64, name, arguments, out unsafe.Pointer) int32 {
	return with(db, func(d *foreign.Dataset) error {
		res, err := d.Call(context.Background(), text(name), text(arguments))
		return write(out, res, err)
	})
}

//export postgeo_areas
func postgeo_areas(db uint64, layer, latitude, longitude unsafe.Pointer, rows int64, index, array, schema unsafe.Pointer) int32 {
	return with(db, func(d *foreign.Dataset) error {
		lat, lon := buffer[float64](latitude, rows, 1), buffer[float64](longitude, rows, 1)
		return result{index, array, schema}.entries(d.Areas(context.Background(), text(layer), lat, lon))
	})
}

//export postgeo_columns_open
func postgeo_columns_open(db uint64, options, out unsafe.Pointer) int32 {
	return opened(out, func() (*foreign.Columns, error) {
		d, err := foreign.Held[*foreign.Dataset](&handles, db)
		if err != nil {
			return nil, err
		}
		return d.ParseColumns(text(options))
	})
}

//export postgeo_columns_close
func postgeo_columns_close(columns uint64) int32 {
	return guard(func() error { return foreign.Close[*foreign.Columns](&handles, columns) })
}

//export postgeo_columns_fields
func postgeo_columns_fields(columns uint64, out unsafe.Pointer) int32 {
	return withView(columns, func(v *foreign.View) error { return write(out, v.Fields(), nil) })
}

//export postgeo_columns_index
func postgeo_columns_index(columns uint64, text unsafe.Pointer, width, rows int64, index, array, schema unsafe.Pointer) int32 {
	return withView(columns, func(v *foreign.View) error {
		return result{index, array, schema}.entries(v.Entries(context.Background(), int(rows), keys(text, width, rows)))
	})
}

//export postgeo_columns_points
func postgeo_columns_points(columns uint64, latitude, longitude unsafe.Pointer, rows int64, index, array, schema unsafe.Pointer) int32 {
	return withView(columns, func(v *foreign.View) error {
		lat, lon := buffer[float64](latitude, rows, 1), buffer[float64](longitude, rows, 1)
		return result{index, array, schema}.entries(v.Points(context.Background(), lat, lon))
	})
}

//export postgeo_columns_text
func postgeo_columns_text(columns uint64, column int64, text unsafe.Pointer, width, rows int64, out unsafe.Pointer, size int64) int32 {
	return withView(columns, func(v *foreign.View) error {
		return v.Text(context.Background(), column, keys(text, width, rows), buffer[byte](out, rows, size), size)
	})
}

//export postgeo_columns_arrow
func postgeo_columns_arrow(columns uint64, rows, rowsSchema, array, schema unsafe.Pointer) int32 {
	in, of := (*cdata.CArrowArray)(rows), (*cdata.CArrowSchema)(rowsSchema)
	if in != nil {
		defer cdata.ReleaseCArrowArray(in) // unless it is taken over
	}
	if of != nil {
		defer cdata.ReleaseCArrowSchema(of)
	}
	return withView(columns, func(v *foreign.View) error {
		_, a, err := cdata.ImportCArray(at[cdata.CArrowArray](rows), at[cdata.CArrowSchema](rowsSchema))
		if err != nil {
			return foreign.Invalid("rows", "an Arrow array: "+err.Error())
		}
		defer a.Release()
		key, err := arrays.Keys(a)
		if err != nil {
			return err
		}
		e, err := v.Entries(context.Background(), a.Len(), key)
		if err == nil {
			result{array: array, schema: schema}.values(e.Columns, e.Rows())
		}
		return err
	})
}
