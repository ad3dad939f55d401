package codes

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// The kinds of rows in this room.
const (
	KindState    file.Kind = "state"
	KindCounty   file.Kind = "county"
	KindCBSA     file.Kind = "CBSA"
	KindDivision file.Kind = "metropolitan division"
	KindZone     file.Kind = "time zone"
	KindZIP      file.Kind = "ZIP"
	KindFSA      file.Kind = "FSA"
	KindPostal   file.Kind = "Postal"
)

// Kinds returns the kinds in the order of a comparison.
func Kinds() []file.Kind {
	return []file.Kind{KindState, KindCounty, KindCBSA, KindDivision, KindZone, KindZIP, KindFSA, KindPostal}
}

// Diff compares the codes of two files.
type Diff struct {
	A, B *Reader
	C    *file.Comparison
	// The functions compare what other rooms store for a code of both files.
	ZipOverlaps func(dataset.ZIP) (same bool, err error)
	FsaOverlaps func(dataset.FSA) (same bool, err error)
	PostalAreas func(dataset.PostalCode) (same bool, err error)
}

// Run reports the changes; false ends the comparison.
func (d *Diff) Run(ctx context.Context) bool {
	return d.states(ctx) && d.counties(ctx) && d.cbsas(ctx) && d.divisions(ctx) && d.zones(ctx) &&
		d.zips(ctx) && d.fsas(ctx) && d.postalCodes(ctx)
}

func (d *Diff) differentState(x, y StateID) bool {
	return StateCode(d.A.State(x)) != StateCode(d.B.State(y))
}

func (d *Diff) differentZone(x, y ZoneID) bool { return d.A.Zone(x).Name != d.B.Zone(y).Name }

func (d *Diff) differentCBSA(x, y CBSAID) bool { return d.A.CBSA(x).Code != d.B.CBSA(y).Code }

// StateCode returns a country and the letters of a state, e.g. "US-CA".
func StateCode(s *State) string { return s.Country.String() + "-" + s.Abbr }

func (d *Diff) states(ctx context.Context) bool {
	return file.Merge(ctx, d.C, KindState, file.SortedBy(d.A.States(), StateCode), file.SortedBy(d.B.States(), StateCode), StateCode, StateCode,
		func(x, y *State) ([]string, error) { return file.ChangedFields(x, y), nil })
}

func (d *Diff) counties(ctx context.Context) bool {
	code := func(r *County) string { return r.FIPS }
	return file.Merge(ctx, d.C, KindCounty, file.SortedBy(d.A.Counties(), code), file.SortedBy(d.B.Counties(), code), code, code,
		func(x, y *County) ([]string, error) {
			list := file.AddIf(file.ChangedFields(x, y), "State", d.differentState(x.State, y.State))
			list = file.AddIf(list, "CBSA", d.differentCBSA(x.CBSA, y.CBSA))
			return file.AddIf(list, "Division", d.A.Division(x.Division).Code != d.B.Division(y.Division).Code), nil
		})
}

func (d *Diff) cbsas(ctx context.Context) bool {
	code := func(r *CBSA) string { return r.Code }
	return file.Merge(ctx, d.C, KindCBSA, file.SortedBy(d.A.CBSAs(), code), file.SortedBy(d.B.CBSAs(), code), code, code,
		func(x, y *CBSA) ([]string, error) { return file.ChangedFields(x, y), nil })
}

func (d *Diff) divisions(ctx context.Context) bool {
	code := func(r *Division) string { return r.Code }
	return file.Merge(ctx, d.C, KindDivision, file.SortedBy(d.A.Divisions(), code), file.SortedBy(d.B.Divisions(), code), code, code,
		func(x, y *Division) ([]string, error) {
			return file.AddIf(file.ChangedFields(x, y), "CBSA", d.differentCBSA(x.CBSA, y.CBSA)), nil
		})
}

