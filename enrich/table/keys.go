package table

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/enrich"
)

// Names are the names of key columns. Empty ones are looked for.
type Names struct {
	Code     string   // name of the column of codes
	Lat, Lon string   // both or none
	Address  []string // several are joined, unless fields are named: street=COL, unit=, city=, state=, zip=, country=
	Country  string   // of the row; "" is found by its name. See [enrich.OtherCountry]
	Prefer   enrich.Kind
	// Keys names keys as texts: "zip", "lat,lon", "address=street,city,state". A kind may
	// precede the columns. It is required unless the columns have usual names, or there is
	// one of codes. A kind alone finds its columns by their names.
	Keys []string
	// TryNext allows several keys: a row that lacks the first, or has no match for it, is
	// looked up by the next. The order is that of the fields.
	TryNext bool
}

// Keys are the columns that rows are looked up by.
type Keys struct {
	Kind    enrich.Kind
	Columns []int    // of the header
	Names   []string // of the columns
	Country []int    // of the header, of the row's country; empty without one

	// Next holds further keys, in order of preference. A row uses the first that is
	// answered.
	Next []Keys

	fields []string // of an address, one for each column; nil if the columns are joined
	lead   int      // first columns of an address that a street is divided into; they are joined without commas
}

// Kinds returns the kinds of the further keys of rows, for the Kinds of [enrich.Options].
func (k *Keys) Kinds() (kinds []enrich.Kind) {
	for _, next := range k.Next {
		if next.Kind != k.Kind && !slices.Contains(kinds, next.Kind) {
			kinds = append(kinds, next.Kind)
		}
	}
	return kinds
}

// append appends the cells that decide the result of a row, each with its length, so that
// "a","bc" and "ab","c" differ. Cells are taken as they stand, because trimming and joining
// them first would cost more than a few more results in the cache.
func (k *Keys) append(dst []byte, r *row) []byte {
	for _, c := range k.Columns {
		from := len(dst)
		dst = r.appendText(dst, c)
		dst = binary.AppendUvarint(dst, uint64(len(dst)-from))
	}
	for i := range k.Next {
		dst = k.Next[i].append(dst, r)
	}
	return dst
}

// text returns the key that a row is looked up by.
func (k *Keys) text(r *row) string {
	switch {
	case k.Kind == enrich.Coordinates:
		return enrich.JoinCoordinates(r.text(k.Columns[0]), r.text(k.Columns[1]))
	case k.Kind == enrich.Code:
		return strings.TrimSpace(r.text(k.Columns[0]))
	case k.fields != nil:
		var f address.Fields
		for i, c := range k.Columns {
			*fieldNamed(&f, k.fields[i]) = r.text(c)
		}
		return enrich.JoinFields(f)
	}
	parts := make([]string, 0, len(k.Columns))
	for i, c := range k.Columns {
		if 0 < i && i < k.lead { // "12", "N", "Main", "St" are one street, and commas divide others
			parts[0] = strings.ReplaceAll(enrich.JoinAddress(parts[0], r.text(c)), ", ", " ")
		} else {
			parts = append(parts, r.text(c))
		}
	}
	return enrich.JoinAddress(parts...)
}

// keyError reports missing or ambiguous key columns.
func keyError(format string, args ...any) error {
	return &Error{Reason: fmt.Sprintf(format, args...)}
}

// find finds the keys and the column of the country.
func (f *finder) find(n *Names) (Keys, error) {
	all, err := f.named(n)
	if err != nil {
		return Keys{}, err
	}
	k := all[0]
	if len(all) > 1 { // trying keys in turn must be requested
		if k.Next = all[1:]; !n.TryNext {
			return Keys{}, keyError("%d keys are named; name one, or try the next key of rows without a match (--try-next)", len(all))
		}
	}
	if n.Country != "" {
		i, err := f.column(n.Country)
		if err != nil {
			return Keys{}, err
		}
		k.Country = []int{i}
	} else if i := f.countryOf(&k); i >= 0 && !slices.Contains(k.Columns, i) {
		k.Country = []int{i}
	}
	return k, nil
}

