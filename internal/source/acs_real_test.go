package source_test

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/acs"
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

// TestACSPublished reads every published table of ZCTAs and tracts and holds
// each figure against the text of the file, read in another way.
func TestACSPublished(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	files, err := filepath.Glob(filepath.Join(sharedACS(t), "values", "*", "*DP0*.csv.gz"))
	if err != nil || len(files) < 12 {
		t.Fatalf("%d tables, %v", len(files), err)
	}
	cells := 0
	for _, name := range files {
		if filepath.Base(filepath.Dir(name)) == "other" {
			continue
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			want := publishedCells(t, name)
			in, err := format.Open(name, format.OpenOptions{})
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			p, err := source.OpenACSProfile(in)
			if err != nil {
				t.Fatal(err)
			}
			table := p.Table()
			rows := 0
			for row, err := range p.Rows() {
				if err != nil {
					t.Error(err)
					continue
				}
				rows++
				for _, f := range row.Faults {
					t.Errorf("line %d: %s: %s", row.Line, f.Reason, f.Given)
				}
				of := want[fmt.Sprintf("%05d", row.GEOID)]
				if table.Level == store.ACSTract {
					of = want[fmt.Sprintf("%011d", row.GEOID)]
				}
				for i, c := range row.Cells {
					col := table.Columns[i]
					for m, f := range [4]store.ACSFigure{c.Estimate, c.MOE, c.Percent, c.PercentMOE} {
						published := of[col.Number][m]
						if col.Class == store.ACSPlain && m > 1 {
							if f != (store.ACSFigure{}) || published != "(X)" && published != "N" && published != of[col.Number][0] {
								t.Fatalf("%d %s: the percentage of a total is %q, read as %v", row.GEOID, col.Field, published, f)
							}
							continue
						}
						decimals := col.Decimals
						if m > 1 {
							decimals = 1
						}
						if got := printed(f, decimals); got != plainText(published, decimals) {
							t.Fatalf("%d %s[%d]: %q, published %q", row.GEOID, col.Field, m, got, published)
						}
						cells++
					}
				}
			}
			if rows != len(want) {
				t.Errorf("%d rows, the file has %d", rows, len(want))
			}
		})
	}
	t.Logf("%d published cells read back identical", cells)
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

// plainText gives a printed figure all its decimals and no commas.
func plainText(s string, decimals uint8) string {
	if s == "" || s[0] < '0' || s[0] > '9' {
		return s
	}
	s = strings.ReplaceAll(s, ",", "")
	bound := ""
	if last := s[len(s)-1:]; last == "+" || last == "-" {
		s, bound = s[:len(s)-1], last
	}
	whole, fraction, _ := strings.Cut(s, ".")
	if decimals == 0 {
		return whole + bound
	}
	return whole + "." + (fraction + "00")[:decimals] + bound
}

// publishedCells reads a table with encoding/csv: the four texts of each column
// by the digits of the area.
func publishedCells(t *testing.T, name string) map[string]map[uint16][4]string {
	t.Helper()
	in, err := format.Open(name, format.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	text := bufio.NewReaderSize(in, 1<<20)
	first, err := text.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if _, err := text.ReadString('\n'); err != nil { // labels, with quotes that are not doubled
		t.Fatal(err)
	}
	head, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(first, "\ufeff"))).Read()
	if err != nil {
		t.Fatal(err)
	}
	r := csv.NewReader(text)
	id := regexp.MustCompile(`^(?:DP0\d_0*(\d+)(E|M|PE|PM)|HC0(\d)_VC(\d+))$`)
	type place struct {
		number uint16
		m      int
	}
	places := map[int]place{}
	lines := map[string]uint16{}
	for i, h := range head {
		m := id.FindStringSubmatch(h)
		switch {
		case m == nil:
		case m[1] != "":
			var n uint16
			fmt.Sscan(m[1], &n)
			places[i] = place{n, map[string]int{"E": 0, "M": 1, "PE": 2, "PM": 3}[m[2]]}
		default:
			if _, ok := lines[m[4]]; !ok {
				lines[m[4]] = uint16(len(lines) + 1)
			}
			places[i] = place{lines[m[4]], int(m[3][0] - '1')}
		}
	}
	table := map[string]map[uint16][4]string{}
	for {
		rec, err := r.Read()
		if errors.Is(err, io.EOF) {
			return table
		}
		if err != nil {
			t.Fatal(err)
		}
		_, code, _ := strings.Cut(rec[0], "US")
		of := map[uint16][4]string{}
		table[code] = of
		for i, p := range places {
			four := of[p.number]
			four[p.m] = rec[i]
			of[p.number] = four
		}
	}
}

// TestACSLabels compares the list of fields with the labels of every year's
// columns, from the Census Bureau's lists and from FactFinder.
func TestACSLabels(t *testing.T) {
	checked := 0
	check := func(year int, id, label string) {
		t.Helper()
		p, _ := acs.ProfileOfTable(id[:4])
		for _, f := range acs.BuiltIn().Columns(p, year) {
			if f.Column(year) == id {
				checked++
				if !f.Agrees(label) {
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
	in, err := format.Open(name, format.OpenOptions{})
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
		return source.OpenACSProfile(format.NewInput(filepath.Base(name), strings.NewReader(text)))
	}
	for _, name := range files {
		in, err := format.Open(name, format.OpenOptions{})
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
