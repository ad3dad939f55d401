// Package disk is what the writers of files need of a file system, so that
// tests can put one in its place that is full, fails, or forgets what was not
// made durable.
//
// # Usage
//
//	err := disk.Write(disk.OS{}, "codes.csv", func(w io.Writer) error { … })
//
// # Concurrency
//
// An [OS] is safe for concurrent use, a [File] is not.
//
// # Errors
//
// Errors are those of the os package, which name the file.
package disk
