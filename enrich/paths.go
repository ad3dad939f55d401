package enrich

import (
	"context"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/lookup"
)

// A target is a resolved path.
type target struct {
	root
	node

	nth    int                         // entry of nearest or nearest_place in the path, from 1; 0 if none
	change change                      // of byChange
	member func(*acs.Comparison) Value // the member of the change
	value  func(*results) Value        // reads results that are not structs; else nil
}

// paths resolve paths for the options that they depend on.
type paths struct {
	db     *postgeo.DB
	count  int     // of nearest codes and places in a path without a number
	places *Places // nil accepts any column
	areas  *Areas  // nil accepts any column
}

// own lists the columns of places and areas as fields.
func (p paths) own() []Field {
	var list []Field
	if p.places != nil {
		list = p.places.fields(placeRoot, byPlace)
	}
	if p.areas != nil {
		list = append(list, p.areas.fields(areaRoot, byArea)...)
	}
	return list
}

// Check returns a [*FieldError] for an unknown path, or one that no row can have with the
// dataset. Unlike [New] it needs
// neither the kind of the rows nor lists of places and areas.
func Check(db *postgeo.DB, add []string) error {
	for _, text := range add {
		if _, path := splitName(text); path != "" {
			p := paths{db: db}
			t, ok := p.resolve(path)
			if !ok {
				return p.unknown(path)
			}
			if why := p.missing(&t, path); why != "" {
				return &FieldError{Path: path, why: why}
			}
			continue
		}
		return &FieldError{Path: text}
	}
	return nil
}

// splitName splits NAME=PATH. The name defaults to the path.
func splitName(text string) (name, path string) {
	name, path, named := strings.Cut(text, "=")
	if !named {
		path = text
	}
	return strings.TrimSpace(name), strings.TrimSpace(path)
}

func (p paths) resolve(path string) (target, bool) {
	segs := strings.Split(path, ".")
	if segs[0] == placeRoot && len(segs) > 1 {
		return p.place(segs[1:])
	}
	if segs[0] == areaRoot && len(segs) > 1 {
		return p.area(segs[1:])
	}
	if len(segs) > 2*maxDepth || !p.hasLayer(segs) {
		return target{}, false
	}
	ctx := context.Background() // the years are in memory
	years := holdings{acs.FirstYear, p.db.LastACSYear(ctx, acs.ZCTA)}
	if segs[0] == "address" || segs[0] == "geocode" {
		last := p.db.LastACSYear(ctx, acs.Tract)
		years = holdings{last - 2, last}
	}
	if len(segs) > 1 {
		switch head := segs[0] + "." + segs[1]; head {
		case "timezone.zones":
			return targetIn(head, byRecord, recordType, "timezone", segs[1:], years)
		case "neighbors.border_mi":
			return targetIn(head, byNeighbors, nextToType, "border_mi", segs[2:], years)
		case "acs.change":
			if held, err := p.db.ACSYears(ctx, acs.ZCTA); err == nil && len(held) > 0 {
				years.last = held[0] // the newest, with which earlier ones are compared
			}
			return resolveChange(segs[2:], years)
		case "distance.miles", "distance.km":
			segs = append(strings.Split(measured, "."), segs[1])
		}
	}
	for _, r := range roots() {
		if r.name != segs[0] {
			continue
		}
		if len(segs) > 1 && headKeys[segs[1]] && r.index == nil {
			return target{}, false
		}
		if r.by == byNearest {
			return p.nearest(r, segs[1:], years)
		}
		n, ok := compile(r.of, segs[1:], years)
		return target{root: r, node: n}, ok
	}
	return target{}, false
}

// hasLayer reports whether the dataset has the layer of the user that a path names,
// such as layers.clinics.id. It is true for other paths.
func (p paths) hasLayer(segs []string) bool {
	at := slices.Index(segs, "layers") + 1
	if at == 0 {
		return true
	}
	if at == len(segs) {
		return false
	}
	for _, id := range lookup.LayersNamed(segs[at]) {
		if p.hasAreas(id) {
			return true
		}
	}
	return false
}

// targetIn resolves a path into a member of a result.
func targetIn(name string, by operation, result reflect.Type, of string, segs []string, years holdings) (target, bool) {
	r := part(name, by, result, of)
	n, ok := compile(r.of, segs, years)
	return target{root: r, node: n}, ok
}

func memberOf(t reflect.Type, name string) (member, bool) {
	for _, m := range members(t) {
		if m.name == name {
			return m, true
		}
	}
	return member{}, false
}

// entryOf parses the number of an entry, from 1, at the beginning of segs, or 0
// if there is none. It returns false for a number out of range.
func entryOf(segs []string) (nth int, ok bool) {
	const most = 1000 // entries
	if len(segs) == 0 {
		return 0, true
	}
	k, err := strconv.Atoi(segs[0])
	switch {
	case err != nil:
		return 0, true
	case k < 1 || k > most:
		return 0, false
	default:
		return k, true
	}
}

// nearest resolves a path into the nearest codes: one entry, the first one, or
// a list if several are requested.
func (p paths) nearest(r root, segs []string, years holdings) (t target, ok bool) {
	t.root = r
	if t.nth, ok = entryOf(segs); !ok || len(segs) > 0 && unset[r.name+"."+segs[len(segs)-1]] {
		return t, false
	}
	one := t.nth > 0
	if !one && p.count <= 1 {
		segs, one = slices.Concat([]string{"1"}, segs), true
	}
	if t.node, ok = compile(r.of, segs, years); !ok || one {
		return t, ok
	}
	all, most := t.get, p.count
	t.get = func(v reflect.Value) Value { return all(v.Slice(0, min(v.Len(), most))) } // a path with a number may require more
	return t, true
}
