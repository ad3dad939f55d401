package suggest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/cache"
	"github.com/postgeo/postgeo/internal/door"
	"github.com/postgeo/postgeo/internal/namekey"
	"github.com/postgeo/postgeo/internal/notice"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/lookup"
)

// An Engine suggests matches from one dataset, which must stay open. It is safe
// for concurrent use.
type Engine struct {
	// A search has these steps:
	//
	//  1. The words of the query become readings: a name, a name before a state, a name with
	//     another meaning of an abbreviation (query.go). A code is taken off first (codes.go).
	//  2. Each reading is looked up in three sorted lists of keys by binary search. The keys that
	//     begin with it are one span of a list, whatever their number.
	//  3. The spans are taken from the best manner of matching to the worst (search.names). Only
	//     the best keys of a span are read: rangeMax yields them by rank, and a span ends as soon
	//     as its next key cannot be among the limit best.
	//  4. If nothing matches, other readings follow (lastline.go), then typos (typo.go).
	//  5. The matches are counted without the limit (count.go).
	//
	// All of it is in memory and, but for the totals and districts, only read after newEngine.
	// The lists for filters cost memory to bound the slowest queries: without them, the query "s" in
	// a small state reads every name with that letter.

	d      *store.Dataset
	t      *store.Entities // nil if the dataset has no names
	starts *keyList        // of whole names: "new york"
	inner  *keyList        // of names from a later word on: "york"
	joined *keyList        // of names as one word: "newyork"
	typos  typoList
	zips   codeList
	fsas   codeList

	zipTexts []string // the ZIP Codes of all entities, so that a search allocates none
	zipFrom  []uint32 // by entity: its first one

	stateNames map[string]stateSet       // by the key of a name or abbreviation
	stateList  []stateName               // the same, ascending
	countries  [3]stateSet               // by country
	merged     []uint32                  // by entity: the entity that represents it if places are included
	totals     *cache.Cache[int]         // of entities, see countEntities
	many       int                       // manyKeys
	several    map[int]stateSet          // the states of entities in several states, whose class is manyStates
	former     map[string][]formerCounty // by the key of the name
	pool       sync.Pool

	districts districtList
}

// sections are the parts of a dataset that an engine needs.
const sections = store.SectionEntities | store.SectionPostalCodes | store.SectionDensity |
	store.SectionZIPAreas | store.SectionFSAAreas

// New returns an engine for the dataset of a reader. If the dataset has no names of
// places, the engine finds only codes.
func New(ctx context.Context, r *lookup.Reader) (*Engine, error) {
	d := door.Take[func(*lookup.Reader) *store.Dataset]()(r)
	if err := d.Load(ctx, sections); err != nil {
		return nil, fmt.Errorf("suggest: %w", err)
	}
	return newEngine(d), nil
}

func newEngine(d *store.Dataset) *Engine {
	e := &Engine{d: d, t: d.Entities(), stateNames: map[string]stateSet{}, several: map[int]stateSet{}, many: manyKeys, totals: cache.New[int](totalsSize)}
	for i, s := range d.States() {
		id := store.StateID(i + 1)
		e.countries[s.Country].add(id)
		e.nameState(strings.ToLower(s.Abbr), id)
		e.nameState(namekey.Of(s.Name), id) // that of Armed Forces is not an entity
	}
	infos := make([]keyInfo, e.t.Len())
	e.merged, e.zipFrom = make([]uint32, e.t.Len()), make([]uint32, e.t.Len())
	for i := range infos {
		e.zipFrom[i] = uint32(len(e.zipTexts))
		for _, z := range e.t.At(i).ZIPs {
			e.zipTexts = append(e.zipTexts, z.String())
		}
		infos[i] = e.infoOf(i)
		e.merged[i] = uint32(i)
		if twin := e.t.At(i).Twin; twin >= 0 && e.t.At(i).Kind == store.EntityCity {
			e.merged[i] = uint32(twin)
		}
	}
	if e.t.Len() > 0 {
		e.starts = newKeyList(e.t, e.t.Starts, infos)
		e.inner = newKeyList(e.t, e.t.Inner, infos)
		e.joined = newKeyList(e.t, e.t.Joined, infos)
		e.typos = newTypoList(e.starts)
		for _, l := range []*keyList{e.starts, e.inner, e.joined} {
			l.group(e)
		}
		e.joined.shareWith(e.starts, len(infos))
		e.nameStates()
	}
	e.nameFormer()
	e.zips, e.fsas = newZIPList(d), newFSAList(d)
	e.pool.New = func() any { return &search{e: e, seen: make([]uint32, len(infos)), best: make([]int32, len(infos))} }
	return e
}

