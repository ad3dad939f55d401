// Package progress shows on standard error how the build of a dataset goes:
// with bars on a terminal, with a plain line now and then elsewhere.
package progress
