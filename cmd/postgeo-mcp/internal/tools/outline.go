package tools

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo/geojson"
)

// maxVertices is the most vertices of an outline that is returned; each takes
// about 22 bytes of JSON.
const maxVertices = 10_000

type outlineIn struct {
	Code  string `json:"code,omitempty" jsonschema:"A ZIP or FSA, or a ZIP+4 or postal code that lies in one; not with layer."`
	Layer string `json:"layer,omitempty" jsonschema:"Kind of area, together with geoid; not with code."`
	GEOID string `json:"geoid,omitempty" jsonschema:"Code of the area."`
}

func (in outlineIn) echo() envelope.Input { return envelope.Input{Code: in.Code} }

func (s *service) addOutline(server *mcp.Server) {
	add(server, s, definition{
		name: "outline", title: "Outline of a code or an area",
		description: "A GeoJSON feature with the polygon of a ZIP, an FSA or an area of a layer. Large outlines are refused, not simplified.",
	}, s.outline)
}

// A feature is an outline in GeoJSON; its geometry is null where the dataset
// has none.
type feature struct {
	Type       string            `json:"type"` // "Feature"
	ID         string            `json:"id"`
	Properties featureProperties `json:"properties"`
	Geometry   geometry          `json:"geometry"`
}

// A geometry is one of GeoJSON, or null.
type geometry []byte

// MarshalJSON returns the geometry.
func (g geometry) MarshalJSON() ([]byte, error) { return g, nil }

type featureProperties struct {
	Area   *postgeo.Area `json:"area,omitzero"`
	Source string        `json:"source,omitzero"`
}

func (s *service) outline(ctx context.Context, in outlineIn) (*feature, error) {
	f := &feature{Type: "Feature"}
	var shape orb.MultiPolygon
	switch {
	case in.Code != "" && (in.Layer != "" || in.GEOID != ""):
		return nil, envelope.NewFault(envelope.ValidationInvalidParam, envelope.InvalidParam("code", "absent when layer and geoid are given"))
	case in.Code != "":
		record, err := s.db.QuickLookup(ctx, in.Code, postgeo.QuickLookupOptions{})
		if err != nil {
			return nil, err
		}
		if shape, err = s.db.CodeOutline(ctx, record.Code); err != nil {
			return nil, err
		}
		if f.Properties.Source, err = s.db.CodeOutlineSource(ctx, record.Code); err != nil {
			return nil, err
		}
		f.ID = record.Code
	case in.Layer == "":
		return nil, envelope.NewFault(envelope.ValidationMissingParam, envelope.MissingParam("code", ""))
	case in.GEOID == "":
		return nil, envelope.NewFault(envelope.ValidationMissingParam, envelope.MissingParam("geoid", ""))
	default:
		id, err := layer(in.Layer)
		if err != nil {
			return nil, err
		}
		area, outline, err := s.db.AreaOutline(ctx, id, in.GEOID)
		if err != nil {
			return nil, err
		}
		f.ID, f.Properties, shape = area.GEOID, featureProperties{Area: &area, Source: area.Source}, outline
	}
	if n := vertices(shape); n > maxVertices {
		return nil, envelope.NewFault(envelope.BadRequest, fmt.Sprintf("The outline has %d vertices, more than the %d that a tool returns; 'postgeo boundary' writes it to a file.", n, maxVertices))
	}
	f.Geometry = geojson.AppendPolygons(nil, shape)
	return f, nil
}

func vertices(m orb.MultiPolygon) (n int) {
	for _, polygon := range m {
		for _, ring := range polygon {
			n += len(ring)
		}
	}
	return n
}
