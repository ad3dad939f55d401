package owntables

import (
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/internal/dataset"
)

// A Recipe describes a table and its columns. Users write recipes as JSON.
type Recipe struct {
	Table       string            `json:"table"`       // name in results
	Title       string            `json:"title"`       // of the data
	URL         string            `json:"url"`         // address of the file at the publisher
	License     string            `json:"license"`     // of the data
	Attribution string            `json:"attribution"` // credit that the publisher requests
	Note        string            `json:"note"`        // peculiarities of the file
	Key         string            `json:"key"`         // geography of the rows
	ID          string            `json:"id"`          // column of the keys
	Sheet       string            `json:"sheet"`       // of an Excel file; "" is the first
	Year        string            `json:"year"`        // of the values, or the column of the year
	Weight      string            `json:"weight"`      // measure of shares: people, housing or area
	Missing     []string          `json:"missing"`     // texts that mark unknown values
	Count       []string          `json:"count"`
	Rate        []string          `json:"rate"`   // COLUMN/DENOMINATOR
	Mean        []string          `json:"mean"`   // COLUMN or COLUMN:WEIGHT
	Median      []string          `json:"median"` // COLUMN or COLUMN:WEIGHT
	Category    []string          `json:"category"`
	Absent      map[string]string `json:"absent"` // category of areas without a row, by column
	Ignore      []string          `json:"ignore"` // "*" ignores all others
}

// A Request is a table that the user adds, and its file.
type Request struct {
	Recipe
	File string
}

//go:embed recipes/*.json
var recipes embed.FS

// Recipes returns the names of the built-in recipes.
func Recipes() (names []string) {
	files, _ := fs.Glob(recipes, "recipes/*.json") // the pattern is valid
	for _, f := range files {
		names = append(names, strings.TrimSuffix(strings.TrimPrefix(f, "recipes/"), ".json"))
	}
	return names
}

// BuiltIn returns a built-in recipe.
func BuiltIn(name string) (r Recipe, ok bool) {
	text, err := recipes.ReadFile("recipes/" + name + ".json")
	if err != nil {
		return r, false
	}
	return r, decode(text, &r) == nil
}

func decode(text []byte, r *Recipe) error {
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.DisallowUnknownFields()
	return d.Decode(r)
}

// ParseRecipe reads RECIPE=FILE with the options of [ParseTable]. A recipe is a
// built-in one or the path of a JSON file.
func ParseRecipe(text string) (r Request, err error) {
	name, rest, ok := strings.Cut(text, "=")
	if !ok || name == "" || rest == "" {
		return r, fmt.Errorf("%q is not of the form RECIPE=FILE", text)
	}
	if r.Recipe, ok = BuiltIn(name); !ok {
		file, err := os.ReadFile(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return r, fmt.Errorf("unknown recipe %q; built-in recipes: %s, or the path of a JSON file", name, strings.Join(Recipes(), ", "))
		case err != nil:
			return r, err
		}
		if err := decode(file, &r.Recipe); err != nil {
			return r, fmt.Errorf("recipe %s: %w", name, err)
		}
	}
	if err := r.options(text, rest); err != nil {
		return r, err
	}
	err = r.check(text)
	return r, err
}

// ParseTable reads NAME=FILE with options. Without the option key, the options come
// from the JSON file next to it.
func ParseTable(text string) (r Request, err error) {
	name, rest, ok := strings.Cut(text, "=")
	if !ok || name == "" || rest == "" {
		return r, fmt.Errorf("%q is not of the form NAME=FILE,key=KEY", text)
	}
	if err := r.options(text, rest); err != nil {
		return r, err
	}
	if r.Key == "" {
		if r, err = sidecar(r.File); err != nil {
			return r, err
		}
		if err := r.options(text, rest); err != nil {
			return r, err
		}
	}
	r.Table = strings.TrimSpace(name)
	err = r.check(text)
	return r, err
}

// sidecar reads the JSON file next to a table, such as svi.json or svi.csv.json for
// svi.csv.
func sidecar(file string) (r Request, err error) {
	for _, path := range []string{file + ".json", strings.TrimSuffix(file, filepath.Ext(file)) + ".json"} {
		if path == file {
			continue
		}
		text, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = decode(text, &r.Recipe)
		}
		if err != nil {
			return r, fmt.Errorf("%s: %w", path, err)
		}
		return r, nil
	}
	return r, nil
}

