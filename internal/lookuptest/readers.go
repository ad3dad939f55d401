package lookuptest

import (
	"slices"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/internal/door"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/lookup"
)

// Reader returns the lookups of a dataset.
func Reader(d *store.Dataset) (*lookup.Reader, error) {
	return door.Take[func(*store.Dataset) (*lookup.Reader, error)]()(d)
}

// Survey returns the reader of a dataset's survey.
func Survey(d *store.Dataset) *acs.Reader { return door.Take[func(*store.Dataset) *acs.Reader]()(d) }

// SurveyTable returns a table of the survey, its fields, and the columns that add up: each
// total with its parts after it.
var SurveyTable = door.Take[func(store.ACSLevel, acs.Profile, int) (store.ACSTable, []*acs.Field, [][]int)]()

// SurveyProfile returns the profile of a table such as DP02.
func SurveyProfile(table string) acs.Profile {
	all := acs.AllProfiles()
	return all[slices.IndexFunc(all[:], func(p acs.Profile) bool { return p.Table() == table })]
}
