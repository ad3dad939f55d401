package source

import (
	"errors"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/store"
)

// An AddressPoint is an address with its position. Numbers are those that the row
// lists: an agency may have one point for several.
type AddressPoint struct {
	Numbers   []store.HouseNumber
	Name      store.RoadName
	ZIP       postcode.ZIP
	HasZIP    bool
	Postal    string // a Canadian postal code or the first half of one, "" without
	State     string // two letters, "" if unknown
	Location  geo.LatLng
	Placement store.Placement
	Line      int // line or record in its file, from 1
}

// pointColumns are the columns of address points with their headers, the best one
// first, in small letters and without anything but letters and digits. The headers
// come from the National Address Database, OpenAddresses, Statistics Canada's
// register and Open Database of Addresses, and from files of states and cities.
var pointColumns = map[string][]string{
	"before":    {"addnumpre", "housenumberprefix", "addrnumprefix"},
	"number":    {"addnumber", "number", "housenumber", "stnumber", "civicno", "civicnumber", "streetno", "fullnumbe", "fullnumber", "addressnumber", "addrnum", "addnum", "addno", "houseno", "housenum", "stno", "streetnumber", "nocivique"},
	"after":     {"addnumsuf", "housenumbersuffix", "stnumsuff", "civicnosuffix", "addrnumsuffix"},
	"premod":    {"stpremod", "stnpremod"},
	"predir":    {"stpredir", "stnpredir", "pd", "stprefixd", "predir", "prefixdir", "streetpredir", "streetprefix"},
	"pretype":   {"stpretyp", "stnpretyp", "pt", "stprefixt", "pretype", "streetpretype"},
	"separator": {"stpresep", "stnpresep"},
	"name":      {"stname", "sn", "officialstreetname", "strname", "streetname", "name"},
	"type":      {"stpostyp", "stnpostyp", "sttype", "st", "officialstreettype", "strtype", "postype", "streettype", "streetsuffix", "suffix"},
	"postdir":   {"stposdir", "stnposdir", "stsuffixd", "sd", "officialstreetdir", "strdir", "postdir", "suffixdir", "streetpostdir"},
	"postmod":   {"stposmod", "stnposmod", "stpostmod"},
	"street":    {"street", "stdstreet", "streetnam", "streetname", "stnamfull", "fullstreet", "fullname", "primaryname", "stfullname"},
	"state":     {"state", "region", "mailprovabvn", "pruid", "provcode", "province"},
	"zip":       {"zipcode", "zip", "postcode", "mailpostalcode", "postalcode", "zip5", "codepostal"},
	"lat":       {"latitude", "lat", "bglatitude", "y", "gpsy", "pointy", "ycoord"},
	"lng":       {"longitude", "lon", "lng", "long", "bglongitude", "x", "gpsx", "pointx", "xcoord"},
	"both":      {"geopoint2d"},
	"east":      {"bgx", "bfreppointx"},
	"north":     {"bgy", "bfreppointy"},
	"block":     {"bfreppointx"},
	"blocky":    {"bfreppointy"},
	"placement": {"placement", "pointtype"},
}

// pointHeads returns the header of each known column. A header such as "streetname" may
// be the whole street or its name without type: it is the name if a type stands in
// another column. Parts of a street are preferred to the whole, since the agency has
// divided them already.
func pointHeads(headers []string) map[string]string {
	found := usual(pointColumns)(headers)
	switch plainHeader(found["name"]) {
	case "":
	case "streetname", "name": // the whole, or a part next to the type
		if found["type"] == "" || found["street"] != "" && found["street"] != found["name"] {
			delete(found, "name")
			break
		}
		fallthrough
	default: // its parts are more certain than the whole
		delete(found, "street")
	}
	return found
}

