package build

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/build/format"
	"github.com/postgeo/postgeo/dataset/build/source"
)

// deriveZIPs collects the ZIP Codes that exist. GeoNames lists those of the
// states and, in files of their own, of the territories; the UDS crosswalk
// fills in for territories whose file is not at hand; zip_code_database.csv and
// the City State product, where the user has them, add what they know. A code
// that zip_code_database.csv calls decommissioned is left out, unless the City
// State product lists it.
func deriveZIPs(ctx context.Context, b *builder) error {
	b.tables.zipAt = map[dataset.ZIP]*zipDraft{}
	for _, read := range []func(context.Context, *builder) error{readZIPGeoNames, readZIPDatabase, readCityState, readStreetAliases, readUDS, readZCTAs} {
		if err := read(ctx, b); err != nil {
			return err
		}
	}
	t := &b.tables
	for _, z := range t.zipAt {
		t.zips = append(t.zips, z)
	}
	slices.SortFunc(t.zips, func(a, b *zipDraft) int { return int(a.row.ZIP) - int(b.row.ZIP) })
	kept := t.zips[:0]
	for _, z := range t.zips {
		if z.supplied != nil && z.supplied.Decommissioned && z.preferred() == nil {
			b.report.refuse(srcZIPDatabase, "decommissioned", b.at(srcZIPDatabase, z.supplied.Line)+z.row.ZIP.String())
			delete(t.zipAt, z.row.ZIP)
			continue
		}
		if !b.assignState(z) {
			id, line := z.place()
			b.report.refuse(id, "unknown state", b.at(id, line)+z.row.ZIP.String())
			delete(t.zipAt, z.row.ZIP)
			continue
		}
		kept = append(kept, z)
	}
	t.zips = kept
	return nil
}

// draft returns the ZIP in the making.
func (b *builder) draft(zip dataset.ZIP) *zipDraft {
	z := b.tables.zipAt[zip]
	if z == nil {
		z = &zipDraft{row: dataset.ZIPRow{ZIP: zip}}
		b.tables.zipAt[zip] = z
	}
	return z
}

