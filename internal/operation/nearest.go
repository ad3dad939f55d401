package operation

import (
	"context"
	"encoding/json"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/notice"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/radius"
)

// Nearest finds the codes nearest to a center.
var Nearest = define((*NearestInput).Run, Operation{
	Name: "nearest", Command: "nearest", Absent: "not part of the contract",
	Summary: "Find the codes nearest to a code or coordinate.",
	Detail:  "Matches are sorted by the distance of their points.",
})

// NearestInput is the input of [Nearest].
type NearestInput struct {
	Place
	Flagged
	Count   int            `least:"1" most:"10000" default:"1" short:"n" placeholder:"N" help:"Number of codes."`
	Max     *Miles         `placeholder:"MILES" help:"Maximum distance in miles. Default: no limit."`
	Mode    radius.Mode    `values:"centroid,spatial" default:"centroid" placeholder:"MODE" help:"centroid finds ZIPs and postal codes, spatial ZIPs and FSAs; both by their points."`
	Include envelope.Flags `values:"timezone" placeholder:"FLAG" short:"i" help:"timezone adds the time zone of each match."`
	Clock
}

// Options returns the options of the search and the unknown flags.
func (in *NearestInput) Options() (o radius.NearestOptions, unknown []string) {
	o = radius.NearestOptions{Count: in.Count, Mode: in.Mode, At: in.At}
	if in.Max != nil {
		o.Max = geo.Miles(*in.Max)
	}
	o.Timezone, unknown = onlyTimezone(in.Include)
	return o, unknown
}

// Run searches.
func (in *NearestInput) Run(ctx context.Context, db DB) (*radius.NearestResult, error) {
	var o radius.NearestOptions
	o, in.Unknown = in.Options()
	return db.Nearest(ctx, in.Code, o)
}

// Inside finds the codes inside a polygon.
var Inside = define((*InsideInput).Run, Operation{
	Name: "inside_polygon", Path: "/v2/inside", Command: "inside", Absent: "one polygon is one request",
	Summary: "Find the codes inside a polygon, such as a sales territory.",
	Detail:  "Matches have the share of their area inside.",
	Price:   PricePolygon, Heavy: true,
})

// InsideInput is the input of [Inside] with a polygon in JSON.
type InsideInput struct {
	Polygon json.RawMessage `json:"-" required:"" example:"{\"type\":\"Polygon\",\"coordinates\":[[[-118.5,34],[-118.3,34],[-118.3,34.2],[-118.5,34]]]}" help:"GeoJSON geometry of type Polygon or MultiPolygon, with longitude and latitude in degrees."`
	InsideParams
	Limit int `json:"limit" least:"1" default:"50" help:"Maximum number of matches; summary counts all."`
	Polygonal
}

// InsideParams are the parameters of [Inside] without the polygon.
type InsideParams struct {
	Mode    radius.Mode    `json:"mode" values:"spatial,centroid" default:"spatial" placeholder:"MODE" help:"spatial finds ZIPs and FSAs by their areas, with the share inside; centroid finds ZIPs and postal codes by their points."`
	Include envelope.Flags `json:"include" values:"timezone" placeholder:"FLAG" short:"i" help:"timezone adds the time zone of each match. layers.NAME adds a layer to matches."`
	Clock
}

// Options returns the options of the search and the unknown flags.
func (in *InsideParams) Options() (o radius.PolygonOptions, unknown []string) {
	o = radius.PolygonOptions{Mode: in.Mode, At: in.At}
	var flags []string
	for _, flag := range envelope.ParseFlags(in.Include...) {
		if name, ok := store.LayerFlag(flag); ok {
			o.Layers = append(o.Layers, name)
		} else {
			flags = append(flags, flag)
		}
	}
	o.Timezone, unknown = onlyTimezone(flags)
	return o, unknown
}

// Prepare parses the polygon.
func (in *InsideInput) Prepare() error { return in.Parse(in.Polygon) }

// Run searches.
func (in *InsideInput) Run(ctx context.Context, db DB) (*radius.PolygonResult, error) {
	if err := in.Prepare(); err != nil {
		return nil, err
	}
	o, unknown := in.Options()
	r, err := db.InPolygon(ctx, in.Outline, o)
	if err != nil {
		return nil, err
	}
	r.Notices = append(r.Notices, Ignored(unknown)...)
	if len(r.Matches) > in.Limit {
		r.Notices = append(r.Notices, notice.Capped(in.Limit, len(r.Matches)))
		r.Matches = r.Matches[:in.Limit:in.Limit]
	}
	return r, nil
}

// NotPolygon returns the error of a text that is not a polygon.
func NotPolygon(err error) error {
	return &envelope.Failure{Kind: envelope.KindInvalidParam, Param: "polygon", Range: "a GeoJSON geometry of type Polygon or MultiPolygon: " + err.Error()}
}
