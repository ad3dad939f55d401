package owntables

import (
	"fmt"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/internal/dataset"
)

// columns are the columns of a file by their use.
type columns struct {
	id, year int // -1: without a column of years
	list     []dataset.OwnColumn
	at       []int // position in the file of each of the list
}

// plainName returns the name of a column in results.
func plainName(header string) string {
	var b strings.Builder
	for _, c := range strings.ToLower(strings.TrimSpace(header)) {
		switch {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			b.WriteRune(c)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
	}
	name := strings.TrimSuffix(b.String(), "_")
	return strings.TrimSuffix(name[:min(len(name), dataset.MaxTableName)], "_")
}

// find returns the position of a column. Letter case and the kind of space between
// words do not matter if no name is equal.
func find(header []string, name string) int {
	if i := slices.Index(header, name); i >= 0 {
		return i
	}
	plain := func(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }
	return slices.IndexFunc(header, func(h string) bool { return plain(h) == plain(name) })
}

// usualIDs are the usual columns of keys, by geography.
var usualIDs = map[string][]string{
	"zip": {"zip", "zipcode", "zip_code", "zcta", "zcta5", "zcta5ce20"}, "fsa": {"fsa", "cfsauid"},
	"tract": {"tract", "tractfips", "tract_fips", "fips"}, "county": {"county_fips", "countyfips", "fips"}, "state": {"state", "state_fips", "st"},
}

// idColumn finds the column of the keys.
func (r *Recipe) idColumn(header []string) (int, error) {
	if r.ID != "" {
		if i := find(header, r.ID); i >= 0 {
			return i, nil
		}
		return 0, fmt.Errorf("no column %q; the table has %s", r.ID, strings.Join(header, ", "))
	}
	for _, name := range append(slices.Clone(usualIDs[r.Key]), r.Key, "geoid", "geoid20", "geoid10", "geo_id", "id") {
		if i := slices.IndexFunc(header, func(h string) bool { return plainName(h) == name }); i >= 0 {
			return i, nil
		}
	}
	return 0, fmt.Errorf("no column is known to have the keys (%s); name it with id=COLUMN: the table has %s", r.Key, strings.Join(header, ", "))
}

// resolve relates the meanings to the columns of a file. Columns without a meaning
// are an error.
func (r *Recipe) resolve(header []string) (c columns, err error) {
	if c.id, err = r.idColumn(header); err != nil {
		return c, err
	}
	_, year, err := r.year()
	if err != nil {
		return c, err
	}
	if c.year = -1; year != "" {
		if c.year = find(header, year); c.year < 0 {
			return c, fmt.Errorf("year=%s is neither a year nor a column; the table has %s", year, strings.Join(header, ", "))
		}
	}
	for _, of := range []struct {
		meaning dataset.Meaning
		texts   []string
		divider string
	}{
		{dataset.MeaningCount, r.Count, ""},
		{dataset.MeaningRate, r.Rate, "/"},
		{dataset.MeaningMean, r.Mean, ":"},
		{dataset.MeaningMedian, r.Median, ":"},
		{dataset.MeaningCategory, r.Category, ""},
	} {
		for _, text := range of.texts {
			if err := c.add(header, of.meaning, text, of.divider); err != nil {
				return c, err
			}
		}
	}
	if err := c.weights(header); err != nil {
		return c, err
	}
	for name, category := range r.Absent {
		i := slices.Index(c.at, find(header, name))
		if i < 0 || c.list[i].Meaning != dataset.MeaningCategory {
			return c, fmt.Errorf("absent: %q is not a category", name)
		}
		c.list[i].Absent = category
	}
	if len(c.list) == 0 {
		return c, fmt.Errorf("no column has a meaning: give count=, rate=, mean=, median= or category= for some of %s", strings.Join(header, ", "))
	}
	err = r.unused(header, &c)
	return c, err
}

// add adds a column; its weight is the header of the weight until weights.
func (c *columns) add(header []string, meaning dataset.Meaning, text, divider string) error {
	at, weight := find(header, text), ""
	if at < 0 && divider != "" {
		name, by, _ := strings.Cut(text, divider)
		at, weight = find(header, strings.TrimSpace(name)), strings.TrimSpace(by)
	}
	switch {
	case at < 0:
		return fmt.Errorf("%s=%s: no such column; the table has %s", meaning, text, strings.Join(header, ", "))
	case meaning == dataset.MeaningRate && weight == "":
		return fmt.Errorf("rate=%s lacks its denominator, as rate=%[1]s/COLUMN; mean=%[1]s is an average by people", text)
	case slices.Contains(c.at, at) || at == c.id || at == c.year:
		return fmt.Errorf("%s=%s: the column has another meaning already", meaning, text)
	}
	name := plainName(header[at])
	if !dataset.ValidTableName(name) {
		return fmt.Errorf("%s=%s: the name of a column needs a letter from a to z", meaning, text)
	}
	if i := slices.IndexFunc(c.list, func(o dataset.OwnColumn) bool { return o.Name == name }); i >= 0 {
		return fmt.Errorf("the columns %q and %q have the same name %s in results", header[c.at[i]], header[at], name)
	}
	c.list, c.at = append(c.list, dataset.OwnColumn{Name: name, Meaning: meaning, Weight: weight}), append(c.at, at)
	return nil
}

// weights replaces the headers of weights by names. A denominator or weight without
// a meaning is a count.
func (c *columns) weights(header []string) error {
	for i := 0; i < len(c.list); i++ {
		by := c.list[i].Weight
		if by == "" {
			continue
		}
		at := find(header, by)
		if at < 0 {
			return fmt.Errorf("%s: no column %q; the table has %s", c.list[i].Name, by, strings.Join(header, ", "))
		}
		if !slices.Contains(c.at, at) {
			if err := c.add(header, dataset.MeaningCount, header[at], ""); err != nil {
				return err
			}
		}
		of := &c.list[slices.Index(c.at, at)]
		if of.Meaning == dataset.MeaningCategory {
			return fmt.Errorf("%s: the weight %q is a category", c.list[i].Name, by)
		}
		c.list[i].Weight = of.Name
	}
	return nil
}

// unused returns an error that lists columns without a meaning.
func (r *Recipe) unused(header []string, c *columns) error {
	if slices.Contains(r.Ignore, "*") {
		return nil
	}
	var left []string
	for i, h := range header {
		ignored := slices.ContainsFunc(r.Ignore, func(name string) bool { return find([]string{h}, name) == 0 })
		if !ignored && i != c.id && i != c.year && !slices.Contains(c.at, i) && strings.TrimSpace(h) != "" {
			left = append(left, h)
		}
	}
	if len(left) > 0 {
		return fmt.Errorf("columns without a meaning: %s; give count=, rate=, mean=, median= or category= for each, or ignore=COLUMN, or ignore=* for all", strings.Join(left, ", "))
	}
	return nil
}
