package suggest

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/namekey"
)

// A district is a congressional district of the United States or a federal
// electoral district of Canada.
type district struct {
	name string // "CA-12", or the name in Canada
	text string // key of all its names
	area dataset.LayerArea
}

// districtLayers are the layers of electoral districts.
var districtLayers = [...]dataset.LayerID{dataset.LayerCongressionalDistrict, dataset.LayerFederalDistrict}

// loadDistricts reads the electoral districts on their first use.
func (e *Engine) loadDistricts(ctx context.Context) error {
	for _, id := range districtLayers {
		if err := e.d.Layer(id).Load(ctx); err != nil {
			return fmt.Errorf("suggest: districts: %w", err)
		}
	}
	e.listDistricts.Do(func() { e.districts = e.readDistricts() })
	return nil
}

func (e *Engine) readDistricts() []district {
	var list []district
	for _, id := range districtLayers {
		l := e.d.Layer(id)
		for i := range l.Len() {
			a := l.Area(i)
			x := district{name: a.Name, area: a}
			st := e.d.State(a.State)
			if id == dataset.LayerCongressionalDistrict {
				x.name = st.Abbr + "-" + seat(a.GEOID)
			}
			x.text = namekey.Of(strings.Join([]string{x.name, a.Name, a.NameFR, st.Name, st.Abbr}, " "))
			list = append(list, x)
		}
	}
	return list
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
	const stateLetters, mostSeat = 2, 2
	name = strings.TrimSpace(query)
	if strings.IndexByte(name, '-') != stateLetters {
		return "", false
	}
	name = strings.ToUpper(name)
	state, number := name[:stateLetters], name[stateLetters+1:]
	if number == "" || len(number) > mostSeat || number != atLarge && !allDigits([]byte(number)) {
		return "", false
	}
	if _, ok = e.d.StateByAbbr(dataset.US, state); number != atLarge {
		number = strings.TrimLeft(number, "0")
	}
	return state + "-" + number, ok
}

// electoral offers the electoral districts with the name or its beginning, or with
// the words of the query if name is empty.
func (s *search) electoral(name string) {
	for i := range s.e.districts {
		x := &s.e.districts[i]
		if !s.admits(ElectoralDistrict, x.area.State) {
			continue
		}
		var m manner
		switch {
		case name == "":
			m = s.named(x)
		case x.name == name, strings.HasSuffix(name, "-1") && x.name == name[:3]+atLarge:
			m = wholeCode
		case strings.HasPrefix(x.name, name):
			m = zipPrefix
		}
		if m.bucket != 0 {
			near := s.near.at(x.area.Point)
			if s.near.state != 0 {
				near = s.near.most(0, uint16(x.area.State))
			}
			s.offerCode(ElectoralDistrict, uint32(i), 0, near, m)
			s.loose++
		}
	}
}

// named returns the manner of a district with all words of a reading, if any.
func (s *search) named(x *district) manner {
	for _, r := range s.foundReadings() {
		if r.context {
			continue
		}
		if b, ok := hasWords(x.text, bytes.Split(r.key, []byte(" ")), !r.finished); ok {
			return manner{b, allWords.gain}
		}
	}
	return manner{}
}