// named returns the named keys, or without a name the one that is found.
func (f *finder) named(n *Names) (all []Keys, err error) {
	add := func(kind enrich.Kind, columns ...string) {
		if err == nil {
			var k Keys
			k, err = f.key(kind, columns)
			all = append(all, k)
		}
	}
	if n.Code != "" {
		add(enrich.Code, n.Code)
	}
	if n.Lat != "" || n.Lon != "" {
		add(enrich.Coordinates, n.Lat, n.Lon)
	}
	if len(n.Address) > 0 {
		add(enrich.Address, n.Address...)
	}
	for _, text := range n.Keys {
		var kind enrich.Kind
		if word, rest, ok := strings.Cut(text, "="); ok && enrich.Kind(strings.TrimSpace(word)).IsValid() {
			kind, text = enrich.Kind(strings.TrimSpace(word)), rest
		}
		columns := strings.Split(text, ",")
		for i, name := range columns {
			columns[i] = strings.TrimSpace(name)
		}
		add(kind, columns...)
	}
	if all == nil {
		k, err := f.search(n.Prefer)
		return []Keys{k}, err
	}
	return all, err
}

// key finds the key of named columns. If the kind is "", the names define it, or a name is
// the kind whose columns are searched for. A column called "address" or "city" goes before
// the kind of that name.
func (f *finder) key(kind enrich.Kind, names []string) (k Keys, err error) {
	const point = 2 // columns
	if word := enrich.Kind(names[0]); kind == "" && len(names) == 1 && word.IsValid() {
		if _, err := columnOf(f.header, names[0]); err != nil {
			return f.search(word) // no such column
		}
	}
	first := newHeading(names[0])
	field, _ := fieldOf(names[0])
	whole := kind == "" && len(names) == 1 && first.part == street && field == "" // with its city
	switch {
	case kind != "":
	case field != "", first.part == street:
		kind = enrich.Address
	case first.part == city && len(names) <= point:
		kind = enrich.City
		if i := f.groups[first.group]; len(names) == 1 && i != nil && i[state] > 0 {
			names = append(names, f.header[i[state]-1])
		}
	case len(names) == 1:
		kind = enrich.Code
	case len(names) == point && slices.Contains(latNames, first.letters) && slices.Contains(lonNames, newHeading(names[1]).letters):
		kind = enrich.Coordinates
	default:
		return k, keyError("the names of the key %q do not define its kind; write coordinates=, address= or city= before them", strings.Join(names, ","))
	}
	k.Kind = kind
	switch n := len(names); {
	case kind == enrich.Coordinates && n == point && (names[0] == "" || names[1] == ""):
		return k, keyError("a latitude requires a longitude; one of their columns is not named")
	case kind == enrich.Coordinates && n != point, kind == enrich.Code && n != 1:
		return k, keyError("the key %q has %d columns; expected a code, or a latitude and a longitude", strings.Join(names, ","), n)
	}
	for _, name := range names {
		if field, column := fieldOf(name); kind == enrich.Address && field != "" {
			k.fields, name = append(k.fields, field), column
		}
		i, err := f.column(name)
		if err != nil {
			return k, err
		}
		k.add(f.header, i)
	}
	switch {
	case len(k.fields) > 0 && len(k.fields) < len(names):
		return k, keyError("columns of an address are either all named with fields (street=, unit=, city=, state=, zip=, country=) or none")
	case whole:
		cols := f.address(f.names[k.Columns[0]].group)
		cols[street] = k.Columns[0] + 1
		return f.ofParts(&cols), nil
	}
	return k, nil
}

// fieldOf returns the field of an address and the column that a name consists of; the
// field is "" for a column alone.
func fieldOf(name string) (field, column string) {
	field, column, ok := strings.Cut(name, "=")
	if ok && fieldNamed(new(address.Fields), field) != nil {
		return field, column
	}
	return "", name
}

