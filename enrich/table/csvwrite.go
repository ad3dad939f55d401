package table

import (
	"bytes"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/plain"
)

// csvEncoder writes rows of separated values.
type csvEncoder struct {
	comma   byte
	same    bool // rows come from separated values with the same comma
	columns int
	eol     string
	safe    bool // cells that a spreadsheet would take for formulas are made text
	scratch []byte
}

func (e *csvEncoder) render(dst []byte, values []enrich.Value) []byte {
	for _, v := range values {
		dst = e.added(append(dst, e.comma), v)
	}
	return dst
}

// row appends a row and the values after it. A row of separated values keeps
// its bytes. Missing cells are added as empty ones; surplus cells follow the
// values.
func (e *csvEncoder) row(out *chunk, d decoder, a *result) error {
	dst := out.text
	var extra [][]byte
	var eol []byte
	if r, ok := d.(*csvDecoder); ok && e.same {
		eol = r.eol
		dst, extra = e.keep(dst, &r.csvRow)
	} else {
		if err := fits(d); err != nil {
			return err
		}
		for i := range e.columns {
			if i > 0 {
				dst = append(dst, e.comma)
			}
			dst = e.cell(dst, d.value(i))
		}
	}
	dst = append(dst, e.after(a.cells)...)
	for _, cell := range extra {
		dst = append(append(dst, e.comma), cell...)
	}
	if len(eol) > 0 {
		dst = append(dst, eol...)
	} else {
		dst = append(dst, e.eol...)
	}
	out.text = dst
	out.n++
	return nil
}

// after returns cells that follow the columns of the source, without the first delimiter if
// it has none.
func (e *csvEncoder) after(cells []byte) []byte {
	if e.columns == 0 && len(cells) > 0 {
		return cells[1:]
	}
	return cells
}

// keep appends the cells of a row as they are, and returns those beyond the
// header's.
func (e *csvEncoder) keep(dst []byte, r *csvRow) (all []byte, extra [][]byte) {
	if !e.safe && len(r.cells) == e.columns {
		return append(dst, r.text...), nil
	}
	for i := range max(e.columns, len(r.cells)) {
		var raw []byte
		if i < len(r.cells) {
			raw = r.raw(i)
			if e.safe && plain.IsFormula(r.cellText(i)) {
				raw = e.text(nil, r.cellText(i))
			}
		}
		switch {
		case i >= e.columns:
			extra = append(extra, raw)
		case i > 0:
			dst = append(append(dst, e.comma), raw...)
		default:
			dst = append(dst, raw...)
		}
	}
	return dst, extra
}

func (e *csvEncoder) cell(dst []byte, v enrich.Value) []byte {
	switch v.Type() {
	case enrich.Int, enrich.Float, enrich.Bool:
		return v.AppendText(dst)
	case enrich.String, enrich.JSON:
		return e.text(dst, v.String())
	default:
		e.scratch = v.AppendText(e.scratch[:0])
		return e.text(dst, string(e.scratch))
	}
}

// added appends a value that was added with its hidden characters escaped.
func (e *csvEncoder) added(dst []byte, v enrich.Value) []byte {
	switch v.Type() {
	case enrich.Int, enrich.Float, enrich.Bool:
		return v.AppendText(dst)
	default:
		return e.text(dst, plain.Clean(v.String()))
	}
}

// text appends a cell, in quotes if it needs them.
func (e *csvEncoder) text(dst []byte, s string) []byte {
	formula := e.safe && plain.IsFormula(s)
	if !formula && strings.IndexByte(s, e.comma) < 0 && !strings.ContainsAny(s, "\"\r\n") {
		return append(dst, s...)
	}
	dst = append(dst, quote)
	if formula {
		dst = append(dst, '\'')
	}
	for {
		before, after, found := strings.Cut(s, `"`)
		dst = append(dst, before...)
		if !found {
			break
		}
		dst = append(dst, `""`...)
		s = after
	}
	return append(dst, quote)
}

// head appends the header with the names of the new columns.
func (e *csvEncoder) head(src source, added []string) []byte {
	var dst []byte
	if s, ok := src.(*csvSource); ok && e.same && s.head != nil {
		dst = e.keptHead(s)
	} else {
		for i, name := range src.names() {
			if i > 0 {
				dst = append(dst, e.comma)
			}
			dst = e.text(dst, name)
		}
	}
	for _, name := range added {
		dst = e.text(append(dst, e.comma), plain.Clean(name))
	}
	return append(e.after(dst), e.eol...)
}

func (e *csvEncoder) keptHead(s *csvSource) []byte {
	if !e.safe || !slices.ContainsFunc(s.header, plain.IsFormula) {
		return bytes.Clone(s.head)
	}
	dst := bytes.Clone(s.head[:s.lead])
	for i, name := range s.header {
		if i > 0 {
			dst = append(dst, e.comma)
		}
		dst = e.text(dst, name)
	}
	return dst
}
