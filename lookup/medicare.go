package lookup

import (
	"strconv"

	"github.com/postgeo/postgeo/internal/store"
)

// A Medicare names the areas of Medicare and of the health insurance
// marketplaces that the postal county of a ZIP Code belongs to.
type Medicare struct {
	CBSACode           string `json:"cbsa_code,omitzero"`             // core based statistical area, five digits
	CBSAName           string `json:"cbsa_name,omitzero"`             // its official title
	CBSAType           string `json:"cbsa_type,omitzero"`             // Metropolitan or Micropolitan Statistical Area
	RatingAreaID       string `json:"rating_area_id,omitzero"`        // geographic rating area within the state, e.g. "Rating Area 16"
	SSAStateCountyCode string `json:"ssa_state_county_code,omitzero"` // of the Social Security Administration, five digits
	MultiCountyNotice  string `json:"multi_county_notice,omitzero"`   // text about the ZIP's other counties
}

// medicare returns nil if the dataset has neither code for the ZIP.
func (r *Reader) medicare(row *store.ZIPRow, d *store.ZIPDetail) *Medicare {
	if d.Medicare == nil {
		return nil
	}
	county := r.data.County(row.County)
	cbsa := r.data.CBSA(county.CBSA)
	m := &Medicare{CBSACode: cbsa.Code, CBSAName: cbsa.Title, SSAStateCountyCode: d.Medicare.SSA}
	switch {
	case cbsa.Code == "":
	case cbsa.Metropolitan:
		m.CBSAType = "Metropolitan Statistical Area"
	default:
		m.CBSAType = "Micropolitan Statistical Area"
	}
	if n := d.Medicare.RatingArea; n != 0 {
		m.RatingAreaID = "Rating Area " + strconv.Itoa(int(n))
	}
	if row.MultiCounty == store.Yes {
		m.MultiCountyNotice = "ZIP code " + row.ZIP.String() + " reaches into more than one county; these are the values of " +
			county.Name + " (" + county.FIPS + ")."
	}
	return m
}
