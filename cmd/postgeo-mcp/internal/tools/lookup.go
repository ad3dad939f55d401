package tools

import (
	"context"
	"errors"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/lookup"
)

// maxBatch is the most inputs of one call.
const maxBatch = 100

// What codes may look like.
const codeText = "ZIP, ZIP+4, FSA, Canadian postal code, or latitude,longitude."

// recordFlags are the enrichments of a full record.
var recordFlags = []string{
	"timezone", "census", "cd", "state_leg", "school_district", "demographics", "medicare",
	"acs_{demographic|social|economic|housing}", "acs_{profile}_{year}",
}

type quickIn struct {
	Code     string `json:"code" jsonschema:"ZIP, ZIP+4, FSA, Canadian postal code, or latitude,longitude."`
	Timezone bool   `json:"timezone,omitempty" jsonschema:"Add the time zone of the code's point."`
}

func (in quickIn) echo() envelope.Input { return envelope.Input{Code: in.Code} }

type lookupIn struct {
	Code    string `json:"code" jsonschema:"ZIP, ZIP+4, FSA, Canadian postal code, or latitude,longitude."`
	Include flags  `json:"include,omitempty" jsonschema:"Enrichments to add. An ACS profile without a year is that of the newest one."`
}

func (in lookupIn) echo() envelope.Input { return envelope.Input{Code: in.Code} }

type lookupsIn struct {
	Codes   []string `json:"codes" jsonschema:"The codes, in any mixture of forms."`
	Full    bool     `json:"full,omitempty" jsonschema:"Full records; without it quick ones, which are short."`
	Include flags    `json:"include,omitempty" jsonschema:"Enrichments to add to each; quick records take timezone only."`
}

// A list is the answer to several inputs: one item for each, in their order.
type list struct {
	Results []envelopeItem    `json:"results"`
	Batch   envelope.Batch    `json:"batch"`
	Notices []envelope.Notice `json:"notices,omitempty"`
	size    int
}

// An envelopeItem is an item in the interface's JSON.
type envelopeItem []byte

// MarshalJSON returns the item.
func (i envelopeItem) MarshalJSON() ([]byte, error) { return i, nil }

// AppendJSON appends the item.
func (i envelopeItem) AppendJSON(dst []byte) ([]byte, error) { return append(dst, i...), nil }

// append adds an item, until all of them are too large together.
func (l *list) append(item any) error {
	out, err := envelope.Marshal(item)
	if err != nil {
		return err
	}
	l.Results = append(l.Results, out)
	l.size += len(out)
	return fits(l.size)
}

// take adds the answer to an input, or the failed item that stands for it. The
// error is one that is about no input.
func (l *list) take(input envelope.Input, item any, err error) error {
	l.Batch.Requested++
	if err == nil {
		l.Batch.Succeeded++
		return l.append(item)
	}
	var failure envelope.Failure
	if !errors.As(err, &failure) {
		return err
	}
	var missing *lookup.NotFoundError
	if errors.As(err, &missing) {
		err = envelope.NewFault(missing.ContractCode(), missing.BatchMessage())
	}
	l.Batch.Failed++
	failed := links.Failed(input, err)
	return l.append(&failed)
}

// blank is the failure of an input of several that says nothing (decision D8).
func blank(param, text string) error {
	if strings.TrimSpace(text) != "" {
		return nil
	}
	return envelope.NewFault(envelope.ValidationMissingParam, envelope.MissingParam(param, ""))
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
		description: "What a code is and where: country, city, state, county, class, point. Short and fast. " + codeText,
		refine:      func(s *jsonschema.Schema) { chars(s, maxCode, "code") },
		aliases:     codeAliases,
	}, func(ctx context.Context, in quickIn) (any, error) {
		return s.db.QuickLookup(ctx, in.Code, postgeo.QuickLookupOptions{Timezone: in.Timezone})
	})
	add(server, s, definition{
		name: "lookup", title: "Look up a code",
		description: "The full record of a code: identity, area codes, elevation, metro areas, city names, postal facts, and with include census areas, districts, schools, time zones and ACS profiles with shares.",
		refine: func(s *jsonschema.Schema) {
			chars(s, maxCode, "code")
			words(s, "include", recordFlags...)
		},
		aliases: codeAliases,
	}, func(ctx context.Context, in lookupIn) (any, error) {
		include, unknown := lookup.ParseIncludeUntil(in.Include.texts(), s.db.LastACSYear())
		r, err := s.db.Lookup(ctx, in.Code, postgeo.LookupOptions{Include: include})
		if err != nil {
			return nil, err
		}
		r.Notices = append(r.Notices, ignored(unknown)...)
		return r, nil
	})
	add(server, s, definition{
		name: "lookup_batch", title: "Look up several codes",
		description: "Up to 100 codes at once: one item for each, in their order, failed ones included. Quick records unless full is set.",
		refine: func(s *jsonschema.Schema) {
			items(s, "codes", maxBatch, maxCode)
			words(s, "include", recordFlags...)
		},
	}, s.lookups)
}

func (s *service) lookups(ctx context.Context, in lookupsIn) (any, error) {
	include, unknown := lookup.ParseIncludeUntil(in.Include.texts(), s.db.LastACSYear())
	out := &list{Notices: ignored(unknown)}
	for _, code := range in.Codes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		input := envelope.Input{Code: code}
		item, err := s.one(ctx, code, in.Full, include)
		if empty := blank("code", code); empty != nil {
			err = empty
		}
		if err := out.take(input, item, err); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// one looks up one code of several.
func (s *service) one(ctx context.Context, code string, full bool, include lookup.Include) (any, error) {
	input := &envelope.Input{Code: code}
	if full {
		r, err := s.db.Lookup(ctx, code, postgeo.LookupOptions{Include: include})
		if err != nil {
			return nil, err
		}
		r.Input = input
		return r, nil
	}
	r, err := s.db.QuickLookup(ctx, code, postgeo.QuickLookupOptions{Timezone: include.Timezone})
	if err != nil {
		return nil, err
	}
	r.Input = input
	return r, nil
}
