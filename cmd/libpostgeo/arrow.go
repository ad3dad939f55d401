package main

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory/mallocator"

	"github.com/postgeo/postgeo/enrich"
)

// types are the Arrow types of columns. Others are text.
var types = map[enrich.Type]arrow.DataType{
	enrich.Int: arrow.PrimitiveTypes.Int64, enrich.Float: arrow.PrimitiveTypes.Float64,
	enrich.Bool: arrow.FixedWidthTypes.Boolean, enrich.Bytes: arrow.BinaryTypes.Binary,
}

// record returns n rows as an Arrow record in memory of C; at returns the values of a
// row.
func record(list []enrich.Column, n int, at func(row int) []enrich.Value) arrow.RecordBatch {
	var fields []arrow.Field
	var arrays []arrow.Array
	for i, c := range list {
		t := types[c.Type]
		if t == nil {
			t = arrow.BinaryTypes.String
		}
		b := array.NewBuilder(mallocator.NewMallocator(), t)
		b.Reserve(n)
		for row := range n {
			appendTo(b, at(row)[i])
		}
		fields = append(fields, arrow.Field{Name: c.Name, Type: t, Nullable: true})
		arrays = append(arrays, b.NewArray())
		b.Release()
	}
	rec := array.NewRecordBatch(arrow.NewSchema(fields, nil), arrays, int64(n))
	for _, a := range arrays {
		a.Release()
	}
	return rec
}

func appendTo(b array.Builder, v enrich.Value) {
	if v.IsNull() {
		b.AppendNull()
		return
	}
	switch b := b.(type) {
	case *array.Int64Builder:
		b.Append(v.Int())
	case *array.Float64Builder:
		b.Append(v.Float())
	case *array.BooleanBuilder:
		b.Append(v.Bool())
	case *array.BinaryBuilder:
		b.Append(v.Bytes())
	case *array.StringBuilder:
		if v.Type() == enrich.List {
			b.Append(string(v.AppendJSON(nil)))
		} else {
			b.Append(v.String())
		}
	}
}

// keysOf returns the keys of an Arrow array: "" for null.
func keysOf(a arrow.Array) (func(row int) string, error) {
	var key func(row int) string
	switch of := a.(type) {
	case array.StringLike:
		key = of.Value
	case *array.Dictionary:
		values, err := keysOf(of.Dictionary())
		if err != nil {
			return nil, err
		}
		key = func(row int) string { return values(of.GetValueIndex(row)) }
	case *array.Struct:
		if of.NumField() == 2 {
			lat, ok := of.Field(0).(*array.Float64)
			lon, other := of.Field(1).(*array.Float64)
			if ok && other {
				key = func(row int) string {
					if lat.IsNull(row) || lon.IsNull(row) {
						return ""
					}
					return pointKey(lat.Value(row), lon.Value(row))
				}
			}
		}
	}
	if key == nil {
		return nil, invalid("rows", "strings, or a struct of two doubles")
	}
	return func(row int) string {
		if a.IsNull(row) {
			return ""
		}
		return key(row)
	}, nil
}
