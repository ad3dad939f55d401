// Package api holds the list of the library's exported names, and the test that
// they stay.
//
// The file go.txt has a line for each exported name, method, field and constant
// of the promised packages, like the Go project's own api directory. Types that are
// declared in internal packages are listed under the names that callers use. The
// test fails if a line is removed or changed, because that breaks programs. New
// names are added by
//
//	go test ./api -update
//
// which is required for every release ("make release" checks it). To break the
// interface on purpose, run the same command, and describe the change in
// CHANGELOG.md.
package api
