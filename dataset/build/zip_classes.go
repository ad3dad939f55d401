package build

import (
	"context"
	"slices"

	"github.com/postgeo/postgeo/dataset"
)

// uniquePrefixes are the first three digits under which every ZIP without an
// area of its own belongs to one organisation: offices of the federal
// government in Washington, of state governments, and processing centres of
// the Internal Revenue Service (labeling list L002 marks them unique).
var uniquePrefixes = []dataset.ZIP{
	5,        // Holtsville, NY, Internal Revenue Service
	55,       // Andover, MA, Internal Revenue Service
	122,      // Albany, NY, State of New York
	192,      // Philadelphia, PA, Internal Revenue Service
	202, 203, // Washington, DC, federal government
	204, 205,
	375, // Memphis, TN, Internal Revenue Service
	399, // Atlanta, GA, Internal Revenue Service
	459, // Cincinnati, OH, Internal Revenue Service
	509, // Des Moines, IA, commercial
	569, // Washington, DC, parcel return service
	649, // Kansas City, MO, Internal Revenue Service
	733, // Austin, TX, Internal Revenue Service
	842, // Ogden, UT, Internal Revenue Service
	885, // El Paso, TX
	888, // Washington, DC, Operation Santa
	889, // Las Vegas, NV, commercial
	938, // Fresno, CA, Internal Revenue Service
	942, // Sacramento, CA, State of California
}

// Limits of the shapes of use, fitted to the types of a commercial table of
// 40,829 ZIP Codes.
const (
	smallLand     = 1_000_000 // square metres of a ZCTA that need not be a delivery area
	fewFirms      = 50        // establishments below which a small ZCTA is not one
	loneFirms     = 1         // most establishments of a ZIP that a customer may have for itself
	largeCustomer = 100       // employees per establishment of a large customer
)

// Bases of a class beside the identifiers of sources.
const (
	byPrefix = "prefix"              // the first three digits
	inferred = dataset.ClassInferred // the shape of use
)

// deriveClasses classifies the ZIPs and records the basis. Military is who has
// a military prefix, whatever a source states. Otherwise the City State
// product decides, then the user's table, then the types of the crosswalk
// together with the shape of use. A ZIP under a unique prefix that has no ZCTA
// is unique unless the City State product or a PO Box in the user's table
// contradicts, such as 20500 (the White House).
func deriveClasses(_ context.Context, b *builder) error {
	codes := map[[2]string]int{}
	for _, z := range b.tables.zips {
		codes[b.cityKey(z)]++
	}
	for _, z := range b.tables.zips {
		z.row.Class, z.quality.ClassBasis = b.classify(z, codes[b.cityKey(z)] > 1)
	}
	return nil
}

// classify returns the class of a ZIP and its basis. Shared is whether other
// ZIPs have the same city.
func (b *builder) classify(z *zipDraft, shared bool) (dataset.Class, string) {
	if militaryState(z.row.ZIP) != "" {
		return dataset.Military, byPrefix
	}
	if p := z.preferred(); p != nil {
		return p.Class, srcUSPSCityState
	}
	zcta, hasZCTA := b.tables.zctas[z.row.ZIP.String()]
	unique := !hasZCTA && slices.Contains(uniquePrefixes, z.row.ZIP/100)
	switch {
	case unique && (z.supplied == nil || z.supplied.Class == dataset.General):
		b.report.applied("unique by prefix, no ZCTA", z.row.ZIP.String())
		return dataset.Unique, byPrefix
	case z.supplied != nil:
		return z.supplied.Class, srcZIPDatabase
	}
	return b.inferClass(z, shared, zcta.Land <= smallLand)
}

// inferClass classifies a ZIP by the crosswalk and by the shape of use. A ZIP
// with little or no land and few establishments is not a delivery area. If its
// city has other ZIPs and it has hardly an establishment, or large ones, it
// belongs to a single customer; otherwise it is a post office's boxes.
func (b *builder) inferClass(z *zipDraft, shared, small bool) (dataset.Class, string) {
	firms, counted := z.establishments(), b.has(srcBusiness) || b.has(srcBusiness2016)
	listed := z.uds != nil
	boxes := listed && z.uds.PostBoxes
	switch {
	case !boxes && !(small && counted && firms < fewFirms):
		if listed {
			return dataset.General, z.uds.edition
		}
		return dataset.General, inferred
	case shared && listed && !boxes:
		return dataset.Unique, inferred
	case shared && small && counted && (firms <= loneFirms || z.employees() >= largeCustomer*firms):
		return dataset.Unique, inferred
	case boxes:
		return dataset.POBox, z.uds.edition
	default:
		return dataset.POBox, inferred
	}
}
