package tools

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/postgeo/postgeo"
)

type crosswalkIn struct {
	Layer      string `json:"layer" jsonschema:"Kind of area."`
	State      string `json:"state,omitempty" jsonschema:"Only codes of this state or province, as two letters. Default: all of the layer's country."`
	ByArea     bool   `json:"by_area,omitempty" jsonschema:"Order the rows by areas and not by codes."`
	Slivers    bool   `json:"slivers,omitempty" jsonschema:"Every pair that shares anything, however little."`
	Population bool   `json:"population,omitempty" jsonschema:"Add the residents that both have; for areas of the United States."`
	Offset     *int   `json:"offset,omitempty" jsonschema:"Number of rows to skip, to continue after another call."`
	Limit      *int   `json:"limit,omitempty" jsonschema:"The most rows. Default: 50."`
}

// crosswalkAnswer is a page of a crosswalk.
type crosswalkAnswer struct {
	Layer postgeo.LayerID        `json:"layer"`
	Rows  []postgeo.CrosswalkRow `json:"rows"`
	Next  int                    `json:"next_offset,omitzero"` // of the rows that follow; absent after the last
}

func (s *service) addCrosswalk(server *mcp.Server) {
	add(server, s, definition{
		name: "crosswalk", title: "Crosswalk between codes and areas",
		heavy:       true,
		description: "Which ZIPs or FSAs and which areas of a layer share something, and how much: a row for each pair, in pages.",
		bounds: []bound{
			oneOf("layer", layers()...),
			chars(2, "state"),
			between("offset", 0, 10_000_000),
			limited(mostMatches),
		},
		choose: true,
	}, s.crosswalk)
}

func (s *service) crosswalk(ctx context.Context, in crosswalkIn) (*crosswalkAnswer, error) {
	id, err := layer(in.Layer)
	if err != nil {
		return nil, err
	}
	out := &crosswalkAnswer{Layer: id, Rows: []postgeo.CrosswalkRow{}}
	offset, limit, n := defaulted(in.Offset, 0), defaulted(in.Limit, usualMatches), 0
	o := postgeo.CrosswalkOptions{ByArea: in.ByArea, State: in.State, Slivers: in.Slivers, Population: in.Population}
	for row, err := range s.db.Crosswalk(ctx, id, o) {
		switch {
		case err != nil:
			return nil, err
		case n == offset+limit:
			out.Next = n
			return out, nil
		case n >= offset:
			out.Rows = append(out.Rows, row)
		}
		n++
	}
	return out, nil
}
