package dataset

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"
	"reflect"
	"slices"
)

// A Kind is a kind of thing that two datasets are compared by.
type Kind uint8

// The kinds, in the order of a comparison.
const (
	KindState Kind = iota + 1
	KindCounty
	KindCBSA
	KindDivision
	KindZone
	KindZIP
	KindFSA
	KindPostal
	KindZIP4
	KindStateArea
	KindCountyArea
	KindZIPArea
	KindFSAArea
	KindZoneArea
)

// String returns the name of the kind, e.g. "ZIP" or "county".
func (k Kind) String() string {
	switch k {
	case KindState:
		return "state"
	case KindCounty:
		return "county"
	case KindCBSA:
		return "CBSA"
	case KindDivision:
		return "metropolitan division"
	case KindZone:
		return "time zone"
	case KindZIP:
		return "ZIP"
	case KindFSA:
		return "FSA"
	case KindPostal:
		return "Postal"
	case KindZIP4:
		return "ZIP+4"
	case KindStateArea:
		return "state area"
	case KindCountyArea:
		return "county area"
	case KindZIPArea:
		return "ZIP area"
	case KindFSAArea:
		return "FSA area"
	case KindZoneArea:
		return "time zone area"
	default:
		if k > KindZoneArea {
			if name := LayerID(k - KindZoneArea).String(); name != "" {
				return "layer " + name
			}
		}
		return fmt.Sprintf("Kind(%d)", uint8(k))
	}
}

// MarshalText returns String.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// An Op is what became of a thing.
type Op uint8

// The operations that lead from one dataset to the other.
const (
	Added Op = iota + 1
	Removed
	Changed
)

// String returns "added", "removed" or "changed".
func (o Op) String() string {
	switch o {
	case Added:
		return "added"
	case Removed:
		return "removed"
	case Changed:
		return "changed"
	default:
		return fmt.Sprintf("Op(%d)", uint8(o))
	}
}

// MarshalText returns String.
func (o Op) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// A Change is one difference between two datasets.
type Change struct {
	Kind   Kind     `json:"kind"`
	Code   string   `json:"code"` // e.g. "90210", "K1A", "K1A 0B1", "90210-1001", "US-CA", "06037"
	Op     Op       `json:"op"`
	Fields []string `json:"fields,omitempty"` // of a changed thing, as the row types of this package name them
}

// Changes yields every difference that leads from a to b, kind by kind, in
// ascending order of the codes; outlines come last. References are compared by what they refer to
// (a state by its letters, a county by its code, a time zone by its name), not
// by their position. It takes memory for one code at a time. An error ends it.
func Changes(ctx context.Context, a, b *Dataset) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		c := comparison{a: a, b: b, yield: yield}
		for _, d := range [...]*Dataset{a, b} {
			if err := d.Prepare(ctx); err != nil {
				yield(Change{}, err)
				return
			}
		}
		for _, run := range []func(context.Context) bool{
			c.states, c.counties, c.cbsas, c.divisions, c.zones, c.zips, c.fsas, c.postalCodes, c.zip4, c.areas, c.layers,
		} {
			if !run(ctx) {
				break
			}
		}
		if c.err != nil {
			yield(Change{}, c.err)
		}
	}
}

type comparison struct {
	a, b  *Dataset
	yield func(Change, error) bool
	err   error
}

// side pairs a row with its dataset.
type side[R any] struct {
	d   *Dataset
	row R
}

// merge walks two lists of rows in ascending order of their keys. It is false
// when the comparison is over.
func merge[R any, K cmp.Ordered](
	ctx context.Context, c *comparison, kind Kind, a, b iter.Seq[R],
	key func(R) K, code func(R) string, fields func(x, y side[R]) ([]string, error),
) bool {
	nextA, stopA := iter.Pull(a)
	defer stopA()
	nextB, stopB := iter.Pull(b)
	defer stopB()
	x, okX := nextA()
	y, okY := nextB()
	for n := 0; okX || okY; n++ {
		if n%1000 == 0 && ctx.Err() != nil {
			c.err = ctx.Err()
			return false
		}
		switch {
		case !okY || okX && key(x) < key(y):
			if !c.yield(Change{Kind: kind, Code: code(x), Op: Removed}, nil) {
				return false
			}
			x, okX = nextA()
		case !okX || key(y) < key(x):
			if !c.yield(Change{Kind: kind, Code: code(y), Op: Added}, nil) {
				return false
			}
			y, okY = nextB()
		default:
			list, err := fields(side[R]{c.a, x}, side[R]{c.b, y})
			if err != nil {
				c.err = err
				return false
			}
			if len(list) > 0 && !c.yield(Change{Kind: kind, Code: code(x), Op: Changed, Fields: list}, nil) {
				return false
			}
			x, okX = nextA()
			y, okY = nextB()
		}
	}
	return true
}

