package owntables

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/build/format"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/catalog"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/draft"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/plan"
)

// Requests are the tables that the user adds, by the order of the files of
// [catalog.OwnTables], and the file that takes them.
type Requests struct {
	List []Request
	Add  func(dataset.OwnTableData) error
	// Open reads a table that is not an Excel file: its columns, and its rows with as
	// many cells.
	Open func(path string) ([]string, iter.Seq2[[]string, error], error)
}

// Added returns the step that adds the tables of the user.
func Added() plan.Step {
	return plan.Step{Name: "own tables", Sources: []string{catalog.OwnTables}, Do: &added{}}
}

type added struct {
	*plan.Env
	States   *draft.States
	Requests *Requests
	Output   *draft.Output `reads:"rows" writes:"rows"` // by Requests.Add
}

func (b *added) Run(ctx context.Context) error {
	for i := range b.Requests.List {
		r := &b.Requests.List[i]
		if err := b.add(ctx, r, catalog.Repeated(catalog.OwnTables, i)); err != nil {
			return fmt.Errorf("%s: %w", r.Table, err)
		}
	}
	return nil
}

// A line is a row of a file.
type line struct {
	number int
	cells  []string
}

func (b *added) add(ctx context.Context, r *Request, id string) error {
	path := b.File(id).Path
	header, rows, err := b.open(r, path)
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	c, err := r.resolve(header)
	if err != nil {
		rows(func([]string, error) bool { return false }) // closes the file
		return fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	t := &drafted{b: b, r: r, c: &c, id: id, years: map[int]map[string][]string{}}
	t.year, _, _ = r.year() // resolve has checked it
	if err := plan.ReadRows(ctx, b.Env, id, numbered(rows), t.take); err != nil {
		return err
	}
	if len(t.years) == 0 {
		reason := b.Refusal(id)
		if reason == "" {
			return fmt.Errorf("%s: the table has no rows", filepath.Base(path))
		}
		return fmt.Errorf("%s: no row was accepted: %s", filepath.Base(path), reason)
	}
	for _, year := range slices.Sorted(maps.Keys(t.years)) {
		data, err := t.table(year)
		if err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(path), err)
		}
		name := "table " + r.Table
		if year != 0 {
			name += " " + strconv.Itoa(year)
		}
		b.Table(name, len(data.Keys))
		if err := b.Requests.Add(data); err != nil {
			return err
		}
	}
	return nil
}

// numbered numbers the rows of a file.
func numbered(rows iter.Seq2[[]string, error]) iter.Seq2[line, error] {
	return func(yield func(line, error) bool) {
		n := 0
		for cells, err := range rows {
			n++
			if !yield(line{n, cells}, err) {
				return
			}
		}
	}
}

// open reads the columns and rows of a file. Title rows may precede the header of an
// Excel file.
func (b *added) open(r *Request, path string) ([]string, iter.Seq2[[]string, error], error) {
	if !strings.EqualFold(filepath.Ext(path), ".xlsx") {
		if b.Requests.Open == nil {
			return nil, nil, errors.New("tables of this format cannot be read")
		}
		return b.Requests.Open(path)
	}
	var need []format.Column
	if r.ID != "" {
		need = append(need, format.Column{Name: r.ID, Match: func(h string) bool { return find([]string{h}, r.ID) == 0 }})
	}
	s, err := format.OpenSheet(path, format.SheetOptions{Sheet: r.Sheet, Columns: need})
	if err != nil {
		return nil, nil, err
	}
	header := s.Header()
	return header, func(yield func([]string, error) bool) {
		defer s.Close()
		for row, err := range s.Rows() {
			if err != nil {
				yield(nil, err)
				return
			}
			cells := make([]string, len(header))
			for i := range cells {
				cells[i] = row.Field(i)
			}
			if !yield(cells, nil) {
				return
			}
		}
	}, nil
}

// drafted is a table that is being read.
type drafted struct {
	b     *added
	r     *Request
	c     *columns
	id    string
	year  int
	years map[int]map[string][]string // cells of the columns by year and key
}

func (t *drafted) take(l line) error {
	key, ok := t.key(l.cells[t.c.id])
	if !ok {
		return plan.Refused("not a "+t.r.Key, l.number, l.cells[t.c.id])
	}
	year := t.year
	if t.c.year >= 0 {
		var err error
		if year, err = strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(l.cells[t.c.year]), ".0")); err != nil || checkYear(year) != nil {
			return plan.Refused("not a year", l.number, l.cells[t.c.year])
		}
	}
	rows := t.years[year]
	if rows == nil {
		rows = map[string][]string{}
		t.years[year] = rows
	}
	if _, twice := rows[key]; twice {
		return plan.Refused("key that an earlier row has", l.number, key)
	}
	cells := make([]string, len(t.c.at))
	for i, at := range t.c.at {
		cells[i] = strings.Clone(strings.TrimSpace(l.cells[at]))
	}
	rows[key] = cells
	return nil
}

