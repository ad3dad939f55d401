package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/lookup"
)

type profileIn struct {
	Code     string   `json:"code" jsonschema:"A US ZIP, a ZIP+4 or latitude,longitude in one, or a census tract by its eleven digits."`
	Profiles []string `json:"profiles" jsonschema:"Which profiles: each has about a hundred fields or more."`
	Years    []int    `json:"years,omitempty" jsonschema:"Years of the five-year estimates, 2011 or later. Default: the newest of the dataset."`
}

func (in profileIn) echo() envelope.Input { return envelope.Input{Code: in.Code} }

type fieldsIn struct {
	Profile string `json:"profile,omitempty" jsonschema:"Only fields of this profile."`
	Section string `json:"section,omitempty" jsonschema:"Only fields of this section, e.g. income."`
	Query   string `json:"query,omitempty" jsonschema:"Words that all occur in the key or the label, e.g. median rent."`
	Limit   *int   `json:"limit,omitempty" jsonschema:"The most fields. Default: 50."`
}

// maxYears is the most years of one call.
const maxYears = 20

func profiles() []string {
	var names []string
	for _, p := range acs.AllProfiles() {
		names = append(names, p.String())
	}
	return names
}

func (s *service) addSurvey(server *mcp.Server) {
	add(server, s, definition{
		name: "acs_profile", title: "Survey profiles of a ZIP Code or tract",
		core:        true,
		description: "Data profiles of the American Community Survey's five-year estimates for the census area of a ZIP Code or for a census tract: demographic, social, economic, housing, with estimates, margins of error and percentages. null is a figure that was not published.",
		bounds: []bound{
			chars(maxCode, "code"),
			items("profiles", len(profiles()), 0),
			oneOf("profiles", profiles()...),
			items("years", maxYears, 0),
		},
		choose: true,
	}, s.profile)
	add(server, s, definition{
		name: "acs_fields", title: "Find fields of the survey",
		description: "Fields of the survey's profiles by words: key, label, kind and the years in which they are comparable.",
		bounds:      []bound{oneOf("profile", profiles()...), limited(2 * mostMatches)},
	}, s.fields)
}

// profileAnswer are the profiles of a code.
type profileAnswer struct {
	Code     string            `json:"code"`
	CodeType lookup.CodeType   `json:"code_type,omitzero"` // not of a tract
	City     string            `json:"city,omitzero"`
	State    string            `json:"state,omitzero"`
	ACS      acs.Years         `json:"acs,omitzero"`
	Notices  []envelope.Notice `json:"notices,omitempty"`
}

func (s *service) profile(ctx context.Context, in profileIn) (*profileAnswer, error) {
	var include lookup.Include
	years := in.Years
	if len(years) == 0 {
		years = []int{0}
	}
	for _, name := range in.Profiles {
		p, ok := acs.ParseProfile(name)
		if !ok {
			return nil, envelope.NewFault(envelope.ValidationInvalidParam, envelope.InvalidParam("profiles", "a list of demographic, social, economic and housing"))
		}
		for _, year := range years {
			if last := s.db.LastACSYear(ctx, acs.ZCTA); len(in.Years) > 0 && (year < acs.FirstYear || year > last) {
				return nil, envelope.NewFault(envelope.ValidationInvalidParam, envelope.InvalidParam("years", fmt.Sprintf("a list of years from %d to %d", acs.FirstYear, last)))
			}
			if tag := (acs.Tag{Profile: p, Year: uint16(year)}); !slices.Contains(include.ACS, tag) {
				include.ACS = append(include.ACS, tag)
			}
		}
	}
	if isTract(in.Code) {
		return s.tract(ctx, in.Code, include.ACS)
	}
	r, err := s.db.Lookup(ctx, in.Code, postgeo.LookupOptions{Include: include})
	if err != nil {
		return nil, err
	}
	return &profileAnswer{Code: r.Code, CodeType: r.CodeType, City: r.City, State: r.State, ACS: r.ACS, Notices: r.Notices}, nil
}

// isTract reports whether a code is that of a census tract.
func isTract(code string) bool {
	return len(code) == 11 && strings.Trim(code, "0123456789") == ""
}

// tract reads the profiles of a census tract.
func (s *service) tract(ctx context.Context, geoid string, tags []acs.Tag) (*profileAnswer, error) {
	r, err := s.db.ACSProfile(ctx, geoid, tags, acs.Options{})
	if err != nil {
		return nil, err
	}
	out := &profileAnswer{Code: geoid, ACS: r.Years}
	if len(r.Unavailable) > 0 {
		var flags []string
		for _, tag := range r.Unavailable {
			flags = append(flags, tag.TractFlag())
		}
		out.Notices = []envelope.Notice{envelope.UnavailableEnrichments(flags)}
	}
	return out, nil
}

// A field is an entry of the catalogue.
type field struct {
	Key     string   `json:"key"` // profile.section.name, as in acs.current.*
	Label   string   `json:"label"`
	Kind    acs.Kind `json:"kind"`
	ShareOf string   `json:"share_of,omitzero"` // section.name of what the percentage is of
	Years   []int    `json:"years"`             // in which it is served
	Note    string   `json:"note,omitzero"`
}

// catalogue lists the fields of the interface that a query chooses.
func catalogue(q acs.Query) []field {
	q.Served = true
	out := []field{}
	for _, f := range acs.Fields(q) {
		out = append(out, field{Key: f.String(), Label: f.LabelIn(0), Kind: f.Kind, ShareOf: f.Denominator, Years: f.StableYears(), Note: f.Note})
	}
	return out
}

type fieldsAnswer struct {
	Fields []field `json:"fields"`
	Total  int     `json:"total"` // how many there are
}

func (s *service) fields(_ context.Context, in fieldsIn) (*fieldsAnswer, error) {
	q := acs.Query{Section: in.Section, Text: in.Query}
	if in.Profile != "" {
		p, ok := acs.ParseProfile(in.Profile)
		if !ok {
			return nil, envelope.NewFault(envelope.ValidationInvalidParam, envelope.InvalidParam("profile", "demographic, social, economic or housing"))
		}
		q.Profile = p
	}
	all := catalogue(q)
	return &fieldsAnswer{Fields: all[:min(defaulted(in.Limit, usualMatches), len(all))], Total: len(all)}, nil
}
