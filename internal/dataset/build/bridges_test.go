package build_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/acs"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/build"
	"github.com/postgeo/postgeo/internal/fault"
)

// relationships are the parts of invented ZCTAs, in square meters. The former 10001
// became 10001 and 10009, and 10002 lost a quarter to 10003 and a tenth to the sea.
var relationships = []struct {
	from, to    string
	land, water int
}{
	{"10001", "10001", 600_000, 0},
	{"10001", "10009", 400_000, 9_000},
	{"10002", "10002", 650_000, 0},
	{"10002", "10003", 250_000, 0},
	{"10002", "", 100_000, 0},
	{"", "10003", 50_000, 0},
	{"10004", "10004", 0, 70_000},
}

// relationshipFile writes them in the layout of the Census Bureau.
func relationshipFile(name string) []byte {
	var b strings.Builder
	b.WriteString("\ufeff")
	fmt.Fprintf(&b, "OID_%[1]s_10|GEOID_%[1]s_10|NAMELSAD_%[1]s_10|AREALAND_%[1]s_10|OID_%[1]s_20|GEOID_%[1]s_20|NAMELSAD_%[1]s_20|AREALAND_PART|AREAWATER_PART\n", name)
	for i, r := range relationships {
		fmt.Fprintf(&b, "%d|%s|ZCTA5 %[2]s|1|%d|%s|ZCTA5 %[4]s|%d|%d\n", i, r.from, i, r.to, r.land, r.water)
	}
	return []byte(b.String())
}

