package codes

import (
	"context"
	"slices"

	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/catalog"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/draft"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/plan"
)

// uniquePrefixes are first three digits. Every ZIP below them without an area
// belongs to one organization: an office of the federal or a state government,
// or a processing center of the Internal Revenue Service. Labeling list L002
// marks them unique.
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
	smallLand     = 1_000_000 // square meters of a ZCTA that need not be a delivery area
	fewFirms      = 50        // establishments below which a small ZCTA is not one
	loneFirms     = 1         // most establishments of a ZIP that a customer may have for itself
	largeCustomer = 100       // employees per establishment of a large customer
)

// Bases of a class other than the identifiers of sources.
const (
	byPrefix = "prefix"              // the first three digits
	inferred = dataset.ClassInferred // the shape of use
)

// classes classifies the ZIPs and records the basis. A military prefix makes a
// ZIP military, regardless of any source. Otherwise the City State product
// decides, then the user's table, then the types of the crosswalk together with
// the shape of use. A ZIP under a unique prefix without a ZCTA, such as 20500
// (the White House), is unique. The City State product or a PO Box in the
// user's table overrides that.
type classes struct {
	*plan.Env
	ZCTAs *draft.ZCTAs
	ZIPs  *draft.ZIPs `reads:"business" writes:"class"`
}

func (b *classes) Run(context.Context) error {
	codes := map[[2]string]int{}
	for _, z := range b.ZIPs.List {
		codes[z.CityKey()]++
	}
	for _, z := range b.ZIPs.List {
		z.Row.Class, z.Quality.ClassBasis = b.classify(z, codes[z.CityKey()] > 1)
	}
	return nil
}

// classify returns the class of a ZIP and its basis. Shared is whether other
// ZIPs have the same city.
func (b *classes) classify(z *draft.ZIP, shared bool) (dataset.Class, string) {
	if militaryState(z.Row.ZIP) != "" {
		return dataset.Military, byPrefix
	}
	if p := z.Preferred(); p != nil {
		return p.Class, catalog.USPSCityState
	}
	zcta, hasZCTA := b.ZCTAs.ByCode[z.Row.ZIP.String()]
	unique := !hasZCTA && slices.Contains(uniquePrefixes, z.Row.ZIP/100)
	switch {
	case unique && (z.Supplied == nil || z.Supplied.Class == dataset.General):
		b.Applied("unique by prefix, no ZCTA", z.Row.ZIP.String())
		return dataset.Unique, byPrefix
	case z.Supplied != nil:
		return z.Supplied.Class, catalog.ZIPDatabase
	}
	return b.inferClass(z, shared, zcta.Land <= smallLand)
}

// inferClass classifies a ZIP by the crosswalk and by the shape of use. A ZIP
// with little or no land and few establishments is not a delivery area. It
// belongs to a single customer if its city has other ZIPs and it has hardly an
// establishment, or large ones. Otherwise it is a post office's boxes.
func (b *classes) inferClass(z *draft.ZIP, shared, small bool) (dataset.Class, string) {
	firms, counted := establishments(z), b.Has(catalog.ZIPBusiness) || b.Has(catalog.ZIPFlags)
	listed := z.UDS != nil
	boxes := listed && z.UDS.PostBoxes
	switch {
	case !boxes && !(small && counted && firms < fewFirms):
		if listed {
			return dataset.General, z.UDS.Edition
		}
		return dataset.General, inferred
	case shared && listed && !boxes:
		return dataset.Unique, inferred
	case shared && small && counted && (firms <= loneFirms || employees(z) >= largeCustomer*firms):
		return dataset.Unique, inferred
	case boxes:
		return dataset.POBox, z.UDS.Edition
	default:
		return dataset.POBox, inferred
	}
}
