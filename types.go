package postgeo

import (
	"github.com/postgeo/postgeo/internal/acs"
	"github.com/postgeo/postgeo/internal/address"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/fault"
	"github.com/postgeo/postgeo/internal/geocode"
	"github.com/postgeo/postgeo/internal/lookup"
	"github.com/postgeo/postgeo/internal/lookup/suggest"
	"github.com/postgeo/postgeo/internal/radius"
)

// The comments of these types repeat their declarations in the packages that define
// them. "go test ./api -update" writes them.

// ACSComparison is the test whether two figures differ.
//
//	type Comparison struct {
//		Field      string
//		A          Figure
//		B          Figure
//		Percent    bool    // the percentages were compared
//		Difference Value   // B less A
//		MOE        Value   // at 90 percent confidence
//		Change     Value   // the difference in percent of A; null if A is 0
//		Z          float64 // the difference in standard errors, to two decimals; ±32767 if it has no error
//		At90       bool
//		At95       bool
//		At99       bool
//		// Overlap is the common share of the five years of samples, 0 to 1.
//		Overlap float64
//		Notes   []string
//	}
type ACSComparison = acs.Comparison

// ACSFigure is a field of one year with its margin of error.
//
//	type Figure struct {
//		Field   string // full name
//		Label   string
//		Kind    Kind
//		Year    int    // last of the five years
//		Vintage string // the five years
//		Status  Status
//		// Column is the Census Bureau's, of a single area.
//		Column string
//		// Annotation is the sign that the Census Bureau prints instead of the
//		// estimate, or "+" or "-" after a bound.
//		Annotation string
//		Estimate   Value
//		MOE        Value // at 90 percent confidence; 0 for controlled estimates
//		MOEBasis   MarginBasis
//		Percent    Value // share of the field's universe in percent
//		PercentMOE Value
//		// PercentBasis is the MOEBasis of the percentage.
//		PercentBasis MarginBasis
//		// CV is the coefficient of variation of the estimate, or of the percentage
//		// if there is no estimate, in percent to one decimal.
//		CV          Value
//		Reliability Reliability
//		// Dollars is the year of the amounts' dollars; 0 if the field is not money.
//		Dollars int
//		// Bracket is the median computed from the counts of a distribution.
//		Bracket *BracketMedian
//		With    int
//		Without int
//		// Bounds is the number of areas with a bound instead of a median.
//		Bounds int
//		// Covered is the share of the areas' population in areas with a figure, in
//		// percent to one decimal. It is absent if the dataset has no population of
//		// the year.
//		Covered Value
//	}
//	func (f *Figure) Sample(percent bool) (Estimate, bool)
type ACSFigure = acs.Figure

// ACSLine is one field of an area, or of several together, over the
// years.
//
//	type Line struct {
//		Area   string // code of the area, or a name for several
//		Level  string
//		Field  string // full name
//		Label  string
//		Points []Figure // ascending years, those without a figure included
//		Notes  []string // obstacles to comparing the years
//	}
type ACSLine = acs.Line

// AddressExplanation lists the evidence that decided about an address.
//
//	type Explanation struct {
//		Readings    []ReadingEvidence // the likeliest first
//		Steps       []Step            // searches for the street, in order
//		Differences []Component       // of the matched record from the reading
//	}
//	func (e *Explanation) String() string
type AddressExplanation = address.Explanation

// AddressFields is an address that is divided into its parts.
//
//	type Fields struct {
//		Street  string // number and street, box or route; may have a unit
//		Unit    string // Apt 4, # 4 or 4
//		City    string // without the state
//		State   string // state or province, name or abbreviation
//		ZIP     string // ZIP, ZIP+4 or postal code
//		Country string // US or CA, name or abbreviation; "" follows from the rest
//	}
//	func (f *Fields) String() string
//	func (f *Fields) Key() string
//	func (f *Fields) Set(name, value string) bool
type AddressFields = address.Fields

// AddressMatch is the contract's item of a matched address.
//
//	type Match struct {
//		envelope.Item
//		Matched lookup.Flag // whether the address was matched; batches only
//		Data    *Data
//	}
//	func (m *Match) Delivered() []string
//	func (m *Match) Unavailable() []string
//	type Item struct {
//		Success bool   // false for an item that failed
//		Input   *Input // failed items and items of a batch
//		Error   *Error
//		Notices []Notice // notices of this item
//	}
//	func (item *Item) SetInput(in Input)
type AddressMatch = address.Match

