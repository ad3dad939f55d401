// Package postcode has codes as numbers, as the tables of a dataset have them. Each type
// has a Parse function and a String method:
//
//	z, ok := postcode.ParseZIP("00501") // 501, true
//	z.String()                          // "00501"
package postcode
