package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/geo/svg"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// mapCmd is "postgeo map".
type mapCmd struct {
	Code  string  `arg:"" join:"codes" help:"Code, or latitude,longitude in it."`
	Miles float64 `help:"How far the map reaches from its middle. Default: as far as the area, or 5 miles." placeholder:"N"`
	Width int     `help:"Width in pixels, 320 to 4096." default:"720" placeholder:"N"`

	outputFlag
	dataFlag
}

// maxMapMiles is how far the map of a code reaches at most.
const maxMapMiles = 150

// Run draws the area of the code among its neighbours.
func (c *mapCmd) Run(ctx context.Context, env *Env) error {
	if !(c.Miles >= 0 && c.Miles <= maxMapMiles) {
		return wrongUse("--miles is %v; expected more than 0 and at most %d", c.Miles, maxMapMiles)
	}
	db, path, err := c.open(env)
	if err != nil {
		return err
	}
	defer db.Close()
	if err := needAreas(db, path, "a map shows"); err != nil {
		return err
	}
	r, err := db.QuickLookup(ctx, c.Code, postgeo.QuickLookupOptions{})
	if err != nil {
		fails := failures{env: env, sample: path == ""}
		return writeFailed(env, output.Options{Format: output.Table}, &fails, envelope.Input{Code: c.Code}, err)
	}
	env.note(c.Code, r.Notices)
	m, err := c.draw(ctx, db, r)
	if err != nil {
		return err
	}
	data, err := m.Append(nil)
	if err != nil {
		return mapError(err)
	}
	return c.write(env, data, path)
}

// draw makes the map of a code.
func (c *mapCmd) draw(ctx context.Context, db *postgeo.DB, r *lookup.QuickRecord) (*svg.Map, error) {
	outline, err := db.Outline(r.Code)
	if err != nil {
		return nil, err
	}
	m := &svg.Map{
		Title: placeName(r.Code, r.City, r.State), Attribution: attribution(db.Info()), Width: c.Width,
		Center: r.Location, Extent: geo.Miles(5).Meters(),
	}
	if outline != nil {
		if m.Center, m.Extent, err = around(outline); err != nil {
			return nil, err
		}
	}
	if c.Miles > 0 {
		m.Extent = geo.Miles(c.Miles).Meters()
	}
	m.Extent = min(m.Extent, geo.Miles(maxMapMiles).Meters())
	if !m.Center.IsValid() {
		return nil, fmt.Errorf("%s has neither an area nor a point in this dataset; there is nothing to draw", r.Code)
	}

	m.Areas = states(db)
	f := &featurer{db: db}
	own := r.Code
	if r.ParentCode != "" && outline != nil {
		own = r.ParentCode
	}
	const corner = 1.5 // a little more than the corners of the frame
	neighbours, err := db.Radius(ctx, m.Center.String(), postgeo.RadiusOptions{Mode: postgeo.Spatial, Max: min(corner*m.Extent.Miles(), radius.MaxSpatialMiles)})
	if err != nil {
		return nil, err
	}
	for i := range neighbours.Matches {
		n := &neighbours.Matches[i]
		if n.Code == own {
			continue
		}
		note := placeName(n.Code, n.City, n.State)
		if shape := f.outline(n.CodeType, n.Code); shape != nil {
			m.Areas = append(m.Areas, svg.Area{Label: n.Code, Note: note, Class: svg.Backdrop, Polygons: shape})
		} else {
			m.Points = append(m.Points, svg.Point{Note: note, Class: svg.Backdrop, At: n.Location})
		}
	}
	if outline != nil {
		m.Areas = append(m.Areas, svg.Area{Label: own, Note: m.Title, Class: svg.Focus, Polygons: outline})
	}
	if given, err := lookup.ParseCode(c.Code); err == nil && given.Type() == lookup.Coordinates {
		at := given.LatLng()
		m.Points = append(m.Points, svg.Point{Label: at.Rounded().String(), Note: "here", Class: svg.Focus, At: at})
	} else if outline == nil || own != r.Code {
		m.Points = append(m.Points, svg.Point{Label: r.Code, Note: m.Title, Class: svg.Focus, At: r.Location})
	}
	return m, f.err
}

