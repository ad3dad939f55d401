package tools

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/geo/geojson"
	"github.com/postgeo/postgeo/lookup/suggest"
	"github.com/postgeo/postgeo/radius"
)

// How many matches a search returns unless asked for more, and the most.
const (
	usualMatches = 50
	mostMatches  = 500
)

// searchFlags are what a search may add.
var searchFlags = []string{"timezone", "acs_{demographic|social|economic|housing}", "acs_{profile}_{year}"}

// searchModes are the names of the modes, the usual one first.
func searchModes() []string { return []string{radius.Centroid.String(), radius.Spatial.String()} }

const modeText = "centroid (the default) finds ZIPs and Canadian postal codes by their points; spatial finds ZIPs and FSAs by their areas, with the share inside."

type radiusIn struct {
	Code    string    `json:"code" jsonschema:"The center: any code, or latitude,longitude."`
	Max     number    `json:"max" jsonschema:"Radius in miles, above 0 and at most 500 (250 in spatial mode); or auto (by density) or auto-commute (by travel time to work)."`
	Min     number    `json:"min,omitempty" jsonschema:"Leave out what lies within this many miles. Default: 0."`
	Mode    string    `json:"mode,omitempty" jsonschema:"centroid (the default) finds ZIPs and Canadian postal codes by their points; spatial finds ZIPs and FSAs by their areas, with the share inside."`
	Include flags     `json:"include,omitempty" jsonschema:"timezone adds that of each match; an ACS profile is summed up over all US ZIP Codes inside, regardless of limit."`
	Limit   *int      `json:"limit,omitempty" jsonschema:"The most matches, nearest first. Default: 50. summary.total_available is the number of all."`
	At      time.Time `json:"at,omitzero" jsonschema:"Date and time of the time zones, in RFC 3339 form. Default: now."`
}

func (in radiusIn) echo() envelope.Input { return envelope.Input{Code: in.Code} }

type autoIn struct {
	Code string `json:"code" jsonschema:"The center: any code, or latitude,longitude."`
	Rule string `json:"rule" jsonschema:"auto: the radius around about 250,000 people; auto-commute: the mean way to work."`
}

func (in autoIn) echo() envelope.Input { return envelope.Input{Code: in.Code} }

type nearestIn struct {
	Code     string    `json:"code" jsonschema:"Where to start: any code, or latitude,longitude."`
	Count    *int      `json:"count,omitempty" jsonschema:"How many codes. Default: 1."`
	Max      number    `json:"max,omitempty" jsonschema:"The farthest that they may be, in miles. Default: anywhere."`
	Mode     string    `json:"mode,omitempty" jsonschema:"centroid (the default) finds ZIPs and Canadian postal codes, spatial ZIPs and FSAs; both by their points."`
	Timezone bool      `json:"timezone,omitempty" jsonschema:"Add the time zone of each match."`
	At       time.Time `json:"at,omitzero" jsonschema:"Date and time of the time zones, in RFC 3339 form. Default: now."`
}

func (in nearestIn) echo() envelope.Input { return envelope.Input{Code: in.Code} }

type insideIn struct {
	Polygon  json.RawMessage `json:"polygon" jsonschema:"A GeoJSON geometry of type Polygon or MultiPolygon: longitude and latitude in degrees."`
	Mode     string          `json:"mode,omitempty" jsonschema:"spatial (the default) finds ZIPs and FSAs by their areas, with the share inside; centroid ZIPs and Canadian postal codes by their points."`
	Timezone bool            `json:"timezone,omitempty" jsonschema:"Add the time zone of each match."`
	Limit    *int            `json:"limit,omitempty" jsonschema:"The most matches. Default: 50. summary has the number of all."`
	At       time.Time       `json:"at,omitzero" jsonschema:"Date and time of the time zones, in RFC 3339 form. Default: now."`
}

type suggestIn struct {
	Query     string `json:"query" jsonschema:"The text typed so far: a name, a name and a state, a code, or the beginning of one. Its last word is unfinished unless a space follows."`
	Limit     *int   `json:"limit,omitempty" jsonschema:"The most matches. Default: 10."`
	Include   flags  `json:"include,omitempty" jsonschema:"Types of matches. Default: all."`
	State     string `json:"state,omitempty" jsonschema:"Abbreviation of the US state or Canadian province that matches lie in."`
	Country   string `json:"country,omitempty" jsonschema:"Country that matches lie in. Default: both."`
	Proximity string `json:"proximity,omitempty" jsonschema:"What is near comes first: latitude,longitude, a ZIP, an FSA, or a state or province."`
}

