// Package dataset has the keys and the manifest of a dataset file.
//
// A [ZIP], [Plus4], [FSA] or [PostalCode] is a code as a number, as the tables of a
// file have it. Each has a Parse function and a String method:
//
//	z, ok := dataset.ParseZIP("00501") // 501, true
//	z.String()                         // "00501"
//
// A [Manifest] lists the sources of a file with their dates and licenses. The method
// Info of a postgeo.DB returns it.
//
// Package builder makes files, and package signed publishes and installs them.
package dataset
