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

// deriveClasses classifies the ZIPs. Military is who has a military prefix,
// whatever a source says. Otherwise the City State product decides, then the
// user's table, and without either the crosswalk: what it calls a post office
// or large volume customer is a PO Box ZIP, or unique where the prefix is; all
// others are general. A general ZIP under a unique prefix that has no ZCTA is
// unique, such as 20500 (the White House).
func deriveClasses(_ context.Context, b *builder) error {
	for _, z := range b.tables.zips {
		z.row.Class = b.classify(z)
	}
	return nil
}

func (b *builder) classify(z *zipDraft) dataset.Class {
	if militaryState(z.row.ZIP) != "" {
		return dataset.Military
	}
	class := dataset.General
	switch {
	case len(z.cityState) > 0:
		return z.preferred().Class
	case z.supplied != nil:
		class = z.supplied.Class
	case z.uds != nil && z.uds.PostBoxes:
		class = dataset.POBox
	}
	_, hasZCTA := b.tables.zctas[z.row.ZIP.String()]
	if !hasZCTA && slices.Contains(uniquePrefixes, z.row.ZIP/100) {
		switch {
		case class == dataset.General:
			b.report.applied("unique by prefix, no ZCTA", z.row.ZIP.String())
			return dataset.Unique
		case class == dataset.POBox && z.supplied == nil:
			return dataset.Unique
		}
	}
	return class
}
