package postgeo

import (
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/address/geocode"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/fault"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/lookup/suggest"
	"github.com/postgeo/postgeo/radius"
)

// ACSAggregates holds the years of the same areas, newest first. Its JSON is an
// object with a member per year, like that of [ACSYears].
//
//	type ACSAggregates []ACSStats
//	func (y ACSAggregates) Year(year int) *ACSStats
type ACSAggregates = acs.Aggregates

// An ACSBlock is one year of one area: the contract's year block. Its JSON has the
// requested profiles; one without data is null.
//
//	type ACSBlock struct {
//		Source    string
//		Product   string
//		Year      int    // last of the five years
//		GeoID     string // the Census Bureau's identifier, e.g. "860Z200US10001"
//		Level     string // "zcta" or "tract"
//		Published ACSPublished
//		Note      string // reason if nothing was published
//		Current   bool   // the newest year of the dataset
//		Requested ACSProfileSet
//		ACSProfiles
//	}
//	func (b *ACSBlock) Vintage() string
//	func (b *ACSBlock) Key() string
//	type ACSProfiles struct {
//	}
//	func (p *ACSProfiles) Has(which ACSProfile) bool
//	func (p *ACSProfiles) Metric(f *ACSField) ACSMetric
type ACSBlock = acs.Block

// An ACSBracketMedian is a median interpolated from counts of a distribution.
//
//	type ACSBracketMedian struct {
//		Estimate      ACSValue         // a bound if the median is in an open bracket
//		Annotation    string           // "+" or "-" after a bound
//		MOE           ACSValue         // at 90 percent confidence
//		Interpolation ACSInterpolation // of the bracket
//	}
type ACSBracketMedian = acs.BracketMedian

// An ACSComparability describes how comparable a field is in one year with another.
//
//	type ACSComparability uint8
//	func (c ACSComparability) String() string
type ACSComparability = acs.Comparability

// The values of [ACSComparability].
const (
	ACSNoColumn = acs.NoColumn
	ACSNoData   = acs.NoData
	ACSReworded = acs.Reworded
	ACSSame     = acs.Same
)

// An ACSComparison is a test whether two figures of one field differ significantly.
//
//	type ACSComparison struct {
//		Field      string
//		A          ACSFigure
//		B          ACSFigure
//		Percent    bool     // the percentages were compared
//		Difference ACSValue // B less A
//		MOE        ACSValue // at 90 percent confidence
//		Change     ACSValue // the difference in percent of A; null if A is 0
//		Z          float64  // the difference in standard errors, to two decimals; ±32767 if it has no error
//		At90       bool
//		At95       bool
//		At99       bool
//		// Overlap is the common share of the five years of samples, 0 to 1.
//		Overlap float64
//		Notes   []string
//	}
type ACSComparison = acs.Comparison

// An ACSEstimate is a figure with its margin of error at 90 percent confidence. An
// unknown margin is NaN; that of a controlled estimate is 0. The formulas are
// from the Census Bureau's handbook "Understanding and Using American Community
// Survey Data: What All Data Users Need to Know", chapter 8. They assume
// independent estimates, which is nearly true of neighboring areas.
//
//	type ACSEstimate struct {
//		Value float64
//		MOE   float64
//	}
//	func (e ACSEstimate) StandardError() float64
//	func (e ACSEstimate) CV() float64
//	func (e ACSEstimate) Scale(by float64) ACSEstimate
type ACSEstimate = acs.Estimate

// An ACSField is one figure of a profile. Its name is the same in every year and at
// every level.
//
//	type ACSField struct {
//		Profile     ACSProfile
//		Section     string // JSON key of the section, e.g. "income"
//		Name        string // JSON key within the section, e.g. "median_household_income"
//		Label       string // the Census Bureau's label, parts separated by "!!", as worded in 2023 if possible; see LabelIn
//		Kind        ACSKind
//		Decimals    uint8  // of estimate and margin of error; percentages have one
//		Universe    bool   // the field is a total of others and has no percentage
//		Denominator string // "section.name" of the percentage's denominator, in the same profile; "" if none
//		Weight      string // weight in an aggregate: "section.name", a difference of such, or "=" and a quotient
//		Core        bool   // one of the 528 fields of the interface; the others are historical or new
//		EveryYear   bool   // has a column in every year, under any label
//		LabelStable bool   // has the same label in every year
//		Note        string // change between years; "" if none
//	}
//	func (f *ACSField) Brackets(year int) []ACSFieldBracket
//	func (f *ACSField) Key() string
//	func (f *ACSField) String() string
//	func (f *ACSField) Number(year int) uint16
//	func (f *ACSField) Column(year int) string
//	func (f *ACSField) In(year int) ACSComparability
//	func (f *ACSField) Stable(year int) bool
//	func (f *ACSField) Years() []int
//	func (f *ACSField) StableYears() []int
//	func (f *ACSField) LabelIn(year int) string
//	func (f *ACSField) Dollars() bool
type ACSField = acs.Field

// An ACSFieldBracket is an interval of a distribution and the field that counts it.
//
//	type ACSFieldBracket struct {
//		Field     string  // full name
//		Low, High float64 // an infinite High is an open end
//		OpenBelow bool    // the interval has no lower end
//	}
type ACSFieldBracket = acs.FieldBracket

// An ACSFigure is one field of one year over one or several areas, with its
// sampling error. A missing figure has no numbers; Status gives the reason.
//
//	type ACSFigure struct {
//		Field   string    // full name
//		Label   string    // of the Census Bureau
//		Kind    ACSKind   // kind of the field
//		Year    int       // last of the five years
//		Vintage string    // the five years
//		Status  ACSStatus // available, or the reason for a missing figure
//		// Column is the Census Bureau's, of a single area.
//		Column string
//		// Annotation is the sign that the Census Bureau prints instead of the
//		// estimate, or "+" or "-" after a bound.
//		Annotation string
//		Estimate   ACSValue       // estimate
//		MOE        ACSValue       // at 90 percent confidence; 0 for controlled estimates
//		MOEBasis   ACSMarginBasis // published or computed
//		Percent    ACSValue       // share of the field's universe in percent
//		PercentMOE ACSValue       // margin of error of pct
//		// PercentBasis is the MOEBasis of the percentage.
//		PercentBasis ACSMarginBasis
//		// CV is the coefficient of variation of the estimate, or of the percentage
//		// if there is no estimate, in percent to one decimal.
//		CV          ACSValue
//		Reliability ACSReliability // high, medium or low, by cv_pct
//		// Dollars is the year of the amounts' dollars; 0 if the field is not money.
//		Dollars int
//		// Bracket is the median computed from the counts of a distribution.
//		Bracket *ACSBracketMedian
//		With    int // number of areas with a figure
//		Without int // number of areas without one
//		// Bounds is the number of areas with a bound instead of a median.
//		Bounds int
//		// Covered is the share of the areas' population in areas with a figure, in
//		// percent to one decimal. It is absent if the dataset has no population of
//		// the year.
//		Covered ACSValue
//		// CarriedOver is the share of people from areas of 2010 that areas of 2020
//		// divide, in percent to one decimal. It is absent on the areas of the table.
//		CarriedOver ACSValue
//	}
//	func (f *ACSFigure) Sample(percent bool) (ACSEstimate, bool)
type ACSFigure = acs.Figure

// ACSFigureOptions configures the computation of figures. The zero value selects
// the contract's fields, interpolates linearly and leaves dollars as published.
//
//	type ACSFigureOptions struct {
//		ACSOptions
//		// Interpolation is the method for medians of brackets.
//		Interpolation ACSInterpolation
//		// Dollars is the year to convert amounts to: one that [PriceFactor]
//		// supports, or NewestDollars; 0 leaves them as published.
//		Dollars int
//		// Whole counts parts with a share in full.
//		Whole bool
//	}
//	type ACSOptions struct {
//		// Bridged adds core fields whose label has another wording or place in the
//		// year; 448 are then in every year.
//		Bridged bool
//		// Extras adds fields that are not core: historical ones, and those that are
//		// new in 2024.
//		Extras bool
//	}
type ACSFigureOptions = acs.FigureOptions

// An ACSInterpolation describes the distribution within a bracket.
//
//	type ACSInterpolation uint8
//	func (i ACSInterpolation) String() string
type ACSInterpolation = acs.Interpolation

// The values of [ACSInterpolation].
const (
	Linear = acs.Linear
	Pareto = acs.Pareto
)

// An ACSKind classifies a field; it determines how the field is aggregated.
//
//	type ACSKind uint8
//	func (k ACSKind) String() string
type ACSKind = acs.Kind

// The values of [ACSKind].
const (
	ACSCount       = acs.Count
	ACSMedian      = acs.Median
	ACSMean        = acs.Mean
	ACSRate        = acs.Rate
	ACSRatio       = acs.Ratio
	ACSPercentOnly = acs.PercentOnly
)

// An ACSLevel is a kind of area with figures. Its String is "zcta" or "tract".
//
//	type ACSLevel uint8
//	func (l ACSLevel) String() string
type ACSLevel = acs.Level

// The values of [ACSLevel].
const (
	ZCTA  = acs.ZCTA
	Tract = acs.Tract
)

// An ACSLine is one field of an area, or of several together, over the years.
//
//	type ACSLine struct {
//		Area      string // code of the area, or a name for several
//		Level     string
//		Field     string // full name
//		Label     string
//		Points    []ACSFigure // ascending years, those without a figure included
//		Notes     []string    // obstacles to comparing the years
//	}
type ACSLine = acs.Line

// An ACSMarginBasis describes the origin of a margin of error.
//
//	type ACSMarginBasis uint8
//	func (b ACSMarginBasis) String() string
type ACSMarginBasis = acs.MarginBasis

// The values of [ACSMarginBasis].
const (
	ACSNoMarginBasis   = acs.NoMarginBasis
	ACSPublishedMargin = acs.PublishedMargin
	ACSSummedMargin    = acs.SummedMargin
	ACSUpperBound      = acs.UpperBound
)

// An ACSMark classifies a value as a number or a bound, or gives the reason of a
// missing one.
//
//	type ACSMark uint8
//	func (m ACSMark) IsNumber() bool
type ACSMark = acs.Mark

// The values of [ACSMark].
const (
	ACSMarkAbsent        = acs.Absent
	ACSMarkNumber        = acs.Number
	ACSMarkAtLeast       = acs.AtLeast
	ACSMarkAtMost        = acs.AtMost
	ACSMarkNotApplicable = acs.NotApplicable
	ACSMarkTooFewSamples = acs.TooFewSamples
	ACSMarkTooFewCases   = acs.TooFewCases
	ACSMarkNoMargin      = acs.NoMargin
	ACSMarkOpenInterval  = acs.OpenInterval
	ACSMarkControlled    = acs.Controlled
	ACSMarkFiltered      = acs.Filtered
)

// An ACSMetric is one field of an area and year, or of an aggregate. The zero
// Metric is a missing figure.
//
//	type ACSMetric struct {
//		Estimate   ACSValue
//		MOE        ACSValue // margin of error of the estimate at 90 percent confidence; absent in aggregates
//		Percent    ACSValue // share of the field's universe in percent; absent if the field has none
//		PercentMOE ACSValue // margin of error of the percentage, in points
//	}
//	func (m ACSMetric) Column() string
//	func (m ACSMetric) IsZero() bool
type ACSMetric = acs.Metric

// ACSOptions selects fields. The zero value selects the contract's: core fields in
// the years with an unchanged label. Of these, 423 are in every year from 2011
// to 2024.
//
//	type ACSOptions struct {
//		// Bridged adds core fields whose label has another wording or place in the
//		// year; 448 are then in every year.
//		Bridged bool
//		// Extras adds fields that are not core: historical ones, and those that are
//		// new in 2024.
//		Extras bool
//	}
type ACSOptions = acs.Options

// An ACSProfile is one of the four data profiles of the American Community Survey.
// The zero Profile is not valid.
//
//	type ACSProfile uint8
//	func (p ACSProfile) String() string
//	func (p ACSProfile) Table() string
type ACSProfile = acs.Profile

// The values of [ACSProfile].
const (
	Demographic = acs.Demographic
	Social      = acs.Social
	Economic    = acs.Economic
	Housing     = acs.Housing
)

// An ACSProfileSet is a set of profiles.
//
//	type ACSProfileSet uint8
//	func (s ACSProfileSet) With(p ACSProfile) ACSProfileSet
//	func (s ACSProfileSet) Has(p ACSProfile) bool
type ACSProfileSet = acs.ProfileSet

// ACSProfiles holds the metrics of the four profiles of one area and year, or of an
// aggregate. [ACSProfiles.Metric] returns that of a field.
//
//	type ACSProfiles struct {
//	}
//	func (p *ACSProfiles) Has(which ACSProfile) bool
//	func (p *ACSProfiles) Metric(f *ACSField) ACSMetric
type ACSProfiles = acs.Profiles

// ACSPublished reports whether a year has data for an area. It is unset in blocks
// of tracts.
//
//	type ACSPublished uint8
type ACSPublished = acs.Published

