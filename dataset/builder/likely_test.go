package builder_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/address/geocode"
	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/internal/scoretest"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/lookup"
)

var likelyFlags = []string{"census", "cd", "state_leg", "likely"}

// TestLikely compares the probabilities of areas with the areas of hidden address points:
// of the areas with a probability around 30 %, 30 % hold the point. It needs a national
// dataset and the shared files.
func TestLikely(t *testing.T) {
	national := lookuptest.NationalPath(t)
	shared, known, hidden := sharedMirror(t), filepath.Join(t.TempDir(), "known.csv"), []hiddenPoint(nil)
	f, err := os.Create(known)
	check(t, err)
	fmt.Fprintln(f, "number,street,zip,lat,lon")
	rng := rand.New(rand.NewPCG(43, 1))
	for _, of := range [...]struct{ region, path string }{
		{"Vermont", shared + "/data.transportation.gov/download/fc2s-wawr/application/x-zip-compressed"},
		{"Baltimore County", shared + "/data.openaddresses.io/openaddr-collected-us_south.zip"},
		{"Milwaukee", shared + "/data.openaddresses.io/openaddr-collected-us_midwest.zip"},
		{"Virginia", shared + "/../address/va_address_points.csv.gz"},
	} {
		if !exists(of.path) {
			t.Skipf("the shared data lack %s", of.path)
		}
		for p, err := range source.ReadAddressPoints(format.File{Path: of.path}) {
			switch {
			case err != nil || !p.HasZIP:
			case rng.IntN(2) == 0:
				fmt.Fprintf(f, "%s,%s,%s,%v,%v\n", p.Numbers[0], p.Name, p.ZIP, p.Location.Lat(), p.Location.Lng())
			default:
				hidden = append(hidden, hiddenPoint{of.region, fmt.Sprintf("%s %s, %s", p.Numbers[0], p.Name, p.ZIP), p.Location})
			}
		}
	}
	check(t, f.Close())
	out := filepath.Join(t.TempDir(), "x.db")
	_, err = builder.Extend(t.Context(), national, builder.Options{Output: out, Mirror: shared, Offline: true, AddressPoints: []string{known}})
	check(t, err)
	db := sampletest.File(t, out)

	groups := map[string]*calibration{}
	rng.Shuffle(len(hidden), func(i, j int) { hidden[i], hidden[j] = hidden[j], hidden[i] })
	opt, _ := address.ParseOptions(likelyFlags)
	for _, h := range hidden[:min(len(hidden), 200_000)] {
		r, err := db.Geocode(t.Context(), h.text, geocode.Options{Include: opt.Include, Likely: opt.Likely})
		if errors.Is(err, postgeo.ErrNotFound) {
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", h.text, err)
		}
		if r.Likely == nil || r.Precision == geocode.Point { // of another unit at the same address
			continue
		}
		truth, _, err := db.FamiliesAt(t.Context(), h.at, lookup.Options{Include: lookup.Include{Census: true, CongressionalDistrict: true, StateLegislative: true}, Likely: true})
		check(t, err)
		for _, l := range [...]struct {
			name            string
			likely, holding []lookup.LikelyArea
		}{
			{"county", r.Likely.County, truth.Likely.County},
			{"tract", r.Likely.Tract, truth.Likely.Tract},
			{"cd", r.Likely.CD, truth.Likely.CD},
			{"state_leg", r.Likely.StateUpper, truth.Likely.StateUpper},
			{"state_leg", r.Likely.StateLower, truth.Likely.StateLower},
		} {
			for _, g := range [...]string{"all", h.region, "`" + string(r.Precision) + "`", l.name} {
				if groups[g] == nil {
					groups[g] = &calibration{}
				}
				groups[g].add(l.likely, l.holding)
			}
		}
	}
	columns := []string{"all", "Vermont", "Baltimore County", "Milwaukee", "Virginia", "`interpolated`", "`street`", "`zip`", "county", "tract", "cd", "state_leg"}
	table := scoretest.Table{Title: "likely", Columns: []string{"`p`", ">areas"}}
	for _, c := range columns {
		table.Columns = append(table.Columns, ">"+c)
	}
	for i, name := range [...]string{"below 0.1", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "from 0.95"} {
		row := []any{name, groups["all"][i].areas}
		for _, c := range columns {
			row = append(row, groups[c][i].String())
		}
		table.Rows = append(table.Rows, row)
	}
	scoretest.Hold(t, "geocode", table)
	scoretest.HoldFile(t, "docs/likely.svg", plot(groups, "`interpolated`", "`street`", "`zip`"))
	const most = 3 // percentage points
	for i, b := range groups["`interpolated`"] {
		if off := math.Abs(b.held()-b.expected()) * 100; off > most {
			t.Errorf("row %d: %s, %.1f points apart", i+1, &b, off)
		}
	}
}