// changedFields compares two structs of one type field by field. Identifiers
// are left out: they mean something else in every dataset.
func changedFields[R any](x, y *R) []string {
	v, w := reflect.ValueOf(x).Elem(), reflect.ValueOf(y).Elem()
	var list []string
	for i := range v.NumField() {
		switch v.Field(i).Interface().(type) {
		case StateID, CountyID, CBSAID, DivisionID, ZoneID:
			continue
		}
		if !reflect.DeepEqual(v.Field(i).Interface(), w.Field(i).Interface()) {
			list = append(list, v.Type().Field(i).Name)
		}
	}
	return list
}

func addIf(list []string, field string, differs bool) []string {
	if differs {
		return append(list, field)
	}
	return list
}

func sameState(a *Dataset, x StateID, b *Dataset, y StateID) bool {
	return stateCode(a.State(x)) == stateCode(b.State(y))
}

func stateCode(s *State) string { return s.Country.String() + "-" + s.Abbr }

// sorted yields a small table in the order of the codes, which are unique
// within it or keep their order.
func sorted[R any](rows []R, code func(*R) string) iter.Seq[*R] {
	list := make([]*R, len(rows))
	for i := range rows {
		list[i] = &rows[i]
	}
	slices.SortStableFunc(list, func(x, y *R) int { return cmp.Compare(code(x), code(y)) })
	return slices.Values(list)
}

func (c *comparison) states(ctx context.Context) bool {
	return merge(ctx, c, KindState, sorted(c.a.States(), stateCode), sorted(c.b.States(), stateCode), stateCode, stateCode,
		func(x, y side[*State]) ([]string, error) { return changedFields(x.row, y.row), nil })
}

func (c *comparison) counties(ctx context.Context) bool {
	code := func(r *County) string { return r.FIPS }
	return merge(ctx, c, KindCounty, sorted(c.a.Counties(), code), sorted(c.b.Counties(), code), code, code,
		func(x, y side[*County]) ([]string, error) {
			list := changedFields(x.row, y.row)
			list = addIf(list, "State", !sameState(x.d, x.row.State, y.d, y.row.State))
			list = addIf(list, "CBSA", x.d.CBSA(x.row.CBSA).Code != y.d.CBSA(y.row.CBSA).Code)
			return addIf(list, "Division", x.d.Division(x.row.Division).Code != y.d.Division(y.row.Division).Code), nil
		})
}

func (c *comparison) cbsas(ctx context.Context) bool {
	code := func(r *CBSA) string { return r.Code }
	return merge(ctx, c, KindCBSA, sorted(c.a.CBSAs(), code), sorted(c.b.CBSAs(), code), code, code,
		func(x, y side[*CBSA]) ([]string, error) { return changedFields(x.row, y.row), nil })
}

func (c *comparison) divisions(ctx context.Context) bool {
	code := func(r *Division) string { return r.Code }
	return merge(ctx, c, KindDivision, sorted(c.a.Divisions(), code), sorted(c.b.Divisions(), code), code, code,
		func(x, y side[*Division]) ([]string, error) {
			return addIf(changedFields(x.row, y.row), "CBSA", x.d.CBSA(x.row.CBSA).Code != y.d.CBSA(y.row.CBSA).Code), nil
		})
}

// zones compares the clocks of the time zones; those that several sources name
// are compared once.
func (c *comparison) zones(ctx context.Context) bool {
	name := func(z *Zone) string { return z.Name }
	once := func(d *Dataset) iter.Seq[*Zone] {
		list := slices.Collect(sorted(d.Zones(), name))
		return slices.Values(slices.CompactFunc(list, func(x, y *Zone) bool { return x.Name == y.Name }))
	}
	return merge(ctx, c, KindZone, once(c.a), once(c.b), name, name, func(x, y side[*Zone]) ([]string, error) {
		if x.row.Rules == y.row.Rules {
			return nil, nil
		}
		a, err := x.row.Location()
		if err != nil {
			return nil, err
		}
		b, err := y.row.Location()
		return addIf(nil, "Rules", err == nil && !sameClocks(a, b)), err
	})
}

