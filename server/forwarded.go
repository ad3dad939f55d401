package server

import (
	"net/netip"
	"strings"

	"github.com/postgeo/postgeo/billing"
)

// maxHops is the maximum number of entries of X-Forwarded-For, read from the
// right. Real chains have a handful; each entry is compared with all trusted networks.
const maxHops = 32

// forwardedAddr returns the client address of a request. It is the peer unless the
// peer is a trusted proxy. Behind trusted proxies it is the right-most untrusted
// address of the X-Forwarded-For headers: entries before it are not trustworthy.
// An invalid entry ends the search at the proxy that passed it on.
func forwardedAddr(peer netip.Addr, forwarded []string, trusted billing.AddrList) netip.Addr {
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
