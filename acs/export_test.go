package acs

import (
	"context"

	"github.com/postgeo/postgeo/internal/store"
)

// Parts that tests check by themselves.

var NewReader = newReader

var Decimal = decimal

var Difference = difference

type Estimate = estimate

func (e estimate) CV() float64 { return e.cv() }

func (e estimate) Scale(by float64) estimate { return e.scale(by) }

func (e estimate) StandardError() float64 { return e.standardError() }

var Null = nullOf

var PriceFactor = priceFactor

var Proportion = proportion

var Quotient = quotient

func (r *Reader) Source() string { return r.source }

func Find(key string) (int, bool) { return builtIn().find(key) }

var Layout = layout

var GeoID = geoID

var DollarYear = dollarYear

func Agrees(f *Field, label string) bool { return f.agrees(label) }

func (b *Block) Key() string { return key(b) }

func (a *Aggregate) Key() string { return key(a) }

var ParseRegistry = parseRegistry

func (f *Figure) Sample(percent bool) (estimate, bool) { return f.sample(percent) }

var ReliabilityOf = reliabilityOf

var Round = round

var Sum = sumOf

func (v Value) Decimals() int { return int(v.decimals) }

func (v Value) Mark() store.ACSMark { return v.mark }

type Bracket = bracket

func (f *Field) Brackets(year int) []fieldBracket { return f.brackets(year) }

var MedianOfBrackets = medianOfBrackets

var Compare = compare

func (r *Reader) Figures(ctx context.Context, l Level, parts []Part, fields []*Field, years []int, opt FigureOptions) ([]Figure, error) {
	return r.figures(ctx, l, parts, fields, years, opt)
}

func (r *Reader) YearsOf(l Level) []int { return r.yearsOf(l) }

func (f *Field) Stable(year int) bool { return f.isStable(year) }

// An AggregateResult has the results of [Reader.Aggregate].
type AggregateResult struct {
	Years                  Years[Aggregate]
	Delivered, Unavailable []Tag
}

func (r *Reader) AggregateOf(ctx context.Context, l Level, parts []Part, tags []Tag, byShare bool, opt Options) (*AggregateResult, error) {
	years, delivered, unavailable, err := r.Aggregate(ctx, l, parts, tags, byShare, opt)
	if err != nil {
		return nil, err
	}
	return &AggregateResult{years, delivered, unavailable}, nil
}
