// Package api holds the list of what the library exports, and the test that
// what stands in it stays.
//
// go.txt has a line for each exported name, method, field and constant of the
// packages that keep what they export, in the manner of the Go project's own api
// directory. A line that is removed or changed breaks somebody's program, and
// so the test fails; a new name is only missing from the list until
//
//	go test ./api -update
//
// takes it in, which is done for every release ("make release" asks for it). To
// break the interface on purpose, run the same, and tell of it in CHANGELOG.md.
package api
