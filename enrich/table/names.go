package table

import (
	"slices"
	"strings"

	"github.com/postgeo/postgeo/lookup"
)

// A part is the content of a column, such as the city of an address.
type part uint8

const (
	noPart part = iota
	partNumber
	partBefore // direction before the name of the street
	partStreet
	partType
	partAfter // direction after the name of the street
	partUnit
	partCity
	partState
	partZIP
	partCountry
)

// Words in the names of columns of addresses and codes. The other words of a name are its
// group, such as shipping.
var (
	streetWords  = strings.Fields("street streetaddress streetname address addr adr adresse addressline fulladdress road st rue")
	numberWords  = strings.Fields("number no num nbr nr")
	houseWords   = strings.Fields("house street st civic addr address building") // beside a number
	houseNumbers = strings.Fields("housenumber housenum houseno housenr streetnumber streetnum streetno civicnumber addressnumber hsenum")
	unitWords    = strings.Fields("unit unitnumber apt apartment suite ste")
	cityWords    = strings.Fields("city town cityname municipality locality ville village")
	stateWords   = strings.Fields("state statename stateabbr statecode stateprovince province provincecode prov region")
	countryWords = strings.Fields("country countrycode countryname countryregion countryiso ctry pays nation pais")
	typeWords    = strings.Fields("type suffix")
	sideWords    = strings.Fields("direction dir directional predir predirection predirectional postdir postdirection postdirectional")
	codeWords    = strings.Fields("zip zips postal postcode zcta fsa")
	fillers      = strings.Fields("name code line first second primary full formatted abbr abbreviation zip4 pre post to or of cd desc iso iso2 iso3")
	notGroup     = slices.Concat(streetWords, numberWords, houseWords, houseNumbers, unitWords, cityWords, stateWords, countryWords, typeWords, sideWords, codeWords, fillers)

	// notCodes are words of columns about codes, notAddress those of columns about
	// addresses and of other addresses.
	notCodes   = strings.Fields("type name city state county country province valid status flag lat latitude lon lng longitude class count file addon plus4 population description desc date distance box")
	notAddress = strings.Fields("email ip web url mac status label valid validated verified id county fips origin birth manufacture lat latitude lon lng longitude phone date count")

	// owners are words for whose address it is. A header is recognized by the common ones.
	common = strings.Fields("mailing billing bill shipping ship delivery home business work company customer contact account site default property")
	owners = append(strings.Fields("mail deliver residence residential res physical permanent office client member patient donor vendor supplier recipient buyer sold "+
		"location main primary order provider person organization"), common...)
)

// Usual names of key columns, in letters and digits alone, the likeliest first.
var (
	codeNames    = strings.Fields("zip zipcode zip5 postalcode zipplus4 zip4 zip9 postcode postal fsa zcta zcta5 ziporpostalcode zippostalcode code")
	latNames     = strings.Fields("lat latitude y")
	lonNames     = strings.Fields("lon lng long longitude x")
	addressNames = strings.Fields("address fulladdress streetaddress address1 addressline1 street addr")
	cityNames    = strings.Fields("city town cityname")
	stateNames   = strings.Fields("state st stateabbr province")
)

// letters returns the letters and digits of a name, in lower case.
func letters(name string) string { return strings.Join(words(name), "") }

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

func anyOf(list, words []string) bool {
	return slices.ContainsFunc(list, func(w string) bool { return slices.Contains(words, w) })
}

// isCode reports whether a word names codes.
func isCode(word string) bool {
	return slices.Contains(codeWords, word) || slices.ContainsFunc([]string{"zipcode", "zipcd", "postalcode", "zip5", "zcta5"}, func(s string) bool { return strings.HasPrefix(word, s) })
}

// A heading is the name of a column and what it indicates.
type heading struct {
	name    string
	letters string
	part    part
	group   string // of an address, such as "shipping"
	rank    int    // of several columns of a part, the highest is used
	code    bool   // has a word for codes
	plus4   bool   // the last four digits of ZIP+4 codes, if there is another column of codes
}

