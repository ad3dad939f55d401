package plain

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Clean returns s with its hidden characters escaped.
func Clean(s string) string {
	if at, _ := find(s, 0, false); at == len(s) {
		return s
	}
	return string(Append(nil, s))
}

// Append appends s to dst with its hidden characters escaped.
func Append[Text string | []byte](dst []byte, s Text) []byte {
	dst, _ = appendClean(dst, string(s), 0, false)
	return dst
}

// Line is like [Clean] and replaces tabs and line ends by spaces.
func Line(s string) string { return Clean(blanks.Replace(s)) }

var blanks = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\t", " ", "\v", " ", "\f", " ", "\u0085", " ", "\u2028", " ", "\u2029", " ")

// appendClean appends s, which follows the character prev, and returns the number of
// bytes processed. With more, it leaves an unfinished character at the end of s for the
// next text. Stretches without hidden characters are copied as a whole.
func appendClean(dst []byte, s string, prev rune, more bool) ([]byte, int) {
	done := 0
	for {
		at, cut := find(s[done:], prev, more)
		dst = append(dst, s[done:done+at]...)
		done += at
		if done == len(s) || cut {
			return dst, done
		}
		r, size := utf8.DecodeRuneInString(s[done:])
		if r == utf8.RuneError {
			dst = utf8.AppendRune(dst, r)
		} else {
			dst = escape(dst, r)
		}
		done, prev = done+size, r
	}
}

// find returns the index of the first hidden character, or invalid byte, of a
// text that follows prev, and len(s) if there is none. With more, it stops at
// an unfinished character at the end, and cut is true.
func find(s string, prev rune, more bool) (at int, cut bool) {
	for i := 0; i < len(s); {
		switch b := s[i]; {
		case ' ' <= b && b < 0x7f, b == '\t', b == '\n':
			prev = rune(b)
			i++
		case b == '\r' && i+1 < len(s) && s[i+1] == '\n': // alone, it lets a line overwrite itself
			prev = '\n'
			i += 2
		case b < utf8.RuneSelf:
			return i, more && b == '\r' && i+1 == len(s)
		default:
			if more && !utf8.FullRuneInString(s[i:]) {
				return i, true
			}
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 || hidden(r) && !joins(prev, r) {
				return i, false
			}
			prev = r
			i += size
		}
	}
	return len(s), false
}

// hidden reports whether a character is invisible in its context.
func hidden(r rune) bool {
	if 0xa0 <= r && r < 0x300 { // most letters beyond ASCII
		return r == 0xad
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) &&
		!unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// Characters that join others.
const (
	nonJoiner = '\u200c'
	joiner    = '\u200d'
	emoji     = '\ufe0f' // selects the colored form
)

// joins reports whether a hidden character is part of how prev is written. Joiners stay
// behind emoji, skin tones and letters of scripts that use them. Behind others they could
// make two names that look alike different. A second variation selector in a row does not
// stay: a run of them can carry hidden text.
func joins(prev, r rune) bool {
	switch {
	case r == joiner && (prev == emoji || 0x1f3fb <= prev && prev <= 0x1f3ff || prev != utf8.RuneError && unicode.Is(unicode.So, prev)):
		return true
	case r == joiner || r == nonJoiner:
		return unicode.In(prev, unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi,
			unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer) && !hidden(prev)
	case unicode.Is(unicode.Variation_Selector, r):
		return unicode.IsGraphic(prev) && prev != ' ' && !hidden(prev)
	}
	return false
}

// escape appends a character as JSON escapes it.
func escape(dst []byte, r rune) []byte {
	if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
		return escape(escape(dst, high), low)
	}
	const digits = "0123456789abcdef"
	return append(dst, '\\', 'u', digits[r>>12&0xf], digits[r>>8&0xf], digits[r>>4&0xf], digits[r&0xf])
}

// Markdown returns s as the text of one cell of a Markdown table: a line without markup,
// links or HTML. Periods and colons are escaped only in "www." and "://", by which renderers
// recognize bare addresses.
func Markdown(s string) string {
	s = Line(s)
	if strings.IndexFunc(s, isMarkup) < 0 {
		return s
	}
	var b strings.Builder
	for i, c := range s {
		switch {
		case c == '&':
			b.WriteString("&amp;")
			continue
		case c == '<':
			b.WriteString("&lt;")
			continue
		case c == '>':
			b.WriteString("&gt;")
			continue
		case c == '_' && inWord(s, i), c == ':' && !strings.HasPrefix(s[i:], "://"), c == '.' && (i < 3 || !strings.EqualFold(s[i-3:i], "www")):
		case isMarkup(c):
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String()
}

func isMarkup(r rune) bool { return strings.ContainsRune("\\`|*~$[]@&<>_:.", r) }

// inWord reports whether the character at i is between letters or digits. An
// underscore there is not markup.
func inWord(s string, i int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	after, _ := utf8.DecodeRuneInString(s[i+1:])
	return isWord(before) && isWord(after)
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// Formula returns s with an apostrophe before it if a spreadsheet would take it
// for a formula, see [IsFormula].
func Formula(s string) string {
	if IsFormula(s) {
		return "'" + s
	}
	return s
}

// IsFormula reports whether a spreadsheet would take a cell for a formula. Such
// a cell begins with = + - @, their full-width forms, a tab or a line end, and
// is not a decimal number. Quotes and hidden characters before these do not
// count: a spreadsheet may drop them.
func IsFormula(s string) bool {
	s = strings.TrimLeft(s, `"`)
	if s == "" || strings.IndexByte("\t\r\n", s[0]) >= 0 {
		return s != ""
	}
	s = strings.TrimLeftFunc(s, func(r rune) bool { return r == '"' || r < ' ' || r == 0x7f || hidden(r) })
	if r, _ := utf8.DecodeRuneInString(s); s == "" || !strings.ContainsRune("=+-@＝＋－＠", r) {
		return false
	}
	_, err := strconv.ParseFloat(s, 64)
	return err != nil || strings.Trim(s, "+-.0123456789eE") != ""
}

// A Writer escapes hidden characters in its input. A character may be spread
// over several writes; an unfinished one waits for the next. A
// Writer is safe for concurrent use.
type Writer struct {
	mu   sync.Mutex
	w    io.Writer
	rest []byte // an unfinished character
	prev rune   // the last character
	buf  []byte
}

// NewWriter returns a Writer to w, or w itself if it is one.
func NewWriter(w io.Writer) *Writer {
	if p, ok := w.(*Writer); ok {
		return p
	}
	return &Writer{w: w}
}

// Write writes p after the unfinished character of the last write.
func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := len(p)
	if len(w.rest) > 0 {
		p = append(w.rest, p...)
		w.rest = nil
	}
	var done int
	w.buf, done = appendClean(w.buf[:0], string(p), w.prev, true)
	if done > 0 {
		w.prev, _ = utf8.DecodeLastRune(p[:done])
	}
	w.rest = append(w.rest, p[done:]...)
	if _, err := w.w.Write(w.buf); err != nil {
		return 0, err
	}
	return n, nil
}

// Raw returns the destination of w if it is a Writer, and else w. It is for data
// that must keep its bytes and for drawing with control characters.
func Raw(w io.Writer) io.Writer {
	if p, ok := w.(*Writer); ok {
		return p.w
	}
	return w
}

// Linef writes a formatted text as one line to w.
func Linef(w io.Writer, format string, args ...any) error {
	_, err := io.WriteString(w, Line(fmt.Sprintf(format, args...))+"\n")
	return err
}
