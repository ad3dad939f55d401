package server

import (
	"context"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/lookup/suggest"
	"github.com/postgeo/postgeo/server/internal/document"
)

var (
	suggestTypes = strings.Split(suggest.TypesOf(suggest.ZIP, suggest.Place, suggest.County, suggest.CBSA, suggest.FSA, suggest.State,
		suggest.SchoolDistrict, suggest.Postal, suggest.City).String(), ",")

	paramQ = &param{
		Name: "q", Required: true, Chars: suggest.MaxQueryLength, Aliases: []string{"query", "text", "search"},
		Doc: "Partial input: a name, a name and a state, a code, or the beginning of one.", Example: "portl",
	}
	paramSuggestLimit = &param{
		Name: "limit", Doc: "Maximum number of matches; 15 for free and test keys.", Kind: document.Integer,
		Least: 1, Most: suggest.MaxLimit, Default: strconv.Itoa(suggest.DefaultLimit),
	}
	paramSuggestTypes = &param{Name: "include", List: true, Values: suggestTypes, Doc: "Types of matches, separated by commas. Default: all."}
	paramState        = &param{Name: "state", Doc: "Abbreviation of the US state or Canadian province of the matches."}
	paramCountry      = &param{Name: "country", Values: []string{"US", "CA"}, Doc: "Country of the matches. Default: both."}
	paramProximity    = &param{
		Name: "proximity", Doc: "Ranks nearby matches higher: latitude,longitude, a ZIP, an FSA, a state or province, an IP address, or auto for the caller's address.",
	}
)

// A typed is the parsed request of /v2/suggest.
type typed struct {
	q       string
	limit   int // as requested
	flags   envelope.Flags
	ignored []string // flags that are enrichments of other routes
	opt     suggest.Options
	capped  bool // the limit is lower than requested
}

func (s *Server) parseTyped(in *input) (t typed, err error) {
	var errs [6]error
	t.q, errs[0] = in.text(paramQ)
	errs[1] = t.parseLimit(in)
	errs[2] = t.parseTypes(in)
	t.opt.State, errs[3] = in.text(paramState)
	t.opt.Country, errs[4] = in.text(paramCountry)
	t.opt.Proximity, errs[5] = in.text(paramProximity)
	t.opt.State, t.opt.Country = strings.ToUpper(strings.TrimSpace(t.opt.State)), strings.ToUpper(strings.TrimSpace(t.opt.Country))
	t.opt.Proximity = strings.TrimSpace(t.opt.Proximity)
	if err := worstOf(errs[:]...); err != nil {
		return t, err
	}
	t.opt.Locator, t.opt.Client = s.cfg.Locator, in.client
	return t, nil
}

func (t *typed) parseLimit(in *input) error {
	t.limit = suggest.DefaultLimit
	v, found, err := in.number(paramSuggestLimit, false)
	if err == nil && found && strings.TrimSpace(v) != "" {
		t.limit, err = suggest.ParseLimit(v)
	}
	t.opt.Limit = t.limit
	return err
}

// parseTypes parses include. It ignores enrichments of other routes (decision D11)
// and refuses unknown types (decision D10).
func (t *typed) parseTypes(in *input) error {
	flags, found, err := in.flags(paramSuggestTypes)
	if err != nil || !found {
		return err
	}
	t.flags = flags
	var types []string
	for _, f := range flags {
		if include, _ := lookup.ParseInclude([]string{f}); include.IsZero() || f == suggest.SchoolDistrict.String() {
			types = append(types, f)
		} else {
			t.ignored = append(t.ignored, f)
		}
	}
	t.opt.Include, err = suggest.ParseTypes(types)
	return err
}

// allow limits the number of suggestions.
func (t *typed) allow(id *billing.Identity) error {
	if most := id.Suggestions(); t.opt.Limit > most {
		t.opt.Limit, t.capped = most, true
	}
	return nil
}

// suggest is /v2/suggest, the possible meanings of partial input.
func (s *Server) suggest() operation[typed, envelope.SuggestRequest, *suggest.Result] {
	return operation[typed, envelope.SuggestRequest, *suggest.Result]{
		path:    "/v2/suggest",
		summary: "Places, codes and areas that match partial input.",
		params:  []*param{paramQ, paramSuggestLimit, paramSuggestTypes, paramState, paramCountry, paramProximity},
		task: task[typed, *suggest.Result]{
			meter: s.meter("suggest"),
			allow: func(id *billing.Identity, t *typed) error { return t.allow(id) },
			input: func(*typed) envelope.Input { return envelope.Input{} },
			quote: func(t *typed) billing.Cost { return billing.QuoteSuggest(t.opt.Limit) },
			work: func(ctx context.Context, db DB, t *typed, _ time.Time) (*suggest.Result, error) {
				return db.Suggest(ctx, t.q, t.opt)
			},
			price:  func(t *typed, _ *suggest.Result) billing.Cost { return billing.QuoteSuggest(t.opt.Limit) },
			failed: func(t *typed, _ error) billing.Cost { return billing.QuoteSuggest(t.opt.Limit) },

			cost: "1 up to 15 suggestions, 2 up to 50, 3 up to 150, 5 beyond, by the limit in effect.",
		},
		parse: s.parseTyped,
		echo: func(t *typed) envelope.SuggestRequest {
			return envelope.SuggestRequest{
				Q: t.q, Limit: t.limit, Include: t.flags, State: t.opt.State, Country: t.opt.Country, Proximity: t.opt.Proximity,
			}
		},
		notices: func(t *typed) []envelope.Notice {
			var notices []envelope.Notice
			if len(t.ignored) > 0 {
				notices = append(notices, envelope.UnknownEnrichments(t.ignored))
			}
			if t.capped {
				notices = append(notices, envelope.SuggestCapped(s.links.Pricing))
			}
			return notices
		},
	}
}

// client returns the address of a request, for suggestions near it.
func (c *call) client() netip.Addr {
	if c.s.cfg.Locator == nil {
		return netip.Addr{}
	}
	var trusted billing.AddrList
	if a := c.s.cfg.Accounts; a != nil {
		trusted = a.TrustedProxies
	}
	return clientAddr(c.r, trusted)
}