// An ACSQuery selects fields. The zero Query selects all.
//
//	type ACSQuery struct {
//		Profile ACSProfile // 0: any
//		Section string     // "": any
//		Kind    ACSKind    // 0: any
//		Year    int        // a year whose table has a column; 0: any
//		Served  bool       // only core fields, and of Year those with an unchanged label
//		Every   bool       // only fields that are served in every year
//		Text    string     // words that all occur in the key or the label, in any case; "": any
//	}
type ACSQuery = acs.Query

// ACSReliability classifies an estimate by its coefficient of variation. The
// Census Bureau sets no limits; these are the limits that Esri uses for
// estimates of the survey. The National Research Council ("Using the American
// Community Survey", 2007) puts the bound of a reasonably precise estimate at
// 10 to 12 percent.
//
//	type ACSReliability uint8
//	func (r ACSReliability) String() string
type ACSReliability = acs.Reliability

// The values of [ACSReliability].
const (
	ACSUnrated           = acs.Unrated
	ACSHighReliability   = acs.HighReliability
	ACSMediumReliability = acs.MediumReliability
	ACSLowReliability    = acs.LowReliability
)

// An ACSResult holds the profiles of one area.
//
//	type ACSResult struct {
//		Years       ACSYears // newest first
//		Delivered   []ACSTag // with figures
//		Unpublished []ACSTag // of years without data for the area
//		Unavailable []ACSTag // of tables that the dataset lacks, or that lack this area
//	}
type ACSResult = acs.Result

// ACSSeriesOptions configures a series.
//
//	type ACSSeriesOptions struct {
//		ACSFigureOptions
//		// Years lists the years in any order; empty means all years of the level.
//		Years []int
//	}
//	type ACSFigureOptions struct {
//		ACSOptions
//		// Interpolation is the method for medians of brackets.
//		Interpolation ACSInterpolation
//		// Dollars is the year to convert amounts to: one that [PriceFactor]
//		// supports, or NewestDollars; 0 leaves them as published.
//		Dollars int
//		// Whole counts parts with a share in full.
//		Whole bool
//	}
//	type ACSOptions struct {
//		// Bridged adds core fields whose label has another wording or place in the
//		// year; 448 are then in every year.
//		Bridged bool
//		// Extras adds fields that are not core: historical ones, and those that are
//		// new in 2024.
//		Extras bool
//	}
type ACSSeriesOptions = acs.SeriesOptions

// An ACSStats is one year of several areas together, the contract's block of
// stats.acs. Its metrics have an estimate, and a percentage if the field has
// one. They have no margins of error and no columns.
//
//	type ACSStats struct {
//		Source      string
//		Product     string
//		Year        int          // last of the five years
//		Current     bool         // the newest year of the dataset
//		WithData    int          // parts with figures in any requested profile
//		WithoutData int          // the other parts
//		Weighting   ACSWeighting // described by [ACSStats.Note]
//		ACSProfiles              // nil if not requested, or if no part has figures
//	}
//	func (a *ACSStats) Key() string
//	func (a *ACSStats) Vintage() string
//	func (a *ACSStats) CoveragePercent() float64
//	func (a *ACSStats) Note() string
//	type ACSProfiles struct {
//	}
//	func (p *ACSProfiles) Has(which ACSProfile) bool
//	func (p *ACSProfiles) Metric(f *ACSField) ACSMetric
type ACSStats = acs.Aggregate

// An ACSStatus indicates whether a figure exists.
//
//	type ACSStatus uint8
//	func (s ACSStatus) String() string
type ACSStatus = acs.Status

// The values of [ACSStatus].
const (
	ACSAvailable  = acs.Available
	ACSNoTable    = acs.NoTable
	ACSNotServed  = acs.NotServed
	ACSNotInTable = acs.NotInTable
	ACSSuppressed = acs.Suppressed
)

// An ACSTag selects one profile of one year. Tags are comparable; the zero Tag
// selects nothing.
//
//	type ACSTag struct {
//		Profile ACSProfile
//		Year    uint16 // 2011 or later; 0 means the newest year of the dataset
//	}
//	func (t ACSTag) String() string
type ACSTag = acs.Tag

// An ACSValue is a published or computed figure: a decimal number, a bound, or the
// reason of a missing one. Values are comparable; the zero Value is Absent.
//
//	type ACSValue struct {
//	}
//	func (v ACSValue) Mark() ACSMark
//	func (v ACSValue) IsNumber() bool
//	func (v ACSValue) IsZero() bool
//	func (v ACSValue) Float64() (float64, bool)
//	func (v ACSValue) Int() int64
//	func (v ACSValue) String() string
type ACSValue = acs.Value

// An ACSWeighting describes the weights of parts.
//
//	type ACSWeighting uint8
type ACSWeighting = acs.Weighting

// The values of [ACSWeighting].
const (
	ACSInFull  = acs.InFull
	ACSByShare = acs.ByShare
)

// ACSYears holds the blocks of an area, newest first. Its JSON is an object with a
// member per year; its key is "current" for the newest year of the dataset.
//
//	type ACSYears []ACSBlock
//	func (y ACSYears) Year(year int) *ACSBlock
type ACSYears = acs.Years

// An AddressAction is the next step for an address.
//
//	type AddressAction string
type AddressAction = address.Action

// The values of [AddressAction].
const (
	Accept  = address.Accept
	Confirm = address.Confirm
	Fix     = address.Fix
)

// AddressAreas holds the requested areas around a position.
//
//	type AddressAreas struct {
//		Families
//		ACS *TractSurvey
//	}
//	type Families struct {
//		Census                   *Census
//		CongressionalDistrict    *CongressionalDistricts // districts of the House of Representatives; US
//		FederalElectoralDistrict *FederalDistricts       // federal electoral districts; Canada
//		StateLegislative         *StateLegislature       // districts of the state legislature; US
//		SchoolDistrict           *SchoolDistricts        // school districts; US
//		Layers                   OwnLayers               // layers of the user
//	}
type AddressAreas = address.Areas

// An AddressCandidate is an address that may be meant.
//
//	type AddressCandidate struct {
//		Address     string             // on one line
//		Cost        int                // sum of the costs of the differences
//		Differences []AddressComponent // components that are not confirmed
//	}
type AddressCandidate = address.Candidate

// An AddressCoded is a code of the postal products with its meaning.
//
//	type AddressCoded struct {
//		Code        string // the product's code
//		Description string // meaning of the code
//	}
type AddressCoded = address.Coded

// An AddressComponent is a part of an address with the value of the record.
//
//	type AddressComponent struct {
//		// Part is number, direction, class, name, suffix, unit, city, state, zip, plus4
//		// or other. A box, a route and an alias have one part, street.
//		Part   string
//		Status AddressStatus
//		Given  string
//		Record string
//		Cost   int
//	}
type AddressComponent = address.Component

// AddressComponents are the parts of the matched address.
//
//	type AddressComponents struct {
//		Number          string // house, box or route number
//		PreDirectional  string // direction before the street, e.g. "N"
//		Street          string // name, or number of a highway
//		StreetPreType   string // e.g. "CALLE" or "US HIGHWAY"
//		Suffix          string // kind of street, e.g. "AVE"
//		PostDirectional string // direction behind the street, e.g. "NW"
//		SecondaryType   string // kind of unit, e.g. "APT"
//		SecondaryNumber string // number of the unit, e.g. "4B"
//		City            string // of the last line
//		State           string // two letters
//		ZIP             string // five digits
//		Plus4           string // four digits
//		Country         string // US
//	}
type AddressComponents = address.Components

// AddressConfidence grades the corrections that a match needed.
//
//	type AddressConfidence string
type AddressConfidence = address.Confidence

// The values of [AddressConfidence].
const (
	ConfidenceHigh   = address.High
	ConfidenceMedium = address.Medium
	ConfidenceLow    = address.Low
)

// An AddressCounty names a county.
//
//	type AddressCounty struct {
//		FIPS string // five digits
//		Name string // official name
//	}
type AddressCounty = address.CountyName

// AddressData holds the fields of a matched address.
//
//	type AddressData struct {
//		Confidence    AddressConfidence // high, medium or low
//		RecipientName string            // text before the delivery line
//		AttentionLine string            // what followed ATTN or C/O
//		// FormattedAddress is the whole address on one line, in the capitals of
//		// Publication 28.
//		FormattedAddress string
//		AddressLine1     string // the delivery line
//		AddressLine2     string // the last line
//		Components       AddressComponents
//		Details          AddressDetails
//		// PBSA is true of a street address of a post office whose record is a PO
//		// box, and left out otherwise.
//		PBSA     bool
//		Location *AddressLocation // in degrees of WGS84
//		AddressAreas
//		DPV *DPVResult // declared by the contract, never filled
//	}
//	type AddressAreas struct {
//		Families
//		ACS *TractSurvey
//	}
//	type Families struct {
//		Census                   *Census
//		CongressionalDistrict    *CongressionalDistricts // districts of the House of Representatives; US
//		FederalElectoralDistrict *FederalDistricts       // federal electoral districts; Canada
//		StateLegislative         *StateLegislature       // districts of the state legislature; US
//		SchoolDistrict           *SchoolDistricts        // school districts; US
//		Layers                   OwnLayers               // layers of the user
//	}
type AddressData = address.Data

// AddressDetails are the fields of the matched record.
//
//	type AddressDetails struct {
//		RecordType   AddressCoded   // kind of the ZIP+4 record: S, H, P, F, G or R
//		CarrierRoute *AddressCoded  // route of the record, such as C002
//		Facility     *AddressCoded  // kind of the post office of the ZIP
//		County       *AddressCounty // official name
//		// CongressionalDistrict is the record's own: two digits, AL at large.
//		CongressionalDistrict string
//		LocationBlockGroup    string // GEOID of the block group around the record's point
//		FinanceNumber         string // six digits of the post office
//		BuildingName          string // of a building or firm record
//		GovernmentBuilding    bool   // whether the record is one of a government
//		BaseAlternateCode     string // B for a base record, A for an alternate
//		LACSStatus            string // L if the address was converted
//		MunicipalityKey       string // City State key of the municipality
//		UrbanizationKey       string // City State key of the urbanization, Puerto Rico
//		PreferredLastLineKey  string // City State key of the preferred city
//	}
type AddressDetails = address.Details

// AddressEvidence is a reading with the rules that apply to it.
//
//	type AddressEvidence struct {
//		Number string
//		Street string
//		Unit   string
//		City   string
//		Score  int  // sum of the weights
//		Chosen bool // the matched record has this reading
//		Rules  []AddressRule
//	}
type AddressEvidence = address.ReadingEvidence

// An AddressExplanation lists the evidence that decided about an address; see
// [AddressOptions].
//
//	type AddressExplanation struct {
//		Readings    []AddressEvidence  // the likeliest first
//		Steps       []AddressStep      // searches for the street, in order
//		Differences []AddressComponent // of the matched record from the reading
//	}
//	func (e *AddressExplanation) String() string
type AddressExplanation = address.Explanation

// AddressFields is an address that is divided into its parts. Words of one field are never
// read as part of another one.
//
//	type AddressFields struct {
//		Street  string // number and street, box or route; may have a unit
//		Unit    string // Apt 4, # 4 or 4
//		City    string // without the state
//		State   string // state or province, name or abbreviation
//		ZIP     string // ZIP, ZIP+4 or postal code
//		Country string // US or CA, name or abbreviation; "" follows from the rest
//	}
//	func (f *AddressFields) String() string
//	func (f *AddressFields) Key() string
//	func (f *AddressFields) Set(name, value string) bool
type AddressFields = address.Fields

// AddressInclude selects the enrichments of a match, taken at the point of the matched
// record. The zero value selects none.
//
//	type AddressInclude struct {
//		Coordinates           bool
//		Census                bool
//		CongressionalDistrict bool
//		StateLegislative      bool
//		SchoolDistrict        bool
//		Layers                []string // layers of the user, without "layers."
//		CongressNext          bool     // districts of the following Congress
//		StateLegislativeNext  bool     // districts of the following plan
//		Tract                 []ACSTag // profiles of the tract around the point
//		// Plans selects the plans of districts.
//		Plans PlanOptions
//	}
//	func (inc AddressInclude) Flags() []string
type AddressInclude = address.Include

// An AddressLocation is the point of the matched ZIP+4, to six decimals. If the ZIP+4 has
// none, it is the position of the address.
//
//	type AddressLocation struct {
//		Latitude  geo.Degrees // in degrees
//		Longitude geo.Degrees // in degrees
//		Basis     string      // point or interpolated; absent for the point of the ZIP+4
//	}
type AddressLocation = address.Location

// An AddressMatch is the contract's item of a matched address. In a batch it also
// represents addresses without a match.
//
//	type AddressMatch struct {
//		MatchItem
//		Matched Flag // whether the address was matched; batches only
//		Data    *AddressData
//	}
//	type MatchItem struct {
//		Success bool   // false for an item that failed
//		Input   *Input // failed items and items of a batch
//		Error   *ItemError
//		Notices []Notice // notices of this item
//	}
type AddressMatch = address.Match

