package server_test

import (
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"
)

// A drawing has the shapes and texts of an SVG document of a map, in its order.
type drawing struct {
	layers []layer
	labels []inscription
}

// A layer is successive shapes of one look. Circles are rings of one vertex, with their
// radius in the look.
type layer struct {
	look  string
	rings []orb.LineString
}

// An inscription is a text with its middle line.
type inscription struct {
	text, look string
	at         orb.Point
}

type styleRule struct {
	element string
	classes []string
	set     map[string]string
}

// styleRules reads a style sheet, with the part for dark screens or without it.
func styleRules(sheet string, dark bool) (rules []styleRule) {
	plain, more, _ := strings.Cut(sheet, "@media (prefers-color-scheme:dark){")
	if dark {
		plain += more
	}
	for _, m := range regexp.MustCompile(`([^{}]+)\{([^}]*)\}`).FindAllStringSubmatch(plain, -1) {
		set := map[string]string{}
		for _, d := range strings.Split(m[2], ";") {
			name, value, _ := strings.Cut(d, ":")
			set[name] = strings.TrimSuffix(value, "px")
		}
		for _, s := range strings.Split(strings.TrimSpace(m[1]), ",") {
			parts := strings.Split(s, ".")
			rules = append(rules, styleRule{parts[0], parts[1:], set})
		}
	}
	slices.SortStableFunc(rules, func(a, b styleRule) int { return cmp.Compare(len(a.classes), len(b.classes)) })
	return rules
}

// readDrawing reads the inner svg element of a document, with the map's
// corner at a margin.
func readDrawing(t *testing.T, document string, margin float64, dark bool) (out drawing) {
	t.Helper()
	var rules []styleRule
	if m := regexp.MustCompile(`(?s)<style>(.*?)</style>`).FindStringSubmatch(document); m != nil {
		rules = styleRules(m[1], dark)
	}
	dec := xml.NewDecoder(strings.NewReader(document))
	depth := 0
	corner := orb.Point{margin, margin}
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatalf("%v: %.2000s", err, document)
		}
		if end, ok := tok.(xml.EndElement); ok && end.Name.Local == "svg" {
			depth--
		}
		e, ok := tok.(xml.StartElement)
		if !ok {
			continue
		}
		if e.Name.Local == "svg" {
			depth++
		}
		if depth < 2 {
			continue
		}
		given := map[string]string{}
		for _, a := range e.Attr {
			given[a.Name.Local] = a.Value
		}
		style := map[string]string{"fill": "none", "stroke": "none"}
		classes := strings.Fields(given["class"])
		for _, r := range rules {
			if (r.element == "" || r.element == e.Name.Local) && !slices.ContainsFunc(r.classes, func(c string) bool { return !slices.Contains(classes, c) }) {
				for name, value := range r.set {
					style[name] = value
				}
			}
		}
		for name, value := range given {
			style[name] = value
		}
		look := lookOf(style)
		number := func(name string) float64 { v, _ := strconv.ParseFloat(given[name], 64); return v }
		var rings []orb.LineString
		switch e.Name.Local {
		case "text":
			size, _ := strconv.ParseFloat(style["font-size"], 64)
			var text string
			if err := dec.DecodeElement(&text, &e); err != nil {
				t.Fatal(err)
			}
			anchor := cmp.Or(style["text-anchor"], "start")
			out.labels = append(out.labels, inscription{text, fmt.Sprint(look, " ", size, " ", cmp.Or(style["font-weight"], "400"), " ", anchor), orb.Point{number("x") - margin, number("y") - margin - 0.35*size}})
			continue
		case "circle":
			look += " circle " + given["r"]
			rings = []orb.LineString{{{number("cx"), number("cy")}}}
		case "rect":
			x, y, w, h := number("x"), number("y"), number("width"), number("height")
			rings = []orb.LineString{{{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}, {x, y}}}
		case "path":
			rings = readPath(t, given["d"])
		default:
			continue
		}
		for _, r := range rings {
			for i := range r {
				r[i] = orb.Point{r[i][0] - corner[0], r[i][1] - corner[1]}
			}
		}
		if n := len(out.layers); n > 0 && out.layers[n-1].look == look {
			out.layers[n-1].rings = append(out.layers[n-1].rings, rings...)
		} else {
			out.layers = append(out.layers, layer{look, rings})
		}
	}
}

