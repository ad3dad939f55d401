// Package draw has the operations of the map page: outlines of codes, areas and figures of
// the survey for each code.
package draw

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/clip"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// Outlines returns the areas of codes in a box, for drawing.
var Outlines = operation.New((*OutlinesInput).Run, operation.Operation{
	Name: "outlines", Path: "/v2/outlines",
	Summary: "Return the simplified outlines of the codes, states and provinces in a box, or of named codes, for drawing a map.",
	Detail:  "Areas nearest to the middle of the box come first. Neighbors keep common borders. Land is cut off at the box, areas of your layers are not.",
	Price:   "1.", Heavy: true, Failures: []envelope.Code{envelope.NotFoundZIP, envelope.NotFoundFSA, envelope.NotFoundPostal},
})

// All returns the operations of this package.
func All() []*operation.Operation { return []*operation.Operation{Outlines, AreaOf, Figures} }

const maxBoxDegrees = 20

// OutlinesInput is the input of [Outlines].
type OutlinesInput struct {
	Box       Box     `json:"box,omitzero" chars:"100" example:"-118.5,34,-118.3,34.2" help:"West, south, east and north in degrees, separated by commas. Required without codes. At most 20 degrees wide and high; west is greater than east across longitude 180."`
	Tolerance float64 `json:"tolerance" least:"0.00001" most:"1" default:"0.001" help:"Size of a step of the outlines in degrees, from 0.00001 to 1. Smaller areas have no outline."`
	Limit     int     `json:"limit" least:"0" most:"2500" default:"2500" help:"Maximum number of areas, and of those of your layers; 0 for land only."`
	Codes     string  `json:"codes,omitzero" is:"codes" chars:"20000" example:"90210,90212" help:"Codes to draw in place of those in the box, separated by commas; at most 2,500."`

	Include envelope.Flags `json:"-" values:"layers" help:"layers adds the areas of all your layers, layers.NAME those of one."`
}

// A Box is a range of longitudes and latitudes.
type Box geo.Box

// UnmarshalText reads west, south, east and north.
func (b *Box) UnmarshalText(text []byte) error {
	bad := &envelope.Failure{Kind: envelope.KindInvalidParam, Param: "box", Input: string(text), Range: fmt.Sprintf("west, south, east and north in degrees, such as -118.5,34,-118.3,34.2, at most %d degrees wide and high", maxBoxDegrees)}
	parts := strings.Split(string(text), ",")
	var v [4]float64
	if len(parts) != len(v) {
		return bad
	}
	for i, part := range parts {
		var ok bool
		if v[i], ok = operation.ParseNumber(strings.TrimSpace(part)); !ok {
			return bad
		}
	}
	southWest, err1 := geo.LatLngFromDegrees(v[1], v[0])
	northEast, err2 := geo.LatLngFromDegrees(v[3], v[2])
	wide := v[2] - v[0]
	if wide < 0 {
		wide += 360
	}
	if err1 != nil || err2 != nil || v[1] >= v[3] || wide == 0 || wide > maxBoxDegrees || v[3]-v[1] > maxBoxDegrees {
		return bad
	}
	*b = Box{SouthWest: southWest, NorthEast: northEast}
	return nil
}

// String returns west, south, east and north, or "" for an empty box.
func (b Box) String() string {
	if geo.Box(b).IsEmpty() {
		return ""
	}
	return fmt.Sprintf("%v,%v,%v,%v", b.SouthWest.Lng(), b.SouthWest.Lat(), b.NorthEast.Lng(), b.NorthEast.Lat())
}

// IsZero reports whether the box is empty.
func (b Box) IsZero() bool { return geo.Box(b).IsEmpty() }

// MarshalText returns the text that UnmarshalText reads.
func (b Box) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// bound returns the box in degrees. It continues beyond longitude 180.
func (b Box) bound() orb.Bound {
	out := orb.Bound{Min: orb.Point{b.SouthWest.Lng(), b.SouthWest.Lat()}, Max: orb.Point{b.NorthEast.Lng(), b.NorthEast.Lat()}}
	if out.Max[0] < out.Min[0] {
		out.Max[0] += 360
	}
	return out
}

