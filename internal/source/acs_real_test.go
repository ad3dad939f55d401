package source_test

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/internal/door"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/store"
)

const acsShared = "../../../shared/data/acs"

// sharedACS skips the test without the real tables.
func sharedACS(t testing.TB) string {
	t.Helper()
	if _, err := os.Stat(acsShared); err != nil {
		t.Skipf("the published tables are not at hand: %v", err)
	}
	return acsShared
}

// printed writes a figure as the Census Bureau does, without commas.
func printed(f store.ACSFigure, decimals uint8) string {
	if !f.Mark.IsNumber() {
		return f.Mark.Sign()
	}
	s := fmt.Sprintf("%0*d", decimals+1, f.N)
	if decimals > 0 {
		s = s[:len(s)-int(decimals)] + "." + s[len(s)-int(decimals):]
	}
	return s + map[store.ACSMark]string{store.ACSAtLeast: "+", store.ACSAtMost: "-"}[f.Mark]
}

var checkLabel = door.Take[func(f *acs.Field, label string, year int) string]()

// TestACSLabels compares the list of fields with the labels of every year's
// columns, from the Census Bureau's lists and from FactFinder.
func TestACSLabels(t *testing.T) {
	checked, columns := 0, map[string]*acs.Field{} // by year and column
	for year := acs.FirstYear; year <= acs.LastYear; year++ {
		for _, p := range acs.AllProfiles() {
			_, fields, _ := lookuptest.SurveyTable(acs.ZCTA, p, year)
			for _, f := range fields {
				columns[fmt.Sprint(year, f.Column(year))] = f
			}
		}
	}
	check := func(year int, id, label string) {
		t.Helper()
		f := columns[fmt.Sprint(year, id)]
		if checked++; f == nil {
			t.Errorf("%d %s is no field", year, id)
		} else if checkLabel(f, label, year) != "" {
			t.Errorf("%d %s: the label %q does not agree with that of %s", year, id, label, f.Key())
		}
	}
	dir := filepath.Join(sharedACS(t), "variables")
	for year := acs.FirstYear; year <= acs.LastYear; year++ {
		for _, rec := range csvRows(t, filepath.Join(dir, fmt.Sprintf("%d.csv.gz", year)))[1:] {
			if !strings.HasSuffix(rec[0], "PE") {
				check(year, rec[0], rec[1])
			}
		}
	}
	for _, rec := range csvRows(t, filepath.Join(dir, "aff_map.csv.gz"))[1:] {
		year := 0
		fmt.Sscan(rec[0], &year)
		check(year, rec[3], "Estimate; "+rec[4])
	}
	if checked < 9000 {
		t.Errorf("%d labels were checked", checked)
	}
}

func csvRows(t *testing.T, name string) [][]string {
	t.Helper()
	in, err := format.File{Path: name}.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	rows, err := csv.NewReader(in).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}