// GeocodePlace is an address with its position.
//
//	type Place struct {
//		Precision Precision
//		Location  geo.LatLng
//		RadiusM   int // holds 90 % of the errors of positions of this kind, in meters
//		Formatted string
//		Number    string
//		Street    string
//		Cross     string
//		City      string
//		State     string
//		ZIP       string // or forward sortation area
//		Side      string // left or right, from the first number of the segment
//		Record    *Record
//	}
type GeocodePlace = geocode.Place

// GeocodeResult is the position of an address.
//
//	type Result struct {
//		envelope.Item
//		Place
//		Candidates []Place // all places that match equally well
//	}
//	type Item struct {
//		Success bool   // false for an item that failed
//		Input   *Input // failed items and items of a batch
//		Error   *Error
//		Notices []Notice // notices of this item
//	}
//	func (item *Item) SetInput(in Input)
//	type Place struct {
//		Precision Precision
//		Location  geo.LatLng
//		RadiusM   int // holds 90 % of the errors of positions of this kind, in meters
//		Formatted string
//		Number    string
//		Street    string
//		Cross     string
//		City      string
//		State     string
//		ZIP       string // or forward sortation area
//		Side      string // left or right, from the first number of the segment
//		Record    *Record
//	}
type GeocodeResult = geocode.Result

// GeocodeOptions configures [DB.Geocode].
//
//	type Options struct {
//		// Offset is the distance of interpolated positions from the middle of the
//		// street, up to 100 meters. Zero means 8 meters; a negative value none.
//		Offset geo.Meters
//	}
type GeocodeOptions = geocode.Options

// ReverseResult is the address nearest to a point.
//
//	type Nearest struct {
//		envelope.Item
//		Place
//		DistanceM int // of the position from the address, in meters
//	}
//	type Item struct {
//		Success bool   // false for an item that failed
//		Input   *Input // failed items and items of a batch
//		Error   *Error
//		Notices []Notice // notices of this item
//	}
//	func (item *Item) SetInput(in Input)
//	type Place struct {
//		Precision Precision
//		Location  geo.LatLng
//		RadiusM   int // holds 90 % of the errors of positions of this kind, in meters
//		Formatted string
//		Number    string
//		Street    string
//		Cross     string
//		City      string
//		State     string
//		ZIP       string // or forward sortation area
//		Side      string // left or right, from the first number of the segment
//		Record    *Record
//	}
type ReverseResult = geocode.Nearest

// ReverseOptions configures [DB.Reverse].
//
//	type ReverseOptions struct {
//		// Within is the greatest distance of the address, up to 5,000 meters. Zero
//		// means 500 meters.
//		Within geo.Meters
//	}
type ReverseOptions = geocode.ReverseOptions

// AddressReading is an address divided into its parts.
//
//	type Reading struct {
//		envelope.Item
//		Kind          string // of [Kind.String]
//		RecipientName string
//		AttentionLine string
//		Urbanization  string
//		Components    Components
//		Building      *Unit // a unit around the secondary one
//		Mailbox       string
//		Station       string // Canadian postal installation
//		CrossStreet   string
//		Unused        []string
//	}
//	type Item struct {
//		Success bool   // false for an item that failed
//		Input   *Input // failed items and items of a batch
//		Error   *Error
//		Notices []Notice // notices of this item
//	}
//	func (item *Item) SetInput(in Input)
type AddressReading = address.Reading

// AddressSuggestion is a street address that completes a text.
//
//	type Suggestion struct {
//		Text     string     // on one line
//		Number   string     // house number; "" if none is typed
//		Street   string     // with directions and suffix
//		City     string     // preferred name
//		State    string     // two letters
//		ZIP      string     // five digits
//		Location geo.LatLng // of the range of numbers, or of the ZIP Code
//	}
type AddressSuggestion = address.Suggestion

// AddressVerdict assesses an address.
//
//	type Verdict struct {
//		envelope.Item
//		Action     Action        // "" if the dataset lacks the records
//		Confidence Confidence    // of the match
//		Reason     envelope.Code // NOT_FOUND, AMBIGUOUS or INSUFFICIENT_INPUT, without a match
//		Components []Component
//		Candidates []Candidate // the match, then others by cost
//	}
//	func (v *Verdict) String() string
//	type Item struct {
//		Success bool   // false for an item that failed
//		Input   *Input // failed items and items of a batch
//		Error   *Error
//		Notices []Notice // notices of this item
//	}
//	func (item *Item) SetInput(in Input)
type AddressVerdict = address.Verdict

