// Package bundle makes the files of a release for the command release.
//
// # Errors
//
// [Run] stops at the first file that cannot be built, read or written, and at a
// linked module with an unknown license.
package bundle
