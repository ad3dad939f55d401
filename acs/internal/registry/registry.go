// Package registry reads the list of fields that package acs is generated
// from.
package registry

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// BaseYear is the year of bit 0 of a [Years] and of a row's first column.
const BaseYear = 2011

// Years is a set of years: bit i is the year BaseYear+i.
type Years uint32

// Has reports whether the set holds the year.
func (y Years) Has(year int) bool {
	i := year - BaseYear
	return i >= 0 && i < 32 && y>>i&1 == 1
}

// A Row is one field: a figure that one column of one profile's table holds
// each year.
type Row struct {
	Profile     string // demographic, social, economic or housing
	Section     string
	Name        string
	Label       string   // path of the label in the newest wording, parts divided by !!
	Kind        string   // count, median, mean, rate, ratio or percent_only
	Denominator string   // section.name of the same profile, or ""
	Universe    bool     // the field is the total of other fields
	Weight      string   // what weighs the field in an aggregate
	Core        bool     // one of the fields of the interface
	EveryYear   bool     // has a column in every year
	LabelStable bool     // has the same label in every year
	Stable      Years    // years with an unchanged label
	NoData      Years    // years whose column is empty
	Note        string   // what changed
	Columns     []uint16 // number of the column by year from BaseYear; 0: none
}

// Key returns profile.section.name.
func (r *Row) Key() string { return r.Profile + "." + r.Section + "." + r.Name }

// Tables are the profiles and the numbers of their tables: DP05, DP02 …
var Tables = [...]struct {
	Profile string
	Number  string
}{{"demographic", "05"}, {"social", "02"}, {"economic", "03"}, {"housing", "04"}}

var header = []string{
	"profile", "section", "field", "label", "kind", "denominator", "is_universe", "agg_weight", "core", "every_year",
	"label_stable", "stable_years", "no_data_years", "note",
}

// Parse reads the list. It has the columns of the built-in list, followed by
// one for each year from BaseYear on without a gap.
func Parse(r io.Reader) ([]Row, error) {
	c := csv.NewReader(r)
	head, err := c.Read()
	if err != nil {
		return nil, fmt.Errorf("acs: list of fields: %w", err)
	}
	n := len(header)
	if len(head) <= n || !slices.Equal(head[:n], header) {
		return nil, fmt.Errorf("acs: list of fields: its columns are %q, expected %q and the years from %d on", head, header, BaseYear)
	}
	for i, y := range head[n:] {
		if y != strconv.Itoa(BaseYear+i) || i >= 32 {
			return nil, fmt.Errorf("acs: list of fields: column %q, expected the year %d", y, BaseYear+i)
		}
	}
	var rows []Row
	for {
		rec, err := c.Read()
		if errors.Is(err, io.EOF) {
			return rows, check(rows)
		}
		if err != nil {
			return nil, fmt.Errorf("acs: list of fields: %w", err)
		}
		row, err := parseRow(rec)
		if err != nil {
			line, _ := c.FieldPos(0)
			return nil, fmt.Errorf("acs: list of fields, line %d: %w", line, err)
		}
		rows = append(rows, row)
	}
}

