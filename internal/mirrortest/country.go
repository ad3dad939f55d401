package mirrortest

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/internal/spatial"
)

//go:embed country.txt
var countryFiles string

// Sizes of areas in cells of the grid. A block is a square of nine ZIP Codes and four
// counties.
const (
	cell     = 0.02 // degrees
	west     = -122.0
	bottom   = 30.0
	block    = 12
	province = 2 // blocks along a side
)

// States with their FIPS codes, and provinces with their numbers and the first letters
// of their FSAs. Eight lie side by side.
const (
	usStates = "NY36 CA06 OH39 AL01 AZ04 AR05 CO08 DE10 FL12 GA13 ID16 IL17 IN18 IA19 KS20 KY21 LA22 ME23 MD24 MA25 " +
		"MI26 MN27 MS28 MO29 MT30 NV32 NH33 NJ34 NM35 NC37 ND38 OK40 OR41 PA42 RI44 SC45 SD46 TN47 TX48 UT49"
	caProvinces = "ON35K QC24G"
)

// A Country is a mirror of states and provinces on a grid. The states are real; their
// borders, counties and codes are not. Areas are made of cells, and their borders run
// through the nodes of the grid, which lie irregularly, so that the areas of a layer tile
// their states exactly. ZIP Codes and FSAs lie across borders of counties, census
// divisions and districts.
type Country struct {
	*Mirror
	ZIPs []ZIP
}

// A ZIP is a ZIP Code of a country.
type ZIP struct {
	Code, State, County string // county by FIPS code
	Center              orb.Point
}

// NewCountry makes a country of up to 40 states with a number of blocks along each side.
func NewCountry(states, blocks int) *Country {
	c := &Country{Mirror: New()}
	us, ca := &land{list: strings.Fields(usStates)[:states], side: blocks * block}, &land{list: strings.Fields(caProvinces), side: province * block}
	ca.south = (states + 7) / 8 * us.side
	files := strings.Split(countryFiles, "\n")
	for i := 0; i < len(files); i++ {
		head := strings.Fields(files[i])
		if len(head) < 4 || files[i][0] == '#' {
			continue
		}
		of := us
		if head[0] == "CA" {
			of = ca
		}
		c.add(of, head[1], head[2], head[3], strings.Join(head[4:], ""), files[i+1], files[i+2])
		i += 2
	}
	for t := range us.tiles(4, 4) {
		c.ZIPs = append(c.ZIPs, ZIP{t.get("zip"), t.abbr, t.get("county"), t.center()})
	}
	zones := map[string]orb.MultiPolygon{}
	for _, l := range []*land{us, ca} {
		for t := range l.tiles(l.side, l.side) {
			zone := map[string]string{"ON": "America/Toronto", "QC": "America/Toronto", "NY": "America/New_York", "OH": "America/New_York", "CA": "America/Los_Angeles"}[t.abbr]
			if zone == "" {
				zone = "America/Chicago"
			}
			zones[zone] = append(zones[zone], t.outline)
		}
	}
	var features []string
	for _, name := range slices.Sorted(maps.Keys(zones)) {
		rings, err := json.Marshal(zones[name])
		if err != nil {
			panic(err)
		}
		features = append(features, fmt.Sprintf(`{"type":"Feature","properties":{"tzid":%q},"geometry":{"type":"MultiPolygon","coordinates":%s}}`, name, rings))
	}
	c.Text("github.com/evansiroky/timezone-boundary-builder/releases/download/2025b/timezones.geojson.zip", "combined.json", "",
		`{"type":"FeatureCollection","features":[`+strings.Join(features, ",\n")+"]}")
	return c
}

// add adds a file with a row for each tile.
func (c *Country) add(l *land, kind, size, path, member, columns, row string) {
	var w, h int
	if _, err := fmt.Sscanf(strings.ReplaceAll(size, "all", fmt.Sprint(l.side)), "%dx%d", &w, &h); err != nil {
		panic(err)
	}
	var rows []string
	shapes, sheet := map[string][]Shape{}, [][]string{strings.Split(columns, "|")}
	for t := range l.tiles(w, h) {
		text := os.Expand(row, t.get)
		if strings.Contains(text, absent) {
			continue
		}
		switch kind {
		case "text":
			rows = append(rows, text)
		case "sheet":
			sheet = append(sheet, strings.Split(text, "|"))
		case "shapes":
			file := strings.Replace(path, "_SS_", "_"+t.id+"_", 1)
			shapes[file] = append(shapes[file], Shape{t.outline, strings.Split(text, "|")})
		}
	}
	switch kind {
	case "text":
		c.Text(path, member, columns, rows...)
	case "sheet":
		c.Sheet(path, sheet...)
	}
	for file, list := range shapes {
		c.Shapes(file, columns, list...)
	}
}

// A land is a country on the grid.
type land struct {
	list        []string
	side, south int // cells: of a state, and of the southern border
}

// A tile is a rectangle of cells in a state or province.
type tile struct {
	*land
	state    int
	abbr, id string // of the state or province
	n, x, y  int    // number, and cell in the middle, within it
	outline  orb.Polygon
}

