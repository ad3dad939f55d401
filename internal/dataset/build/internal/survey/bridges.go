package survey

import (
	"cmp"
	"context"
	"errors"
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
// weights are shares of people in 2020 if block groups give them for all parts. Else
// they are shares of land area, or of water area if there is no land.
type bridges struct {
	*plan.Env
	Residents *draft.Residents
	Output    *draft.Output `reads:"rows" writes:"rows"`
}

// people returns the residents of areas of 2020: of ZIP Codes those within their
// outlines, of tracts those of their block groups.
func (b *bridges) people(l dataset.ACSLevel) map[uint64]float64 {
	const groups = 10 // block groups of a tract
	people := map[uint64]float64{}
	if l == dataset.ACSTract {
		for _, c := range b.Residents.Centers {
			people[c.BlockGroup/groups] += float64(c.People)
		}
		return people
	}
	for z, centers := range b.Residents.Of {
		for _, c := range centers {
			people[uint64(z)] += float64(c.People)
		}
	}
	return people
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
		parts, people, land := map[uint64][]piece{}, b.people(r.level), map[uint64]float64{}
		rows := func(in *format.Input) iter.Seq2[source.RelationshipRow, error] {
			return source.Relationship(in, r.name)
		}
		err := plan.ReadText(ctx, b.Env, r.id, rows, func(row source.RelationshipRow) error {
			from, err := area(row.From)
			to, errTo := area(row.To)
			if errors.Join(err, errTo) != nil {
				return plan.Refused("wrong area", row.Line, row.From+" and "+row.To)
			}
			if land[to] += float64(row.Land); row.From == "" {
				return nil
			}
			parts[from] = append(parts[from], piece{to: to, outside: row.To == "", land: row.Land, water: row.Water})
			return nil
		})
		if err != nil {
			return err
		}
		before := len(list)
		for from, pieces := range parts {
			for i := range pieces {
				p := &pieces[i]
				all, known := people[p.to]
				if p.known = known && !p.outside || p.land == 0; p.known && land[p.to] > 0 {
					p.people = all * (float64(p.land) / land[p.to])
				}
			}
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
	people      float64 // those of the area of 2020, by its land in the piece
	known       bool    // whether block groups give them
}

// area returns the number of a GEOID, 0 for none.
func area(geoid string) (uint64, error) {
	if geoid == "" {
		return 0, nil
	}
	return strconv.ParseUint(geoid, 10, 64)
}

// bridgesOf divides an area into tenths of a percent. The tenths of all pieces are
// 1000 in sum, because each is the difference of two rounded sums.
func bridgesOf(l dataset.ACSLevel, from uint64, pieces []piece) (list []dataset.ACSBridge) {
	slices.SortFunc(pieces, func(a, b piece) int { return cmp.Compare(a.to, b.to) })
	byPeople, size, total := false, func(piece) float64 { return 0 }, 0.0
	for i, of := range [...]func(piece) float64{
		func(p piece) float64 { return p.people }, func(p piece) float64 { return float64(p.land) }, func(p piece) float64 { return float64(p.water) },
	} {
		unknown := i == 0 && slices.ContainsFunc(pieces, func(p piece) bool { return !p.known })
		if total > 0 || unknown {
			continue
		}
		byPeople, size = i == 0, of
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
			list = append(list, dataset.ACSBridge{Level: l, To: p.to, From: from, Tenths: tenths, ByPeople: byPeople})
		}
		before = until
	}
	return list
}
