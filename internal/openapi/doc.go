// Package openapi makes JSON Schemas of Go types for an OpenAPI 3.1 document.
//
// # Usage
//
//	schemas := openapi.NewSchemas(openapi.Options{})
//	record := schemas.Of(reflect.TypeFor[lookup.Record]()) // a reference
//	components := schemas.Components()
//
// A schema describes the JSON of encoding/json. Properties have the names and the
// order of the tags, and embedded structs are in place. Fields that are never omitted
// are required, and pointers among them may be null. Other properties are not
// allowed.
//
// A type with a MarshalText method is a string. A type with a MarshalJSON method
// needs a schema or a like value in the [Options]. [Schemas.Opaque] lists types without
// either, whose schema allows any value.
//
// # Concurrency
//
// A Schemas is for one goroutine.
package openapi