func readZIPGeoNames(ctx context.Context, b *builder) error {
	files := []struct{ id, territory string }{
		{srcGeoNamesUS, ""}, {srcGeoNamesPR, "PR"}, {srcGeoNamesGU, "GU"}, {srcGeoNamesVI, "VI"}, {srcGeoNamesAS, "AS"}, {srcGeoNamesMP, "MP"},
	}
	for _, f := range files {
		err := readText(ctx, b, f.id, source.GeoNames, func(r source.GeoNamesRow) error {
			zip, ok := dataset.ParseZIP(r.Code)
			if !ok {
				return refusal{"not a ZIP Code", r.Line, r.Code}
			}
			z := b.draft(zip)
			if z.geoNames != nil {
				return refusal{"duplicate ZIP Code, the first is kept", r.Line, r.Code + " " + r.Place}
			}
			if f.territory != "" { // in these files state and county are those of the territory's own administration
				r.State, r.CountyCode = f.territory, ""
			}
			z.geoNames = &r
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// udsTerritories are the states that GeoNames has in files of their own.
var udsTerritories = []string{"PR", "GU", "VI", "AS", "MP"}

// udsEditions are the editions of the crosswalk in the order in which they are
// read. Those of 2021 and 2015 name ZCTAs of the same census, and the text is
// quicker to read.
var udsEditions = []struct {
	id   string
	text bool // not an Excel file
}{{srcUDS, false}, {srcUDSText, true}, {srcUDS2021, false}}

// readUDS reads the editions of the crosswalk, and only one of them if a better
// list is at hand. A ZIP takes the first row that has it as a post office or
// large volume customer, else the first one. The crosswalk adds codes only in
// the territories, and only without a better list: elsewhere it names ones
// that are gone.
func readUDS(ctx context.Context, b *builder) error {
	betterList := b.has(srcZIPDatabase) || b.has(srcUSPSCityState)
	listed := map[dataset.ZIP]*udsDraft{}
	for _, edition := range udsEditions {
		if betterList && len(listed) > 0 {
			break
		}
		seen := map[dataset.ZIP]bool{}
		take := func(r source.UDSRow) error {
			if seen[r.ZIP] {
				return refusal{"duplicate ZIP Code", r.Line, r.ZIP.String()}
			}
			seen[r.ZIP] = true
			if have := listed[r.ZIP]; have == nil || r.PostBoxes && !have.PostBoxes {
				listed[r.ZIP] = &udsDraft{r, edition.id}
			}
			return nil
		}
		var err error
		if edition.text {
			err = readText(ctx, b, edition.id, source.UDS, take)
		} else {
			err = readPath(ctx, b, edition.id, source.UDSSheet, take)
		}
		if err != nil {
			return err
		}
	}
	for zip, r := range listed {
		if z := b.tables.zipAt[zip]; z != nil {
			z.uds = r
		} else if slices.Contains(udsTerritories, r.State) && !betterList {
			b.draft(zip).uds = r
		}
	}
	return nil
}

func readZIPDatabase(ctx context.Context, b *builder) error {
	return readText(ctx, b, srcZIPDatabase, source.ZIPDatabase, func(r source.ZIPDatabaseRow) error {
		z := b.draft(r.ZIP)
		if z.supplied != nil {
			return refusal{"duplicate ZIP Code", r.Line, r.ZIP.String()}
		}
		z.supplied = &r
		return nil
	})
}

func readCityState(ctx context.Context, b *builder) error {
	return readText(ctx, b, srcUSPSCityState, source.ReadCityState, func(r source.CityStateRow) error {
		z := b.draft(r.ZIP)
		z.cityState = append(z.cityState, r)
		return nil
	})
}

// readStreetAliases reads what readCityState leaves of its file.
func readStreetAliases(ctx context.Context, b *builder) error {
	if !b.has(srcUSPSCityState) {
		return nil
	}
	in, err := b.open(srcUSPSCityState)
	if err != nil {
		return fmt.Errorf("%s: %w", srcUSPSCityState, err)
	}
	for r, err := range source.ReadStreetAliases(in) {
		if bad := (*format.Error)(nil); errors.Is(err, format.ErrValue) && errors.As(err, &bad) {
			b.report.refuse(srcUSPSCityState, "bad "+bad.Column, bad.Error())
			continue
		}
		if err = errors.Join(err, ctx.Err()); err != nil {
			return errors.Join(fmt.Errorf("%s: %w", srcUSPSCityState, err), in.Close())
		}
		if z := b.tables.zipAt[r.ZIP]; z == nil {
			b.report.refuse(srcUSPSCityState, "alias of a street of an unknown ZIP Code", b.at(srcUSPSCityState, r.Record)+r.ZIP.String())
		} else {
			z.aliases = append(z.aliases, r.StreetAlias)
		}
	}
	return in.Close()
}

func readZCTAs(ctx context.Context, b *builder) error {
	b.tables.zctas = map[string]source.GazetteerRow{}
	return readText(ctx, b, srcGazetteerZCTA, gazetteer(5), func(r source.GazetteerRow) error {
		if _, have := b.tables.zctas[r.GEOID]; have {
			return refusal{"duplicate ZCTA", r.Line, r.GEOID}
		}
		b.tables.zctas[r.GEOID] = r
		return nil
	})
}

// preferred returns the City State record of the ZIP's preferred name, or nil.
func (z *zipDraft) preferred() *source.CityStateRow {
	for i := range z.cityState {
		if z.cityState[i].Preferred() {
			return &z.cityState[i]
		}
	}
	if len(z.cityState) > 0 {
		return &z.cityState[0]
	}
	return nil
}

// place returns a source that lists the ZIP and the line there.
func (z *zipDraft) place() (id string, line int) {
	switch {
	case z.supplied != nil:
		return srcZIPDatabase, z.supplied.Line
	case z.geoNames != nil:
		return srcGeoNamesUS, z.geoNames.Line
	case len(z.cityState) > 0:
		return srcUSPSCityState, z.cityState[0].Record
	default:
		return z.uds.edition, z.uds.Line
	}
}

// assignState decides the state of a ZIP: for military ZIPs its first three
// digits do, as GeoNames often names the wrong one; else the City State
// product, the user's table, GeoNames and the crosswalk, in this order. It
// returns false for a state that is unknown.
func (b *builder) assignState(z *zipDraft) bool {
	proposals := make([]string, 0, 4)
	if m := militaryState(z.row.ZIP); m != "" {
		proposals = append(proposals, m)
		if g := z.geoNames; g != nil && g.State == "" && len(g.Place) > 4 && g.Place[4:] != m {
			b.report.applied("military state by the ZIP's first digits", z.row.ZIP.String()+" "+g.Place)
		}
	}
	if p := z.preferred(); p != nil {
		proposals = append(proposals, p.State)
	}
	if z.supplied != nil {
		proposals = append(proposals, z.supplied.State)
	}
	if z.geoNames != nil {
		proposals = append(proposals, z.geoNames.State)
	}
	if z.uds != nil {
		proposals = append(proposals, z.uds.State)
	}
	for _, state := range proposals {
		if id := b.state(dataset.US, state); id != 0 {
			z.state, z.row.State = state, id
			return true
		}
	}
	return false
}
