package billing

import (
	"net/netip"
	"strings"
)

// maxHops is how many entries of X-Forwarded-For are read at most, from the
// right. Real chains have a handful.
const maxHops = 32

// ClientAddr returns the address that a request counts for. It is the peer,
// unless the peer is a trusted proxy: then it is the right-most address of
// the X-Forwarded-For headers, in their order, that is no trusted proxy.
// Everything left of that was written by somebody who is not trusted. An
// entry that is no address ends the search at the proxy that passed it on.
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

// Site returns what an address is counted by: itself for IPv4, its network of
// 64 bits for IPv6, where one subscriber has all addresses of it.
func Site(addr netip.Addr) netip.Addr {
	addr = addr.Unmap().WithZone("")
	if !addr.Is6() {
		return addr
	}
	p, err := addr.Prefix(64)
	if err != nil {
		return addr
	}
	return p.Addr()
}
