package file

import (
	"fmt"
	"slices"
)

// AddList adds a column that holds a list. The function code codes an element, as
// for [List].
func AddList[T any](c *Columns, name string, e Coder, list []T, code func(*T, *Coder)) error {
	for i := range list {
		code(&list[i], &e)
	}
	data, err := e.Bytes()
	c.Add(Column{Name: name, Rows: len(list), Data: data})
	return err
}

// TakeList reads a list that [AddList] wrote. Each element takes at least a byte.
func TakeList[T any](c *Columns, name string, r Coder, code func(*T, *Coder)) ([]T, error) {
	col, err := c.Take(name, 0)
	if err != nil {
		return nil, err
	}
	if col.Rows > len(col.Data) {
		return nil, fmt.Errorf("column %s has %d rows in %d bytes", name, col.Rows, len(col.Data))
	}
	list := make([]T, col.Rows)
	r.Next(col.Data)
	for i := range list {
		if code(&list[i], &r); r.Err() != nil {
			return nil, fmt.Errorf("column %s: row %d: %w", name, i, r.Err())
		}
	}
	if err := r.End(); err != nil {
		return nil, fmt.Errorf("column %s: %w", name, err)
	}
	return list, nil
}

// CodeText codes an element of a list of texts.
func CodeText(s *string, c *Coder) { c.Text(s) }

// TakeCodes reads a column of codes below the limit. Each must be one of the owners,
// if these are not nil.
func TakeCodes(c *Columns, name string, limit uint32, owners *CodeSet) (set CodeSet, err error) {
	col, err := c.Take(name, 0)
	if err == nil {
		set, err = DecodeCodes(col, limit)
	}
	if err != nil || owners == nil {
		return set, err
	}
	for i, code := range set.All() {
		if !owners.Has(code) {
			return set, fmt.Errorf("column %s: row %d is of a code that the dataset does not hold", name, i)
		}
	}
	return set, nil
}

// AddCodes adds a column of ascending codes.
func AddCodes(c *Columns, name string, codes []uint32) {
	data, rows := EncodeCodes(slices.Values(codes))
	c.Add(Column{Name: name, Rows: rows, Data: data})
}
