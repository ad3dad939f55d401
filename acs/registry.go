package acs

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// registry.csv has a row for each field: its names, its kind, what it is divided by or
// weighted with, and its column in each year's table. A new year of the survey is a new
// column. Fields of a profile follow each other in the order of the tables, so a field's
// position serves as its number in this process. Positions are never stored: datasets have
// full names.

//go:embed registry.csv
var registryCSV []byte

// builtIn returns the list of fields of this release. It is parsed when a program first
// needs it, which takes 2 ms.
var builtIn = sync.OnceValue(func() *registry {
	r, err := parseRegistry(bytes.NewReader(registryCSV)) // a test checks it
	if err != nil {
		panic(err)
	}
	return r
})

// A registry is an immutable list of fields.
type registry struct {
	fields []Field
	byKey  []uint16            // positions in the order of the keys, for find
	starts [Housing + 1]uint16 // positions of the profiles' first fields, and the end; of the built-in list
	last   int                 // newest year

	weights map[int16]weight     // of the fields that are not sums, by their positions
	foreign [Housing + 1][]int16 // by profile: the fields that weight those of others
}

// registryHeader has the columns before those of the years.
var registryHeader = []string{
	"profile", "section", "field", "label", "kind", "denominator", "is_universe", "agg_weight", "core", "every_year",
	"label_stable", "stable_years", "no_data_years", "note",
}

func parseRegistry(r io.Reader) (*registry, error) {
	c := csv.NewReader(r)
	c.ReuseRecord = true
	head, err := c.Read()
	if err != nil {
		return nil, err
	}
	n := len(registryHeader)
	if len(head) <= n || !slices.Equal(head[:n], registryHeader) {
		return nil, fmt.Errorf("its columns are %q; expected %q and the years from %d on", head, registryHeader, FirstYear)
	}
	for i, y := range head[n:] {
		if y != strconv.Itoa(FirstYear+i) || i >= maxYears {
			return nil, fmt.Errorf("column %q; expected the year %d", y, FirstYear+i)
		}
	}
	reg := &registry{last: FirstYear + len(head) - n - 1}
	for {
		rec, err := c.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		f, err := parseField(rec)
		if err != nil {
			line, _ := c.FieldPos(0)
			return nil, fmt.Errorf("line %d: %s.%s.%s: %w", line, rec[0], rec[1], rec[2], err)
		}
		reg.fields = append(reg.fields, f)
	}
	for i := range reg.fields { // starts end up right only if profiles are in their order
		reg.byKey = append(reg.byKey, uint16(i))
		for p := reg.fields[i].Profile; p <= Housing; p++ {
			reg.starts[p] = uint16(i + 1)
		}
	}
	slices.SortFunc(reg.byKey, func(a, b uint16) int { // a dot is before all characters of names
		f, g := &reg.fields[a], &reg.fields[b]
		return cmp.Or(cmp.Compare(f.Profile.String(), g.Profile.String()), cmp.Compare(f.Section, g.Section), cmp.Compare(f.Name, g.Name))
	})
	reg.setWeights()
	return reg, nil
}

func parseField(rec []string) (f Field, err error) {
	rec = slices.Clone(rec) // the label and the names stay
	f = Field{
		Section: rec[1], Name: rec[2], Label: rec[3], Kind: Kind(rec[4]), Denominator: rec[5], Universe: rec[6] == "1",
		Weight: rec[7], Core: rec[8] == "1", EveryYear: rec[9] == "1", LabelStable: rec[10] == "1", Note: rec[13],
	}
	var ok bool
	kinds := []Kind{Count, Median, Mean, Rate, Ratio, PercentOnly}
	switch f.Profile, ok = ParseProfile(rec[0]); {
	case !ok:
		return f, fmt.Errorf("the profile %q; expected demographic, social, economic or housing", rec[0])
	case !isName(f.Section) || !isName(f.Name):
		return f, fmt.Errorf("the names %q and %q; expected lower-case letters, digits and underscores", f.Section, f.Name)
	case !slices.Contains(kinds, f.Kind):
		return f, fmt.Errorf("the kind %q; expected count, median, mean, rate, ratio or percent_only", rec[4])
	}
	f.Decimals = f.published()
	if f.stable, err = parseYears(rec[11]); err != nil {
		return f, err
	}
	columns := rec[len(registryHeader):]
	f.columns = make([]uint16, len(columns))
	for i, id := range columns {
		if id == "" {
			continue
		}
		digits, ok := strings.CutPrefix(strings.TrimSuffix(id, "E"), f.Profile.Table()+"_")
		n, err := strconv.ParseUint(digits, 10, 16)
		if !ok || err != nil || n == 0 || len(id) != len("DP05_0001E") {
			return f, fmt.Errorf("the column %q; expected one such as %s_0001E", id, f.Profile.Table())
		}
		f.columns[i] = uint16(n)
	}
	return f, nil
}

// published returns the decimals that estimates of the field are published with.
func (f *Field) published() uint8 {
	switch {
	case f.Kind == Ratio, f.Name == "median_age", f.Name == "median_rooms", f.Name == "mean_travel_time_minutes",
		f.Kind == Rate && f.Profile == Housing, f.Kind == PercentOnly:
		return 1
	case f.Kind == Mean && strings.HasPrefix(f.Name, "average_"): // sizes of households and families
		return 2
	default:
		return 0
	}
}

func isName(s string) bool {
	return s != "" && s[0] >= 'a' && s[0] <= 'z' && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

// A yearSet is a set of years: bit i is FirstYear+i.
type yearSet uint32

const maxYears = 32

func (y yearSet) has(year int) bool {
	i := year - FirstYear
	return i >= 0 && i < maxYears && y>>i&1 == 1
}

// parseYears parses years and ranges of years: "2011,2013-2016".
func parseYears(s string) (set yearSet, err error) {
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
		if err != nil || err2 != nil || a < FirstYear || b < a || b >= FirstYear+maxYears {
			return 0, fmt.Errorf("the years %q; expected such as 2011-2024", part)
		}
		for y := a; y <= b; y++ {
			set |= 1 << (y - FirstYear)
		}
	}
	return set, nil
}
