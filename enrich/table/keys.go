package table

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/enrich"
)

// What columns are called that hold a key, in letters and digits alone, the
// likeliest first.
var (
	codeNames = []string{
		"zip", "zipcode", "zip5", "postalcode", "zipplus4", "zip4", "zip9", "postcode", "postal", "fsa", "zcta", "zcta5",
		"ziporpostalcode", "zippostalcode", "code",
	}
	latNames     = []string{"lat", "latitude", "y"}
	lonNames     = []string{"lon", "lng", "long", "longitude", "x"}
	addressNames = []string{"address", "fulladdress", "streetaddress", "address1", "addressline1", "street", "addr"}
	cityNames    = []string{"city", "town", "cityname"}
	stateNames   = []string{"state", "st", "stateabbr", "province"}
)

// A KeyError reports missing or ambiguous key columns.
type KeyError struct{ reason string }

// Error returns the requested names and the existing columns.
func (e *KeyError) Error() string { return "table: " + e.reason }

func keyError(format string, args ...any) error {
	return &KeyError{fmt.Sprintf(format, args...)}
}

// letters returns the letters and digits of a name, in lower case.
func letters(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			return r
		default:
			return -1
		}
	}, name)
}

// FindKeys finds the key columns of a table: the named ones, else those with
// usual names, else one whose name has a word for codes. Of several keys it
// takes Prefer, else a code, then coordinates, an address, and a city with its
// state. An address includes the columns of unit, city, state and ZIP. "#2" names the second column.
func FindKeys(header []string, n Names) (Keys, error) {
	return findKeysOf(header, n, func(int) []string { return nil })
}

// findKeysOf is [FindKeys] with the first values of columns.
func findKeysOf(header []string, n Names, values func(column int) []string) (Keys, error) {
	k, err := findKeys(header, n, values)
	if err != nil {
		return k, err
	}
	const point = 2 // columns
	if len(n.To) > point {
		return Keys{}, keyError("%d columns of the place to measure to are named; expected one of codes, or a latitude and a longitude", len(n.To))
	}
	for _, name := range n.To {
		i, err := columnOf(header, name)
		if err != nil {
			return Keys{}, err
		}
		k.To = append(k.To, i)
	}
	switch i := countryOf(header, &k); {
	case n.Country != "":
		if i, err = columnOf(header, n.Country); err != nil {
			return Keys{}, err
		}
		k.Country = []int{i}
	case i >= 0 && !slices.Contains(k.Columns, i):
		k.Country = []int{i}
	}
	return k, nil
}

func findKeys(header []string, n Names, values func(column int) []string) (Keys, error) {
	ways := 0
	for _, named := range [...]bool{n.Code != "", n.Lat != "" || n.Lon != "", len(n.Address) > 0} {
		if named {
			ways++
		}
	}
	switch {
	case ways > 0 && len(n.Keys) > 0:
		return Keys{}, keyError("keys are named in two ways; name them all in order of preference, as in zip, then coordinates=lat,lon")
	case len(n.Keys) > 0:
		return severalKeys(header, &n, values)
	case ways == 0:
		return searchKeys(header, &n, values)
	case ways > 1:
		return Keys{}, keyError("columns of more than one key are named; expected a code, or a latitude and a longitude, or an address. For rows with different keys, name keys in order of preference")
	case n.Code != "":
		return namedKeys(header, enrich.Code, n.Code)
	case len(n.Address) > 0:
		return addressKeys(header, n.Address)
	case n.Lat == "" || n.Lon == "":
		return Keys{}, keyError("a latitude requires a longitude; one of their columns is not named")
	default:
		return namedKeys(header, enrich.Coordinates, n.Lat, n.Lon)
	}
}

// addressKeys returns the columns of an address, or of its fields: street=COL.
func addressKeys(header, names []string) (Keys, error) {
	var fields, columns []string
	for _, name := range names {
		field, column := fieldOf(name)
		columns = append(columns, column)
		if field != "" {
			fields = append(fields, field)
		}
	}
	if len(fields) > 0 && len(fields) < len(names) {
		return Keys{}, keyError("columns of an address are either all named with fields (street=, unit=, city=, state=, zip=, country=) or none")
	}
	k, err := namedKeys(header, enrich.Address, columns...)
	k.fields = fields
	return k, err
}

// fieldOf returns the field of an address and the column that a name consists of;
// the field is "" for a column alone.
func fieldOf(name string) (field, column string) {
	field, column, ok := strings.Cut(name, "=")
	if ok && new(address.Fields).Set(field, "") {
		return field, column
	}
	return "", name
}

func namedKeys(header []string, kind enrich.Kind, names ...string) (Keys, error) {
	k := Keys{Kind: kind}
	for _, name := range names {
		i, err := columnOf(header, name)
		if err != nil {
			return k, err
		}
		k.add(header, i)
	}
	return k, nil
}

func (k *Keys) add(header []string, i int) {
	k.Columns = append(k.Columns, i)
	k.Names = append(k.Names, header[i])
}

// columnOf finds a column by its name or "#number". Unless a column has exactly
// this name, letter case and surrounding spaces are ignored.
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
		found := -1
		for i, h := range header {
			if !same(h) {
				continue
			}
			if found >= 0 {
				return 0, keyError("columns %d and %d are both called %q; name one by its number, #%[1]d", found+1, i+1, name)
			}
			found = i
		}
		if found >= 0 {
			return found, nil
		}
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

// firstOf returns the column with the likeliest of some usual names, or -1.
func firstOf(header, names []string) int {
	for _, name := range names {
		for i, h := range header {
			if letters(h) == name {
				return i
			}
		}
	}
	return -1
}

// searchKeys finds keys by what columns are called, and codes by their values too.
func searchKeys(header []string, n *Names, values func(column int) []string) (Keys, error) {
	prefer := n.Prefer
	lat, lon := firstOf(header, latNames), firstOf(header, lonNames)
	var found []Keys
	code, several := guessCode(header, n.Exact, values)
	if code >= 0 {
		k := Keys{Kind: enrich.Code}
		k.add(header, code)
		found = append(found, k)
	}
	if lat >= 0 && lon >= 0 {
		k := Keys{Kind: enrich.Coordinates}
		k.add(header, lat)
		k.add(header, lon)
		found = append(found, k)
	}
	if cols, _ := addressOf(header, "", true); cols[partStreet] > 0 {
		found = append(found, addressKey(header, &cols))
	}
	if city, state := firstOf(header, cityNames), firstOf(header, stateNames); city >= 0 && state >= 0 {
		k := Keys{Kind: enrich.City}
		k.add(header, city)
		k.add(header, state)
		found = append(found, k)
	}
	for _, k := range found {
		if k.Kind == prefer {
			return k, nil
		}
	}
	if several != nil && (prefer == 0 && len(found) == 0 || prefer == enrich.Code) {
		return Keys{}, several
	}
	if len(found) == 0 || prefer != 0 {
		hint := ""
		if codes, _ := countCodes(header); codes > 0 {
			hint = ". If the first row is not a header, read the table without one"
		}
		return Keys{}, keyError("no column looks like a code, coordinates, an address or a city; name it. The columns are %s%s", list(header), hint)
	}
	for _, i := range found[0].Columns {
		if _, err := columnOf(header, header[i]); err != nil {
			return Keys{}, err
		}
	}
	return found[0], nil
}
