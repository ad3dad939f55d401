package dataset

import (
	"cmp"
	"context"
	"iter"
	"slices"
)

// The kinds of rows in this room.
const (
	KindState    Kind = "state"
	KindCounty   Kind = "county"
	KindCBSA     Kind = "CBSA"
	KindDivision Kind = "metropolitan division"
	KindZone     Kind = "time zone"
	KindZIP      Kind = "ZIP"
	KindFSA      Kind = "FSA"
	KindPostal   Kind = "Postal"
)

// codeKinds returns the kinds in the order of a comparison.
func codeKinds() []Kind {
	return []Kind{KindState, KindCounty, KindCBSA, KindDivision, KindZone, KindZIP, KindFSA, KindPostal}
}

// codesDiff compares the codes of two files.
type codesDiff struct {
	a, b *codesReader
	c    *comparison
	// The functions compare what other rooms store for a code of both files.
	zipOverlaps func(ZIP) (same bool, err error)
	fsaOverlaps func(FSA) (same bool, err error)
	postalAreas func(PostalCode) (same bool, err error)
}

// run reports the changes; false ends the comparison.
func (d *codesDiff) run(ctx context.Context) bool {
	return d.states(ctx) && d.counties(ctx) && d.cbsas(ctx) && d.divisions(ctx) && d.zones(ctx) &&
		d.zips(ctx) && d.fsas(ctx) && d.postalCodes(ctx)
}

func (d *codesDiff) differentState(x, y StateID) bool {
	return stateCode(d.a.State(x)) != stateCode(d.b.State(y))
}

func (d *codesDiff) differentZone(x, y ZoneID) bool { return d.a.Zone(x).Name != d.b.Zone(y).Name }

func (d *codesDiff) differentCBSA(x, y CBSAID) bool { return d.a.CBSA(x).Code != d.b.CBSA(y).Code }

// stateCode returns a country and the letters of a state, e.g. "US-CA".
func stateCode(s *State) string { return s.Country.String() + "-" + s.Abbr }

func (d *codesDiff) states(ctx context.Context) bool {
	return merge(ctx, d.c, KindState, sortedBy(d.a.States(), stateCode), sortedBy(d.b.States(), stateCode), stateCode, stateCode,
		func(x, y *State) ([]string, error) { return changedFields(x, y), nil })
}

func (d *codesDiff) counties(ctx context.Context) bool {
	code := func(r *County) string { return r.FIPS }
	return merge(ctx, d.c, KindCounty, sortedBy(d.a.Counties(), code), sortedBy(d.b.Counties(), code), code, code,
		func(x, y *County) ([]string, error) {
			list := addIf(changedFields(x, y), "State", d.differentState(x.State, y.State))
			list = addIf(list, "CBSA", d.differentCBSA(x.CBSA, y.CBSA))
			return addIf(list, "Division", d.a.Division(x.Division).Code != d.b.Division(y.Division).Code), nil
		})
}

func (d *codesDiff) cbsas(ctx context.Context) bool {
	code := func(r *CBSA) string { return r.Code }
	return merge(ctx, d.c, KindCBSA, sortedBy(d.a.CBSAs(), code), sortedBy(d.b.CBSAs(), code), code, code,
		func(x, y *CBSA) ([]string, error) { return changedFields(x, y), nil })
}

func (d *codesDiff) divisions(ctx context.Context) bool {
	code := func(r *Division) string { return r.Code }
	return merge(ctx, d.c, KindDivision, sortedBy(d.a.Divisions(), code), sortedBy(d.b.Divisions(), code), code, code,
		func(x, y *Division) ([]string, error) {
			return addIf(changedFields(x, y), "CBSA", d.differentCBSA(x.CBSA, y.CBSA)), nil
		})
}

// zones compares the clocks of the time zones; those that several sources name
// are compared once.
func (d *codesDiff) zones(ctx context.Context) bool {
	name := func(z *Zone) string { return z.Name }
	once := func(r *codesReader) iter.Seq[*Zone] {
		list := slices.Collect(sortedBy(r.Zones(), name))
		return slices.Values(slices.CompactFunc(list, func(x, y *Zone) bool { return x.Name == y.Name }))
	}
	return merge(ctx, d.c, KindZone, once(d.a), once(d.b), name, name, func(x, y *Zone) ([]string, error) {
		if x.Rules == y.Rules {
			return nil, nil
		}
		a, err := x.Location()
		if err != nil {
			return nil, err
		}
		b, err := y.Location()
		return addIf(nil, "Rules", err == nil && !sameClocks(a, b)), err
	})
}

