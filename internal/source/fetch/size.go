package fetch

import (
	"context"
	"net/http"
	"os"
	"time"
)

// Size returns the size in bytes of a source's file in the mirror: of a folder,
// or from the server of an address. It returns 0 without a mirror or if the
// server does not report it. It downloads nothing.
func (c *Client) Size(ctx context.Context, s Source) int64 {
	switch {
	case c.dir != "":
		path, err := c.mirrorPath(s)
		if err != nil {
			return 0
		}
		if st, err := os.Stat(path); err == nil && st.Mode().IsRegular() {
			return st.Size()
		}
	case c.base != nil && !c.o.Offline:
		return c.remoteSize(ctx, s)
	}
	return 0
}

// remoteSize requests the size from the mirror's server.
func (c *Client) remoteSize(ctx context.Context, s Source) int64 {
	const patience = 10 * time.Second
	u, err := c.address(s)
	if err != nil {
		return 0
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	resp, err := c.head(ctx, http.MethodHead, u.String(), &Probe{}) //nolint:bodyclose // head closes it
	if err != nil || resp.StatusCode != http.StatusOK {
		return 0
	}
	return max(0, resp.ContentLength)
}
