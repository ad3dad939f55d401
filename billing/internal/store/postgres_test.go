//go:build unix

package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/billing/postgres"
	"github.com/postgeo/postgeo/internal/storetest"
	"github.com/postgeo/postgeo/internal/storetest/pgserver"
)

func postgresDatabase(t *testing.T) func() database {
	server := pgserver.Start(t, "fsync=off")
	n := 0
	return func() database {
		n++
		schema := fmt.Sprintf("Odd; \"name\" %d", n)
		return func(t testing.TB, now func() time.Time) billing.Store {
			s, err := postgres.Open(t.Context(), server.Address(), postgres.Options{Pepper: storetest.Pepper(), Create: true, Now: now, Schema: schema})
			return closed(t, s, err)
		}
	}
}
