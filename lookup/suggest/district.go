package suggest

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/postgeo/postgeo/internal/namekey"
	"github.com/postgeo/postgeo/internal/store"
)

// A district is an electoral district.
type district struct {
	area  store.LayerArea
	name  string // "CA-12" for a congressional district
	state store.StateID
	key   string // of all names
}

// districtList holds the districts of the dataset. It is read on its first use, as the
// default types have none. A failure is not kept: the next query reads again.
type districtList struct {
	mu   sync.Mutex // guards read and list while they are set; list is only read after that
	read bool
	list []district
}

func (e *Engine) loadDistricts(ctx context.Context) error {
	l := &e.districts
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.read {
		return nil
	}
	var list []district
	for _, id := range [...]store.LayerID{store.LayerCongressionalDistrict, store.LayerFederalDistrict} {
		layer := e.d.Layer(id)
		if err := layer.Load(ctx); err != nil {
			return fmt.Errorf("suggest: districts: %w", err)
		}
		for i := range layer.Len() {
			a := layer.Area(i)
			x := district{area: a, name: a.Name, state: a.State}
			st := e.d.State(a.State)
			if id == store.LayerCongressionalDistrict {
				x.name = st.Abbr + "-" + seat(a.GEOID)
			}
			x.key = namekey.Of(strings.Join([]string{x.name, a.Name, a.NameFR, st.Name, st.Abbr}, " "))
			list = append(list, x)
		}
	}
	l.list, l.read = list, true
	return nil
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
			s.offerDistrict(i, x, s.named(x))
		case x.name == name, strings.HasSuffix(name, "-1") && x.name == name[:3]+atLarge: // people count the only one as the first
			s.offerDistrict(i, x, wholeCode)
		case strings.HasPrefix(x.name, name):
			s.offerDistrict(i, x, zipPrefix)
		}
	}
}

// named returns the manner of a district with all words of a reading, if any.
func (s *search) named(x *district) manner {
	for i := range s.readings {
		r := &s.readings[i]
		if !r.found || r.context {
			continue
		}
		if b, ok := hasWords(x.key, bytes.Split(r.key, []byte(" ")), !r.finished); ok {
			return manner{b, allWords.gain}
		}
	}
	return manner{}
}

// offerDistrict offers a district unless its manner is zero.
func (s *search) offerDistrict(i int, x *district, m manner) {
	if m.bucket == 0 {
		return
	}
	near := s.near.at(x.area.Point)
	if s.near.state != 0 {
		near = s.near.most(0, uint16(x.state))
	}
	s.offerCode(kindElectoral, uint32(i), near, m)
	s.loose++
}