func newHeading(name string) heading {
	list := words(name)
	h := heading{name: name, letters: strings.Join(list, "")}
	h.code = slices.ContainsFunc(list, isCode) && !anyOf(list, notCodes)
	h.plus4 = h.letters != "zipplus4" && strings.HasSuffix(h.letters, "4")
	h.findPart(list)
	return h
}

// findPart finds the part of an address that a column's name indicates.
func (h *heading) findPart(words []string) {
	var list []string
	for _, w := range words {
		stem := strings.TrimRight(w, "0123456789")
		list = append(list, stem)
		if stem != w && (slices.Contains(streetWords, stem) || stem == "line" || stem == "to") {
			list = append(list, w[len(stem):])
		} else {
			list[len(list)-1] = w
		}
	}
	if anyOf(list, stateWords) {
		list = slices.DeleteFunc(list, func(w string) bool { return w == "county" })
	}
	if len(list) == 0 || anyOf(list, notAddress) || slices.Contains(list, "e") && slices.Contains(list, "mail") {
		return
	}
	line := ""
	if last := list[len(list)-1]; len(list) > 1 && (last == "1" || last == "2" || last == "3") {
		line, list = last, list[:len(list)-1]
	}
	has := func(words []string) bool { return anyOf(list, words) }
	street := has(streetWords)
	switch {
	case slices.Contains(list, "second"):
		line = "2"
	case slices.Contains(list, "first") && street:
		line = "1"
	}
	begins := func(s string) bool {
		return slices.ContainsFunc(list, func(w string) bool { return strings.HasPrefix(w, s) })
	}
	switch {
	case has(countryWords):
		h.part = partCountry
	case h.code || h.letters != "code" && slices.Contains(codeNames, h.letters):
		if h.part = partZIP; !h.plus4 {
			h.rank = 1
		}
		if n := len(list); n > 1 && list[n-1] == "5" {
			list = list[:n-1] // ZIP Code 5
		}
	case has(cityWords):
		h.part = partCity
	case has(stateWords), h.letters == "st":
		h.part = partState
	case has(houseNumbers), has(numberWords) && has(houseWords), len(list) == 1 && list[0] == "number":
		h.part = partNumber
	case has(sideWords) && (street || len(list) == 1):
		h.part = partBefore
		if begins("post") || slices.Contains(list, "suffix") {
			h.part = partAfter
		}
	case has(typeWords) && street && !slices.Contains(list, "address"), h.letters == "streettype":
		h.part = partType
	case has(unitWords), line == "2" && (street || slices.Contains(list, "line")):
		h.part = partUnit
	case street && !has(typeWords) && line != "3":
		h.part = partStreet
		switch {
		case line == "1":
			h.rank = 4
		case begins("street"):
			h.rank = 3
		case has([]string{"formatted", "full", "fulladdress"}):
			h.rank = 1
		default:
			h.rank = 2
		}
	}
	h.group = strings.Join(slices.DeleteFunc(list, func(w string) bool { return slices.Contains(notGroup, w) || isCode(w) }), " ")
}

// An addressColumns has the column of each part of an address, from 1; 0 if the table
// lacks it.
type addressColumns [partCountry + 1]int

// A finder finds the columns of keys.
type finder struct {
	header []string
	rows   [][]string // the first ones, if they are known
	names  []heading
	groups map[string]*addressColumns
}

