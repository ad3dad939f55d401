package store

import (
	"cmp"
	"context"

	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// DefaultACSMemory is the default size of the cache of segments in bytes: one profile
// of fourteen years of about 15,000 areas.
const DefaultACSMemory = 64 << 20

// A segmentID identifies a segment of a selection.
type segmentID struct {
	of      *ACSSelection
	segment uint32
}

// SetACSMemory limits the memory for segments of the tables of the American
// Community Survey, in bytes. Below one it disables the cache. A lower limit
// drops segments.
func (d *Dataset) SetACSMemory(bytes int64) { d.segments.SetLimit(bytes) }

// ACSMemory returns the bound that [Dataset.SetACSMemory] set, in bytes, and
// how many of them are in use.
func (d *Dataset) ACSMemory() (limit, used int64) { return d.segments.Size() }

// ACSSegment returns the segment-th [SegmentAreas] areas of a selection, counted
// from 0. If it is not cached, it is read and replaces the least recently used
// ones; without read it is nil then. It returns errors of reading the rows.
func (d *Dataset) ACSSegment(ctx context.Context, of *ACSSelection, segment uint32, read bool) (*ACSSegment, error) {
	t := of.Table
	if err := cmp.Or(d.file.Usable(), ctx.Err()); err != nil {
		return nil, err
	}
	if uint64(segment)*ACSSegmentAreas >= uint64(len(d.acsAreas[t.Level-1])) {
		return nil, file.Invalid("segment %d of %s; it has %d areas", segment, t, len(d.acsAreas[t.Level-1]))
	}
	var load func() (*ACSSegment, int64, error)
	if read {
		load = func() (s *ACSSegment, bytes int64, err error) {
			if s, err = d.readSegment(ctx, of, segment); err == nil {
				bytes = s.Size()
			}
			return s, bytes, err
		}
	}
	return d.segments.Get(ctx, segmentID{of, segment}, load)
}