// Area describes one area of a layer.
//
//	type Area struct {
//		Layer  dataset.LayerID
//		GEOID  string // the Census Bureau's or Statistics Canada's code
//		Name   string // official name
//		NameFR string
//		State  string // two letters
//		LandWater
//		Source  string     // where the data come from
//		Vintage string     // release of the boundaries
//		Point   geo.LatLng // in degrees of WGS84
//	}
//	type LandWater struct {
//		LandAreaSqMi  *float64 // land of the area in square miles, as its publisher states it
//		WaterAreaSqMi *float64 // water of the area in square miles, as its publisher states it
//	}
type Area = lookup.Area

// BoundaryResult is the distance of a point to the boundary of a code's area.
//
//	type BoundaryResult struct {
//		envelope.Item
//		Center   Center
//		Code     string          // canonical form
//		CodeType lookup.CodeType // what kind of code it is
//		Inside   bool            // or on the boundary
//		Distance Length          // to the nearest point of the boundary, holes included
//	}
//	type Item struct {
//		Success bool   // false for an item that failed
//		Input   *Input // failed items and items of a batch
//		Error   *Error
//		Notices []Notice // notices of this item
//	}
//	func (item *Item) SetInput(in Input)
type BoundaryResult = radius.BoundaryResult

// CodesIn are the ZIPs or FSAs of an area.
//
//	type CodesIn struct {
//		Area  Area
//		Codes []CodeShare // the largest part of the area first, then those without an outline by their codes
//	}
type CodesIn = lookup.CodesIn

// CrosswalkRow is a pair of a code and an area that share something.
//
//	type CrosswalkRow struct {
//		Code             string   // canonical form
//		CodeType         CodeType // what kind of code it is
//		Layer            dataset.LayerID
//		GEOID            string   // the Census Bureau's or Statistics Canada's code
//		Name             string   // official name
//		Basis            Basis    // largest_area, or contains_point for a code without an outline
//		IntersectionSqMi *float64 // 4 decimals
//		Share
//		Population      *int     // residents that both have
//		PctOfPopulation *float64 // of the code's residents
//		PctOfAreaPeople *float64 // of the area's residents
//	}
//	type Share struct {
//		PctOfZIP  *float64 // share of the ZIP that lies in the area, 0 to 100
//		PctOfFSA  *float64 // share of the FSA that lies in the area, 0 to 100
//		PctOfArea *float64 // share of the area that lies in the code, 0 to 100
//	}
type CrosswalkRow = lookup.CrosswalkRow

// DistanceResult is the contract's distance item.
//
//	type DistanceResult struct {
//		envelope.Item
//		From     End
//		To       End
//		Distance Length
//		Bearing  float64 // degrees clockwise from north at From, 0 ≤ bearing < 360, 1 decimal
//	}
//	type Item struct {
//		Success bool   // false for an item that failed
//		Input   *Input // failed items and items of a batch
//		Error   *Error
//		Notices []Notice // notices of this item
//	}
//	func (item *Item) SetInput(in Input)
type DistanceResult = radius.DistanceResult

// Error is the error of every operation. Its kind matches one of the sentinels of
// this package.
//
//	type Error struct {
//		Op     string // operation, such as "radius"
//		Kind   Kind
//		Reason Reason
//		Thing  Thing  // type of Input
//		Param  string // argument or option at fault, such as "center" or "Max"; "" for the only argument
//		Input  string // as given; a code that was read is in canonical form
//		Range  string // accepted values of Param, such as "above 0 and at most 500 miles"
//		Layer  string // layer of an Area, such as "county"
//		Chars  int    // minimum or maximum length of Input, with TooShort and TooLong
//		Lacks  string // data missing from the dataset, such as "layer county"
//		Detail string // replaces the message that the fields above result in
//		Err    error  // cause
//	}
//	func (e *Error) Is(target error) bool
//	func (e *Error) Lasting() bool
//	func (e *Error) Unwrap() error
//	func (e *Error) Error() string
type Error = fault.Error