// option returns the field of an option: a *string, a *[]string, or the map of absent
// categories; nil if it is unknown.
func (r *Recipe) option(name string) any {
	return map[string]any{
		"table": &r.Table, "title": &r.Title, "license": &r.License, "attribution": &r.Attribution,
		"key": &r.Key, "id": &r.ID, "sheet": &r.Sheet, "year": &r.Year, "weight": &r.Weight,
		"missing": &r.Missing, "count": &r.Count, "rate": &r.Rate, "mean": &r.Mean, "median": &r.Median,
		"category": &r.Category, "ignore": &r.Ignore, "absent": &r.Absent,
	}[name]
}

const optionNames = "key, id, sheet, year, count, rate, mean, median, category, ignore, absent, missing, weight, title, license, attribution"

// options reads FILE,option=value. A part without an option is a further value of the
// one before, or continues its text.
func (r *Request) options(text, rest string) error {
	parts := strings.Split(rest, ",")
	r.File = parts[0]
	last := ""
	for _, part := range parts[1:] {
		option, value, assigned := strings.Cut(part, "=")
		option = strings.TrimSpace(option)
		switch {
		case assigned && r.option(option) != nil:
			last = option
		case assigned && !strings.ContainsAny(option, ` /:\`):
			return fmt.Errorf("%q has the option %q; known options: %s", text, option, optionNames)
		case last == "":
			r.File += "," + part
			continue
		default:
			value, assigned = part, false
		}
		if err := r.set(last, value, !assigned); err != nil {
			return fmt.Errorf("%q: %w", text, err)
		}
	}
	return nil
}

// set sets an option, or continues its text.
func (r *Recipe) set(option, value string, further bool) error {
	switch to := r.option(option).(type) {
	case *string:
		if further {
			value = *to + "," + value
		}
		*to = value
	case *[]string:
		*to = append(*to, strings.TrimSpace(value))
	case *map[string]string:
		column, category, ok := strings.Cut(value, ":")
		if !ok {
			return fmt.Errorf("absent=%s; expected COLUMN:CATEGORY", value)
		}
		if *to == nil {
			*to = map[string]string{}
		}
		(*to)[strings.TrimSpace(column)] = category
	}
	return nil
}

func (r *Request) check(text string) error {
	r.Key = strings.ToLower(strings.TrimSpace(r.Key))
	id, layer := dataset.ParseLayerName(r.Key)
	switch {
	case layer:
		r.Key = id.String()
	case r.Key == "zcta":
		r.Key = "zip"
	}
	if !layer && !slices.Contains([]string{"zip", "fsa", "state", "csa"}, r.Key) {
		return fmt.Errorf("%q lacks key=zip, fsa, state, csa or a layer such as tract or county, or a JSON file next to the table", text)
	}
	if !dataset.ValidTableName(r.Table) {
		return fmt.Errorf("%q is not the name of a table; expected at most %d lower-case letters, digits and underscores", r.Table, dataset.MaxTableName)
	}
	switch r.Weight {
	case "", "people", "housing", "area":
		return nil
	default:
		return fmt.Errorf("%q has weight=%s; expected people, housing or area", text, r.Weight)
	}
}

// Describe returns the source of the values.
func (r *Request) Describe() string {
	return cmp.Or(r.Title, r.Table) + " (" + strings.ReplaceAll(r.File[strings.LastIndexAny(r.File, `/\`)+1:], ",", " ") + ")"
}

// year returns the year of all rows, or the column of the years.
func (r *Recipe) year() (year int, column string, err error) {
	if r.Year == "" {
		return 0, "", nil
	}
	n, err := strconv.Atoi(r.Year)
	if err != nil {
		return 0, r.Year, nil
	}
	return n, "", checkYear(n)
}

func checkYear(n int) error {
	const first, last = 1700, 2200
	if n < first || n > last {
		return fmt.Errorf("the year %d; expected %d to %d", n, first, last)
	}
	return nil
}
