// Package postcode has codes as numbers, as the tables of a dataset have them. A number
// is a key of 4 bytes where a string has 16 and its text, and the order of numbers is
// that of texts. Parsers accept the canonical form only; package lookup normalizes what
// people type. They check the shape of a code and not whether it exists.
//
// Each type has a Parse function and a String method:
//
//	z, ok := postcode.ParseZIP("00501") // 501, true
//	z.String()                          // "00501"
package postcode
