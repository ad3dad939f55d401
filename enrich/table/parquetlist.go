package table

import (
	"fmt"

	"github.com/parquet-go/parquet-go"
)

// Limits of a row. The library holds a whole row in memory, and a few bytes can
// encode millions of values.
const (
	maxRowValues = 1 << 18  // of one column
	maxRowBytes  = 64 << 20 // of all
)

// boundedRows is a row group whose lists are refused where they are too long.
type boundedRows struct {
	parquet.RowGroup
	columns []parquet.ColumnChunk
}

// ColumnChunks returns the columns in their order.
func (g *boundedRows) ColumnChunks() []parquet.ColumnChunk { return g.columns }

func withinRows(g parquet.RowGroup, leaves []leaf) parquet.RowGroup {
	b := &boundedRows{RowGroup: g}
	for i, c := range g.ColumnChunks() {
		if leaves[i].repeated {
			c = boundedColumn{c}
		}
		b.columns = append(b.columns, c)
	}
	return b
}

type boundedColumn struct{ parquet.ColumnChunk }

// Pages returns the column's pages, which bound its lists.
func (c boundedColumn) Pages() parquet.Pages { return &boundedPages{Pages: c.ColumnChunk.Pages()} }

// boundedPages counts the values of rows, which can span many pages.
type boundedPages struct {
	parquet.Pages
	n int // values of the last row so far
}

// ReadPage returns the next page.
func (p *boundedPages) ReadPage() (parquet.Page, error) {
	page, err := p.Pages.ReadPage()
	if err != nil {
		return nil, err
	}
	for _, level := range page.RepetitionLevels() {
		if level == 0 {
			p.n = 0
		}
		if p.n++; p.n > maxRowValues {
			parquet.Release(page)
			return nil, fmt.Errorf("a row has a list of more than %d values", maxRowValues)
		}
	}
	return page, nil
}

// SeekToRow goes to the beginning of a row.
func (p *boundedPages) SeekToRow(row int64) error {
	p.n = 0
	return p.Pages.SeekToRow(row)
}
