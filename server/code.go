package server

import (
	"cmp"
	"context"
	"time"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/lookup"
)

var paramCodes = &param{
	Name: "codes", Required: true, List: true, Help: "List of 1 to 100 codes.",
	Entry: operation.Lookup.Param("code"), Example: `["90210", "10118", "K1A 0B1"]`,
}

// A codeTask is a lookup of a code.
type codeTask struct {
	operation.LookupInput
	code    lookup.Code
	unknown []string // flags
}

func (t *codeTask) input() any { return &t.LookupInput }

func (t *codeTask) check(*input) (err error) {
	t.code, err = lookup.ParseCode(t.Code)
	return err
}

func (t *codeTask) allow(id *billing.Identity) error { return checkCode(id, t.code) }

func (t *codeTask) request() any {
	return &operation.CodeRequest{Code: t.code.String(), CodeType: string(t.code.Type()), LookupParams: t.LookupParams}
}

func (t *codeTask) total(n int) any {
	return &operation.CodesRequest{CodesCount: n, LookupParams: t.LookupParams}
}

func (t *codeTask) same() string { return t.code.String() }

func (t *codeTask) notices() []envelope.Notice { return operation.Ignored(t.unknown) }

// A quickTask is a request of /v2/quick-zip.
type quickTask struct {
	codeTask
	opt lookup.QuickOptions
}

func (t *quickTask) copy() task { c := *t; return &c }

func (t *quickTask) options(*input) { t.opt, t.unknown = t.QuickOptions() }

func (t *quickTask) quote() billing.Cost { return billing.QuoteQuickLookup(t.code, t.opt.Timezone) }

func (t *quickTask) work(ctx context.Context, db DB, at time.Time) (any, error) {
	opt := t.opt
	opt.At = cmp.Or(opt.At, at)
	return db.QuickLookup(ctx, t.Code, opt)
}

func (t *quickTask) price(result any, err error) billing.Cost {
	if err != nil {
		return billing.ForQuickLookupError(err)
	}
	return billing.ForQuickLookup(result.(*lookup.QuickRecord))
}

// A fullTask is a request of /v2/zip.
type fullTask struct {
	codeTask
	opt lookup.Options
}

func (t *fullTask) copy() task { c := *t; return &c }

func (t *fullTask) options(in *input) { t.opt, t.unknown = t.Options(in.lastYear(acs.ZCTA)) }

func (t *fullTask) quote() billing.Cost { return billing.QuoteLookup(t.code, t.opt) }

func (t *fullTask) work(ctx context.Context, db DB, at time.Time) (any, error) {
	opt := t.opt
	opt.At = cmp.Or(opt.At, at)
	return db.Lookup(ctx, t.Code, opt)
}

func (t *fullTask) price(result any, err error) billing.Cost {
	if err != nil {
		return billing.ForError(err)
	}
	return billing.ForLookup(result.(*lookup.Record))
}
