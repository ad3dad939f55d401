package server

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/internal/lookuptest"
)

func TestForwardedAddr(t *testing.T) {
	trusted, err := billing.ParseAddrList([]string{"10.0.0.0/8", "2001:db8::/32"})
	if err != nil {
		t.Fatal(err)
	}
	lookuptest.Table(t, "forwarded.txt", false, func(row string) string {
		parts := strings.Split(row, "|")
		return forwardedAddr(netip.MustParseAddr(parts[0]), parts[1:], trusted).String()
	})
	endless := []string{"203.0.113.9" + strings.Repeat(",10.0.0.2", 100_000)}
	if got := forwardedAddr(netip.MustParseAddr("10.0.0.1"), endless, trusted); got != netip.MustParseAddr("10.0.0.2") {
		t.Errorf("endless: %s", got)
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