// lookOf is fill, opacity and line of a style.
func lookOf(style map[string]string) string {
	color := func(c string) (string, int) {
		if len(c) == 9 {
			alpha, _ := strconv.ParseUint(c[7:], 16, 8)
			return c[:7], int(math.Round(float64(alpha) / 2.55))
		}
		return c, 100
	}
	fill, opacity := color(style["fill"])
	if o, err := strconv.ParseFloat(style["fill-opacity"], 64); err == nil {
		opacity = int(math.Round(o * 100))
	}
	look := fmt.Sprintf("%s at %d%%", fill, opacity)
	if style["stroke"] != "none" {
		width, _ := strconv.ParseFloat(cmp.Or(style["stroke-width"], "1"), 64)
		look += fmt.Sprintf(", line %s %g %s", style["stroke"], width, style["stroke-dasharray"])
	}
	return look
}

var pathPart = regexp.MustCompile(`[MlHVz]|-?(?:\d+\.?\d*|\.\d+)`)

// readPath reads the rings and lines of a path. Rings are closed.
func readPath(t *testing.T, d string) (out []orb.LineString) {
	t.Helper()
	var command string
	var at orb.Point
	var pair []float64
	for _, part := range pathPart.FindAllString(d, -1) {
		v, err := strconv.ParseFloat(part, 64)
		last := len(out) - 1
		switch {
		case err != nil && part == "z":
			out[last] = append(out[last], out[last][0])
			continue
		case err != nil:
			command, pair = part, nil
			continue
		case command == "H":
			at[0] = v
		case command == "V":
			at[1] = v
		default:
			if pair = append(pair, v); len(pair) < 2 {
				continue
			}
			if command == "M" {
				at = orb.Point{pair[0], pair[1]}
				out = append(out, orb.LineString{at})
				pair = nil
				continue
			}
			at, pair = orb.Point{at[0] + pair[0], at[1] + pair[1]}, nil
		}
		out[last] = append(out[last], at)
	}
	return out
}

// compareDrawings reports differences of more than 0.3 pixels of shapes and 1.5 of
// labels. Colors, sizes and order are the same.
func compareDrawings(t *testing.T, a, b drawing, side float64) {
	t.Helper()
	looks := func(d drawing) (out []string) {
		for _, l := range d.layers {
			out = append(out, l.look)
		}
		return out
	}
	if x, y := looks(a), looks(b); !slices.Equal(x, y) {
		t.Fatalf("the document draws\n%s\nand the page draws\n%s", strings.Join(x, "\n"), strings.Join(y, "\n"))
	}
	seen := func(p orb.Point) bool { return p[0] >= 0 && p[1] >= 0 && p[0] <= side && p[1] <= side }
	for i, l := range a.layers {
		for _, pair := range [][2][]orb.LineString{{l.rings, b.layers[i].rings}, {b.layers[i].rings, l.rings}} {
			for _, ring := range pair[0] {
				for _, p := range ring {
					if off := away(pair[1], p); seen(p) && off > 0.3 {
						t.Errorf("%s: the vertex %.1f is %.2f pixels from the other drawing", l.look, p, off)
					}
				}
			}
		}
		for x := 3.5; x < side; x += 11 {
			for y := 3.5; y < side; y += 11 {
				p := orb.Point{x, y}
				if in := inside(l.rings, p); in != inside(b.layers[i].rings, p) && away(l.rings, p) > 0.6 {
					t.Fatalf("%s: %v is filled by one: the document %v", l.look, p, in)
				}
			}
		}
	}
	for i := range max(len(a.labels), len(b.labels)) {
		if i >= len(a.labels) || i >= len(b.labels) {
			t.Fatalf("%d and %d labels: %v, %v", len(a.labels), len(b.labels), a.labels, b.labels)
		}
		x, y := a.labels[i], b.labels[i]
		if x.text != y.text || x.look != y.look || planar.Distance(x.at, y.at) > 1.5 {
			t.Errorf("label %d is %v in the document and %v on the page", i, x, y)
		}
	}
}

// inside follows the even-odd rule.
func inside(rings []orb.LineString, p orb.Point) (in bool) {
	for _, r := range rings {
		if len(r) > 3 && r[0] == r[len(r)-1] && planar.RingContains(orb.Ring(r), p) {
			in = !in
		}
	}
	return in
}

// away is the distance of a point from lines.
func away(lines []orb.LineString, p orb.Point) float64 {
	nearest := math.Inf(1)
	for _, l := range lines {
		nearest = min(nearest, planar.Distance(l[0], p), planar.DistanceFrom(l, p))
	}
	return nearest
}
