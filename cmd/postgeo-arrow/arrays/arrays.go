// Package arrays converts keys and values from and to Arrow.
package arrays

import (
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/foreign"
)

// types are the Arrow types of columns. Others are text.
var types = map[enrich.Type]arrow.DataType{
	enrich.Int: arrow.PrimitiveTypes.Int64, enrich.Float: arrow.PrimitiveTypes.Float64,
	enrich.Bool: arrow.FixedWidthTypes.Boolean, enrich.Bytes: arrow.BinaryTypes.Binary,
}

// Schema returns the schema of columns.
func Schema(list []enrich.Column) *arrow.Schema {
	var fields []arrow.Field
	for _, c := range list {
		t := types[c.Type]
		if t == nil {
			t = arrow.BinaryTypes.String
		}
		fields = append(fields, arrow.Field{Name: c.Name, Type: t, Nullable: true})
	}
	return arrow.NewSchema(fields, nil)
}

// Record returns rows of values.
func Record(of memory.Allocator, columns []enrich.Column, rows [][]enrich.Value) arrow.RecordBatch {
	schema := Schema(columns)
	if len(columns) == 0 {
		return array.NewRecordBatch(schema, nil, int64(len(rows)))
	}
	b := array.NewRecordBuilder(of, schema)
	defer b.Release()
	for i, column := range b.Fields() {
		column.Reserve(len(rows))
		for _, row := range rows {
			appendTo(column, row[i])
		}
	}
	return b.NewRecordBatch()
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

// Keys returns the keys of an array of texts, numbers, or structs of two doubles, which
// are coordinates. They are "" for null.
func Keys(a arrow.Array) (func(row int) string, error) {
	of, ok := a.(*array.Struct)
	if !ok || of.NumField() != 2 {
		return Texts(a)
	}
	lat, ok := of.Field(0).(*array.Float64)
	lon, other := of.Field(1).(*array.Float64)
	if !ok || !other {
		return Texts(a)
	}
	return func(row int) string {
		if a.IsNull(row) || lat.IsNull(row) || lon.IsNull(row) {
			return ""
		}
		return foreign.PointKey(lat.Value(row), lon.Value(row))
	}, nil
}

// Texts returns the texts of an array of texts or numbers. They are "" for null.
func Texts(a arrow.Array) (func(row int) string, error) {
	var text func(row int) string
	switch of := a.(type) {
	case array.StringLike:
		text = of.Value
	case interface{ ValueString(row int) string }: // bytes
		text = of.ValueString
	case *array.Dictionary:
		values, err := Texts(of.Dictionary())
		if err != nil {
			return nil, err
		}
		text = func(row int) string { return values(of.GetValueIndex(row)) }
	case *array.Float64:
		text = func(row int) string { return strconv.FormatFloat(of.Value(row), 'f', -1, 64) }
	default:
		if !arrow.IsInteger(a.DataType().ID()) && !arrow.IsFloating(a.DataType().ID()) {
			return nil, foreign.Invalid("rows", "texts, whole numbers, or structs of two doubles, not "+a.DataType().String())
		}
		text = a.ValueStr
	}
	return func(row int) string {
		if a.IsNull(row) {
			return ""
		}
		return text(row)
	}, nil
}
