package acs

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// A Kind classifies a field; it determines how the field is aggregated.
type Kind string

// The kinds of fields.
const (
	Count       Kind = "count"        // people, households or housing units: they add up
	Median      Kind = "median"       // the middle of a distribution
	Mean        Kind = "mean"         // an average
	Rate        Kind = "rate"         // a number per hundred or per thousand
	Ratio       Kind = "ratio"        // one count by another
	PercentOnly Kind = "percent_only" // a percentage without a count
)

// A Field is one figure of a profile. Its name is the same in every year and at
// every level.
type Field struct {
	Profile     Profile
	Section     string // JSON key of the section, e.g. "income"
	Name        string // JSON key within the section, e.g. "median_household_income"
	Label       string // the Census Bureau's label, parts separated by "!!", as worded in 2023 if possible; see LabelIn
	Kind        Kind
	Decimals    uint8  // of estimate and margin of error; percentages have one
	Universe    bool   // the field is a total of others and has no percentage
	Denominator string // "section.name" of the percentage's denominator, in the same profile; "" if none
	Weight      string // weight in an aggregate: "section.name", a difference of such, or "=" and a quotient
	Core        bool   // one of the 528 fields of the interface; the others are historical or new
	EveryYear   bool   // has a column in every year, under any label
	LabelStable bool   // has the same label in every year
	Note        string // change between years; "" if none

	stable  yearSet
	columns []uint16 // by year from 2011
}

// Key returns the field's full name, e.g. "economic.income.median_household_income".
func (f *Field) Key() string { return f.Profile.String() + "." + f.Section + "." + f.Name }

// String returns Key.
func (f *Field) String() string { return f.Key() }

// Number returns the number of the field's column in a year's table, e.g. 62
// for DP03_0062E, or 0.
func (f *Field) Number(year int) uint16 {
	if i := year - FirstYear; i >= 0 && i < len(f.columns) {
		return f.columns[i]
	}
	return 0
}

// Column returns the identifier of the field's estimate in a year, e.g.
// "DP03_0062E", or "" without a column.
func (f *Field) Column(year int) string {
	n := f.Number(year)
	if n == 0 {
		return ""
	}
	return string(appendColumn(nil, f.Profile, n))
}

func appendColumn(dst []byte, p Profile, n uint16) []byte {
	dst = append(append(dst, p.Table()...), '_')
	return append(dst, '0'+byte(n/1000%10), '0'+byte(n/100%10), '0'+byte(n/10%10), '0'+byte(n%10), 'E')
}

// isStable reports whether the field has a column under its own label in the
// year. Core fields are served then.
func (f *Field) isStable(year int) bool { return f.Number(year) != 0 && f.stable.has(year) }

// StableYears returns the years with a column under the field's own label, ascending. Core
// fields are served then.
func (f *Field) StableYears() (years []int) {
	for i := range f.columns {
		if y := FirstYear + i; f.isStable(y) {
			years = append(years, y)
		}
	}
	return years
}

// find returns the position of the field with the full name.
func (r *registry) find(key string) (int, bool) {
	i, ok := slices.BinarySearchFunc(r.byKey, key, func(at uint16, key string) int { return compareKey(&r.fields[at], key) })
	if !ok {
		return 0, false
	}
	return int(r.byKey[i]), true
}

// compareKey compares the field's key without building it: a search has ten steps, and each
// would allocate one.
func compareKey(f *Field, key string) int {
	for i, part := range [...]string{f.Profile.String(), f.Section, f.Name} {
		n := min(len(part), len(key))
		if c := strings.Compare(part[:n], key[:n]); c != 0 {
			return c
		}
		if n < len(part) {
			return 1
		}
		if key = key[n:]; i == 2 {
			break
		}
		if key == "" {
			return 1
		}
		if c := cmp.Compare('.', key[0]); c != 0 {
			return c
		}
		key = key[1:]
	}
	return cmp.Compare(0, len(key))
}

// columns returns the fields of a profile that have a column in the year, in
// the order of the columns' numbers.
func (r *registry) columns(p Profile, year int) []*Field {
	var list []*Field
	for i := range r.fields {
		if f := &r.fields[i]; f.Profile == p && f.Number(year) != 0 {
			list = append(list, f)
		}
	}
	slices.SortFunc(list, func(a, b *Field) int { return cmp.Compare(a.Number(year), b.Number(year)) })
	return list
}

// FieldByKey finds a field of the built-in list by its full name, such as
// "economic.income.median_household_income".
func FieldByKey(key string) (*Field, bool) {
	r := builtIn()
	i, ok := r.find(key)
	if !ok {
		return nil, false
	}
	return &r.fields[i], true
}