// AddressOptions configures a match. The zero value adds nothing.
//
//	type AddressOptions struct {
//		// Include selects the enrichments. Those that the dataset lacks at the
//		// point of the record are listed in a notice ENRICHMENT_UNAVAILABLE.
//		Include AddressInclude
//		// Explain receives the evidence that decided, also about an address without a
//		// match. nil disables the explanation.
//		Explain *AddressExplanation
//		// Verdict receives the status of each part, the next step and candidates, also
//		// about an address without a match. nil disables the verdict.
//		Verdict *AddressVerdict
//		// Candidates is the maximum number of candidates of the verdict, which include
//		// the match. Zero means 1.
//		Candidates int
//	}
type AddressOptions = address.Options

// An AddressReading is a parsed address in the shape of the contract's components, for
// programs that parse without matching.
//
//	type AddressReading struct {
//		MatchItem
//		Kind          string // of [Kind.String]
//		RecipientName string
//		AttentionLine string
//		Urbanization  string
//		Components    AddressComponents
//		Building      *AddressUnit // a unit around the secondary one
//		Mailbox       string
//		Station       string // Canadian postal installation
//		CrossStreet   string
//		Unused        []string
//	}
//	type MatchItem struct {
//		Success bool   // false for an item that failed
//		Input   *Input // failed items and items of a batch
//		Error   *ItemError
//		Notices []Notice // notices of this item
//	}
type AddressReading = address.Reading

// An AddressRule is a rule that applies to words of an address.
//
//	type AddressRule struct {
//		Table  string
//		Rule   string
//		Words  string
//		Weight int
//	}
type AddressRule = address.AppliedRule

// An AddressStatus compares a part of an address with the record.
//
//	type AddressStatus string
type AddressStatus = address.Status

// The values of [AddressStatus].
const (
	PartConfirmed = address.Confirmed
	PartCorrected = address.Corrected
	PartInferred  = address.Inferred
	PartMissing   = address.Missing
	PartUnused    = address.Unused
)

// An AddressStep is one search for the record of a street.
//
//	type AddressStep struct {
//		Name       string
//		Outcome    string // found, ambiguous or nothing
//		Candidates int    // records whose ranges hold the number
//	}
type AddressStep = address.Step

// AddressSuggestOptions configures [Engine.Suggest].
//
//	type AddressSuggestOptions struct {
//		// Limit is the maximum number of suggestions, 1 to [MaxSuggestions]. Zero means
//		// [DefaultSuggestions].
//		Limit int
//		// Near ranks nearby streets first. The zero value disables it. A dataset of more
//		// than 64 ZIP Codes with streets is searched around it only.
//		Near geo.LatLng
//	}
type AddressSuggestOptions = address.SuggestOptions

// An AddressSuggestion is a street address that completes a text.
//
//	type AddressSuggestion struct {
//		Text     string     // on one line
//		Number   string     // house number; "" if none is typed
//		Street   string     // with directions and suffix
//		City     string     // preferred name
//		State    string     // two letters
//		ZIP      string     // five digits
//		Location geo.LatLng // of the range of numbers, or of the ZIP Code
//	}
type AddressSuggestion = address.Suggestion

// An AddressUnit is a secondary unit: the standard abbreviation of its designator (APT,
// STE; # for a number without one) and its number. Either may be missing.
//
//	type AddressUnit struct {
//		Type   string
//		Number string
//	}
//	func (u AddressUnit) String() string
type AddressUnit = address.Unit

// An AddressVerdict assesses an address; see [AddressOptions].
//
//	type AddressVerdict struct {
//		MatchItem
//		Action     AddressAction     // "" if the dataset lacks the records
//		Confidence AddressConfidence // of the match
//		Reason     NoticeCode        // NOT_FOUND, AMBIGUOUS or INSUFFICIENT_INPUT, without a match
//		Components []AddressComponent
//		Candidates []AddressCandidate // the match, then others by cost
//	}
//	func (v *AddressVerdict) String() string
//	type MatchItem struct {
//		Success bool   // false for an item that failed
//		Input   *Input // failed items and items of a batch
//		Error   *ItemError
//		Notices []Notice // notices of this item
//	}
type AddressVerdict = address.Verdict

// An Age has medians in years, 1 decimal.
//
//	type Age struct {
//		Median       *float64 // years, of both sexes
//		MedianMale   *float64 // years
//		MedianFemale *float64 // years
//	}
type Age = lookup.Age

// An Apportionment holds values of areas divided among the areas of another
// geography.
//
//	type Apportionment struct {
//		Weight   Weight             // measure of the parts
//		Basis    string             // block_groups or largest_area
//		Values   map[string]float64 // by code or GEOID
//		Outside  float64            // the part outside every area of the other geography
//		Unplaced map[string]float64 // given values of unknown areas and of areas without people or outline
//	}
type Apportionment = lookup.Apportionment

// An Area describes one area of a layer.
//
//	type Area struct {
//		Layer  LayerID // kind of area
//		Kind   string  // state or city, of an area without a layer
//		GEOID  string  // the Census Bureau's or Statistics Canada's code
//		Plan   string  // ID of the plan of a district, e.g. "cd119"
//		Name   string  // official name
//		NameFR string  // official name in French
//		State  string  // two letters
//		LandWater
//		Source  string     // source of the data
//		Vintage string     // release of the boundaries
//		Point   geo.LatLng // in degrees of WGS84
//	}
//	type LandWater struct {
//		LandAreaSqMi  *float64 // land of the area in square miles, as its publisher states it
//		WaterAreaSqMi *float64 // water of the area in square miles, as its publisher states it
//	}
type Area = lookup.Area

// AssociatedZIPs are the ZIP Codes whose mail may be addressed to a city,
// ascending.
//
//	type AssociatedZIPs []ZIPCode
//	func (z AssociatedZIPs) IsZero() bool
type AssociatedZIPs = suggest.AssociatedZIPs

// AutoRadius is a rule that finds the radius (decision D19). The zero Auto is none.
//
//	type AutoRadius uint8
//	func (a AutoRadius) String() string
type AutoRadius = radius.Auto

// The values of [AutoRadius].
const (
	Density = radius.Density
	Commute = radius.Commute
)

// A Basis is the rule that selected areas or the primary district.
//
//	type Basis string
type Basis = lookup.Basis

// The values of [Basis].
const (
	BasisLargestArea   = lookup.LargestArea
	BasisUSPSRecord    = lookup.USPSRecord
	BasisMostPeople    = lookup.MostPeople
	BasisRecordNames   = lookup.RecordNames
	BasisContainsPoint = lookup.ContainsPoint
)

// A BoundaryResult is the position of a point relative to the area of a code.
// It is not part of the contract.
//
//	type BoundaryResult struct {
//		MatchItem
//		Center   Center
//		Code     string   // canonical form
//		CodeType CodeType // what kind of code it is
//		Inside   bool     // or on the boundary
//		Distance Length   // to the nearest point of the boundary, holes included
//	}
//	type MatchItem struct {
//		Success bool   // false for an item that failed
//		Input   *Input // failed items and items of a batch
//		Error   *ItemError
//		Notices []Notice // notices of this item
//	}
type BoundaryResult = radius.BoundaryResult

// A Business sums up the establishments with paid employees. Amounts are US
// dollars.
//
//	type Business struct {
//		Year           int    // of the figures
//		Establishments int    // number of them
//		Employees      *int   // in mid-March; nil if withheld
//		PayrollQ1      *int64 // payrolls of the first quarter, US dollars; nil if withheld
//		PayrollAnnual  *int64 // payrolls of the year, US dollars; nil if withheld
//		EmploymentFlag string // size class of withheld employment: A 0 to 19; B 20 to 99; C 100 to 249; E 250 to 499; F 500 to 999; G 1,000 to 2,499; H to 4,999; I to 9,999; J to 24,999; K to 49,999; L to 99,999; M more
//	}
type Business = lookup.Business

// A CBSA names the metropolitan or micropolitan statistical area that holds
// the largest part of a code. It is absent if the largest part lies outside all
// of them.
//
//	type CBSA struct {
//		Code string // five digits
//		Name string // official title
//	}
type CBSA = lookup.CBSA

// A Census is the family of census geographies.
//
//	type Census struct {
//		Current *CensusPeriod // null if no area was found
//	}
type Census = lookup.Census

// A CensusArea is one area of the census.
//
//	type CensusArea struct {
//		FIPS          string // counties: five digits, in place of a geoid
//		GEOID         string // identifier of the area as its publisher writes it; counties have fips
//		Name          string // official name with its legal description; "" if no source has one
//		NameFR        string // Canada: the French name if it differs
//		IsUSPSPrimary Flag   // counties: the postal county of the ZIP, which its area need not lie in
//		LandWater
//		Share
//	}
//	type LandWater struct {
//		LandAreaSqMi  *float64 // land of the area in square miles, as its publisher states it
//		WaterAreaSqMi *float64 // water of the area in square miles, as its publisher states it
//	}
//	type Share struct {
//		PctOfZIP  *float64 // share of the ZIP that lies in the area, 0 to 100
//		PctOfFSA  *float64 // share of the FSA that lies in the area, 0 to 100
//		PctOfArea *float64 // share of the area that lies in the code, 0 to 100
//	}
type CensusArea = lookup.CensusArea

// A CensusPeriod lists census areas by kind, the largest part of the code
// first. A kind that is missing from the dataset is nil; a kind without a
// matching area is empty.
//
//	type CensusPeriod struct {
//		Source                  string       // publisher and file of the data
//		Year                    int          // of the census geography
//		Vintage                 string       // as the outlines really are; US
//		Basis                   Basis        // rule that selected the areas; absent for a postal code's assigned areas
//		County                  []CensusArea // planning regions in Connecticut
//		CountySubdivision       []CensusArea // US: towns, townships and their like
//		Place                   []CensusArea // US: incorporated places and places that the census designated
//		CensusDivision          []CensusArea // Canada
//		CensusSubdivision       []CensusArea // Canada
//		Tract                   []CensusArea // of both countries
//		BlockGroup              []CensusArea // US
//		CBSA                    *CBSA
//		MetropolitanDivision    *MetroDivision
//		MetroArea               []CensusArea // Canada: census metropolitan area or agglomeration
//		EconomicRegion          []CensusArea // Canada
//		PopulationCentre        []CensusArea // Canada
//		ConsolidatedSubdivision []CensusArea // Canada
//		DesignatedPlace         []CensusArea // Canada
//		DisseminationArea       []CensusArea // Canada, full postal codes
//		DisseminationBlock      []CensusArea // Canada, full postal codes
//	}
type CensusPeriod = lookup.CensusPeriod

// A Center is the center of a search. A coordinate has no code; it has the
// country, city and state of the area that contains it, if any.
//
//	type Center struct {
//		Country   string     // US or CA
//		Code      string     // canonical; of a ZIP+4 its ZIP
//		CodeType  CodeType   // what kind of code it is
//		City      string     // city of the code, in proper case
//		State     string     // two letters
//		Location  geo.LatLng // in degrees of WGS84
//		InputType InputType  // whether it was given as a code or as coordinates
//	}
type Center = radius.Center

// A CityAlias is another name of a ZIP's place.
//
//	type CityAlias struct {
//		City        string // the other name
//		MailingName string // Y: accepted on the last line of an address; N: not accepted
//		IntroDate   string // YYYY-MM-DD
//	}
type CityAlias = lookup.CityAlias

// A Classification is the class of a ZIP as the contract's letter: G, P, M or
// U. Its zero value is none, and left out of JSON.
//
//	type Classification byte
//	func (c Classification) Name() string
type Classification = lookup.Classification

// The values of [Classification].
const (
	ClassGeneral  = lookup.General
	ClassPOBox    = lookup.POBox
	ClassMilitary = lookup.Military
	ClassUnique   = lookup.Unique
)

// A ClassificationName is the class of a ZIP in the contract's words: General,
// PO Box, Military or Unique. Its zero value is none, and left out of JSON.
//
//	type Classification byte
//	func (c Classification) Name() string
type ClassificationName = lookup.ClassificationName

// A Code is one well-formed input of any kind: comparable, with equal inputs
// ("k1a0b1" and "K1A 0B1") giving equal Codes. A well-formed Code need not
// exist. The zero Code is invalid.
//
//	type Code struct {
//	}
//	func (c Code) Type() CodeType
//	func (c Code) IsValid() bool
//	func (c Code) ZIP() ZIPCode
//	func (c Code) Plus4() Plus4
//	func (c Code) FSA() FSACode
//	func (c Code) PostalCode() PostalCode
//	func (c Code) LatLng() geo.LatLng
//	func (c Code) Parent() Code
//	func (c Code) String() string
type Code = lookup.Code

// A CodeShare is a code with its overlap with an area.
//
//	type CodeShare struct {
//		Code             string     // canonical form
//		CodeType         CodeType   // what kind of code it is
//		City             string     // city of the code, in proper case
//		State            string     // two letters
//		Classification   string     // what kind of ZIP it is
//		Location         geo.LatLng // in degrees of WGS84
//		Basis            Basis      // largest_area, contains_point for a code without an outline, or most_people for a plan without outlines
//		IntersectionSqMi *float64   // 2 decimals; nil for a point
//		Share
//		PctOfPeople *float64 // share of the ZIP's residents who live in the district, 0 to 100
//		IsSplit     Flag     // at least 1 % of the ZIP's residents live in a second district
//	}
//	type Share struct {
//		PctOfZIP  *float64 // share of the ZIP that lies in the area, 0 to 100
//		PctOfFSA  *float64 // share of the FSA that lies in the area, 0 to 100
//		PctOfArea *float64 // share of the area that lies in the code, 0 to 100
//	}
type CodeShare = lookup.CodeShare