// Families are the boundary families of a code or a coordinate.
//
//	type Families struct {
//		Census                   *Census
//		CongressionalDistrict    *CongressionalDistricts // districts of the House of Representatives; US
//		FederalElectoralDistrict *FederalDistricts       // federal electoral districts; Canada
//		StateLegislative         *StateLegislature       // districts of the state legislature; US
//		SchoolDistrict           *SchoolDistricts        // school districts; US
//	}
type Families = lookup.Families

// Manifest describes a dataset and its sources.
//
//	type Manifest struct {
//		Version string    // version of the data, e.g. "2026-06-30"; sample datasets begin with "sample"
//		Sample  bool      // true: invented data around real codes, for trying things out
//		Built   time.Time // SOURCE_DATE_EPOCH, or the date of the newest source; never the wall clock
//		Builder string    // name and version of the program that built the file
//		Layers  []string  // layers the build took, e.g. "identity", "timezones"
//		Sources []Source  // in the order of the catalog
//		Gaps    []Gap     // known gaps, in the order of the report
//		Format  int       // set by the writer
//		Tables  []Table   // set by the writer
//		Digest  string    // SHA-256 over the tables and the rest of the manifest, lower-case hexadecimal; set by the writer
//	}
//	func (m Manifest) Attributions() []string
type Manifest = dataset.Manifest

// Matrix holds the distances between two lists of places.
//
//	type Matrix struct {
//		From  []End
//		To    []End
//		Miles [][]geo.Miles // [i][j] from From[i] to To[j], 2 decimals
//	}
type Matrix = radius.Matrix

// NearestResult holds the codes nearest to a center.
//
//	type NearestResult struct {
//		envelope.Item
//		Center  Center
//		Matches []Match
//	}
//	type Item struct {
//		Success bool   // false for an item that failed
//		Input   *Input // failed items and items of a batch
//		Error   *Error
//		Notices []Notice // notices of this item
//	}
//	func (item *Item) SetInput(in Input)
type NearestResult = radius.NearestResult

// Neighbors are the codes whose areas touch that of a code.
//
//	type Neighbors struct {
//		Code       string   // canonical form
//		CodeType   CodeType // what kind of code it is
//		BorderMi   float64  // length of its boundary, lakes inside included; 2 decimals
//		ToleranceM geo.Meters
//		Codes      []Neighbor // the longest common border first
//	}
type Neighbors = lookup.Neighbors

// Pair is two places of a list and how far apart they are.
//
//	type Pair struct {
//		A, B     int // positions in the list, A < B
//		Distance geo.Meters
//	}
type Pair = radius.Pair

// PolygonResult holds the codes inside a polygon.
//
//	type PolygonResult struct {
//		envelope.Item
//		Center   geo.LatLng // the middle of the polygon's box
//		AreaSqMi geo.SquareMiles
//		Mode     Mode
//		Matches  []Match
//		Summary  Summary
//	}
//	type Item struct {
//		Success bool   // false for an item that failed
//		Input   *Input // failed items and items of a batch
//		Error   *Error
//		Notices []Notice // notices of this item
//	}
//	func (item *Item) SetInput(in Input)
type PolygonResult = radius.PolygonResult

// QuickRecord is the contract's quick-zip item.
//
//	type QuickRecord struct {
//		envelope.Item
//		Identity
//		Detail   *Detail
//		Timezone *TimeZone
//	}
//	type Item struct {
//		Success bool   // false for an item that failed
//		Input   *Input // failed items and items of a batch
//		Error   *Error
//		Notices []Notice // notices of this item
//	}
//	func (item *Item) SetInput(in Input)
//	type Identity struct {
//		Country            string             // US or CA
//		Code               string             // canonical, e.g. "K1A 0B1"
//		CodeType           CodeType           // kind of code
//		ParentCode         string             // ZIP of a ZIP+4, FSA of a postal code
//		City               string             // city of the code, in proper case
//		State              string             // two letters of a state or province
//		StateName          string             // e.g. "California"
//		StateFIPS          string             // two digits
//		County             string             // official name, e.g. "Los Angeles County"
//		CountyFIPS         string             // five digits
//		MultiCounty        Flag               // unknown without a county, a source and an outline
//		Classification     Classification     // kind of ZIP
//		ClassificationName ClassificationName // the class as a word
//		Municipality       string             // municipality that holds the code's point, e.g. "Beverly Hills"
//		Location           geo.LatLng         // point of the code in degrees of WGS84; absent for most military ZIPs
//	}
type QuickRecord = lookup.QuickRecord

