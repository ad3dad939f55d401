package codes

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// A smallTable is a short list in one column, whose rows are decoded into
// structs at Open. Identifiers are positions from 1. Position 0 of the decoded
// list is the zero value, so that identifier 0 returns it.
type smallTable[T any] struct {
	name, noun string // of the table and of a row
	limit      int    // rows
	code       func(*T, *file.Coder)
	label      func(*T) string // identifies a row in errors
	check      func(*Reader, *T) error
	rows       func(*Writer) *[]T
	into       func(*Reader) *[]T
}

func (s smallTable[T]) table() table {
	return table{
		Name: s.name,
		Encode: func(w *Writer, c *file.Columns) error {
			rows := *s.rows(w)
			if len(rows) > s.limit {
				return file.Invalid("there are %d %s, a dataset holds at most %d", len(rows), s.name, s.limit)
			}
			return file.AddList(c, s.name, file.NewCoder(&w.out.Names), rows, s.code)
		},
		Decode: func(d *Reader, c *file.Columns) error {
			rows, err := file.TakeList(c, s.name, file.DecodeWith(&d.file.Names, nil), s.code)
			if err != nil {
				return err
			}
			if len(rows) > s.limit {
				return fmt.Errorf("column %s has %d rows, expected at most %d", s.name, len(rows), s.limit)
			}
			for i := range rows {
				if err := s.check(d, &rows[i]); err != nil {
					return fmt.Errorf("column %s: row %d: %w", s.name, i+1, err)
				}
			}
			*s.into(d) = slices.Insert(rows, 0, *new(T))
			return nil
		},
	}
}

// set copies the rows of a table, which may be given once.
func (s smallTable[T]) set(w *Writer, rows []T) error {
	c := file.Collector(&w.out.Names)
	for i := range rows {
		s.code(&rows[i], &c)
		if err := c.Err(); err != nil {
			return file.InvalidRow("the "+s.noun+" "+strconv.Quote(s.label(&rows[i])), err)
		}
	}
	return file.SetOnce(w.out, s.name, s.rows(w), rows)
}

// checkID reports an identifier outside its table. The table has the zero value
// at 0.
func checkID[T any](what string, id int, table []T) error {
	if uint(id) >= uint(len(table)) && id != 0 { // a number that int does not hold is negative
		return fmt.Errorf("it refers to %s %d, the table has %d", what, id, max(len(table)-1, 0))
	}
	return nil
}

// lookUp returns the row, or the zero row for an identifier of no row.
func lookUp[T any](table []T, id int) *T {
	if id >= len(table) {
		id = 0
	}
	return &table[id]
}

// A codeTable is a sorted list of codes in one column with a row of fixed width
// for each in another.
type codeTable[T any] struct {
	name  string
	limit uint32 // of the codes
	width int    // of a row
	rows  func(*Writer) []T
	code  func(*T) uint32
	field func(*T, *file.Coder)
	into  func(*Reader) (*file.CodeSet, *file.Column)
	check func(*Reader, *T) error
	noun  func(code uint32) string
}

func (t codeTable[T]) table() table {
	return table{
		Name: t.name,
		Encode: func(w *Writer, c *file.Columns) error {
			list, e := t.rows(w), file.NewCoder(&w.out.Names)
			codes := make([]uint32, len(list))
			for i := range list {
				codes[i] = t.code(&list[i])
				t.field(&list[i], &e)
			}
			file.AddCodes(c, t.name+".codes", codes)
			b, err := e.Bytes()
			c.Add(file.Column{Name: t.name, Width: t.width, Rows: len(list), Data: b})
			return err
		},
		Decode: func(d *Reader, c *file.Columns) error {
			var err error
			set, rows := t.into(d)
			if *set, err = file.TakeCodes(c, t.name+".codes", t.limit, nil); err != nil {
				return err
			}
			if *rows, err = c.Take(t.name, t.width); err != nil {
				return err
			}
			if rows.Rows != set.Count {
				return fmt.Errorf("column %s has %d rows, expected %d", t.name, rows.Rows, set.Count)
			}
			var row T
			r := file.DecodeWith(&d.file.Names, nil)
			for i, code := range set.All() {
				r.Next(rows.Row(i))
				if t.field(&row, &r); r.End() != nil {
					return fmt.Errorf("%s: %w", t.noun(code), r.End())
				}
				if err := t.check(d, &row); err != nil {
					return fmt.Errorf("%s: %w", t.noun(code), err)
				}
			}
			return nil
		},
	}
}
