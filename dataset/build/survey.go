package build

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/build/format"
	"github.com/postgeo/postgeo/dataset/build/source"
)

// A surveyTable is a table of the American Community Survey with the sources
// that hold parts of it.
type surveyTable struct {
	table dataset.ACSTable
	ids   []string
}

// survey is what a build knows of the tables that the user supplied.
type survey struct {
	registry *acs.Registry
	tables   []surveyTable
	profiles map[string]bool // sources that are tables of a profile
	tracts   map[string]string
}

// readSurvey reads the heads of the tables of profiles, so that a wrong file
// ends the build before the long part of it.
func readSurvey(ctx context.Context, b *builder) error {
	s := &b.tables.survey
	s.profiles = map[string]bool{}
	var err error
	if s.registry, err = b.o.registry(); err != nil {
		return err
	}
	for i := range b.o.ACS {
		id := acsID(i)
		table, err := b.surveyHead(id)
		if err != nil {
			return fmt.Errorf("%s: %w", id, err)
		}
		if table == nil {
			continue
		}
		s.profiles[id] = true
		at := slices.IndexFunc(s.tables, func(t surveyTable) bool { return t.table.String() == table.String() })
		if at < 0 {
			at = len(s.tables)
			s.tables = append(s.tables, surveyTable{table: *table})
		}
		s.tables[at].ids = append(s.tables[at].ids, id)
		b.describe(id, "American Community Survey, "+table.Name+", "+table.Level.String()+" table", strconv.Itoa(table.Year))
	}
	slices.SortFunc(s.tables, func(a, c surveyTable) int {
		return cmp.Or(cmp.Compare(a.table.Level, c.table.Level), cmp.Compare(a.table.Name, c.table.Name), cmp.Compare(a.table.Year, c.table.Year))
	})
	return ctx.Err()
}

// registry returns the list of fields that tables are held against.
func (o Options) registry() (*acs.Registry, error) {
	if o.ACSFields == "" {
		return acs.BuiltIn(), nil
	}
	f, err := os.Open(o.ACSFields)
	if err != nil {
		return nil, fmt.Errorf("list of fields: %w", err)
	}
	defer f.Close()
	return acs.ParseRegistry(f)
}

// describe notes what was seen of a source while it was read.
func (b *builder) describe(id, title, vintage string) {
	for i := range b.order {
		if b.order[i].ID == id {
			b.order[i].Title, b.report.Sources[i].Title = title, title
		}
	}
	b.setVintage(id, vintage)
}

// surveyHead returns the table that a source holds a part of; nil where it is
// no table of a profile.
func (b *builder) surveyHead(id string) (*dataset.ACSTable, error) {
	in, p, err := b.openSurvey(id)
	if in == nil || err != nil {
		return nil, err
	}
	defer in.Close()
	t := p.Table()
	return &t, nil
}

func (b *builder) openSurvey(id string) (*format.Input, *source.ACSProfile, error) {
	in, err := source.OpenACSTable(b.files[id].Path)
	if err != nil {
		return nil, nil, err
	}
	if !source.IsACSProfile(in) {
		return nil, nil, in.Close()
	}
	p, err := source.OpenACSProfile(in, source.ACSProfileOptions{Registry: b.tables.survey.registry, Tract: b.tractCode})
	if err != nil {
		return nil, nil, errors.Join(err, in.Close())
	}
	return in, p, nil
}

// tractCode returns the code of a tract from a name such as "Census Tract
// 1101.02, Bexar County, Texas", whose parts semicolons divide since 2022.
func (b *builder) tractCode(name string) (string, bool) {
	s := &b.tables.survey
	if s.tracts == nil {
		s.tracts = map[string]string{}
		for _, c := range b.tables.counties {
			if c.State > 0 && int(c.State) <= len(b.tables.states) {
				s.tracts[c.Name+", "+b.tables.states[c.State-1].Name] = c.FIPS
			}
		}
	}
	number, place, _ := strings.Cut(strings.ReplaceAll(strings.TrimPrefix(name, "Census Tract "), ";", ","), ", ")
	fips, ok := s.tracts[place]
	whole, part, _ := strings.Cut(number, ".")
	n, err := strconv.ParseUint(whole+(part + "00")[:2], 10, 32)
	return fmt.Sprintf("%s%06d", fips, n), ok && err == nil && n < 1e6 && len(part) <= 2
}

