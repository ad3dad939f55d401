// Package lookuptest makes a small dataset for tests of the packages that
// answer from one. Its places are real and their coordinates rounded; streets,
// counts and dates are invented.
package lookuptest