// CodeType is a kind of input. The zero CodeType is none.
//
//	type CodeType uint8
//	func (t CodeType) String() string
type CodeType = lookup.CodeType

// The values of [CodeType].
const (
	ZIP         = lookup.ZIP
	ZIP4        = lookup.ZIP4
	FSA         = lookup.FSA
	Postal      = lookup.Postal
	Coordinates = lookup.Coordinates
)

// CodesIn are the ZIPs or FSAs of an area.
//
//	type CodesIn struct {
//		Area  Area
//		Codes []CodeShare // the largest part of the area first, then those without an outline by their codes
//	}
type CodesIn = lookup.CodesIn

// CodesInOptions configures a list of the codes of an area. The zero value
// lists the codes whose records show the area.
//
//	type CodesInOptions struct {
//		// Slivers adds every code whose outline meets the area's, however little.
//		Slivers bool
//		// AsOf selects the plans of districts in force on the day in UTC. Zero means
//		// today.
//		AsOf time.Time
//		// Plan is the ID of a plan of districts for any day, such as "cd120".
//		Plan string
//		// At is the time of the call. Zero means now.
//		At time.Time
//	}
type CodesInOptions = lookup.CodesInOptions

// A CongressPeriod lists the districts of a Congress, the largest part of the
// ZIP first.
//
//	type CongressPeriod struct {
//		Source    string // publisher and file of the data
//		Year      int    // of the boundaries
//		Vintage   string // release of the boundaries
//		Congress  int    // e.g. 119
//		Plan      DistrictPlan
//		IsSplit   Flag                    // at least 1 % of the residents live in a second district
//		Districts []CongressionalDistrict // the districts that the code lies in, the largest share first
//		Primary   PrimaryDistrict
//	}
type CongressPeriod = lookup.CongressPeriod

// A CongressionalDistrict is one district.
//
//	type CongressionalDistrict struct {
//		GEOID          string // the Census Bureau's or Statistics Canada's code
//		OCDID          string // Open Civic Data division
//		State          string // two letters
//		DistrictNumber int    // 0 at large, 98 of a delegate or resident commissioner
//		Name           string // official name
//		LandWater
//		DistrictShare
//	}
//	type LandWater struct {
//		LandAreaSqMi  *float64 // land of the area in square miles, as its publisher states it
//		WaterAreaSqMi *float64 // water of the area in square miles, as its publisher states it
//	}
//	type DistrictShare struct {
//		Share
//		PctOfPeople *float64 // share of the ZIP's residents who live in the district, 0 to 100
//		Approximate Flag     // true if the outline is too coarse for shares
//	}
//	type Share struct {
//		PctOfZIP  *float64 // share of the ZIP that lies in the area, 0 to 100
//		PctOfFSA  *float64 // share of the FSA that lies in the area, 0 to 100
//		PctOfArea *float64 // share of the area that lies in the code, 0 to 100
//	}
type CongressionalDistrict = lookup.CongressionalDistrict

// CongressionalDistricts are the family of districts of the House of
// Representatives.
//
//	type CongressionalDistricts struct {
//		Current *CongressPeriod // null if no area was found, or only next was requested
//		Next    *CongressPeriod // districts of the following plan
//	}
type CongressionalDistricts = lookup.CongressionalDistricts

// Country is the country of a code.
//
//	type Country uint8
//	func (c Country) String() string
type Country = store.Country

// The values of [Country].
const (
	US = store.US
	CA = store.CA
)

// A CountySource is the county that one source names for a ZIP Code.
//
//	type CountySource struct {
//		Source     string // title and vintage
//		County     string // official name; "" of a former county
//		CountyFIPS string // five digits
//		Chosen     bool   // whether it is the county of record
//	}
type CountySource = lookup.CountySource

// CrosswalkOptions selects and measures the rows of a crosswalk. The zero value
// selects the pairs that records have.
//
//	type CrosswalkOptions struct {
//		// Weight is the measure of shares. The zero value is area for codes and areas of a
//		// layer, and people otherwise.
//		Weight Weight
//		// State are the two letters of a state or province; "" means all. It selects codes,
//		// and for two geographies without codes the areas of From with residents there.
//		State string
//		// Slivers adds every pair whose outlines meet, however little. Pairs weighted by
//		// people need residents in both.
//		Slivers bool
//		// MinShare omits pairs with a smaller percentage of From, 0 to 100.
//		MinShare float64
//		// Remainder adds pairs whose From or To is "": the people outside every area of
//		// the other geography. With them the people of all pairs sum to those of the
//		// census if areas don't overlap.
//		Remainder bool
//		// AsOf selects the plans of districts in force on the day in UTC. Zero means
//		// today.
//		AsOf time.Time
//		// Plan is the ID of a plan of districts for any day, such as "cd120".
//		Plan string
//		// At is the time of the call. Zero means now.
//		At time.Time
//	}
type CrosswalkOptions = lookup.CrosswalkOptions

// A CrosswalkRow is a pair of areas that overlap. Percentages have 4 decimals and
// measure the weight.
//
//	type CrosswalkRow struct {
//		From             string   // code or GEOID; "" outside every area
//		FromName         string   // official name
//		To               string   // code or GEOID; "" outside every area
//		ToName           string   // official name
//		Plan             string   // ID of the plan of districts, e.g. "cd119"
//		Weight           Weight   // measure of the percentages: "area", "people" or "housing"
//		Basis            string   // largest_area; contains_point for a code without an outline; block_groups, blocks or blocks_and_block_groups of other pairs
//		IntersectionSqMi *float64 // 4 decimals; of weight area, land only between geographies without codes
//		People           *int     // residents of both; absent between codes and a layer by area
//		HousingUnits     *int64   // of both; of weight housing
//		PctOfFrom        *float64 // part of From that lies in To
//		PctOfTo          *float64 // part of To that lies in From
//		IsSplit          bool     // From has several pairs
//	}
type CrosswalkRow = lookup.CrosswalkRow

// DPVResult is declared by the contract. Certified delivery points are not a
// part of this project, so that no result has one.
//
//	type DPVResult struct {
//		Checked                bool   // whether the address was validated to the delivery point
//		Status                 string // result of the validation
//		Confirmation           string // Y for a valid delivery point, S or D if the unit was wrong or missing, N for none
//		Source                 string // what validated it
//		StreetLine             string // the requested street line
//		Secondary              string // the requested unit
//		RequestPrimary         string // the requested house number
//		RequestSecondaryNumber string // number of the requested unit
//		ZIP                    string // five digits
//		RequestZIP9            string // the requested ZIP and add-on, nine digits
//		RequestZIP4            string // the requested add-on, four digits
//		RDI                    string // residential delivery indicator: Y for a residence
//		DPB                    string // delivery point of the barcode, two digits
//		DPBC                   string // check digit of the barcode
//		EMPD                   string // as the validating product states it
//		EMPDZIP4               string // add-on that belongs to empd, four digits
//		EffectiveZIP9          string // ZIP and add-on that the validation went by, nine digits
//		EffectiveZIP4          string // add-on that the validation went by, four digits
//		CMRA                   string // Y for a commercial mail receiving agency
//		Vacant                 string // Y for a vacant delivery point
//		Drop                   string // Y where mail for several is left at one place
//		NoStat                 string // Y for a delivery point that is not counted, as it gets no mail yet or any more
//		NoStatReason           int32  // number of the reason for no_stat
//		NoStatReasonText       string // the same in words
//		LocalReason            string // the reason as the validating service states it
//		RawResponse            string // response of the validating product
//	}
type DPVResult = address.DPVResult

// DatasetGap is a known hole of a dataset.
//
//	type DatasetGap struct {
//		Name  string // e.g. "ZIPs without a county"
//		Count int64
//	}
type DatasetGap = dataset.Gap

// DatasetSections is a set of the parts of a file that are kept in memory.
//
//	type DatasetSections uint64
type DatasetSections = store.Sections

// DatasetSource is one file that a dataset was built from.
//
//	type DatasetSource struct {
//		ID          string // short name in the catalog, e.g. "gazetteer-zcta"
//		Title       string
//		URL         string // official address, or "" for a user-supplied file
//		Vintage     string // as the file really is, e.g. "2025", "2026-03-30"
//		License     string
//		Attribution string // the line that the license requires
//		// Redistribution is [PublicDomain], [WithAttribution], [ShareAlike] or [Restricted].
//		// All else is unknown: the data may not be passed on.
//		Redistribution string
//		Refresh        string // how often the publisher renews it, e.g. "yearly", "monthly"
//		UserSupplied   bool
//		Note           string // known differences from the official file
//		Rows           int64  // rows read
//		SHA256         string // of the file as it was read, lower-case hexadecimal
//	}
type DatasetSource = dataset.Source

// DatasetTable is one table of a file.
//
//	type DatasetTable struct {
//		Name   string
//		Rows   int64
//		SHA256 string // over its rows in order, lower-case hexadecimal
//	}
type DatasetTable = dataset.Table

// DeliveryPoints counts the addresses that receive mail. Unknown counts are nil.
//
//	type DeliveryPoints struct {
//		TotalActive  *int // all of them
//		Business     *int // addresses of businesses
//		Residential  *int // addresses of homes
//		POBox        *int // boxes
//		SingleFamily *int // homes by themselves
//		MultiFamily  *int // homes in buildings with several
//	}
type DeliveryPoints = lookup.DeliveryPoints

// A Demographics is the contract's summary of the people and businesses of a
// ZIP Code (decision D20). Unknown figures are nil.
//
//	type Demographics struct {
//		Population *Population
//		Age        *Age
//		Households *Households
//		Business   *Business
//	}
type Demographics = lookup.Demographics

// A Detail is the street-level record of a ZIP+4.
//
//	type Detail struct {
//		ZIP4         string // the four digits of the add-on
//		Valid        Flag   // False when the parent ZIP exists and the add-on does not
//		RecordType   string // the product's letter, e.g. S for a street
//		CarrierRoute string // e.g. "C002"
//		Street       *Street
//	}
type Detail = lookup.Detail

// A DistanceEnd is one of the two places of a distance. A coordinate has no code; it has
// the country, city, state and county of the area that contains it, if any.
//
//	type DistanceEnd struct {
//		Country   string     // US or CA
//		Code      string     // canonical form
//		CodeType  CodeType   // what kind of code it is
//		City      string     // city of the code, in proper case
//		State     string     // two letters
//		County    string     // official name
//		Location  geo.LatLng // in degrees of WGS84
//		Timezone  *TimeZone
//		InputType InputType // whether it was given as a code or as coordinates
//	}
type DistanceEnd = radius.End

// DistanceOptions configures a distance.
//
//	type DistanceOptions struct {
//		At time.Time // start of the twelve months of time zone rules; zero means now
//	}
type DistanceOptions = radius.DistanceOptions

// A DistanceResult is the contract's distance item. Its Item carries the
// notices of both ends, those of From first.
//
//	type DistanceResult struct {
//		MatchItem
//		From     DistanceEnd
//		To       DistanceEnd
//		Distance Length
//		Bearing  float64 // degrees clockwise from north at From, 0 ≤ bearing < 360, 1 decimal
//	}
//	type MatchItem struct {
//		Success bool   // false for an item that failed
//		Input   *Input // failed items and items of a batch
//		Error   *ItemError
//		Notices []Notice // notices of this item
//	}
type DistanceResult = radius.DistanceResult

// A DistrictPlan is the plan of a result's districts: a Congress,
// a Representation Order or a plan of the user. Days have the form YYYY-MM-DD.
//
//	type DistrictPlan struct {
//		ID       string // e.g. "cd119"
//		Name     string // e.g. "119th Congress"
//		From     string // first day in force
//		To       string // first day no longer in force, if a later plan is known
//		Evidence string // why the state keeps the districts of an earlier plan, or the law of the plan
//		InForce  string // plan in force whose outlines the dataset lacks
//	}
type DistrictPlan = lookup.DistrictPlan

// A DistrictShare is the overlap of a code and a district of a legislature.
//
//	type DistrictShare struct {
//		Share
//		PctOfPeople *float64 // share of the ZIP's residents who live in the district, 0 to 100
//		Approximate Flag     // true if the outline is too coarse for shares
//	}
//	type Share struct {
//		PctOfZIP  *float64 // share of the ZIP that lies in the area, 0 to 100
//		PctOfFSA  *float64 // share of the FSA that lies in the area, 0 to 100
//		PctOfArea *float64 // share of the area that lies in the code, 0 to 100
//	}
type DistrictShare = lookup.DistrictShare

// An Elevation is a height above sea level, rounded to whole units.
//
//	type Elevation struct {
//		Feet   int // feet
//		Meters int // meters
//	}
type Elevation = lookup.Elevation

