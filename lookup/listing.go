package lookup

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
)

// Codes yields every code of a kind in ascending order: ZIPs, FSAs or full
// Canadian postal codes. For other kinds it yields an error that matches
// [envelope.ErrInvalidParam]. A failure of the dataset ends the sequence.
func (r *Reader) Codes(ctx context.Context, kind CodeType) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		switch kind {
		case ZIP:
			for z := range r.data.ZIPs() {
				if !yield(z.ZIP.String(), nil) {
					return
				}
			}
		case FSA:
			for f := range r.data.FSAs() {
				if !yield(f.FSA.String(), nil) {
					return
				}
			}
		case Postal:
			if err := r.data.Load(ctx, store.SectionPostalCodes); err != nil {
				yield("", fmt.Errorf("lookup: postal codes: %w", err))
				return
			}
			for p := range r.data.PostalCodes() {
				if !yield(p.Code.String(), nil) {
					return
				}
			}
		default:
			yield("", &envelope.Failure{Op: "codes", Kind: envelope.KindInvalidParam, Param: "kind", Input: string(kind), Range: "ZIP, FSA or Postal"})
		}
	}
}

// AreaIDs yields the GEOIDs of a layer's areas in ascending order, with boxes only of
// those whose bounding boxes meet one. The error matches [envelope.ErrUnavailable] or is a
// failure of the dataset.
func (r *Reader) AreaIDs(ctx context.Context, layer Layer, boxes ...geo.Box) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		l, err := r.layer(ctx, layer)
		if err != nil {
			yield("", err)
			return
		}
		for i := range l.Len() {
			if len(boxes) > 0 {
				around, err := l.Box(ctx, i)
				if err != nil {
					yield("", fmt.Errorf("lookup: outlines of %s: %w", layer, err))
					return
				}
				if !slices.ContainsFunc(boxes, around.Meets) {
					continue
				}
			}
			if !yield(l.GEOID(i), nil) {
				return
			}
		}
	}
}

// OwnLayers lists the layers that users added.
func (r *Reader) OwnLayers() (list []Layer) {
	for _, l := range r.data.Layers() {
		if store.IsOwnLayer(l.ID()) {
			list = append(list, layerOf(l.ID()))
		}
	}
	return list
}

// A StateOutline is the outline of a state or province.
type StateOutline struct {
	State   string // two letters
	Outline orb.MultiPolygon
}
