package acs

import (
	"math"
	"slices"

	"github.com/postgeo/postgeo/dataset"
)

// From so many parts on a segment is read whole where it is not in memory, and
// from so many on it is used where it is; fewer parts are read row by row.
const (
	readSegmentFrom = dataset.ACSSegmentAreas / 4
	useSegmentFrom  = dataset.ACSSegmentAreas / 16
)

// knownParts are the parts that any table holds, in the order of positions.
type knownParts struct {
	positions []uint32
	tenths    []int32 // of a percent
	runs      []partRun
}

// A partRun are the parts from one position of the list to another that lie in
// the same segment of the level's tables.
type partRun struct {
	segment  uint32
	from, to int
	// areas and weights say the same by the areas of the segment; only where
	// the parts are so many that the segment is of use.
	areas   *dataset.ACSAreaSet
	weights *dataset.ACSWeights
}

// offset returns which area of its segment a part is.
func (k *knownParts) offset(i int) int { return int(k.positions[i] % dataset.ACSSegmentAreas) }

func (r *Reader) known(l dataset.ACSLevel, parts []Part) knownParts {
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

// fits reports whether all segments that the tags would have read may be in
// memory at once. If they may not, each would drive out the next.
func (r *Reader) fits(l dataset.ACSLevel, tags []Tag, k *knownParts) bool {
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

// roomFor reports whether so many columns of the segments that are worth being
// read may be in memory at once.
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
