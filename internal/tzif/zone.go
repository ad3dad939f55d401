// Package tzif has clock rules for tests: those of the time zones in the sample, as
// TZif files (RFC 9636) of the tz database.
package tzif

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/postgeo/postgeo/internal/sample"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/sqlite"
)

var zones = sync.OnceValue(func() map[string]string {
	d, err := sqlite.OpenFS(sample.FS(), sample.Name)
	if err != nil {
		panic(err)
	}
	defer d.Close()
	rules := map[string]string{}
	for _, z := range d.Zones() {
		rules[z.Name] = z.Rules
	}
	return rules
})

// Names returns the names of the zones in order.
func Names() []string { return slices.Sorted(maps.Keys(zones())) }

// Zone returns the TZif file of a zone. It panics on an unknown name.
func Zone(name string) string {
	rules, ok := zones()[name]
	if !ok {
		panic(fmt.Sprintf("tzif: unknown time zone %q", name))
	}
	return rules
}

// Row returns a row of a dataset's table of time zones.
func Row(name, source string) store.Zone {
	return store.Zone{Name: name, Source: source, Rules: Zone(name)}
}
