package tools

import (
	"context"
	"reflect"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/lookup"
)

// What codes may look like.
const codeText = "ZIP, ZIP+4, FSA, Canadian postal code, or latitude,longitude."

// recordFlags are the enrichments of a full record.
var recordFlags = []string{
	"timezone", "census", "cd", "state_leg", "school_district", "demographics", "medicare", "quality",
	"acs_{demographic|social|economic|housing}", "acs_{profile}_{year}",
}

type quickIn struct {
	Code     string    `json:"code" jsonschema:"ZIP, ZIP+4, FSA, Canadian postal code, or latitude,longitude."`
	Timezone bool      `json:"timezone,omitempty" jsonschema:"Add the time zone of the code's point."`
	At       time.Time `json:"at,omitzero" jsonschema:"Date and time of the time zones, in RFC 3339 form. Default: now."`
}

func (in quickIn) echo() envelope.Input { return envelope.Input{Code: in.Code} }

type lookupIn struct {
	Code    string    `json:"code" jsonschema:"ZIP, ZIP+4, FSA, Canadian postal code, or latitude,longitude."`
	Include flags     `json:"include,omitempty" jsonschema:"Enrichments to add. An ACS profile without a year is of the newest year."`
	At      time.Time `json:"at,omitzero" jsonschema:"Date and time of the time zones, in RFC 3339 form. Default: now."`
}

func (in lookupIn) echo() envelope.Input { return envelope.Input{Code: in.Code} }

type lookupsIn struct {
	Codes   []string  `json:"codes" jsonschema:"The codes, in any mixture of forms."`
	Full    bool      `json:"full,omitempty" jsonschema:"Full records; without it quick ones, which are short."`
	Include flags     `json:"include,omitempty" jsonschema:"Enrichments to add to each; quick records take timezone only."`
	At      time.Time `json:"at,omitzero" jsonschema:"Date and time of the time zones, in RFC 3339 form. Default: now."`
}

// ignored is the notice of flags that mean nothing; none without such flags.
func ignored(unknown []string) []envelope.Notice {
	if len(unknown) == 0 {
		return nil
	}
	return []envelope.Notice{envelope.UnknownEnrichments(unknown)}
}

func (s *service) addLookups(server *mcp.Server) {
	add(server, s, definition{
		name: "quick_lookup", title: "Identify a code",
		description: "Identity of a code: country, city, state, county, class, point. Short and fast. " + codeText,
		bounds:      []bound{chars(maxCode, "code")},
	}, func(ctx context.Context, in quickIn) (*postgeo.QuickRecord, error) {
		return s.db.QuickLookup(ctx, in.Code, postgeo.QuickLookupOptions{Timezone: in.Timezone, At: in.At})
	})
	add(server, s, definition{
		name: "lookup", title: "Look up a code",
		core:        true,
		description: "The full record of a code: identity, area codes, elevation, metro areas, city names, postal facts, and with include census areas, districts, schools, time zones and ACS profiles with shares.",
		bounds:      []bound{chars(maxCode, "code"), words("include", recordFlags...)},
		choose:      true,
	}, func(ctx context.Context, in lookupIn) (*postgeo.Record, error) {
		include, unknown := lookup.ParseIncludeUntil(in.Include.texts(), s.db.LastACSYear(ctx, acs.ZCTA))
		r, err := s.db.Lookup(ctx, in.Code, postgeo.LookupOptions{Include: include, At: in.At})
		if err != nil {
			return nil, err
		}
		r.Notices = append(r.Notices, ignored(unknown)...)
		return r, nil
	})
	add(server, s, definition{
		name: "lookup_batch", title: "Look up several codes",
		description: "Up to 100 codes at once: one item for each, in their order, failed ones included. Quick records unless full is set.",
		bounds:      []bound{items("codes", maxBatch, maxCode), words("include", recordFlags...)},
		entries:     []reflect.Type{reflect.TypeFor[postgeo.QuickRecord](), reflect.TypeFor[postgeo.Record]()},
		choose:      true,
	}, s.lookups)
}

func (s *service) lookups(ctx context.Context, in lookupsIn) (*list, error) {
	include, unknown := lookup.ParseIncludeUntil(in.Include.texts(), s.db.LastACSYear(ctx, acs.ZCTA))
	input := func(code string) envelope.Input { return envelope.Input{Code: code} }
	return each(ctx, in.Codes, ignored(unknown), input, func(code string) (any, error) {
		if err := blank("code", code); err != nil {
			return nil, err
		}
		return s.one(ctx, code, in.Full, postgeo.LookupOptions{Include: include, At: in.At})
	})
}

// one looks up one code of several.
func (s *service) one(ctx context.Context, code string, full bool, opt postgeo.LookupOptions) (any, error) {
	input := &envelope.Input{Code: code}
	if full {
		r, err := s.db.Lookup(ctx, code, opt)
		if err != nil {
			return nil, err
		}
		r.Input = input
		return r, nil
	}
	r, err := s.db.QuickLookup(ctx, code, postgeo.QuickLookupOptions{Timezone: opt.Include.Timezone, At: opt.At})
	if err != nil {
		return nil, err
	}
	r.Input = input
	return r, nil
}
