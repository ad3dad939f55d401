package draft

import (
	_ "embed"
	"strings"

	"github.com/postgeo/postgeo/internal/namekey"
	"github.com/postgeo/postgeo/internal/store"
)

// nicknames has other names of well-known things, reviewed by hand. They are nicknames
// of cities, abbreviations that are not the Postal Service's, and names in the other
// language of Canada. A line has a kind, a name, a state, and the other names. A place
// is the best known of its name in the state.
//
//go:embed nicknames.tsv
var nicknames string

// alsoNamed are names that are as good as the official ones.
var alsoNamed = []struct {
	kind               store.EntityKind
	name, state, other string
}{
	{store.EntityPlace, "Greater Sudbury", "ON", "Sudbury"},
	{store.EntityState, "Newfoundland and Labrador", "NL", "Newfoundland"},
	{store.EntityCounty, "Los Angeles County", "CA", "LA County"},
}

// capitals are much better known than their number of residents suggests:
// people mean them, and not the state, by their name alone.
var capitals = map[[2]string]float64{{"washington", "DC"}: 16}

// nickname gives well-known entities their other names.
func (b *names) nickname() {
	type key struct{ kind, name, state string }
	best := map[key]*Entity{}
	abbr := func(e *Entity) string {
		if e.State == 0 {
			return ""
		}
		return b.States.Abbr(e.State)
	}
	for _, e := range b.entities {
		k := key{e.Kind.String(), namekey.Of(e.Name), abbr(e)}
		if other := best[k]; other == nil || e.prominence() > other.prominence() {
			best[k] = e
		}
	}
	for line := range strings.Lines(nicknames) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		k := key{f[0], namekey.Of(f[1]), f[2]}
		e := best[k]
		if e == nil && k.kind == store.EntityPlace.String() {
			k.kind = store.EntityCity.String()
			e = best[k]
		}
		if e != nil {
			e.alias(strings.Split(f[3], "; ")...)
		}
	}
	for _, n := range alsoNamed {
		if e := best[key{n.kind.String(), namekey.Of(n.name), n.state}]; e != nil {
			e.own(n.other)
		}
	}
	for k, times := range capitals {
		for _, kind := range []store.EntityKind{store.EntityPlace, store.EntityCity} {
			if e := best[key{kind.String(), k[0], k[1]}]; e != nil {
				e.weight *= times
			}
		}
	}
}