// fieldNamed returns the field of an address with a name, nil for other names.
func fieldNamed(f *address.Fields, name string) *string {
	switch name {
	case "street":
		return &f.Street
	case "unit":
		return &f.Unit
	case "city":
		return &f.City
	case "state":
		return &f.State
	case "zip":
		return &f.ZIP
	case "country":
		return &f.Country
	default:
		return nil
	}
}

func (k *Keys) add(header []string, columns ...int) {
	for _, i := range columns {
		k.Columns, k.Names = append(k.Columns, i), append(k.Names, header[i])
	}
}

// columnOf finds a column by its name or "#number". Unless a column has exactly this name,
// letter case and surrounding spaces are ignored.
func columnOf(header []string, name string) (int, error) {
	if digits, ok := strings.CutPrefix(name, "#"); ok {
		if n, err := strconv.Atoi(digits); err == nil && n >= 1 && n <= len(header) {
			return n - 1, nil
		}
	}
	for _, same := range []func(h string) bool{
		func(h string) bool { return h == name },
		func(h string) bool { return strings.EqualFold(strings.TrimSpace(h), strings.TrimSpace(name)) },
	} {
		i := slices.IndexFunc(header, same)
		if i < 0 {
			continue
		}
		if k := slices.IndexFunc(header[i+1:], same); k >= 0 {
			return 0, keyError("columns %d and %d are both called %q; name one by its number, #%[1]d", i+1, i+k+2, name)
		}
		return i, nil
	}
	return 0, keyError("there is no column %q; the columns are %s", name, list(header))
}

// list names columns, the first ones of many.
func list(header []string) string {
	const most = 30
	if len(header) > most {
		return strings.Join(header[:most], ", ") + fmt.Sprintf(" and %d more", len(header)-most)
	}
	return strings.Join(header, ", ")
}

// ofParts returns the key of an address whose columns were found, in the order of addresses.
// Directions and types of a street only count beside a column of house numbers: without one,
// the column of the street has the whole line. A street without a city and a code is a whole
// address, to which a column of states or countries would add a second state.
func (f *finder) ofParts(cols *addressColumns) Keys {
	k := Keys{Kind: enrich.Address}
	for p := number; p <= code; p++ {
		whole := cols[city] == 0 && cols[code] == 0
		switch {
		case cols[p] == 0, p < unit && p != street && cols[number] == 0, p > unit && whole:
			continue
		case p < unit:
			k.lead++ // text joins them without commas
		}
		k.add(f.header, cols[p]-1)
	}
	return k
}

// search finds keys by the names of columns, and codes by their values too.
func (f *finder) search(prefer enrich.Kind) (Keys, error) {
	var found []Keys
	add := func(kind enrich.Kind, columns ...int) {
		if !slices.Contains(columns, -1) {
			k := Keys{Kind: kind}
			k.add(f.header, columns...)
			found = append(found, k)
		}
	}
	code, several := f.guessCode()
	add(enrich.Code, code)
	add(enrich.Coordinates, f.firstOf(latNames), f.firstOf(lonNames))
	if cols := f.mostComplete(); cols[street] > 0 {
		found = append(found, f.ofParts(&cols))
	}
	if place := f.groups[""]; place[state] > 0 { // -1 without a city
		add(enrich.City, place[city]-1, place[state]-1)
	}
	for _, k := range found {
		if k.Kind == prefer {
			return k, nil
		}
	}
	if several != nil && (prefer == "" && len(found) == 0 || prefer == enrich.Code) {
		return Keys{}, several
	}
	if len(found) == 0 || prefer != "" {
		e := &Error{Reason: "no column looks like a code, coordinates, an address or a city; name it. The columns are " + list(f.header), Options: []string{"Code", "Lat", "Lon", "Address"}}
		if codes, _ := countCodes(f.header); codes > 0 {
			e.Reason += ". If the first row is not a header, read the table without one"
			e.Options = append(e.Options, "NoHeader")
		}
		return Keys{}, e
	}
	for _, name := range found[0].Names { // of two columns of a name, neither is chosen silently
		if _, err := columnOf(f.header, name); err != nil {
			return Keys{}, err
		}
	}
	return found[0], nil
}
