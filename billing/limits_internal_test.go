package billing

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/postgeo/postgeo/internal/storetest"
)

// The first and the last valid value of every limit is accepted, and the next
// one is rejected.
func TestLimits(t *testing.T) {
	list := func(entry string, n int) []string { return strings.Split(strings.Repeat(entry+" ", n-1)+entry, " ") }
	grant := func(credits int) error {
		return (&Grant{Source: PackCredits, Amount: credits, Reference: "1"}).check()
	}
	pepper := func(n int) error {
		_, err := newPepper(make([]byte, n))
		return err
	}
	addrs := func(entries ...string) error {
		_, err := ParseAddrList(entries)
		return err
	}
	origins := func(entries ...string) error {
		_, err := ParseOrigins(entries)
		return err
	}
	key := func(s string) string { return strings.Repeat("k", 15) + s }
	tests := []struct {
		name string
		err  error
		ok   bool
	}{
		{"name of 200 characters", CheckName(strings.Repeat("é", 200)), true},
		{"name of 201 characters", CheckName(strings.Repeat("é", 201)), false},
		{"name with a space", CheckName("a b"), true},
		{"name with a control character", CheckName("a\x1fb"), false},
		{"name with DEL", CheckName("a\x7fb"), false},
		{"name with a tilde", CheckName("~"), true},
		{"100 networks", addrs(list("192.0.2.0/24", 100)...), true},
		{"101 networks", addrs(list("192.0.2.0/24", 101)...), false},
		{"IPv4 in IPv6", addrs("::ffff:0:0/96"), true},
		{"more than IPv4 in IPv6", addrs("::ffff:0:0/95"), false},
		{"100 origins", origins(list("example.com", 100)...), true},
		{"101 origins", origins(list("example.com", 101)...), false},
		{"pepper of 16 bytes", pepper(16), true},
		{"pepper of 15 bytes", pepper(15), false},
		{"demo key of 16 characters", CheckDemoKey(key("~")), true},
		{"demo key of 15 characters", CheckDemoKey(key("")), false},
		{"demo key of 64 characters", CheckDemoKey(strings.Repeat("!", 64)), true},
		{"demo key of 65 characters", CheckDemoKey(strings.Repeat("!", 65)), false},
		{"demo key with an inner space", CheckDemoKey(key(" k")), true},
		{"demo key with a final space", CheckDemoKey(key("k ")), false},
		{"demo key with a control character", CheckDemoKey(key("\x1fk")), false},
		{"demo key with DEL", CheckDemoKey(key("\x7f")), false},
		{"grant of 1 credit", grant(1), true},
		{"grant of 0 credits", grant(0), false},
		{"grant of MaxCredits", grant(MaxCredits), true},
		{"grant of more", grant(MaxCredits + 1), false},
		{"subscription", (&Grant{Source: SubscriptionCredits, Amount: 1, Reference: "1"}).check(), true},
		{"daily credits", (&Grant{Source: DailyCredits, Amount: 1, Reference: "1"}).check(), false},
		{"unknown source", (&Grant{Source: "gold", Amount: 1, Reference: "1"}).check(), false},
	}
	for _, tt := range tests {
		if (tt.err == nil) != tt.ok {
			t.Errorf("%s: %v", tt.name, tt.err)
		}
	}
}

// The default blocker blocks an address with the 20th invalid key within ten
// minutes, for 15 minutes, and counts other addresses separately.
func TestBlockerRule(t *testing.T) {
	addr, other := netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("192.0.2.2")
	for name, tt := range map[string]struct {
		attempts int
		span     time.Duration // from the first attempt to the last
		blocked  bool
	}{
		"19 at once":            {19, 0, false},
		"20 at once":            {20, 0, true},
		"20 within ten minutes": {20, 10*time.Minute - time.Second, true},
		"20 in ten minutes":     {20, 10 * time.Minute, false},
	} {
		clock := storetest.NewClock()
		b := newBlocker(clock.Now, blockedSites)
		b.invalid(other)
		for i := range tt.attempts {
			if i == tt.attempts-1 {
				clock.Advance(tt.span)
			}
			b.invalid(addr)
		}
		if got := b.isBlocked(addr); got != tt.blocked {
			t.Errorf("%s: blocked %v", name, got)
		}
		if b.isBlocked(other) || len(b.sites.index) != 2 {
			t.Errorf("%s: another address is blocked, or forgotten", name)
		}
		clock.Advance(15*time.Minute - time.Second)
		if got := b.isBlocked(addr); got != tt.blocked {
			t.Errorf("%s: blocked %v before the end", name, got)
		}
		clock.Advance(time.Second)
		if b.isBlocked(addr) {
			t.Errorf("%s: blocked after the end", name)
		}
	}
}
