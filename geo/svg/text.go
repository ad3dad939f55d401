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
	text       string
	x, y       float64 // the middle, or the point
	wide, high float64 // the room of the area there, in pixels
	beside     float64 // the distance from the point; 0 for areas
	style      labelStyle
}

type labelStyle uint8

const (
	plainLabel  labelStyle = iota
	valueLabel             // of an area with a color, or of a point
	strongLabel            // on a color without contrast to the ink
	markedLabel            // of the class Focus
)

// maxLabels is the most labels that are written; more cannot be read.
const maxLabels = 400

// rank returns how important a label is.
func (l *label) rank() int {
	switch {
	case l.style == markedLabel:
		return 3
	case l.beside > 0:
		return 0
	case l.style == plainLabel:
		return 1
	default:
		return 2
	}
}

func (l *label) size() float64 {
	if l.style == markedLabel {
		return 13
	}
	return smallSize
}

// seat returns the place for the label of an area: the middle of the roomiest stretch
// inside, on several levels from the bottom up.
func seat(rings [][]corner) label {
	var low, high, width tenth
	for _, ring := range rings { // the widest one has the levels
		least, most, left, right := ring[0].y, ring[0].y, ring[0].x, ring[0].x
		for _, c := range ring {
			least, most, left, right = min(least, c.y), max(most, c.y), min(left, c.x), max(right, c.x)
		}
		if right-left > width {
			low, high, width = least, most, right-left
		}
	}
	best := label{x: float64(rings[0][0].x) / 10, y: float64(rings[0][0].y) / 10}
	rank := func(wide, high float64) float64 { return min(wide, 3*high) + high/4 } // of equal widths the highest
	const levels = 8
	for i := 1; i < levels; i++ {
		y := float64(high) - float64(high-low)*float64(i)/levels - 0.01
		across := crossings(rings, func(c corner) (float64, float64) { return float64(c.y), float64(c.x) }, y)
		for k := 0; k+1 < len(across); k += 2 {
			x, wide := (across[k]+across[k+1])/2, (across[k+1]-across[k])/10
			if wide+float64(high-low)/40 <= rank(best.wide, best.high) {
				continue
			}
			room := math.Inf(1)
			for _, v := range crossings(rings, func(c corner) (float64, float64) { return float64(c.x), float64(c.y) }, x) {
				room = min(room, math.Abs(v-y)/5)
			}
			if rank(wide, room) > rank(best.wide, best.high) {
				best = label{x: x / 10, y: y / 10, wide: wide, high: room}
			}
		}
	}
	return best
}

// crossings returns where rings cross a level of one axis, along the other, sorted.
func crossings(rings [][]corner, axes func(corner) (at, along float64), level float64) []float64 {
	var out []float64
	for _, ring := range rings {
		a, u := axes(ring[len(ring)-1])
		for _, c := range ring {
			b, v := axes(c)
			if (a > level) != (b > level) {
				out = append(out, u+float64((level-a)/(b-a)*(v-u)))
			}
			a, u = b, v
		}
	}
	slices.Sort(out)
	return out
}

// box returns where a label is drawn: on its place, or to the right (1) or left (-1) of
// its point.
func (l *label) box(side float64) (x float64, box orb.Bound) {
	const gap, half = 4, 0.7
	width := textWidth(l.text, l.size())
	x = l.x + float64(side*l.beside)
	left := x - float64(width*(1-side)/2)
	return x, orb.Bound{Min: orb.Point{left - gap, l.y - float64(half*l.size())}, Max: orb.Point{left + width + gap, l.y + float64(half*l.size())}}
}

// texts writes the labels that have room, the most important first.
func (d *drawing) texts() {
	slices.SortStableFunc(d.labels, func(a, b label) int {
		return cmp.Or(cmp.Compare(b.rank(), a.rank()), cmp.Compare(b.wide, a.wide), cmp.Compare(a.text, b.text))
	})
	classes := [...]string{plainLabel: " faint", valueLabel: "", strongLabel: " strong", markedLabel: " mark"}
	written := 0
	for i := range d.labels {
		l := &d.labels[i]
		if written == maxLabels {
			break
		}
		if d.crossed && l.rank() == 0 { // labels of areas may lie on the middle of a circle
			d.taken = append(d.taken, d.cross)
			d.crossed = false
		}
		sides := []float64{0}
		if l.beside > 0 {
			sides = []float64{1, -1}
		} else if l.style != markedLabel && (textWidth(l.text, l.size())+6 > l.wide || l.size() > l.high) {
			continue
		}
		for _, side := range sides {
			x, box := l.box(side)
			if !inside(box, d.frame) || slices.ContainsFunc(d.taken, func(t orb.Bound) bool {
				return t.Min[0] < box.Max[0] && box.Min[0] < t.Max[0] && t.Min[1] < box.Max[1] && box.Min[1] < t.Max[1]
			}) {
				continue
			}
			d.taken = append(d.taken, box)
			written++
			class := "label" + classes[l.style]
			if side != 0 {
				class = map[float64]string{1: "label beside", -1: "label end"}[side] + classes[l.style]
			}
			d.text(class, x, l.y+0.35*l.size(), l.text)
			break
		}
	}
}

func inside(a, b orb.Bound) bool { return b.Contains(a.Min) && b.Contains(a.Max) }
