package operation

import (
	"cmp"
	"context"
	"strings"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/lookup/suggest"
)

// Suggest completes partial input.
var Suggest = define((*SuggestInput).Run, Operation{
	Name: "suggest", Path: "/v2/suggest", Command: "suggest", Absent: "the contract has no batch of suggestions",
	Summary: "Find places, codes and areas by name, or complete partial input.",
	Detail:  "Matches are codes, places, counties, metro areas, states and school districts, best first, with the GEOID of a name.",
	Price:   "1 up to 15 suggestions, 2 up to 50, 3 up to 150, 5 beyond, by the limit in effect.",
})

// SuggestRoute are the parameters of the HTTP route, with the contract's name of the
// query.
var SuggestRoute = append([]*Param{Suggest.Param("query").But(func(p *Param) {
	p.Name, p.Aliases = "q", []string{"query", "text", "search"}
})}, Suggest.Params[1:]...)

// SuggestInput is the input of [Suggest].
type SuggestInput struct {
	Query     string         `json:"q" arg:"" join:"text" chars:"200" example:"portl" help:"A name, a name and a state, a code, or the beginning of one. The last word is unfinished unless a space follows."`
	Limit     *int           `json:"limit" least:"1" most:"500" default:"10" placeholder:"N" short:"n" help:"Maximum number of matches."`
	Include   envelope.Flags `json:"include" values:"zip,place,county,cbsa,fsa,state,school_district,ca_postal,uspscity,cd,address" placeholder:"TYPE" short:"i" help:"Types of matches. Default: all but cd, electoral districts, and address, street addresses. CA-12 finds a district without it."`
	State     string         `json:"state,omitzero" placeholder:"ST" help:"Abbreviation of the US state or Canadian province of the matches."`
	Country   string         `json:"country,omitzero" values:"US,CA" placeholder:"CC" help:"Country of the matches: US or CA. Default: both."`
	Proximity string         `json:"proximity,omitzero" placeholder:"PLACE" help:"Ranks nearby matches higher: latitude,longitude, a ZIP, an FSA, a state or province, an IP address, or auto for the caller's address."`
	Flagged

	Opt suggest.Options `json:"-"` // by Check
}

// Check parses the options. It ignores enrichments of other routes (decision D11) and
// refuses unknown types (decision D10).
func (in *SuggestInput) Check(context.Context, DB) (err error) {
	in.State, in.Country = strings.ToUpper(strings.TrimSpace(in.State)), strings.ToUpper(strings.TrimSpace(in.Country))
	in.Proximity = strings.TrimSpace(in.Proximity)
	known := *in
	known.Include = nil
	for _, f := range in.Include {
		// Two names are types here and enrichments elsewhere.
		own := f == string(suggest.SchoolDistrict) || f == string(suggest.ElectoralDistrict)
		if _, unknown := lookup.ParseOptions([]string{f}); own || len(unknown) > 0 {
			known.Include = append(known.Include, f)
		} else {
			in.Unknown = append(in.Unknown, f)
		}
	}
	in.Opt, err = known.Options()
	in.Opt.Limit = cmp.Or(in.Opt.Limit, suggest.DefaultLimit)
	return err
}

// Echo returns the input as failed items repeat it.
func (in *SuggestInput) Echo() envelope.Input { return envelope.Input{} }

// Options returns the options of the search.
func (in *SuggestInput) Options() (o suggest.Options, err error) {
	o = suggest.Options{State: in.State, Country: in.Country, Proximity: in.Proximity}
	if in.Limit != nil {
		o.Limit = *in.Limit
	}
	o.Include, err = suggest.ParseTypes(in.Include)
	return o, err
}

// Run searches.
func (in *SuggestInput) Run(ctx context.Context, db DB) (*suggest.Result, error) {
	o, err := in.Options()
	if err != nil {
		return nil, err
	}
	return db.Suggest(ctx, in.Query, o)
}