func (c *comparison) zips(ctx context.Context) bool {
	return merge(ctx, c, KindZIP, c.a.ZIPs(), c.b.ZIPs(),
		func(r ZIPRow) ZIP { return r.ZIP }, func(r ZIPRow) string { return r.ZIP.String() },
		func(x, y side[ZIPRow]) ([]string, error) {
			list := changedFields(&x.row, &y.row)
			list = addIf(list, "State", !sameState(x.d, x.row.State, y.d, y.row.State))
			list = addIf(list, "County", x.d.County(x.row.County).FIPS != y.d.County(y.row.County).FIPS)
			list = addIf(list, "Zone", x.d.Zone(x.row.Zone).Name != y.d.Zone(y.row.Zone).Name)
			list = addIf(list, "Zones", !sameZones(x.d, x.d.ZIPZones(x.row.ZIP), y.d, y.d.ZIPZones(y.row.ZIP)))
			same, err := sameOverlaps(ctx, US, x.d, y.d, zipOverlapRows, func(d *Dataset) *codeSet { return &d.zipOverlaps }, uint32(x.row.ZIP))
			if err != nil {
				return nil, err
			}
			list = addIf(list, "Overlaps", !same)
			return changedDetail(ctx, list, x.d, y.d, zipDetailRows, int64(x.row.ZIP), (*Dataset).decodeZIPDetail, slices.Equal(x.d.zipTexts, y.d.zipTexts))
		})
}

func (c *comparison) fsas(ctx context.Context) bool {
	return merge(ctx, c, KindFSA, c.a.FSAs(), c.b.FSAs(),
		func(r FSARow) FSA { return r.FSA }, func(r FSARow) string { return r.FSA.String() },
		func(x, y side[FSARow]) ([]string, error) {
			list := changedFields(&x.row, &y.row)
			list = addIf(list, "Province", !sameState(x.d, x.row.Province, y.d, y.row.Province))
			list = addIf(list, "Zone", x.d.Zone(x.row.Zone).Name != y.d.Zone(y.row.Zone).Name)
			list = addIf(list, "Zones", !sameZones(x.d, x.d.FSAZones(x.row.FSA), y.d, y.d.FSAZones(y.row.FSA)))
			same, err := sameOverlaps(ctx, CA, x.d, y.d, fsaOverlapRows, func(d *Dataset) *codeSet { return &d.fsaOverlaps }, uint32(x.row.FSA))
			if err != nil {
				return nil, err
			}
			list = addIf(list, "Overlaps", !same)
			return changedDetail(ctx, list, x.d, y.d, fsaDetailRows, int64(x.row.FSA), (*Dataset).decodeFSADetail, slices.Equal(x.d.fsaTexts, y.d.fsaTexts))
		})
}

func (c *comparison) postalCodes(ctx context.Context) bool {
	same := c.samePostalAreas(ctx)
	return merge(ctx, c, KindPostal, c.a.PostalCodes(), c.b.PostalCodes(),
		func(r PostalRow) PostalCode { return r.Code }, func(r PostalRow) string { return r.Code.String() },
		func(x, y side[PostalRow]) ([]string, error) {
			list := changedFields(&x.row, &y.row)
			list = addIf(list, "Province", !sameState(x.d, x.row.Province, y.d, y.row.Province))
			list = addIf(list, "Zone", x.d.Zone(x.row.Zone).Name != y.d.Zone(y.row.Zone).Name)
			equal, err := same(x.row.Code)
			return addIf(list, "Areas", !equal), err
		})
}

// changedDetail adds the fields of a detail. Equal bytes are equal details if
// both files number the texts alike; only others are decoded.
func changedDetail[T any](
	ctx context.Context, list []string, a, b *Dataset, table int, id int64, decode func(*Dataset, []byte) (*T, error), sameTexts bool,
) ([]string, error) {
	p, err := a.cold.row(ctx, table, id)
	if err != nil {
		return nil, err
	}
	q, err := b.cold.row(ctx, table, id)
	if err != nil {
		return nil, err
	}
	if sameTexts && bytes.Equal(p, q) {
		return list, nil
	}
	x, err := readDetail(ctx, a, table, id, decode)
	if err != nil {
		return nil, err
	}
	y, err := readDetail(ctx, b, table, id, decode)
	if err != nil {
		return nil, err
	}
	return append(list, changedFields(x, y)...), nil
}

