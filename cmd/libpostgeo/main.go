// Command libpostgeo is the C library of postgeo. The header postgeo.h describes its
// functions, the ownership of memory and the use by threads. "make clib" builds it.
package main

// #include <stdlib.h>
import "C"

import (
	"context"
	"fmt"
	"runtime/cgo"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow/cdata"
	"github.com/apache/arrow-go/v18/arrow/memory/mallocator"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/cmd/libpostgeo/internal/arrays"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/foreign"
)

func main() {} // required by -buildmode=c-shared

const abi = 1

//export postgeo_abi
func postgeo_abi() int32 { return abi }

//export postgeo_last_error
func postgeo_last_error() unsafe.Pointer { return lastError() }

//export postgeo_free
func postgeo_free(p unsafe.Pointer) { C.free(p) }

//export postgeo_open
func postgeo_open(path, out unsafe.Pointer) int32 {
	return guard(func() error {
		if out == nil {
			return foreign.Invalid("db", "a pointer")
		}
		if path != nil && text(path) == "" {
			return foreign.Invalid("path", "a file, or NULL for the default")
		}
		d, err := foreign.Open(text(path), postgeo.OpenOptions{})
		if err == nil {
			*(*uint64)(out) = uint64(cgo.NewHandle(d))
		}
		return err
	})
}

//export postgeo_close
func postgeo_close(db uint64) int32 {
	return guard(func() error {
		d, err := take[*foreign.Dataset](db)
		if err != nil {
			return err
		}
		return d.Close()
	})
}

// with calls call with the dataset of a handle.
func with(db uint64, call func(d *foreign.Dataset) error) int32 {
	return guard(func() error {
		d, err := get[*foreign.Dataset](db)
		if err != nil {
			return err
		}
		return call(d)
	})
}

//export postgeo_swap
func postgeo_swap(db uint64, path unsafe.Pointer) int32 {
	return with(db, func(d *foreign.Dataset) error { return d.Swap(context.Background(), text(path)) })
}

//export postgeo_info
func postgeo_info(db uint64, out unsafe.Pointer) int32 {
	return with(db, func(d *foreign.Dataset) error { return writeJSON(out, d.Info()) })
}

//export postgeo_operations
func postgeo_operations(out unsafe.Pointer) int32 {
	return guard(func() error { return writeJSON(out, foreign.Operations()) })
}

//export postgeo_call
func postgeo_call(db uint64, name, arguments, out unsafe.Pointer) int32 {
	return with(db, func(d *foreign.Dataset) error {
		json, err := d.Call(context.Background(), text(name), text(arguments))
		return write(out, json, err)
	})
}

//export postgeo_areas
func postgeo_areas(db uint64, layer, latitude, longitude unsafe.Pointer, rows int64, index, array, schema unsafe.Pointer) int32 {
	return with(db, func(d *foreign.Dataset) error {
		lat, lon, err := points(latitude, longitude, rows)
		if err != nil {
			return err
		}
		geoids, err := d.Areas(context.Background(), text(layer), lat, lon)
		if err != nil {
			return err
		}
		columns := []enrich.Column{{Name: "geoid", Type: enrich.String}}
		return entries{index, array, schema}.write(rows, columns, func(row int) string { return geoids[row] }, func(keys []string) ([][]enrich.Value, error) {
			var values [][]enrich.Value
			for _, geoid := range keys {
				values = append(values, []enrich.Value{enrich.StringValue(geoid)})
			}
			return values, nil
		})
	})
}

//export postgeo_columns_open
func postgeo_columns_open(db uint64, options, out unsafe.Pointer) int32 {
	return with(db, func(d *foreign.Dataset) error {
		if out == nil {
			return foreign.Invalid("columns", "a pointer")
		}
		opt, err := foreign.ParseOptions(text(options))
		if err != nil {
			return err
		}
		c, err := foreign.NewColumns(d, opt)
		if err == nil {
			*(*uint64)(out) = uint64(cgo.NewHandle(c))
		}
		return err
	})
}

