package main_test

import (
	"encoding/json"
	"runtime"
	"slices"
	"testing"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/cdata"
	"github.com/apache/arrow-go/v18/arrow/memory/mallocator"
	"github.com/google/go-cmp/cmp"

	postgeo "github.com/postgeo/postgeo/cmd/libpostgeo"
)

// text returns a text of C.
func text(s string) unsafe.Pointer { return unsafe.Pointer(&append([]byte(s), 0)[0]) }

// sample opens the sample. Errors are kept for the thread, which the test holds.
func sample(t testing.TB) uint64 {
	runtime.LockOSThread()
	var db uint64
	if status := postgeo.Open(text("sample"), unsafe.Pointer(&db)); status != 0 {
		t.Fatal(postgeo.LastError())
	}
	t.Cleanup(func() {
		if status := postgeo.Close(db); status != 0 {
			t.Error(postgeo.LastError())
		}
	})
	return db
}

func open(t testing.TB, db uint64, options string) (columns uint64) {
	if status := postgeo.OpenColumns(db, text(options), unsafe.Pointer(&columns)); status != 0 {
		t.Fatal(postgeo.LastError())
	}
	t.Cleanup(func() { postgeo.CloseColumns(columns) })
	return columns
}

// Strings, dictionaries of them and coordinates come and go as Arrow arrays. No memory
// of C is left.
func TestArrow(t *testing.T) {
	db := sample(t)
	memory := mallocator.NewMallocator()
	defer func() {
		if n := memory.AllocatedBytes(); n != 0 {
			t.Errorf("%d bytes of the input are not released", n)
		}
	}()
	texts := array.NewStringBuilder(memory)
	defer texts.Release()
	texts.AppendValues([]string{"90210", "", "10001", "90210"}, []bool{true, false, true, true})
	dictionary := array.NewDictionaryBuilder(memory, &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String})

	defer dictionary.Release()
	large := array.NewLargeStringBuilder(memory)
	defer large.Release()
	large.Append("k1a 0b1")
	points := array.NewStructBuilder(memory, arrow.StructOf(arrow.Field{Name: "lat", Type: arrow.PrimitiveTypes.Float64}, arrow.Field{Name: "lon", Type: arrow.PrimitiveTypes.Float64}))
	defer points.Release()
	for _, p := range [][2]float64{{34.09, -118.41}, {0, 0}} {
		points.Append(true)
		points.FieldBuilder(0).(*array.Float64Builder).Append(p[0])
		points.FieldBuilder(1).(*array.Float64Builder).Append(p[1])
	}
	if err := dictionary.AppendValueFromString("10001"); err != nil {
		t.Fatal(err)
	}
	dictionary.AppendNull()
	numbers := array.NewInt64Builder(memory)
	defer numbers.Release()
	numbers.Append(90210)
	flags := array.NewBooleanBuilder(memory)
	defer flags.Release()
	flags.Append(true)
	for _, c := range []struct {
		rows          array.Builder
		options, want string
	}{
		{texts, `{"fields":["city","location.lat","multi_county"]}`, `[{"city":"Beverly Hills","location.lat":34.1,"multi_county":false}
,{"city":null,"location.lat":null,"multi_county":null}
,{"city":"New York","location.lat":40.75,"multi_county":false}
,{"city":"Beverly Hills","location.lat":34.1,"multi_county":false}
]`},
		{dictionary, `{"fields":["county_fips"],"status":true}`, `[{"county_fips":"36061","postgeo_reason":null,"postgeo_status":"matched"}
,{"county_fips":null,"postgeo_reason":null,"postgeo_status":"empty"}
]`},
		{large, `{"fields":["city"]}`, "[{\"city\":\"Ottawa\"}\n]"},
		{points, `{"kind":"coordinates","fields":["census.county.fips"]}`, `[{"census.county.fips":"[\"06037\"]"}
,{"census.county.fips":null}
]`},
		{numbers, `{"fields":["city"]}`, "[{\"city\":\"Beverly Hills\"}\n]"},
		{flags, `{}`, ""},
	} {
		in := c.rows.NewArray()
		var rows, entries cdata.CArrowArray
		var rowsSchema, schema cdata.CArrowSchema
		cdata.ExportArrowArray(in, &rows, &rowsSchema)
		in.Release()
		status := postgeo.Arrow(open(t, db, c.options), unsafe.Pointer(&rows), unsafe.Pointer(&rowsSchema), unsafe.Pointer(&entries), unsafe.Pointer(&schema))
		if c.want == "" {
			if status != 3 {
				t.Errorf("%s: status %d, want 3", c.options, status)
			}
			continue
		}
		if status != 0 {
			t.Errorf("%s: %s", c.options, postgeo.LastError())
			continue
		}
		rec, err := cdata.ImportCRecordBatch(&entries, &schema)
		if err != nil {
			t.Fatal(err)
		}
		got, err := rec.MarshalJSON()
		if diff := cmp.Diff(c.want, string(got)); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", c.options, err, diff)
		}
		rec.Release()
	}
}

