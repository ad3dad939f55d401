package suggest

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/namekey"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/lookup"
)

// A namedArea is an area of a layer: an electoral district, an area of a layer of the
// user, or of one of the catalog without a type.
type namedArea struct {
	layer store.LayerID
	area  store.LayerArea
	name  string        // "CA-12" for a congressional district
	state store.StateID // of the district, or around the point; 0 for none
	box   geo.Box       // empty for districts
	names [2]string     // spellings of the name; only of areas that are not districts
	texts [2]string     // the same with the identifier; of districts the key of all names
	id    string        // the identifier, folded
}

// An areaList is read on its first use.
type areaList struct {
	mu   sync.Mutex
	read bool
	list []namedArea
}

func (l *areaList) load(read func() ([]namedArea, error)) (err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.read {
		l.list, err = read()
		l.read = err == nil
	}
	return err
}

func (e *Engine) readDistricts(ctx context.Context) (list []namedArea, err error) {
	for _, id := range [...]store.LayerID{store.LayerCongressionalDistrict, store.LayerFederalDistrict} {
		l := e.d.Layer(id)
		if err := l.Load(ctx); err != nil {
			return nil, err
		}
		for i := range l.Len() {
			a := l.Area(i)
			x := namedArea{layer: id, area: a, name: a.Name, state: a.State}
			st := e.d.State(a.State)
			if id == store.LayerCongressionalDistrict {
				x.name = st.Abbr + "-" + seat(a.GEOID)
			}
			x.texts[0] = namekey.Of(strings.Join([]string{x.name, a.Name, a.NameFR, st.Name, st.Abbr}, " "))
			list = append(list, x)
		}
	}
	return list, nil
}

// readOwn returns the areas of the layers that are found by name, by layer and GEOID.
func (e *Engine) readOwn(ctx context.Context) (list []namedArea, err error) {
	if err := e.d.Load(ctx, store.SectionStateAreas); err != nil {
		return nil, err
	}
	for _, l := range e.d.Layers() {
		if !searched(l.ID()) {
			continue
		}
		if err := l.Load(ctx); err != nil {
			return nil, err
		}
		for i := range l.Len() {
			a := l.Area(i)
			x := namedArea{layer: l.ID(), area: a, name: a.Name, id: string(namekey.Fold(nil, a.GEOID))}
			if x.box, err = l.Box(ctx, i); err != nil {
				return nil, err
			}
			x.state, _ = e.d.StateAreas().Containing(a.Point)
			for i, name := range spellings(a.Name) {
				x.texts[i] = name + " " + x.id
				x.names[i] = x.texts[i][:len(name)]
			}
			list = append(list, x)
		}
	}
	return list, nil
}

// searched reports whether the areas of a layer are found by the layer's name. Voting
// districts have numbers, which many share.
func searched(id store.LayerID) bool {
	return store.IsOwnLayer(id) || store.IsNamedLayer(id) && id != store.LayerVotingDistrict
}

// atLarge follows the state of a district with the whole state.
const atLarge = "AL"

// seat returns the number of a congressional district, or "AL" for a delegate or a
// representative at large.
func seat(geoid string) string {
	switch n := strings.TrimLeft(geoid[min(2, len(geoid)):], "0"); n {
	case "", "98":
		return atLarge
	default:
		return n
	}
}

// districtShape parses the text of a congressional district such as "CA-12". The
// number may be unfinished.
func (e *Engine) districtShape(query string) (name string, ok bool) {
	state, number, _ := strings.Cut(strings.Trim(query, " \t,"), "-")
	if len(state) != 2 {
		return "", false
	}
	if state, number = strings.ToUpper(state), strings.ToUpper(number); number == "" || len(number) > 2 || number != atLarge && !allDigits(number) {
		return "", false
	}
	if _, ok = e.d.StateByAbbr(store.US, state); number != atLarge {
		number = strings.TrimLeft(number, "0")
	}
	return state + "-" + number, ok
}

// electoral offers the electoral districts with the name or its beginning, or with
// the words of the query if name is empty.
func (s *search) electoral(name string) {
	for i := range s.e.districts.list {
		x := &s.e.districts.list[i]
		switch {
		case !s.admits(kindElectoral, x.state):
		case name == "":
			s.offerArea(kindElectoral, i, x, s.named(x))
		case x.name == name, strings.HasSuffix(name, "-1") && x.name == name[:3]+atLarge:
			s.offerArea(kindElectoral, i, x, wholeCode)
		case strings.HasPrefix(x.name, name):
			s.offerArea(kindElectoral, i, x, zipPrefix)
		}
	}
}

// named returns the manner of a district with all words of a reading, if any.
func (s *search) named(x *namedArea) manner {
	for i := range s.readings {
		r := &s.readings[i]
		if !r.found || r.context {
			continue
		}
		if b, ok := hasWords(x.texts[0], bytes.Split(r.key, []byte(" ")), !r.finished); ok {
			return manner{b, allWords.gain}
		}
	}
	return manner{}
}

// ownAreas offers the other areas that match the query.
func (s *search) ownAreas() {
	queries := spellings(string(s.words.text))
	parts := [2][][]byte{bytes.Split([]byte(queries[0]), []byte(" ")), bytes.Split([]byte(queries[1]), []byte(" "))}
	for i := range s.e.own.list {
		x := &s.e.own.list[i]
		if s.admits(kindOwn, x.state) && (len(s.layers) == 0 || slices.Contains(s.layers, x.layer)) {
			s.offerArea(kindOwn, i, x, s.fits(x, queries, parts))
		}
	}
}

// offerArea offers an area unless its manner is zero.
func (s *search) offerArea(t kind, i int, x *namedArea, m manner) {
	if m.bucket == 0 {
		return
	}
	near := s.near.at(x.area.Point)
	if s.near.state != 0 {
		near = s.near.most(0, uint16(x.state))
	}
	s.offerCode(t, uint32(i), 0, near, m)
	s.loose++
}

// fits returns the best manner of an area with the words of a query.
func (s *search) fits(x *namedArea, queries [2]string, parts [2][][]byte) manner {
	for i, query := range queries {
		name := x.names[i]
		switch {
		case query == "":
			return manner{}
		case query == x.id:
			return wholeCode
		case query == name:
			return exactName
		case !s.finished && strings.HasPrefix(name, query):
			return prefix
		case !s.finished && strings.HasPrefix(x.id, query):
			return codePrefix
		}
	}
	for i := range parts {
		if b, ok := hasWords(x.texts[i], parts[i], !s.finished); ok {
			return manner{b, innerWhole.gain}
		}
	}
	return manner{}
}

// spellings returns the words of a text unchanged, and with abbreviations expanded.
func spellings(text string) [2]string {
	return [2]string{string(namekey.Fold(nil, text)), namekey.Of(text)}
}

func (s *search) setLayers(names []string) error {
	s.layers = s.layers[:0]
	for _, name := range names {
		l := s.e.d.NamedLayer(name)
		if id, ok := store.ParseLayerName(name); l == nil && ok && store.IsNamedLayer(id) && searched(id) {
			return lookup.MissingLayer("suggest", lookup.Layer(id.String()))
		}
		if l == nil || !searched(l.ID()) {
			return invalid("include", "layers."+name, "a layer of the dataset with names of places")
		}
		s.layers = append(s.layers, l.ID())
	}
	return nil
}
