package svg

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/paulmach/orb"
)

// Texts are bounded, so that a map cannot be blown up by them.
const (
	maxTitle       = 200 // runes
	maxLabel       = 40
	maxNote        = 400
	maxAttribution = 2000
)

// appendText appends at most limit runes of a text and escapes characters that
// have a meaning in XML. Whitespace becomes single spaces. Characters that XML
// 1.0 does not allow become U+FFFD, and so does invalid UTF-8.
func appendText(dst []byte, s string, limit int) []byte {
	return appendEscaped(dst, plain(s, limit))
}

func appendEscaped(dst []byte, s string) []byte {
	for i := range len(s) {
		switch c := s[i]; c {
		case '&':
			dst = append(dst, "&amp;"...)
		case '<':
			dst = append(dst, "&lt;"...)
		case '>':
			dst = append(dst, "&gt;"...)
		case '"':
			dst = append(dst, "&quot;"...)
		case '\'':
			dst = append(dst, "&apos;"...)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// plain returns the text that is shown, at most limit runes of it.
func plain(s string, limit int) string {
	var b strings.Builder
	n, blank := 0, false
	for _, r := range s {
		if r == ' ' || r == '\t' || r == '\n' || r == '\r' {
			blank = n > 0
			continue
		}
		if blank {
			blank = false
			b.WriteByte(' ')
			n++
		}
		if n >= limit {
			b.WriteRune('…')
			break
		}
		if !inXML(r) {
			r = utf8.RuneError
		}
		b.WriteRune(r)
		n++
	}
	return b.String()
}

// inXML reports whether XML 1.0 (section 2.2) allows the rune, and it is not a
// control character.
func inXML(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r <= 0x9f, r == 0xfffe, r == 0xffff:
		return false
	default:
		return utf8.ValidRune(r)
	}
}

// letterWidth is the usual width of a letter in sans-serif type, in parts of
// its size.
const letterWidth = 0.56

// textWidth guesses how wide a text is, in pixels.
func textWidth(s string, size float64) float64 {
	return float64(utf8.RuneCountInString(s)) * size * letterWidth
}

// wrap breaks a text into lines of about the width.
func wrap(s string, size, width float64) []string {
	perLine := max(int(width/(size*letterWidth)), 10)
	var lines []string
	line, n := "", 0
	for word := range strings.SplitSeq(s, " ") {
		w := utf8.RuneCountInString(word)
		for ; w > perLine; w -= perLine { // such as an address
			if line != "" {
				lines = append(lines, line)
				line, n = "", 0
			}
			head := 0
			for range perLine {
				_, size := utf8.DecodeRuneInString(word[head:])
				head += size
			}
			lines = append(lines, word[:head])
			word = word[head:]
		}
		switch {
		case n == 0:
			line, n = word, w
		case n+1+w <= perLine:
			line += " " + word
			n += 1 + w
		default:
			lines = append(lines, line)
			line, n = word, w
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// A label is a text that is written on the map if there is room.
type label struct {
	text   string
	x, y   float64 // the middle of its base line, or its beginning if beside is set
	room   float64 // the width of the area at that height, in pixels
	beside bool    // next to a point
	focus  bool
	strong bool // the area below has a color without contrast to the ink
}

const labelSize = smallSize

// maxLabels is the most labels that are written; more cannot be read.
const maxLabels = 400

// labelOf returns the place for the label of an outline: of some heights, the
// middle of the widest stretch that lies inside.
func labelOf(ring []corner) label {
	low, high := ring[0].y, ring[0].y
	for _, c := range ring {
		low, high = min(low, c.y), max(high, c.y)
	}
	var best label
	score := 0.0
	const heights = 7
	for i := 1; i <= heights; i++ {
		y := float64(low) + float64(high-low)*float64(i)/(heights+1) + 0.5 // no corner is there
		crossings := crossingsAt(ring, y)
		for k := 0; k+1 < len(crossings); k += 2 {
			room := (crossings[k+1] - crossings[k]) / 10
			fromMiddle := math.Abs(float64(i - (heights+1)/2))
			if s := room * (1 - 0.15*fromMiddle); s > score {
				score = s
				best = label{x: (crossings[k] + crossings[k+1]) / 20, y: y/10 + 0.35*labelSize, room: room}
			}
		}
	}
	return best
}

// crossingsAt returns the crossings of the outline with a height, in tenths of
// a pixel, from left to right.
func crossingsAt(ring []corner, y float64) []float64 {
	var out []float64
	a := ring[len(ring)-1]
	for _, b := range ring {
		if (float64(a.y) < y) != (float64(b.y) < y) {
			t := (y - float64(a.y)) / float64(b.y-a.y)
			out = append(out, float64(a.x)+float64(t*float64(b.x-a.x)))
		}
		a = b
	}
	slices.Sort(out)
	return out
}

func (l *label) box() orb.Bound {
	const gap = 1.5
	width := textWidth(l.text, labelSize)
	left := l.x
	if !l.beside {
		left -= width / 2
	}
	return orb.Bound{Min: orb.Point{left - gap, l.y - labelSize}, Max: orb.Point{left + width + gap, l.y + gap + 1}}
}

// texts writes the labels that have room. Strong labels come first, then those
// of the largest areas.
func (d *drawing) texts() {
	rank := func(l *label) int {
		switch {
		case l.focus:
			return 0
		case !l.beside:
			return 1
		default:
			return 2
		}
	}
	slices.SortStableFunc(d.labels, func(a, b label) int {
		return cmp.Or(cmp.Compare(rank(&a), rank(&b)), cmp.Compare(b.room, a.room), cmp.Compare(a.text, b.text))
	})
	written := 0
next:
	for i := range d.labels {
		l := &d.labels[i]
		box := l.box()
		if written == maxLabels {
			break
		}
		if !l.beside && !l.focus && box.Max[0]-box.Min[0] > l.room || !inside(box, d.frame) {
			continue
		}
		for _, t := range d.taken {
			if t.Min[0] < box.Max[0] && box.Min[0] < t.Max[0] && t.Min[1] < box.Max[1] && box.Min[1] < t.Max[1] {
				continue next
			}
		}
		d.taken = append(d.taken, box)
		written++
		class := "label"
		switch {
		case l.beside:
			class = "beside small"
		case l.strong:
			class = "label strong"
		}
		d.text(class, l.x, l.y, l.text)
	}
}

func inside(a, b orb.Bound) bool { return b.Contains(a.Min) && b.Contains(a.Max) }