// An Error is the error of an operation.
//
//	type Error struct {
//		Op           string // operation, such as "radius"
//		Kind         ErrorKind
//		Reason       ErrorReason
//		Thing        ErrorThing    // type of Input
//		Param        string        // argument or option at fault, such as "center" or "Max"; "" for the only argument
//		Input        string        // as given; a code that was read is in canonical form
//		Range        string        // accepted values of Param, such as "above 0 and at most 500 miles"
//		Layer        string        // layer of an Area, such as "county"
//		Chars        int           // minimum or maximum length of Input, with TooShort and TooLong
//		Lacks        string        // data missing from the dataset, such as "layer county"
//		Detail       string        // replaces the message that the fields above result in
//		Err          error         // cause
//	}
//	func (e *Error) Is(target error) bool
//	func (e *Error) Unwrap() error
//	func (e *Error) Error() string
type Error = fault.Error

// An ErrorKind groups errors by cause.
//
//	type ErrorKind uint8
//	func (k ErrorKind) String() string
type ErrorKind = fault.Kind

// The values of [ErrorKind].
const (
	KindNotFound     = fault.NotFound
	KindInvalidCode  = fault.InvalidCode
	KindInvalidParam = fault.InvalidParam
	KindUnavailable  = fault.Unavailable
	KindAmbiguous    = fault.Ambiguous
	KindDamaged      = fault.Damaged
	KindClosed       = fault.Closed
)

// An ErrorReason refines a kind.
//
//	type ErrorReason uint8
type ErrorReason = fault.Reason

// An ErrorThing is the type of an input.
//
//	type ErrorThing uint8
//	func (t ErrorThing) String() string
type ErrorThing = fault.Thing

// FSACode is a forward sortation area as a number, 0 (A0A) to 6759 (Z9Z).
//
//	type FSACode uint16
//	func (f FSACode) String() string
//	func (f FSACode) PostalCode(ldu int) PostalCode
type FSACode = dataset.FSA

// Families holds the boundary families of a code or coordinate: its census
// areas, legislative districts and school districts. A family that was not
// requested or is unavailable is nil. A family without any area has no Current.
//
//	type Families struct {
//		Census                   *Census
//		CongressionalDistrict    *CongressionalDistricts // districts of the House of Representatives; US
//		FederalElectoralDistrict *FederalDistricts       // federal electoral districts; Canada
//		StateLegislative         *StateLegislature       // districts of the state legislature; US
//		SchoolDistrict           *SchoolDistricts        // school districts; US
//		Layers                   OwnLayers               // layers of the user
//	}
type Families = lookup.Families

// A FederalDistrict is one federal electoral district.
//
//	type FederalDistrict struct {
//		GEOID    string   // the Census Bureau's or Statistics Canada's code
//		OCDID    string   // Open Civic Data division, with the year of the Representation Order
//		Name     string   // official name
//		NameFR   string   // French name, if different
//		PctOfFSA *float64 // share of the FSA that lies in the area, 0 to 100
//	}
type FederalDistrict = lookup.FederalDistrict

// FederalDistricts are the family of federal electoral districts of Canada.
//
//	type FederalDistricts struct {
//		Current *FederalPeriod // null if no area was found, or only next was requested
//		Next    *FederalPeriod // districts of the following plan
//	}
type FederalDistricts = lookup.FederalDistricts

// A FederalPeriod lists federal electoral districts, the largest part of the
// FSA first.
//
//	type FederalPeriod struct {
//		Source    string            // publisher and file of the data
//		Year      int               // of the boundaries
//		Plan      DistrictPlan      // the Representation Order
//		Basis     Basis             // rule that selected the districts; absent for a postal code's assigned areas
//		Districts []FederalDistrict // the districts that the code lies in, the largest share first
//	}
type FederalPeriod = lookup.FederalPeriod

// A Flag is a boolean that may be unknown. Its zero value is unknown and
// left out of JSON.
//
//	type Flag uint8
//	func (f Flag) Known() bool
//	func (f Flag) Bool() bool
//	func (f Flag) String() string
type Flag = lookup.Flag

// The values of [Flag].
const (
	FlagFalse = lookup.False
	FlagTrue  = lookup.True
)

// GeocodeOptions configures [Engine.Find].
//
//	type GeocodeOptions struct {
//		// Offset is the distance of interpolated positions from the middle of the
//		// street, up to 100 meters. Zero means 8 meters; a negative value none.
//		Offset geo.Meters
//		// Include selects areas around the position. They are unavailable if its
//		// precision is street, zip or city.
//		Include AddressInclude
//	}
type GeocodeOptions = geocode.Options

// A GeocodePlace is an address with its position.
//
//	type GeocodePlace struct {
//		Precision GeocodePrecision // point, interpolated, intersection, street, zip or city
//		Location  geo.LatLng       // in degrees of WGS84
//		RadiusM   int              // expected to hold 90 % of the errors, in meters
//		Formatted string           // the parts on one line
//		Number    string           // house number
//		Street    string           // with its directions and suffix
//		Cross     string           // the other street of a crossing
//		City      string           // as given if the ZIP Code accepts it, else its own
//		State     string           // abbreviation of the state or province
//		ZIP       string           // or forward sortation area
//		Side      string           // left or right, from the first number of the segment
//		Record    *GeocodeRecord
//	}
type GeocodePlace = geocode.Place

// A GeocodePrecision is the level of a position, the most exact first.
//
//	type GeocodePrecision uint8
//	func (p GeocodePrecision) String() string
type GeocodePrecision = geocode.Precision

// The values of [GeocodePrecision].
const (
	PrecisionPoint        = geocode.Point
	PrecisionInterpolated = geocode.Interpolated
	PrecisionIntersection = geocode.Intersection
	PrecisionStreet       = geocode.Street
	PrecisionZIP          = geocode.ZIP
	PrecisionCity         = geocode.City
)

// A GeocodeRecord is the record of the dataset behind a position.
//
//	type GeocodeRecord struct {
//		Source string // identifier in the manifest of the dataset
//		Kind   string // point, points or segment
//		Basis  string // of the ZIP Code: given by the source, outline or nearest
//		From   string // first number of the segment, or the known number below or nearest
//		To     string // last number of the segment, or the known number above
//		Length int    // distance of both, rounded
//	}
type GeocodeRecord = geocode.Record

// A GeocodeResult is the position of an address.
//
//	type GeocodeResult struct {
//		MatchItem
//		GeocodePlace
//		AddressAreas
//		Candidates []GeocodePlace // all places that match equally well, or all cities of the name
//	}
//	type MatchItem struct {
//		Success bool   // false for an item that failed
//		Input   *Input // failed items and items of a batch
//		Error   *ItemError
//		Notices []Notice // notices of this item
//	}
//	type GeocodePlace struct {
//		Precision GeocodePrecision // point, interpolated, intersection, street, zip or city
//		Location  geo.LatLng       // in degrees of WGS84
//		RadiusM   int              // expected to hold 90 % of the errors, in meters
//		Formatted string           // the parts on one line
//		Number    string           // house number
//		Street    string           // with its directions and suffix
//		Cross     string           // the other street of a crossing
//		City      string           // as given if the ZIP Code accepts it, else its own
//		State     string           // abbreviation of the state or province
//		ZIP       string           // or forward sortation area
//		Side      string           // left or right, from the first number of the segment
//		Record    *GeocodeRecord
//	}
//	type AddressAreas struct {
//		Families
//		ACS *TractSurvey
//	}
//	type Families struct {
//		Census                   *Census
//		CongressionalDistrict    *CongressionalDistricts // districts of the House of Representatives; US
//		FederalElectoralDistrict *FederalDistricts       // federal electoral districts; Canada
//		StateLegislative         *StateLegislature       // districts of the state legislature; US
//		SchoolDistrict           *SchoolDistricts        // school districts; US
//		Layers                   OwnLayers               // layers of the user
//	}
type GeocodeResult = geocode.Result

// Households count homes and the people in them. Amounts are US dollars.
//
//	type Households struct {
//		Total             *int     // number of households
//		PersonsPerHome    *float64 // 2 decimals
//		AverageFamilySize *float64 // 2 decimals
//		MedianIncome      *int     // income of the median household, dollars of a year
//		AverageHomeValue  *int     // dollars
//	}
type Households = lookup.Households

// An Identity identifies the place of a code. Empty fields are unknown or do
// not apply.
//
//	type Identity struct {
//		Country            string         // US or CA
//		Code               string         // canonical, e.g. "K1A 0B1"
//		CodeType           CodeType       // kind of code
//		ParentCode         string         // ZIP of a ZIP+4, FSA of a postal code
//		City               string         // city of the code, in proper case
//		State              string         // two letters of a state or province
//		StateName          string         // e.g. "California"
//		StateFIPS          string         // two digits
//		County             string         // official name, e.g. "Los Angeles County"
//		CountyFIPS         string         // five digits
//		MultiCounty        Flag           // unknown without a county, a source and an outline
//		Classification     Classification // kind of ZIP
//		ClassificationName Classification // the class as a word
//		Municipality       string         // municipality that holds the code's point, e.g. "Beverly Hills"
//		Location           geo.LatLng     // point of the code in degrees of WGS84; absent for most military ZIPs
//	}
type Identity = lookup.Identity

// Include selects the enrichments of a full record. The zero value selects
// none.
//
//	type Include struct {
//		Timezone              bool
//		Census                bool
//		CongressionalDistrict bool // in Canada the federal electoral district
//		StateLegislative      bool
//		SchoolDistrict        bool
//		Demographics          bool
//		Medicare              bool
//		Quality               bool // sources and reliability of the record's data
//		CongressNext          bool // districts of the plan after that of CongressionalDistrict
//		StateLegislativeNext  bool // districts of the plan after that of StateLegislative
//		ACS                   []ACSTag
//		Layers                []string // layers of the user, without "layers.", and those of the catalog without a family, such as "urban_area"
//		// Plans selects the plans of districts. Lookups take it from their options.
//		Plans PlanOptions
//	}
//	func (inc Include) Flags() []string
//	func (inc Include) IsZero() bool
type Include = lookup.Include

// InputType is the type of the input of an end given as.
//
//	type InputType string
type InputType = radius.InputType

// The values of [InputType].
const (
	InputCode        = radius.InputCode
	InputCoordinates = radius.InputCoordinates
)

// An ItemError is the public part of a failure, of a whole request or of one item.
//
//	type ItemError struct {
//		Code      NoticeCode // one of the contract's error codes
//		Message   string     // a message for people
//		Retryable *bool      // whole requests only; nil except for statuses 429, 503 and 504
//		URL       string     // next step, from the server's configuration
//	}
type ItemError = envelope.Error

// A LandWater is the extent of an area as its agency states it, in square
// miles with 2 decimals. Nil is unknown.
//
//	type LandWater struct {
//		LandAreaSqMi  *float64 // land of the area in square miles, as its publisher states it
//		WaterAreaSqMi *float64 // water of the area in square miles, as its publisher states it
//	}
type LandWater = lookup.LandWater

// LayerID is a kind of area of the census, a legislature or of schools.
//
//	type LayerID uint64
//	func (id LayerID) String() string
//	func (id LayerID) Country() Country
type LayerID = store.LayerID

// The values of [LayerID].
const (
	LayerCounty                  = store.LayerCounty
	LayerCountySubdivision       = store.LayerCountySubdivision
	LayerPlace                   = store.LayerPlace
	LayerTract                   = store.LayerTract
	LayerBlockGroup              = store.LayerBlockGroup
	LayerCBSA                    = store.LayerCBSA
	LayerMetropolitanDivision    = store.LayerMetropolitanDivision
	LayerCongressionalDistrict   = store.LayerCongressionalDistrict
	LayerStateUpper              = store.LayerStateUpper
	LayerStateLower              = store.LayerStateLower
	LayerSchoolDistrict          = store.LayerSchoolDistrict
	LayerCensusDivision          = store.LayerCensusDivision
	LayerCensusSubdivision       = store.LayerCensusSubdivision
	LayerCensusTract             = store.LayerCensusTract
	LayerMetroArea               = store.LayerMetroArea
	LayerEconomicRegion          = store.LayerEconomicRegion
	LayerPopulationCentre        = store.LayerPopulationCentre
	LayerConsolidatedSubdivision = store.LayerConsolidatedSubdivision
	LayerDesignatedPlace         = store.LayerDesignatedPlace
	LayerDisseminationArea       = store.LayerDisseminationArea
	LayerDisseminationBlock      = store.LayerDisseminationBlock
	LayerFederalDistrict         = store.LayerFederalDistrict
	LayerPUMA                    = store.LayerPUMA
	LayerUrbanArea               = store.LayerUrbanArea
	LayerTribalArea              = store.LayerTribalArea
	LayerVotingDistrict          = store.LayerVotingDistrict
)

