package lookup

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"sync"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/door"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

// An areaKeys makes the keys of points, see [door.AreaKey]. A key has the numbers of every
// area that a record with the selected values may depend on. Points with equal keys have
// equal records, so that a table looks up only one of them. A key that lacks an area is a
// wrong answer in another row: PUMAs were missing once, and rows got those of another point in
// the ZIP Code. Whoever adds a value that depends on the place adds what it depends on here.
//
// One goroutine uses it at a time; package enrich makes one for each call.
type areaKeys struct {
	r      *Reader
	opt    *Options
	only   selection
	zone   bool   // the time zone is needed
	code   bool   // the code is needed
	region bool   // its county and state are needed
	digest string // areas have other numbers in other datasets
	plans  store.PlanChoice
	layers [max(store.US, store.CA) + 1]keyLayers // by country
}

// keyLayers are the layers of a country that decide.
type keyLayers struct {
	census    []*store.Layer // of the needed members
	others    []*store.Layer // until one of all has an area
	more      []*store.Layer
	districts []*store.Layer // in force in a state
	prepared  bool           // outlines are read, or failed to be
}

// areaKey returns the function that makes keys for records with the selected values, and
// for the selected values of an identity. It offers it to package enrich.
func (r *Reader) areaKey(opt *Options, only *door.Selection, id door.Identity) (door.AreaKey, error) {
	inc := &opt.Include
	digest := r.data.Manifest().Digest
	k := &areaKeys{r: r, opt: opt, only: selection{only}, zone: id.Zone || inc.Timezone, region: id.Region, digest: digest[:min(len(digest), 8)]}
	k.code = id.Code || inc.Timezone || len(inc.ACS) > 0 || k.only.details(inc)
	var err error
	if k.plans, err = r.planChoice(opt.AsOf, opt.At, opt.Plan); err != nil {
		return nil, err
	}
	us, canada := &k.layers[store.US], &k.layers[store.CA]
	if inc.Census && r.periods.census.known {
		us.addCensus(k, usKinds[:])
		if k.only.metro() {
			us.more = append(us.more, r.data.Layer(store.LayerCounty))
		}
	}
	if inc.Census && r.periods.canada.known {
		canada.addCensus(k, canadianKinds[:])
	}
	if inc.CongressionalDistrict || inc.CongressNext {
		k.addDistricts(us, store.LayerCongressionalDistrict)
		k.addDistricts(canada, store.LayerFederalDistrict)
	}
	if inc.StateLegislative || inc.StateLegislativeNext {
		k.addDistricts(us, store.LayerStateUpper)
		k.addDistricts(us, store.LayerStateLower)
	}
	if inc.SchoolDistrict {
		us.more = append(us.more, r.data.Layer(store.LayerSchoolDistrict))
	}
	for _, name := range inc.Layers {
		us.more, canada.more = append(us.more, r.data.NamedLayer(name)), append(canada.more, r.data.NamedLayer(name))
	}
	return k.key, nil
}

func (l *keyLayers) addCensus(k *areaKeys, all []kind) {
	for _, kind := range all {
		list := &l.others
		if k.only.census(kind.name) {
			list = &l.census
		}
		*list = append(*list, k.r.data.Layer(kind.id))
	}
}

// addDistricts adds the plans of a layer that a state may have.
func (k *areaKeys) addDistricts(l *keyLayers, base store.LayerID) {
	for _, plan := range k.r.data.Plans(base) {
		used := k.next()
		for id := 0; id <= noState && !used; id++ {
			used = k.r.data.InForce(base, k.plans, store.StateID(id)).Areas == plan
		}
		if used {
			l.districts = append(l.districts, plan)
		}
	}
}

// next reports whether the plans after the chosen ones are needed.
func (k *areaKeys) next() bool {
	return k.opt.Include.CongressNext || k.opt.Include.StateLegislativeNext
}

// key implements [door.AreaKey].
func (k *areaKeys) key(ctx context.Context, p geo.LatLng, dst []byte) (key []byte, known bool, err error) {
	key = dst
	key = append(key, k.digest...) // a dataset that was swapped in meanwhile numbers its areas anew
	at, err := k.r.containing(ctx, p)
	if err != nil {
		return dst, false, err
	}
	code := k.code
	if k.zone {
		zone, err := k.r.zoneAround(ctx, p, at.IsValid())
		if err != nil {
			return dst, false, err
		}
		key = binary.AppendUvarint(key, uint64(zone))
		code = code || zone == 0 // that of the code decides
	}
	country := store.US
	var state store.StateID
	var county store.CountyID
	switch {
	case at.typ == zipKind:
		row, _ := k.r.data.ZIP(postcode.ZIP(at.num))
		state, county = row.State, row.County
	case at.typ == fsaKind:
		row, _ := k.r.data.FSA(postcode.FSA(at.num))
		country, state = store.CA, row.Province
	case !k.opt.boundaries() || k.only.Selection == nil || !k.only.Outside:
		return dst, false, nil
	default:
		county, ok := k.r.data.CountyAreas().Containing(p)
		if !ok {
			return dst, false, nil
		}
		state = k.r.data.County(county).State
		key = binary.AppendUvarint(append(key, 'c'), uint64(county))
	}
	// The code stands for its state and county. Without it, points in several codes share a
	// key if their areas are the same.
	if at.IsValid() && code {
		key = binary.AppendUvarint(append(key, byte(at.typ)), uint64(at.num))
	} else {
		key = append(key, 0, byte(country), byte(state))
		if k.region {
			key = binary.AppendUvarint(key, uint64(county))
		}
	}
	if k.opt.Likely { // probabilities depend on the distance from borders
		return dst, false, nil
	}
	layers := &k.layers[country]
	if !layers.prepared {
		layers.prepare(ctx)
	}
	return k.families(ctx, p, state, key, layers)
}

// prepare reads the outlines of the layers at once, rather than one after the other at the
// first search in each. That search reports an error.
func (l *keyLayers) prepare(ctx context.Context) {
	l.prepared = true
	var all sync.WaitGroup
	for _, layer := range slices.Concat(l.census, l.more, l.districts) {
		all.Go(func() { _ = layer.Prepare(ctx) })
	}
	all.Wait()
}

// families appends the areas of the layers around a point.
func (k *areaKeys) families(ctx context.Context, p geo.LatLng, state store.StateID, key []byte, layers *keyLayers) (out []byte, known bool, err error) {
	var room [4]int
	around := room[:0]
	add := func(l *store.Layer) bool {
		if l == nil || err != nil {
			return false
		}
		if around, err = l.Containing(ctx, p, around[:0]); err != nil {
			err = fmt.Errorf("lookup: areas of the layer %s: %w", l.ID(), err)
			return false
		}
		key = binary.AppendUvarint(key, uint64(len(around))) // or lists of two layers could run together
		for _, i := range around {
			key = binary.AppendUvarint(key, uint64(i))
		}
		return len(around) > 0
	}
	found := false
	for _, l := range layers.census {
		found = add(l) || found
	}
	for i := 0; i < len(layers.others) && !found; i++ {
		found = add(layers.others[i])
	}
	for _, l := range layers.more {
		add(l)
	}
	known = true
	for _, l := range layers.districts {
		add(l)
		if l.Info().Plan.IsRough(state) && !slices.ContainsFunc(around, func(i int) bool { return l.StateOf(i) == state }) &&
			(k.next() || k.r.data.InForce(store.BaseLayer(l.ID()), k.plans, state).Areas == l) {
			known = false // the nearest district decides
		}
	}
	return key, known, err
}
