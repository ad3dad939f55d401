package synth

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/internal/store"
)

// StreetOptions selects the street segments and address points to write.
type StreetOptions struct {
	Segments int64 // approximately, spread evenly over general ZIP Codes with an area
	Points   int64 // approximately, spread evenly over segments
}

// Files of streets, below the root of a mirror.
const (
	segmentFile  = tigerDir + "TIGER2025/ADDRFEAT/tl_2025_%s_addrfeat.zip"
	networkFile  = "www12.statcan.gc.ca/census-recensement/2011/geo/RNF-FRR/files-fichiers/lrnf000r24a_e.zip"
	networkTable = "NGD_UID:9 NAME:50 TYPE:6 DIR:2 AFL_VAL:9 ATL_VAL:9 AFR_VAL:9 ATR_VAL:9 CSDUID_L:7 CSDNAME_L:100 CSDTYPE_L:3 " +
		"CSDUID_R:7 CSDNAME_R:100 CSDTYPE_R:3 PRUID_L:2 PRNAME_L:100 PRUID_R:2 PRNAME_R:100 RANK:4 CLASS:4"
	pointFile    = "data.transportation.gov/download/fc2s-wawr/application/x-zip-compressed"
	pointMember  = "TXT/NAD_r23.txt"
	segmentTable = "TLID:N10 TFIDL:N10 TFIDR:N10 ARIDL:22 ARIDR:22 LINEARID:22 FULLNAME:100 LFROMHN:12 LTOHN:12 RFROMHN:12 RTOHN:12 " +
		"ZIPL:5 ZIPR:5 EDGE_MTFCC:5 ROAD_MTFCC:5 PARITYL:1 PARITYR:1 PLUS4L:4 PLUS4R:4 LFROMTYP:1 LTOTYP:1 RFROMTYP:1 RTOTYP:1 OFFSETL:1 OFFSETR:1"
	pointColumns = "OID_,AddNum_Pre,Add_Number,AddNum_Suf,AddNo_Full,St_PreMod,St_PreDir,St_PreTyp,St_PreSep,St_Name,St_PosTyp,St_PosDir,St_PosMod," +
		"StNam_Full,Building,Floor,Unit,Room,Seat,Addtl_Loc,SubAddress,LandmkName,County,Inc_Muni,Post_City,Census_Plc,Uninc_Comm,Nbrhd_Comm," +
		"NatAmArea,NatAmSub,Urbnztn_PR,PlaceOther,PlaceNmTyp,State,Zip_Code,Plus_4,UUID,AddAuth,AddrRefSys,Longitude,Latitude,NatGrid,Elevation," +
		"Placement,AddrPoint,Related_ID,RelateType,ParcelSrc,Parcel_ID,AddrClass,Lifecycle,Effective,Expire,DateUpdate,AnomStatus,LocatnDesc," +
		"Addr_Type,DeliverTyp,NAD_Source,DataSet_ID"
)

// Words of the National Address Database for streetTypes and directions.
var (
	spelledTypes      = []string{"Street", "Avenue", "Drive", "Road", "Lane", "Court", "Boulevard", "Place", "Way", "Circle", "Terrace", "Parkway"}
	spelledDirections = map[string]string{"N": "North", "S": "South", "E": "East", "W": "West"}
)

// WriteStreets adds streets to the mirror below dir: an ADDRFEAT shapefile of each
// county and the text of the National Address Database. It returns the numbers of
// their segments and points. It holds one county in memory. A road network file of
// Canada with a street in each area is not counted.
//
// Points are at the true positions of houses. The lines of segments have vertices
// about as far apart as the Census Bureau's, and are a few meters off. Most of
// their ranges reserve more numbers than the block has houses.
func (c *Country) WriteStreets(ctx context.Context, dir string, o StreetOptions) (segments, points int64, err error) {
	counties := make([][]postOffice, len(c.Counties))
	areas := int64(0)
	for _, office := range c.offices(nil) {
		if z := office.zip; z.Class == store.General && z.HasArea && z.County != None && office.box != (Box{}) {
			counties[z.County] = append(counties[z.County], office)
			areas++
		}
	}
	if areas == 0 {
		return 0, 0, errors.New("synth: the country has no ZIP Codes with an area")
	}
	network := mirrorFile{networkFile, func(_ context.Context, out io.Writer) (int, error) {
		return 0, c.roadNetwork().write(out, "lrnf000r24a_e")
	}}
	if _, err := network.create(ctx, dir); err != nil {
		return 0, 0, err
	}
	w := &streetWriter{seed: c.seed, housesOfSide: float64(o.Points) / float64(max(o.Segments, 1))}
	_, err = archived(pointFile, pointMember, func(ctx context.Context, out io.Writer) (int, error) {
		w.points = bufio.NewWriterSize(out, 1<<20)
		w.points.WriteString(pointColumns + "\r\n")
		done := int64(0)
		for i, offices := range counties {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			if len(offices) == 0 {
				continue
			}
			w.segments = newShapefile(fieldsOf(segmentTable), false)
			w.segments.kind = lineShape
			for k := range offices {
				w.other = &offices[(k+1)%len(offices)]
				w.zip(&offices[k], int(o.Segments*(done+1)/areas-o.Segments*done/areas), c.Counties[i].Base)
				done++
			}
			fips := c.Counties[i].FIPS
			file := mirrorFile{fmt.Sprintf(segmentFile, fips), func(_ context.Context, out io.Writer) (int, error) {
				return w.segments.records, w.segments.write(out, "tl_2025_"+fips+"_addrfeat")
			}}
			n, err := file.create(ctx, dir)
			if err != nil {
				return 0, err
			}
			segments += int64(n)
		}
		return int(w.count), w.points.Flush()
	}).create(ctx, dir)
	return segments, w.count, err
}

