// Command libpostgeo is the C library of postgeo. The header postgeo.h describes its
// functions, the ownership of memory and the use by threads. "make clib" builds it.
package main

// #include <stdlib.h>
import "C"

import (
	"context"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"sync"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/cdata"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/envelope"
	"github.com/postgeo/postgeo/internal/operation"
)

func main() {} // required by -buildmode=c-shared

const abi = 1

// handles are the open handles of callers. Numbers are never used twice.
var handles struct {
	sync.RWMutex
	last uint64
	open map[uint64]any
}

func put(v any) uint64 {
	handles.Lock()
	defer handles.Unlock()
	if handles.last++; handles.open == nil {
		handles.open = map[uint64]any{}
	}
	handles.open[handles.last] = v
	return handles.last
}

// get returns the object of a handle. remove takes the handle away.
func get[T any](handle uint64, remove bool) (T, error) {
	handles.Lock()
	defer handles.Unlock()
	v, ok := handles.open[handle].(T)
	if !ok {
		return v, postgeo.ErrClosed
	}
	if remove {
		delete(handles.open, handle)
	}
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
		return invalid("json", "a pointer")
	}
	*(*unsafe.Pointer)(out) = unsafe.Pointer(C.CString(string(json)))
	return nil
}

// list returns a buffer of the caller with n values.
func list[T any](p unsafe.Pointer, n int64) ([]T, error) {
	if n < 0 || n > math.MaxInt32 || p == nil && n > 0 {
		return nil, invalid("rows", "a buffer of 0 to 2147483647 rows")
	}
	return unsafe.Slice((*T)(p), n), nil
}

