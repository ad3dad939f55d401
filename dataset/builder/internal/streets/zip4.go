package streets

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/draft"
	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/source"
)

// writeZIP4 streams the records of the ZIP+4 product, with the user's points
// for them, into the file. It counts the ZIP+4 Codes of each ZIP: the add-ons
// of base records, a range as often as it is long. It holds one ZIP in memory.
// Records without a usable add-on and of ZIPs that the dataset lacks are
// refused.
func (b *streets) writeZIP4(ctx context.Context) (int, error) {
	if !b.Has(catalog.USPSZIP4) {
		return 0, nil
	}
	points, closePoints, err := b.zip4Points()
	if err != nil {
		return 0, err
	}
	defer closePoints()
	in, err := b.Open(catalog.USPSZIP4)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", catalog.USPSZIP4, err)
	}
	n := 0
	var zip *draft.ZIP
	seen := map[dataset.Plus4]bool{}
	err = plan.ReadRows(ctx, b.Env, catalog.USPSZIP4, source.ReadZIP4(in), func(r source.ZIP4Row) error {
		if zip == nil || zip.Row.ZIP != r.ZIP {
			if zip = b.ZIPs.At[r.ZIP]; zip == nil {
				return plan.Refused("unknown ZIP Code", r.Record, r.ZIP.String())
			}
			if zip.Detail.ZIP4Count == nil {
				zip.Detail.ZIP4Count = new(int32)
			}
			clear(seen)
			if err := points.advance(r.ZIP); err != nil {
				return err
			}
		}
		if r.NoDelivery {
			return plan.Refused("no delivery, no usable add-on", r.Record, r.ZIP.String())
		}
		for p := r.Low; p <= r.High && !r.Alternate; p++ {
			if !seen[p] {
				seen[p] = true
				*zip.Detail.ZIP4Count++
			}
		}
		r.Location = points.at[r.Low]
		if err := b.Output.AddZIP4(r.ZIP4Record); err != nil {
			return fmt.Errorf("record %d: %w", r.Record, err)
		}
		n++
		return nil
	})
	if err == nil {
		err = points.drain()
	}
	return n, errors.Join(err, in.Close())
}

// zip4Points reads points of ZIP+4 Codes in step with the records, ZIP by ZIP.
type zip4Points struct {
	env  *plan.Env
	next func() (source.ZIP4Point, error, bool) // nil without a file of points
	zip  dataset.ZIP                            // of at
	at   map[dataset.Plus4]geo.LatLng
	head *source.ZIP4Point // read and of a later ZIP than zip
	rows int64
	last dataset.ZIP
}

func (b *streets) zip4Points() (*zip4Points, func(), error) {
	p := &zip4Points{env: b.Env, at: map[dataset.Plus4]geo.LatLng{}}
	if !b.Has(catalog.ZIP4Points) {
		return p, func() {}, nil
	}
	in, err := b.Open(catalog.ZIP4Points)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", catalog.ZIP4Points, err)
	}
	next, stop := iter.Pull2(source.ReadZIP4Points(in))
	p.next = next
	return p, func() { stop(); in.Close() }, nil
}

// advance makes at the points of the ZIP.
func (p *zip4Points) advance(zip dataset.ZIP) error {
	clear(p.at)
	p.zip = zip
	for p.next != nil {
		if p.head == nil {
			if err := p.read(); err != nil || p.head == nil {
				return err
			}
		}
		switch {
		case p.head.ZIP > zip:
			return nil
		case p.head.ZIP == zip:
			p.at[p.head.Plus4] = p.head.Location
		default:
			p.env.Refuse(catalog.ZIP4Points, "ZIP Code without ZIP+4 records", p.env.At(catalog.ZIP4Points, p.head.Line)+p.head.ZIP.String())
		}
		p.head = nil
	}
	return nil
}

// read takes the next good row as head; head stays nil at the end of the file.
func (p *zip4Points) read() error {
	for {
		r, err, ok := p.next()
		if !ok {
			p.next = nil
			return nil
		}
		p.rows++
		p.env.CountRows(catalog.ZIP4Points, p.rows)
		switch {
		case err == nil && r.ZIP < p.last:
			return fmt.Errorf("%s: %sZIP %s after %s; sort the file by ZIP Code", catalog.ZIP4Points, p.env.At(catalog.ZIP4Points, r.Line), r.ZIP, p.last)
		case err == nil:
			p.last, p.head = r.ZIP, &r
			return nil
		case p.env.RefuseBad(catalog.ZIP4Points, err):
		default:
			return fmt.Errorf("%s: %w", catalog.ZIP4Points, err)
		}
	}
}

// drain reads the rest of the file, whose ZIPs have no records.
func (p *zip4Points) drain() error { return p.advance(dataset.NumZIPs) }