// roadNetwork draws a street with three segments in the middle of each area of
// Canada.
func (c *Country) roadNetwork() *shapefile {
	s := newShapefile(fieldsOf(networkTable), true)
	s.kind = lineShape
	for i := range c.Cells {
		cell := &c.Cells[i]
		if cell.FSA == None || cell.Municipality == None {
			continue
		}
		m, province := &c.Municipalities[cell.Municipality], &c.States[cell.State]
		block := arc{start: vertexAt(cell.Box.Center())}
		kind := [...]string{"AVE", "CRES", "RUE", "CH"}[i%4]
		for k := range 3 {
			end := block.at(100, 0)
			from := 100 * (k + 1)
			s.addParts([][]vertex{{block.start, end}}, []string{
				itoa(s.records + 1), streetWords[i%len(streetWords)], kind, "", itoa(from), itoa(from + 98), itoa(from + 99), itoa(from + 1),
				m.UID, m.Name, m.Type, m.UID, m.Name, m.Type, province.PRUID, province.Name, province.PRUID, province.Name, "5", "21",
			})
			block.start = end
		}
	}
	return s
}

// A streetWriter draws the streets of one ZIP Code after the other.
type streetWriter struct {
	seed         uint64
	housesOfSide float64 // at most; half of it on average
	segments     *shapefile
	points       *bufio.Writer
	count        int64
	line         []byte

	rng    *rand.Rand
	office *postOffice
	other  *postOffice // on the other side of some streets
	county string
	full   string // name of the street
	middle string // columns of the point's street
	bend   float64
	shift  vertex // error of the street's lines
}

// zip draws n segments in streets of up to twelve.
func (w *streetWriter) zip(o *postOffice, n int, county string) {
	const longest = 12
	w.office, w.county = o, county
	w.rng = rand.New(rand.NewPCG(w.seed, hash(w.seed, uint64(o.zip.Code), 's')))
	for k := 0; n > 0; k++ {
		w.name(k)
		w.bend = 0
		if w.rng.IntN(5) < 2 { // a curve with a radius of 150 to 900 meters
			w.bend = 1 / (150 + float64(750*w.rng.Float64()))
			if w.rng.IntN(2) == 0 {
				w.bend = -w.bend
			}
		}
		b := o.box
		at := func(low, high int32) int32 { return low + int32(float64(high-low)*w.rng.Float64()) }
		from := arc{start: vertex{at(b.X0, b.X1), at(b.Y0, b.Y1)}, heading: float64(w.rng.IntN(4))*math.Pi/2 + float64(0.3*w.rng.Float64()), bend: w.bend}
		w.shift = vertex{int32(w.rng.IntN(101)) - 50, int32(w.rng.IntN(81)) - 40}
		for block := range min(n, 1+w.rng.IntN(longest)) {
			length := 60 + float64(140*w.rng.Float64())
			w.block(from, block, length)
			from.start, from.heading = from.at(length, 0), from.heading+float64(from.bend*length)
			n--
		}
	}
}

// name sets the name of street k, in the order of the postal products.
func (w *streetWriter) name(k int) {
	word, kind, dir := streetOf(w.office, k)
	title := func(s string) string { return s[:1] + strings.ToLower(s[1:]) }
	w.full = strings.TrimSpace(dir + " " + title(word) + " " + title(streetTypes[kind]))
	whole := strings.TrimSpace(spelledDirections[dir] + " " + title(word) + " " + spelledTypes[kind])
	w.middle = "," + spelledDirections[dir] + ",,," + title(word) + "," + spelledTypes[kind] + ",,," + whole
}

