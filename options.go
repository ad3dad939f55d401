package postgeo

import (
	"github.com/postgeo/postgeo/internal/acs"
	"github.com/postgeo/postgeo/internal/address"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/lookup"
	"github.com/postgeo/postgeo/internal/lookup/suggest"
	"github.com/postgeo/postgeo/internal/radius"
)

// The comments of these types repeat their declarations in the packages that define
// them. "go test ./api -update" writes them.

// ACSSeriesOptions selects the years of a series and how its figures are computed.
//
//	type SeriesOptions struct {
//		FigureOptions
//		// Years lists the years in any order; empty means all years of the level.
//		Years []int
//	}
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
type ACSSeriesOptions = acs.SeriesOptions

// AddressInclude are the enrichments of an address match.
//
//	type Include struct {
//		Coordinates           bool
//		Census                bool
//		CongressionalDistrict bool
//		StateLegislative      bool
//		SchoolDistrict        bool
//		Tract                 []acs.Tag // profiles of the tract around the point
//	}
//	func (inc Include) Flags() []string
//	func (inc Include) Enrichments() []string
type AddressInclude = address.Include

// AddressOptions selects the additions to an address match.
//
//	type Options struct {
//		// Include selects the enrichments. Those that the dataset lacks at the
//		// point of the record are listed in a notice ENRICHMENT_UNAVAILABLE.
//		Include Include
//		// Explain receives the evidence that decided, also about an address without a
//		// match. nil disables the explanation.
//		Explain *Explanation
//		// Verdict receives the status of each part, the next step and candidates, also
//		// about an address without a match. nil disables the verdict.
//		Verdict *Verdict
//		// Candidates is the maximum number of candidates of the verdict, which include
//		// the match. Zero means 1.
//		Candidates int
//	}
type AddressOptions = address.Options

// AddressSuggestOptions configures completions of addresses.
//
//	type SuggestOptions struct {
//		// Limit is the maximum number of suggestions, 1 to [MaxSuggestions]. Zero means
//		// [DefaultSuggestions].
//		Limit int
//		// Near ranks nearby streets first. The zero value disables it. A dataset of more
//		// than 64 ZIP Codes with streets is searched around it only.
//		Near geo.LatLng
//	}
type AddressSuggestOptions = address.SuggestOptions

// AutoRadius is a rule that computes a radius.
//
//	type Auto uint8
//	const Density, Commute
//	func (a Auto) String() string
//	func (a Auto) MaxMiles() geo.Miles
type AutoRadius = radius.Auto

// CodesInOptions selects codes of an area.
//
//	type CodesInOptions struct {
//		// Slivers adds every code whose outline meets the area's, however little.
//		Slivers bool
//	}
type CodesInOptions = lookup.CodesInOptions

// CrosswalkOptions selects the rows of a crosswalk.
//
//	type CrosswalkOptions struct {
//		// ByArea orders the rows by areas and not by codes.
//		ByArea bool
//		// State are the two letters of a state or province; "" means all of the
//		// layer's country. It restricts the codes.
//		State string
//		// Slivers adds every pair whose outlines meet, however little.
//		Slivers bool
//		// Population adds what part of the residents two areas share. It takes the
//		// dataset's population of census tracts, each spread evenly over its area.
//		// For layers that are not made of whole tracts every tract with residents
//		// is intersected first. That takes some seconds for the whole country.
//		Population bool
//	}
type CrosswalkOptions = lookup.CrosswalkOptions

// DistanceOptions configures a distance.
//
//	type DistanceOptions struct {
//		At time.Time // start of the twelve months of time zone rules; zero means now
//	}
type DistanceOptions = radius.DistanceOptions

// Include are the enrichments of a full lookup.
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
//		ACS                   []acs.Tag
//	}
//	func (inc Include) Flags() []string
//	func (inc Include) Families() (families, rest Include)
//	func (inc Include) IsZero() bool
type Include = lookup.Include

// LayerID names a kind of area that codes are held against, e.g. counties.
//
//	type ID uint8
//	const LayerCounty, LayerCountySubdivision, LayerPlace, LayerTract, LayerBlockGroup, LayerCBSA, LayerMetropolitanDivision, LayerCongressionalDistrict, LayerStateUpper, LayerStateLower, LayerSchoolDistrict, LayerCensusDivision, LayerCensusSubdivision, LayerCensusTract, LayerMetroArea, LayerEconomicRegion, LayerPopulationCentre, LayerConsolidatedSubdivision, LayerDesignatedPlace, LayerDisseminationArea, LayerDisseminationBlock, LayerFederalDistrict
//	func (id ID) String() string
//	func (id ID) Country() codes.Country
//	func (id ID) Section() store.Sections
type LayerID = dataset.LayerID

