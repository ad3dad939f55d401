package enrich

import (
	"reflect"

	"github.com/postgeo/postgeo/internal/door"
	"github.com/postgeo/postgeo/internal/openapi"
	"github.com/postgeo/postgeo/lookup"
)

// PlainCode returns the code in a cell of a spreadsheet and the reason.
func PlainCode(text string) (code, reason string) { return plainCode(text, true) }

// SelectAll makes lookups fill all values of records, as for callers without a
// selection.
func (e *Enricher) SelectAll() {
	s := door.Selection{Details: true, Aliases: true, Outside: true}
	for _, m := range openapi.Properties(reflect.TypeFor[lookup.CensusPeriod]()) {
		s.Census = append(s.Census, m.Name)
	}
	e.selection = s
}