// surveyWriter is what takes the tables: a new dataset or the extension of
// one.
type surveyWriter interface {
	AddACSTable(dataset.ACSTable) (dataset.ACSTableID, error)
	AddACSRow(dataset.ACSTableID, uint64, []dataset.ACSCell) error
}

// writeSurvey streams the tables into the dataset.
func (b *builder) writeSurvey(ctx context.Context, w surveyWriter) ([]TableReport, error) {
	var reports []TableReport
	seen := map[figures]string{}
	for i := range b.tables.survey.tables {
		t := &b.tables.survey.tables[i]
		rows, sum, err := b.writeSurveyTable(ctx, w, t)
		if err != nil {
			return nil, err
		}
		if other, twice := seen[sum]; twice && rows >= leastAlike {
			return nil, fmt.Errorf("%s: %s has the figures of %s throughout; is it a copy of that file under another year's name?", t.ids[0], &t.table, other)
		}
		seen[sum] = t.table.String()
		reports = append(reports, TableReport{t.table.String(), rows})
	}
	return reports, nil
}

// leastAlike is the least number of rows that say something when they are
// equal in two years.
const leastAlike = 3

// figures stand for all estimates of a table, whatever their order.
type figures struct {
	level dataset.ACSLevel
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

func (b *builder) writeSurveyTable(ctx context.Context, w surveyWriter, t *surveyTable) (int64, figures, error) {
	sum := figures{level: t.table.Level, name: t.table.Name}
	id, err := w.AddACSTable(t.table)
	if err != nil {
		return 0, sum, err
	}
	rows := map[uint64]uint64{} // digests by area
	for _, src := range t.ids {
		if err := b.copySurvey(ctx, w, id, src, rows); err != nil {
			return 0, sum, fmt.Errorf("%s: %w", src, err)
		}
	}
	for area, digest := range rows {
		sum.sum += digest * (area*2 + 1)
	}
	sum.rows = int64(len(rows))
	return sum.rows, sum, nil
}

// copySurvey takes the rows of one source. An area that another source of the
// table has too is taken once.
func (b *builder) copySurvey(ctx context.Context, w surveyWriter, id dataset.ACSTableID, src string, rows map[uint64]uint64) error {
	in, p, err := b.openSurvey(src)
	if err != nil {
		return err
	}
	defer in.Close()
	n, refused := int64(0), int64(0)
	defer func() { b.rows(src, n) }()
	for row, err := range p.Rows() {
		if n++; n%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if errors.Is(err, source.ErrOtherArea) {
			n--
			b.report.applied("rows of other areas in tables of the survey, passed over", err.Error())
			continue
		}
		if errors.Is(err, format.ErrValue) {
			refused++
			b.report.refuse(src, "parts that do not add up to their total", err.Error())
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
				b.report.refuse(src, "an area again with other figures", b.at(src, row.Line)+strconv.FormatUint(row.GEOID, 10))
			} else {
				b.report.applied("areas that several parts of a table hold, taken once", b.at(src, row.Line)+strconv.FormatUint(row.GEOID, 10))
			}
			continue
		}
		rows[row.GEOID] = digest
		for _, f := range row.Faults {
			b.report.drop(src, f.Reason, b.at(src, row.Line)+f.Given)
		}
		if err := w.AddACSRow(id, row.GEOID, row.Cells); err != nil {
			return fmt.Errorf("%s%w", b.at(src, row.Line), err)
		}
	}
	if refused >= refusedRows && refused*refusedPart > n || refused == n {
		return fmt.Errorf("%d of %d rows do not add up; the file is damaged", refused, n)
	}
	return nil
}

// digestEstimates returns a digest of a row's estimates.
func digestEstimates(cells []dataset.ACSCell) uint64 {
	h := fnv.New64a()
	b := make([]byte, 0, 5*len(cells))
	for _, c := range cells {
		b = append(binary.LittleEndian.AppendUint32(b, uint32(c.Estimate.N)), byte(c.Estimate.Mark))
	}
	_, _ = h.Write(b) // never fails
	return h.Sum64()
}
