package table

import (
	"slices"
	"strings"

	"github.com/postgeo/postgeo/lookup"
)

// The columns of a key are found by their names alone, for codes also by their first values,
// so that the export of a CRM system or shop needs no flags. testdata/exports.txt has the
// headers that this was made for.
//
//  1. words divides a name into words; vocabulary has the senses of each. Many words have
//     several: "street" is a street, or beside "number" that of a house; and "Postal State"
//     is not a code.
//  2. findPart decides by the senses of all words together which part of an address the
//     column has. Its order of cases is that from the specific to the general.
//  3. Words without a sense of that kind are the group of the name: "shipping" in "Shipping
//     Address1" and "Shipping City". Columns of one group are one address, so that a billing
//     street is not joined with the shipping city.
//  4. Of several columns for one part, the one of the highest rank counts, then the first.
//
// Names that are not understood are not guessed: a wrong column would give wrong rows
// without an error.

// A part is the content of a column of an address, in the order of addresses, or another
// sense of a word in a column's name.
type part uint8

const (
	noPart part = iota
	number
	sideBefore // direction before the name of the street
	street
	kind      // of the street
	sideAfter // direction after the name of the street
	unit
	city
	state
	code
	country

	house       // beside a number
	houseNumber // in one word
	side        // a direction, of whichever end
	filler      // without a sense of its own
	lastOfParts // words of no sense up to here are the group of a name, such as shipping
	notCode     // in names of columns about codes
	notAddress  // in names of columns about addresses, and of other addresses
	owner       // whose address it is
	usualOwner  // the same; a header is recognized by it
)

// senses is a set of parts.
type senses uint32

func (s senses) has(p part) bool { return s>>p&1 != 0 }

// vocabulary has the senses of words.
var vocabulary = func() map[string]senses {
	v := make(map[string]senses)
	for p, list := range [...]string{
		street:      "street streetaddress streetname address addr adr adresse addressline fulladdress road st rue",
		number:      "number no num nbr nr",
		house:       "house street st civic addr address building",
		houseNumber: "housenumber housenum houseno housenr streetnumber streetnum streetno civicnumber addressnumber hsenum",
		unit:        "unit unitnumber apt apartment suite ste",
		city:        "city town cityname municipality locality ville village",
		state:       "state statename stateabbr statecode stateprovince province provincecode prov region",
		country:     "country countrycode countryname countryregion countryiso ctry pays nation pais",
		kind:        "type suffix",
		side:        "direction dir directional predir predirection predirectional postdir postdirection postdirectional",
		code:        "zip zips postal postcode zcta fsa",
		filler:      "name code line first second primary full formatted abbr abbreviation zip4 pre post to or of cd desc iso iso2 iso3",
		notCode:     "type name city state county country province valid status flag lat latitude lon lng longitude class count file addon plus4 population description desc date distance box",
		notAddress:  "email ip web url mac status label valid validated verified id county fips origin birth manufacture lat latitude lon lng longitude phone date count",
		owner: "mail deliver residence residential res physical permanent office client member patient donor vendor supplier recipient buyer sold " +
			"location main primary order provider person organization",
		usualOwner: "mailing billing bill shipping ship delivery home business work company customer contact account site default property",
	} {
		for word := range strings.FieldsSeq(list) {
			v[word] |= 1 << p
		}
	}
	return v
}()

// sensesOf returns the senses of some words together. Words that begin with zipcode and the
// like are of codes too, such as zipcode5; zipper and postage are not.
func sensesOf(words ...string) (all senses) {
	for _, w := range words {
		all |= vocabulary[w]
		for _, begin := range [...]string{"zipcode", "zipcd", "postalcode", "zip5", "zcta5"} {
			if strings.HasPrefix(w, begin) {
				all |= 1 << code
			}
		}
	}
	return all
}

// Usual names of key columns, in letters and digits alone, the likeliest first.
var (
	codeNames = strings.Fields("zip zipcode zip5 postalcode zipplus4 zip4 zip9 postcode postal fsa zcta zcta5 ziporpostalcode zippostalcode code")
	latNames  = strings.Fields("lat latitude y")
	lonNames  = strings.Fields("lon lng long longitude x")
)

// words divides a name at other characters than letters and digits, and at capitals after
// small letters: "MailingPostalCode" is mailing, postal and code.
func words(name string) []string {
	var b strings.Builder
	small := false
	for _, c := range name {
		capital, digit, lower := c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c >= 'a' && c <= 'z'
		if capital && small {
			b.WriteByte(' ')
		}
		if small = lower; !capital && !lower && !digit {
			c = ' '
		}
		b.WriteRune(c)
	}
	return strings.Fields(strings.ToLower(b.String()))
}

// A heading is the meaning of a column's name.
type heading struct {
	letters string // and digits
	part    part
	group   string // of an address, such as "shipping"
	rank    int    // of several columns of a part, the highest is used
	code    bool   // has a word for codes
	plus4   bool   // the last four digits of ZIP+4 codes, if there is another column of codes
}

