package postgeo_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/sampletest"
)

func ExampleDB_MatchAddress() {
	db, err := postgeo.OpenSample()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	m, err := db.MatchAddress(context.Background(), "p.o. box 5, new york ny 10001", address.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Data.FormattedAddress, m.Data.Confidence)
	_, err = db.MatchAddress(context.Background(), "12345 Nowhere St, New York, NY 10001", address.Options{})
	fmt.Println(errors.Is(err, postgeo.ErrNotFound))
	// Output:
	// PO BOX 5, NEW YORK NY 10001-0005 high
	// true
}

// TestMatchAddresses holds one match or error for each address, in their order.
func TestMatchAddresses(t *testing.T) {
	db := sampletest.Open(t)
	texts := []string{"PO Box 5, New York, NY 10001", "x", "12345 Nowhere St, New York, NY 10001", "General Delivery 06103"}
	var long *envelope.Failure
	i := 0
	for m, err := range db.MatchAddressBatch(t.Context(), slices.Values(texts), address.Options{}) {
		switch i {
		case 1:
			if !errors.As(err, &long) {
				t.Errorf("%q: %v", texts[i], err)
			}
		case 2:
			if !errors.Is(err, envelope.ErrNotFound) {
				t.Errorf("%q: %v", texts[i], err)
			}
		default:
			if err != nil || m.Input.Address != texts[i] {
				t.Errorf("%q: %v, %v", texts[i], m, err)
			}
		}
		i++
	}
	if i != len(texts) {
		t.Errorf("%d answers to %d addresses", i, len(texts))
	}
}
