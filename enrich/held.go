package enrich

import (
	"context"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/envelope/fault"
	"github.com/postgeo/postgeo/lookup"
)

// usCensus lists members of the census that come from layers only. Postal codes of Canada
// have some of the others without one.
var usCensus = []string{"county", "county_subdivision", "place", "tract", "block_group"}

// missing returns why no row can have a value of a field with this dataset, or "".
func (p paths) missing(t *target, path string) string {
	segs := strings.Split(path, ".")
	ofAddress := segs[0] == "address" || segs[0] == "geocode"
	if t.by == byAddress && p.lacksAddresses() {
		return "needs address records, which the dataset does not have"
	}
	if len(t.tags) > 0 || t.by == byChange || segs[0] == "acs" {
		return p.missingSurvey(t, ofAddress)
	}
	if ofAddress {
		segs = segs[1:]
	}
	var layers []string
	switch {
	case len(segs) == 0:
	case segs[0] == "census":
		segs = slices.DeleteFunc(segs[1:], func(s string) bool { return s == current })
		if len(segs) > 0 && slices.Contains(usCensus, segs[0]) {
			layers = []string{strings.ReplaceAll(segs[0], "_", "-")}
		}
	case segs[0] == "congressional_district":
		layers = []string{"cd"}
	case segs[0] == "federal_electoral_district":
		layers = []string{"fed"}
	case segs[0] == "state_legislative":
		layers = []string{"state-upper", "state-lower"}
	case segs[0] == "school_district":
		layers = []string{"school"}
	}
	for _, name := range layers {
		id, ok := lookup.ParseLayer(name)
		if !ok || p.hasAreas(id) {
			return ""
		}
	}
	if len(layers) == 0 {
		return ""
	}
	return "needs the layer " + strings.Join(layers, " or ") + ", which the dataset does not have"
}

// missingSurvey is missing for fields of the American Community Survey.
func (p paths) missingSurvey(t *target, ofAddress bool) string {
	level := acs.ZCTA
	if ofAddress {
		level = acs.Tract
	}
	years, err := p.db.ACSYears(context.Background(), level)
	switch {
	case err != nil:
		return "" // the rows report it
	case len(years) == 0 && ofAddress:
		return "needs the American Community Survey of census tracts, which the dataset does not have"
	case len(years) == 0:
		return "needs the American Community Survey, which the dataset does not have"
	}
	for _, tag := range t.tags {
		if tag.Year != 0 && !slices.Contains(years, int(tag.Year)) {
			return "names a year of the American Community Survey that the dataset does not have"
		}
	}
	return ""
}

func (p paths) lacksAddresses() bool {
	_, err := p.db.MatchAddress(context.Background(), "350 5th Ave, New York, NY 10118", address.Options{})
	e := fault.As(err)
	return e != nil && e.Kind == fault.Unavailable && e.Lacks == "address records"
}

// hasAreas reports whether the dataset has areas of a layer.
func (p paths) hasAreas(id lookup.Layer) bool {
	for _, err := range p.db.AreaIDs(context.Background(), id) {
		return err == nil
	}
	return false
}
