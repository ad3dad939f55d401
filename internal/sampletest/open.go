// Package sampletest opens the embedded dataset for tests.
package sampletest

import (
	"sync"
	"testing"

	"github.com/postgeo/postgeo"
)

// Open returns the embedded dataset, which is closed when the test ends.
func Open(t testing.TB) *postgeo.DB {
	t.Helper()
	db, err := postgeo.OpenSample()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

var shared = sync.OnceValues(func() (*postgeo.DB, error) { return postgeo.OpenSample() })

// Shared returns the embedded dataset that all tests of a process share, for
// tests that open it often. Tests must not close or swap it.
func Shared(t testing.TB) *postgeo.DB {
	t.Helper()
	db, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return db
}
