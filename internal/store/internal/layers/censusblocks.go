package layers

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// A CensusBlock is a block of the census of 2020 at a point inside.
type CensusBlock struct {
	GEOID   uint64 // fifteen digits with leading zeros; 000 ends that of a part of a block group without a number
	At      geo.LatLng
	People  int
	Housing int   // housing units, or UnknownArea
	Land    int64 // square meters, or UnknownArea
}

// MaxBlockLand is the maximum land of a block in square meters. The sum over all
// blocks of the census fits an int64.
const MaxBlockLand = 1e12

// BlocksOfGroup is the number of GEOIDs of blocks for each block group.
const BlocksOfGroup = 1000

// maxBlock is above the GEOIDs of blocks.
const maxBlock = maxBlockGroup * BlocksOfGroup

// blocks are the census blocks of a file.
type blocks struct {
	figures []byte // for each the gap between the GEOIDs, the people, and housing units and land plus 1
	points  file.Column
}

// CensusBlocks yields the blocks that users supplied, in ascending order.
// [SectionCenters] must be loaded.
func (d *Reader) CensusBlocks() iter.Seq[CensusBlock] {
	d.file.Need(SectionCenters)
	return d.blocks.all(&file.Decoder{B: d.blocks.figures})
}

func (s *blocks) all(e *file.Decoder) iter.Seq[CensusBlock] {
	return func(yield func(CensusBlock) bool) {
		geoid := uint64(0)
		for i := range s.points.Rows {
			geoid += e.Max(maxBlock)
			b := CensusBlock{GEOID: geoid, People: int(e.Max(math.MaxInt32)), At: file.PointAt(s.points.Row(i))}
			b.Housing, b.Land = int(e.Max(math.MaxInt32))-1, int64(e.Max(MaxBlockLand+1))-1
			if e.Err != nil || !yield(b) {
				return
			}
		}
	}
}

// SetCensusBlocks gives the census blocks, ascending. In an extended file they
// replace those of the same counties.
func (w *Writer) SetCensusBlocks(list []CensusBlock) error {
	last := uint64(0)
	for i := range list {
		b := &list[i]
		if b.GEOID < last || b.GEOID >= maxBlock || b.People < 0 || b.People > math.MaxInt32 ||
			b.Housing < UnknownArea || b.Housing >= math.MaxInt32 || b.Land < UnknownArea || b.Land > MaxBlockLand || !b.At.IsValid() {
			return file.Invalid("the block %015d with %d people, %d housing units and %d m² at %v; expected ascending GEOIDs of fifteen digits", b.GEOID, b.People, b.Housing, b.Land, b.At)
		}
		last = b.GEOID
	}
	if w.base != nil {
		w.centers = slices.Collect(w.base.Centers())
		list = replaceCounties(slices.Collect(w.base.CensusBlocks()), list)
	}
	return file.SetOnce(w.out, "blocks", &w.blocks, list)
}

// replaceCounties returns the old blocks without those of the counties of new ones,
// and the new ones.
func replaceCounties(old, list []CensusBlock) []CensusBlock {
	const ofCounty = maxBlock / 100_000
	counties := map[uint64]bool{}
	for i := range list {
		counties[list[i].GEOID/ofCounty] = true
	}
	old = slices.DeleteFunc(old, func(b CensusBlock) bool { return counties[b.GEOID/ofCounty] })
	list = append(old, list...)
	slices.SortStableFunc(list, func(x, y CensusBlock) int { return cmp.Compare(x.GEOID, y.GEOID) })
	return list
}

func (w *Writer) encodeBlocks(c *file.Columns) {
	if len(w.blocks) == 0 {
		return
	}
	var e file.Encoder
	var points []byte
	last := uint64(0)
	for i := range w.blocks {
		b := &w.blocks[i]
		e.Uint(b.GEOID - last)
		e.Uint(uint64(b.People))
		e.Uint(uint64(b.Housing + 1))
		e.Uint(uint64(b.Land + 1))
		points = file.AppendPoint(points, b.At)
		last = b.GEOID
	}
	c.Add(file.Column{Name: "blocks", Rows: len(w.blocks), Data: e.B})
	c.Add(file.Column{Name: "blocks.points", Width: pointWidth, Rows: len(w.blocks), Data: points})
}

func (d *Reader) decodeBlocks(c *file.Columns) error {
	if !c.Has("blocks") {
		return nil
	}
	col, err := c.Take("blocks", 0)
	if err != nil {
		return err
	}
	s := blocks{figures: col.Data}
	if s.points, err = c.Take("blocks.points", pointWidth); err != nil {
		return err
	}
	e, n := &file.Decoder{B: s.figures}, 0
	for b := range s.all(e) {
		if b.GEOID >= maxBlock {
			return fmt.Errorf("blocks: the block %d", b.GEOID)
		}
		if err := file.CheckPoint(s.points.Row(n)); err != nil {
			return fmt.Errorf("blocks: %015d: %w", b.GEOID, err)
		}
		n++
	}
	if err := e.End(); err != nil || n != col.Rows {
		return fmt.Errorf("blocks: found %d, expected %d: %w", n, col.Rows, err)
	}
	d.blocks = s
	return nil
}
