package billing

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/postgeo/postgeo/internal/lookuptest"
)

func TestSecret(t *testing.T) {
	seen := map[string]bool{}
	used := map[rune]int{}
	for _, kind := range []KeyKind{Live, Test, Demo} {
		for range 1000 {
			text, err := newSecret(kind, rand.Reader)
			check(t, err)
			if len(text) != 32 || !strings.HasPrefix(text, "pg_"+string(kind)+"_") || seen[text] {
				t.Fatalf("%q", text)
			}
			seen[text] = true
			for _, r := range text[8:] {
				used[r]++
			}
		}
	}
	if len(used) != 32 {
		t.Errorf("%d characters are used; want 32", len(used))
	}
	for r, n := range used {
		if strings.ContainsRune("ilou", r) || n < 1800 || n > 2700 { // 72,000 draws: 2250 each, standard deviation 47
			t.Errorf("%q is used %d times", r, n)
		}
	}
	if _, err := newSecret(Live, iotest.ErrReader(io.ErrUnexpectedEOF)); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("without entropy: %v", err)
	}
	if _, err := newSecret("", rand.Reader); err == nil {
		t.Error("a key of no kind")
	}
}

// No other text has the hash of a key, however it is filled up or cut.
func TestPepper(t *testing.T) {
	p := testPepper
	key := "pg_live_0123456789abcdefghjkmnpq"
	hash := p.hash(key)
	if p.hash(key) != hash {
		t.Error("the hash changes")
	}
	for _, other := range []string{
		"", key[:31], key[:16], key[:15], key + "\x00", key + strings.Repeat("\x00", 32), key + strings.Repeat("\x00", 1000),
		" " + key, key + " ", strings.ToUpper(key), key + key, strings.Repeat(key, 8), strings.Repeat("x", 1<<20),
	} {
		if p.hash(other) == hash {
			t.Errorf("%.60q has the hash of the key", other)
		}
	}
	other, err := newPepper(bytes.Repeat([]byte{1}, 32))
	check(t, err)
	if other.hash(key) == hash || other.fingerprint() == p.fingerprint() {
		t.Error("the pepper does not matter")
	}
	if _, err := newPepper(make([]byte, 15)); err == nil {
		t.Error("a pepper of 15 bytes was accepted")
	}
}

func TestKeyState(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	tests := []struct {
		key  Key
		want string
	}{
		{Key{}, Active},
		{Key{Expires: now.Add(1)}, Active},
		{Key{Expires: now}, Expired},
		{Key{Rotated: true, Expires: now.Add(1)}, Rotating},
		{Key{Rotated: true, Expires: now}, Expired},
		{Key{Off: true, Rotated: true}, Inactive},
		{Key{Off: true, Expires: now}, Inactive},
	}
	for _, tt := range tests {
		if got := tt.key.State(now); got != tt.want {
			t.Errorf("%+v: %s; want %s", tt.key, got, tt.want)
		}
	}
}

// TestKeyLists compares lists of addresses and origins with testdata/keys.txt.
func TestKeyLists(t *testing.T) {
	lookuptest.Table(t, "keys.txt", *Update, func(text string) string {
		kind, text, _ := strings.Cut(text, " ")
		first, second, _ := strings.Cut(text, " ")
		switch kind {
		case "addrs":
			list, err := ParseAddrList(strings.Split(first, ","))
			check(t, err)
			if list.Contains(netip.Addr{}) {
				t.Errorf("no address is on the list %s", first)
			}
			return fmt.Sprint(list.Contains(netip.MustParseAddr(second)))
		case "addr":
			list, err := ParseAddrList([]string{text})
			if err != nil {
				return "refused"
			}
			return strings.Join(list.Strings(), " ")
		case "origin":
			o, err := parseOrigin(first)
			check(t, err)
			return fmt.Sprint(o.match(second))
		}
		o, err := parseOrigin(text)
		if err != nil {
			return "refused"
		}
		return o.String()
	})
}

func FuzzOrigin(f *testing.F) {
	for _, s := range []string{"https://*.example.com", "example.com", "https://[::1]:80", "*.x", "https://a.example.com/"} {
		f.Add(s, "https://a.example.com")
	}
	f.Fuzz(func(t *testing.T, pattern, origin string) {
		o, err := parseOrigin(pattern)
		if err != nil {
			return
		}
		again, err := parseOrigin(o.String())
		if err != nil || again != o {
			t.Errorf("%q became %q, which became %q, %v", pattern, o, again, err)
		}
		if strings.Contains(o.String(), ",") {
			t.Errorf("%q has a comma, which divides lists", o)
		}
		if o.match(origin) && strings.Contains(origin, "@") {
			t.Errorf("%q matches %q", pattern, origin)
		}
	})
}