// around returns the middle of an outline, and how far a map has to reach to
// show it with a margin.
func around(outline orb.MultiPolygon) (geo.LatLng, geo.Meters, error) {
	box, err := geo.BoundingBox(outline)
	if err != nil {
		return geo.LatLng{}, 0, err
	}
	center := box.Center()
	var reach geo.Meters
	for _, p := range [...][2]float64{
		{box.SouthWest.Lat(), center.Lng()},
		{box.NorthEast.Lat(), center.Lng()},
		{box.SouthWest.Lat(), box.SouthWest.Lng()},
		{box.NorthEast.Lat(), box.SouthWest.Lng()},
		{center.Lat(), box.SouthWest.Lng()},
	} {
		edge, err := geo.LatLngFromDegrees(p[0], p[1])
		if err != nil {
			return geo.LatLng{}, 0, err
		}
		reach = max(reach, geo.Distance(center, edge))
	}
	const least = 500 // metres
	return center, max(reach*1.05, least), nil
}

// radiusMap makes the map of a search.
func radiusMap(f *featurer, r *radius.Result) (*svg.Map, error) {
	s := &r.Search
	m := &svg.Map{
		Title: fmt.Sprintf("%v miles around %s", float64(s.Max), centerName(&s.Center)), Attribution: attribution(f.db.Info()), Legend: "Share inside",
		Center: s.Center.Location, Radius: s.Max.Meters(), Areas: states(f.db),
	}
	if s.Min != nil {
		m.MinRadius = s.Min.Meters()
	}
	for i := range r.Matches {
		match := &r.Matches[i]
		note := fmt.Sprintf("%s: %v miles", placeName(match.Code, match.City, match.State), float64(match.DistanceMiles))
		if match.PctInside != nil {
			note += fmt.Sprintf(", %v%% inside", *match.PctInside)
		}
		class := svg.Found
		if match.Code == s.Center.Code {
			class = svg.Focus
		}
		if shape := f.outline(match.CodeType, match.Code); shape != nil {
			m.Areas = append(m.Areas, svg.Area{Label: match.Code, Note: note, Class: class, Percent: match.PctInside, Polygons: shape})
		} else {
			m.Points = append(m.Points, svg.Point{Label: match.Code, Note: note, Class: class, At: match.Location})
		}
	}
	if len(m.Points) > maxPointLabels {
		for i := range m.Points {
			m.Points[i].Label = ""
		}
	}
	return m, f.err
}

// maxPointLabels is the most points that are named on a map; the names of more
// would hide it.
const maxPointLabels = 100

// states returns the ground of a map.
func states(db *postgeo.DB) []svg.Area {
	var out []svg.Area
	for _, outline := range db.StateOutlines() {
		out = append(out, svg.Area{Class: svg.Backdrop, Polygons: outline})
	}
	return out
}

// attribution says whose data a map shows.
func attribution(m postgeo.Manifest) string {
	text := ""
	if m.Sample {
		text = "Sample: invented data around real codes."
	}
	for _, a := range m.Attributions() {
		text = joinText(text, " · ", a)
	}
	return text
}

func centerName(c *radius.Center) string {
	code := c.Code
	if code == "" {
		code = c.Location.String()
	}
	return placeName(code, c.City, c.State)
}

// placeName names a code with its city and state.
func placeName(code, city, state string) string {
	return joinText(code, " ", joinText(city, ", ", state))
}

// joinText joins two texts unless one is empty.
func joinText(a, between, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + between + b
}

// saveMap draws a map into a file. read is the dataset's.
func saveMap(env *Env, path string, m *svg.Map, read string) error {
	data, err := m.Append(nil)
	if err != nil {
		return mapError(err)
	}
	return replaceFile(env, path, data, read)
}

// mapError makes wrong use of what a flag has made impossible.
func mapError(err error) error {
	if errors.Is(err, svg.ErrInvalidMap) {
		return wrongUse("%v", err)
	}
	return err
}