//export postgeo_columns_close
func postgeo_columns_close(columns uint64) int32 {
	return guard(func() error {
		c, err := take[*foreign.Columns](columns)
		if err == nil {
			c.Close()
		}
		return err
	})
}

// withColumns calls call with the columns of a handle.
func withColumns(columns uint64, call func(v *foreign.View) error) int32 {
	return guard(func() error {
		c, err := get[*foreign.Columns](columns)
		if err != nil {
			return err
		}
		return c.Use(call)
	})
}

// values returns a function that returns the values of keys.
func values(v *foreign.View) func(keys []string) ([][]enrich.Value, error) {
	return func(keys []string) ([][]enrich.Value, error) { return v.Values(context.Background(), keys) }
}

//export postgeo_columns_fields
func postgeo_columns_fields(columns uint64, out unsafe.Pointer) int32 {
	return withColumns(columns, func(v *foreign.View) error { return writeJSON(out, v.Fields()) })
}

//export postgeo_columns_index
func postgeo_columns_index(columns uint64, text unsafe.Pointer, width, rows int64, index, array, schema unsafe.Pointer) int32 {
	return withColumns(columns, func(v *foreign.View) error {
		key, err := keys(text, width, rows)
		if err != nil {
			return err
		}
		return entries{index, array, schema}.write(rows, v.List, key, values(v))
	})
}

//export postgeo_columns_points
func postgeo_columns_points(columns uint64, latitude, longitude unsafe.Pointer, rows int64, index, array, schema unsafe.Pointer) int32 {
	return withColumns(columns, func(v *foreign.View) error {
		lat, lon, err := points(latitude, longitude, rows)
		if err != nil {
			return err
		}
		return entries{index, array, schema}.write(rows, v.List, func(row int) string { return foreign.PointKey(lat[row], lon[row]) }, values(v))
	})
}

//export postgeo_columns_text
func postgeo_columns_text(columns uint64, column int64, text unsafe.Pointer, width, rows int64, out unsafe.Pointer, size int64) int32 {
	return withColumns(columns, func(v *foreign.View) error {
		key, err := keys(text, width, rows)
		if err != nil {
			return err
		}
		if column < 0 || column >= int64(len(v.List)) || size < 1 || out == nil && rows > 0 {
			return foreign.Invalid("column", "a column, and a buffer for its text")
		}
		index := make([]int32, rows)
		found, err := v.Values(context.Background(), foreign.Number(index, key))
		if err != nil {
			return err
		}
		cells := make([]string, len(found))
		for i, row := range found {
			if cells[i] = row[column].String(); int64(len(cells[i])) > size {
				return foreign.Invalid("size", fmt.Sprintf("at least %d for %q", len(cells[i]), cells[i]))
			}
		}
		for row, n := range index {
			cell := unsafe.Slice((*byte)(unsafe.Add(out, int64(row)*size)), size)
			clear(cell[copy(cell, cells[n]):])
		}
		return nil
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
	return withColumns(columns, func(v *foreign.View) error {
		if in == nil || of == nil || array == nil || schema == nil {
			return foreign.Invalid("rows", "pointers")
		}
		_, a, err := cdata.ImportCArray(in, of)
		if err != nil {
			return foreign.Invalid("rows", "an Arrow array: "+err.Error())
		}
		defer a.Release()
		key, err := arrays.Keys(a)
		if err != nil {
			return err
		}
		rec, err := arrays.Lookup(mallocator.NewMallocator(), arrays.Schema(v.List), a.Len(), key, values(v))
		if err != nil {
			return err
		}
		defer rec.Release()
		cdata.ExportArrowRecordBatch(rec, (*cdata.CArrowArray)(array), (*cdata.CArrowSchema)(schema))
		return nil
	})
}