func parseRow(rec []string) (Row, error) {
	r := Row{
		Profile: rec[0], Section: rec[1], Name: rec[2], Label: rec[3], Kind: rec[4], Denominator: rec[5],
		Universe: rec[6] == "1", Weight: rec[7], Core: rec[8] == "1", EveryYear: rec[9] == "1", LabelStable: rec[10] == "1", Note: rec[13],
	}
	for _, name := range []string{r.Section, r.Name} {
		if !isName(name) {
			return r, fmt.Errorf("the name %q; expected lower-case letters, digits and underscores", name)
		}
	}
	if !slices.Contains([]string{"count", "median", "mean", "rate", "ratio", "percent_only"}, r.Kind) {
		return r, fmt.Errorf("%s: the kind %q; expected count, median, mean, rate, ratio or percent_only", r.Key(), r.Kind)
	}
	var err error
	if r.Stable, err = parseYears(rec[11]); err == nil {
		r.NoData, err = parseYears(rec[12])
	}
	if err != nil {
		return r, fmt.Errorf("%s: %w", r.Key(), err)
	}
	table := ""
	for _, t := range Tables {
		if t.Profile == r.Profile {
			table = t.Number
		}
	}
	if table == "" {
		return r, fmt.Errorf("%s: the profile %q; expected demographic, social, economic or housing", r.Key(), r.Profile)
	}
	for _, id := range rec[len(header):] {
		number := uint64(0)
		if id != "" {
			digits, ok := strings.CutPrefix(strings.TrimSuffix(id, "E"), "DP"+table+"_")
			number, err = strconv.ParseUint(digits, 10, 16)
			if !ok || err != nil || number == 0 || len(id) != len("DP05_0001E") {
				return r, fmt.Errorf("%s: the column %q; expected one such as DP%s_0001E", r.Key(), id, table)
			}
		}
		r.Columns = append(r.Columns, uint16(number))
	}
	return r, nil
}

func isName(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9' || i == 0) && (c != '_' || i == 0) {
			return false
		}
	}
	return s != ""
}

// parseYears reads years and spans of years, divided by commas: 2011,2013-2016.
func parseYears(s string) (Years, error) {
	var set Years
	if s == "" {
		return 0, nil
	}
	for part := range strings.SplitSeq(s, ",") {
		first, last, span := strings.Cut(part, "-")
		if !span {
			last = first
		}
		a, err := strconv.Atoi(first)
		b, err2 := strconv.Atoi(last)
		if err != nil || err2 != nil || a < BaseYear || b < a || b >= BaseYear+32 {
			return 0, fmt.Errorf("the years %q; expected such as 2011-2024", part)
		}
		set |= Years(1<<(b-BaseYear+1)-1) &^ Years(1<<(a-BaseYear)-1)
	}
	return set, nil
}

// check holds the rows against each other.
func check(rows []Row) error {
	at := map[string]int{}
	sections := map[string]bool{}
	last := ""
	for i := range rows {
		r := &rows[i]
		if _, twice := at[r.Key()]; twice {
			return fmt.Errorf("acs: list of fields: duplicate %s", r.Key())
		}
		at[r.Key()] = i
		if s := r.Profile + "." + r.Section; s != last {
			if sections[s] {
				return fmt.Errorf("acs: list of fields: the section %s is in two pieces", s)
			}
			sections[s], last = true, s
		}
		if bits.Len32(uint32(r.Stable)) > len(r.Columns) {
			return fmt.Errorf("acs: list of fields: %s is stable in years without a column", r.Key())
		}
	}
	taken := map[string]string{}
	for i := range rows {
		r := &rows[i]
		if r.Denominator != "" {
			if _, ok := at[r.Profile+"."+r.Denominator]; !ok {
				return fmt.Errorf("acs: list of fields: %s is a share of the unknown field %s", r.Key(), r.Denominator)
			}
		}
		for y, n := range r.Columns {
			if n == 0 {
				continue
			}
			column := fmt.Sprintf("%s %d %d", r.Profile, y, n)
			if other, twice := taken[column]; twice {
				return fmt.Errorf("acs: list of fields: %s and %s have one column in %d", other, r.Key(), BaseYear+y)
			}
			taken[column] = r.Key()
		}
	}
	return nil
}

// Decimals returns the decimals that estimates of the field are published
// with.
func (r *Row) Decimals() uint8 {
	switch {
	case r.Kind == "ratio", r.Name == "median_age", r.Name == "median_rooms", r.Name == "mean_travel_time_minutes",
		r.Kind == "rate" && r.Profile == "housing", r.Kind == "percent_only":
		return 1
	case r.Kind == "mean" && strings.HasPrefix(r.Name, "average_"): // sizes of households and families
		return 2
	default:
		return 0
	}
}
