package acs_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/internal/checktest"
	"github.com/postgeo/postgeo/internal/encode"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/store"
)

func TestValue(t *testing.T) {
	for _, test := range []struct {
		v          acs.Value
		text, json string
	}{
		{acs.Decimal(525, 1), "52.5", "52.5"},
		{acs.Decimal(520, 1), "52.0", "52"},
		{acs.Decimal(7, 2), "0.07", "0.07"},
		{acs.Decimal(-5, 1), "-0.5", "-0.5"},
		{acs.Decimal(0, 2), "0.00", "0"},
		{acs.Decimal(2147483647, 0), "2147483647", "2147483647"},
		{acs.Round(1234.5, 0), "1235", "1235"},
		{acs.Round(0.25, 1), "0.3", "0.3"},
		{acs.Round(1e12, 0), "(X)", "null"},
		{acs.Null(store.ACSOpenInterval), "***", "null"},
		{acs.Null(store.ACSNumber), "(X)", "null"},
		{acs.Null(store.ACSFiltered), "", "null"},
		{acs.Round(math.MaxInt32, 0), "2147483647", "2147483647"},
		{acs.Round(math.MaxInt32+1, 0), "(X)", "null"},
		{acs.Round(-math.MaxInt32, 0), "-2147483647", "-2147483647"},
		{acs.Round(-math.MaxInt32-1, 0), "(X)", "null"},
		{acs.Round(1.2345678, 6), "1.234568", "1.234568"},
		{acs.Round(1.2345678, 7), "1.234568", "1.234568"},
		{acs.Decimal(1_234_567, 7), "1.234567", "1.234567"},
		{acs.Round(math.NaN(), 0), "(X)", "null"},
		{acs.Value{}, "", "null"},
	} {
		js, err := json.Marshal(test.v)
		if err != nil || test.v.String() != test.text || string(js) != test.json {
			t.Errorf("%q and %s, %v; want %q and %s", test.v, js, err, test.text, test.json)
		}
		var back acs.Value
		check(t, json.Unmarshal(js, &back))
		a, aok := test.v.Float64()
		if b, bok := back.Float64(); a != b || aok != bok {
			t.Errorf("%s comes back as %v", js, back)
		}
	}
	var v acs.Value
	for _, text := range []string{`"5"`, "1e3", "99999999999", "1.23456789", "{}"} {
		if err := json.Unmarshal([]byte(text), &v); err == nil {
			t.Errorf("%s is %v", text, v)
		}
	}
}

// addTable adds a table of the survey with a row for each area.
func addTable(t testing.TB, w *lookuptest.Writer, l acs.Level, p acs.Profile, year int, areas []uint64, cell func(area, column int, c store.ACSColumn) store.ACSCell) {
	t.Helper()
	layout, _, _ := acs.Layout(l, p, year)
	id, err := w.AddACSTable(layout)
	check(t, err)
	for k, area := range areas {
		cells := make([]store.ACSCell, len(layout.Columns))
		for i, c := range layout.Columns {
			cells[i] = cell(k, i, c)
		}
		check(t, w.AddACSRow(id, area, cells))
	}
}

// tables are small tables of some years with two areas' rows.
func tables(t testing.TB) *store.Dataset {
	t.Helper()
	w := lookuptest.Create(t)
	w.Manifest.Sample = true
	n := func(v int32) store.ACSFigure { return store.ACSFigure{N: v, Mark: store.ACSNumber} }
	x := store.ACSFigure{Mark: store.ACSNotApplicable}
	add := func(l acs.Level, p acs.Profile, year int, areas ...uint64) {
		addTable(t, w, l, p, year, areas, func(_, i int, c store.ACSColumn) store.ACSCell {
			switch c.Class {
			case store.ACSShare:
				return store.ACSCell{Estimate: n(int32(i)), MOE: n(int32(year)), Percent: n(int32(i)), PercentMOE: n(12)}
			case store.ACSPercentOnly:
				return store.ACSCell{Estimate: x, MOE: x, Percent: n(125), PercentMOE: n(20)}
			default:
				return store.ACSCell{Estimate: n(1000), MOE: store.ACSFigure{Mark: store.ACSControlled}}
			}
		})
	}
	for _, p := range acs.AllProfiles() {
		for _, year := range []int{2011, 2019, 2023} {
			add(acs.ZCTA, p, year, 10001, 90210)
		}
	}
	add(acs.ZCTA, acs.Economic, 2024, 10001)
	add(acs.ZCTA, acs.Social, 2024, 10001, 90210)
	add(acs.Tract, acs.Housing, 2023, 48029110100)
	add(acs.Tract, acs.Housing, 2022, 48029110100)
	return w.Open()
}

var check = checktest.Check

func tags(t testing.TB, flags ...string) []acs.Tag {
	t.Helper()
	return tagsOf(t, acs.ZCTA, flags...)
}

func tagsOf(t testing.TB, level acs.Level, flags ...string) (list []acs.Tag) {
	t.Helper()
	for _, f := range flags {
		tag, err := acs.ParseTag(f, level)
		check(t, err)
		list = append(list, tag)
	}
	return list
}

