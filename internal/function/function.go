// Package function describes the functions of rows that postgeo udf, the server and
// postgeo-sql offer to other engines under the same names.
package function

import (
	"strings"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/envelope"
	"github.com/postgeo/postgeo/internal/lookup"
	"github.com/postgeo/postgeo/price"
)

// A Function returns a value, or an object of several fields, for the arguments of a
// row. Rows without a match have null.
type Function struct {
	Name      string
	Help      string
	Kind      enrich.Kind // of the key
	Arguments []string    // their names, in order
	Fields    []Field     // a single one is the value itself
	Price     string      // in credits, in words

	to     bool // the last argument is the place to measure to
	quote  func(lookup.Code) price.Cost
	failed func(lookup.Code) price.Cost
}

// A Field is a member of the result.
type Field struct {
	Name string
	Path string // of [enrich.Catalog]
}

// All returns the functions in the order of the documents.
func All() []*Function {
	return []*Function{
		ofCode("zip_city", "City of a code.", Field{"city", "city"}),
		ofCode("zip_state", "State or province of a code.", Field{"state", "state"}),
		ofCode("zip_county", "FIPS code of the county of a ZIP Code.", Field{"county_fips", "county_fips"}),
		ofCode("zip_lookup", "Place of a code.", place()...),
		ofPoint("point_zip", "ZIP Code or FSA at a coordinate.", Field{"code", "code"}),
		ofPoint("point_county", "FIPS code of the county of the code at a coordinate.", Field{"county_fips", "county_fips"}),
		ofPoint("point_lookup", "Place at a coordinate.", place()...),
		{
			Name: "geocode", Help: "Position of an address.", Kind: enrich.Address, Arguments: []string{"address"}, Price: "1",
			Fields: []Field{
				{"lat", "geocode.location.lat"}, {"lon", "geocode.location.lon"}, {"precision", "geocode.precision"}, {"zip", "geocode.zip"},
			},
			quote: always(price.QuoteGeocode()), failed: always(price.QuoteGeocode()),
		},
		{
			Name: "find_place", Help: "Place that a text names, such as \"Austin, TX\".", Kind: enrich.Text, Arguments: []string{"text"}, Price: "1",
			Fields: []Field{
				{"name", "suggest.name"},
				{"type", "suggest.type"},
				{"state", "suggest.state"},
				{"lat", "suggest.location.lat"},
				{"lon", "suggest.location.lon"},
			},
			quote: always(price.QuoteSuggest(1)), failed: always(price.QuoteSuggest(1)),
		},
		{
			Name: "geo_distance", Help: "Miles between two codes or coordinates.", Kind: enrich.Code, Arguments: []string{"origin", "destination"}, Price: "1",
			Fields: []Field{{"miles", "distance.miles"}}, to: true,
			quote: always(price.QuoteDistance()), failed: always(price.QuoteDistance()),
		},
	}
}

