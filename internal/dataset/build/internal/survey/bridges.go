package survey

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strconv"

	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/build/format"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/catalog"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/draft"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/plan"
	"github.com/postgeo/postgeo/internal/dataset/build/source"
)

// bridges writes the parts of areas of 2010 that areas of 2020 contain. Their
// weights are shares of land area, or of water area if there is no land.
type bridges struct {
	*plan.Env
	Output *draft.Output `reads:"rows" writes:"rows"`
}

// relationships are the sources of bridges.
var relationships = []struct {
	id, name string // name of the areas in the header
	level    dataset.ACSLevel
}{
	{catalog.ZCTARelationship, "ZCTA5", dataset.ACSZCTA},
	{catalog.TractRelationship, "TRACT", dataset.ACSTract},
}

func (b *bridges) Run(ctx context.Context) error {
	var list []dataset.ACSBridge
	for _, r := range relationships {
		parts := map[uint64][]piece{}
		rows := func(in *format.Input) iter.Seq2[source.RelationshipRow, error] {
			return source.Relationship(in, r.name)
		}
		err := plan.ReadText(ctx, b.Env, r.id, rows, func(row source.RelationshipRow) error {
			if row.From == "" {
				return nil
			}
			from, err := strconv.ParseUint(row.From, 10, 64)
			to := uint64(0)
			if err == nil && row.To != "" {
				to, err = strconv.ParseUint(row.To, 10, 64)
			}
			if err != nil {
				return plan.Refused("wrong area", row.Line, row.From+" and "+row.To)
			}
			parts[from] = append(parts[from], piece{to: to, outside: row.To == "", land: row.Land, water: row.Water})
			return nil
		})
		if err != nil {
			return err
		}
		before := len(list)
		for from, pieces := range parts {
			list = append(list, bridgesOf(r.level, from, pieces)...)
		}
		if len(parts) > 0 {
			b.Table("bridges of "+r.level.String(), len(list)-before)
		}
	}
	return b.Output.SetBridges(list)
}

// A piece is a part of an area of 2010.
type piece struct {
	to          uint64
	outside     bool // all areas of 2020
	land, water int64
}

// bridgesOf divides an area into tenths of a percent. The tenths of all pieces are
// 1000 in sum, because each is the difference of two rounded sums.
func bridgesOf(l dataset.ACSLevel, from uint64, pieces []piece) (list []dataset.ACSBridge) {
	slices.SortFunc(pieces, func(a, b piece) int { return cmp.Compare(a.to, b.to) })
	size := func(p piece) float64 { return float64(p.land) }
	total := 0.0
	for _, p := range pieces {
		total += size(p)
	}
	if total == 0 {
		size = func(p piece) float64 { return float64(p.water) }
		for _, p := range pieces {
			total += size(p)
		}
	}
	if total == 0 {
		return nil
	}
	sum, before := 0.0, uint16(0)
	for _, p := range pieces {
		sum += size(p)
		until := uint16(1000*sum/total + 0.5)
		if tenths := until - before; tenths > 0 && !p.outside {
			list = append(list, dataset.ACSBridge{Level: l, To: p.to, From: from, Tenths: tenths})
		}
		before = until
	}
	return list
}
