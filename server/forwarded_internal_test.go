package server

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/billing"
)

func TestForwardedAddr(t *testing.T) {
	trusted, err := billing.ParseAddrList([]string{"10.0.0.0/8", "2001:db8::/32"})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, peer string
		forwarded  []string
		want       string
	}{
		{"no proxy", "192.0.2.1", nil, "192.0.2.1"},
		{"a header from nobody trusted", "192.0.2.1", []string{"203.0.113.9"}, "192.0.2.1"},
		{"one proxy", "10.0.0.1", []string{"203.0.113.9"}, "203.0.113.9"},
		{"what the caller wrote", "10.0.0.1", []string{"1.1.1.1, 203.0.113.9"}, "203.0.113.9"},
		{"two proxies", "10.0.0.1", []string{"1.1.1.1, 203.0.113.9, 10.0.0.2"}, "203.0.113.9"},
		{"several headers", "10.0.0.1", []string{"1.1.1.1", "203.0.113.9,10.0.0.2", " 10.0.0.3 "}, "203.0.113.9"},
		{"only proxies", "10.0.0.1", []string{"10.0.0.3, 10.0.0.2"}, "10.0.0.3"},
		{"garbage", "10.0.0.1", []string{"203.0.113.9, unknown, 10.0.0.2"}, "10.0.0.2"},
		{"empty", "10.0.0.1", []string{""}, "10.0.0.1"},
		{"ports and brackets", "10.0.0.1", []string{"203.0.113.9:4711"}, "203.0.113.9"},
		{"IPv6", "2001:db8::1", []string{"[2001:db9::7]:443"}, "2001:db9::7"},
		{"IPv6 in brackets", "2001:db8::1", []string{"[2001:db9::7]"}, "2001:db9::7"},
		{"IPv4 in IPv6", "::ffff:10.0.0.1", []string{"::ffff:203.0.113.9"}, "203.0.113.9"},
		{"a zone", "10.0.0.1", []string{"fe80::1%eth0"}, "fe80::1"},
		{"endless", "10.0.0.1", []string{"203.0.113.9" + strings.Repeat(",10.0.0.2", 100_000)}, "10.0.0.2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := forwardedAddr(netip.MustParseAddr(tt.peer), tt.forwarded, trusted); got != netip.MustParseAddr(tt.want) {
				t.Errorf("%s; want %s", got, tt.want)
			}
		})
	}
}

func FuzzForwardedAddr(f *testing.F) {
	f.Add("1.1.1.1, 203.0.113.9", "10.0.0.2")
	f.Add("", "[::1]:80")
	trusted, err := billing.ParseAddrList([]string{"10.0.0.0/8"})
	if err != nil {
		f.Fatal(err)
	}
	peer := netip.MustParseAddr("10.0.0.1")
	f.Fuzz(func(t *testing.T, a, b string) {
		got := forwardedAddr(peer, []string{a, b}, trusted)
		if !got.IsValid() || got.Zone() != "" || got.Is4In6() {
			t.Errorf("%q, %q: %v", a, b, got)
		}
		// Whatever is written to the left of an address that is not trusted does not matter.
		want := netip.MustParseAddr("203.0.113.9")
		if got := forwardedAddr(peer, []string{a, b + ", 203.0.113.9"}, trusted); got != want {
			t.Errorf("%q, %q: %v; want %v", a, b, got, want)
		}
	})
}

// At most 32 proxies are followed.
func TestForwardedAddrHops(t *testing.T) {
	trusted, err := billing.ParseAddrList([]string{"10.0.0.0/8"})
	if err != nil {
		t.Fatal(err)
	}
	peer := netip.MustParseAddr("10.9.9.9")
	for hops, want := range map[int]string{31: "192.0.2.1", 32: "10.0.0.0"} {
		header := "192.0.2.1"
		for i := range hops {
			header += fmt.Sprintf(", 10.0.0.%d", i)
		}
		if got := forwardedAddr(peer, []string{header}, trusted); got.String() != want {
			t.Errorf("%d proxies: %s; want %s", hops, got, want)
		}
	}
}
