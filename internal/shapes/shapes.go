// Package shapes has the schemas of result types with their own JSON, and of strings
// with a fixed list of values, for package openapi, and the comments of result types.
//
// # Usage
//
//	schemas := openapi.NewSchemas(openapi.Options{Shapes: shapes.Known(), Likes: shapes.Likes()})
//	record := schemas.Of(reflect.TypeFor[lookup.Record]())
//
// The OpenAPI document and other programs use the same table.
package shapes

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/door"
	"github.com/postgeo/postgeo/internal/openapi"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/lookup/suggest"
	"github.com/postgeo/postgeo/radius"
)

// Known returns the schemas of types with their own JSON, and of strings with a fixed
// list of values.
func Known() map[reflect.Type]*openapi.Schema {
	degrees := func(most float64) *openapi.Schema {
		return &openapi.Schema{Type: openapi.Types{openapi.Number}, Minimum: new(-most), Maximum: &most}
	}
	numbers := &openapi.Schema{Type: openapi.Types{openapi.Object}, Additional: &openapi.Additional{Of: openapi.Of(openapi.Number)}}
	counts := &openapi.Schema{Type: openapi.Types{openapi.Object}, Additional: &openapi.Additional{Of: openapi.Of(openapi.Integer)}}
	code := &openapi.Schema{Type: openapi.Types{openapi.String}, Pattern: "^[A-Z][A-Z0-9_]*$"}
	return map[reflect.Type]*openapi.Schema{
		reflect.TypeFor[geo.LatLng]():           openapi.Closed("", "lat", degrees(90), "lon", degrees(180)),
		reflect.TypeFor[envelope.Stages]():      numbers,
		reflect.TypeFor[envelope.Enrichments](): counts,
		reflect.TypeFor[envelope.Code]():        code,
		reflect.TypeFor[envelope.Flags]():       {Type: openapi.Types{openapi.Array}, Items: openapi.Of(openapi.String)},
		reflect.TypeFor[envelope.RadiusMax]():   {AnyOf: []*openapi.Schema{openapi.Of(openapi.Number), openapi.OneOf("auto", "auto-commute")}},
		reflect.TypeFor[lookup.Flag]():          openapi.Of(openapi.Boolean),
		reflect.TypeFor[lookup.CodeType]():      openapi.OneOf(string(lookup.ZIP), string(lookup.ZIP4), string(lookup.FSA), string(lookup.Postal)),
		reflect.TypeFor[lookup.Classification](): openapi.OneOf(
			string(lookup.General), string(lookup.POBox), string(lookup.Military), string(lookup.Unique)),
		reflect.TypeFor[lookup.ClassificationName](): openapi.OneOf(
			"General", "PO Box", "Military", "Unique"),
		reflect.TypeFor[lookup.Basis]():     openapi.OneOf(string(lookup.LargestArea), string(lookup.USPSRecord), string(lookup.MostPeople), string(lookup.ContainsPoint)),
		reflect.TypeFor[suggest.Type]():     openapi.OneOf("zip", "place", "county", "cbsa", "fsa", "state", "school_district", "ca_postal", "uspscity", "cd", "address", "layer"),
		reflect.TypeFor[radius.Mode]():      openapi.OneOf(string(radius.Centroid), string(radius.Spatial)),
		reflect.TypeFor[radius.Auto]():      openapi.OneOf(string(radius.Density), string(radius.Commute)),
		reflect.TypeFor[radius.InputType](): openapi.OneOf(string(radius.InputCode), string(radius.InputCoordinates)),
		reflect.TypeFor[envelope.CreditSource](): openapi.OneOf(
			string(envelope.SourceFreeDaily), string(envelope.SourceSubscription), string(envelope.SourcePack), string(envelope.SourceMixed),
			string(envelope.SourceDemo), string(envelope.SourceTest), string(envelope.SourceNone)),
		reflect.TypeFor[envelope.HealthStatus](): openapi.OneOf(string(envelope.Healthy), string(envelope.Degraded), string(envelope.Unhealthy)),
		reflect.TypeFor[envelope.Class](): openapi.OneOf(
			string(envelope.ClassInput), string(envelope.ClassEnrichment), string(envelope.ClassBilling), string(envelope.ClassResult), string(envelope.ClassMatch)),
	}
}

// Likes returns values in the form of the JSON of types that write their own.
func Likes() map[reflect.Type]any {
	likes := door.Take[func() map[reflect.Type]any]()()
	for t, v := range likes {
		if s, ok := v.(interface{ Shape() any }); ok {
			likes[t] = s.Shape()
		}
	}
	return likes
}

//go:embed comments.json
var comments []byte

// Comments returns the comments of types that have fields in JSON, and of those
// fields, by the names that [reflect.Type.String] gives types, such as "lookup.Street"
// and "lookup.Street.Prefix". "go generate ./server" makes them of the source.
func Comments() (map[string]string, error) {
	var all map[string]string
	if err := json.Unmarshal(comments, &all); err != nil {
		return nil, fmt.Errorf("shapes: read the comments of types: %w", err)
	}
	return all, nil
}
