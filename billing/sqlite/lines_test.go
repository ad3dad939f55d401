package sqlite_test

import (
	"bytes"
	"testing"

	"github.com/postgeo/postgeo/billing/sqlite"
)

// What can be decoded is encoded to what means the same; nothing panics.
func FuzzLines(f *testing.F) {
	for _, b := range [][]byte{nil, {1, 2, 3}, {1, 3, 2}, {1, 3, 2, 200, 1, 9, 9}, {1, 2}, bytes.Repeat([]byte{0xff}, 30), {0x80, 0, 1, 1}} {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		once, err := sqlite.RoundTripLines(b)
		if err != nil {
			return
		}
		twice, err := sqlite.RoundTripLines(once)
		if err != nil || !bytes.Equal(once, twice) || len(once) > len(b) {
			t.Errorf("%x became %x and then %x, %v", b, once, twice, err)
		}
	})
}

// The same of the records of finished holds.
func FuzzRecords(f *testing.F) {
	for _, b := range [][]byte{nil, {1, 'a', 1, 1, 5, 4, 9, 1, 7, 5, 4}, {2, 'a', 'b', 1, 2, 5, 0, 9, 0}, {1, 'a', 1, 1, 5, 6, 9, 0}, {200, 1, 'a'}, bytes.Repeat([]byte{0xff}, 40)} {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		once, err := sqlite.RoundTrip(b)
		if err != nil {
			return
		}
		twice, err := sqlite.RoundTrip(once)
		if err != nil || !bytes.Equal(once, twice) || len(once) > len(b) {
			t.Errorf("%x became %x and then %x, %v", b, once, twice, err)
		}
	})
}
