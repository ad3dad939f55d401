// Package shapes has the schemas of result types with their own JSON, and of strings
// with a fixed list of values, for package openapi.
//
// # Usage
//
//	schemas := openapi.NewSchemas(openapi.Options{Shapes: shapes.Known()})
//	record := schemas.Of(reflect.TypeFor[lookup.Record]())
//
// The OpenAPI document and other programs use the same table.
package shapes