// keyDigits are the digits of keys, which may have lost their leading zeros.
var keyDigits = map[string]int{
	"zip": 5, "state": 2, "csa": 3, "county": 5, "tract": 11, "block_group": 12, "place": 7, "county_subdivision": 10, "cbsa": 5,
	"metropolitan_division": 5, "congressional_district": 4, "state_upper": 5, "state_lower": 5, "school_district": 7,
	"puma": 7, "urban_area": 5,
}

// key returns a key as the geography has it.
func (t *drafted) key(text string) (string, bool) {
	text = strings.TrimSpace(text)
	n := keyDigits[t.r.Key]
	if n == 0 && t.r.Key != "fsa" { // areas of a layer of the user
		return text, text != ""
	}
	text = strings.ToUpper(text)
	if level, geoid, ok := strings.Cut(text, "US"); ok && geoid != "" && isDigits(level) { // 1400000US06037101110
		text = geoid
	}
	switch {
	case text == "":
		return "", false
	case t.r.Key == "fsa":
		return text, len(text) == len("K1A")
	case t.r.Key == "state" && strings.Trim(text, "0123456789.") != "":
		for _, s := range t.b.States.List {
			if s.Abbr == text && s.FIPS != "" {
				return s.FIPS, true
			}
		}
		return "", false
	}
	text = strings.TrimSuffix(text, ".0")
	if len(text) < n && len(text) >= n-2 {
		text = strings.Repeat("0", n-len(text)) + text
	}
	if strings.HasPrefix(t.r.Key, "state_") || t.r.Key == "school_district" { // some districts have letters
		return text, len(text) == n
	}
	return text, len(text) == n && strings.Trim(text, "0123456789") == ""
}

// unknown are texts of cells without a value.
var unknown = []string{"", "NA", "N/A", "NAN", "NULL", "NONE", "-", ".", "*", "**"}

func (t *drafted) missing(cell string) bool {
	return slices.Contains(unknown, strings.ToUpper(cell)) || slices.Contains(t.r.Missing, cell)
}

// table packs the rows of a year.
func (t *drafted) table(year int) (dataset.OwnTableData, error) {
	rows := t.years[year]
	d := dataset.OwnTableData{Keys: slices.Sorted(maps.Keys(rows)), Info: dataset.OwnTableInfo{
		Name: t.r.Table, Year: year, Key: t.r.Key, Weight: t.r.Weight, Title: t.r.Title, Source: t.r.Describe(), License: t.r.License, Columns: t.c.list,
	}}
	for i, c := range t.c.list {
		v, known := dataset.OwnValues{}, 0
		for _, key := range d.Keys {
			cell := rows[key][i]
			blank := t.missing(cell)
			if c.Meaning == dataset.MeaningCategory {
				if blank {
					cell = ""
				} else {
					known++
				}
				if whole, ok := strings.CutSuffix(cell, ".0"); ok && isDigits(whole) {
					cell = whole
				}
				v.Texts = append(v.Texts, cell)
				continue
			}
			n := math.NaN()
			if !blank {
				var ok bool
				if n, ok = number(cell, t.r.Missing); ok && !math.IsNaN(n) {
					known++
				} else if !ok {
					t.b.Drop(t.id, c.Name+" that is not a number", key+": "+cell)
				}
			}
			v.Numbers = append(v.Numbers, n)
		}
		if known == 0 {
			return d, fmt.Errorf("column %s has no value that is a %s", c.Name, c.Meaning)
		}
		d.Values = append(d.Values, v)
	}
	return d, nil
}

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// thousands matches numbers with commas between thousands, not with a decimal comma.
var thousands = regexp.MustCompile(`^-?[0-9]{1,3}(,[0-9]{3})+(\.[0-9]*)?$`)

// number reads a number with an optional dollar sign, percent sign and commas between
// thousands. NaN marks a missing number.
func number(cell string, missing []string) (float64, bool) {
	v, err := strconv.ParseFloat(cell, 64)
	if err != nil {
		plain := strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(cell, "$"), "%"))
		if thousands.MatchString(plain) {
			plain = strings.ReplaceAll(plain, ",", "")
		}
		if v, err = strconv.ParseFloat(plain, 64); err != nil {
			return math.NaN(), false
		}
	}
	if !(math.Abs(v) <= dataset.MaxOwnNumber) {
		return math.NaN(), false
	}
	for _, m := range missing {
		if n, err := strconv.ParseFloat(m, 64); err == nil && n == v {
			return math.NaN(), true
		}
	}
	return v, true
}