func (d *codesDiff) zips(ctx context.Context) bool {
	sameTexts := slices.Equal(d.a.zipTexts, d.b.zipTexts)
	return merge(ctx, d.c, KindZIP, d.a.ZIPs(), d.b.ZIPs(),
		func(r ZIPRow) ZIP { return r.ZIP }, func(r ZIPRow) string { return r.ZIP.String() },
		func(x, y ZIPRow) ([]string, error) {
			list := addIf(changedFields(&x, &y), "State", d.differentState(x.State, y.State))
			list = addIf(list, "County", d.a.County(x.County).FIPS != d.b.County(y.County).FIPS)
			list = addIf(list, "Zone", d.differentZone(x.Zone, y.Zone))
			list = addIf(list, "Zones", !d.sameZones(d.a.ZIPZones(x.ZIP), d.b.ZIPZones(y.ZIP)))
			same, err := d.zipOverlaps(x.ZIP)
			if err != nil {
				return nil, err
			}
			return changedDetail(ctx, d, addIf(list, "Overlaps", !same), zipDetailRows, sameTexts, func(r *codesReader) (*ZIPDetail, error) {
				return r.ZIPDetail(ctx, x.ZIP)
			}, int64(x.ZIP))
		})
}

func (d *codesDiff) fsas(ctx context.Context) bool {
	sameTexts := slices.Equal(d.a.fsaTexts, d.b.fsaTexts)
	return merge(ctx, d.c, KindFSA, d.a.FSAs(), d.b.FSAs(),
		func(r FSARow) FSA { return r.FSA }, func(r FSARow) string { return r.FSA.String() },
		func(x, y FSARow) ([]string, error) {
			list := addIf(changedFields(&x, &y), "Province", d.differentState(x.Province, y.Province))
			list = addIf(list, "Zone", d.differentZone(x.Zone, y.Zone))
			list = addIf(list, "Zones", !d.sameZones(d.a.FSAZones(x.FSA), d.b.FSAZones(y.FSA)))
			same, err := d.fsaOverlaps(x.FSA)
			if err != nil {
				return nil, err
			}
			return changedDetail(ctx, d, addIf(list, "Overlaps", !same), fsaDetailRows, sameTexts, func(r *codesReader) (*FSADetail, error) {
				return r.FSADetail(ctx, x.FSA)
			}, int64(x.FSA))
		})
}

func (d *codesDiff) postalCodes(ctx context.Context) bool {
	return merge(ctx, d.c, KindPostal, d.a.PostalCodes(), d.b.PostalCodes(),
		func(r PostalRow) PostalCode { return r.Code }, func(r PostalRow) string { return r.Code.String() },
		func(x, y PostalRow) ([]string, error) {
			list := addIf(changedFields(&x, &y), "Province", d.differentState(x.Province, y.Province))
			list = addIf(list, "Zone", d.differentZone(x.Zone, y.Zone))
			same, err := d.postalAreas(x.Code)
			return addIf(list, "Areas", !same), err
		})
}

// changedDetail adds the fields of a detail. Equal bytes are equal details if
// both files number the texts alike; only others are decoded.
func changedDetail[T any](
	ctx context.Context, d *codesDiff, list []string, table *rowKind, sameTexts bool, read func(*codesReader) (*T, error), id int64,
) ([]string, error) {
	if sameTexts {
		if same, err := sameRow(ctx, d.a.file, d.b.file, table, id); same || err != nil {
			return list, err
		}
	}
	x, err := read(d.a)
	if err != nil {
		return nil, err
	}
	y, err := read(d.b)
	if err != nil {
		return nil, err
	}
	return append(list, changedFields(x, y)...), nil
}

// sameZones compares the shares of time zones by the names of the zones.
func (d *codesDiff) sameZones(x, y []ZoneShare) bool {
	type share struct {
		zone    string
		percent float32
	}
	named := func(r *codesReader, list []ZoneShare) []share {
		out := make([]share, len(list))
		for i, s := range list {
			out[i] = share{r.Zone(s.Zone).Name, s.Percent}
		}
		slices.SortFunc(out, func(p, q share) int {
			return cmp.Or(cmp.Compare(p.zone, q.zone), cmp.Compare(p.percent, q.percent))
		})
		return out
	}
	return slices.Equal(named(d.a, x), named(d.b, y))
}
