package build

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/build/source"
)

// writeStreets writes the records of streets: those of the ZIP+4 product, then
// the user's files of ranges, then TIGER/Line's, each for the ZIPs that those
// before it say nothing of.
func (b *builder) writeStreets(ctx context.Context, w *dataset.Writer) (records, ranges int64, err error) {
	if records, err = b.writeZIP4(ctx, w); err != nil {
		return 0, 0, err
	}
	taken := map[dataset.ZIP]bool{}
	for _, z := range b.tables.zips {
		if z.detail.ZIP4Count != nil {
			taken[z.row.ZIP] = true
		}
	}
	for _, kind := range []struct {
		ids  []string
		read func(ctx context.Context, id string, take func(source.StreetRange) error) error
	}{
		{repeated(srcAddressRanges, len(b.o.AddressRanges)), func(ctx context.Context, id string, take func(source.StreetRange) error) error {
			return readText(ctx, b, id, source.ReadAddressRanges, take)
		}},
		{repeated(srcAddrFeat, len(b.o.AddrFeat)), func(ctx context.Context, id string, take func(source.StreetRange) error) error {
			return readPath(ctx, b, id, source.AddressFeatures, take)
		}},
	} {
		given := map[dataset.ZIP]bool{}
		for _, id := range kind.ids {
			sorter := rangeSorter{w: w}
			err := kind.read(ctx, id, func(r source.StreetRange) error {
				zip := b.tables.zipAt[r.ZIP]
				switch {
				case zip == nil:
					return refusal{"unknown ZIP Code", r.Record, r.ZIP.String()}
				case taken[r.ZIP]:
					return refusal{"another source has the streets of the ZIP Code", r.Record, r.ZIP.String()}
				}
				r.State = zip.state
				given[r.ZIP] = true
				return sorter.add(r.StreetRecord)
			})
			if err := errors.Join(err, sorter.flush()); err != nil {
				return records, ranges, err
			}
			ranges += sorter.rows
		}
		for z := range given {
			taken[z] = true
		}
	}
	return records, ranges, nil
}

// A rangeSorter brings together the records of a ZIP, so that a file that is
// in another order costs the writer few runs.
type rangeSorter struct {
	w    *dataset.Writer
	held []dataset.StreetRecord
	rows int64
}

// heldRanges is how many records a rangeSorter keeps, about 300 bytes each.
const heldRanges = 250_000

func (s *rangeSorter) add(r dataset.StreetRecord) error {
	s.held = append(s.held, r)
	s.rows++
	if len(s.held) < heldRanges {
		return nil
	}
	return s.flush()
}

func (s *rangeSorter) flush() error {
	slices.SortStableFunc(s.held, func(a, b dataset.StreetRecord) int { return cmp.Compare(a.ZIP, b.ZIP) })
	for _, r := range s.held {
		if err := s.w.AddStreet(r); err != nil {
			return err
		}
	}
	clear(s.held)
	s.held = s.held[:0]
	return nil
}