// An OutlinesResult holds the areas in a box.
type OutlinesResult struct {
	Tolerance float64     `json:"tolerance"` // degrees of a step in rings
	Areas     []DrawnCode `json:"areas"`     // nearest to the middle of the box first
	Land      []DrawnLand `json:"land"`      // states and provinces, cut off at the box
	More      int         `json:"more"`      // areas beyond the limit

	Layers []DrawnArea `json:"layers,omitempty"` // areas of layers of the user, by layer and ID
}

// A DrawnCode is a code with its outline.
type DrawnCode struct {
	Code     string     `json:"code"`              // canonical form
	City     string     `json:"city"`              // city of the code, in proper case
	State    string     `json:"state"`             // two letters
	Location geo.LatLng `json:"location"`          // in degrees of WGS84
	Rings    Rings      `json:"rings,omitempty"`   // longitudes and latitudes in steps of the tolerance, pairs relative to their predecessors; absent for small areas
	Area     bool       `json:"has_area,omitzero"` // false for a code with a point only
}

// A DrawnLand is the outline of a state or province.
type DrawnLand struct {
	State string `json:"state"` // two letters
	Rings Rings  `json:"rings"` // longitudes and latitudes in steps of the tolerance, pairs relative to their predecessors
}

// A DrawnArea is an area of a layer of the user.
type DrawnArea struct {
	Layer string `json:"layer"`           // e.g. layers.sales
	GEOID string `json:"geoid"`           // ID of the area
	Name  string `json:"name"`            // name of the area
	Rings Rings  `json:"rings,omitempty"` // longitudes and latitudes in steps of the tolerance, pairs relative to their predecessors; absent for small areas
}

// Rings are the rings of an outline. Each is a list of longitudes and latitudes in
// steps of a tolerance, every pair after the first relative to its predecessor. Outer
// rings are counterclockwise, holes clockwise.
type Rings [][]int

// NewRings rounds an outline to a grid with steps of a tolerance in degrees. A vertex is
// rounded by its own coordinates alone, so that neighbors keep common borders. A
// simplification by distances from a line, as of Douglas and Peucker, depends on where a ring
// begins, and leaves gaps between neighbors. Smaller rings are omitted.
func NewRings(m orb.MultiPolygon, tolerance float64) Rings {
	var out Rings
	for _, polygon := range m {
		for i, ring := range polygon {
			flat := gridRing(ring, tolerance)
			if flat != nil {
				out = append(out, flat)
			} else if i == 0 {
				break // its holes are smaller
			}
		}
	}
	return out
}

// A gridPoint is a longitude and a latitude in steps.
type gridPoint [2]int

// gridRing rounds a closed ring to a grid, or returns nil if it has no area there.
func gridRing(closed orb.Ring, tolerance float64) []int {
	var ring []gridPoint
	for _, p := range closed {
		q := gridPoint{int(math.Round(p[0] / tolerance)), int(math.Round(p[1] / tolerance))}
		n := len(ring)
		if n > 0 && ring[n-1] == q {
			continue
		}
		if n > 1 && straight(ring[n-2], ring[n-1], q) {
			ring = ring[:n-1]
		}
		ring = append(ring, q)
	}
	if n := len(ring); n > 1 && ring[0] == ring[n-1] {
		ring = ring[:n-1]
	}
	if len(ring) < 3 {
		return nil
	}
	flat := make([]int, 0, 2*len(ring))
	last := gridPoint{}
	for _, q := range ring {
		flat = append(flat, q[0]-last[0], q[1]-last[1])
		last = q
	}
	return flat
}

// straight reports whether the way from a by b to c continues in one direction.
func straight(a, b, c gridPoint) bool {
	x1, y1, x2, y2 := b[0]-a[0], b[1]-a[1], c[0]-b[0], c[1]-b[1]
	return x1*y2 == x2*y1 && x1*x2+y1*y2 > 0
}

