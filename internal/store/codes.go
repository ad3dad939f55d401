package store

import (
	"time"

	"github.com/postgeo/postgeo/internal/store/internal/codes"
)

type (
	// Country is the country of a code.
	Country = codes.Country
	// Class is the classification of a ZIP Code.
	Class = codes.Class
	// Tri is a yes, a no, or unknown.
	Tri = codes.Tri
	// StateID is a position in the table of states and provinces; 0 none.
	StateID = codes.StateID
	// CountyID is a position in the table of counties; 0 none.
	CountyID = codes.CountyID
	// CBSAID is a position in the table of core based statistical areas; 0 none.
	CBSAID = codes.CBSAID
	// DivisionID is a position in the table of metropolitan divisions; 0 none.
	DivisionID = codes.DivisionID
	// ZoneID is a position in the table of time zones; 0 none.
	ZoneID = codes.ZoneID
	// State is a state, province or territory.
	State = codes.State
	// County is a county or its equivalent.
	County = codes.County
	// CBSA is a core based statistical area.
	CBSA = codes.CBSA
	// Division is a metropolitan division.
	Division = codes.Division
	// Zone is an IANA time zone with its clock rules.
	Zone = codes.Zone
	// ZoneShare is the share of an area that lies in a time zone.
	ZoneShare = codes.ZoneShare
	// ZIPRow is the part of a ZIP Code that is kept in memory.
	ZIPRow = codes.ZIPRow
	// ZIPDetail is the rest of a ZIP Code's record.
	ZIPDetail = codes.ZIPDetail
	// DeliveryPoints counts the deliveries of a ZIP Code.
	DeliveryPoints = codes.DeliveryPoints
	// Medicare has the Medicare and marketplace areas of a ZIP Code.
	Medicare = codes.Medicare
	// Business sums up the employers of a ZIP Code.
	Business = codes.Business
	// CityAlias is another name of a ZIP Code's place.
	CityAlias = codes.CityAlias
	// FSARow is the part of a forward sortation area that is kept in memory.
	FSARow = codes.FSARow
	// FSADetail is the rest of a forward sortation area's record.
	FSADetail = codes.FSADetail
	// PostalRow is a full postal code.
	PostalRow = codes.PostalRow
	// Quality has the sources of a code's data and their disagreements.
	Quality = codes.Quality
	// CountySource is the county that one source names for a ZIP Code.
	CountySource = codes.CountySource
	// EntityKind is the kind of a named place.
	EntityKind = codes.EntityKind
	// Entity is a place that suggestions find by its name.
	Entity = codes.Entity
	// EntityKeys are sorted keys of names.
	EntityKeys = codes.EntityKeys
	// EntityNames are the keys of one entity's names.
	EntityNames = codes.EntityNames
	// Entities are the named places of a dataset with their keys.
	Entities = codes.Entities
)

// The countries.
const (
	US = codes.US
	CA = codes.CA
)

// The classes of ZIP Codes.
const (
	General  = codes.General
	POBox    = codes.POBox
	Military = codes.Military
	Unique   = codes.Unique
)

// The values of a Tri.
const (
	Unknown = codes.Unknown
	No      = codes.No
	Yes     = codes.Yes
)

// The kinds of entities.
const (
	EntityState    = codes.EntityState
	EntityPlace    = codes.EntityPlace
	EntityCity     = codes.EntityCity
	EntityCounty   = codes.EntityCounty
	EntityCBSA     = codes.EntityCBSA
	EntityDistrict = codes.EntityDistrict
)

// Special values.
const (
	NoPopulation  = codes.NoPopulation  // an unknown population of an entity
	AliasKey      = codes.AliasKey      // set in EntityKeys.Entity for other names
	ClassInferred = codes.ClassInferred // the ClassBasis of classes without a source
)

// The sections of codes.
const (
	SectionPostalCodes = codes.SectionPostalCodes
	SectionPoints      = codes.SectionPoints
	SectionDensity     = codes.SectionDensity
	SectionZoneShares  = codes.SectionZoneShares
	SectionEntities    = codes.SectionEntities
)

// PlaceRef returns the [Entity.Ref] of the GEOID of a place or county subdivision, 0
// if it is not one.
func PlaceRef(geoid string) uint32 { return codes.PlaceRef(geoid) }

// PlaceGEOID returns the GEOID of an [Entity.Ref] of a place, county subdivision or
// school district in the state with a FIPS code.
func PlaceGEOID(ref uint32, fips string) string { return codes.PlaceGEOID(ref, fips) }

// ClockPeriod returns a span around t, in the time zone of t, during which
// clocks are not changed: begin included, end excluded. It may be a part of the
// longest such span. A zero begin or end means that there is none.
func ClockPeriod(t time.Time) (begin, end time.Time) { return codes.ClockPeriod(t) }
