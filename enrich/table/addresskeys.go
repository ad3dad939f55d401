package table

import (
	"slices"
	"strings"

	"github.com/postgeo/postgeo/enrich"
)

// A part is a part of an address that a column holds.
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

// Words in the names of columns of addresses. The other words of a name are its group,
// such as shipping.
var (
	streetWords  = strings.Fields("street streetaddress streetname address addr adr adresse addressline fulladdress road st rue")
	numberWords  = strings.Fields("number no num nbr nr")
	houseWords   = strings.Fields("house street st civic addr address building")
	houseNumbers = strings.Fields("housenumber housenum houseno housenr streetnumber streetnum streetno civicnumber addressnumber number hsenum")
	unitWords    = strings.Fields("unit unitnumber apt apartment suite ste")
	cityWords    = strings.Fields("city town cityname municipality locality ville village")
	stateWords   = strings.Fields("state statename stateabbr statecode stateprovince province provincecode prov region")
	countryWords = strings.Fields("country countrycode countryname countryregion countryiso ctry pays nation pais")
	typeWords    = strings.Fields("type suffix")
	sideWords    = strings.Fields("direction dir directional predir predirection predirectional postdir postdirection postdirectional")
	fillers      = strings.Fields("name code line first second primary full formatted abbr abbreviation zip postal postcode zipcode postalcode or zip4 pre post to of cd desc iso iso2 iso3")
	// notAddress are words of columns about addresses, and of other addresses.
	// where are words for whose address it is.
	where = strings.Fields("mailing mail billing bill shipping ship delivery deliver home residence residential res physical permanent business work office company " +
		"customer client member patient donor vendor supplier recipient buyer sold contact account site location main default primary order provider person organization property")
	notAddress = strings.Fields("email ip web url mac status label valid validated verified id county fips origin birth manufacture lat latitude lon lng longitude phone date count")
)

func anyOf(list, words []string) bool {
	return slices.ContainsFunc(list, func(w string) bool { return slices.Contains(words, w) })
}

// A partColumn is a column of a part of an address.
type partColumn struct {
	part  part
	group string // such as "shipping"
	rank  int    // of several columns of a part, the highest is used
}

// partOf returns the part of an address that a column's name indicates.
func partOf(name string) (c partColumn) {
	var list []string
	for _, w := range words(name) {
		stem := strings.TrimRight(w, "0123456789")
		if digits := w[len(stem):]; digits != "" && (slices.Contains(streetWords, stem) || stem == "line" || stem == "to") {
			list = append(list, stem, digits)
			continue
		}
		list = append(list, w)
	}
	if list = slices.DeleteFunc(list, func(w string) bool { return w == "county" && anyOf(list, stateWords) }); len(list) == 0 || anyOf(list, notAddress) || slices.Contains(list, "e") && slices.Contains(list, "mail") {
		return c
	}
	line := ""
	if last := list[len(list)-1]; len(list) > 1 && strings.Trim(last, "123") == "" && len(last) == 1 {
		line, list = last, list[:len(list)-1]
	}
	street := anyOf(list, streetWords)
	switch {
	case slices.Contains(list, "second"):
		line = "2"
	case slices.Contains(list, "first") && street:
		line = "1"
	}
	has := func(words []string) bool { return anyOf(list, words) }
	switch {
	case has(countryWords):
		c.part = partCountry
	case namesCode(name) || slices.Contains(codeNames[:len(codeNames)-1], letters(name)):
		if c.part = partZIP; !isPlus4(name) {
			c.rank = 1
		}
		if n := len(list); n > 1 && list[n-1] == "5" {
			list = list[:n-1] // ZIP Code 5
		}
	case has(cityWords):
		c.part = partCity
	case has(stateWords), letters(name) == "st":
		c.part = partState
	case len(list) == 1 && has(houseNumbers), has(houseNumbers[:len(houseNumbers)-2]), has(numberWords) && has(houseWords):
		c.part = partNumber
	case has(sideWords) && (street || len(list) == 1):
		c.part = partBefore
		if slices.ContainsFunc(list, func(w string) bool { return strings.HasPrefix(w, "post") || w == "suffix" }) {
			c.part = partAfter
		}
	case has(typeWords) && street && !slices.Contains(list, "address"), letters(name) == "streettype":
		c.part = partType
	case has(unitWords), line == "2" && (street || slices.Contains(list, "line")):
		c.part = partUnit
	case street && !has(typeWords) && line != "3":
		c.part = partStreet
		switch {
		case line == "1":
			c.rank = 4
		case slices.ContainsFunc(list, func(w string) bool { return strings.HasPrefix(w, "street") }):
			c.rank = 3
		case has([]string{"formatted", "full", "fulladdress"}):
			c.rank = 1
		default:
			c.rank = 2
		}
	}
	var group []string
	for _, w := range list {
		if !anyOf([]string{w}, slices.Concat(streetWords, numberWords, houseWords, houseNumbers, unitWords, cityWords, stateWords, countryWords, typeWords, sideWords, fillers)) && !namesCode(w) {
			group = append(group, w)
		}
	}
	c.group = strings.Join(group, " ")
	return c
}

