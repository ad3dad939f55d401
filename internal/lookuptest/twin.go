package lookuptest

import (
	"errors"
	"fmt"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
	"github.com/postgeo/postgeo/internal/tzif"
)

// TwinZIPs is how many ZIPs a twin has: the codes from TwinFirst on.
const (
	TwinFirst = postcode.ZIP(44001)
	TwinZIPs  = 30
)

// Twins are the two datasets that [WriteTwin] writes.
var Twins = [...]string{"Alpha", "Beta"}

// twinGrid is how far apart the codes of a twin lie, in degrees; those of the
// second twin are a third farther.
const twinGrid = 0.04

// WriteTwin writes one of two datasets with the same codes and different data:
// names carry the twin's number, and points, outlines and figures differ. A
// result that mixes both datasets is therefore recognizable.
func WriteTwin(path string, twin int) error {
	w, err := storewrite.Create(path)
	if err != nil {
		return err
	}
	t := twinWriter{w, Twins[twin], twinGrid * (1 + float64(twin)/3), twin}
	if err := t.write(); err != nil {
		return errors.Join(err, w.Abort())
	}
	return w.Finish(dataset.Manifest{Version: t.name, Built: Built, Builder: "lookuptest", Layers: []string{"identity", "boundaries", "census"}})
}

type twinWriter struct {
	w    *storewrite.Writer
	name string
	grid float64
	n    int
}

func (t twinWriter) write() error {
	w := t.w
	err := errors.Join(
		w.SetStates([]store.State{
			{Country: store.US, Abbr: "OH", Name: t.name + " State", FIPS: "39", Region: t.name, Division: t.name + " Division"},
			{Country: store.CA, Abbr: "ON", Name: t.name + " Province"},
		}),
		w.SetCBSAs([]store.CBSA{{Code: fmt.Sprint(17140 + t.n), Title: t.name + " Area, OH", Metropolitan: t.n == 0}}),
		w.SetCounties([]store.County{{FIPS: fmt.Sprint(39001 + 2*t.n), Name: t.name + " County", State: 1, CBSA: 1}}),
		w.SetZones([]store.Zone{tzif.Row([]string{"America/New_York", "America/Chicago"}[t.n], t.name+" zones")}),
	)
	if err != nil {
		return err
	}
	var areas []area[postcode.ZIP]
	for i := range TwinZIPs {
		z, p := TwinFirst+postcode.ZIP(i), t.point(i)
		if err := t.zip(z, p, i); err != nil {
			return err
		}
		h := t.grid / 2
		areas = append(areas, area[postcode.ZIP]{z, p.Lng() - h, p.Lat() - h, p.Lng() + h, p.Lat() + h})
	}
	return errors.Join(t.canada(), t.entities(), set(w.SetZIPAreas, areas), t.tracts(areas))
}

// point returns the location of a code on a grid of six columns.
func (t twinWriter) point(i int) geo.LatLng {
	return geo.MustLatLng(40+t.grid*float64(i/6), -83+t.grid*float64(i%6))
}

// zip writes a ZIP and the records of its one street, which both twins have.
func (t twinWriter) zip(z postcode.ZIP, p geo.LatLng, i int) error {
	figure := int32(1000*(t.n+1) + i)
	err := t.w.AddZIP(store.ZIPRow{
		ZIP: z, City: fmt.Sprintf("%s Town %d", t.name, i), Municipality: t.name, State: 1, County: 1, Class: store.General, Zone: 1, Location: p,
		MultiCounty: []store.Tri{store.No, store.Yes}[t.n],
	}, store.ZIPDetail{
		AreaCodes: []uint16{uint16(300 + t.n)}, Elevation: ptr(float64(figure)), LandArea: ptr(int64(figure) * 1000), WaterArea: ptr(int64(figure)),
		Population: ptr(figure), ZIP4Count: ptr(int32(t.n + 2)),
	})
	if err != nil {
		return err
	}
	add := postcode.Plus4(1000 + 100*t.n)
	return t.w.AddZIP4(store.ZIP4Record{
		ZIP: z, Low: add, High: add, RecordType: 'S', CarrierRoute: fmt.Sprintf("C%03d", 1+t.n), Street: "SAMPLE", Suffix: "ST",
		AddrLow: "0000000100", AddrHigh: "0000000198", OddEven: 'E', State: "OH", CountyFIPS: fmt.Sprintf("%03d", 1+2*t.n), Location: p,
	})
}

func (t twinWriter) canada() error {
	at := geo.MustLatLng(43+t.grid, -80)
	return errors.Join(
		t.w.AddFSA(store.FSARow{FSA: parse(postcode.ParseFSA, "N2L"), City: t.name + "loo", Province: 2, Zone: 1, Location: at},
			store.FSADetail{Population: ptr(int32(100 * (1 + t.n)))}),
		t.w.AddPostalCode(store.PostalRow{Code: parse(postcode.ParsePostalCode, "N2L 3G1"), City: t.name + "loo", Province: 2, Zone: 1, Location: at}),
	)
}

// entities are places that one query finds in both twins.
func (t twinWriter) entities() error {
	for i := range 20 {
		p := t.point(i)
		e := store.Entity{
			Kind: store.EntityPlace, Name: fmt.Sprintf("Sample %s %d", t.name, i), State: 1, County: 1, Ref: uint32(3900000 + i), Twin: -1,
			Population: int32(1000*(t.n+1) + i), Prominence: uint16(20_000 + i), Location: p, ZIPs: []postcode.ZIP{TwinFirst + postcode.ZIP(i)},
			Box: geo.Box{SouthWest: p, NorthEast: geo.MustLatLng(p.Lat()+t.grid/2, p.Lng()+t.grid/2)},
		}
		key := fmt.Sprintf("sample %s %d", []string{"alpha", "beta"}[t.n], i)
		if err := t.w.AddEntity(e, storewrite.EntityNames{Own: []string{key}}); err != nil {
			return err
		}
	}
	return nil
}

// tracts are the areas of the ZIPs under other names.
func (t twinWriter) tracts(zips []area[postcode.ZIP]) error {
	l := layer{info: store.LayerInfo{ID: store.LayerTract, Source: LayerSource + t.name, Year: 2024 - t.n, Vintage: t.name, FitForShares: true}}
	var b spatial.PolygonIndexBuilder
	data := storewrite.LayerData{Info: l.info}
	for i, z := range zips {
		geoid := fmt.Sprintf("39%03d%06d", 1+2*t.n, 100*(i+1))
		a := boxed{store.LayerArea{GEOID: geoid, Name: t.name + " Tract", State: 1, Land: unknown, Water: unknown}, z.west, z.south, z.east, z.north}
		box := a.outline()
		var err error
		if a.Outline, err = spatial.MultiPolygonArea(box); err != nil {
			return err
		}
		if err := b.Add(box); err != nil {
			return err
		}
		l.areas, data.Areas = append(l.areas, a), append(data.Areas, a.LayerArea)
	}
	var err error
	if data.Packed, err = b.AppendBinary(nil); err != nil {
		return err
	}
	return errors.Join(t.w.SetLayer(data), overlaps([]layer{l}, store.US, zips, t.w, store.CodeOfZIP))
}