// Run draws the box.
func (in *OutlinesInput) Run(ctx context.Context, db operation.DB) (*OutlinesResult, error) {
	found, err := in.matches(ctx, db)
	if err != nil {
		return nil, err
	}
	bound := in.Box.bound()
	out := &OutlinesResult{Tolerance: in.Tolerance, Areas: []DrawnCode{}, Land: []DrawnLand{}}
	out.More = max(0, len(found)-in.Limit)
	for _, m := range found[:len(found)-out.More] {
		area, err := in.outline(ctx, db, m.Code)
		if err != nil {
			return nil, err
		}
		out.Areas = append(out.Areas, DrawnCode{m.Code, m.City, m.State, m.Location, NewRings(area, in.Tolerance), len(area) > 0})
	}
	if geo.Box(in.Box).IsEmpty() {
		return out, nil
	}
	for s, err := range db.StateOutlines(ctx, geo.Box(in.Box)) {
		if err != nil {
			return nil, err
		}
		if rings := NewRings(cutTo(s.Outline, bound), in.Tolerance); rings != nil {
			out.Land = append(out.Land, DrawnLand{s.State, rings})
		}
	}
	return out, in.addLayers(ctx, db, out)
}

// outline returns the outline of a ZIP or FSA; that of a part of one is nil.
func (in *OutlinesInput) outline(ctx context.Context, db operation.DB, code string) (orb.MultiPolygon, error) {
	if c, err := lookup.ParseCode(code); err != nil || c.Type() != lookup.ZIP && c.Type() != lookup.FSA {
		return nil, err
	}
	outline, _, err := db.CodeOutline(ctx, code)
	return outline, err
}

// matches returns the named codes, or else those in the box.
func (in *OutlinesInput) matches(ctx context.Context, db operation.DB) ([]radius.Match, error) {
	switch {
	case in.Codes != "":
		return in.named(ctx, db)
	case geo.Box(in.Box).IsEmpty():
		return nil, &envelope.Failure{Kind: envelope.KindInvalidParam, Param: "box", Range: "given, or else codes"}
	case in.Limit == 0:
		return nil, nil
	}
	found, err := db.InPolygon(ctx, in.Box.bound().ToPolygon(), radius.PolygonOptions{Mode: radius.Spatial})
	if err != nil {
		return nil, err
	}
	return found.Matches, nil
}

// named returns the named codes, each once.
func (in *OutlinesInput) named(ctx context.Context, db operation.DB) (list []radius.Match, err error) {
	seen := map[string]bool{}
	for code := range strings.SplitSeq(in.Codes, ",") {
		r, err := db.QuickLookup(ctx, code, lookup.QuickOptions{})
		if err != nil {
			return nil, err
		}
		if !seen[r.Code] {
			seen[r.Code] = true
			list = append(list, radius.Match{Code: r.Code, City: r.City, State: r.State, Location: r.Location})
		}
	}
	return list, nil
}

// addLayers adds the areas of layers of the user.
func (in *OutlinesInput) addLayers(ctx context.Context, db operation.DB, out *OutlinesResult) error {
	list, err := in.layers(ctx, db)
	if err != nil {
		return err
	}
	for _, layer := range list {
		for geoid, err := range db.AreaIDs(ctx, layer, geo.Box(in.Box)) {
			if err != nil {
				return err
			}
			if len(out.Layers) == in.Limit {
				out.More++
				continue
			}
			area, outline, err := db.AreaOutline(ctx, layer, geoid)
			if err != nil {
				return err
			}
			out.Layers = append(out.Layers, DrawnArea{string(layer), geoid, area.Name, NewRings(outline, in.Tolerance)})
		}
	}
	return nil
}

