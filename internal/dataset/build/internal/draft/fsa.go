package draft

import (
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/build/source"
)

// FSAs are the forward sortation areas.
type FSAs struct {
	List []*FSA // ascending
	At   map[dataset.FSA]*FSA
}

// Parts returns the parts that steps after the first one write.
func (*FSAs) Parts() []string { return []string{"area-codes", "municipality", "outline", "zone"} }

// An FSA is a forward sortation area and the row of its source.
type FSA struct {
	Row      dataset.FSARow
	Detail   dataset.FSADetail
	Quality  dataset.Quality
	Province string // two letters
	GeoNames source.GeoNamesRow
}

// FSACensus are the census counts of FSAs.
type FSACensus struct {
	ByFSA map[dataset.FSA]source.FSAPopulationRow
}

// Postal are the full postal codes of Canada.
type Postal struct {
	Rows   []dataset.PostalRow  // ascending
	Listed map[dataset.FSA]bool // FSAs whose list of postal codes is complete
}

// Parts returns the parts that steps after the first one write.
func (*Postal) Parts() []string { return []string{"municipality", "zone"} }

// Count32 converts a count of people or dwellings, which fits 31 bits.
func Count32(n *int64) *int32 {
	if n == nil || *n > 1<<31-1 {
		return nil
	}
	v := int32(*n)
	return &v
}
