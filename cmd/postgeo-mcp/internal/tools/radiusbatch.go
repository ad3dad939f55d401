package tools

import (
	"context"
	"reflect"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/envelope"
)

// usualBatchMatches is how many matches each search of several returns unless
// asked for more.
const usualBatchMatches = 10

type radiusBatchIn struct {
	Codes   []string  `json:"codes" jsonschema:"The centers: codes, or latitude,longitude."`
	Max     number    `json:"max" jsonschema:"Radius in miles around each, above 0 and at most 500 (250 in spatial mode); or auto or auto-commute."`
	Min     number    `json:"min,omitempty" jsonschema:"Leave out what lies within this many miles. Default: 0."`
	Mode    string    `json:"mode,omitempty" jsonschema:"centroid (the default) finds ZIPs and Canadian postal codes by their points, spatial ZIPs and FSAs by their areas."`
	Include flags     `json:"include,omitempty" jsonschema:"As for radius."`
	Limit   *int      `json:"limit,omitempty" jsonschema:"The most matches of each. Default: 10. summary.total_available is the number of all."`
	At      time.Time `json:"at,omitzero" jsonschema:"Date and time of the time zones, in RFC 3339 form. Default: now."`
}

func (s *service) addRadiusBatch(server *mcp.Server) {
	add(server, s, definition{
		name: "radius_batch", title: "Codes around several centers",
		heavy:       true,
		description: "The same radius search around up to 100 centers: one item for each, in their order, failed ones included.",
		bounds: []bound{
			items("codes", maxBatch, maxCode),
			oneOf("mode", searchModes()...),
			limited(mostMatches),
			words("include", searchFlags...),
		},
		entries: []reflect.Type{reflect.TypeFor[postgeo.RadiusResult]()},
		choose:  true,
	}, s.radiusBatch)
}

func (s *service) radiusBatch(ctx context.Context, in radiusBatchIn) (*list, error) {
	search := radiusIn{Max: in.Max, Min: in.Min, Mode: in.Mode, Include: in.Include, Limit: in.Limit, At: in.At}
	if search.Limit == nil {
		search.Limit = new(usualBatchMatches)
	}
	options, unknown, err := search.options()
	if err != nil {
		return nil, err
	}
	input := func(code string) envelope.Input { return envelope.Input{Code: code} }
	return each(ctx, in.Codes, ignored(unknown), input, func(code string) (any, error) {
		if err := blank("code", code); err != nil {
			return nil, err
		}
		r, err := s.db.Radius(ctx, code, options)
		if err != nil {
			return nil, err
		}
		r.Input = &envelope.Input{Code: code}
		return r, nil
	})
}
