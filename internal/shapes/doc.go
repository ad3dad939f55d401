// Package shapes tells package openapi what reflection cannot know of the types
// of results: the JSON of those that write their own, and the values of strings
// that are one out of a list.
//
// # Usage
//
//	schemas := openapi.NewSchemas(openapi.Options{Shapes: shapes.Known()})
//	record := schemas.Of(reflect.TypeFor[lookup.Record]())
//
// The interface's document and the schemas of other programs' answers are made
// with the same table.
package shapes