func (s *service) addSearches(server *mcp.Server) {
	add(server, s, definition{
		name: "radius", title: "Codes around a center",
		core:        true,
		description: "The codes within a number of miles of a center, nearest first, with counts; ACS figures of the whole circle with include. " + modeText,
		bounds: []bound{
			chars(maxCode, "code"),
			oneOf("mode", searchModes()...),
			limited(mostMatches),
			words("include", searchFlags...),
		},
		choose: true,
	}, s.radius)
	s.addRadiusBatch(server)
	add(server, s, definition{
		name: "auto_radius", title: "An automatic radius",
		description: "The length of an automatic radius around a center in miles, without a search.",
		bounds:      []bound{chars(maxCode, "code"), oneOf("rule", "auto", "auto-commute")},
	}, s.autoRadius)
	add(server, s, definition{
		name: "nearest", title: "The nearest codes",
		core:        true,
		description: "The codes whose points are nearest to a center, nearest first.",
		bounds:      []bound{chars(maxCode, "code"), between("count", 1, mostMatches), oneOf("mode", searchModes()...)},
		choose:      true,
	}, s.nearest)
	add(server, s, definition{
		name: "inside_polygon", title: "Codes inside a polygon",
		heavy:       true,
		description: "The codes inside a GeoJSON polygon, and how much of each lies in it, e.g. of a sales territory.",
		bounds:      []bound{oneOf("mode", radius.Spatial.String(), radius.Centroid.String()), limited(mostMatches)},
		choose:      true,
	}, s.inside)
	add(server, s, definition{
		name: "suggest", title: "Complete a name or code",
		core:        true,
		description: "Completions of a partly typed text: codes, places, counties, metro areas, states, school districts, best first. Finds the code or GEOID that goes with a name.",
		bounds: []bound{
			chars(suggest.MaxQueryLength, "query"),
			limited(usualMatches),
			oneOf("country", "US", "CA"),
			words("include", "zip", "place", "county", "cbsa", "fsa", "state", "school_district", "ca_postal", "uspscity"),
		},
		choose: true,
	}, s.suggest)
}

// options are what the arguments ask for, and the flags that mean nothing.
func (in *radiusIn) options() (o postgeo.RadiusOptions, unknown []string, err error) {
	o.Limit, o.At = defaulted(in.Limit, usualMatches), in.At
	o.Include, unknown = radius.ParseInclude(in.Include.texts())
	if o.Mode, err = radius.ParseMode(in.Mode); err != nil {
		return o, nil, err
	}
	if o.Max, o.Auto, err = radius.ParseMax(string(in.Max)); err != nil {
		return o, nil, err
	}
	if in.Min != "" {
		o.Min, err = radius.ParseMin(string(in.Min))
	}
	return o, unknown, err
}

func (s *service) radius(ctx context.Context, in radiusIn) (*postgeo.RadiusResult, error) {
	o, unknown, err := in.options()
	if err != nil {
		return nil, err
	}
	r, err := s.db.Radius(ctx, in.Code, o)
	if err != nil {
		return nil, err
	}
	r.Notices = append(r.Notices, ignored(unknown)...)
	return r, nil
}

// An autoAnswer is what an automatic radius comes to.
type autoAnswer struct {
	Code  string    `json:"code"`
	Rule  string    `json:"rule"`
	Miles geo.Miles `json:"miles"`
}

func (s *service) autoRadius(ctx context.Context, in autoIn) (*autoAnswer, error) {
	_, rule, err := radius.ParseMax(in.Rule)
	if err != nil || rule == 0 {
		return nil, envelope.NewFault(envelope.ValidationInvalidParam, envelope.InvalidParam("rule", "auto or auto-commute"))
	}
	miles, err := s.db.AutoRadius(ctx, in.Code, rule)
	if err != nil {
		return nil, err
	}
	return &autoAnswer{Code: in.Code, Rule: in.Rule, Miles: miles}, nil
}

func (s *service) nearest(ctx context.Context, in nearestIn) (*postgeo.NearestResult, error) {
	o := postgeo.NearestOptions{Count: defaulted(in.Count, 1), Timezone: in.Timezone, At: in.At}
	var err error
	if o.Mode, err = radius.ParseMode(in.Mode); err != nil {
		return nil, err
	}
	if in.Max != "" {
		var auto radius.Auto
		if o.Max, auto, err = radius.ParseMax(string(in.Max)); err != nil {
			return nil, err
		}
		if auto != 0 {
			return nil, envelope.NewFault(envelope.ValidationInvalidParam, envelope.InvalidParam("max", "a number of miles"))
		}
	}
	return s.db.Nearest(ctx, in.Code, o)
}

func (s *service) inside(ctx context.Context, in insideIn) (*radius.PolygonResult, error) {
	polygon, err := polygonOf(in.Polygon)
	if err != nil {
		return nil, err
	}
	mode := radius.Spatial
	if in.Mode != "" {
		if mode, err = radius.ParseMode(in.Mode); err != nil {
			return nil, err
		}
	}
	r, err := s.db.InPolygon(ctx, polygon, postgeo.PolygonOptions{Mode: mode, Timezone: in.Timezone, At: in.At})
	if err != nil {
		return nil, err
	}
	if limit := defaulted(in.Limit, usualMatches); len(r.Matches) > limit {
		r.Notices = append(r.Notices, envelope.Capped(limit, len(r.Matches)))
		r.Matches = slices.Clip(r.Matches[:limit])
	}
	return r, nil
}

// polygonOf reads a GeoJSON geometry.
func polygonOf(data []byte) (orb.Geometry, error) {
	m, err := geojson.ParsePolygons(data)
	if err != nil {
		return nil, envelope.NewFault(envelope.ValidationInvalidParam, envelope.InvalidParam("polygon", "a GeoJSON geometry of type Polygon or MultiPolygon: "+err.Error()))
	}
	return m, nil
}

func (s *service) suggest(ctx context.Context, in suggestIn) (*postgeo.SuggestResult, error) {
	o := postgeo.SuggestOptions{Limit: defaulted(in.Limit, suggest.DefaultLimit), State: in.State, Country: in.Country, Proximity: in.Proximity}
	var err error
	if o.Include, err = suggest.ParseTypes(in.Include); err != nil {
		return nil, err
	}
	return s.db.Suggest(ctx, in.Query, o)
}
