package output

import (
	"bufio"
	"slices"
	"strings"
	"unicode/utf8"
)

// widthRows is the number of rows that decide how wide the columns of a table
// are. Later rows are written as they come.
const widthRows = 500

// A grid draws the cells of a table.
type grid interface {
	fit(widths []int)
	head(header []string, widths []int) error
	row(cells []string, widths []int) error
}

// tableSink collects the first rows to know the widths of the columns, then
// draws row by row.
type tableSink struct {
	grid    grid
	format  Format
	columns []Column // none: items stand upright
	rows    [][]string
	widths  []int
	grouped bool // see Options
	upright int  // items written upright
	drawn   bool
}

// longItem is the number of fields above which an item has groups.
const longItem = 20

// grouped returns fields with headings in the place of common beginnings of paths. The
// fields below a heading are indented.
func grouped(fields []Field) (out []Field) {
	type item struct {
		path  []string // below the heading
		value string
	}
	var list func(items []item, indent string)
	list = func(items []item, indent string) {
		for len(items) > 0 {
			first, n := items[0].path, 1
			for n < len(items) && len(first) > 1 && len(items[n].path) > 1 && items[n].path[0] == first[0] {
				n++
			}
			if n == 1 {
				out = append(out, Field{indent + strings.Join(first, "."), items[0].value})
				items = items[1:]
				continue
			}
			common := 1
			for !slices.ContainsFunc(items[:n], func(a item) bool { return len(a.path) <= common+1 || a.path[common] != first[common] }) {
				common++
			}
			out = append(out, Field{Path: indent + strings.Join(first[:common], ".")})
			below := slices.Clone(items[:n])
			for i := range below {
				below[i].path = below[i].path[common:]
			}
			list(below, indent+"  ")
			items = items[n:]
		}
	}
	items := make([]item, len(fields))
	for i, f := range fields {
		items[i] = item{strings.Split(f.Path, "."), f.Value}
	}
	list(items, "")
	return out
}

// cells returns texts as they are drawn.
func (s *tableSink) cells(texts []string) []string {
	for i := range texts {
		texts[i] = s.format.Text(texts[i])
	}
	return texts
}

func (s *tableSink) write(item []byte) error {
	fields, err := Flatten(item, false)
	if err != nil {
		return err
	}
	if len(s.columns) == 0 {
		if s.upright > 0 {
			s.rows = append(s.rows, []string{"", ""})
		}
		s.upright++
		fields = slices.DeleteFunc(fields, func(f Field) bool { return f.Path == "success" })
		if s.grouped && len(fields) > longItem {
			fields = grouped(fields)
		}
		for _, f := range fields {
			s.rows = append(s.rows, s.cells([]string{f.Path, f.Value}))
		}
		return nil
	}
	cells := s.cells(row(s.columns, fields))
	if s.drawn {
		return s.grid.row(cells, s.widths)
	}
	s.rows = append(s.rows, cells)
	if len(s.rows) < widthRows {
		return nil
	}
	return s.draw(Headers(s.columns))
}

func (s *tableSink) draw(header []string) error {
	header = s.cells(header)
	s.widths = make([]int, len(header))
	for _, cells := range append([][]string{header}, s.rows...) {
		for i, c := range cells {
			s.widths[i] = max(s.widths[i], utf8.RuneCountInString(c))
		}
	}
	s.grid.fit(s.widths)
	if err := s.grid.head(header, s.widths); err != nil {
		return err
	}
	for _, cells := range s.rows {
		if err := s.grid.row(cells, s.widths); err != nil {
			return err
		}
	}
	s.rows, s.drawn = nil, true
	return nil
}

func (s *tableSink) close() error {
	switch {
	case s.drawn || len(s.rows) == 0:
		return nil
	case len(s.columns) == 0:
		return s.draw([]string{"field", "value"})
	default:
		return s.draw(Headers(s.columns))
	}
}

// plainGrid draws a table for a terminal, with two spaces between columns and
// the header in capitals.
type plainGrid struct {
	w     *bufio.Writer
	width int // of a line; 0: any
}

// leastWidth is how narrow a column is made at most.
const leastWidth = 8

// fit narrows the widest columns, of equal ones the last first, until a row fits
// on a line. The first column identifies the row and keeps its width.
func (g *plainGrid) fit(widths []int) {
	if g.width <= 0 {
		return
	}
	total := 2 * (len(widths) - 1)
	for _, w := range widths {
		total += w
	}
	for ; total > g.width; total-- {
		widest := 0
		for i := 1; i < len(widths); i++ {
			if widths[i] > leastWidth && (widest == 0 || widths[i] >= widths[widest]) {
				widest = i
			}
		}
		if widest == 0 {
			return
		}
		widths[widest]--
	}
}

func (g *plainGrid) cut(cell string, width int) string {
	if g.width <= 0 || utf8.RuneCountInString(cell) <= width {
		return cell
	}
	return string([]rune(cell)[:max(0, width-1)]) + "…"
}

func (g *plainGrid) head(header []string, widths []int) error {
	upper := make([]string, len(header))
	for i, h := range header {
		upper[i] = strings.ToUpper(h)
	}
	return g.row(upper, widths)
}

func (g *plainGrid) row(cells []string, widths []int) error {
	last := len(cells) - 1
	for last >= 0 && cells[last] == "" {
		last--
	}
	for i, c := range cells[:last+1] {
		if i > 0 {
			c = g.cut(c, widths[i])
		}
		g.w.WriteString(c)
		if i < last {
			g.w.WriteString(strings.Repeat(" ", max(0, widths[i]-utf8.RuneCountInString(c))+2))
		}
	}
	return g.w.WriteByte('\n')
}

// markdownGrid draws a Markdown table.
type markdownGrid struct{ w *bufio.Writer }

func (g *markdownGrid) fit([]int) {}

func (g *markdownGrid) head(header []string, widths []int) error {
	if err := g.row(header, widths); err != nil {
		return err
	}
	rule := slices.Clone(header)
	for i := range rule {
		rule[i] = strings.Repeat("-", max(3, widths[i]))
	}
	return g.row(rule, widths)
}

func (g *markdownGrid) row(cells []string, widths []int) error {
	for i, c := range cells {
		g.w.WriteString("| " + c + strings.Repeat(" ", max(0, widths[i]-utf8.RuneCountInString(c))+1))
	}
	_, err := g.w.WriteString("|\n")
	return err
}
