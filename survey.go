package postgeo

import (
	"github.com/postgeo/postgeo/internal/acs"
)

// ACSTag selects a data profile and its year.
//
//	type Tag struct {
//		Profile Profile
//		Year    uint16 // 2011 or later; 0 means the newest year of the dataset
//	}
//	func (t Tag) String() string
//	func (t Tag) TractFlag() string
type ACSTag = acs.Tag

// ACSProfile is one of the four data profiles.
//
//	type Profile uint8
//	const Demographic, Social, Economic, Housing
//	func (p Profile) String() string
//	func (p Profile) Table() string
type ACSProfile = acs.Profile

// The data profiles.
const (
	Demographic = acs.Demographic
	Social      = acs.Social
	Economic    = acs.Economic
	Housing     = acs.Housing
)

// ACSLevel is the kind of the areas of survey tables.
//
//	type Level uint8
//	const ZCTA, Tract
//	func (l Level) String() string
type ACSLevel = acs.Level

// The levels.
const (
	ZCTA  = acs.ZCTA
	Tract = acs.Tract
)

// The methods for medians of brackets, see [ACSFigureOptions].
const (
	Linear = acs.Linear
	Pareto = acs.Pareto
)

// NewestDollars converts amounts to the newest year of the price index, see
// [ACSFigureOptions].
const NewestDollars = acs.NewestDollars

// ACSOptions selects additional fields of profiles.
//
//	type Options struct {
//		// Bridged adds core fields whose label has another wording or place in the
//		// year; 448 are then in every year.
//		Bridged bool
//		// Extras adds fields that are not core: historical ones, and those that are
//		// new in 2024.
//		Extras bool
//	}
type ACSOptions = acs.Options

// ACSFigureOptions configures the computation of figures.
//
//	type FigureOptions struct {
//		Options
//		// Interpolation is the method for medians of brackets.
//		Interpolation Interpolation
//		// Dollars is the year to convert amounts to: one that [PriceFactor]
//		// supports, or NewestDollars; 0 leaves them as published.
//		Dollars int
//		// Whole counts parts with a share in full.
//		Whole bool
//	}
//	type Options struct {
//		// Bridged adds core fields whose label has another wording or place in the
//		// year; 448 are then in every year.
//		Bridged bool
//		// Extras adds fields that are not core: historical ones, and those that are
//		// new in 2024.
//		Extras bool
//	}
type ACSFigureOptions = acs.FigureOptions

// ACSResult has the profiles of an area.
//
//	type Result struct {
//		Years       Years // newest first
//		Delivered   []Tag // with figures
//		Unpublished []Tag // of years without data for the area
//		Unavailable []Tag // of tables that the dataset lacks, or that lack this area
//	}
type ACSResult = acs.Result

// ACSBlock has the profiles of an area in one year.
//
//	type Block struct {
//		Source    string
//		Product   string
//		Year      int    // last of the five years
//		GeoID     string // the Census Bureau's identifier, e.g. "860Z200US10001"
//		Level     string // "zcta" or "tract"
//		Published Published
//		Note      string // reason if nothing was published
//		Current   bool   // the newest year of the dataset
//		Requested ProfileSet
//		Profiles
//	}
//	func (b *Block) Vintage() string
//	func (b *Block) Key() string
//	type Profiles struct {
//	}
//	func (p *Profiles) Has(which Profile) bool
//	func (p *Profiles) Metric(f *Field) Metric
type ACSBlock = acs.Block

// ACSStats has the profiles of several areas in one year.
//
//	type Aggregate struct {
//		Source      string
//		Product     string
//		Year        int       // last of the five years
//		Current     bool      // the newest year of the dataset
//		WithData    int       // parts with figures in any requested profile
//		WithoutData int       // the other parts
//		Weighting   Weighting // described by [Aggregate.Note]
//		Profiles              // nil if not requested, or if no part has figures
//	}
//	func (a *Aggregate) Key() string
//	func (a *Aggregate) Vintage() string
//	func (a *Aggregate) CoveragePercent() float64
//	func (a *Aggregate) Note() string
//	type Profiles struct {
//	}
//	func (p *Profiles) Has(which Profile) bool
//	func (p *Profiles) Metric(f *Field) Metric
type ACSStats = acs.Aggregate

// ACSMetric is a field's estimate, margin of error and percentage.
//
//	type Metric struct {
//		Estimate   Value
//		MOE        Value // margin of error of the estimate at 90 percent confidence; absent in aggregates
//		Percent    Value // share of the field's universe in percent; absent if the field has none
//		PercentMOE Value // margin of error of the percentage, in points
//	}
//	func (m Metric) Column() string
//	func (m Metric) IsZero() bool
type ACSMetric = acs.Metric

// ACSValue is an exact decimal or the reason of its absence.
//
//	type Value struct {
//	}
//	func (v Value) Mark() Mark
//	func (v Value) IsNumber() bool
//	func (v Value) IsZero() bool
//	func (v Value) Float64() (float64, bool)
//	func (v Value) Int() int64
//	func (v Value) Decimals() int
//	func (v Value) String() string
type ACSValue = acs.Value

// ACSField describes a field in all years.
//
//	type Field struct {
//		Profile     Profile
//		Section     string // JSON key of the section, e.g. "income"
//		Name        string // JSON key within the section, e.g. "median_household_income"
//		Label       string // the Census Bureau's label, parts separated by "!!", as worded in 2023 if possible; see LabelIn
//		Kind        Kind
//		Decimals    uint8  // of estimate and margin of error; percentages have one
//		Universe    bool   // the field is a total of others and has no percentage
//		Denominator string // "section.name" of the percentage's denominator, in the same profile; "" if none
//		Weight      string // weight in an aggregate: "section.name", a difference of such, or "=" and a quotient
//		Core        bool   // one of the 528 fields of the interface; the others are historical or new
//		EveryYear   bool   // has a column in every year, under any label
//		LabelStable bool   // has the same label in every year
//		Note        string // change between years; "" if none
//	}
//	func (f *Field) Brackets(year int) []FieldBracket
//	func (f *Field) Dollars() bool
//	func (f *Field) Key() string
//	func (f *Field) String() string
//	func (f *Field) Number(year int) uint16
//	func (f *Field) Column(year int) string
//	func (f *Field) In(year int) Comparability
//	func (f *Field) Stable(year int) bool
//	func (f *Field) Years() []int
//	func (f *Field) StableYears() []int
//	func (f *Field) Agrees(label string) bool
//	func (f *Field) LabelIn(year int) string
type ACSField = acs.Field

// ACSQuery selects fields. The zero value selects all.
//
//	type Query struct {
//		Profile Profile // 0: any
//		Section string  // "": any
//		Kind    Kind    // 0: any
//		Year    int     // a year whose table has a column; 0: any
//		Served  bool    // only core fields, and of Year those with an unchanged label
//		Every   bool    // only fields that are served in every year
//		Text    string  // words that all occur in the key or the label, in any case; "": any
//	}
type ACSQuery = acs.Query

// ACSFields returns the selected fields in the order of the tables.
func ACSFields(q ACSQuery) []*ACSField { return acs.Fields(q) }

// MustACSField returns the field with a full name, such as
// "economic.income.median_household_income". It panics if there is none.
func MustACSField(name string) *ACSField { return acs.MustField(name) }

// ParseACSTag reads an include flag, such as "acs_social" or "acs_social_2019".
// Errors match [ErrInvalidParam].
func ParseACSTag(s string) (ACSTag, error) { return acs.ParseTag(s) }