// zones compares the clocks of the time zones; those that several sources name
// are compared once.
func (d *Diff) zones(ctx context.Context) bool {
	name := func(z *Zone) string { return z.Name }
	once := func(r *Reader) iter.Seq[*Zone] {
		list := slices.Collect(file.SortedBy(r.Zones(), name))
		return slices.Values(slices.CompactFunc(list, func(x, y *Zone) bool { return x.Name == y.Name }))
	}
	return file.Merge(ctx, d.C, KindZone, once(d.A), once(d.B), name, name, func(x, y *Zone) ([]string, error) {
		if x.Rules == y.Rules {
			return nil, nil
		}
		a, err := x.Location()
		if err != nil {
			return nil, err
		}
		b, err := y.Location()
		return file.AddIf(nil, "Rules", err == nil && !sameClocks(a, b)), err
	})
}

func (d *Diff) zips(ctx context.Context) bool {
	return file.Merge(ctx, d.C, KindZIP, d.A.ZIPs(), d.B.ZIPs(),
		func(r ZIPRow) dataset.ZIP { return r.ZIP }, func(r ZIPRow) string { return r.ZIP.String() },
		func(x, y ZIPRow) ([]string, error) {
			list := file.AddIf(file.ChangedFields(&x, &y), "State", d.differentState(x.State, y.State))
			list = file.AddIf(list, "County", d.A.County(x.County).FIPS != d.B.County(y.County).FIPS)
			list = file.AddIf(list, "Zone", d.differentZone(x.Zone, y.Zone))
			list = file.AddIf(list, "Zones", !d.sameZones(d.A.ZIPZones(x.ZIP), d.B.ZIPZones(y.ZIP)))
			same, err := d.ZipOverlaps(x.ZIP)
			if err != nil {
				return nil, err
			}
			return changedDetail(d, file.AddIf(list, "Overlaps", !same), func(r *Reader) (*ZIPDetail, error) { return r.ZIPDetail(ctx, x.ZIP) })
		})
}

func (d *Diff) fsas(ctx context.Context) bool {
	return file.Merge(ctx, d.C, KindFSA, d.A.FSAs(), d.B.FSAs(),
		func(r FSARow) dataset.FSA { return r.FSA }, func(r FSARow) string { return r.FSA.String() },
		func(x, y FSARow) ([]string, error) {
			list := file.AddIf(file.ChangedFields(&x, &y), "Province", d.differentState(x.Province, y.Province))
			list = file.AddIf(list, "Zone", d.differentZone(x.Zone, y.Zone))
			list = file.AddIf(list, "Zones", !d.sameZones(d.A.FSAZones(x.FSA), d.B.FSAZones(y.FSA)))
			same, err := d.FsaOverlaps(x.FSA)
			if err != nil {
				return nil, err
			}
			return changedDetail(d, file.AddIf(list, "Overlaps", !same), func(r *Reader) (*FSADetail, error) { return r.FSADetail(ctx, x.FSA) })
		})
}

func (d *Diff) postalCodes(ctx context.Context) bool {
	return file.Merge(ctx, d.C, KindPostal, d.A.PostalCodes(), d.B.PostalCodes(),
		func(r PostalRow) dataset.PostalCode { return r.Code }, func(r PostalRow) string { return r.Code.String() },
		func(x, y PostalRow) ([]string, error) {
			list := file.AddIf(file.ChangedFields(&x, &y), "Province", d.differentState(x.Province, y.Province))
			list = file.AddIf(list, "Zone", d.differentZone(x.Zone, y.Zone))
			same, err := d.PostalAreas(x.Code)
			return file.AddIf(list, "Areas", !same), err
		})
}

// changedDetail adds the fields of a detail.
func changedDetail[T any](d *Diff, list []string, read func(*Reader) (*T, error)) ([]string, error) {
	x, err := read(d.A)
	if err != nil {
		return nil, err
	}
	y, err := read(d.B)
	if err != nil {
		return nil, err
	}
	return append(list, file.ChangedFields(x, y)...), nil
}

// sameZones compares the shares of time zones by the names of the zones.
func (d *Diff) sameZones(x, y []ZoneShare) bool {
	type share struct {
		zone    string
		percent float32
	}
	named := func(r *Reader, list []ZoneShare) []share {
		out := make([]share, len(list))
		for i, s := range list {
			out[i] = share{r.Zone(s.Zone).Name, s.Percent}
		}
		slices.SortFunc(out, func(p, q share) int {
			return cmp.Or(cmp.Compare(p.zone, q.zone), cmp.Compare(p.percent, q.percent))
		})
		return out
	}
	return slices.Equal(named(d.A, x), named(d.B, y))
}