func TestReader(t *testing.T) {
	r := acs.NewReader(tables(t))
	if got := r.YearsOf(acs.ZCTA); !slices.Equal(got, []int{2024, 2023, 2019, 2011}) {
		t.Errorf("years %v", got)
	}
	lookuptest.Table(t, "areas.txt", *update, func(text string) string {
		w := strings.Split(text, " ")
		level := map[string]acs.Level{"zcta": acs.ZCTA, "tract": acs.Tract}[w[0]]
		res, err := r.Area(t.Context(), level, w[1], tagsOf(t, level, strings.FieldsFunc(w[2], func(r rune) bool { return r == ',' })...), acs.Options{})
		check(t, err)
		return cmp.Or(describe(t, res), "nothing")
	})
}

// describe summarizes a result from its JSON.
func describe(t *testing.T, res *acs.Result) string {
	t.Helper()
	js, err := json.Marshal(res.Years)
	check(t, err)
	var parts []string
	for i := range res.Years {
		b := &res.Years[i]
		var m map[string]json.RawMessage
		check(t, json.Unmarshal(mustJSON(t, b), &m))
		said := b.Key() + " " + b.GeoID
		switch string(m["published"]) {
		case "true":
			said += " published"
		case "false":
			said += " unpublished"
			if b.Note == "" {
				t.Error("no note says why")
			}
		}
		for _, p := range acs.AllProfiles() {
			if raw, ok := m[p.String()]; ok {
				if said += " " + p.String(); string(raw) == "null" {
					said += ":null"
				}
			}
		}
		parts = append(parts, said)
	}
	for _, l := range []struct {
		name string
		tags []acs.Tag
	}{{"delivered", res.Delivered}, {"unpublished", res.Unpublished}, {"unavailable", res.Unavailable}} {
		if len(l.tags) > 0 {
			s := l.name
			for _, tag := range l.tags {
				s += " " + tag.Flag(acs.ZCTA)
			}
			parts = append(parts, s)
		}
	}
	var again acs.Years[acs.Block]
	check(t, json.Unmarshal(js, &again))
	if back := mustJSON(t, again); !bytes.Equal(back, js) {
		t.Errorf("through JSON and back:\n%s\n%s", js, back)
	}
	var got []acs.Tag
	for i := range again {
		for _, p := range acs.AllProfiles() {
			tag := acs.Tag{Profile: p, Year: again[i].Year}
			if again[i].Current {
				tag.Year = 0
			}
			if again[i].Has(p) {
				got = append(got, tag)
			}
		}
	}
	if !slices.Equal(got, res.Delivered) {
		t.Errorf("tags of the blocks are %v, delivered %v", got, res.Delivered)
	}
	return strings.Join(parts, " | ")
}

func mustJSON(t *testing.T, v any) []byte {
	t.Helper()
	js, err := encode.Marshal(v)
	check(t, err)
	return js
}

// Which fields a block has follows the list and the options.
func TestOptions(t *testing.T) {
	r := acs.NewReader(tables(t))
	for _, year := range []int{2011, 2019, 2023} {
		for _, opt := range []acs.Options{{}, {Bridged: true}, {Extras: true}, {Bridged: true, Extras: true}} {
			var flags []acs.Tag
			want := 0
			for _, p := range acs.AllProfiles() {
				flags = append(flags, acs.Tag{Profile: p, Year: year})
			}
			for _, f := range acs.Fields(acs.Query{Year: year}) {
				if f.Core && (f.Stable(year) || opt.Bridged) || !f.Core && opt.Extras {
					want++
				}
			}
			res, err := r.Area(t.Context(), acs.ZCTA, "10001", flags, opt)
			check(t, err)
			got := 0
			for _, f := range acs.Fields(acs.Query{}) {
				if m := res.Years[0].Metric(f); m != (acs.Metric{}) {
					got++
					if m.Column() != f.Column(year) {
						t.Errorf("%s of %d has the column %s, want %s", f, year, m.Column(), f.Column(year))
					}
				}
			}
			if got != want {
				t.Errorf("%d, %+v: %d fields, want %d", year, opt, got, want)
			}
		}
	}
}

// TestBlockJSON compares a block with the contract's JSON.
func TestBlockJSON(t *testing.T) {
	r := acs.NewReader(tables(t))
	res, err := r.Area(t.Context(), acs.ZCTA, "10001", tags(t, "acs_economic_2019"), acs.Options{})
	check(t, err)
	b := &res.Years[0]
	js := string(mustJSON(t, b))
	head := `{"source":"sample: invented figures in the form of the American Community Survey","product":"ACS 5-Year Estimates Data Profiles",` +
		`"year":2019,"vintage":"2015-2019","geo_id":"8600000US10001","geography_level":"zcta",` +
		`"tables":{"demographic":"DP05","social":"DP02","economic":"DP03","housing":"DP04"},"published":true,` +
		`"economic":{"employment":{"population_16_plus":{"column":"DP03_0001E","est":1000,"moe":null},` +
		`"in_labor_force":{"column":"DP03_0002E","est":1,"moe":2019,"pct":0.1,"pct_moe":1.2},`
	if !strings.HasPrefix(js, head) {
		t.Errorf("got  %s\nwant %s", js[:min(len(js), len(head)+100)], head)
	}
	if !strings.Contains(js, `"people":{"column":"DP03_0128E","est":null,"moe":null,"pct":12.5,"pct_moe":2}`) {
		t.Error("a percentage without a count is not as it should be")
	}
}