func (e *Engine) infoOf(i int) keyInfo {
	kind, state := e.t.At(i).Kind, uint8(e.t.At(i).State)
	if kind == store.EntityCBSA {
		if set, ok := e.statesOfTitle(e.t.At(i).Name); ok {
			e.several[i] = set
			state = manyStates
		}
	}
	return keyInfo{rank: e.t.At(i).Prominence, cell: cellOf(e.t.At(i).Location), class: classOfEntity(kind, state)}
}

// statesOfTitle returns the states in the title of a metropolitan area such as
// "Kansas City, MO-KS", and whether there are several.
func (e *Engine) statesOfTitle(title string) (set stateSet, several bool) {
	_, list, _ := strings.Cut(title, ", ")
	for abbr := range strings.SplitSeq(list, "-") {
		if id, ok := e.d.StateByAbbr(store.US, abbr); ok {
			set.add(id)
		}
	}
	return set, strings.Contains(list, "-")
}

// nameState adds a name of a state. A name may belong to several states.
func (e *Engine) nameState(key string, id store.StateID) {
	set := e.stateNames[key]
	set.add(id)
	e.stateNames[key] = set
}

func (e *Engine) nameStates() {
	for i, entity := range e.starts.entity {
		if e.starts.class[i]>>8 == uint16(store.EntityState) {
			e.nameState(e.t.Key(e.starts.offset[i]), e.t.At(int(entity&^store.AliasKey)).State)
		}
	}
	if id, ok := e.d.StateByAbbr(store.US, "DC"); ok {
		e.nameState("d c", id)
	}
	for _, key := range slices.Sorted(maps.Keys(e.stateNames)) {
		e.stateList = append(e.stateList, stateName{key, e.stateNames[key]})
	}
}

// nameFormer sets the counties that ended whose successors the dataset has.
func (e *Engine) nameFormer() {
	e.former = map[string][]formerCounty{}
	names := map[string]string{}
	for _, c := range e.d.Counties() {
		names[c.FIPS] = c.Name
	}
	for i := range store.FormerCounties {
		f := &store.FormerCounties[i]
		id, ok := e.d.StateByAbbr(store.US, f.State)
		if ok && names[f.Successors[0]] != "" && names[f.FIPS] == "" {
			key := namekey.Of(f.Name)
			e.former[key] = append(e.former[key], formerCounty{id, f.Report(func(fips string) string { return names[fips] })})
		}
	}
}

type formerCounty struct {
	state  store.StateID
	report string
}

// formerCounties returns notices about the counties that ended whose whole name the
// query is, unless it is that of others.
func (s *search) formerCounties() (notices []envelope.Notice) {
	if s.words.n < 2 || !s.include.has(kindCounty) {
		return nil // each has a kind
	}
	for i := range s.readings {
		r := &s.readings[i]
		if !r.found {
			continue
		}
		list := s.e.former[string(r.key)]
		if list == nil || s.anyPasses(s.e.starts.names(r.exact), r) {
			continue
		}
		for _, f := range list {
			if n := notice.Ended(f.report); (r.states.empty() || r.states.has(f.state)) && !slices.Contains(notices, n) {
				notices = append(notices, n)
			}
		}
	}
	return notices
}

// anyPasses reports whether a name of a span passes the filters.
func (s *search) anyPasses(in span, r *reading) bool {
	for i := in.lo; i < in.hi; i++ {
		if s.passes(s.e.starts, i, r) {
			return true
		}
	}
	return false
}

type stateName struct {
	key string
	set stateSet
}

func (e *Engine) country(c store.Country) stateSet { return e.countries[c] }

// Suggest returns matches for a partial query, best first. The last word of the
// query may be incomplete unless a space follows.
//
// It returns a [*envelope.Failure] for an invalid query or option, or the error of ctx.
func (e *Engine) Suggest(ctx context.Context, query string, opt Options) (*Result, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s, _ := e.pool.Get().(*search)
	defer e.pool.Put(s)
	r := &Result{Item: envelope.Item{Success: true}}
	if err := s.begin(query, opt); err != nil {
		return nil, err
	}
	if opt.Proximity != "" {
		if !s.locate(ctx, opt) {
			r.Notices = append(r.Notices, notice.Normalized(opt.Proximity, ""))
		}
		defer s.forget()
	}
	if s.include>>kindElectoral&1 == 1 {
		if err := e.loadDistricts(ctx); err != nil {
			return nil, err
		}
	}
	s.run()
	if list := s.formerCounties(); list != nil {
		r.Notices = append(r.Notices, list...)
	}
	r.TotalMatched = s.total
	r.Matches = make([]Match, len(s.hits))
	s.makeRoom(len(s.hits))
	for i := range s.hits {
		s.match(&r.Matches[i], &s.hits[i])
	}
	return r, nil
}
