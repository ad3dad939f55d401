package billing

import (
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// Most entries of an allowlist.
const maxAllowEntries = 100

// An AddrList is a list of networks.
type AddrList []netip.Prefix

// ParseAddrList reads addresses (203.0.113.7) and networks (203.0.113.0/24,
// 2001:db8::/32).
func ParseAddrList(entries []string) (AddrList, error) {
	if len(entries) > maxAllowEntries {
		return nil, fmt.Errorf("billing: %d networks; expected at most %d", len(entries), maxAllowEntries)
	}
	var list AddrList
	for _, s := range entries {
		p, err := parsePrefix(s)
		if err != nil {
			return nil, fmt.Errorf("billing: %q is not an address or network; expected 203.0.113.7 or 203.0.113.0/24", s)
		}
		list = append(list, p)
	}
	return list, nil
}

func parsePrefix(s string) (netip.Prefix, error) {
	if !strings.Contains(s, "/") {
		a, err := netip.ParseAddr(s)
		if err != nil {
			return netip.Prefix{}, err
		}
		a = a.Unmap().WithZone("")
		return netip.PrefixFrom(a, a.BitLen()), nil
	}
	p, err := netip.ParsePrefix(s)
	if err != nil {
		return p, err
	}
	if a := p.Addr(); a.Is4In6() {
		if p.Bits() < 96 {
			return p, fmt.Errorf("network %s is wider than all of IPv4", s)
		}
		p = netip.PrefixFrom(a.Unmap(), p.Bits()-96)
	}
	return p.Masked(), nil
}

// Contains reports whether a network of the list holds the address.
func (l AddrList) Contains(addr netip.Addr) bool {
	addr = addr.Unmap().WithZone("")
	return slices.ContainsFunc(l, func(p netip.Prefix) bool { return p.Contains(addr) })
}

// Strings returns the networks as text.
func (l AddrList) Strings() []string {
	out := make([]string, 0, len(l))
	for _, p := range l {
		if p.IsSingleIP() {
			out = append(out, p.Addr().String())
		} else {
			out = append(out, p.String())
		}
	}
	return out
}

// An Origin is a pattern of the Origin header: "https://app.example.com",
// "https://*.example.com" (every name below it, not itself), or either
// without a scheme, for any scheme. A port is part of the host; without one
// only the scheme's own port matches.
type Origin struct{ text string }

// ParseOrigin reads a pattern.
func ParseOrigin(s string) (Origin, error) {
	text := strings.ToLower(strings.TrimSpace(s))
	refuse := func() (Origin, error) {
		return Origin{}, fmt.Errorf("billing: %q is not an origin; expected https://app.example.com, https://*.example.com or app.example.com", s)
	}
	full := text
	if !strings.Contains(text, "://") {
		full = "https://" + text
	}
	u, err := url.Parse(strings.Replace(full, "://*.", "://", 1))
	if err != nil || u.Host == "" || u.Hostname() == "" || u.User != nil || u.Path != "" || u.RawQuery != "" || u.Fragment != "" ||
		u.Scheme == "" || strings.ContainsAny(u.Host, "*,\\ ") || strings.HasSuffix(text, "?") || strings.HasSuffix(text, "#") {
		return refuse()
	}
	for _, r := range u.Host {
		if r <= ' ' || r >= 0x7f { // internationalised names are written in their ASCII form
			return refuse()
		}
	}
	return Origin{text}, nil
}

// ParseOrigins reads patterns.
func ParseOrigins(entries []string) ([]Origin, error) {
	if len(entries) > maxAllowEntries {
		return nil, fmt.Errorf("billing: %d origins; expected at most %d", len(entries), maxAllowEntries)
	}
	var list []Origin
	for _, s := range entries {
		o, err := ParseOrigin(s)
		if err != nil {
			return nil, err
		}
		list = append(list, o)
	}
	return list, nil
}

// String returns the pattern.
func (o Origin) String() string { return o.text }

// Match reports whether the pattern holds an Origin header. The origin "null"
// and an absent one match no pattern.
func (o Origin) Match(origin string) bool {
	scheme, host, ok := strings.Cut(strings.ToLower(origin), "://")
	if !ok || host == "" || strings.ContainsAny(host, "/?#@ ") {
		return false
	}
	wantScheme, wantHost, hasScheme := strings.Cut(o.text, "://")
	if !hasScheme {
		wantHost = o.text
	} else if scheme != wantScheme {
		return false
	}
	if below, ok := strings.CutPrefix(wantHost, "*"); ok {
		return len(host) > len(below) && strings.HasSuffix(host, below)
	}
	return host == wantHost
}