// An addressColumns has the column of each part of an address, from 1; 0 if the table
// lacks it.
type addressColumns [partCountry + 1]int

// addressOf finds the columns of an address of a group, or of the group with the most
// parts if most is set.
func addressOf(header []string, group string, most bool) (cols addressColumns, found string) {
	var groups []string
	all := make(map[string]*addressColumns)
	ranks := make(map[string]*[partCountry + 1]int)
	for i, name := range header {
		c := partOf(name)
		if c.part == noPart {
			continue
		}
		of := all[c.group]
		if of == nil {
			of = new(addressColumns)
			all[c.group], ranks[c.group], groups = of, new([partCountry + 1]int), append(groups, c.group)
		}
		if rank := &ranks[c.group][c.part]; of[c.part] == 0 || c.rank > *rank {
			of[c.part], *rank = i+1, c.rank
		}
	}
	best := 0
	for _, g := range groups {
		of := all[g]
		score := 0
		for p, points := range map[part]int{partStreet: 8, partCity: 2, partZIP: 2, partState: 1} {
			if of[p] > 0 {
				score += points
			}
		}
		if most && of[partStreet] > 0 && score > best || !most && g == group {
			best, cols, found = score, *of, g
		}
	}
	if plain := all[""]; plain != nil && found != "" && cols[partStreet] > 0 { // res_street_address, state_cd
		for p := partCity; p <= partZIP; p++ {
			if cols[p] == 0 {
				cols[p] = plain[p]
			}
		}
	}
	if cols[partCountry] == 0 { // such as "Business Country Code (If outside U.S.)"
		for _, g := range groups {
			if of := all[g]; of[partCountry] > 0 && cols[partCountry] == 0 && (g == "" || found != "" && strings.HasPrefix(g, found)) {
				cols[partCountry] = of[partCountry]
			}
		}
	}
	return cols, found
}

// addressKey returns the key of an address whose columns were found.
func addressKey(header []string, cols *addressColumns) Keys {
	k := Keys{Kind: enrich.Address}
	for p := partNumber; p <= partAfter; p++ {
		if cols[p] > 0 && (p == partStreet || cols[partNumber] > 0) {
			k.add(header, cols[p]-1)
		}
	}
	k.lead = len(k.Columns)
	parts := []part{partUnit, partCity, partState, partZIP}
	if cols[partCity] == 0 && cols[partZIP] == 0 { // the street is a whole address
		parts = parts[:1]
	}
	for _, p := range parts {
		if cols[p] > 0 {
			k.add(header, cols[p]-1)
		}
	}
	return k
}

// countryOf returns the column of the country of a key's rows, or -1: that of the key's
// group, else the only one of an address.
func countryOf(header []string, k *Keys) int {
	group := ""
	if len(k.Names) > 0 {
		group = partOf(k.Names[0]).group
	}
	if cols, _ := addressOf(header, group, false); cols[partCountry] > 0 {
		return cols[partCountry] - 1
	}
	only := -1
	for i, name := range header {
		if c := partOf(name); c.part == partCountry && (c.group == "" || anyOf(strings.Fields(c.group), where)) {
			if only >= 0 {
				return -1
			}
			only = i
		}
	}
	return only
}
