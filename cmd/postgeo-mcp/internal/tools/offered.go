package tools

import (
	"reflect"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/internal/operation"
)

// addTools registers everything. Limits are small, because results fill a model's
// context.
func (s *service) addTools(server *mcp.Server) {
	add(server, s, operation.Quick, tool{}, (*operation.QuickInput).Run)
	add(server, s, operation.Lookup, tool{core: true, choose: true}, (*operation.LookupInput).Run)
	add(server, s, operation.Suggest, tool{core: true, choose: true, limit: 10, most: 50}, (*operation.SuggestInput).Run)
	add(server, s, operation.Address, tool{core: true, choose: true}, (*operation.AddressInput).Run)
	add(server, s, operation.Geocode, tool{}, (*operation.GeocodeInput).Run)
	add(server, s, operation.Reverse, tool{}, (*operation.ReverseInput).Run)
	add(server, s, operation.Assess, tool{choose: true}, (*operation.AssessInput).Run)
	add(server, s, operation.SuggestAddress, tool{choose: true, limit: 10, most: 50}, (*operation.SuggestAddressInput).Run)
	add(server, s, operation.Parse, tool{}, (*operation.ParseInput).Run)
	add(server, s, operation.Radius, tool{core: true, choose: true, limit: 50, most: 500}, (*operation.RadiusInput).Run)
	add(server, s, operation.Auto, tool{}, (*operation.AutoInput).Run)
	add(server, s, operation.Nearest, tool{core: true, choose: true}, (*operation.NearestInput).Run)
	add(server, s, operation.Inside, tool{heavy: true, choose: true, limit: 50, most: 500}, (*operation.InsideInput).Run)
	add(server, s, operation.Distance, tool{core: true}, (*operation.DistanceInput).Run)
	add(server, s, operation.Matrix, tool{}, (*operation.MatrixInput).Run)
	add(server, s, operation.Pairs, tool{heavy: true, limit: 50, most: 500}, (*operation.PairsInput).Run)
	add(server, s, operation.Boundary, tool{}, (*operation.BoundaryInput).Run)
	add(server, s, operation.AreasAt, tool{core: true, choose: true}, (*operation.AreasAtInput).Run)
	add(server, s, operation.CodesIn, tool{core: true, choose: true, limit: 50, most: 5000}, (*operation.CodesInInput).Run)
	add(server, s, operation.Neighbors, tool{choose: true}, (*operation.NeighborsInput).Run)
	add(server, s, operation.Crosswalk, tool{heavy: true, choose: true, limit: 50, most: 500}, (*operation.CrosswalkInput).Run)
	add(server, s, operation.Profile, tool{core: true, choose: true}, (*operation.ProfileInput).Run)
	add(server, s, operation.Fields, tool{limit: 50, most: 1000}, (*operation.FieldsInput).Run)
	add(server, s, operation.Series, tool{}, (*operation.SeriesInput).Run)
	add(server, s, operation.Aggregate, tool{heavy: true}, (*operation.AggregateInput).Run)
	add(server, s, operation.Compare, tool{}, (*operation.CompareInput).Run)

	add(server, s, severalOf[lookups](operation.Lookup, "lookup_batch"), tool{choose: true, entries: types(postgeo.QuickRecord{}, postgeo.Record{})}, (*lookups).run)
	add(server, s, severalOf[searches](operation.Radius, "radius_batch"), tool{heavy: true, choose: true, limit: 10, most: 500, entries: types(postgeo.RadiusResult{})}, (*searches).run)
	add(server, s, severalOf[distances](operation.Distance, "distance_batch"), tool{choose: true, entries: types(postgeo.DistanceResult{})}, (*distances).run)
	add(server, s, severalOf[matches](operation.Address, "match_addresses"), tool{choose: true, entries: types(postgeo.AddressMatch{})}, (*matches).run)

	s.addOutline(server)
	s.addLists(server)
	s.addDataset(server)
}

// severalOf describes the batch of an operation with input In.
func severalOf[In any](o *operation.Operation, name string) *operation.Operation {
	return operation.New[In, *list](operation.Operation{
		Name: name, Summary: o.Summary, Detail: "For up to 100 inputs: one item for each in order, including failed ones.",
	})
}

func types(values ...any) []reflect.Type {
	var list []reflect.Type
	for _, v := range values {
		list = append(list, reflect.TypeOf(v))
	}
	return list
}