// ReadAddressPoints reads a file of address points, compressed or not: a text, or
// GeoJSON as a collection or one feature a line. The columns are found by their
// names. A zip is read whole, except members that have other
// columns; a file without the columns is refused.
func ReadAddressPoints(f format.File) iter.Seq2[AddressPoint, error] {
	return func(yield func(AddressPoint, error) bool) {
		parts, other := f.Members(".csv", ".txt", ".geojson", ".json"), 0
		if parts == nil {
			parts = []string{""}
		}
		for _, f.Member = range parts {
			for p, err := range addressPointsOf(f) {
				if errors.Is(err, format.ErrColumns) {
					if other++; other < len(parts) {
						break
					} else if len(parts) > 1 {
						err = &format.Error{File: f.Path, Reason: "no member has columns of house numbers, streets and positions", Err: format.ErrColumns}
					}
				}
				if !yield(p, err) || err != nil && !errors.Is(err, format.ErrValue) {
					return
				}
			}
		}
	}
}

func addressPointsOf(f format.File) iter.Seq2[AddressPoint, error] {
	// Columns are checked at the first row and not by Options.Columns, because any of
	// several combinations will do. A record has its position in the geometry.
	names, checked := roadNames{}, false
	o := format.Options{Quoted: true, ShortRows: true, Encoding: format.Detected, Meanings: pointHeads, Blank: []string{"not stated", "null"}}
	return parsed(f.Rows(o), func(r format.Row) (p AddressPoint, err error) {
		if !checked {
			checked = true
			has := func(names ...string) bool {
				return !slices.ContainsFunc(names, func(n string) bool { return !r.Has(n) })
			}
			if !has("number") || !has("name") && !has("street") || !r.IsRecord() && !has("lat", "lng") && !has("both") && !has("east", "north") {
				return p, &format.Error{File: f.Path, Reason: "no columns of house numbers, streets and positions", Err: format.ErrColumns}
			}
		}
		var at geo.LatLng
		if !r.IsRecord() {
			at, err = positionOf(r)
		} else if r.Lines != nil && r.Lines[0][0] != (orb.Point{}) { // 0, 0 stands for unknown
			at = geo.MustLatLng(r.Lines[0][0].Lat(), r.Lines[0][0].Lon())
		}
		if err != nil {
			return p, err
		}
		return addressPoint(r, at, names)
	})
}

// addressPoint makes an address of a row. Files of agencies pass through spreadsheets and
// databases: numbers end in ".0", ZIP Codes of New England lack their zero, and ZIP+4
// Codes stand with or without hyphen. The ZIP Code 00000 is a placeholder.
func addressPoint(f format.Row, at geo.LatLng, names roadNames) (AddressPoint, error) {
	p := AddressPoint{Line: f.Number, Location: at}
	if !p.Location.IsValid() {
		return p, f.Errorf("lat", "no position")
	}
	number := strings.TrimSuffix(f.Get("number"), ".0")
	if p.Numbers = houseNumbers(f.Get("before"), number, f.Get("after")); len(p.Numbers) == 0 {
		return p, f.Errorf("number", "%q, expected a house number", number)
	}
	street := f.Get("street")
	if street == "" {
		street = strings.Join([]string{f.Get("premod"), f.Get("predir"), f.Get("pretype"), f.Get("separator"), f.Get("name"), f.Get("type"), f.Get("postdir"), f.Get("postmod")}, " ")
	}
	if p.Name = names.of(street); p.Name.Name == "" || len(p.Name.String()) > maxStreetText {
		return p, f.Errorf("street", "%q, expected a name of 1 to %d bytes", street, maxStreetText)
	}
	if p.State = f.Get("state"); Provinces[p.State] != "" {
		p.State = Provinces[p.State]
	} else if len(p.State) != 2 || isDigits(p.State, 2) {
		p.State = ""
	}
	zip := strings.ToUpper(strings.ReplaceAll(f.Get("zip"), " ", ""))
	zip, _, _ = strings.Cut(zip, "-")
	if len(zip) == 9 {
		zip = zip[:5]
	}
	if len(zip) == 4 && isDigits(zip, 4) {
		zip = "0" + zip
	}
	if p.ZIP, p.HasZIP = postcode.ParseZIP(zip); p.HasZIP && p.ZIP == 0 {
		p.HasZIP = false
	} else if len(zip) == 6 || len(zip) == 3 {
		p.Postal = zip
	}
	p.Placement = placementOf(f)
	return p, nil
}

