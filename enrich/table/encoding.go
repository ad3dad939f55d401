package table

import (
	"bufio"
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// The names of encodings.
const (
	utf8Name    = "utf-8"
	utf16LE     = "utf-16le"
	utf16BE     = "utf-16be"
	windows1252 = "windows-1252"
)

// encodings are the readable encodings except UTF-8.
var encodings = map[string]encoding.Encoding{
	utf16LE: unicode.UTF16(unicode.LittleEndian, unicode.UseBOM),
	utf16BE: unicode.UTF16(unicode.BigEndian, unicode.UseBOM),

	windows1252: charmap.Windows1252,
}

// ParseEncoding returns the name of an encoding in the form of [Input]. A byte order
// mark decides about "utf-16", which is utf-16le without one. "latin1" is windows-1252,
// as in browsers.
func ParseEncoding(name string) (string, error) {
	name = strings.ToLower(name)
	switch name {
	case utf8Name, "utf8":
		return utf8Name, nil
	case "utf-16", "utf16":
		return utf16LE, nil
	case "cp1252", "latin1", "iso-8859-1":
		return windows1252, nil
	}
	if encodings[name] == nil {
		return "", fmt.Errorf("table: unknown encoding %q; expected utf-8, utf-16le, utf-16be or windows-1252", name)
	}
	return name, nil
}

// encodingOf returns the encoding of a text by its first bytes, as many as one read
// of the stream brings. Text with bytes that are not UTF-8 is in Windows-1252 if it
// has no character of several bytes in UTF-8.
func encodingOf(r *bufio.Reader) string {
	if _, err := r.Peek(1); err != nil {
		return utf8Name
	}
	head, _ := r.Peek(max(r.Buffered(), len(byteBOM)))
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe")), zeros(head, 1):
		return utf16LE
	case bytes.HasPrefix(head, []byte("\xfe\xff")), zeros(head, 0):
		return utf16BE
	case bytes.HasPrefix(head, []byte(byteBOM)) || bytes.IndexByte(head, 0) >= 0:
		return utf8Name
	}
	for _, magic := range known {
		if bytes.HasPrefix(head, []byte(magic)) {
			return utf8Name
		}
	}
	broken := false
	for len(head) > 0 {
		c, n := utf8.DecodeRune(head)
		switch {
		case n > 1:
			return utf8Name
		case c == utf8.RuneError && !utf8.FullRune(head): // cut at the end
			return named1252(broken)
		case c == utf8.RuneError && charmap.Windows1252.DecodeByte(head[0]) == utf8.RuneError:
			return utf8Name
		case c == utf8.RuneError:
			broken = true
		}
		head = head[n:]
	}
	return named1252(broken)
}

func named1252(broken bool) string {
	if broken {
		return windows1252
	}
	return utf8Name
}

// zeros reports whether, of the first bytes in pairs, the given one is always zero and
// the other one never is: UTF-16 without a byte order mark.
func zeros(head []byte, at int) bool {
	const enough = 4
	if len(head) < enough {
		return false
	}
	return head[at] == 0 && head[at+2] == 0 && head[1-at] != 0 && head[3-at] != 0
}