// people writes a table with the population of ZCTAs.
func people(t *testing.T, year int, areas map[string]int) string {
	t.Helper()
	var head strings.Builder
	rows := map[string]*strings.Builder{}
	for _, f := range acs.BuiltIn().Columns(acs.Demographic, year) {
		fmt.Fprintf(&head, `"%[1]sE","%[1]sM","%[1]sPE","%[1]sPM",`, strings.TrimSuffix(f.Column(year), "E"))
		for zcta, n := range areas {
			if rows[zcta] == nil {
				rows[zcta] = &strings.Builder{}
			}
			if f.Key() == "demographic.sex_and_age.total_population" {
				fmt.Fprintf(rows[zcta], `"%d","50",null,null,`, n)
			} else {
				rows[zcta].WriteString("null,null,null,null,")
			}
		}
	}
	text := "[[" + head.String() + `"state","zip code tabulation area"]`
	for zcta, row := range rows {
		text += ",\n[" + row.String() + `"36","` + zcta + `"]`
	}
	path := filepath.Join(t.TempDir(), fmt.Sprintf("ACSDP5Y%d.DP05.json", year))
	if err := os.WriteFile(path, []byte(text+"]"), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestConstantGeography verifies series on the areas of 2020. The parts of an area
// of 2010 have its people in sum. Each figure has the share of people from divided
// areas.
func TestConstantGeography(t *testing.T) {
	w := bounded(t)
	w.others["www2.census.gov/geo/docs/maps-data/data/rel2020/zcta520/tab20_zcta510_zcta520_natl.txt"] = relationshipFile("ZCTA5")
	d := w.buildWith(build.Options{Layers: []string{"census"}, ACS: []string{
		people(t, 2015, map[string]int{"10001": 1000, "10002": 2000, "10004": 300}),
		people(t, 2021, map[string]int{"10001": 700, "10002": 1500, "10003": 900, "10004": 310, "10009": 500}),
	}})
	r := acs.NewReader(d.Dataset)
	fields, err := acs.ParseFields("demographic.sex_and_age.total_population")
	if err != nil {
		t.Fatal(err)
	}
	type year struct{ Figure, CarriedOver string }
	got := map[string][]year{}
	for _, code := range []string{"10001", "10009", "10002", "10003", "10004"} {
		lines, err := r.Series(t.Context(), []string{code}, fields, acs.SeriesOptions{Geography: 2020})
		if err != nil {
			t.Fatal(err)
		}
		if len(lines[0].Notes) != 1 || lines[0].Geography != 2020 {
			t.Errorf("%s has the notes %q and the geography %d", code, lines[0].Notes, lines[0].Geography)
		}
		for _, p := range lines[0].Points {
			got[code] = append(got[code], year{p.Estimate.String(), p.CarriedOver.String()})
		}
	}
	want := map[string][]year{
		"10001": {{"600", "100.0"}, {"700", ""}},
		"10009": {{"400", "100.0"}, {"500", ""}},
		"10002": {{"1300", "100.0"}, {"1500", ""}},
		"10003": {{"500", "100.0"}, {"900", ""}},
		"10004": {{"300", "0.0"}, {"310", ""}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}

	// The areas of 2010 together have no divided people, but for those outside.
	_, parts, err := acs.ParseParts("10001", "10009", "10004")
	if err != nil {
		t.Fatal(err)
	}
	lines, err := r.SeriesOf(t.Context(), "three", dataset.ACSZCTA, parts, fields, acs.SeriesOptions{Geography: 2020, Years: []int{2015}})
	if err != nil {
		t.Fatal(err)
	}
	if p := lines[0].Points[0]; p.Estimate.String() != "1300" || p.CarriedOver.String() != "0.0" {
		t.Errorf("together %v people, %v %% carried over; expected 1300 and 0", p.Estimate, p.CarriedOver)
	}

	for _, l := range []acs.Level{dataset.ACSZCTA, dataset.ACSTract} {
		for geography, kind := range map[int]error{2010: fault.ErrInvalidParam, 2020: fault.ErrUnavailable} {
			_, err := r.SeriesOf(t.Context(), "", l, parts, fields, acs.SeriesOptions{Geography: geography})
			if want := geography != 2020 || l == dataset.ACSTract; errors.Is(err, kind) != want {
				t.Errorf("geography %d of %v: %v", geography, l, err)
			}
		}
	}
}

// TestBridgesByPeople divides tracts by their people in 2020. A part without block
// groups, and one outside, leave the shares of land.
func TestBridgesByPeople(t *testing.T) {
	w := bounded(t)
	w.others["www2.census.gov/geo/docs/maps-data/data/rel2020/tract/tab20_tract20_tract10_natl.txt"] = []byte("\ufeff" +
		"OID_TRACT_20|GEOID_TRACT_20|NAMELSAD_TRACT_20|AREALAND_TRACT_20|OID_TRACT_10|GEOID_TRACT_10|NAMELSAD_TRACT_10|AREALAND_TRACT_10|AREALAND_PART|AREAWATER_PART\n" +
		"1|39901000101|x|1|1|39901000100|x|1|100|0\n2|39901000102|x|1|1|39901000100|x|1|900|0\n" +
		"3|39901000201|x|1|1|39901000200|x|1|500|0\n4|39901000202|x|1|1|39901000200|x|1|500|0\n5|39901000202|x|1|1|39901000300|x|1|500|0\n" +
		"6|39901000401|x|1|1|39901000400|x|1|300|0\n7|39901000499|x|1|1|39901000400|x|1|100|0\n")
	w.others["www2.census.gov/geo/docs/reference/cenpop2020/blkgrp/CenPop2020_Mean_BG.txt"] = []byte("STATEFP,COUNTYFP,TRACTCE,BLKGRPCE,POPULATION,LATITUDE,LONGITUDE\n" +
		"39,901,000101,1,500,+40.0,-083.1\n39,901,000101,2,400,+40.0,-083.1\n39,901,000102,1,100,+40.0,-083.1\n" +
		"39,901,000201,1,0,+40.0,-083.1\n39,901,000202,1,800,+40.0,-083.1\n39,901,000401,1,10,+40.0,-083.1\n")
	d := w.buildWith(build.Options{Layers: []string{"census"}, ACS: []string{people(t, 2021, map[string]int{"43902": 700})}})
	type part struct {
		From     uint64
		Tenths   uint16
		ByPeople bool
	}
	got := map[uint64][]part{}
	sums := map[uint64]int{}
	for _, to := range []uint64{39901000101, 39901000102, 39901000201, 39901000202, 39901000401, 39901000499} {
		list, err := d.Bridges(t.Context(), dataset.ACSTract, to)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range list {
			got[to] = append(got[to], part{b.From, b.Tenths, b.ByPeople})
			sums[b.From] += int(b.Tenths)
		}
	}
	want := map[uint64][]part{
		39901000101: {{39901000100, 900, true}}, 39901000102: {{39901000100, 100, true}},
		39901000202: {{39901000200, 1000, true}, {39901000300, 1000, true}},
		39901000401: {{39901000400, 750, false}}, 39901000499: {{39901000400, 250, false}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for from, sum := range sums {
		if sum != 1000 {
			t.Errorf("%d is carried over by %d tenths of a percent, want all", from, sum)
		}
	}
}
