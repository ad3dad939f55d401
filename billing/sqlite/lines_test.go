package sqlite_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/postgeo/postgeo/billing/internal/book"
	"github.com/postgeo/postgeo/billing/sqlite"
)

// A journal counts as far as it is whole, and only for its database and round.
func TestJournal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "accounts.db")
	const salt, round = 77, 5
	var holds []*book.Hold
	for i := range 10 {
		holds = append(holds, &book.Hold{ID: fmt.Sprint("r", i), Account: 1, State: book.Settled, Held: 9, Used: 4, Time: time.UnixMilli(1000), Lines: []book.Line{{Grant: 3, Held: 9, Used: 4}}})
	}
	if err := sqlite.WriteJournal(path, salt, round, holds...); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path + "-spends")
	if err != nil {
		t.Fatal(err)
	}
	read := func(salt, round int64, want int) {
		t.Helper()
		if n, _, err := sqlite.ReadJournal(path, salt, round); err != nil || n != want {
			t.Errorf("%d settlements, %v; want %d", n, err, want)
		}
	}
	read(salt, round, 10)
	read(salt+1, round, 0)
	read(salt, round+1, 0)
	write := func(data []byte) {
		t.Helper()
		if err := os.WriteFile(path+"-spends", data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	each := len(whole) / 10
	for cut := range whole {
		write(whole[:cut])
		read(salt, round, cut/each)
	}
	for at := range whole {
		damaged := bytes.Clone(whole)
		damaged[at] ^= 0x10
		write(damaged)
		read(salt, round, at/each)
	}
	// What an older round left behind the newer one's entries does not count,
	// not even under the same number.
	write(whole)
	if err := sqlite.WriteJournal(path, salt, round, &book.Hold{ID: "rx", Account: 1, State: book.Settled, Held: 9, Used: 4, Time: time.UnixMilli(1000), Lines: []book.Line{{Grant: 3, Held: 9, Used: 4}}}); err != nil {
		t.Fatal(err)
	}
	read(salt, round, 1)
}

// Whatever a journal has, nothing panics and nothing is read beyond its end.
func FuzzJournal(f *testing.F) {
	f.Add([]byte(nil))
	f.Add([]byte{4, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8})
	f.Add(bytes.Repeat([]byte{0xff}, 40))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(dir, fmt.Sprint(os.Getpid()))
		if err := os.WriteFile(path+"-spends", data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, at, err := sqlite.ReadJournal(path, 1, 1); err == nil && at > int64(len(data)) {
			t.Errorf("%d bytes were read of %d", at, len(data))
		}
	})
}

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
	for _, b := range [][]byte{nil, {1, 'a', 1, 1, 5, 4, 9, 1, 7, 5, 4}, {2, 'a', 'b', 1, 2, 5, 0, 9, 0}, {1, 'a', 1, 1, 5, 6, 9, 0}, {1, 'a', 1, 5, 5, 4, 9, 1, 7, 5, 4}, {1, 'a', 1, 8, 5, 4, 9, 0}, {200, 1, 'a'}, bytes.Repeat([]byte{0xff}, 40)} {
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
