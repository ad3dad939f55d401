//go:build !unix

package billing_test

import (
	"context"
	"errors"
	"testing"
)

const childAddress = "POSTGEO_TEST_ADDRESS"

func child(context.Context, string) error { return errors.ErrUnsupported }

func postgresDatabase(t testing.TB, _ ...string) func() database {
	t.Skip("PostgreSQL is started on Unix only")
	return nil
}