// Locator returns the location of an IP address.
//
//	type Locator interface {
//		// LocateIP returns the point of the address, or false if it is unknown.
//		LocateIP(ctx context.Context, addr netip.Addr) (geo.LatLng, bool)
//	}
type Locator = suggest.Locator

// LookupOptions selects the additions to a full lookup.
//
//	type Options struct {
//		// Include selects the enrichments. A notice ENRICHMENT_UNAVAILABLE names
//		// those that the dataset lacks for the code.
//		Include Include
//		// ACS selects the fields of blocks of the American Community Survey. The
//		// zero value selects the contract's.
//		ACS acs.Options
//		// At is the start of the twelve months of time zone rules. Zero means now.
//		At time.Time
//	}
type LookupOptions = lookup.Options

// NearestOptions configures a search for the nearest codes.
//
//	type NearestOptions struct {
//		Count    int       // 1 to 10,000; zero is 1
//		Max      geo.Miles // the farthest they may be; zero is anywhere
//		Mode     Mode      // Centroid: ZIPs and full postal codes; Spatial: ZIPs and FSAs, by their points too
//		Timezone bool      // the time zone of each
//		At       time.Time // start of the twelve months of time zone rules; zero means now
//	}
type NearestOptions = radius.NearestOptions

// NeighborOptions defines which codes touch.
//
//	type NeighborOptions struct {
//		// Tolerance is the maximum distance between outlines that touch, at most
//		// [MaxTolerance]. Zero means [DefaultTolerance]. Outlines of ZIPs come from
//		// sources of different detail and seldom meet exactly.
//		Tolerance geo.Meters
//	}
type NeighborOptions = lookup.NeighborOptions

// PolygonOptions configures a search inside a polygon.
//
//	type PolygonOptions struct {
//		Mode     Mode      // Centroid: ZIPs and full postal codes by their points; Spatial: ZIPs and FSAs by their areas
//		Timezone bool      // the time zone of each
//		At       time.Time // start of the twelve months of time zone rules; zero means now
//	}
type PolygonOptions = radius.PolygonOptions

// QuickLookupOptions selects the additions to a quick lookup.
//
//	type QuickOptions struct {
//		// Timezone adds the time zone of the code's point.
//		Timezone bool
//		// At is the start of the twelve months of time zone rules. Zero means now.
//		At time.Time
//	}
type QuickLookupOptions = lookup.QuickOptions

// RadiusInclude selects the additions to a radius search.
//
//	type Include struct {
//		Timezone bool      // the time zone of each match
//		ACS      []acs.Tag // aggregates of the matches
//		// Dropped are flags that are known but have no meaning for a search:
//		// census, cd, state_leg, school_district and geography. They are named in
//		// the notice ENRICHMENT_UNAVAILABLE and cost nothing.
//		Dropped []string
//	}
type RadiusInclude = radius.Include

// RadiusMode selects codes by points or by areas.
//
//	type Mode uint8
//	const Centroid, Spatial
//	func (m Mode) String() string
type RadiusMode = radius.Mode

// RadiusOptions configures a radius search. Max or Auto must be set; every other
// zero value is a default.
//
//	type Options struct {
//		Max     geo.Miles // above 0, at most 500 in centroid mode and 250 in spatial mode; ignored with Auto
//		Auto    Auto      // a rule that finds the radius; zero takes Max
//		Min     geo.Miles // 0 to below the radius; zero leaves nothing out
//		Mode    Mode      // zero is centroid
//		Include Include
//		Limit   int         // the most matches, at least 1; zero is all, or 10,000 in centroid mode; aggregates are of all
//		ACS     acs.Options // which fields aggregates of the survey have
//		At      time.Time   // start of the twelve months of time zone rules; zero means now
//	}
//	func (o *Options) Check() error
type RadiusOptions = radius.Options

// SuggestOptions configures suggestions.
//
//	type Options struct {
//		// Limit is the maximum number of matches, 1 to [MaxLimit]. Zero means
//		// [DefaultLimit].
//		Limit int
//		// Include restricts the types of matches. The zero value means the nine types of
//		// the contract, and [ElectoralDistrict] for a query such as "CA-12".
//		Include Types
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
