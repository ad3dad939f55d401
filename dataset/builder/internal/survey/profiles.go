// Package survey reads tables of the American Community Survey.
package survey

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/draft"
	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/store"
)

// Tables are the tables of the American Community Survey that the user
// supplied.
type Tables struct {
	Registry *acs.Registry
	Tables   []Table
	Profiles map[string]bool // sources that are tables of a profile
}

// A Table is a table with the sources that hold parts of it.
type Table struct {
	Table store.ACSTable
	IDs   []string
}

// Read reads the heads of the tables of profiles, so that a wrong file ends
// the build before the long part of it.
func (t *Tables) Read(ctx context.Context, e *plan.Env, d *draft.Draft) error {
	t.Profiles = map[string]bool{}
	p := profiles{env: e, fields: t.Registry, states: &d.States, counties: &d.Counties}
	for _, id := range e.Files(catalog.ACS) {
		table, err := p.head(id)
		if err != nil {
			return fmt.Errorf("%s: %w", id, err)
		}
		if table == nil {
			continue
		}
		t.Profiles[id] = true
		at := slices.IndexFunc(t.Tables, func(of Table) bool { return of.Table.String() == table.String() })
		if at < 0 {
			at = len(t.Tables)
			t.Tables = append(t.Tables, Table{Table: *table})
		}
		t.Tables[at].IDs = append(t.Tables[at].IDs, id)
		e.Describe(id, "American Community Survey, "+table.Name+", "+table.Level.String()+" table", strconv.Itoa(table.Year))
	}
	slices.SortFunc(t.Tables, func(a, c Table) int {
		return cmp.Or(cmp.Compare(a.Table.Level, c.Table.Level), cmp.Compare(a.Table.Name, c.Table.Name), cmp.Compare(a.Table.Year, c.Table.Year))
	})
	return ctx.Err()
}

// profiles opens tables of profiles.
type profiles struct {
	env      *plan.Env
	fields   *acs.Registry
	states   *draft.States
	counties *draft.Counties
	tracts   map[string]string // FIPS codes by names of counties and states
}

// head returns the table that a source holds a part of, nil if it is not a table
// of a profile.
func (p *profiles) head(id string) (*store.ACSTable, error) {
	in, profile, err := p.open(id)
	if in == nil || err != nil {
		return nil, err
	}
	defer in.Close()
	t := profile.Table()
	return &t, nil
}

func (p *profiles) open(id string) (*format.Input, *source.ACSProfile, error) {
	in, err := source.OpenACSTable(p.env.File(id).Path)
	if err != nil {
		return nil, nil, err
	}
	if !source.IsACSProfile(in) {
		return nil, nil, in.Close()
	}
	profile, err := source.OpenACSProfile(in, source.ACSProfileOptions{Registry: p.fields, Tract: p.tract})
	if err != nil {
		return nil, nil, errors.Join(err, in.Close())
	}
	return in, profile, nil
}

// tract returns the code of a tract from a name such as "Census Tract 1101.02,
// Bexar County, Texas", whose parts semicolons divide since 2022.
func (p *profiles) tract(name string) (string, bool) {
	if p.tracts == nil {
		p.tracts = map[string]string{}
		for _, c := range p.counties.List {
			if c.State > 0 && int(c.State) <= len(p.states.List) {
				p.tracts[c.Name+", "+p.states.List[c.State-1].Name] = c.FIPS
			}
		}
	}
	number, place, _ := strings.Cut(strings.ReplaceAll(strings.TrimPrefix(name, "Census Tract "), ";", ","), ", ")
	fips, ok := p.tracts[place]
	whole, part, _ := strings.Cut(number, ".")
	n, err := strconv.ParseUint(whole+(part + "00")[:2], 10, 32)
	return fmt.Sprintf("%s%06d", fips, n), ok && err == nil && n < 1e6 && len(part) <= 2
}

// Write copies the tables into the dataset.
func (t *Tables) Write(ctx context.Context, e *plan.Env, d *draft.Draft) error {
	p := profiles{env: e, fields: t.Registry, states: &d.States, counties: &d.Counties}
	return p.copyTables(ctx, d.Output, t.Tables)
}

