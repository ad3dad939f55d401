package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/acs/internal/registry"
)

// A bin of the list of brackets is [name, low, high]; a null high marks an open
// end.
type bin struct {
	name      string
	low, high *float64
}

func (b *bin) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&b.name, &b.low, &b.high})
}

var binsKey = regexp.MustCompile(`^bins(?:_(20\d\d)_(20\d\d))?$`)

// familyBins marks a median with the intervals of another of its family.
const familyBins = "same cut points with families_ prefix"

// brackets writes the table of the intervals that medians can be interpolated
// from.
func brackets(name string, rows []registry.Row) ([]byte, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	known, newest := map[string]bool{}, 0
	for i := range rows {
		known[rows[i].Key()] = true
		newest = max(newest, registry.BaseYear+len(rows[i].Columns)-1)
	}
	var b bytes.Buffer
	b.WriteString(strings.Replace(notice, "registry.csv", name, 1) + "import \"math\"\n\n")
	b.WriteString("// bracketings are the intervals of the distributions that medians are of, by the\n// full name of the median.\nvar bracketings = map[string][]bracketing{\n")
	for _, key := range slices.Sorted(maps.Keys(all)) {
		if strings.HasPrefix(key, "_") {
			continue
		}
		var median map[string]json.RawMessage
		if err := json.Unmarshal(all[key], &median); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", name, key, err)
		}
		fmt.Fprintf(&b, "%q: {\n", key)
		for _, member := range slices.Sorted(maps.Keys(median)) {
			years := binsKey.FindStringSubmatch(member)
			if years == nil {
				continue
			}
			bins, err := readBins(all, median[member])
			if err != nil {
				return nil, fmt.Errorf("%s: %s.%s: %w", name, key, member, err)
			}
			if err := writeBins(&b, key, years[1], years[2], bins, newest, known); err != nil {
				return nil, fmt.Errorf("%s: %s.%s: %w", name, key, member, err)
			}
		}
		b.WriteString("},\n")
	}
	b.WriteString("}\n")
	return b.Bytes(), nil
}

// readBins reads a list of bins, or makes that of families.
func readBins(all map[string]json.RawMessage, data json.RawMessage) (bins []bin, err error) {
	var text string
	if json.Unmarshal(data, &text) != nil {
		err := json.Unmarshal(data, &bins)
		return bins, err
	}
	if text != familyBins {
		return nil, fmt.Errorf("%q; expected a list, or %q", text, familyBins)
	}
	var households struct {
		Bins []bin `json:"bins"`
	}
	if err := json.Unmarshal(all["economic.income.median_household_income"], &households); err != nil {
		return nil, err
	}
	for i := range households.Bins {
		of := &households.Bins[i]
		of.name = strings.Replace(of.name, "households_", "families_", 1)
	}
	return households.Bins, nil
}

func writeBins(b *bytes.Buffer, key, first, last string, bins []bin, newest int, known map[string]bool) error {
	if first == "" {
		first, last = "0", "0"
	}
	if last == strconv.Itoa(newest) {
		last = "0" // years to come as well
	}
	section := key[:strings.LastIndexByte(key, '.')]
	fmt.Fprintf(b, "{first: %s, last: %s, bins: []FieldBracket{\n", first, last)
	for i, bin := range bins {
		field := section + "." + bin.name
		if !known[field] || bin.low == nil || (bin.high == nil) != (i == len(bins)-1) {
			return fmt.Errorf("bin %d, %s, is not in the list of fields or has no limits", i, field)
		}
		high := "math.Inf(1)"
		if bin.high != nil {
			high = number(*bin.high)
		}
		// The lowest interval of money begins at the least amount that the
		// Census Bureau publishes, and holds everything below it too.
		open := ""
		if i == 0 && *bin.low >= 1000 {
			open = ", OpenBelow: true"
		}
		fmt.Fprintf(b, "{Field: %q, Low: %s, High: %s%s},\n", field, number(*bin.low), high, open)
	}
	b.WriteString("}},\n")
	return nil
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