// layers returns the layers of the user that the input includes.
func (in *OutlinesInput) layers(ctx context.Context, db operation.DB) (list []lookup.Layer, err error) {
	for _, flag := range envelope.ParseFlags(in.Include...) {
		name, own := store.LayerFlag(flag)
		switch {
		case flag == "layers":
			return db.OwnLayers(ctx)
		case own:
			id, err := layerNamed(ctx, db, name)
			if err != nil {
				return nil, err
			}
			list = append(list, id)
		default:
			return nil, &envelope.Failure{Kind: envelope.KindInvalidParam, Param: "include", Input: flag, Range: "layers, or the name of a layer of yours"}
		}
	}
	return list, nil
}

// layerNamed returns the layer that a flag names: one of the user if the dataset has it,
// else one of the catalog.
func layerNamed(ctx context.Context, db operation.DB, name string) (lookup.Layer, error) {
	own, err := db.OwnLayers(ctx)
	list := store.LayersNamed(name)
	if len(list) > 1 && !slices.Contains(own, lookup.Layer(list[0].String())) {
		list = list[1:]
	}
	return lookup.Layer(list[0].String()), err
}

// cutTo cuts an outline off at a box, also if one of them continues beyond longitude
// 180.
func cutTo(m orb.MultiPolygon, b orb.Bound) orb.MultiPolygon {
	var out orb.MultiPolygon
	for _, polygon := range m {
		for _, turn := range [...]float64{-360, 0, 360} {
			moved := orb.Bound{Min: orb.Point{b.Min[0] - turn, b.Min[1]}, Max: orb.Point{b.Max[0] - turn, b.Max[1]}}
			if !moved.Intersects(polygon.Bound()) {
				continue
			}
			cut := clip.Polygon(moved, polygon.Clone())
			for _, ring := range cut {
				for i := range ring {
					ring[i][0] += turn
				}
			}
			if len(cut) > 0 {
				out = append(out, cut)
			}
		}
	}
	return out
}

// AreaOf returns one area with its codes, for drawing.
var AreaOf = operation.New((*AreaOfInput).Run, operation.Operation{
	Name: "area", Path: "/v2/area",
	Summary: "Return a county, place, tract, district or other area: its outline and its codes with their shares.",
	Detail:  "The largest part of the area comes first. A code without an outline is listed if the area contains its location.",
	Price:   "1.", Failures: []envelope.Code{envelope.NotFound},
})

// AreaOfInput is the input of [AreaOf].
type AreaOfInput struct {
	LayerID   string  `json:"layer" required:"" name:"layer" is:"layer" example:"county" help:"Kind: county, cousub, place, tract, bg, cbsa, cd, sldu, sldl, school, puma, urban, tribal, vtd; Canada: csd, ct, cma, er, fed."`
	GEOID     string  `json:"geoid" required:"" chars:"100" example:"06037" help:"ID of the area: 06037 for a county, 0636 for a congressional district."`
	Tolerance float64 `json:"tolerance" least:"0.00001" most:"1" default:"0.001" help:"Size of a step of the outline in degrees, from 0.00001 to 1."`
	Plan      string  `json:"plan,omitzero" placeholder:"ID" chars:"40" help:"District plan, such as cd120."`
}

// An AreaOfResult is an area with its outline and codes.
type AreaOfResult struct {
	lookup.CodesIn
	Tolerance float64 `json:"tolerance"`       // degrees of a step in rings
	Rings     Rings   `json:"rings,omitempty"` // longitudes and latitudes in steps of the tolerance, pairs relative to their predecessors
}

// Run finds the area.
func (in *AreaOfInput) Run(ctx context.Context, db operation.DB) (*AreaOfResult, error) {
	id, err := operation.LayerInput{Layer: in.LayerID}.ID()
	if err != nil {
		return nil, err
	}
	_, outline, err := db.AreaOutline(ctx, id, in.GEOID)
	if err != nil {
		return nil, err
	}
	found, err := db.CodesIn(ctx, id, in.GEOID, lookup.CodesInOptions{Plan: in.Plan})
	if err != nil {
		return nil, err
	}
	return &AreaOfResult{*found, in.Tolerance, NewRings(outline, in.Tolerance)}, nil
}