// plot draws how often areas hold the point over their mean probabilities.
func plot(groups map[string]*calibration, names ...string) string {
	const side, edge = 300, 40
	colors := [...]string{"#1f77b4", "#d62728", "#7f7f7f"}
	var b strings.Builder
	text := func(x, y float64, anchor, color, s string) {
		fmt.Fprintf(&b, `<text x="%.0f" y="%.0f" text-anchor="%s" fill="%s">%s</text>`+"\n", x, y, anchor, color, s)
	}
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+"\n", side+2*edge, side+2*edge)
	fmt.Fprintln(&b, `<title>Areas that hold the point, by their probability</title><rect width="100%" height="100%" fill="#fff"/>`)
	fmt.Fprintf(&b, `<path d="M%d %dh%dv%dh%dz M%d %dL%d %d" fill="none" stroke="#999"/>`+"\n", edge, edge, side, side, -side, edge, edge+side, edge+side, edge)
	for i := range 3 {
		at := float64(i) / 2 * side
		text(edge+at, edge+side+16, "middle", "#333", fmt.Sprintf("%d %%", i*50))
		text(edge-6, edge+side-at+4, "end", "#333", fmt.Sprint(i*50))
	}
	text(edge+side/2, edge+side+32, "middle", "#333", "p")
	text(edge, edge-8, "start", "#333", "areas that hold the point, in %")
	for k, name := range names {
		var points []string
		for i := range groups[name] {
			bin := &groups[name][i]
			points = append(points, fmt.Sprintf("%.1f,%.1f", edge+side*bin.expected(), edge+side*(1-bin.held())))
		}
		fmt.Fprintf(&b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>`+"\n", strings.Join(points, " "), colors[k])
		text(edge+10, edge+20+float64(16*k), "start", colors[k], strings.Trim(name, "`"))
	}
	b.WriteString("</svg>\n")
	return b.String()
}

type hiddenPoint struct {
	region, text string
	at           geo.LatLng
}

// A calibration counts areas by their probability.
type calibration [11]bin

type bin struct {
	areas, right int
	sum          float64 // of the probabilities
}

func (c *calibration) add(likely, holding []lookup.LikelyArea) {
	for _, a := range likely {
		b := &c[min(int(a.P*10), 9)]
		if a.P >= 0.95 {
			b = &c[10]
		}
		b.areas++
		b.sum += a.P
		for _, x := range holding {
			if x.GEOID == a.GEOID {
				b.right++
			}
		}
	}
}

func (b *bin) held() float64     { return float64(b.right) / float64(max(b.areas, 1)) }
func (b *bin) expected() float64 { return b.sum / float64(max(b.areas, 1)) }

// String returns the part of the areas that hold the point, and the mean probability.
func (b *bin) String() string {
	if b.areas == 0 {
		return ""
	}
	return strings.Replace(fmt.Sprintf("%.1f / %.1f %%", 100*b.held(), 100*b.expected()), "100.0 %", "100 %", 1)
}