func (p *profiles) copyTables(ctx context.Context, w *store.Writer, tables []Table) error {
	seen := map[figures]string{}
	for i := range tables {
		t := &tables[i]
		rows, sum, err := p.copyTable(ctx, w, t)
		if err != nil {
			return err
		}
		if other, twice := seen[sum]; twice && rows >= leastAlike {
			return fmt.Errorf("%s: %s has the figures of %s throughout; is it a copy of that file under another year's name?", t.IDs[0], &t.Table, other)
		}
		seen[sum] = t.Table.String()
		p.env.Table(t.Table.String(), int(rows))
	}
	return nil
}

// leastAlike is the least number of rows that prove a copy when they are equal
// in two years.
const leastAlike = 3

// figures identify all estimates of a table, in any order.
type figures struct {
	level store.ACSLevel
	name  string
	rows  int64
	sum   uint64
}

// Of the rows of a table so few may be refused; a file with more is wrong as
// a whole.
const (
	refusedPart = 100 // one in so many
	refusedRows = 10  // and at least so many
)

func (p *profiles) copyTable(ctx context.Context, w *store.Writer, t *Table) (int64, figures, error) {
	sum := figures{level: t.Table.Level, name: t.Table.Name}
	id, err := w.AddACSTable(t.Table)
	if err != nil {
		return 0, sum, err
	}
	rows := map[uint64]uint64{} // digests by area
	for _, src := range t.IDs {
		if err := p.copyRows(ctx, w, id, src, rows); err != nil {
			return 0, sum, fmt.Errorf("%s: %w", src, err)
		}
	}
	for area, digest := range rows {
		sum.sum += digest * (area*2 + 1)
	}
	sum.rows = int64(len(rows))
	return sum.rows, sum, nil
}

// copyRows takes the rows of one source. An area that another source of the
// table has too is taken once.
func (p *profiles) copyRows(ctx context.Context, w *store.Writer, id store.ACSTableID, src string, rows map[uint64]uint64) error {
	e := p.env
	in, profile, err := p.open(src)
	if err != nil {
		return err
	}
	defer in.Close()
	n, refused := int64(0), int64(0)
	defer func() { e.CountRows(src, n) }()
	for row, err := range profile.Rows() {
		if n++; n%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if errors.Is(err, source.ErrOtherArea) {
			n--
			e.Applied("rows of other areas in tables of the survey, passed over", err.Error())
			continue
		}
		if errors.Is(err, format.ErrValue) {
			refused++
			e.Refuse(src, "parts that do not add up to their total", err.Error())
			if refused >= refusedRows && refused*refusedPart > n && n > refusedPart {
				return fmt.Errorf("%d of the first %d rows do not add up; the file is damaged: %w", refused, n, err)
			}
			continue
		}
		if err != nil {
			return err
		}
		digest := digestEstimates(row.Cells)
		if other, twice := rows[row.GEOID]; twice {
			if other != digest {
				e.Refuse(src, "an area again with other figures", e.At(src, row.Line)+strconv.FormatUint(row.GEOID, 10))
			} else {
				e.Applied("areas that several parts of a table hold, taken once", e.At(src, row.Line)+strconv.FormatUint(row.GEOID, 10))
			}
			continue
		}
		rows[row.GEOID] = digest
		for _, f := range row.Faults {
			e.Drop(src, f.Reason, e.At(src, row.Line)+f.Given)
		}
		if err := w.AddACSRow(id, row.GEOID, row.Cells); err != nil {
			return fmt.Errorf("%s%w", e.At(src, row.Line), err)
		}
	}
	if refused >= refusedRows && refused*refusedPart > n || refused == n {
		return fmt.Errorf("%d of %d rows do not add up; the file is damaged", refused, n)
	}
	return nil
}

func digestEstimates(cells []store.ACSCell) uint64 {
	h := fnv.New64a()
	b := make([]byte, 0, 5*len(cells))
	for _, c := range cells {
		b = append(binary.LittleEndian.AppendUint32(b, uint32(c.Estimate.N)), byte(c.Estimate.Mark))
	}
	_, _ = h.Write(b) // never fails
	return h.Sum64()
}