// RadiusResult is the contract's radius item.
//
//	type Result struct {
//		envelope.Item
//		Search  Search
//		Matches []Match // matches, the nearest first
//		Summary Summary
//		Stats   *Stats // if survey profiles were requested and any has figures
//		// Delivered are the flags that the search served, for its price.
//		Delivered []string
//	}
//	func (r *Result) AppendPieces(dst []byte, flush envelope.Flush) ([]byte, error)
//	type Item struct {
//		Success bool   // false for an item that failed
//		Input   *Input // failed items and items of a batch
//		Error   *Error
//		Notices []Notice // notices of this item
//	}
//	func (item *Item) SetInput(in Input)
type RadiusResult = radius.Result

// Record is the contract's zip item.
//
//	type Record struct {
//		envelope.Item
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
//		ACS          acs.Years     // US
//		Quality      *Quality      // sources and reliability of the record's data
//	}
//	func (r *Record) Delivered() Include
//	type Item struct {
//		Success bool   // false for an item that failed
//		Input   *Input // failed items and items of a batch
//		Error   *Error
//		Notices []Notice // notices of this item
//	}
//	func (item *Item) SetInput(in Input)
//	type Identity struct {
//		Country            string             // US or CA
//		Code               string             // canonical, e.g. "K1A 0B1"
//		CodeType           CodeType           // kind of code
//		ParentCode         string             // ZIP of a ZIP+4, FSA of a postal code
//		City               string             // city of the code, in proper case
//		State              string             // two letters of a state or province
//		StateName          string             // e.g. "California"
//		StateFIPS          string             // two digits
//		County             string             // official name, e.g. "Los Angeles County"
//		CountyFIPS         string             // five digits
//		MultiCounty        Flag               // unknown without a county, a source and an outline
//		Classification     Classification     // kind of ZIP
//		ClassificationName ClassificationName // the class as a word
//		Municipality       string             // municipality that holds the code's point, e.g. "Beverly Hills"
//		Location           geo.LatLng         // point of the code in degrees of WGS84; absent for most military ZIPs
//	}
//	type Families struct {
//		Census                   *Census
//		CongressionalDistrict    *CongressionalDistricts // districts of the House of Representatives; US
//		FederalElectoralDistrict *FederalDistricts       // federal electoral districts; Canada
//		StateLegislative         *StateLegislature       // districts of the state legislature; US
//		SchoolDistrict           *SchoolDistricts        // school districts; US
//	}
type Record = lookup.Record

// SuggestResult is the contract's suggest item.
//
//	type Result struct {
//		envelope.Item
//		// TotalMatched is the number of distinct matches without a limit. Matches
//		// with typos or another order of words are only counted if the limit was not
//		// reached without them.
//		TotalMatched int
//		Matches      []Match // best first
//	}
//	type Item struct {
//		Success bool   // false for an item that failed
//		Input   *Input // failed items and items of a batch
//		Error   *Error
//		Notices []Notice // notices of this item
//	}
//	func (item *Item) SetInput(in Input)
type SuggestResult = suggest.Result

// Suggestion is something that a query may mean.
//
//	type Match struct {
//		Type               Type                      // kind of match
//		Name               string                    // of ZIPs, FSAs and postal codes the code
//		City               string                    // of a code
//		State              string                    // two letters, in the United States
//		Province           string                    // two letters, in Canada
//		StateName          string                    // e.g. "California"
//		Country            string                    // US or CA
//		County             string                    // of a ZIP, place or city
//		CountyFIPS         string                    // five digits
//		FIPS               string                    // of a state two digits, of a county five
//		GEOID              string                    // of a place, a school district (LEAID), a county, a state, a census subdivision
//		CBSACode           string                    // five digits
//		MetroMicro         string                    // metropolitan or micropolitan
//		Classification     lookup.Classification     // of ZIPs
//		ClassificationName lookup.ClassificationName // the class as a word
//		Location           geo.LatLng                // in degrees of WGS84
//		Population         *int                      // people, latest table
//		BBox               *Box
//		PostalCodeCount    *int           // of FSAs, if the dataset's list is complete
//		AssociatedZIPs     AssociatedZIPs // ZIPs of the place
//		// Reason explains the position of the match.
//		Reason Reason
//	}
type Suggestion = suggest.Match
