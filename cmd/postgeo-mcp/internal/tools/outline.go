package tools

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo/geojson"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/wording"
	"github.com/postgeo/postgeo/lookup"
)

// maxVertices is the maximum number of vertices of a returned outline. Each takes
// about 22 bytes of JSON.
const maxVertices = 10_000

// outlineInput selects a code or an area.
type outlineInput struct {
	Code  string `is:"code" help:"ZIP or FSA, or a ZIP+4 or postal code in one; not with layer."`
	Layer string `help:"Kind of area, together with geoid; not with code."`
	GEOID string `help:"ID of the area."`
}

// Echo returns the input as failed items repeat it.
func (in *outlineInput) Echo() envelope.Input { return envelope.Input{Code: in.Code} }

var outlineOperation = operation.New[outlineInput, *feature](operation.Operation{
	Name: "outline", Summary: "Return a GeoJSON feature with the polygon of a ZIP, an FSA or an area of a layer.",
	Detail: "Large outlines are refused, not simplified.",
})

func (s *service) addOutline(server *mcp.Server) {
	add(server, s, outlineOperation, tool{}, (*outlineInput).run)
}

// A feature is an outline in GeoJSON. Its geometry is null if the dataset has none.
type feature struct {
	Type       string            `json:"type"` // "Feature"
	ID         string            `json:"id"`
	Properties featureProperties `json:"properties"`
	Geometry   geometry          `json:"geometry"`
}

// A geometry is a GeoJSON geometry, or null.
type geometry []byte

func (g geometry) MarshalJSON() ([]byte, error) { return g, nil }

type featureProperties struct {
	Area   *lookup.Area `json:"area,omitzero"`
	Source string       `json:"source,omitzero"`
}

func (in *outlineInput) run(ctx context.Context, db *postgeo.DB) (*feature, error) {
	f := &feature{Type: "Feature"}
	var shape orb.MultiPolygon
	switch {
	case in.Code != "" && (in.Layer != "" || in.GEOID != ""):
		return nil, envelope.NewFault(envelope.ValidationInvalidParam, wording.InvalidParam("code", "absent when layer and geoid are given"))
	case in.Code != "":
		record, err := db.QuickLookup(ctx, in.Code, lookup.QuickOptions{})
		if err != nil {
			return nil, err
		}
		if shape, err = db.CodeOutline(ctx, record.Code); err != nil {
			return nil, err
		}
		if f.Properties.Source, err = db.CodeOutlineSource(ctx, record.Code); err != nil {
			return nil, err
		}
		f.ID = record.Code
	case in.Layer == "":
		return nil, envelope.NewFault(envelope.ValidationMissingParam, wording.MissingParam("code", ""))
	case in.GEOID == "":
		return nil, envelope.NewFault(envelope.ValidationMissingParam, wording.MissingParam("geoid", ""))
	default:
		id, err := operation.LayerInput{Layer: in.Layer}.ID()
		if err != nil {
			return nil, err
		}
		area, outline, err := db.AreaOutline(ctx, id, in.GEOID)
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