// A LegislativeDistrict is a district of a state's chamber. At a coordinate it
// has no more than GEOID and name.
//
//	type LegislativeDistrict struct {
//		GEOID        string // the Census Bureau's or Statistics Canada's code
//		OCDID        string // Open Civic Data division; absent for districts without a number
//		Name         string // official name
//		DistrictCode string // within the state, e.g. "024"
//		State        string // two letters
//		StateFIPS    string // two digits
//		LandWater
//		DistrictShare
//	}
//	type LandWater struct {
//		LandAreaSqMi  *float64 // land of the area in square miles, as its publisher states it
//		WaterAreaSqMi *float64 // water of the area in square miles, as its publisher states it
//	}
//	type DistrictShare struct {
//		Share
//		PctOfPeople *float64 // share of the ZIP's residents who live in the district, 0 to 100
//		Approximate Flag     // true if the outline is too coarse for shares
//	}
//	type Share struct {
//		PctOfZIP  *float64 // share of the ZIP that lies in the area, 0 to 100
//		PctOfFSA  *float64 // share of the FSA that lies in the area, 0 to 100
//		PctOfArea *float64 // share of the area that lies in the code, 0 to 100
//	}
type LegislativeDistrict = lookup.LegislativeDistrict

// A LegislativePeriod lists the districts of the two chambers, the largest
// part of the ZIP first. Nebraska has an upper chamber only. A chamber that
// the dataset does not have is nil.
//
//	type LegislativePeriod struct {
//		Source          string                // publisher and file of the data
//		Year            int                   // of the boundaries
//		Vintage         string                // release of the boundaries
//		LegislativeYear string                // e.g. "2024"
//		Plan            DistrictPlan          // of the upper chamber, or of the only one
//		LowerPlan       DistrictPlan          // of the lower chamber
//		Basis           Basis                 // rule that selected the districts
//		Upper           []LegislativeDistrict // districts of the upper chamber
//		Lower           []LegislativeDistrict // districts of the lower chamber
//		IsSplit         Flag                  // at least 1 % of the residents live in a second district of a chamber
//	}
type LegislativePeriod = lookup.LegislativePeriod

// A Length is a distance in two units, rounded to 2 decimals.
//
//	type Length struct {
//		Miles geo.Miles      // rounded to 2 decimals
//		Km    geo.Kilometers // kilometers, rounded to 2 decimals
//	}
type Length = radius.Length

// A Locator locates IP addresses. The result only affects the ranking.
//
//	type Locator interface {
//		// LocateIP returns the point of the address, or false if it is unknown.
//		LocateIP(ctx context.Context, addr netip.Addr) (geo.LatLng, bool)
//	}
type Locator = suggest.Locator

// LookupOptions selects the additions to a full lookup.
//
//	type LookupOptions struct {
//		// Include selects the enrichments. A notice ENRICHMENT_UNAVAILABLE names
//		// those that the dataset lacks for the code.
//		Include Include
//		// ACS selects the fields of blocks of the American Community Survey. The
//		// zero value selects the contract's.
//		ACS ACSOptions
//		// At is the start of the twelve months of time zone rules. Zero means now.
//		At time.Time
//		// AsOf selects the plans of districts in force on the day in UTC. Zero means
//		// the day of At.
//		AsOf time.Time
//		// Plan is the ID of a plan of districts, such as "cd120", which replaces the
//		// plan of the day in its states.
//		Plan string
//	}
type LookupOptions = lookup.Options

// Manifest describes a dataset and its sources.
//
//	type Manifest struct {
//		Version string          // version of the data, e.g. "2026-06-30"; sample datasets begin with "sample"
//		Sample  bool            // true: invented data around real codes, for trying things out
//		Built   time.Time       // SOURCE_DATE_EPOCH, or the date of the newest source; never the wall clock
//		Builder string          // name and version of the program that built the file
//		Layers  []string        // layers the build took, e.g. "identity", "timezones"
//		Sources []DatasetSource // in the order of the catalog
//		Gaps    []DatasetGap    // known gaps, in the order of the report
//		Format  int             // set by the writer
//		Tables  []DatasetTable  // set by the writer
//		Digest  string          // SHA-256 over the tables and the rest of the manifest, lower-case hexadecimal; set by the writer
//	}
//	func (m Manifest) Attributions() []string
type Manifest = dataset.Manifest

// A MatchItem is the head of every entry of results. Result types embed it first, so
// that their fields follow at the same level.
//
//	type MatchItem struct {
//		Success bool   // false for an item that failed
//		Input   *Input // failed items and items of a batch
//		Error   *ItemError
//		Notices []Notice // notices of this item
//	}
type MatchItem = envelope.Item

// A Matrix holds the geodesic distances between two lists of places. It is not
// part of the contract.
//
//	type Matrix struct {
//		From  []DistanceEnd
//		To    []DistanceEnd
//		Miles [][]geo.Miles // [i][j] from From[i] to To[j], 2 decimals
//	}
type Matrix = radius.Matrix

// A Medicare names the areas of Medicare and of the health insurance
// marketplaces that the postal county of a ZIP Code belongs to.
//
//	type Medicare struct {
//		CBSACode           string // core based statistical area, five digits
//		CBSAName           string // its official title
//		CBSAType           string // Metropolitan or Micropolitan Statistical Area
//		RatingAreaID       string // geographic rating area within the state, e.g. "Rating Area 16"
//		SSAStateCountyCode string // of the Social Security Administration, five digits
//		MultiCountyNotice  string // text about the ZIP's other counties
//	}
type Medicare = lookup.Medicare

// A Metro names the statistical regions and areas around a ZIP's county.
//
//	type Metro struct {
//		Region   string // Census region, e.g. "West"
//		Division string // Census division, e.g. "Pacific"
//		CSA      string // combined statistical area, three digits
//		CSAName  string // its official title
//		MSA      string // core based statistical area, five digits
//		MSAName  string // its official title
//		PMSA     string // metropolitan division, five digits
//		PMSAName string // its official title
//	}
type Metro = lookup.Metro

// A MetroDivision names the metropolitan division that holds the largest part
// of a code, within its CBSA.
//
//	type MetroDivision struct {
//		Code     string // five digits
//		Name     string // official name
//		CBSACode string // five digits
//	}
type MetroDivision = lookup.MetroDivision

// NCESCodes are the codes of a school district in the Common Core of Data.
//
//	type NCESCodes struct {
//		LEAID      string // seven digits
//		StateID    string // the state's own code
//		AgencyType string // "1" to "9"
//	}
type NCESCodes = lookup.NCESCodes

// NearestOptions configures a search for the nearest codes. The zero value
// returns one.
//
//	type NearestOptions struct {
//		Count    int        // 1 to 10,000; zero is 1
//		Max      geo.Miles  // the farthest they may be; zero is anywhere
//		Mode     RadiusMode // Centroid: ZIPs and full postal codes; Spatial: ZIPs and FSAs, by their points too
//		Timezone bool       // the time zone of each
//		At       time.Time  // start of the twelve months of time zone rules; zero means now
//	}
type NearestOptions = radius.NearestOptions

// A NearestResult holds the codes nearest to a center, sorted by distance and
// then by code. It is not part of the contract.
//
//	type NearestResult struct {
//		MatchItem
//		Center  Center
//		Matches []RadiusMatch
//	}
//	type MatchItem struct {
//		Success bool   // false for an item that failed
//		Input   *Input // failed items and items of a batch
//		Error   *ItemError
//		Notices []Notice // notices of this item
//	}
type NearestResult = radius.NearestResult

// A Neighbor is a code or an area that touches another.
//
//	type Neighbor struct {
//		Code        string     // or GEOID
//		CodeType    CodeType   // of codes
//		Layer       string     // of an area
//		Name        string     // of an area
//		City        string     // in proper case
//		State       string     // two letters
//		Location    geo.LatLng // in degrees of WGS84
//		SharedMi    float64    // common border; 2 decimals
//		PctOfBorder float64    // of the first code's; 1 decimal
//		Corner      bool       // they meet in a point only
//	}
type Neighbor = lookup.Neighbor

// NeighborOptions defines which codes touch.
//
//	type NeighborOptions struct {
//		// Tolerance is the maximum distance between outlines that touch, at most
//		// [MaxTolerance]. Zero means [DefaultTolerance]. Outlines of ZIPs come from
//		// sources of different detail and seldom meet exactly.
//		Tolerance geo.Meters
//		// Layer makes the input the GEOID of an area, whose neighbors in the layer are
//		// found. Zero means codes.
//		Layer LayerID
//	}
type NeighborOptions = lookup.NeighborOptions

// Neighbors are the codes whose areas touch that of a code, or areas of one layer.
//
//	type Neighbors struct {
//		Layer      string   // of areas
//		Code       string   // or GEOID
//		CodeType   CodeType // of codes
//		BorderMi   float64  // length of its boundary and of lakes; 2 decimals
//		ToleranceM geo.Meters
//		Codes      []Neighbor // the longest common border first
//	}
type Neighbors = lookup.Neighbors

// A NoMatchError is the cause of an ambiguous address's error.
//
//	type NoMatchError struct {
//		Candidates []AddressCandidate // equally good ones
//	}
//	func (e *NoMatchError) Error() string
type NoMatchError = address.NoMatchError

// A Notice describes a property of a result that is not an error.
//
//	type Notice struct {
//		Code    NoticeCode  // one of the contract's notice codes
//		Message string      // a message for people
//		Class   NoticeClass // the subject of the notice
//		URL     string      // page with details; with FREE_TIER_LIMIT_CAPPED only
//	}
type Notice = envelope.Notice

// A NoticeClass groups notices.
//
//	type NoticeClass string
type NoticeClass = envelope.Class

// The values of [NoticeClass].
const (
	ClassInput      = envelope.ClassInput
	ClassEnrichment = envelope.ClassEnrichment
	ClassBilling    = envelope.ClassBilling
	ClassResult     = envelope.ClassResult
	ClassMatch      = envelope.ClassMatch
)

// A NoticeCode is one of the contract's error and notice codes.
type NoticeCode = envelope.Code

// An OwnArea is one area of a layer.
//
//	type OwnArea struct {
//		ID   string // as in the file
//		Name string // or the ID without one
//		Share
//	}
//	type Share struct {
//		PctOfZIP  *float64 // share of the ZIP that lies in the area, 0 to 100
//		PctOfFSA  *float64 // share of the FSA that lies in the area, 0 to 100
//		PctOfArea *float64 // share of the area that lies in the code, 0 to 100
//	}
type OwnArea = lookup.OwnArea

// An OwnLayer lists the areas of a layer, the largest part of the code first. The list
// is empty outside all areas.
//
//	type OwnLayer struct {
//		Source string    // title and file
//		Basis  Basis     // rule that selected the areas
//		Areas  []OwnArea // largest share first
//	}
type OwnLayer = lookup.OwnLayer

// OwnLayers are layers that users added to the dataset, by their names without
// "layers.". Layers of the catalog without a family, such as "urban_area", are among them.
//
//	type OwnLayers map[string]OwnLayer
type OwnLayers = lookup.OwnLayers

// A Pair is two places of a list and how far apart they are.
//
//	type Pair struct {
//		A, B     int // positions in the list, A < B
//		Distance geo.Meters
//	}
type Pair = radius.Pair

// PlanOptions selects the plans of districts. The zero value selects the plans in
// force at present.
//
//	type PlanOptions struct {
//		// AsOf selects the plan in force on the day in UTC. It is unavailable for a day
//		// before the first plan. Zero means the day of the call.
//		AsOf time.Time
//		// Plan is the ID of a plan such as "cd120", which replaces the plan of the day
//		// in its states.
//		Plan string
//		// At is the time of the call. Zero means now.
//		At time.Time
//	}
type PlanOptions = lookup.PlanOptions

// Plus4 is the four-digit add-on of a ZIP+4 Code, 0 to 9999.
//
//	type Plus4 uint16
//	func (p Plus4) String() string
type Plus4 = dataset.Plus4

// PolygonOptions configures a search inside a polygon.
//
//	type PolygonOptions struct {
//		Mode     RadiusMode // Centroid: ZIPs and full postal codes by their points; Spatial: ZIPs and FSAs by their areas
//		Timezone bool       // the time zone of each
//		Layers   []string   // layers of the user of each match, without "layers."
//		At       time.Time  // start of the twelve months of time zone rules; zero means now
//	}
type PolygonOptions = radius.PolygonOptions

// A PolygonResult holds the codes inside a polygon. Distances are measured
// from Center, and matches are sorted by them and then by code. It is not part
// of the contract.
//
//	type PolygonResult struct {
//		MatchItem
//		Center   geo.LatLng      // the middle of the polygon's box
//		AreaSqMi geo.SquareMiles // of the polygon
//		Mode     RadiusMode      // centroid or spatial
//		Matches  []RadiusMatch   // by the distance from the center
//		Summary  RadiusSummary
//		Stats    *RadiusStats // if tables were requested and any has values
//	}
//	type MatchItem struct {
//		Success bool   // false for an item that failed
//		Input   *Input // failed items and items of a batch
//		Error   *ItemError
//		Notices []Notice // notices of this item
//	}
type PolygonResult = radius.PolygonResult

// A Population counts residents.
//
//	type Population struct {
//		Total    *int // people of both sexes together
//		Estimate *int // newest estimate that the dataset holds
//		Male     *int // number of people
//		Female   *int // number of people
//	}
type Population = lookup.Population

