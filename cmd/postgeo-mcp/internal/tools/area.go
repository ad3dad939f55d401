package tools

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/lookup"
)

// familyFlags are the boundary families.
var familyFlags = []string{"census", "cd", "state_leg", "school_district"}

type areasAtIn struct {
	Latitude  float64 `json:"latitude" jsonschema:"Degrees north."`
	Longitude float64 `json:"longitude" jsonschema:"Degrees east."`
	Include   flags   `json:"include,omitempty" jsonschema:"Families to return. Default: all."`
}

type codesInIn struct {
	Layer   string `json:"layer" jsonschema:"Kind of area."`
	GEOID   string `json:"geoid" jsonschema:"Code of the area: 06037 for a county, 0636 for a congressional district. suggest finds it by name."`
	Slivers bool   `json:"slivers,omitempty" jsonschema:"Every code that meets the area, however little."`
	Limit   *int   `json:"limit,omitempty" jsonschema:"The most codes. Default: 50; total tells how many there are."`
}

type neighborsIn struct {
	Code      string   `json:"code" jsonschema:"A code, or latitude,longitude in it."`
	Tolerance *float64 `json:"tolerance,omitempty" jsonschema:"Largest gap between the outlines of neighbors, in meters. Default: 50."`
}

func (in neighborsIn) echo() envelope.Input { return envelope.Input{Code: in.Code} }

func (s *service) addAreas(server *mcp.Server) {
	add(server, s, definition{
		name: "areas_at", title: "Areas at a point",
		core:        true,
		description: "The counties, places, tracts, congressional, legislative and school districts that hold a coordinate, exactly at that point.",
		bounds:      []bound{between("latitude", -90, 90), between("longitude", -180, 180), words("include", familyFlags...)},
		choose:      true,
	}, s.areasAt)
	add(server, s, definition{
		name: "codes_in", title: "Codes of an area",
		core:        true,
		description: "The ZIPs or FSAs of a county, place, tract, district or other area, the largest part first, with what the two share; then codes without an outline, such as PO Box ZIPs, whose point it contains.",
		bounds:      []bound{oneOf("layer", layers()...), limited(10 * mostMatches)},
		choose:      true,
	}, s.codesIn)
	add(server, s, definition{
		name: "neighbors", title: "Neighboring codes",
		description: "The ZIPs and FSAs whose areas touch that of a code, with the length of the common border.",
		bounds:      []bound{chars(maxCode, "code"), between("tolerance", 1, float64(lookup.MaxTolerance))},
		choose:      true,
	}, func(ctx context.Context, in neighborsIn) (*postgeo.Neighbors, error) {
		var o postgeo.NeighborOptions
		if in.Tolerance != nil {
			o.Tolerance = geo.Meters(*in.Tolerance)
		}
		return s.db.Neighbors(ctx, in.Code, o)
	})
	s.addOutline(server)
}

// layers are the names of all kinds of areas.
func layers() []string {
	var names []string
	for _, id := range dataset.LayerIDs() {
		names = append(names, id.String())
	}
	return names
}

// layer reads the name of a kind of area, short ones too.
func layer(name string) (postgeo.LayerID, error) {
	id, ok := postgeo.ParseLayer(name)
	if !ok {
		return 0, envelope.NewFault(envelope.ValidationInvalidParam, envelope.InvalidParam("layer", oneOfWords(layers())))
	}
	return id, nil
}

// areasAnswer are the areas at a point.
type areasAnswer struct {
	Location geo.LatLng `json:"location"`
	postgeo.Families
	Unavailable []string          `json:"unavailable,omitempty"` // families that the dataset cannot tell there
	Notices     []envelope.Notice `json:"notices,omitempty"`
}

func (s *service) areasAt(ctx context.Context, in areasAtIn) (*areasAnswer, error) {
	at, err := geo.LatLngFromDegrees(in.Latitude, in.Longitude)
	if err != nil {
		text := fmt.Sprintf("%v,%v", in.Latitude, in.Longitude)
		return nil, envelope.NewFault(envelope.ValidationInvalidCoordinates, envelope.InvalidCoordinates(text))
	}
	asked := in.Include.texts()
	if len(asked) == 0 {
		asked = familyFlags
	}
	include, unknown := lookup.ParseInclude(asked)
	families, unavailable, err := s.db.FamiliesAt(ctx, at, include)
	if err != nil {
		return nil, err
	}
	return &areasAnswer{Location: at, Families: families, Unavailable: unavailable.Flags(), Notices: ignored(unknown)}, nil
}

// codesAnswer are the codes of an area.
type codesAnswer struct {
	postgeo.CodesIn
	Total int `json:"total"` // how many there are
}

func (s *service) codesIn(ctx context.Context, in codesInIn) (*codesAnswer, error) {
	id, err := layer(in.Layer)
	if err != nil {
		return nil, err
	}
	found, err := s.db.CodesIn(ctx, id, in.GEOID, postgeo.CodesInOptions{Slivers: in.Slivers})
	if err != nil {
		return nil, err
	}
	out := &codesAnswer{CodesIn: *found, Total: len(found.Codes)}
	out.Codes = out.Codes[:min(defaulted(in.Limit, usualMatches), out.Total)]
	return out, nil
}
