//go:build !unix

package billing_test

import "testing"

func postgresDatabase(t testing.TB, _ ...string) func() database {
	t.Skip("PostgreSQL is started on Unix only")
	return nil
}

func stopServers() {}
