package query

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/geo/svg"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

type mapOptions struct {
	Code  string  `arg:"" join:"codes" is:"code" help:"Code, or latitude,longitude in it."`
	Miles float64 `range:"above 0 and at most 150" most:"150" help:"Distance from the center to the edge of the map. Default: the extent of the area, or 5 miles." placeholder:"N"`
	Width int     `help:"Width in pixels, 320 to 4096." least:"320" most:"4096" default:"720" placeholder:"N"`

	command.OutputFile
	command.Data
}

// maxMapMiles is the largest extent of the map of a code.
const maxMapMiles = 150

// Run draws the area of the code among its neighbors.
func (o *mapOptions) run(c *command.Call) error {
	if err := c.NeedAreas("maps"); err != nil {
		return err
	}
	r, err := c.DB.QuickLookup(c.Context, o.Code, lookup.QuickOptions{})
	if err != nil {
		return c.FailInput(codeInput(o.Code), err)
	}
	c.Notices(o.Code, r.Notices)
	m, err := o.draw(c, r)
	if err != nil {
		return err
	}
	data, err := m.Append(nil)
	if err != nil {
		return err
	}
	return o.Save(c.Env, data, c.Path)
}

func (o *mapOptions) draw(c *command.Call, r *lookup.QuickRecord) (*svg.Map, error) {
	outline, _, err := c.DB.CodeOutline(c.Context, r.Code)
	if err != nil {
		return nil, err
	}
	m := &svg.Map{
		Title: placeName(r.Code, r.City, r.State), Attribution: attribution(c.DB.Info()), Width: o.Width,
		Center: r.Location, Extent: geo.Miles(5).Meters(),
	}
	if outline != nil {
		if m.Center, m.Extent, err = around(outline); err != nil {
			return nil, err
		}
	}
	if o.Miles > 0 {
		m.Extent = geo.Miles(o.Miles).Meters()
	}
	m.Extent = min(m.Extent, geo.Miles(maxMapMiles).Meters())
	if !m.Center.IsValid() {
		return nil, command.Failure(`%s has neither an area nor a point in this dataset`, r.Code)
	}

	if m.Areas, err = states(c); err != nil {
		return nil, err
	}
	own := r.Code
	if r.ParentCode != "" && outline != nil {
		own = r.ParentCode
	}
	const corner = 1.5 // a little more than the corners of the frame
	neighbors, err := c.DB.Radius(c.Context, m.Center.String(), radius.Options{Mode: radius.Spatial, Max: min(corner*m.Extent.Miles(), radius.MaxSpatialMiles)})
	if err != nil {
		return nil, err
	}
	for i := range neighbors.Matches {
		if n := &neighbors.Matches[i]; n.Code != own {
			add(c, m, n, svg.Area{Label: n.Code, Class: svg.Backdrop}, "")
		}
	}
	if outline != nil {
		m.Areas = append(m.Areas, svg.Area{Label: own, Class: svg.Focus, Polygons: outline})
	}
	if given, err := lookup.ParseCode(o.Code); err == nil && given.Type() == lookup.Coordinates {
		at := given.LatLng()
		m.Points = append(m.Points, svg.Point{Label: at.Rounded().String(), Class: svg.Focus, At: at})
	} else if outline == nil || own != r.Code {
		m.Points = append(m.Points, svg.Point{Label: r.Code, Class: svg.Focus, At: r.Location})
	}
	return m, nil
}

// around returns the center of an outline and the extent of a map that shows it
// with a margin. The western side of its box stands for the eastern one, which is as far
// from the center.
func around(outline orb.MultiPolygon) (geo.LatLng, geo.Meters, error) {
	box, err := spatial.BoundingBox(outline)
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
	const least = 500 // meters
	return center, max(reach*1.05, least), nil
}

// saveMap draws the matches of a search into a file.
func saveMap(c *command.Call, path string, r *radius.Result) error {
	s := &r.Search
	ground, err := states(c)
	if err != nil {
		return err
	}
	m := &svg.Map{
		Title: fmt.Sprintf("%v miles around %s", float64(s.Max), placeName(cmp.Or(s.Center.Code, s.Center.Location.String()), s.Center.City, s.Center.State)), Attribution: attribution(c.DB.Info()), Legend: "Share inside",
		Center: s.Center.Location, Radius: s.Max.Meters(), Areas: ground,
	}
	if s.Min != nil {
		m.MinRadius = s.Min.Meters()
	}
	for i := range r.Matches {
		match := &r.Matches[i]
		class := svg.Found
		if match.Code == s.Center.Code {
			class = svg.Focus
		}
		add(c, m, match, svg.Area{Label: match.Code, Class: class, Percent: match.PctInside}, match.Code)
	}
	if len(m.Points) > maxPointLabels {
		for i := range m.Points {
			m.Points[i].Label = ""
		}
	}
	data, err := m.Append(nil)
	if err != nil {
		return err
	}
	return command.ReplaceFile(c.Env, path, data, c.Path)
}

// add draws the area of a match, or its point with a label.
func add(c *command.Call, m *svg.Map, match *radius.Match, area svg.Area, label string) {
	if area.Polygons, _ = c.Outline(match.CodeType, match.Code); area.Polygons != nil {
		m.Areas = append(m.Areas, area)
	} else {
		m.Points = append(m.Points, svg.Point{Label: label, Class: area.Class, At: match.Location})
	}
}

// maxPointLabels is the largest number of points with names on a map; more names
// would hide it.
const maxPointLabels = 100

func states(c *command.Call) ([]svg.Area, error) {
	var out []svg.Area
	for s, err := range c.DB.StateOutlines(c.Context) {
		if err != nil {
			return nil, err
		}
		out = append(out, svg.Area{Class: svg.Backdrop, Polygons: s.Outline, Land: true})
	}
	return out, nil
}

func placeName(code, city, state string) string {
	return command.JoinText(code, " ", command.JoinText(city, ", ", state))
}

// mapSources have the outlines and points of codes, and the outlines of states. They are
// the beginnings of identifiers.
var mapSources = []string{"geonames-", "zip-", "gazetteer-zcta", "cb-zctas", "cb-states", "statcan-lfsa", "statcan-da-points", "opcc-correspondence"}

// attribution returns the attribution of the sources of a map, or of all
// if the dataset has none of them.
func attribution(m dataset.Manifest) string {
	used := m.Sources[:0:0]
	for _, s := range m.Sources {
		if slices.ContainsFunc(mapSources, func(start string) bool { return strings.HasPrefix(s.ID, start) }) {
			used = append(used, s)
		}
	}
	if len(used) > 0 {
		m.Sources = used
	}
	text := ""
	if m.Sample {
		text = "Sample: a few hundred codes; ZIP+4 records and profiles are invented."
	}
	for _, a := range m.Attributions() {
		text = command.JoinText(text, " · ", a)
	}
	return text
}