// Named returns the function with a name, or nil.
func Named(name string) *Function {
	for _, f := range All() {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// Names returns the names of all functions, separated by commas.
func Names() string {
	var names []string
	for _, f := range All() {
		names = append(names, f.Name)
	}
	return strings.Join(names, ",")
}

func place() []Field {
	var fields []Field
	for _, name := range []string{"code", "city", "state", "county", "county_fips", "classification"} {
		fields = append(fields, Field{name, name})
	}
	return append(fields, Field{"lat", "location.lat"}, Field{"lon", "location.lon"})
}

func ofCode(name, help string, fields ...Field) *Function {
	f := quick(name, help, fields)
	f.Kind, f.Arguments, f.Price = enrich.Code, []string{"code"}, "1, of a ZIP+4 2. Not found: 1."
	return f
}

func ofPoint(name, help string, fields ...Field) *Function {
	f := quick(name, help, fields)
	f.Kind, f.Arguments, f.Price = enrich.Coordinates, []string{"lat", "lon"}, "2"
	return f
}

// quick returns a function with the price of a quick lookup.
func quick(name, help string, fields []Field) *Function {
	return &Function{
		Name: name, Help: help, Fields: fields,
		quote: func(c lookup.Code) price.Cost { return price.QuoteQuickLookup(c, false) },
		failed: func(c lookup.Code) price.Cost {
			if c.IsValid() && c.Type() != lookup.Coordinates {
				return price.QuoteDistance() // 1, as every code that is not found
			}
			return price.QuoteQuickLookup(c, false)
		},
	}
}

func always(c price.Cost) func(lookup.Code) price.Cost {
	return func(lookup.Code) price.Cost { return c }
}

// Quote returns the maximum price of a row. It is 0 if the row is not valid.
func (f *Function) Quote(key, to string) price.Cost {
	code, ok := f.parse(key, to)
	if !ok {
		return price.Cost{}
	}
	return f.quote(code)
}

// Cost returns the price of the result of a row.
func (f *Function) Cost(key, to string, out enrich.Outcome) price.Cost {
	code, ok := f.parse(key, to)
	switch {
	case !ok:
		return price.Cost{}
	case out.Status.Answered():
		return f.quote(code)
	case out.Status == enrich.NotFound, out.Status == enrich.Ambiguous:
		return f.failed(code)
	default:
		return price.Cost{}
	}
}

// IsValid reports whether a row can have a result: its codes have the form of codes,
// and texts are not empty. Codes that spreadsheets changed are not valid, because their
// price and permit are unknown before an [enrich.Enricher] repairs them.
func (f *Function) IsValid(key, to string) bool {
	_, ok := f.parse(key, to)
	return ok
}

// parse returns the code of a valid row, if its key is one.
func (f *Function) parse(key, to string) (code lookup.Code, ok bool) {
	if f.Kind != enrich.Code && f.Kind != enrich.Coordinates {
		return code, key != ""
	}
	if f.to {
		if _, err := lookup.ParseCode(to); err != nil {
			return code, false
		}
	}
	code, err := lookup.ParseCode(key)
	return code, err == nil
}

// Options returns the options of an [enrich.Enricher] of the function's fields.
func (f *Function) Options() enrich.Options {
	o := enrich.Options{Kind: f.Kind, DistanceToRow: f.to}
	for _, field := range f.Fields {
		o.Add = append(o.Add, field.Name+"="+field.Path)
	}
	return o
}

// Split separates the arguments of a key from the place to measure to, if the
// function has one.
func (f *Function) Split(cells []string) (key []string, to string) {
	if last := len(cells) - 1; f.to && last > 0 {
		return cells[:last], cells[last]
	}
	return cells, ""
}

// Key returns the key of a row from its arguments. It returns false if their number
// does not fit.
func Key(kind enrich.Kind, cells []string) (string, bool) {
	const point = 2 // cells
	switch {
	case kind == enrich.Coordinates && len(cells) == point:
		return enrich.JoinCoordinates(cells[0], cells[1]), true
	case kind == enrich.Address, kind == enrich.Text:
		return enrich.JoinAddress(cells...), true
	case kind == enrich.Code && len(cells) == 1:
		return strings.TrimSpace(cells[0]), true
	default:
		return "", false
	}
}

// AppendJSON appends the values of the columns: one as itself, several as an object
// that continues with the names in more.
func AppendJSON(dst []byte, columns []enrich.Column, values []enrich.Value, more ...string) []byte {
	if len(values) == 1 {
		return values[0].AppendJSON(dst)
	}
	dst = append(dst, '{')
	for i, v := range values {
		if i > 0 {
			dst = append(dst, ',')
		}
		var name string
		if i < len(columns) {
			name = columns[i].Name
		} else {
			name = more[i-len(columns)]
		}
		dst = v.AppendJSON(append(envelope.AppendString(dst, name), ':'))
	}
	return append(dst, '}')
}
