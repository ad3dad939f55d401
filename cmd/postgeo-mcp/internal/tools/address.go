package tools

import (
	"context"
	"reflect"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/envelope"
)

// maxAddress is the most characters of an address as it is given.
const maxAddress = 500

// addressFlags are the enrichments of a matched address.
var addressFlags = []string{
	"coordinates", "census", "cd", "state_leg", "school_district",
	"acs_tract_{demographic|social|economic|housing}", "acs_tract_{profile}_{year}",
}

type matchIn struct {
	Address string `json:"address" jsonschema:"A US address on one line. With a ZIP Code city and state may be left out."`
	Include flags  `json:"include,omitempty" jsonschema:"Enrichments at the matched record's point."`
}

func (in matchIn) echo() envelope.Input { return envelope.Input{Address: in.Address} }

type matchesIn struct {
	Addresses []string `json:"addresses" jsonschema:"US addresses, each on one line."`
	Include   flags    `json:"include,omitempty" jsonschema:"Enrichments at each matched record's point."`
}

type parseIn struct {
	Address string `json:"address" jsonschema:"A US address on one line."`
}

func (in parseIn) echo() envelope.Input { return envelope.Input{Address: in.Address} }

func (s *service) addAddresses(server *mcp.Server) {
	add(server, s, definition{
		name: "match_address", title: "Match a US address",
		core:        true,
		description: "Matches a US address to its ZIP+4 record: standardized form, confidence, what was corrected, and with include coordinates, districts and tract profiles. The house number is never changed.",
		bounds:      []bound{chars(maxAddress, "address"), words("include", addressFlags...)},
		choose:      true,
	}, func(ctx context.Context, in matchIn) (*postgeo.AddressMatch, error) {
		include, unknown := address.ParseIncludeUntil(in.Include.texts(), s.db.LastACSYear(ctx, acs.Tract))
		m, err := s.db.MatchAddress(ctx, in.Address, postgeo.AddressOptions{Include: include})
		if err != nil {
			return nil, err
		}
		m.Notices = append(m.Notices, ignored(unknown)...)
		return m, nil
	})
	add(server, s, definition{
		name: "match_addresses", title: "Match several US addresses",
		description: "Up to 100 addresses at once: one item for each, in their order, failed ones included.",
		bounds:      []bound{items("addresses", maxBatch, maxAddress), words("include", addressFlags...)},
		entries:     []reflect.Type{reflect.TypeFor[postgeo.AddressMatch]()},
		choose:      true,
	}, s.matches)
	add(server, s, definition{
		name: "parse_address", title: "Parse a US address",
		description: "Divides an address into its parts without looking it up; nothing is corrected.",
		bounds:      []bound{chars(maxAddress, "address")},
	}, func(_ context.Context, in parseIn) (*address.Reading, error) {
		p, err := address.Parse(in.Address)
		if err != nil {
			return nil, err
		}
		r := p.Best().Reading()
		r.Input = &envelope.Input{Address: in.Address}
		return r, nil
	})
}

func (s *service) matches(ctx context.Context, in matchesIn) (*list, error) {
	include, unknown := address.ParseIncludeUntil(in.Include.texts(), s.db.LastACSYear(ctx, acs.Tract))
	input := func(text string) envelope.Input { return envelope.Input{Address: text} }
	return each(ctx, in.Addresses, ignored(unknown), input, func(text string) (any, error) {
		if err := blank("address", text); err != nil {
			return nil, err
		}
		m, err := s.db.MatchAddress(ctx, text, postgeo.AddressOptions{Include: include})
		if err != nil {
			return nil, err
		}
		m.Input = &envelope.Input{Address: text}
		return m, nil
	})
}