// An arc is a curve of constant bend from a vertex on.
type arc struct {
	start         vertex
	heading, bend float64 // radians, and radians a meter
}

// at returns the place at a distance, moved to the left, in meters.
func (a arc) at(meters, left float64) vertex {
	sin, cos := math.Sincos(a.heading)
	x, y := float64(meters*cos), float64(meters*sin)
	end := a.heading + float64(a.bend*meters)
	sin2, cos2 := math.Sincos(end)
	if a.bend != 0 {
		x, y = (sin2-sin)/a.bend, (cos-cos2)/a.bend
	}
	const perMeter = 1e6 / 111_320
	y += float64(left * cos2)
	x = (x - float64(left*sin2)) / max(math.Cos(a.start.lat()*math.Pi/180), 0.1)
	return vertex{a.start.X + int32(math.Round(float64(x*perMeter))), a.start.Y + int32(math.Round(float64(y*perMeter)))}
}

// block writes a segment with the numbers of a hundred, and its houses.
func (w *streetWriter) block(from arc, block int, length float64) {
	const spacing = 40 // meters between the vertices of a curve
	pieces := 1
	if from.bend != 0 {
		pieces = 1 + int(length/spacing)
	}
	var line []vertex
	for i := range pieces + 1 {
		v := from.at(float64(length*float64(i)/float64(pieces)), 0)
		line = append(line, vertex{v.X + w.shift.X, v.Y + w.shift.Y})
	}
	zips := [2]*postOffice{w.office, w.office}
	if w.rng.IntN(25) == 0 {
		zips[1] = w.other
	}
	values := [2][4]string{} // from, to, ZIP and parity of both sides
	for side, parity := range [2]string{"E", "O"} {
		low, high := 100*(block+1)+side, 100*(block+1)+98+side
		first, last := w.houses(from, low, length, side, zips[side])
		if w.rng.IntN(3) == 0 && first > 0 { // the numbers in use
			low, high = first, last
		}
		if first > 0 || w.rng.IntN(4) > 0 {
			values[side] = [4]string{itoa(low), itoa(high), fmt.Sprintf("%05d", zips[side].zip.Code), parity}
		}
	}
	if w.rng.IntN(2) == 0 { // drawn from its other end
		slices.Reverse(line)
		values[0], values[1] = values[1], values[0]
		for i := range values {
			values[i][0], values[i][1] = values[i][1], values[i][0]
		}
	}
	l, r := values[0], values[1]
	id := itoa(w.segments.records + 1)
	w.segments.addParts([][]vertex{line}, []string{
		id, id, id, "", "", "", w.full, l[0], l[1], r[0], r[1], l[2], r[2], "S1400", "S1400", l[3], r[3], "", "", "", "", "", "", "N", "N",
	})
}

// houses writes the points of a side and returns the lowest and highest number, 0
// without houses.
func (w *streetWriter) houses(from arc, base int, length float64, side int, of *postOffice) (first, last int) {
	n := int(w.rng.Float64() * (w.housesOfSide + 1))
	used := 0.3 + float64(0.7*w.rng.Float64()) // part of the numbers
	for i := range n {
		number := base + 2*int((float64(i)+0.5)/float64(n)*float64(used*49))
		if number == last {
			continue
		}
		setback := 8 + float64(17*w.rng.Float64())
		if side == 1 {
			setback = -setback
		}
		v := from.at(float64(length*(float64(i)+0.2+float64(0.6*w.rng.Float64()))/float64(n)), setback)
		if first == 0 {
			first = number
		}
		last = number
		w.point(number, v, of)
	}
	return first, last
}

// point writes a row of the National Address Database.
func (w *streetWriter) point(number int, v vertex, of *postOffice) {
	w.count++
	b := w.line[:0]
	b = append(b, "-1,,"...)
	b = append(b, itoa(number)...)
	b = append(b, ",,"...)
	b = append(b, itoa(number)...)
	b = append(append(b, ','), w.middle...)
	b = append(append(b, ",,,,,,,,,"...), w.county...)
	b = append(append(b, " County,"...), of.zip.City...)
	b = append(append(b, ",Not stated,,,,,,,,,"...), of.state...)
	b = append(b, ',')
	b = fmt.Appendf(b, "%05d,,{00000000-0000-0000-0000-%012X},%s,,", of.zip.Code, w.count, w.county)
	b = append(appendMillionths(b, v.X), ',')
	b = append(appendMillionths(b, v.Y), ",,,Structure - Rooftop,,,,,,,,2/1/2025 0:00:00,,2/1/2025 0:00:00,,,Residential,,Invented,1\r\n"...)
	w.line = b
	w.points.Write(b) // the error is Flush's
}