// PostalCode is a full Canadian postal code as a number, in the order of its text.
//
//	type PostalCode uint32
//	func (p PostalCode) FSA() FSACode
//	func (p PostalCode) String() string
type PostalCode = dataset.PostalCode

// A PostalInfo holds data of Canada Post and Statistics Canada about a code.
// Counts are from the 2021 census and describe the whole FSA, also for full
// postal codes.
//
//	type PostalInfo struct {
//		RecordType           string // as the source names it
//		AddressType          string // as the source names it
//		FSA                  string // first three characters
//		DeliveryPostalCode   string // code that mail is delivered from
//		FSAPopulation        *int   // people, latest census
//		FSADwellings         *int   // private dwellings, latest census
//		FSADwellingsOccupied *int   // private dwellings with usual residents, latest census
//		FSAPostalCodeCount   *int   // full postal codes of the FSA in the dataset
//	}
type PostalInfo = lookup.PostalInfo

// A PeoplesDistrict is the district in which most residents of a ZIP live.
type PeoplesDistrict = lookup.PeoplesDistrict

// A PrimaryDistrict is the district that counts as that of a ZIP or address.
//
//	type PrimaryDistrict struct {
//		GEOID          string // the Census Bureau's or Statistics Canada's code
//		State          string // two letters
//		DistrictNumber int    // 0 at large, 98 a delegate
//		Basis          Basis  // why this one
//	}
type PrimaryDistrict = lookup.PrimaryDistrict

// A Quality records the sources of the data of a code, of a full postal code
// those of its FSA. Sources are named by title and vintage.
//
//	type Quality struct {
//		PointSource         string         // source of the code's point; absent for postal codes
//		OutlineSource       string         // source of the outline
//		OutlineAreaRatio    *float64       // drawn area divided by the stated one; 1 if it lies between the stated land and the whole
//		PopulationYear      *int           // last year of the survey, or the census year
//		PopulationSource    string         // source of the population
//		HousingUnits        *int           // homes, occupied or vacant; US
//		HousingSource       string         // source of the housing units; US
//		CountySources       []CountySource // county that each source names, if they differ; US
//		ClassificationBasis string         // what decided the classification; US
//		Notes               []string       // anything else to keep in mind, in English
//	}
type Quality = lookup.Quality

// QuickLookupOptions selects the additions to a quick lookup.
//
//	type QuickLookupOptions struct {
//		// Timezone adds the time zone of the code's point.
//		Timezone bool
//		// At is the start of the twelve months of time zone rules. Zero means now.
//		At time.Time
//	}
type QuickLookupOptions = lookup.QuickOptions

// A QuickRecord is the contract's quick-zip item: one code's identity, the
// street-level detail of a ZIP+4, and its time zone on request. Its Item holds
// the notices of this code.
//
//	type QuickRecord struct {
//		MatchItem
//		Identity
//		Detail   *Detail
//		Timezone *TimeZone
//	}
//	type MatchItem struct {
//		Success bool   // false for an item that failed
//		Input   *Input // failed items and items of a batch
//		Error   *ItemError
//		Notices []Notice // notices of this item
//	}
//	type Identity struct {
//		Country            string         // US or CA
//		Code               string         // canonical, e.g. "K1A 0B1"
//		CodeType           CodeType       // kind of code
//		ParentCode         string         // ZIP of a ZIP+4, FSA of a postal code
//		City               string         // city of the code, in proper case
//		State              string         // two letters of a state or province
//		StateName          string         // e.g. "California"
//		StateFIPS          string         // two digits
//		County             string         // official name, e.g. "Los Angeles County"
//		CountyFIPS         string         // five digits
//		MultiCounty        Flag           // unknown without a county, a source and an outline
//		Classification     Classification // kind of ZIP
//		ClassificationName Classification // the class as a word
//		Municipality       string         // municipality that holds the code's point, e.g. "Beverly Hills"
//		Location           geo.LatLng     // point of the code in degrees of WGS84; absent for most military ZIPs
//	}
type QuickRecord = lookup.QuickRecord

// A RadiusInclude selects the additions to a search. The zero value adds nothing.
//
//	type RadiusInclude struct {
//		Timezone bool     // the time zone of each match
//		ACS      []ACSTag // aggregates of the matches
//		Layers   []string // layers of the user of each match, without "layers."
//		// Dropped are flags that are known but have no meaning for a search:
//		// census, cd, state_leg, school_district and geography. They are named in
//		// the notice ENRICHMENT_UNAVAILABLE and cost nothing.
//		Dropped []string
//	}
//	func (inc *RadiusInclude) Flags() (flags []string)
type RadiusInclude = radius.Include

// A RadiusMatch is a code that was found.
//
//	type RadiusMatch struct {
//		Country            string           // US or CA
//		Code               string           // canonical form
//		CodeType           CodeType         // what kind of code it is
//		City               string           // city of the code, in proper case
//		State              string           // two letters
//		County             string           // official name
//		CountyFIPS         string           // five digits
//		Classification     Classification   // what kind of ZIP it is
//		ClassificationName Classification   // the class as a word
//		Location           geo.LatLng       // in degrees of WGS84
//		DistanceMiles      geo.Miles        // from the center to Location, 2 decimals
//		PctInside          *float64         // 0 to 100, 1 decimal; nil for a point and in centroid mode
//		AreaSqMi           *geo.SquareMiles // 2 decimals; nil for a point and in centroid mode
//		Timezone           *TimeZone        // on request
//		Layers             OwnLayers        // your layers, on request
//	}
type RadiusMatch = radius.Match

// RadiusMode selects codes by their points or by their areas.
//
//	type RadiusMode uint8
//	func (m RadiusMode) String() string
type RadiusMode = radius.Mode

// The values of [RadiusMode].
const (
	Centroid = radius.Centroid
	Spatial  = radius.Spatial
)

// RadiusOptions configures a search. Max or Auto is needed; the other zero values are
// the contract's defaults.
//
//	type RadiusOptions struct {
//		Max     geo.Miles  // above 0, at most 500 in centroid mode and 250 in spatial mode; ignored with Auto
//		Auto    AutoRadius // a rule that finds the radius; zero takes Max
//		Min     geo.Miles  // 0 to below the radius; zero leaves nothing out
//		Mode    RadiusMode // zero is centroid
//		Include RadiusInclude
//		Points  float64    // degrees of a step of Result.Points, 0.0001 to 1; zero omits them
//		Limit   int        // the most matches, at least 1; zero is all, or 10,000 in centroid mode; aggregates are of all
//		ACS     ACSOptions // which fields aggregates of the survey have
//		At      time.Time  // start of the twelve months of time zone rules; zero means now
//	}
//	func (o *RadiusOptions) Check() error
type RadiusOptions = radius.Options

// A RadiusResult is the contract's radius item. Its Item carries the notices of the
// search. Matches are sorted by distance and then by code.
//
//	type RadiusResult struct {
//		MatchItem
//		Search  SearchedRadius
//		Matches []RadiusMatch // matches, the nearest first
//		Summary RadiusSummary
//		Stats   *RadiusStats  // if survey profiles or tables were requested and any has figures
//		// Delivered are the flags that the search served, for its price.
//		Delivered []string
//	}
//	type MatchItem struct {
//		Success bool   // false for an item that failed
//		Input   *Input // failed items and items of a batch
//		Error   *ItemError
//		Notices []Notice // notices of this item
//	}
type RadiusResult = radius.Result

// RadiusStats are aggregates over everything inside, regardless of Limit.
//
//	type RadiusStats struct {
//		ACS    ACSAggregates // of the US ZIP Codes, newest year first
//	}
type RadiusStats = radius.Stats

// A RadiusSummary counts the matches.
//
//	type RadiusSummary struct {
//		TotalCount    int  // matches that are listed
//		USZIPCount    int  // ZIPs among the matches
//		CAFSACount    int  // Canadian FSAs among the matches
//		CAPostalCount int  // Canadian postal codes among the matches
//		Available     *int // all there are, when not all are listed
//	}
type RadiusSummary = radius.Summary

// A Record is the contract's zip item: the identity of a code and the requested
// enrichments that are available.
//
//	type Record struct {
//		MatchItem
//		Identity
//		AreaCodes   []string // three digits each, ascending
//		Elevation   *Elevation
//		Metro       *Metro      // statistical regions and areas around the county; US
//		ZIPInfo     *ZIPInfo    // data of the postal service and the Census Bureau about the ZIP; US
//		PostalInfo  *PostalInfo // the FSA of the code, with its people and dwellings; Canada
//		CityAliases []CityAlias // other names that mail may carry
//		Detail      *Detail
//		Timezone    *TimeZones
//		Families
//		Demographics *Demographics // US
//		Medicare     *Medicare     // areas of Medicare and of the insurance marketplaces; US
//		ACS          ACSYears      // US
//		Quality      *Quality      // sources and reliability of the record's data
//	}
//	type MatchItem struct {
//		Success bool   // false for an item that failed
//		Input   *Input // failed items and items of a batch
//		Error   *ItemError
//		Notices []Notice // notices of this item
//	}
//	type Identity struct {
//		Country            string         // US or CA
//		Code               string         // canonical, e.g. "K1A 0B1"
//		CodeType           CodeType       // kind of code
//		ParentCode         string         // ZIP of a ZIP+4, FSA of a postal code
//		City               string         // city of the code, in proper case
//		State              string         // two letters of a state or province
//		StateName          string         // e.g. "California"
//		StateFIPS          string         // two digits
//		County             string         // official name, e.g. "Los Angeles County"
//		CountyFIPS         string         // five digits
//		MultiCounty        Flag           // unknown without a county, a source and an outline
//		Classification     Classification // kind of ZIP
//		ClassificationName Classification // the class as a word
//		Municipality       string         // municipality that holds the code's point, e.g. "Beverly Hills"
//		Location           geo.LatLng     // point of the code in degrees of WGS84; absent for most military ZIPs
//	}
//	type Families struct {
//		Census                   *Census
//		CongressionalDistrict    *CongressionalDistricts // districts of the House of Representatives; US
//		FederalElectoralDistrict *FederalDistricts       // federal electoral districts; Canada
//		StateLegislative         *StateLegislature       // districts of the state legislature; US
//		SchoolDistrict           *SchoolDistricts        // school districts; US
//		Layers                   OwnLayers               // layers of the user
//	}
type Record = lookup.Record

// ReverseOptions configures [Engine.Reverse].
//
//	type ReverseOptions struct {
//		// Within is the greatest distance of the address, up to 5,000 meters. Zero
//		// means 500 meters.
//		Within geo.Meters
//		// Include selects areas around the position.
//		Include AddressInclude
//	}
type ReverseOptions = geocode.ReverseOptions

// A ReverseResult is the address nearest to a position.
//
//	type ReverseResult struct {
//		MatchItem
//		GeocodePlace
//		AddressAreas
//		DistanceM int // of the position from the address, in meters
//	}
//	type MatchItem struct {
//		Success bool   // false for an item that failed
//		Input   *Input // failed items and items of a batch
//		Error   *ItemError
//		Notices []Notice // notices of this item
//	}
//	type GeocodePlace struct {
//		Precision GeocodePrecision // point, interpolated, intersection, street, zip or city
//		Location  geo.LatLng       // in degrees of WGS84
//		RadiusM   int              // expected to hold 90 % of the errors, in meters
//		Formatted string           // the parts on one line
//		Number    string           // house number
//		Street    string           // with its directions and suffix
//		Cross     string           // the other street of a crossing
//		City      string           // as given if the ZIP Code accepts it, else its own
//		State     string           // abbreviation of the state or province
//		ZIP       string           // or forward sortation area
//		Side      string           // left or right, from the first number of the segment
//		Record    *GeocodeRecord
//	}
//	type AddressAreas struct {
//		Families
//		ACS *TractSurvey
//	}
//	type Families struct {
//		Census                   *Census
//		CongressionalDistrict    *CongressionalDistricts // districts of the House of Representatives; US
//		FederalElectoralDistrict *FederalDistricts       // federal electoral districts; Canada
//		StateLegislative         *StateLegislature       // districts of the state legislature; US
//		SchoolDistrict           *SchoolDistricts        // school districts; US
//		Layers                   OwnLayers               // layers of the user
//	}
type ReverseResult = geocode.Nearest

// A SchoolDistrict is a school district. Elementary districts lie within
// secondary ones.
//
//	type SchoolDistrict struct {
//		LEAID     string // of the National Center for Education Statistics, seven digits
//		Name      string // official name
//		Type      string // unified, elementary, secondary, administrative or other; "" unknown
//		GradeLow  string // PK, KG, 01 to 12, ...
//		GradeHigh string // highest grade
//		StateFIPS string // two digits
//		LandWater
//		Centroid  geo.LatLng // in degrees of WGS84
//		Office    *SchoolOffice
//		Locale    *SchoolLocale
//		NCESCodes NCESCodes
//		Share
//	}
//	type LandWater struct {
//		LandAreaSqMi  *float64 // land of the area in square miles, as its publisher states it
//		WaterAreaSqMi *float64 // water of the area in square miles, as its publisher states it
//	}
//	type Share struct {
//		PctOfZIP  *float64 // share of the ZIP that lies in the area, 0 to 100
//		PctOfFSA  *float64 // share of the FSA that lies in the area, 0 to 100
//		PctOfArea *float64 // share of the area that lies in the code, 0 to 100
//	}
type SchoolDistrict = lookup.SchoolDistrict

