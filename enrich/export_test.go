package enrich

import "reflect"

// PlainCode returns the code in a cell of a spreadsheet and the reason.
func PlainCode(text string) (code, reason string) { return plainCode(text) }

// AddAnswer appends a column of the JSON of v, as if an operation had answered
// so.
func (e *Enricher) AddAnswer(path string, v any) {
	e.columns = append(e.columns, Column{path, path, JSON})
	e.read = append(e.read, func(*results) Value { return objectText(reflect.ValueOf(v)) })
}