func newFinder(header []string, rows [][]string) *finder {
	f := &finder{header: header, rows: rows, groups: make(map[string]*addressColumns)}
	for i, name := range header {
		h := newHeading(name)
		f.names = append(f.names, h)
		if h.part == noPart {
			continue
		}
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

// address returns the columns of the address of a group, with those that no group has.
func (f *finder) address(group string) (cols addressColumns) {
	of, all := f.groups[group], f.groups[""]
	if of != nil {
		cols = *of
	}
	for p := partCity; p <= partZIP && all != nil && cols[partStreet] > 0; p++ { // res_street_address, state_cd
		if cols[p] == 0 {
			cols[p] = all[p]
		}
	}
	for i, h := range f.names { // such as "Business Country Code (If outside U.S.)"
		if cols[partCountry] == 0 && h.part == partCountry && (h.group == "" || group != "" && of != nil && strings.HasPrefix(h.group, group)) {
			cols[partCountry] = i + 1
		}
	}
	return cols
}

// mostComplete returns the columns of the address with the most parts.
func (f *finder) mostComplete() (cols addressColumns) {
	best, group := 0, ""
	for _, h := range f.names {
		of := f.groups[h.group]
		if h.part == noPart || of[partStreet] == 0 {
			continue
		}
		score := 1
		for p, points := range map[part]int{partCity: 2, partZIP: 2, partState: 1} {
			if of[p] > 0 {
				score += points
			}
		}
		if score > best {
			best, group = score, h.group
		}
	}
	if best == 0 {
		return cols
	}
	return f.address(group)
}

// countryOf returns the column of the country of a key's rows, or -1: that of the key's
// group, else the only one of an address.
func (f *finder) countryOf(k *Keys) int {
	group := ""
	if len(k.Columns) > 0 {
		group = f.names[k.Columns[0]].group
	}
	if cols := f.address(group); cols[partCountry] > 0 {
		return cols[partCountry] - 1
	}
	only := -1
	for i, h := range f.names {
		if h.part == partCountry && (h.group == "" || anyOf(strings.Fields(h.group), owners)) {
			if only >= 0 {
				return -1
			}
			only = i
		}
	}
	return only
}

const (
	sampled = 1000 // rows that decide about columns
	titled  = 20   // rows that are searched for the header
)

// Points of a column that can hold codes. A usual name has one more for each name of
// codeNames after it.
const (
	pointsUsual  = 15
	pointsWord   = 10
	pointsPlus4  = 5
	pointsValues = 40 // at least half of its values look like codes
	pointsEmpty  = 15 // no value is known
)

// guessCode returns the column of codes, which has the most points for its name and its
// first values. It returns -1 without one, and an error for several.
func (f *finder) guessCode() (int, error) {
	found, most, equal := -1, pointsWord, -1
	for i, h := range f.names {
		var points int
		switch rank := slices.Index(codeNames, h.letters); {
		case h.plus4 && (rank >= 0 || h.code):
			points = pointsPlus4
		case rank >= 0:
			points = pointsUsual + len(codeNames) - rank
		case h.code:
			points = pointsWord
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
			points += pointsEmpty
		case 2*codes >= all:
			points += pointsValues
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
		c, err := lookup.ParseCode(v)
		if err == nil && c.Type() != lookup.Coordinates || len(digits) > 2 && len(digits) < 10 && strings.Trim(digits, "0123456789") == "" {
			codes++
		}
	}
	return codes, all
}

// headerAt returns the number of the header among the first rows of a table: the first
// with text, or one below titles. That one has more cells than each row above and names
// that keys are found by, and the first row has none among several cells.
func headerAt(rows [][]string) int {
	first, widest := -1, 0
	for i, row := range rows {
		filled, known := 0, 0
		for _, cell := range row {
			if strings.TrimSpace(cell) == "" {
				continue
			}
			filled++
			h := newHeading(cell)
			usual := slices.Contains(latNames, h.letters) || slices.Contains(lonNames, h.letters) || slices.Contains(codeNames, h.letters)
			if usual || h.part != noPart && (h.group == "" || slices.Contains(common, h.group)) {
				known++
			}
		}
		switch {
		case filled == 0:
			continue
		case first < 0:
			first = i
			if known > 0 && filled > 1 {
				return i
			}
		case filled > widest && known > 0:
			return i
		}
		widest = max(widest, filled)
	}
	return max(first, 0)
}
