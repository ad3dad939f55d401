package source

import (
	"errors"
	"io"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/store"
)

// An AddressPoint is an address with its position. Numbers are those that the row
// lists: an agency may have one point for several.
type AddressPoint struct {
	Numbers   []store.HouseNumber
	Name      store.RoadName
	ZIP       dataset.ZIP
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

// pointHeads returns the header of each known column, "" if the file lacks it.
func pointHeads(headers []string) map[string]string {
	found := map[string]string{}
	for field, names := range pointColumns {
		for _, name := range names {
			i := slices.IndexFunc(headers, func(h string) bool { return plainHeader(h) == name })
			if i >= 0 {
				found[field] = headers[i]
				break
			}
		}
	}
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

// complete reports whether the columns make addresses with positions.
func complete(heads map[string]string) bool {
	place := heads["lat"] != "" && heads["lng"] != "" || heads["both"] != "" || heads["east"] != "" && heads["north"] != "" || heads["geometry"] != ""
	return heads["number"] != "" && (heads["name"] != "" || heads["street"] != "") && place
}

// ReadAddressPoints reads a file of address points, compressed or not: a text, or
// GeoJSON as a collection or one feature a line. The columns are found by their
// names. A zip is read whole, except members that have other
// columns; a file without the columns is refused.
//
// An error that matches [format.ErrValue] is about one row, and reading
// continues after it; any other error is the last pair.
func ReadAddressPoints(path string) iter.Seq2[AddressPoint, error] {
	return func(yield func(AddressPoint, error) bool) {
		read, members := 0, 0
		var lacking error
		for in, err := range pointInputs(path) {
			more := true
			if members++; err == nil {
				more, err = addressPointsIn(in, yield)
			}
			switch {
			case errors.Is(err, format.ErrColumns):
				lacking = err
			case err != nil:
				yield(AddressPoint{}, err)
				return
			case !more:
				return
			default:
				read++
			}
		}
		if members != 1 {
			lacking = &format.Error{File: path, Reason: "no member has columns of house numbers, streets and positions", Err: format.ErrColumns}
		}
		if read == 0 {
			yield(AddressPoint{}, lacking)
		}
	}
}

// largestPoints is more than the size of the text of the National Address
// Database, 41 GB in 2025.
const largestPoints = 128 << 30

// pointInputs opens the text of a path, or one member of a zip after the other.
func pointInputs(path string) iter.Seq2[*format.Input, error] {
	return func(yield func(*format.Input, error) bool) {
		open := func(in *format.Input, err error) bool {
			if err == nil {
				defer in.Close()
			}
			return yield(in, err)
		}
		archive, err := format.OpenArchive(path, format.Limits{MaxSize: largestPoints})
		if err != nil {
			open(format.Open(path, format.OpenOptions{}))
			return
		}
		defer archive.Close()
		for _, member := range archive.Names() {
			lower := strings.ToLower(member)
			if !slices.ContainsFunc([]string{".csv", ".txt", ".geojson", ".json"}, func(end string) bool { return strings.HasSuffix(lower, end) }) {
				continue
			}
			if !open(archive.Open(member)) {
				return
			}
		}
	}
}

// addressPointsIn reads a text. An error is one before its first row.
func addressPointsIn(in *format.Input, yield func(AddressPoint, error) bool) (more bool, err error) {
	first := true
	for p, err := range addressPointsOf(in) {
		if first && err != nil && !errors.Is(err, format.ErrValue) {
			return false, err
		}
		if first = false; !yield(p, err) {
			return false, nil
		}
	}
	return true, nil
}

func addressPointsOf(in *format.Input) iter.Seq2[AddressPoint, error] {
	t, err := pointTable(in)
	if err != nil {
		return failed[AddressPoint](err)
	}
	if t == nil {
		return geoJSONPoints(in)
	}
	heads := pointHeads(t.Header())
	if !complete(heads) {
		return failed[AddressPoint](lacksColumns(in.Name()))
	}
	columns, names := map[string]int{}, roadNames{}
	for field, head := range heads {
		columns[field] = t.Column(head)
	}
	return parsed(t.Rows(), func(r format.Row) (AddressPoint, error) {
		return addressPoint(pointFields{row: r, columns: columns}, names)
	})
}

// pointTable returns the table of a text; nil means GeoJSON.
func pointTable(in *format.Input) (*format.Table, error) {
	const enough = 1 << 16
	head, err := in.Peek(enough)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	text := strings.TrimLeft(strings.TrimPrefix(string(head), "\ufeff"), " \r\n\t")
	if strings.HasPrefix(text, "{") {
		return nil, nil
	}
	first, _, _ := strings.Cut(text, "\n")
	delimiter := byte(',')
	for _, d := range []byte{';', '|', '\t'} {
		if strings.Count(first, string(d)) > strings.Count(first, string(delimiter)) {
			delimiter = d
		}
	}
	encoding := format.UTF8
	if !utf8.Valid(head[:max(len(head)-utf8.UTFMax, 0)]) { // the register of Canada before 2024
		encoding = format.Windows1252
	}
	return format.NewTable(in, format.TableOptions{Quoted: true, Delimiter: delimiter, Encoding: encoding, ShortRows: true})
}

func lacksColumns(name string) error {
	return &format.Error{File: name, Reason: "no columns of house numbers, streets and positions", Err: format.ErrColumns}
}

// pointFields are the known columns of a row.
type pointFields struct {
	row     format.Row
	columns map[string]int
}

// Get returns a column, "" if the file lacks it or it has a word for blank.
func (f pointFields) Get(name string) string {
	i, ok := f.columns[name]
	if !ok {
		return ""
	}
	if s := f.row.Field(i); !strings.EqualFold(s, "not stated") && !strings.EqualFold(s, "null") {
		return s
	}
	return ""
}

func (f pointFields) Errorf(name, reason string, args ...any) error {
	return f.row.Errorf(name, reason, args...)
}

func (f pointFields) line() int { return f.row.Line() }

func addressPoint(f interface {
	fields
	line() int
}, names roadNames,
) (AddressPoint, error) {
	p := AddressPoint{Line: f.line()}
	var err error
	if p.Location, err = positionOf(f); err != nil {
		return p, err
	}
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
	if len(zip) == 4 && isDigits(zip, 4) { // a spreadsheet has dropped the zero
		zip = "0" + zip
	}
	if p.ZIP, p.HasZIP = dataset.ParseZIP(zip); p.HasZIP && p.ZIP == 0 {
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
func positionOf(f fields) (geo.LatLng, error) {
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

// houseNumbers returns the numbers of a column: one, a list (2651,2653) or the
// ends of a range on one side (1016-18). Each is between the other two texts.
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
func placementOf(f fields) store.Placement {
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