// maxStreetText is the number of bytes of the longest name of a street.
const maxStreetText = 80

// roadNames holds names that were divided before: rows of a street follow each
// other in most files.
type roadNames map[string]store.RoadName

func (n roadNames) of(full string) store.RoadName {
	const most = 1 << 14
	name, ok := n[full]
	if !ok {
		if len(n) == most {
			clear(n)
		}
		name = store.ParseRoadName(full)
		n[strings.Clone(full)] = name
	}
	return name
}

// positionOf reads the position of a row: degrees, both in one column, or meters
// of Statistics Canada's projection.
func positionOf(f format.Row) (geo.LatLng, error) {
	if both := f.Get("both"); both != "" {
		p, err := geo.ParseLatLng(strings.ReplaceAll(both, " ", ""))
		if err != nil {
			return p, f.Errorf("both", "%q is not a latitude and longitude", both)
		}
		return p, nil
	}
	if p, err := point(f, "lat", "lng"); err != nil || p.IsValid() {
		return p, err
	}
	east, north := f.Get("east"), f.Get("north")
	if east == "" || north == "" {
		east, north = f.Get("block"), f.Get("blocky")
	}
	if east == "" || north == "" {
		return geo.LatLng{}, nil
	}
	x, errX := strconv.ParseFloat(east, 64)
	y, errY := strconv.ParseFloat(north, 64)
	if errX != nil || errY != nil || math.Abs(x) > 1e8 || math.Abs(y) > 1e8 {
		return geo.LatLng{}, f.Errorf("east", "%q, %q are not meters", east, north)
	}
	lng, lat := format.StatCanLambert.Inverse(x, y)
	p, err := geo.LatLngFromDegrees(lat, lng)
	if err != nil {
		return p, f.Errorf("east", "%q, %q are not a place in Canada", east, north)
	}
	return p, nil
}

// maxNumbers is the most numbers of a range of numbers at one point.
const maxNumbers = 12

// houseNumbers returns the numbers of a column: one, a list (2651,2653) or the ends of a
// range on one side (1016-18). Each is between the other two texts. A hyphen also stands
// within single numbers (41-12 in Queens). So the number as written is always one. Its
// ends are others only if they lie on one side of a street, at most 20 apart.
func houseNumbers(before, number, after string) (list []store.HouseNumber) {
	add := func(text string) {
		if n, ok := store.ParseHouseNumber(text); ok && !slices.Contains(list, n) && len(list) < maxNumbers {
			list = append(list, n)
		}
	}
	for part := range strings.FieldsFuncSeq(number, func(c rune) bool { return c == ',' || c == ';' || c == '&' }) {
		part = strings.TrimSpace(part)
		add(before + part + after)
		low, high, ok := strings.Cut(part, "-")
		if low, high = strings.TrimSpace(low), strings.TrimSpace(high); ok && before == "" && after == "" && len(high) <= len(low) && isDigits(low, len(low)) && isDigits(high, len(high)) {
			high = low[:len(low)-len(high)] + high
			a, errA := strconv.Atoi(low)
			b, errB := strconv.Atoi(high)
			const widest = 20
			if errA == nil && errB == nil && a < b && b-a <= widest && (b-a)%2 == 0 {
				add(low)
				add(high)
			}
		}
	}
	return list
}

// placementOf reads the accuracy of a row's point.
func placementOf(f format.Row) store.Placement {
	p := strings.ToLower(f.Get("placement"))
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(p, w) })
	}
	switch {
	case has("rooftop", "structure", "building"), p == "bmp", p == "bc":
		return store.PlacementStructure
	case has("access", "entrance", "driveway"):
		return store.PlacementEntry
	case has("parcel"), p == "abc", p == "pc":
		return store.PlacementParcel
	case has("linear", "interpolat"), p == "" && f.Get("lat") == "" && f.Get("east") == "" && f.Get("both") == "" && f.Get("block") != "":
		return store.PlacementBlock
	default:
		return store.PlacementSite
	}
}
