package enrich

import "reflect"

// AddAnswer appends a column of the JSON of v, as if an operation had answered
// so.
func (e *Enricher) AddAnswer(path string, v any) {
	e.columns = append(e.columns, Column{path, path, JSON})
	e.read = append(e.read, func(*results) Value { return objectText(reflect.ValueOf(v)) })
}
