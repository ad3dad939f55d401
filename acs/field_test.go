package acs_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/acs"
)

// The numbers of fields that decision D23 and the issue give.
func TestNumbersOfFields(t *testing.T) {
	core := acs.Fields(acs.Query{Served: true})
	if len(core) != 528 || len(acs.Fields(acs.Query{})) != 616 {
		t.Errorf("%d core fields of %d, want 528 of 616", len(core), len(acs.Fields(acs.Query{})))
	}
	if n := len(acs.Fields(acs.Query{Every: true})); n != 423 {
		t.Errorf("%d fields in every year, want 423", n)
	}
	for year, want := range map[int]int{2011: 425, 2023: 528, 2024: 523} {
		if n := len(acs.Fields(acs.Query{Served: true, Year: year})); n != want {
			t.Errorf("%d fields are served of %d, want %d", n, year, want)
		}
	}
	bridged := 0
	for _, f := range core {
		if f.EveryYear {
			bridged++
		}
	}
	if bridged != 448 {
		t.Errorf("%d core fields have a column in every year, want 448", bridged)
	}
}

func TestField(t *testing.T) {
	f, ok := acs.FieldByKey("demographic.sex_and_age.age_under_5")
	if !ok {
		t.Fatal("no such field")
	}
	if f.Column(2016) != "DP05_0004E" || f.Column(2017) != "DP05_0005E" || f.Column(2010) != "" || f.Column(2025) != "" {
		t.Errorf("columns %q %q %q %q", f.Column(2016), f.Column(2017), f.Column(2010), f.Column(2025))
	}
	if u := acs.UniverseOf(f); u == nil || u.Name != "total_population" {
		t.Errorf("the universe is %v", u)
	}
	ratio, _ := acs.FieldByKey("demographic.sex_and_age.sex_ratio")
	if ratio.Stable(2015) || !ratio.Stable(2019) || len(ratio.StableYears()) != 8 || acs.UniverseOf(ratio) != nil {
		t.Errorf("sex ratio: %v", ratio.StableYears())
	}
	home, _ := acs.FieldByKey("economic.commuting.worked_from_home")
	if home.Stable(2018) || !home.Stable(2019) || home.Note == "" || len(home.StableYears()) != 6 {
		t.Errorf("worked from home: %q %v", home.Note, home.StableYears())
	}
	for _, key := range []string{"", "economic", "economic.", "economic.income", "economic.income.", "economic.income.median_household_incom", "economic.income.median_household_incomes", "x.y.z"} {
		if f, ok := acs.FieldByKey(key); ok {
			t.Errorf("%q is %v", key, f)
		}
	}
	for _, f := range acs.Fields(acs.Query{}) {
		if got, ok := acs.FieldByKey(f.Key()); !ok || got != f {
			t.Errorf("%s is not found by its key", f)
		}
	}
	if got := acs.Fields(acs.Query{Profile: acs.Economic, Text: "median HOUSEHOLD income (dollars) total"}); len(got) != 1 || got[0].Name != "median_household_income" {
		t.Errorf("median household income: %v", got)
	}
	if got := acs.Fields(acs.Query{Section: "rent", Kind: acs.Median}); len(got) != 1 {
		t.Errorf("medians of rents: %v", got)
	}
}

func FuzzAgrees(f *testing.F) {
	f.Add("Estimate!!SEX AND AGE!!Total population!!Male")
	f.Add("(IN 2015 INFLATION")
	field, _ := acs.FieldByKey("demographic.sex_and_age.male")
	f.Fuzz(func(t *testing.T, label string) {
		if y := acs.DollarYear(label); y < 0 || y > 9999 {
			t.Errorf("year %d", y)
		}
		if acs.Agrees(field, label) && !strings.Contains(strings.ToLower(label), "male") {
			t.Errorf("%q agrees", label)
		}
	})
}

func TestParseRegistry(t *testing.T) {
	text, err := os.ReadFile("registry.csv")
	check(t, err)
	if _, err := acs.ParseRegistry(bytes.NewReader(text)); err != nil {
		t.Errorf("the list of this release: %v", err)
	}
	for name, bad := range map[string]string{
		"empty":             "",
		"other columns":     strings.Replace(string(text), "denominator", "divisor", 1),
		"years with a gap":  strings.Replace(string(text), ",2012,", ",2010,", 1),
		"another table":     strings.Replace(string(text), "DP05_0001E", "DP04_0001E", 1),
		"an unknown kind":   strings.Replace(string(text), ",count,", ",number,", 1),
		"years out of hand": strings.Replace(string(text), "2011-2024", "2011-2099", 1),
		"a cut row":         string(text[:len(text)-20]),
		"a bad name":        strings.Replace(string(text), ",male,", ",Male,", 1),
	} {
		if _, err := acs.ParseRegistry(strings.NewReader(bad)); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}

// The intervals of each distribution are counts of the median's table that follow each
// other, and only the last one has no upper end.
func TestBrackets(t *testing.T) {
	distributions := 0
	for _, f := range acs.Fields(acs.Query{Kind: acs.Median}) {
		for year := acs.FirstYear; year <= acs.LastYear; year++ {
			bins := f.Brackets(year)
			if len(bins) > 0 {
				distributions++
			}
			for i, b := range bins {
				of, ok := acs.FieldByKey(b.Field)
				if !ok || of.Kind != acs.Count || of.Section != f.Section || of.Number(year) == 0 {
					t.Errorf("%s of %d: %s is no count of its table", f, year, b.Field)
				}
				last := i == len(bins)-1
				if !(b.Low < b.High) || math.IsInf(b.High, 1) != last || !last && b.High != bins[i+1].Low || b.OpenBelow && i > 0 {
					t.Errorf("%s of %d: %+v", f, year, b)
				}
			}
		}
	}
	if want := 8 * 14; distributions != want {
		t.Errorf("%d distributions; expected %d", distributions, want)
	}
}

func ExampleFieldByKey() {
	f, _ := acs.FieldByKey("economic.commuting.worked_from_home")
	fmt.Println(f.Label)
	fmt.Println(f.Column(2024), f.Stable(2011), f.Stable(2024))
	// Output:
	// COMMUTING TO WORK!!Workers 16 years and over!!Worked from home
	// DP03_0024E false true
}

func ExampleFields() {
	for _, f := range acs.Fields(acs.Query{Profile: acs.Housing, Section: "rooms", Kind: acs.Median}) {
		fmt.Println(f, f.Kind, f.StableYears()[0])
	}
	// Output: housing.rooms.median_rooms median 2011
}
