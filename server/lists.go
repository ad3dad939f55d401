package server

import (
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/operation"
)

// The lists of batches, and the parameters of batches that differ from those of single routes.
var (
	paramCodes = &param{
		Name: "codes", Required: true, List: true, Help: "List of 1 to 100 codes.",
		Entry: operation.Lookup.Param("code"), Example: `["90210", "10118", "K1A 0B1"]`,
	}
	paramPairs = &param{
		Name: "pairs", Required: true, List: true, Help: "List of 1 to 100 objects with from and to.",
		Fields: operation.Distance.Params[:2], Example: `[{"from": "90210", "to": "10001"}, {"from": "K1A 0B1", "to": "98101"}]`,
	}
	paramAddresses = &param{
		Name: "addresses", Required: true, List: true, Help: "List of 1 to 250 addresses.",
		Entry: operation.Address.Param("address"), Size: 250, Example: `["101 N Aspen Dr Ste 101, New York, NY 10118", "PO Box 5, New York, NY 10001"]`,
	}
	paramPlaces = paramAddresses.But(func(p *param) {
		p.Entry, p.Example = operation.Geocode.Param("address"), `["350 5th Ave, New York, NY 10118", "5th Ave & W 34th St, New York, NY"]`
	})
	paramPoints = &param{
		Name: "points", Required: true, List: true, Help: "List of 1 to 100 points.",
		Entry: operation.Reverse.Param("point"), Example: `["40.7484,-73.9857", "34.0731,-118.4004"]`,
	}
	paramSearches = &param{
		Name: "searches", Required: true, List: true, Help: "List of 1 to 100 objects with code, and max, min, limit, include and at if they differ from the batch.",
		Fields: []*param{
			operation.Radius.Param("code"),
			operation.Radius.Param("max").But(func(p *param) { p.Required, p.Aliases, p.Example = false, nil, "" }),
			operation.Radius.Param("min"), operation.Radius.Param("limit"), operation.Radius.Param("include"), operation.Radius.Param("at"),
		},
		Example: `[{"code": "90210"}, {"code": "K1A", "max": 5}]`,
	}

	// addressParams follow the address; its include is a string, never a list.
	addressParams = []*param{
		operation.Address.Param("include").But(func(p *param) { p.List, p.Commas, p.Chars, p.Values = false, true, operation.MaxListChars, nil }),
		operation.Address.Param("as_of"), operation.Address.Param("plan"),
	}
	addressesParams = append([]*param{operation.Address.Param("include").But(func(p *param) { p.Example = "" })}, addressParams[1:]...)

	// The parameters of a batch are defaults of its searches.
	batchMax = operation.Radius.Param("max").But(func(p *param) {
		p.Required, p.Help = false, "Default of the searches; as in /v2/radius."
	})
	batchMode = operation.Radius.Param("mode").But(func(p *param) {
		p.Values, p.Codes = p.Values[:1], []envelope.Code{envelope.SpatialModeDisabledBatch}
		p.Help = "centroid, for all searches; spatial is not available in batches."
	})
	batchMin     = operation.Radius.Param("min").But(func(p *param) { p.Help = "Default of the searches." })
	batchInclude = operation.Radius.Param("include").But(func(p *param) { p.Help = "Default of the searches." })
)