// keys returns the keys of a buffer with fixed width.
func keys(p unsafe.Pointer, width, rows int64) (func(row int) string, error) {
	const widest = 1 << 20
	if width < 1 || width > widest {
		return nil, invalid("width", "1 to 1048576")
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

// pointKey returns the key of a coordinate, "" for NaN.
func pointKey(lat, lon float64) string {
	if math.IsNaN(lat) || math.IsNaN(lon) {
		return ""
	}
	return strconv.FormatFloat(lat, 'f', -1, 64) + "," + strconv.FormatFloat(lon, 'f', -1, 64)
}

// export gives a record to the caller.
func export(rec arrow.RecordBatch, array, schema unsafe.Pointer) {
	defer rec.Release()
	cdata.ExportArrowRecordBatch(rec, (*cdata.CArrowArray)(array), (*cdata.CArrowSchema)(schema))
}

//export postgeo_abi
func postgeo_abi() int32 { return abi }

//export postgeo_open
func postgeo_open(path, out unsafe.Pointer) int32 {
	return guard(func() error {
		if out == nil {
			return invalid("db", "a pointer")
		}
		file := text(path)
		if path == nil {
			var err error
			if file, err = dataset.Choose("", os.Getenv, dataset.OwnDir()); err != nil {
				return err
			}
		}
		var db *postgeo.DB
		var err error
		if file == "" && path == nil || file == "sample" {
			db, err = postgeo.OpenSample()
		} else {
			db, err = postgeo.Open(file)
		}
		if err == nil {
			*(*uint64)(out) = put(&database{DB: db})
		}
		return err
	})
}

//export postgeo_close
func postgeo_close(db uint64) int32 {
	return guard(func() error {
		d, err := get[*database](db, true)
		if err != nil {
			return err
		}
		d.closed.Store(true)
		return d.Close()
	})
}

//export postgeo_swap
func postgeo_swap(db uint64, path unsafe.Pointer) int32 {
	return guard(func() error {
		d, err := get[*database](db, false)
		if err == nil {
			err = d.Swap(context.Background(), text(path))
		}
		if err == nil {
			d.swaps.Add(1)
		}
		return err
	})
}

//export postgeo_info
func postgeo_info(db uint64, out unsafe.Pointer) int32 {
	return guard(func() error {
		d, err := get[*database](db, false)
		if err != nil {
			return err
		}
		json, err := envelope.Marshal(d.Info())
		return write(out, json, err)
	})
}

//export postgeo_last_error
func postgeo_last_error() unsafe.Pointer { return lastError() }

//export postgeo_free
func postgeo_free(p unsafe.Pointer) { C.free(p) }

//export postgeo_operations
func postgeo_operations(out unsafe.Pointer) int32 {
	return guard(func() error {
		type param struct {
			Name     string   `json:"name"`
			Help     string   `json:"help"`
			Required bool     `json:"required,omitzero"`
			Default  string   `json:"default,omitzero"`
			Values   []string `json:"values,omitempty"`
		}
		type described struct {
			Name    string  `json:"name"`
			Summary string  `json:"summary"`
			Params  []param `json:"params"`
		}
		var all []described
		for _, o := range operation.All() {
			d := described{Name: o.Name, Summary: o.Description()}
			for _, p := range o.Params {
				d.Params = append(d.Params, param{p.Name, p.Help, p.Required, p.Default, p.Values})
			}
			all = append(all, d)
		}
		json, err := envelope.Marshal(all)
		return write(out, json, err)
	})
}

//export postgeo_call
func postgeo_call(db uint64, name, arguments, out unsafe.Pointer) int32 {
	return guard(func() error {
		d, err := get[*database](db, false)
		if err != nil {
			return err
		}
		o := operation.Find(text(name))
		if o == nil {
			return invalid("operation", "a name that postgeo_operations lists, not "+strconv.Quote(text(name)))
		}
		db, err := d.Snapshot()
		if err != nil {
			return err
		}
		defer db.Close()
		res, err := o.Call(context.Background(), db, []byte(text(arguments)))
		if err != nil {
			return err
		}
		json, err := envelope.Marshal(res)
		return write(out, json, err)
	})
}

//export postgeo_columns_open
func postgeo_columns_open(db uint64, options, out unsafe.Pointer) int32 {
	return guard(func() error {
		d, err := get[*database](db, false)
		if err == nil && out == nil {
			err = invalid("columns", "a pointer")
		}
		if err != nil {
			return err
		}
		c, err := newColumns(d, []byte(text(options)))
		if err == nil {
			*(*uint64)(out) = put(c)
		}
		return err
	})
}

//export postgeo_columns_close
func postgeo_columns_close(columnsHandle uint64) int32 {
	return guard(func() error {
		c, err := get[*columns](columnsHandle, true)
		if err == nil {
			c.close()
		}
		return err
	})
}

// with calls call with columns that are in use.
func with(handle uint64, call func(c *columns) error) int32 {
	return guard(func() error {
		c, err := get[*columns](handle, false)
		if err != nil {
			return err
		}
		unlock, err := c.use()
		if err != nil {
			return err
		}
		defer unlock()
		return call(c)
	})
}

//export postgeo_columns_fields
func postgeo_columns_fields(handle uint64, out unsafe.Pointer) int32 {
	return with(handle, func(c *columns) error {
		type field struct {
			Name string `json:"name"`
			Path string `json:"path,omitzero"`
			Type string `json:"type"`
		}
		all := []field{}
		for _, f := range c.list {
			all = append(all, field{f.Name, f.Path, f.Type.String()})
		}
		json, err := envelope.Marshal(all)
		return write(out, json, err)
	})
}

// entries writes the number of each row's entry, and the entries.
func (c *columns) entries(index []int32, key func(row int) string, array, schema unsafe.Pointer) error {
	if array == nil || schema == nil {
		return invalid("entries", "pointers")
	}
	values, err := c.values(number(index, key))
	if err == nil {
		export(record(c.list, len(values), func(row int) []enrich.Value { return values[row] }), array, schema)
	}
	return err
}

//export postgeo_columns_index
func postgeo_columns_index(handle uint64, text unsafe.Pointer, width, rows int64, out, array, schema unsafe.Pointer) int32 {
	return with(handle, func(c *columns) error {
		index, err := list[int32](out, rows)
		if err != nil {
			return err
		}
		key, err := keys(text, width, rows)
		if err != nil {
			return err
		}
		return c.entries(index, key, array, schema)
	})
}

// points returns two buffers of the caller.
func points(latitude, longitude unsafe.Pointer, rows int64) (lat, lon []float64, err error) {
	if lat, err = list[float64](latitude, rows); err == nil {
		lon, err = list[float64](longitude, rows)
	}
	return lat, lon, err
}

//export postgeo_columns_points
func postgeo_columns_points(handle uint64, latitude, longitude unsafe.Pointer, rows int64, out, array, schema unsafe.Pointer) int32 {
	return with(handle, func(c *columns) error {
		lat, lon, err := points(latitude, longitude, rows)
		if err != nil {
			return err
		}
		index, err := list[int32](out, rows)
		if err != nil {
			return err
		}
		return c.entries(index, func(row int) string { return pointKey(lat[row], lon[row]) }, array, schema)
	})
}

//export postgeo_columns_text
func postgeo_columns_text(handle uint64, column int64, text unsafe.Pointer, width, rows int64, out unsafe.Pointer, size int64) int32 {
	return with(handle, func(c *columns) error {
		key, err := keys(text, width, rows)
		if err != nil {
			return err
		}
		if column < 0 || column >= int64(len(c.list)) || size < 1 || out == nil && rows > 0 {
			return invalid("column", "a column, and a buffer for its text")
		}
		index := make([]int32, rows)
		values, err := c.values(number(index, key))
		if err != nil {
			return err
		}
		cells := make([]string, len(values))
		for i, v := range values {
			if cells[i] = v[column].String(); int64(len(cells[i])) > size {
				return invalid("size", fmt.Sprintf("at least %d for %q", len(cells[i]), cells[i]))
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
func postgeo_columns_arrow(handle uint64, rows, rowsSchema, array, schema unsafe.Pointer) int32 {
	if rows == nil || rowsSchema == nil || array == nil || schema == nil {
		return guard(func() error { return invalid("rows", "pointers") })
	}
	in := (*cdata.CArrowArray)(rows)
	defer cdata.ReleaseCArrowArray(in) // unless it is taken over
	of := (*cdata.CArrowSchema)(rowsSchema)
	defer cdata.ReleaseCArrowSchema(of)
	return with(handle, func(c *columns) error {
		_, a, err := cdata.ImportCArray(in, of)
		if err != nil {
			return invalid("rows", "an Arrow array: "+err.Error())
		}
		defer a.Release()
		key, err := keysOf(a)
		if err != nil {
			return err
		}
		index := make([]int32, a.Len())
		values, err := c.values(number(index, key))
		if err == nil {
			export(record(c.list, len(index), func(row int) []enrich.Value { return values[index[row]] }), array, schema)
		}
		return err
	})
}

//export postgeo_areas
func postgeo_areas(db uint64, layer, latitude, longitude unsafe.Pointer, rows int64, out, array, schema unsafe.Pointer) int32 {
	return guard(func() error {
		d, err := get[*database](db, false)
		if err != nil {
			return err
		}
		lat, lon, err := points(latitude, longitude, rows)
		if err != nil {
			return err
		}
		index, err := list[int32](out, rows)
		if err != nil {
			return err
		}
		id, err := operation.LayerInput{Layer: text(layer)}.ID()
		if err == nil && (array == nil || schema == nil) {
			err = invalid("entries", "pointers")
		}
		if err != nil {
			return err
		}
		snapshot, err := d.Snapshot()
		if err != nil {
			return err
		}
		defer snapshot.Close()
		geoids := make([]string, rows)
		err = parallel(len(geoids), func(from, to int) error {
			n := from
			for geoid, err := range snapshot.AreaIDsAt(context.Background(), id, func(yield func(geo.LatLng) bool) {
				for i := from; i < to; i++ {
					p, err := geo.LatLngFromDegrees(lat[i], lon[i])
					if err != nil {
						p = geo.LatLng{}
					}
					if !yield(p) {
						return
					}
				}
			}) {
				if err != nil {
					return err
				}
				geoids[n] = geoid
				n++
			}
			return nil
		})
		if err != nil {
			return err
		}
		distinct := number(index, func(row int) string { return geoids[row] })
		column := []enrich.Column{{Name: "geoid", Type: enrich.String}}
		export(record(column, len(distinct), func(row int) []enrich.Value { return []enrich.Value{enrich.StringValue(distinct[row])} }), array, schema)
		return nil
	})
}
