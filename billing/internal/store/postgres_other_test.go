//go:build !unix

package store_test

import "testing"

func postgresDatabase(t *testing.T) func() database {
	t.Skip("PostgreSQL is started on Unix only")
	return nil
}
