// Package openapi holds the parts of an OpenAPI 3.1 document and makes JSON
// Schemas of Go types.
//
// # Usage
//
//	schemas := openapi.NewSchemas(openapi.Options{})
//	record := schemas.Of(reflect.TypeFor[lookup.Record]()) // a reference
//	document.Components.Schemas = schemas.Components()
//
// A schema says of a type what encoding/json writes of it: the names of its
// tags in their order, embedded structs in place, and as required every field
// that is not left out when it is empty. A pointer that is always written may
// be null. Objects take no further properties. A type with a MarshalText method
// is a string. One with a MarshalJSON method needs a schema in the [Options], or
// implements [Shaper]; [Schemas.Opaque] lists those that do neither, which are
// taken for anything.
//
// # Concurrency
//
// A Schemas is for one goroutine. Documents are values and safe to read.
package openapi
