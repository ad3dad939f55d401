// Package storetest has clocks, accounts and checks for tests of billing and of
// the packages that use its stores.
package storetest
