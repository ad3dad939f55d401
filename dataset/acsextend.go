package dataset

import (
	"context"
	"fmt"
)

// An Extension writes a copy of a dataset with more tables of the American
// Community Survey, for example those of a new year. It can replace the details of ZIP Codes, too. It is used by one
// goroutine.
type Extension struct{ w *Writer }

// Extend begins a file at the path, which must not be the one that base was
// opened from. Tables that are added take the place of those of base with the
// same level, year and name; all others are kept. base must stay open until
// the extension is closed, with Finish or Abort.
func Extend(path string, base *Dataset) (*Extension, error) {
	w, err := Create(path)
	if err != nil {
		return nil, err
	}
	w.base = base
	return &Extension{w}, nil
}

// AddACSTable adds a table, as [Writer.AddACSTable] does.
func (e *Extension) AddACSTable(t ACSTable) (ACSTableID, error) { return e.w.AddACSTable(t) }

// AddACSRow adds the row of an area, as [Writer.AddACSRow] does.
func (e *Extension) AddACSRow(id ACSTableID, geoid uint64, cells []ACSCell) error {
	return e.w.AddACSRow(id, geoid, cells)
}

// SetZIPDetail replaces the detail of a ZIP Code of the base, which takes
// effect in Finish. A code that base does not hold is an error that matches
// [ErrNotFound].
func (e *Extension) SetZIPDetail(z ZIP, t *ZIPDetail) error {
	if err := e.w.open(); err != nil {
		return err
	}
	if _, ok := e.w.base.zipSet.row(uint32(z)); !ok {
		return fmt.Errorf("%w: %s holds no ZIP %s", ErrNotFound, e.w.base.path, z)
	}
	if e.w.details == nil {
		e.w.details = map[ZIP]*ZIPDetail{}
	}
	e.w.details[z] = t
	return nil
}

// Finish writes the file, as [Writer.Finish] does. The manifest is the new
// file's: that of base with the sources that were added.
func (e *Extension) Finish(m Manifest) error { return e.w.Finish(m) }

// Abort removes the unfinished file, as [Writer.Abort] does.
func (e *Extension) Abort() error { return e.w.Abort() }

// keepACS takes over those tables of the base that were not replaced.
func (w *Writer) keepACS() error {
	if w.base == nil {
		return nil
	}
	if err := w.base.Load(context.Background(), SectionSurvey); err != nil {
		return err
	}
	given := w.acs.tables
	for i := range w.base.acsTables {
		t := &w.base.acsTables[i]
		if w.hasACS(given, t) {
			continue
		}
		id, err := w.AddACSTable(*t)
		if err != nil {
			return err
		}
		if err := w.copyACS(id, t); err != nil {
			return err
		}
	}
	return nil
}

func (w *Writer) hasACS(tables []ACSTable, t *ACSTable) bool {
	for i := range tables {
		if compareACSTables(tables[i], *t) == 0 {
			return true
		}
	}
	return false
}

// copyACS takes over the coded rows of a table of the base.
func (w *Writer) copyACS(id ACSTableID, t *ACSTable) error {
	geoids := w.base.ACSGEOIDs(t.Level)
	return w.base.cold.use(context.Background(), func(c *connection) error {
		for _, p := range t.pages {
			payload, err := c.row(acsRows, int64(p.id))
			if err != nil {
				return err
			}
			err = t.walk(payload, p.first, func(position uint32, r *ACSRow) (bool, error) {
				if int64(position) >= int64(len(geoids)) {
					return false, errRange
				}
				return true, w.spoolACSRow(id, geoids[position], r.first, r.rest)
			})
			if err != nil {
				return w.base.acsDamage(int64(p.id), err)
			}
		}
		return nil
	})
}

// copyRows takes over the other tables of rows of the base, with the details
// that replace theirs.
func (w *Writer) copyRows() error {
	for _, text := range w.base.zipTexts {
		w.zipTexts.id(text) // rows that are kept refer to them by number
	}
	return w.base.cold.use(context.Background(), func(c *connection) error {
		for table := range coldTables {
			if table == acsRows {
				continue
			}
			t := &coldTables[table]
			err := c.each(context.Background(), "SELECT id, data FROM "+t.name+" ORDER BY id", func(r *scanner) error {
				id, data := r.int(), r.blob()
				if r.err != nil {
					return r.err
				}
				if _, err := unseal(t.name, id, data); err != nil {
					return damaged(w.base.path, "%s: %v", t.noun(id), err)
				}
				if detail := w.details[ZIP(id)]; detail != nil && table == zipDetailRows {
					payload, err := w.encodeZIPDetail(detail)
					if err != nil {
						return invalidRow(t.noun(id), err)
					}
					return w.insertRow(table, id, payload)
				}
				w.hashes[table].row(id, data)
				return w.insert(t.name, id, data)
			})
			if err != nil {
				return readError(w.base.path, t.name, err)
			}
		}
		return nil
	})
}

// copyColumns copies the columns of the base. It encodes those of the American
// Community Survey and of replaced details again.
func (w *Writer) copyColumns(set *columnSet) error {
	all := &columnSet{}
	err := w.base.cold.use(context.Background(), func(c *connection) (err error) {
		all.list, err = readColumns(context.Background(), c, "")
		return err
	})
	if err != nil {
		return err
	}
	renewed := map[string]bool{acsResidentTable.name: true, acsYearsTable.name: true}
	if len(w.details) > 0 {
		renewed[zipTextsTable.name], renewed[zipDensityTable.name] = true, true
		if err := w.renewDensity(); err != nil {
			return err
		}
	}
	d := newDataset(w.base.path)
	for _, t := range residentTables() {
		before := len(all.taken)
		if err := t.decode(d, all); err != nil {
			return damaged(w.base.path, "%v", err)
		}
		if !renewed[t.name] {
			for _, c := range all.taken[before:] {
				set.add(c)
			}
		} else if err := t.encode(w, set); err != nil {
			return err
		}
	}
	return nil
}

// renewDensity collects the density of the base's ZIP Codes with that of
// replaced details.
func (w *Writer) renewDensity() error {
	if err := w.base.Load(context.Background(), SectionDensity); err != nil {
		return err
	}
	for _, code := range w.base.zipSet.all() {
		z := ZIP(code)
		if t := w.details[z]; t != nil {
			w.zipDensity.add(t.Population, t.LandArea)
			continue
		}
		var population *int32
		var area *int64
		if n, ok := w.base.ZIPPopulation(z); ok {
			population = &n
		}
		if n, ok := w.base.ZIPLand(z); ok {
			area = &n
		}
		w.zipDensity.add(population, area)
	}
	return nil
}
