// Package sampletest opens the embedded dataset, and other ones, for tests.
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
	return opened(t, db, err)
}

// File opens a dataset, which is closed when the test ends.
func File(t testing.TB, path string) *postgeo.DB {
	t.Helper()
	db, err := postgeo.Open(path)
	return opened(t, db, err)
}

func opened(t testing.TB, db *postgeo.DB, err error) *postgeo.DB {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
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
