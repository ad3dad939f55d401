package streets

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/draft"
	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/store"
)

// streets writes the records of streets: those of the ZIP+4 product, then the
// user's files of ranges for ZIP Codes without them.
type streets struct {
	*plan.Env
	*draft.Draft
}

// Write writes the records of ZIP+4 Codes.
func Write(ctx context.Context, e *plan.Env, d *draft.Draft) error {
	b := &streets{Env: e, Draft: d}
	records, err := b.writeZIP4(ctx)
	if err != nil {
		return err
	}
	ranges := 0
	for _, id := range b.Files(catalog.AddressRanges) {
		sorter := rangeSorter{w: b.Output}
		err := plan.ReadText(ctx, b.Env, id, source.ReadAddressRanges, func(r source.StreetRange) error {
			zip := b.ZIPs.At[r.ZIP]
			switch {
			case zip == nil:
				return plan.Refused("unknown ZIP Code", r.Record, r.ZIP.String())
			case zip.Detail.ZIP4Count != nil:
				return plan.Refused("another source has the streets of the ZIP Code", r.Record, r.ZIP.String())
			}
			r.State = zip.State
			return sorter.add(r.StreetRecord)
		})
		if err := errors.Join(err, sorter.flush()); err != nil {
			return err
		}
		ranges += sorter.rows
	}
	b.Table("ZIP+4 records", records)
	b.Table("street ranges", ranges)
	return nil
}

// A rangeSorter brings together the records of a ZIP, so that a file that is
// in another order costs the writer few runs.
type rangeSorter struct {
	w    *store.Writer
	held []store.StreetRecord
	rows int
}

// heldRanges is how many records a rangeSorter keeps, about 300 bytes each.
const heldRanges = 250_000

func (s *rangeSorter) add(r store.StreetRecord) error {
	s.held = append(s.held, r)
	s.rows++
	if len(s.held) < heldRanges {
		return nil
	}
	return s.flush()
}

func (s *rangeSorter) flush() error {
	slices.SortStableFunc(s.held, func(a, b store.StreetRecord) int { return cmp.Compare(a.ZIP, b.ZIP) })
	for _, r := range s.held {
		if err := s.w.AddStreet(r); err != nil {
			return err
		}
	}
	clear(s.held)
	s.held = s.held[:0]
	return nil
}
