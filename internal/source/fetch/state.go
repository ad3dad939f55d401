package fetch

import (
	"context"
	"encoding/json"
	"os"
	"strings"
)

// A state is the side file of a file or of a part of one, with the server's headers.
type state struct {
	URL          string `json:"url"`
	ETag         string `json:"etag,omitempty"`
	LastModified string `json:"last_modified,omitempty"`
	Total        int64  `json:"total"`            // bytes of the whole file; -1 unknown
	SHA256       string `json:"sha256,omitempty"` // of a whole file
}

// validator returns the value of an If-Range header: a strong entity tag, else the date;
// "" without either. A weak tag (W/"…") may be that of different bytes, so that RFC 9110
// section 13.1.5 excludes it.
func (s state) validator() string {
	if strings.HasPrefix(s.ETag, `"`) {
		return s.ETag
	}
	return s.LastModified
}

// read returns the content of a side file if it is about the address. The path of a
// survey's part or of a pull may be used with several addresses.
func (t *transfer) read(end string) (s state, ok bool) {
	b, err := os.ReadFile(t.path + end)
	if err != nil || json.Unmarshal(b, &s) != nil || s.URL != t.source.URL {
		return state{}, false
	}
	return s, true
}

// write replaces a side file. The lock of the transfer also guards the temporary file: the
// next transfer replaces that of a killed process.
func (t *transfer) write(end string, s state) error {
	b, err := json.Marshal(s)
	if err == nil {
		err = os.WriteFile(t.path+end+".tmp", append(b, '\n'), 0o600)
	}
	if err == nil {
		err = os.Rename(t.path+end+".tmp", t.path+end)
	}
	return t.disk(err)
}

// cached measures the file at the path and compares it with its side file. A file
// without side file is as good as none.
func (t *transfer) cached(ctx context.Context) (*File, error) {
	s, ok := t.read(".meta")
	if !ok {
		return nil, os.ErrNotExist
	}
	f, err := Measure(ctx, t.path)
	if err != nil {
		return nil, err
	}
	if f.SHA256 != s.SHA256 {
		return nil, ErrChecksum
	}
	f.Origin, f.ETag, f.LastModified = Cached, s.ETag, s.LastModified
	return f, nil
}

// partial returns the part of the file from an earlier try or run. A part without a
// validator is discarded, because nothing would show that the server still has the same
// file. So is one that is longer than the file.
func (t *transfer) partial() (state, int64) {
	st, err := os.Stat(t.path + ".part")
	if err != nil {
		return state{}, 0
	}
	s, ok := t.read(".part.meta")
	if !ok || s.validator() == "" || s.Total >= 0 && st.Size() > s.Total {
		t.discard()
		return state{}, 0
	}
	return s, st.Size()
}

func (t *transfer) discard() {
	_ = os.Remove(t.path + ".part")
	_ = os.Remove(t.path + ".part.meta")
}
