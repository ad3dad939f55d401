package server

import (
	"cmp"
	"context"
	"net/netip"
	"strings"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/notice"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/lookup/suggest"
)

// A typed is the parsed request of /v2/suggest.
type typed struct {
	operation.SuggestInput
	limit   int      // as requested
	ignored []string // flags that are enrichments of other routes
	opt     suggest.Options
	capped  bool // the limit is lower than requested
}

func (s *Server) parseTyped(in *input) (t typed, err error) {
	before, after := in.fill(&t.SuggestInput, operation.SuggestRoute[:3]...), in.fill(&t.SuggestInput, operation.SuggestRoute[3:]...)
	t.State, t.Country = strings.ToUpper(strings.TrimSpace(t.State)), strings.ToUpper(strings.TrimSpace(t.Country))
	t.Proximity = strings.TrimSpace(t.Proximity)
	err = t.parse()
	if err := worstOf(before, err, after); err != nil {
		return t, err
	}
	t.opt.Locator, t.opt.Client = s.cfg.Locator, in.client
	return t, nil
}

// parse parses the options. It ignores enrichments of other routes (decision D11)
// and refuses unknown types (decision D10).
func (t *typed) parse() (err error) {
	read := t.SuggestInput
	read.Include = nil
	for _, f := range t.Include {
		own := f == string(suggest.SchoolDistrict) || f == string(suggest.ElectoralDistrict)
		if include, _ := lookup.ParseInclude([]string{f}); own || include.IsZero() {
			read.Include = append(read.Include, f)
		} else {
			t.ignored = append(t.ignored, f)
		}
	}
	t.opt, err = read.Options()
	t.opt.Limit = cmp.Or(t.opt.Limit, suggest.DefaultLimit)
	t.limit = t.opt.Limit
	return err
}

// allow limits the number of suggestions.
func (t *typed) allow(id *billing.Identity) error {
	if most := maxSuggestions(id); t.opt.Limit > most {
		t.opt.Limit, t.capped = most, true
	}
	return nil
}

// suggest is /v2/suggest, the possible meanings of partial input.
func (s *Server) suggest() single[typed, operation.SuggestRequest, *suggest.Result] {
	return single[typed, operation.SuggestRequest, *suggest.Result]{
		about:  operation.Suggest,
		params: operation.SuggestRoute,
		task: task[typed, *suggest.Result]{
			meter: s.meter("suggest"),
			allow: func(id *billing.Identity, t *typed) error { return t.allow(id) },
			input: func(*typed) envelope.Input { return envelope.Input{} },
			quote: func(t *typed) billing.Cost { return billing.QuoteSuggest(t.opt.Limit) },
			work: func(ctx context.Context, db DB, t *typed, _ time.Time) (*suggest.Result, error) {
				return db.Suggest(ctx, t.Query, t.opt)
			},
			price:  func(t *typed, _ *suggest.Result) billing.Cost { return billing.QuoteSuggest(t.opt.Limit) },
			failed: func(t *typed, _ error) billing.Cost { return billing.QuoteSuggest(t.opt.Limit) },
		},
		parse: s.parseTyped,
		echo: func(t *typed) operation.SuggestRequest {
			return operation.SuggestRequest{
				Q: t.Query, Limit: t.limit, Include: t.Include, State: t.opt.State, Country: t.opt.Country, Proximity: t.opt.Proximity,
			}
		},
		notices: func(t *typed) []envelope.Notice {
			notices := operation.Ignored(t.ignored)
			if t.capped {
				notices = append(notices, notice.SuggestCapped(s.links.Pricing))
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
	return clientAddr(c.r, c.s.trustedProxies())
}