// tiles divides the states into tiles of w by h cells, row by row.
func (l *land) tiles(w, h int) iter.Seq[tile] {
	return func(yield func(tile) bool) {
		for i, s := range l.list {
			n := 0
			for y := 0; y < l.side; y += h {
				for x := 0; x < l.side; x += w {
					t := tile{land: l, state: i, abbr: s[:2], id: s[2:4], n: n}
					w, h := min(w, l.side-x), min(h, l.side-y)
					t.x, t.y, t.outline = x+w/2, y+h/2, outline(i%8*l.side+x, l.south+i/8*l.side+y, w, h)
					if n++; !yield(t) {
						return
					}
				}
			}
		}
	}
}

// outline is that of a rectangle of cells.
func outline(x, y, w, h int) orb.Polygon {
	var r orb.Ring
	for i := range w {
		r = append(r, node(x+i, y))
	}
	for i := range h {
		r = append(r, node(x+w, y+i))
	}
	for i := range w {
		r = append(r, node(x+w-i, y+h))
	}
	for i := range h {
		r = append(r, node(x, y+h-i))
	}
	return orb.Polygon{append(r, r[0])}
}

// node is a corner of cells, up to a fifth of a cell from its place.
func node(x, y int) orb.Point {
	h := uint32(x*73856093 ^ y*19349663)
	h = (h ^ h>>13) * 0x5bd1e995
	at := func(from float64, i int, bits uint32) float64 {
		return math.Round((from+cell*(float64(i)+0.4*(float64(bits&1023)/1023-0.5)))*1e6) / 1e6
	}
	return orb.Point{at(west, x, h), at(bottom, y, h>>12)}
}

// center is the middle of a cell of the tile.
func (t tile) center() orb.Point {
	at := func(from float64, i int) float64 { return math.Round((from+cell*(float64(i)+0.5))*1e6) / 1e6 }
	return orb.Point{at(west, t.state%8*t.side+t.x), at(bottom, t.south+t.state/8*t.side+t.y)}
}

// absent in a row leaves it out.
const absent = "\x00"

// get returns a value of the tile for a row.
func (t tile) get(key string) string {
	number := func(digits, n int) string { return fmt.Sprintf("%0*d", digits, n) }
	blocks := t.side / block
	inBlock := t.y/block*blocks + t.x/block
	only := func(ok bool) string {
		if ok {
			return ""
		}
		return absent
	}
	switch key {
	case "abbr":
		return t.abbr
	case "id":
		return t.id
	case "n":
		return fmt.Sprint(t.n + 1)
	case "n2", "n3", "n4", "n5", "n6":
		return number(int(key[1]-'0'), t.n+1)
	case "metros":
		return only((t.x/block+t.y/block)%2 == 0)
	case "third":
		return only(t.n%3 == 0)
	case "odd":
		return only((t.x/6+t.y/6)%2 == 1)
	case "even":
		return only((t.x/6+t.y/6)%2 == 0)
	case "voting":
		return only(t.abbr != "CA")
	case "name":
		return name(t.n)
	case "metroname":
		return name(inBlock)
	case "regionname":
		return name(t.y / 6)
	case "lat":
		return fmt.Sprintf("%f", t.center()[1])
	case "lng":
		return fmt.Sprintf("%f", t.center()[0])
	case "land":
		return fmt.Sprintf("%.0f", t.area())
	case "km2":
		return fmt.Sprintf("%.4f", t.area()/1e6)
	case "zip":
		return fmt.Sprint(41_000 + t.state*9*blocks*blocks + t.n)
	case "number":
		return number(3, t.y/6*2*blocks+t.x/6+1)
	case "county":
		return t.id + t.get("number")
	case "tractnumber":
		return number(4, t.y%6/3*2+t.x%6/3+1) + "00"
	case "tract":
		return t.get("county") + t.get("tractnumber")
	case "column":
		return fmt.Sprint(t.x%3 + 1)
	case "metro":
		return fmt.Sprint(10_000 + t.state*blocks*blocks + inBlock)
	case "fsa":
		const letters = "ABCEGHJKLMNPRSTVWXYZ"
		return fmt.Sprintf("%c%d%c", t.list[t.state][4], 1+t.n/len(letters), letters[t.n%len(letters)])
	case "division":
		return t.id + number(2, t.y/6*2*blocks+t.x/6+1)
	case "subdivision":
		return t.get("division") + number(3, t.y%6/3+1)
	case "region":
		return t.id + number(2, 10+t.y/6)
	case "federal":
		return t.id + number(3, t.y/4+1)
	case "cma":
		return fmt.Sprint(500 + t.state*blocks*blocks + inBlock)
	case "cmaof":
		if t.get("metros") != "" {
			return ""
		}
		return t.id + t.get("cma")
	case "ct":
		return t.get("cma") + number(4, t.n+1) + ".00"
	}
	panic("no value " + key)
}

func name(n int) string {
	words, ends := strings.Fields("Alder Birch Cedar Elm Fir Hazel Juniper Larch Maple Oak Pine Rowan Willow"), strings.Fields("ton ville field wood bury ford dale brook")
	return words[n%len(words)] + ends[n/len(words)%len(ends)]
}

// area is in square meters.
func (t tile) area() float64 {
	o, err := spatial.NewOutline(orb.MultiPolygon{t.outline})
	if err != nil {
		panic(err)
	}
	return float64(o.Area())
}
