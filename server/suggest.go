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

// A typed is a request of /v2/suggest.
type typed struct {
	operation.SuggestInput
	s       *Server
	limit   int      // as requested
	ignored []string // flags that are enrichments of other routes
	opt     suggest.Options
	capped  bool // the limit is lower than requested
}

func (t *typed) copy() task { c := *t; return &c }

func (t *typed) input() any { return &t.SuggestInput }

func (t *typed) read(in *input) error {
	if err := in.Fill(&t.SuggestInput, operation.SuggestRoute...); err != nil {
		return err
	}
	t.State, t.Country = strings.ToUpper(strings.TrimSpace(t.State)), strings.ToUpper(strings.TrimSpace(t.Country))
	t.Proximity = strings.TrimSpace(t.Proximity)
	err := t.parse()
	t.opt.Locator, t.opt.Client = t.s.cfg.Locator, in.call.client()
	return err
}

// parse parses the options. It ignores enrichments of other routes (decision D11)
// and refuses unknown types (decision D10).
func (t *typed) parse() (err error) {
	read := t.SuggestInput
	read.Include = nil
	for _, f := range t.Include {
		own := f == string(suggest.SchoolDistrict) || f == string(suggest.ElectoralDistrict)
		if _, unknown := lookup.ParseOptions([]string{f}); own || len(unknown) > 0 {
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

func (t *typed) check(*input) error { return nil }

// allow limits the number of suggestions.
func (t *typed) allow(id *billing.Identity) error {
	if most := maxSuggestions(id); t.opt.Limit > most {
		t.opt.Limit, t.capped = most, true
	}
	return nil
}

func (t *typed) quote() billing.Cost { return billing.QuoteSuggest(t.opt.Limit) }

func (t *typed) work(ctx context.Context, db DB, _ time.Time) (any, error) {
	return db.Suggest(ctx, t.Query, t.opt)
}

func (t *typed) price(any, error) billing.Cost { return t.quote() }

func (t *typed) request() any {
	echo := t.SuggestInput
	echo.Limit, echo.State, echo.Country, echo.Proximity = &t.limit, t.opt.State, t.opt.Country, t.opt.Proximity
	return &echo
}

func (t *typed) notices() []envelope.Notice {
	notices := operation.Ignored(t.ignored)
	if t.capped {
		notices = append(notices, notice.SuggestCapped(t.s.links.Pricing))
	}
	return notices
}

// client returns the address of a request, for suggestions near it.
func (c *call) client() netip.Addr {
	if c.s.cfg.Locator == nil {
		return netip.Addr{}
	}
	return clientAddr(c.r, c.s.trustedProxies())
}
