package billing

import (
	"bytes"
	"crypto/rand"
	"errors"
	"io"
	"net/netip"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
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

func TestAddrList(t *testing.T) {
	list, err := ParseAddrList([]string{"203.0.113.7", "192.0.2.5/24", "2001:db8::/32", "::ffff:198.51.100.0/120"})
	check(t, err)
	if diff := cmp.Diff([]string{"203.0.113.7", "192.0.2.0/24", "2001:db8::/32", "198.51.100.0/24"}, list.Strings()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for addr, want := range map[string]bool{
		"203.0.113.7": true, "::ffff:203.0.113.7": true, "203.0.113.8": false, "192.0.2.255": true, "192.0.3.0": false,
		"2001:db8:ffff::1": true, "2001:db9::": false, "198.51.100.9": true, "fe80::1%eth0": false,
	} {
		if got := list.Contains(netip.MustParseAddr(addr)); got != want {
			t.Errorf("%s: %v; want %v", addr, got, want)
		}
	}
	if list.Contains(netip.Addr{}) {
		t.Error("no address is on the list")
	}
	for _, bad := range []string{"", "203.0.113", "203.0.113.7/33", "example.com", "::ffff:1.2.3.4/90", "10.0.0.0/8,11.0.0.0/8"} {
		if l, err := ParseAddrList([]string{bad}); err == nil {
			t.Errorf("%q was read as %v", bad, l)
		}
	}
	if _, err := ParseAddrList(make([]string, 101)); err == nil {
		t.Error("101 entries were accepted")
	}
}

func TestOrigin(t *testing.T) {
	tests := []struct {
		pattern  string
		yes, not []string
	}{
		{
			"https://App.example.com",
			[]string{"https://app.example.com", "HTTPS://APP.EXAMPLE.COM"},
			[]string{"", "null", "http://app.example.com", "https://app.example.com:8443", "https://example.com", "https://x.app.example.com", "https://app.example.com.evil.org", "https://app.example.com/", "https://evil@app.example.com", "app.example.com"},
		},
		{
			"https://*.example.com",
			[]string{"https://a.example.com", "https://a.b.example.com"},
			[]string{"https://example.com", "https://aexample.com", "http://a.example.com", "https://.example.com.org", "https://evil.org/.example.com"},
		},
		{"example.com", []string{"http://example.com", "https://example.com"}, []string{"https://a.example.com", "https://example.com:80"}},
		{"*.example.com:8080", []string{"http://a.example.com:8080"}, []string{"http://a.example.com", "http://example.com:8080"}},
		{"https://shop.example.com:443", []string{"https://shop.example.com"}, []string{"https://shop.example.com:444", "http://shop.example.com"}},
		{"example.org:80", []string{"http://example.org"}, []string{"https://example.org"}},
		{"https://example.net.", []string{"https://example.net", "https://example.net.:443"}, []string{"https://example.net.evil.org"}},
		{"http://[0:0:0:0:0:0:0:1]:3000", []string{"http://[::1]:3000"}, []string{"http://[::1]", "http://[::2]:3000"}},
		{"http://localhost:3000", []string{"http://localhost:3000"}, []string{"http://localhost"}},
	}
	for _, tt := range tests {
		o, err := parseOrigin(tt.pattern)
		if err != nil {
			t.Errorf("%s: %v", tt.pattern, err)
			continue
		}
		for _, s := range tt.yes {
			if !o.match(s) {
				t.Errorf("%s does not match %q", tt.pattern, s)
			}
		}
		for _, s := range tt.not {
			if o.match(s) {
				t.Errorf("%s matches %q", tt.pattern, s)
			}
		}
	}
	for _, bad := range []string{"", "*", "*.", "https://", "https://a.example.com/", "https://a.example.com/x", "https://a*.example.com", "https://*.*.com", "https://u@h", "a b", "https://h?", "https://h#", "a,b", "https://köln.example"} {
		if o, err := parseOrigin(bad); err == nil {
			t.Errorf("%q was read as %s", bad, o)
		}
	}
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
