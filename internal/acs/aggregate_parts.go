package acs

import (
	"math"
	"slices"

	"github.com/postgeo/postgeo/internal/dataset"
)

// Thresholds in parts per segment: from readSegmentFrom on a segment is read
// whole, and from useSegmentFrom on one in memory is used. Fewer parts are read
// row by row.
const (
	readSegmentFrom = dataset.ACSSegmentAreas / 4
	useSegmentFrom  = dataset.ACSSegmentAreas / 16
)

// knownParts holds the parts found in the level's tables, in the order of
// positions.
type knownParts struct {
	positions []uint32
	tenths    []int32 // of a percent
	runs      []partRun
}

// A partRun is a range of the list whose parts are in the same segment of the
// level's tables.
type partRun struct {
	segment  uint32
	from, to int
	// areas and weights hold the parts by area of the segment. They are nil if
	// the parts are too few to use the segment.
	areas   *dataset.ACSAreaSet
	weights *dataset.ACSWeights
}

// offset returns the index of a part within its segment.
func (k *knownParts) offset(i int) int { return int(k.positions[i] % dataset.ACSSegmentAreas) }

func (r *Reader) known(l Level, parts []Part) knownParts {
	list := make([]uint64, 0, len(parts)) // position and tenths
	for _, p := range parts {
		position, ok := r.data.ACSArea(l, p.GEOID)
		if tenths := math.Round(10 * min(max(p.Percent, 0), 100)); ok {
			list = append(list, uint64(position)<<32|uint64(tenths))
		}
	}
	slices.Sort(list)
	k := knownParts{positions: make([]uint32, len(list)), tenths: make([]int32, len(list))}
	for i, p := range list {
		k.positions[i], k.tenths[i] = uint32(p>>32), int32(uint32(p))
	}
	for from := 0; from < len(list); {
		run := partRun{segment: k.positions[from] / dataset.ACSSegmentAreas, from: from, to: from}
		for run.to < len(list) && k.positions[run.to]/dataset.ACSSegmentAreas == run.segment {
			run.to++
		}
		from = run.to
		if run.len() >= useSegmentFrom {
			run.areas, run.weights = new(dataset.ACSAreaSet), new(dataset.ACSWeights)
			for i := run.from; i < run.to; i++ {
				run.areas.Add(k.offset(i))
				run.weights[k.offset(i)] += k.tenths[i] // an area may be named twice
			}
		}
		k.runs = append(k.runs, run)
	}
	return k
}

func (r *partRun) len() int { return r.to - r.from }

// fits reports whether all segments that the tags require fit into memory at
// once. Otherwise each would evict the next.
func (r *Reader) fits(l Level, tags []Tag, k *knownParts) bool {
	columns := 0
	for _, tag := range tags {
		year := int(tag.Year)
		if year == 0 {
			year = r.Newest(l)
		}
		if t := r.table(l, tag.Profile, year); t != nil {
			columns += len(t.Columns)
		}
	}
	return r.roomFor(columns, k)
}

// roomFor reports whether the given number of columns fits into memory, over
// the segments worth reading.
func (r *Reader) roomFor(columns int, k *knownParts) bool {
	segments := 0
	for i := range k.runs {
		if k.runs[i].len() >= readSegmentFrom {
			segments++
		}
	}
	const width = 2 // bytes of a number, on average
	limit, _ := r.data.ACSMemory()
	return int64(segments)*int64(columns)*dataset.ACSSegmentAreas*width <= limit
}
