package client_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/address/geocode"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/server"
	"github.com/postgeo/postgeo/server/client"
)

// TestMatchAddress compares matches over HTTP with those of the library.
func TestMatchAddress(t *testing.T) {
	db := sampletest.Open(t)
	c := newClient(t, serve(t, db, server.Config{}).URL, client.Options{})
	o, _ := address.ParseOptions([]string{"coordinates,census,cd,state_leg,school_district,acs_tract_social_2023"})
	texts := []string{"PO Box 5, New York, NY 10001", "General Delivery, Hartford, CT 06103", "12345 Nowhere St, New York, NY 10001", "350 5th Ave, New York"}
	for _, text := range texts {
		want, wantErr := db.MatchAddress(t.Context(), text, o)
		got, reply, err := c.MatchAddress(t.Context(), text, o)
		if reply == nil || reply.Meta.RequestID == "" {
			t.Fatalf("%q: reply %+v", text, reply)
		}
		for _, sentinel := range []error{envelope.ErrNotFound, envelope.ErrInvalidCode, envelope.ErrAmbiguous} {
			if errors.Is(err, sentinel) != errors.Is(wantErr, sentinel) {
				t.Errorf("%q: %v, the library says %v", text, err, wantErr)
			}
		}
		if wantErr == nil {
			if diff := cmp.Diff(jsonOf(t, want), jsonOf(t, got)); diff != "" {
				t.Errorf("%q (-want +got):\n%s", text, diff)
			}
		}
	}
	batch, err := c.MatchAddressBatch(t.Context(), texts, o)
	if err != nil {
		var apiErr *client.Error
		if errors.As(err, &apiErr) {
			t.Fatalf("batch: %v", apiErr)
		}
		t.Fatal(err)
	}
	for i, item := range batch.Items {
		_, wantErr := db.MatchAddress(t.Context(), texts[i], o)
		if item.Err != nil || (item.Value.Matched == lookup.True) != (wantErr == nil) {
			t.Errorf("%q of the batch: %v, %v", texts[i], item.Value, item.Err)
		}
	}
}

// TestPositions compares positions and nearest addresses over HTTP with those of the
// library.
func TestPositions(t *testing.T) {
	db := sampletest.Open(t)
	c := newClient(t, serve(t, db, server.Config{}).URL, client.Options{})
	opt, _ := address.ParseOptions([]string{"census,cd"})
	for _, o := range []geocode.Options{{}, {Offset: -5}, {Offset: 20, Include: opt.Include}} {
		const text = "350 5th Ave, New York, NY 10118"
		want, err := db.Geocode(t.Context(), text, o)
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := c.Geocode(t.Context(), text, o)
		if diff := cmp.Diff(jsonOf(t, want), jsonOf(t, got)); diff != "" || err != nil {
			t.Errorf("%+v: %v (-want +got):\n%s", o, err, diff)
		}
		batch, err := c.GeocodeBatch(t.Context(), []string{text, "1 Main St, Nowhere, CA"}, o)
		if err != nil || batch.Items[0].Value.Location != want.Location || !errors.Is(batch.Items[1].Err, envelope.ErrNotFound) {
			t.Errorf("%+v: batch %+v, %v", o, batch, err)
		}
	}
	at := geo.MustLatLng(34.0731, -118.4004)
	for _, o := range []geocode.ReverseOptions{{}, {Within: 50, Include: opt.Include}} {
		want, err := db.Reverse(t.Context(), at, o)
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := c.Reverse(t.Context(), at, o)
		if diff := cmp.Diff(jsonOf(t, want), jsonOf(t, got)); diff != "" || err != nil {
			t.Errorf("%+v: %v (-want +got):\n%s", o, err, diff)
		}
		batch, err := c.ReverseBatch(t.Context(), []geo.LatLng{at, geo.MustLatLng(0, 0)}, o)
		if err != nil || batch.Items[0].Value.Formatted != want.Formatted || !errors.Is(batch.Items[1].Err, envelope.ErrNotFound) {
			t.Errorf("%+v: batch %+v, %v", o, batch, err)
		}
	}
}