// SchoolDistricts are the family of school districts.
//
//	type SchoolDistricts struct {
//		Current *SchoolPeriod // null if no area was found
//	}
type SchoolDistricts = lookup.SchoolDistricts

// A SchoolLocale is the kind of place that a school district lies in.
//
//	type SchoolLocale struct {
//		Code        string // "11" to "43"
//		Description string // e.g. "City: Large"
//	}
type SchoolLocale = lookup.SchoolLocale

// A SchoolOffice is the administrative office of a school district.
//
//	type SchoolOffice struct {
//		Address string   // street of the office
//		City    string   // of the office
//		State   string   // two letters
//		ZIP     string   // of the office
//		County  string   // of the office
//		Lat     *float64 // degrees, 6 decimals
//		Lon     *float64 // degrees
//	}
type SchoolOffice = lookup.SchoolOffice

// A SchoolPeriod lists school districts, the largest part of the ZIP first.
//
//	type SchoolPeriod struct {
//		Source     string           // publisher and file of the data
//		SchoolYear string           // e.g. "2024-2025"
//		Basis      Basis            // rule that selected the districts
//		Districts  []SchoolDistrict // the districts that the code lies in, the largest share first
//	}
type SchoolPeriod = lookup.SchoolPeriod

// A SearchedRadius repeats the parameters of a search.
//
//	type SearchedRadius struct {
//		Center   Center
//		Max      geo.Miles  // the automatic radius to 0.1 mile, or the given one
//		Min      *geo.Miles // inner limit in miles; nil when not given
//		Mode     RadiusMode // centroid finds points, spatial areas
//		AutoMode AutoRadius // the rule that found Max
//		Limit    *int       // requested limit of matches; nil if not given
//	}
type SearchedRadius = radius.Search

// A Share describes the overlap of a code and an area in percent, with 1
// decimal. It is empty for coordinates, codes without an outline and Canadian
// postal codes, and if the dataset's outlines are too coarse.
//
//	type Share struct {
//		PctOfZIP  *float64 // share of the ZIP that lies in the area, 0 to 100
//		PctOfFSA  *float64 // share of the FSA that lies in the area, 0 to 100
//		PctOfArea *float64 // share of the area that lies in the code, 0 to 100
//	}
type Share = lookup.Share

// A StateLegislature is the family of state legislative districts.
//
//	type StateLegislature struct {
//		Current *LegislativePeriod // null if no area was found, or only next was requested
//		Next    *LegislativePeriod // districts of the following plan
//	}
type StateLegislature = lookup.StateLegislature

// A Street is the range of addresses of a ZIP+4 in the product's capitals.
// Numbers have no leading zeros.
//
//	type Street struct {
//		AddrLow        string // first house number
//		AddrHigh       string // last house number
//		Prefix         string // directional before the name
//		Name           string // street name
//		Suffix         string // kind of street, e.g. "AVE"
//		Postfix        string // directional after the suffix
//		OddEven        string // whether house numbers are odd, even or both: O, E or B
//		SecAddrAbbr    string // kind of unit, e.g. "APT"
//		SecAddrLow     string // first unit
//		SecAddrHigh    string // last unit
//		SecAddrOddEven string // whether units are odd, even or both: O, E or B
//		BuildingName   string // of a building or firm
//		Address        string // one line; with a number if the record covers a single one
//	}
type Street = lookup.Street

// A SuggestBox is the smallest rectangle of parallels and meridians around a match.
// Across the antimeridian MinLon is greater than MaxLon.
//
//	type SuggestBox struct {
//		MinLat float64 // degrees
//		MaxLat float64 // degrees
//		MinLon float64 // degrees
//		MaxLon float64 // degrees
//	}
type SuggestBox = suggest.Box

// A SuggestBucket is the kind of a match. Lower buckets are stronger evidence.
//
//	type SuggestBucket uint8
//	func (b SuggestBucket) String() string
type SuggestBucket = suggest.Bucket

// The values of [SuggestBucket].
const (
	SuggestExactName  = suggest.ExactName
	SuggestExactAlias = suggest.ExactAlias
	SuggestAllWords   = suggest.AllWords
	SuggestPrefix     = suggest.Prefix
	SuggestInnerWord  = suggest.InnerWord
	SuggestOneTypo    = suggest.OneTypo
	SuggestTwoTypos   = suggest.TwoTypos
)

// SuggestOptions configures [Engine.Suggest].
//
//	type SuggestOptions struct {
//		// Limit is the maximum number of matches, 1 to [MaxLimit]. Zero means
//		// [DefaultLimit].
//		Limit int
//		// Include restricts the types of matches. The zero value means the nine types of
//		// the contract, and [ElectoralDistrict] for a query such as "CA-12".
//		Include SuggestTypes
//		// Layers are layers of the user, without "layers.", whose areas are matches too, and
//		// "puma", "urban_area" and "tribal_area". Without any, [OwnArea] means the areas of all.
//		Layers []string
//		// State restricts matches to a US state or Canadian province, by its
//		// abbreviation in any case. Empty means no restriction.
//		State string
//		// Country is "US" or "CA" in any case. Empty means both.
//		Country string
//		// Proximity ranks nearby matches higher. It is "auto", "latitude,longitude", an
//		// IP address, an FSA, a five-digit ZIP, or the abbreviation of a state or
//		// province. Empty disables it.
//		Proximity string
//		// Locator locates IP addresses. If nil, addresses and "auto" are ignored with a
//		// notice.
//		Locator Locator
//		// Client is the address for "auto". The zero value means unknown.
//		Client netip.Addr
//	}
type SuggestOptions = suggest.Options

// A SuggestReason explains the position of a match in the list, which descends by the
// sum of Prominence, Evidence and Proximity.
//
//	type SuggestReason struct {
//		Bucket     SuggestBucket
//		Prominence float64 // binary logarithm of residents, weighted by the kind of thing
//		Evidence   float64 // for the Bucket, in doublings of residents
//		Proximity  float64 // for being near, at most 8 doublings
//	}
//	func (r *SuggestReason) Score() float64
type SuggestReason = suggest.Reason

// A SuggestResult is the contract's suggest item. Its Item carries the notices of the
// query.
//
//	type SuggestResult struct {
//		MatchItem
//		// TotalMatched is the number of distinct matches without a limit. Matches
//		// with typos or another order of words are only counted if the limit was not
//		// reached without them.
//		TotalMatched int
//		Matches      []Suggestion // best first
//	}
//	type MatchItem struct {
//		Success bool   // false for an item that failed
//		Input   *Input // failed items and items of a batch
//		Error   *ItemError
//		Notices []Notice // notices of this item
//	}
type SuggestResult = suggest.Result

// A SuggestType is the type of a match.
//
//	type SuggestType uint8
//	func (t SuggestType) String() string
type SuggestType = suggest.Type

// The values of [SuggestType].
const (
	SuggestZIP               = suggest.ZIP
	SuggestPlace             = suggest.Place
	SuggestCounty            = suggest.County
	SuggestCBSA              = suggest.CBSA
	SuggestFSA               = suggest.FSA
	SuggestState             = suggest.State
	SuggestSchoolDistrict    = suggest.SchoolDistrict
	SuggestPostal            = suggest.Postal
	SuggestCity              = suggest.City
	SuggestElectoralDistrict = suggest.ElectoralDistrict
	SuggestStreetAddress     = suggest.StreetAddress
	SuggestOwnArea           = suggest.OwnArea
)

// SuggestTypes is a set of types. The empty set means the nine types of the contract.
//
//	type SuggestTypes uint16
//	func (s SuggestTypes) Has(t SuggestType) bool
//	func (s SuggestTypes) String() string
type SuggestTypes = suggest.Types

// A Suggestion is a possible meaning of a query. Only fields that apply to its type and
// are in the dataset are set.
//
//	type Suggestion struct {
//		Type               SuggestType    // kind of match
//		Name               string         // of ZIPs, FSAs and postal codes the code
//		City               string         // of a code
//		State              string         // two letters, in the United States
//		Province           string         // two letters, in Canada
//		StateName          string         // e.g. "California"
//		Country            string         // US or CA
//		County             string         // of a ZIP, place or city
//		CountyFIPS         string         // five digits
//		FIPS               string         // of a state two digits, of a county five
//		GEOID              string         // of a place, district, county, state or census subdivision
//		Layer              string         // of your layer, e.g. "layers.sales"
//		CBSACode           string         // five digits
//		MetroMicro         string         // metropolitan or micropolitan
//		Classification     Classification // of ZIPs
//		ClassificationName Classification // the class as a word
//		Location           geo.LatLng     // in degrees of WGS84
//		Population         *int           // people, latest table
//		BBox               *SuggestBox
//		PostalCodeCount    *int           // of FSAs, if the dataset's list is complete
//		AssociatedZIPs     AssociatedZIPs // ZIPs of the place
//		// Reason explains the position of the match.
//		Reason SuggestReason
//	}
type Suggestion = suggest.Match

// A TimeZone is the time zone of one place, with the releases of its boundaries
// and of its clock rules.
//
//	type TimeZone struct {
//		Source string // releases of the data
//		Zone
//	}
//	type Zone struct {
//		IANAName        string  // e.g. "America/Los_Angeles"
//		Name            string  // CLDR's English generic name, e.g. "Pacific Time"
//		Abbreviation    string  // e.g. "PST"
//		AbbreviationDST string  // e.g. "PDT"; the standard one without DST
//		UTCOffset       float64 // hours east of UTC, e.g. -8 or -3.5
//		UTCOffsetDST    float64 // the standard one without DST
//		ObservesDST     bool    // whether both times occur in the twelve months
//	}
type TimeZone = lookup.TimeZone

// TimeZones are the time zones of an area, the largest first.
//
//	type TimeZones struct {
//		Source string      // releases of the data
//		Zones  []ZoneShare // the zones that the code reaches into, the largest share first
//	}
type TimeZones = lookup.TimeZones

// A TractSurvey is the contract's acs member of an address: the years of the
// census tract around its point.
//
//	type TractSurvey struct {
//		Tract ACSYears // of the tract around the point
//	}
type TractSurvey = lookup.TractSurvey

// A Weight is the measure of the shares of a crosswalk. The zero value is area
// between codes and areas of a layer, and people between other geographies.
//
//	type Weight uint8
//	func (w Weight) String() string
type Weight = lookup.Weight

// The values of [Weight].
const (
	WeightArea    = lookup.WeightArea
	WeightPeople  = lookup.WeightPeople
	WeightHousing = lookup.WeightHousing
)

// ZIPCode is a five-digit US ZIP Code as a number, 0 to 99999.
//
//	type ZIPCode uint32
//	func (z ZIPCode) String() string
type ZIPCode = dataset.ZIP

// A ZIPInfo holds data of the postal service and the Census Bureau about a ZIP.
//
//	type ZIPInfo struct {
//		Classification        Classification // kind of ZIP
//		ClassificationName    Classification // the class as a word
//		FacilityCode          string         // B C N P S or U
//		CityDeliveryIndicator string         // Y or N
//		IntroDate             string         // YYYY-MM-DD
//		LandAreaSqMi          *float64       // 2 decimals
//		WaterAreaSqMi         *float64       // 2 decimals
//		ZIP4Count             *int           // ZIP+4 codes in the dataset
//		DeliveryPoints        *DeliveryPoints
//	}
type ZIPInfo = lookup.ZIPInfo

// A Zone is a time zone with its rules of twelve months.
//
//	type Zone struct {
//		IANAName        string  // e.g. "America/Los_Angeles"
//		Name            string  // CLDR's English generic name, e.g. "Pacific Time"
//		Abbreviation    string  // e.g. "PST"
//		AbbreviationDST string  // e.g. "PDT"; the standard one without DST
//		UTCOffset       float64 // hours east of UTC, e.g. -8 or -3.5
//		UTCOffsetDST    float64 // the standard one without DST
//		ObservesDST     bool    // whether both times occur in the twelve months
//	}
type Zone = lookup.Zone

// A ZoneShare is a time zone with its share of an area.
//
//	type ZoneShare struct {
//		Zone
//		PctOfZIP *float64 // 0 to 100, 1 decimal; nil if the dataset has no shares
//	}
//	type Zone struct {
//		IANAName        string  // e.g. "America/Los_Angeles"
//		Name            string  // CLDR's English generic name, e.g. "Pacific Time"
//		Abbreviation    string  // e.g. "PST"
//		AbbreviationDST string  // e.g. "PDT"; the standard one without DST
//		UTCOffset       float64 // hours east of UTC, e.g. -8 or -3.5
//		UTCOffsetDST    float64 // the standard one without DST
//		ObservesDST     bool    // whether both times occur in the twelve months
//	}
type ZoneShare = lookup.ZoneShare
