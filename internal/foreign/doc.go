// Package foreign offers the library to other languages: operations and errors as
// JSON, and columns of keys in, columns of values out. The C library and streams of
// Arrow are made from it.
package foreign
