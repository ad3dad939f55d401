// Package disk is the interface between writers of files and the file system.
// Tests replace it by one that is full, fails, or loses data that is not
// durable.
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
// Errors come from the os package and name the file.
package disk
