package fetch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
)

// A state is the side file of a cached file or of a part of one, with the
// server's headers.
type state struct {
	URL          string `json:"url"`
	ETag         string `json:"etag,omitempty"`
	LastModified string `json:"last_modified,omitempty"`
	Total        int64  `json:"total"`            // bytes of the whole file; -1 unknown
	SHA256       string `json:"sha256,omitempty"` // of a whole file
}

// validator returns what vouches, in an If-Range header, that the server still
// has the same file: a strong entity tag, else the date; "" when neither.
func (s state) validator() string {
	if s.ETag != "" && s.ETag[0] == '"' {
		return s.ETag
	}
	return s.LastModified
}

// readState returns the side file's content if it is about the address.
func readState(path, url string) (state, bool) {
	b, err := os.ReadFile(path)
	if err != nil {
		return state{}, false
	}
	var s state
	if json.Unmarshal(b, &s) != nil || s.URL != url {
		return state{}, false
	}
	return s, true
}

// writeState replaces a side file. The lock of the transfer also guards the temporary
// file: the next transfer replaces that of a killed process.
func writeState(path string, s state) error {
	b, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	tmp := path + ".tmp"
	if err = os.WriteFile(tmp, append(b, '\n'), 0o600); err == nil {
		err = os.Rename(tmp, path)
	}
	if err != nil {
		_ = os.Remove(tmp)
	}
	return err
}

// hashFile returns the SHA-256 of a file in lower-case hexadecimal and its
// size.
func hashFile(ctx context.Context, path string) (sum string, size int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	h := sha256.New()
	size, err = io.Copy(h, &contextReader{ctx: ctx, r: f})
	return hex.EncodeToString(h.Sum(nil)), size, err
}

// contextReader ends when its context does.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c *contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}
