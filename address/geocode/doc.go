// Package geocode finds the position of an address and the address at a position,
// from address points and street segments.
//
// # Usage
//
// [Engine.Find] reads a text with the parser of package address and returns its
// position with a precision. It falls back from the house to the street, the ZIP
// Code and the city, and the precision names the level. A city has its own name and
// point. Notices name the parts of the text that the answer contradicts.
// [Engine.Reverse] returns the nearest address of a position.
//
// # Concurrency
//
// An Engine is safe for concurrent use.
//
// # Errors
//
// A text without a known place matches [envelope.ErrNotFound], as does a position
// without an address nearby. An address of a country without codes in the dataset matches
// [envelope.ErrUnavailable], as does Reverse on a dataset without roads.
package geocode