func newHeading(name string) heading {
	list := words(name)
	h, has := heading{letters: strings.Join(list, "")}, sensesOf(list...)
	h.code = has.has(code) && !has.has(notCode)
	h.plus4 = h.letters != "zipplus4" && strings.HasSuffix(h.letters, "4")
	h.findPart(list)
	return h
}

// usual reports whether a header is recognized by the name.
func (h *heading) usual() bool {
	return slices.Contains(latNames, h.letters) || slices.Contains(lonNames, h.letters) || slices.Contains(codeNames, h.letters) ||
		h.part != noPart && (h.group == "" || sensesOf(h.group).has(usualOwner))
}

// findPart finds the part of an address that the words of a column's name indicate.
func (h *heading) findPart(words []string) {
	var list []string
	for _, w := range words {
		stem := strings.TrimRight(w, "0123456789")
		// Address1, Line2 and ShipTo1 end with the number of their line. Other numbers stay,
		// as in zip4 and iso2.
		if stem != w && (sensesOf(stem).has(street) || stem == "line" || stem == "to") {
			list = append(list, stem, w[len(stem):])
		} else {
			list = append(list, w)
		}
	}
	// "State/county of Address" is a state, but "county" alone is not part of an address.
	if sensesOf(list...).has(state) {
		list = slices.DeleteFunc(list, func(w string) bool { return w == "county" })
	}
	if len(list) == 0 || sensesOf(list...).has(notAddress) || slices.Contains(list, "e") && slices.Contains(list, "mail") {
		return
	}
	line := ""
	if last := list[len(list)-1]; len(list) > 1 && (last == "1" || last == "2" || last == "3") {
		line, list = last, list[:len(list)-1]
	}
	has := sensesOf(list...).has
	begins := func(s string) bool {
		return slices.ContainsFunc(list, func(w string) bool { return strings.HasPrefix(w, s) })
	}
	switch {
	case slices.Contains(list, "second"):
		line = "2"
	case slices.Contains(list, "first") && has(street):
		line = "1"
	}
	switch {
	case has(country): // first, because "Country/Region" has a word for states too
		h.part = country
	case h.code || h.letters != "code" && slices.Contains(codeNames, h.letters):
		if h.part = code; !h.plus4 {
			h.rank = 1
		}
		if n := len(list); n > 1 && list[n-1] == "5" {
			list = list[:n-1] // ZIP Code 5
		}
	case has(city):
		h.part = city
	case has(state), h.letters == "st": // "st" beside other words is a street
		h.part = state
		// "region" alone can be a sales region, so a column called state is preferred.
		if h.letters == "st" || slices.ContainsFunc(list, func(w string) bool { return w != "region" && sensesOf(w).has(state) }) {
			h.rank = 1
		}
	case has(houseNumber), has(number) && has(house), len(list) == 1 && list[0] == "number":
		h.part = number
	case has(side) && (has(street) || len(list) == 1):
		h.part = sideBefore
		if begins("post") || slices.Contains(list, "suffix") {
			h.part = sideAfter
		}
	case has(kind) && has(street) && !slices.Contains(list, "address"), h.letters == "streettype":
		h.part = kind
	case has(unit), line == "2" && (has(street) || slices.Contains(list, "line")):
		h.part = unit
	case has(street) && !has(kind) && line != "3":
		h.part = street
		// A formatted address repeats the city and the code, so it is the last choice.
		switch {
		case line == "1":
			h.rank = 4
		case begins("street"):
			h.rank = 3
		case begins("formatted"), begins("full"):
			h.rank = 1
		default:
			h.rank = 2
		}
	}
	// Words with a sense below lastOfParts describe the content, the others the owner.
	h.group = strings.Join(slices.DeleteFunc(list, func(w string) bool { return sensesOf(w)&(1<<lastOfParts-1) != 0 }), " ")
}

// An addressColumns has the column of each part of an address, from 1; 0 if the table
// lacks it.
type addressColumns [country + 1]int

// A finder finds the columns of keys.
type finder struct {
	header  []string
	rows    [][]string // the first ones, if they are known
	names   []heading
	groups  map[string]*addressColumns
	further bool // of NDJSON: columns that the header lacks are added to it
}

func newFinder(header []string, rows [][]string) *finder {
	f := &finder{header: slices.Clip(header), rows: rows, groups: map[string]*addressColumns{"": {}}}
	for i, name := range header {
		h := newHeading(name)
		f.names = append(f.names, h)
		of := f.groups[h.group]
		if of == nil {
			of = new(addressColumns)
			f.groups[h.group] = of
		}
		if at := &of[h.part]; *at == 0 || h.rank > f.names[*at-1].rank {
			*at = i + 1
		}
	}
	return f
}

// column finds a column by its name.
func (f *finder) column(name string) (int, error) {
	i, err := columnOf(f.header, name)
	if err != nil && f.further && name != "" {
		i, err = len(f.header), nil
		f.header, f.names = append(f.header, name), append(f.names, newHeading(name))
	}
	return i, err
}

// firstOf returns the column with the likeliest of some usual names, or -1.
func (f *finder) firstOf(names []string) int {
	for _, name := range names {
		if i := slices.IndexFunc(f.names, func(h heading) bool { return h.letters == name }); i >= 0 {
			return i
		}
	}
	return -1
}

