// Package foreign offers the library to other languages: operations and errors as
// JSON, and columns of keys in, columns of values out. The C library, streams
// of Arrow and the functions of SQL are made from it.
package foreign