// zip4 compares ZIP by ZIP; pages with the same bytes are not decoded.
func (c *comparison) zip4(ctx context.Context) bool {
	codes := func(d *Dataset) iter.Seq[ZIP] {
		return func(yield func(ZIP) bool) {
			for _, z := range d.streetSet.all() {
				if !yield(ZIP(z)) {
					return
				}
			}
		}
	}
	nextA, stopA := iter.Pull(codes(c.a))
	defer stopA()
	nextB, stopB := iter.Pull(codes(c.b))
	defer stopB()
	x, okX := nextA()
	y, okY := nextB()
	for okX || okY {
		z := x
		if !okX || okY && y < x {
			z = y
		}
		if !c.zip4Of(ctx, z) {
			return false
		}
		if okX && x == z {
			x, okX = nextA()
		}
		if okY && y == z {
			y, okY = nextB()
		}
	}
	return true
}

// zip4Of compares the records of one ZIP, grouped by their range.
func (c *comparison) zip4Of(ctx context.Context, z ZIP) bool {
	same, err := c.samePages(ctx, z)
	if err != nil || same {
		c.err = err
		return err == nil
	}
	a, err := zip4Groups(ctx, c.a, z)
	if err != nil {
		c.err = err
		return false
	}
	b, err := zip4Groups(ctx, c.b, z)
	if err != nil {
		c.err = err
		return false
	}
	key := func(g []StreetRecord) uint32 {
		if g[0].NoPlus4 {
			return math.MaxUint32
		}
		return uint32(g[0].Low)<<16 | uint32(g[0].High)
	}
	code := func(g []StreetRecord) string {
		if g[0].NoPlus4 {
			return z.String()
		}
		if g[0].Low == g[0].High {
			return z.String() + "-" + g[0].Low.String()
		}
		return z.String() + "-" + g[0].Low.String() + ".." + g[0].High.String()
	}
	return merge(ctx, c, KindZIP4, slices.Values(a), slices.Values(b), key, code,
		func(x, y side[[]StreetRecord]) ([]string, error) {
			if len(x.row) != len(y.row) {
				return []string{"Records"}, nil
			}
			var list []string
			for i := range x.row {
				for _, f := range changedFields(&x.row[i].ZIP4Record, &y.row[i].ZIP4Record) {
					if !slices.Contains(list, f) {
						list = append(list, f)
					}
				}
			}
			return list, nil
		})
}

// samePages reports whether both datasets hold the ZIP in equal pages.
func (c *comparison) samePages(ctx context.Context, z ZIP) (bool, error) {
	a, okA := c.a.streetsOf(z)
	b, okB := c.b.streetsOf(z)
	if !okA || !okB || a.pages != b.pages {
		return false, nil
	}
	for i := range a.pages {
		id := int64(z)*maxPagesOfZIP + int64(i)
		p, err := c.a.cold.row(ctx, zip4Rows, id)
		if err != nil {
			return false, err
		}
		q, err := c.b.cold.row(ctx, zip4Rows, id)
		if err != nil {
			return false, err
		}
		if !bytes.Equal(p, q) {
			return false, nil
		}
	}
	return true, nil
}

// zip4Groups reads the records of a ZIP and groups those with equal
// ranges; those without add-ons are the last group.
func zip4Groups(ctx context.Context, d *Dataset, z ZIP) ([][]StreetRecord, error) {
	var list []StreetRecord
	for r, err := range d.StreetRecords(ctx, z) {
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	slices.SortStableFunc(list, func(x, y StreetRecord) int {
		return cmp.Or(cmp.Compare(flagBits(x.NoPlus4), flagBits(y.NoPlus4)), cmp.Compare(x.Low, y.Low), cmp.Compare(x.High, y.High))
	})
	var groups [][]StreetRecord
	for len(list) > 0 {
		n := 1
		for n < len(list) && list[n].NoPlus4 == list[0].NoPlus4 && list[n].Low == list[0].Low && list[n].High == list[0].High {
			n++
		}
		groups = append(groups, list[:n:n])
		list = list[n:]
	}
	return groups, nil
}