// MustField is like [FieldByKey] but panics for an unknown name. It simplifies
// variables that hold fields.
func MustField(key string) *Field {
	f, ok := FieldByKey(key)
	if !ok {
		panic("acs: unknown field " + strconv.Quote(key))
	}
	return f
}

// start returns the position of a profile's first field in the built-in list.
func (r *registry) start(p Profile) int { return int(r.starts[p-1]) }

func (r *registry) of(p Profile) []Field { return r.fields[r.starts[p-1]:r.starts[p]] }

// A Query selects fields. The zero Query selects all.
type Query struct {
	Profile Profile // 0: any
	Section string  // "": any
	Kind    Kind    // "": any
	Year    int     // a year whose table has a column; 0: any
	Served  bool    // only core fields, and of Year those with an unchanged label
	Every   bool    // only fields that are served in every year
	Text    string  // words that all occur in the key or the label, in any case; "": any
}

// Fields returns the fields of the built-in list that a query selects, in their
// order. They must not be changed.
func Fields(q Query) []*Field {
	var list []*Field
	words := strings.Fields(strings.ToLower(q.Text))
	r := builtIn()
	for i := range r.fields {
		if f := &r.fields[i]; q.selects(f) && f.mentions(words) {
			list = append(list, f)
		}
	}
	return list
}

func (q *Query) selects(f *Field) bool {
	switch {
	case q.Profile != 0 && f.Profile != q.Profile, q.Section != "" && f.Section != q.Section, q.Kind != "" && f.Kind != q.Kind:
		return false
	case q.Year != 0 && f.Number(q.Year) == 0, q.Served && !f.Core, q.Served && q.Year != 0 && !f.isStable(q.Year):
		return false
	default:
		return !q.Every || f.Core && f.LabelStable
	}
}

func (f *Field) mentions(words []string) bool {
	if len(words) == 0 {
		return true
	}
	text := f.Key() + " " + strings.ToLower(f.Label)
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// UniverseOf returns the field of the number of people, households or homes
// that f describes, or nil. It is the total of a share, the weight of a median
// or mean, and the field itself for a total.
func UniverseOf(f *Field) *Field {
	for range len(builtIn().fields) { // ends even if a registry had a circle
		if f == nil || f.Universe {
			return f
		}
		of := cmp.Or(f.Denominator, f.Weight)
		if of == "" || strings.ContainsAny(of, "=-*/") {
			return nil
		}
		f = builtIn().sectionField(f.Profile, of)
	}
	return nil
}

// sectionField finds "section.name", in the profile or else in any.
func (r *registry) sectionField(p Profile, name string) *Field {
	for _, q := range append([]Profile{p}, Demographic, Social, Economic, Housing) {
		if i, ok := r.find(q.String() + "." + name); ok {
			return &r.fields[i]
		}
	}
	return nil
}

// A Metric is one field of an area and year, or of an aggregate. The zero
// Metric is a missing figure.
type Metric struct {
	Estimate   Value
	MOE        Value // margin of error of the estimate at 90 percent confidence; absent in aggregates
	Percent    Value // share of the field's universe in percent; absent if the field has none
	PercentMOE Value // margin of error of the percentage, in points

	number  uint16
	profile Profile
}

// Column returns the identifier of the estimate's column in the year's table,
// e.g. "DP05_0001E"; "" in aggregates.
func (m Metric) Column() string {
	if m.number == 0 {
		return ""
	}
	return string(appendColumn(nil, m.profile, m.number))
}

// append appends the contract's metric: {column, est, moe, pct?, pct_moe?}.
// Members that are absent are left out; suppressed ones are null.
func (m *Metric) append(dst []byte) []byte {
	if m.number != 0 {
		dst = append(dst, `{"column":"`...)
		dst = append(appendColumn(dst, m.profile, m.number), `","est":`...)
	} else {
		dst = append(dst, `{"est":`...)
	}
	dst = m.Estimate.appendJSON(dst)
	if m.MOE.mark != absent {
		dst = m.MOE.appendJSON(append(dst, `,"moe":`...))
	}
	if m.Percent.mark != absent {
		dst = m.Percent.appendJSON(append(dst, `,"pct":`...))
	}
	if m.PercentMOE.mark != absent {
		dst = m.PercentMOE.appendJSON(append(dst, `,"pct_moe":`...))
	}
	return append(dst, '}')
}

// MarshalJSON implements [encoding/json.Marshaler].
func (m Metric) MarshalJSON() ([]byte, error) { return m.append(nil), nil }