// An Arrow array is released after any error.
func TestArrowErrors(t *testing.T) {
	db := sample(t)
	columns := open(t, db, `{"fields":["city"]}`)
	memory := mallocator.NewMallocator()
	b := array.NewStringBuilder(memory)
	defer b.Release()
	for name, call := range map[string]func(rows, rowsSchema, entries, schema unsafe.Pointer) int32{
		"no entries": func(rows, rowsSchema, _, schema unsafe.Pointer) int32 {
			return postgeo.Arrow(columns, rows, rowsSchema, nil, schema)
		},
		"no schema": func(rows, rowsSchema, entries, _ unsafe.Pointer) int32 {
			return postgeo.Arrow(columns, rows, rowsSchema, entries, nil)
		},
		"no schema of the rows": func(rows, _, entries, schema unsafe.Pointer) int32 {
			return postgeo.Arrow(columns, rows, nil, entries, schema)
		},
		"unknown columns": func(rows, rowsSchema, entries, schema unsafe.Pointer) int32 {
			return postgeo.Arrow(1<<40, rows, rowsSchema, entries, schema)
		},
	} {
		before := memory.AllocatedBytes()
		b.Append("90210")
		in := b.NewArray()
		var rows, entries cdata.CArrowArray
		var rowsSchema, schema cdata.CArrowSchema
		cdata.ExportArrowArray(in, &rows, &rowsSchema)
		in.Release()
		if status := call(unsafe.Pointer(&rows), unsafe.Pointer(&rowsSchema), unsafe.Pointer(&entries), unsafe.Pointer(&schema)); status == 0 {
			t.Errorf("%s: no error", name)
		}
		if n := memory.AllocatedBytes() - before; n != 0 {
			t.Errorf("%s: %d bytes of the input are not released", name, n)
		}
		cdata.ReleaseCArrowSchema(&rowsSchema)
	}
	if status := postgeo.Arrow(columns, nil, nil, nil, nil); status == 0 {
		t.Error("no pointers: no error")
	}
}

// Functions return a status with its description for any arguments, and write no
// output after an error.
func FuzzBoundary(f *testing.F) {
	f.Add("lookup", `{"code":"90210"}`, `{"fields":["city"]}`, []byte("9021010001"), int64(5), int64(0))
	f.Add("radius", `{"code":"90210","max":2}`, `{"fields":["location.lat"],"status":true,"restore_zeros":true}`, []byte("501\x00\x00K1A\x00\x00"), int64(5), int64(1))
	f.Add("suggest", `{"query":"los"}`, `{"kind":"text","fields":["suggest.name"]}`, []byte("los angeles"), int64(11), int64(0))
	f.Add("distance", `[]`, `{"fields":["distance.miles"],"pairs":true}`, []byte("90210\t10001"), int64(11), int64(-1))
	f.Add("nothing", `{`, `{"kind":"address","fields":["geocode.precision","address"]}`, []byte("1 Main St 90210"), int64(15), int64(9))
	f.Add("", "", "null", []byte{}, int64(-1), int64(1<<40))
	f.Fuzz(func(t *testing.T, operation, arguments, options string, keys []byte, width, column int64) {
		db := sample(t)
		check := func(name string, status int32) bool {
			if status == 0 {
				return true
			}
			var described struct{ Status int32 }
			if err := json.Unmarshal([]byte(postgeo.LastError()), &described); err != nil || described.Status != status {
				t.Errorf("%s: status %d, last error %s, %v", name, status, postgeo.LastError(), err)
			}
			return false
		}
		var out unsafe.Pointer
		if check("call", postgeo.Call(db, text(operation), text(arguments), unsafe.Pointer(&out))) {
			postgeo.Free(out)
		} else if out != nil {
			t.Error("call wrote an output after an error")
		}
		var columns uint64
		if !check("open", postgeo.OpenColumns(db, text(options), unsafe.Pointer(&columns))) {
			return
		}
		defer postgeo.CloseColumns(columns)
		rows := int64(-1)
		if width > 0 {
			rows = int64(len(keys)) / width
		}
		var from unsafe.Pointer
		if len(keys) > 0 {
			from = unsafe.Pointer(&keys[0])
		}
		index := make([]int32, max(rows, 0)+1)
		for i := range index {
			index[i] = -1
		}
		var entries cdata.CArrowArray
		var schema cdata.CArrowSchema
		if check("index", postgeo.Index(columns, from, width, rows, unsafe.Pointer(&index[0]), unsafe.Pointer(&entries), unsafe.Pointer(&schema))) {
			rec, err := cdata.ImportCRecordBatch(&entries, &schema)
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range index[:rows] {
				if int64(n) >= rec.NumRows() || n < 0 {
					t.Errorf("entry %d of %d", n, rec.NumRows())
				}
			}
			rec.Release()
		} else if slices.ContainsFunc(index, func(n int32) bool { return n != -1 }) {
			t.Error("index wrote numbers after an error")
		}
		const size = 64
		cells := make([]byte, (max(rows, 0)+1)*size)
		check("text", postgeo.Text(columns, column, from, width, rows, unsafe.Pointer(&cells[0]), size))
		if cells[len(cells)-1] != 0 {
			t.Error("text wrote beyond its rows")
		}
	})
}
