// Package encode appends the JSON of values as encoding/json writes it without HTML
// escaping, faster and piece by piece.
package encode
