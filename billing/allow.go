package billing

import (
	"cmp"
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
type Origin struct {
	text  string
	site  // of the text; its name is what follows "*." in a pattern of names below it
	below bool
}

// A site is a parsed origin. The scheme is empty in a pattern for any scheme. The port
// is that of the scheme unless it is given.
type site struct{ scheme, name, port string }

// siteOf returns the parts of an origin.
func siteOf(u *url.URL) site {
	s := site{scheme: strings.ToLower(u.Scheme), name: strings.ToLower(strings.TrimSuffix(u.Hostname(), ".")), port: u.Port()}
	if addr, err := netip.ParseAddr(s.name); err == nil {
		s.name = addr.Unmap().String()
	}
	s.port = cmp.Or(s.port, usualPort(s.scheme))
	return s
}

func usualPort(scheme string) string { return map[string]string{"http": "80", "https": "443"}[scheme] }

// parseOrigin reads a pattern.
func parseOrigin(s string) (Origin, error) {
	text := strings.ToLower(strings.TrimSpace(s))
	refuse := func() (Origin, error) {
		return Origin{}, fmt.Errorf("billing: %q is not an origin; expected https://app.example.com, https://*.example.com or app.example.com", s)
	}
	full := text
	if !strings.Contains(text, "://") {
		full = "https://" + text
	}
	u, err := url.Parse(strings.Replace(full, "://*.", "://", 1)) // * is refused below anywhere else
	if err != nil || !isOrigin(u) || strings.ContainsAny(u.Host, "*,\\ ") || strings.HasSuffix(text, "#") {
		return refuse()
	}
	for _, r := range u.Host {
		if r <= ' ' || r >= 0x7f { // internationalized names are written in their ASCII form
			return refuse()
		}
	}
	o := Origin{text: text, site: siteOf(u), below: strings.Contains(full, "://*.")}
	if full != text { // no scheme was given: https was only there to be parsed
		o.scheme, o.port = "", u.Port()
	}
	return o, nil
}

// ParseOrigins reads patterns.
func ParseOrigins(entries []string) ([]Origin, error) {
	if len(entries) > maxAllowEntries {
		return nil, fmt.Errorf("billing: %d origins; expected at most %d", len(entries), maxAllowEntries)
	}
	var list []Origin
	for _, s := range entries {
		o, err := parseOrigin(s)
		if err != nil {
			return nil, err
		}
		list = append(list, o)
	}
	return list, nil
}

// String returns the pattern.
func (o Origin) String() string { return o.text }

// match reports whether the pattern holds an Origin header. The origin "null"
// and an absent one match no pattern.
func (o Origin) match(origin string) bool {
	u, err := url.Parse(origin)
	if err != nil || !isOrigin(u) {
		return false
	}
	got := siteOf(u)
	if o.scheme != "" && got.scheme != o.scheme || got.port != cmp.Or(o.port, usualPort(got.scheme)) {
		return false
	}
	if o.below { // with the dot: evil-example.com does not match *.example.com
		name, ok := strings.CutSuffix(got.name, "."+o.name)
		return ok && name != "" && !strings.HasPrefix(name, ".")
	}
	return got.name == o.name
}

// isOrigin reports whether a URL has a scheme, a host and perhaps a port only.
func isOrigin(u *url.URL) bool {
	return u.Scheme != "" && u.Hostname() != "" && u.User == nil && u.Path == "" && u.RawQuery == "" && !u.ForceQuery && u.Fragment == ""
}

// Site returns the address that limits count: an IPv4 address itself, and the /64
// network of an IPv6 address, which one subscriber has (RFC 6177: one /64 or more). A
// limit by single addresses would give one host 2^64 times its permits.
func Site(addr netip.Addr) netip.Addr {
	const siteBits = 64
	if site, ok := masked(addr, siteBits); ok {
		return site
	}
	return addr.Unmap().WithZone("")
}

const (
	networkBits = 48

	// networkFactor is the ratio of the limit of a network to that of one [Site]. A network
	// may belong to one subscriber or to many, so it gets more than a site, and not 65,536
	// times as much.
	networkFactor = 4
)

// network returns the network of 48 bits of an IPv6 address, and false for
// IPv4. Many subscribers get a network of that size, which has 65,536 sites.
func network(addr netip.Addr) (netip.Addr, bool) { return masked(addr, networkBits) }

// masked returns the first address of an IPv6 address's network.
func masked(addr netip.Addr, bits int) (netip.Addr, bool) {
	addr = addr.Unmap().WithZone("")
	if !addr.Is6() {
		return netip.Addr{}, false
	}
	p, err := addr.Prefix(bits)
	return p.Addr(), err == nil
}
