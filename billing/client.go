package billing

import (
	"net/netip"
	"strings"
)

// maxHops is the maximum number of entries of X-Forwarded-For, read from the
// right. Real chains have a handful.
const maxHops = 32

// ClientAddr returns the client address of a request. It is the peer unless the
// peer is a trusted proxy. Behind trusted proxies it is the right-most untrusted
// address of the X-Forwarded-For headers: entries before it are not trustworthy.
// An invalid entry ends the search at the proxy that passed it on.
func ClientAddr(peer netip.Addr, forwarded []string, trusted AddrList) netip.Addr {
	addr := peer.Unmap().WithZone("")
	hops := 0
	for i := len(forwarded) - 1; i >= 0; i-- {
		rest := forwarded[i]
		for more := true; more; {
			if !trusted.Contains(addr) || hops == maxHops {
				return addr
			}
			entry := rest
			cut := strings.LastIndexByte(rest, ',')
			if more = cut >= 0; more {
				entry, rest = rest[cut+1:], rest[:cut]
			}
			next, ok := parseHop(strings.TrimSpace(entry))
			if !ok {
				return addr
			}
			addr = next
			hops++
		}
	}
	return addr
}

// parseHop reads an address, with or without a port.
func parseHop(s string) (netip.Addr, bool) {
	if a, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(s, "["), "]")); err == nil {
		return a.Unmap().WithZone(""), true
	}
	if ap, err := netip.ParseAddrPort(s); err == nil {
		return ap.Addr().Unmap().WithZone(""), true
	}
	return netip.Addr{}, false
}

// Site returns the address that limits count: an IPv4 address itself, and the /64
// network of an IPv6 address, which one subscriber has.
func Site(addr netip.Addr) netip.Addr {
	const siteBits = 64
	if site, ok := masked(addr, siteBits); ok {
		return site
	}
	return addr.Unmap().WithZone("")
}

const (
	networkBits = 48

	// networkFactor is the ratio of the limit of a network to that of one [Site].
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