// address returns the columns of the address of a group, with those that no group has.
func (f *finder) address(group string) (cols addressColumns) {
	of, all := f.groups[group], f.groups[""]
	if of != nil {
		cols = *of
	}
	// In res_street_address;res_city_desc;state_cd;zip_code only some names have the group.
	for p := city; p <= code && cols[street] > 0; p++ {
		if cols[p] == 0 {
			cols[p] = all[p]
		}
	}
	return cols
}

// mostComplete returns the columns of the address with the most parts.
func (f *finder) mostComplete() addressColumns {
	best, group := 0, ""
	for _, h := range f.names {
		of := f.groups[h.group]
		if h.part == noPart || of[street] == 0 {
			continue
		}
		score := 1
		for p, points := range map[part]int{city: 2, code: 2, state: 1} {
			if of[p] > 0 {
				score += points
			}
		}
		if score > best {
			best, group = score, h.group
		}
	}
	if best == 0 {
		return addressColumns{}
	}
	return f.address(group)
}

// countryOf returns the column of the country of a key's rows, or -1: that of the key's
// group, else of no group, such as "Business Country Code (If outside U.S.)", else the only
// one of an address.
func (f *finder) countryOf(k *Keys) int {
	found, best, several := -1, 0, false
	group := f.names[k.Columns[0]].group
	for i, h := range f.names {
		fits := 0
		switch {
		case h.part != country:
		case h.group == group:
			fits = 4
		case h.group == "":
			fits = 3
		case group != "" && strings.HasPrefix(h.group, group):
			fits = 2
		case sensesOf(strings.Fields(h.group)...)&(1<<owner|1<<usualOwner) != 0:
			fits = 1
		}
		// Two countries of other addresses are ambiguous; a later, better one decides again.
		if several = several && fits <= best || fits == 1 && best == 1; fits > best {
			found, best = i, fits
		}
	}
	if several && best == 1 {
		return -1
	}
	return found
}

const (
	sampled = 1000 // rows that decide about columns
	titled  = 20   // rows that are searched for the header
)

// guessCode returns the column of codes, which has the most points for its name and its
// first values. It returns -1 without one, and an error for several. A usual name has one
// more point for each of codeNames after it.
//
// Only names with a word for codes count: five digits can be anything, such as a number of a
// customer. Values go before names (fits exceeds all names), so that a column zip with yes
// and no gives way to "Billing Zip" with codes. A column without values, as in an empty
// table, comes between the two.
func (f *finder) guessCode() (int, error) {
	const (
		usual    = 15
		word     = 10
		plus4    = 5
		fits     = 40 // at least half of the values look like codes
		noValues = 15
	)
	found, most, equal := -1, word, -1 // a word alone, with values that are not codes, is not enough
	for i, h := range f.names {
		var points int
		switch rank := slices.Index(codeNames, h.letters); {
		case h.plus4 && (rank >= 0 || h.code):
			points = plus4
		case rank >= 0:
			points = usual + len(codeNames) - rank
		case h.code:
			points = word
		default:
			continue
		}
		var values []string
		for _, row := range f.rows {
			if i < len(row) {
				values = append(values, row[i])
			}
		}
		switch codes, all := countCodes(values); {
		case all == 0:
			points += noValues
		case 2*codes >= all:
			points += fits
		}
		if points > most {
			found, most, equal = i, points, -1
		} else if points == most && found >= 0 && h.letters != f.names[found].letters {
			equal = i
		}
	}
	if equal >= 0 {
		return -1, keyError("the columns %q and %q both look like codes; name one of them", f.header[found], f.header[equal])
	}
	return found, nil
}

// countCodes counts the values that are not empty, and those that look like codes, with
// leading zeros or without.
func countCodes(values []string) (codes, all int) {
	for _, v := range values {
		if v = strings.Trim(v, ` ='"`); v == "" {
			continue
		}
		all++
		digits, _, _ := strings.Cut(v, ".")
		// Numbers of 3 to 9 digits are codes that may have lost their zeros: 501 to 012345678.
		c, err := lookup.ParseCode(v)
		if err == nil && c.Type() != lookup.Coordinates || len(digits) > 2 && len(digits) < 10 && strings.Trim(digits, "0123456789") == "" {
			codes++
		}
	}
	return codes, all
}

// headerAt returns the number of the header among the first rows of a table: the first
// with text, or one below titles. That one has more cells than each row above and names
// that keys are found by, and the first row has none among several cells. Both conditions
// are needed: a title has few cells, and a row of data can have a cell such as "zip code".
func headerAt(rows [][]string) int {
	first, widest := -1, 0
	for i, row := range rows {
		filled, known := 0, false
		for _, cell := range row {
			if strings.TrimSpace(cell) != "" {
				filled++
				h := newHeading(cell)
				known = known || h.usual()
			}
		}
		switch {
		case filled == 0:
			continue
		case first < 0:
			first = i
			if known && filled > 1 {
				return i
			}
		case filled > widest && known:
			return i
		}
		widest = max(widest, filled)
	}
	return max(first, 0)
}
