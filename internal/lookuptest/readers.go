package lookuptest

import (
	"os"
	"slices"
	"testing"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/internal/door"
	"github.com/postgeo/postgeo/internal/sample"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/sqlite"
	"github.com/postgeo/postgeo/lookup"
)

// Dataset returns the dataset of the package, which is closed when the test ends.
func Dataset(tb testing.TB) *store.Dataset {
	tb.Helper()
	return OpenFile(tb, Path(tb))
}

// OpenFile opens a dataset, which is closed when the test ends.
func OpenFile(tb testing.TB, path string) *store.Dataset {
	tb.Helper()
	d, err := sqlite.Open(path)
	return opened(tb, d, err)
}

// Sample opens the embedded dataset, which is closed when the test ends.
func Sample(tb testing.TB) *store.Dataset {
	tb.Helper()
	d, err := sqlite.OpenFS(sample.FS(), sample.Name)
	return opened(tb, d, err)
}

func opened(tb testing.TB, d *store.Dataset, err error) *store.Dataset {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := d.Close(); err != nil {
			tb.Error(err)
		}
	})
	return d
}

// NationalPath returns the path of a national dataset. The test skips unless
// POSTGEO_NATIONAL names one.
func NationalPath(tb testing.TB) string {
	tb.Helper()
	path := os.Getenv("POSTGEO_NATIONAL")
	if path == "" {
		tb.Skip("set POSTGEO_NATIONAL to a national dataset to run this")
	}
	return path
}

// Reader returns the lookups of a dataset.
func Reader(tb testing.TB, d *store.Dataset) *lookup.Reader {
	tb.Helper()
	r, err := door.Take[func(*store.Dataset) (*lookup.Reader, error)]()(d)
	if err != nil {
		tb.Fatal(err)
	}
	return r
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
