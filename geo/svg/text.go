package svg

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/paulmach/orb"
)

// Texts are bounded, so that a map cannot be blown up by them.
const (
	maxTitle       = 200 // runes
	maxLabel       = 40
	maxAttribution = 2000
	maxLabels      = 400 // more cannot be read
)

// plain returns at most limit runes of a text, with single spaces.
func plain(s string, limit int) string {
	runes := []rune(strings.Join(strings.Fields(s), " ")) // which makes invalid UTF-8 U+FFFD
	if len(runes) > limit {
		return string(runes[:limit]) + "…"
	}
	return string(runes)
}

// escaped returns a text as XML. Characters that XML does not allow become U+FFFD.
func escaped(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s)) // never fails
	return b.String()
}

// width guesses how wide a text is, in pixels: the usual width of letters in sans-serif
// type.
func width(s string, size float64) float64 {
	return float64(float64(utf8.RuneCountInString(s))*size) * 0.56
}

// wrap breaks a text into lines of about the width.
func wrap(s string, size, most float64) (lines []string) {
	for _, word := range strings.Fields(s) {
		if n := len(lines); n > 0 && width(lines[n-1]+" "+word, size) <= most {
			lines[n-1] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}

// A label is a text that is written on the map if there is room.
type label struct {
	text       string
	at         orb.Point // the middle, or the point
	wide, high float64   // the room of the area there, in pixels
	beside     float64   // the distance from the point; 0 for areas
	size       float64
	rank       int
	class      string
}

// markRank is the rank of the class Focus, pointRank that of other points.
const markRank, pointRank = 3, 0

func (l *label) mark() { l.rank, l.size, l.class = markRank, 13, " mark" }

// texts writes the labels that have room, the most important first. A label that would touch an
// earlier one is left out: labels are not moved, but for those of points, which may stand on
// either side. So a map that is drawn again, by the page too, has the same labels.
func (d *drawing) texts() {
	slices.SortStableFunc(d.labels, func(a, b label) int {
		return cmp.Or(cmp.Compare(b.rank, a.rank), cmp.Compare(b.wide, a.wide), cmp.Compare(a.text, b.text))
	})
	var taken []orb.Bound
	written, cross := 0, d.cross
	for _, l := range d.labels {
		if cross != nil && l.rank == pointRank { // labels of areas may lie on the middle of a circle
			taken, cross = append(taken, *cross), nil
		}
		wide := width(l.text, l.size)
		sides := []float64{0}
		if l.beside > 0 {
			sides = []float64{1, -1}
		} else if l.rank != markRank && (wide+6 > l.wide || l.size > l.high) {
			continue
		}
		for _, side := range sides {
			x, y := l.at[0]+float64(side*l.beside), l.at[1]
			left, half := x-float64(wide*(1-side)/2), 0.7*l.size
			box := orb.Bound{Min: orb.Point{left - 4, y - half}, Max: orb.Point{left + wide + 4, y + half}}
			crowded := func(t orb.Bound) bool {
				return t.Min[0] < box.Max[0] && box.Min[0] < t.Max[0] && t.Min[1] < box.Max[1] && box.Min[1] < t.Max[1]
			}
			if l.text == "" || written == maxLabels || !d.frame.Contains(box.Min) || !d.frame.Contains(box.Max) || slices.ContainsFunc(taken, crowded) {
				continue
			}
			taken = append(taken, box)
			written++
			class := map[float64]string{0: "label", 1: "label beside", -1: "label end"}[side]
			d.text(class+l.class, x, y+float64(0.35*l.size), l.text)
			break
		}
	}
}
