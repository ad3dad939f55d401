package source_test

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/internal/door"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/source"
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
	checked := 0
	check := func(year int, id, label string) {
		t.Helper()
		_, fields, _ := lookuptest.SurveyTable(acs.ZCTA, lookuptest.SurveyProfile(id[:4]), year)
		for _, f := range fields {
			if f.Column(year) == id {
				checked++
				if checkLabel(f, label, year) != "" {
					t.Errorf("%d %s: the label %q does not agree with that of %s", year, id, label, f.Key())
				}
				return
			}
		}
		t.Errorf("%d %s is no field", year, id)
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

// TestACSNation reads the tables of the whole country of 2015, as if it were a
// ZCTA: parts add up and percentages are shares there too. As it is, the
// importer refuses the geography.
func TestACSNation(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(sharedACS(t), "values", "other", "2015_US_DP0*.aff.csv.gz"))
	if err != nil || len(files) != 3 {
		t.Fatalf("%d tables, %v", len(files), err)
	}
	open := func(name, text string) (*source.ACSProfile, error) {
		return source.OpenACSProfile(format.File{Path: filepath.Base(name), Content: []byte(text)})
	}
	for _, name := range files {
		in, err := format.File{Path: name}.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		if err := errors.Join(err, in.Close()); err != nil {
			t.Fatal(err)
		}
		if _, err := open(name, string(text)); !errors.Is(err, format.ErrColumns) || !strings.Contains(err.Error(), `"0100000US" is neither a ZCTA`) {
			t.Errorf("the nation is taken: %v", err)
		}
		p, err := open(name, strings.Replace(string(text), "\n0100000US,", "\n8600000US00001,", 1))
		if err != nil {
			t.Fatal(err)
		}
		rows := 0
		for row, err := range p.Rows() {
			if err != nil || len(row.Faults) > 0 {
				t.Errorf("%v %v", err, row.Faults)
			}
			for i, col := range p.Table().Columns {
				if col.Field == "demographic.sex_and_age.total_population" && row.Cells[i].Estimate.N != 316515021 {
					t.Errorf("%d people, published 316,515,021", row.Cells[i].Estimate.N)
				}
			}
			rows++
		}
		if rows != 1 {
			t.Errorf("%s: %d rows", filepath.Base(name), rows)
		}
	}
}
