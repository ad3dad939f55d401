package layers

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/store"
)

// blockGroupDigits begin the GEOID of a block.
const blockGroupDigits = 12

// A blockPlan is a plan that lists the blocks or block groups of each district.
type blockPlan struct {
	districts []string         // GEOIDs
	numbers   map[string]int   // of districts by GEOID
	of        map[string]int32 // district of a block
	people    map[string]int64 // residents of blocks in files of the user
}

// addBlocks adds a plan of blocks. With the outlines of its blocks the districts get
// outlines; otherwise they have the residents of each code.
func (b *added) addBlocks(ctx context.Context, l *draftLayer, r *Request, id string) error {
	p := &blockPlan{numbers: map[string]int{}, of: map[string]int32{}, people: map[string]int64{}}
	rows := func(path string) iter.Seq2[source.Block, error] {
		return source.BlockDistricts(path, planNames[r.Base], r.Columns)
	}
	if err := plan.ReadPath(ctx, b.Env, id, rows, func(k source.Block) error { return b.takeBlock(p, r, k) }); err != nil {
		return err
	}
	for _, geoid := range p.districts {
		state, _ := b.state(r, geoid)
		l.add(store.LayerArea{GEOID: geoid, Name: districtName(r.Base, geoid), State: state, Land: store.UnknownArea, Water: store.UnknownArea}, nil)
	}
	drawn := 0
	for _, blocks := range b.Files(catalog.Blocks) {
		err := plan.ReadPath(ctx, b.Env, blocks, source.Blocks, func(k source.Block) error {
			district, ok := p.of[k.GEOID]
			if !ok {
				return nil
			}
			if k.People >= 0 {
				p.people[k.GEOID] = k.People
			}
			if len(k.Polygon) > 0 {
				l.polygons[district] = append(l.polygons[district], l.repairs.Repair(k.Polygon)...)
				drawn++
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	switch {
	case drawn == len(p.of) && drawn > 0:
		l.join()
		return b.finish(ctx, l, r, id)
	case drawn > 0:
		return fmt.Errorf("%s: the outlines of %d of %d blocks are missing; give the files of all states with --blocks, or none", r.File, len(p.of)-drawn, len(p.of))
	}
	return b.finishPeople(l, r, p)
}

// planNames are the short names of the layers with plans, as files have them.
var planNames = map[store.LayerID]string{
	store.LayerCongressionalDistrict: "cd", store.LayerStateUpper: "sldu", store.LayerStateLower: "sldl", store.LayerFederalDistrict: "fed",
}

// districtName returns the name of a district without one in its file.
func districtName(base store.LayerID, geoid string) string {
	number := strings.TrimLeft(geoid[2:], "0")
	switch base {
	case store.LayerCongressionalDistrict:
		switch number {
		case "":
			return "Congressional District (at Large)"
		case "98":
			return "Delegate District (at Large)"
		}
		return "Congressional District " + number
	case store.LayerStateUpper:
		return "State Senate District " + number
	default:
		return "State House District " + number
	}
}

func (b *added) takeBlock(p *blockPlan, r *Request, k source.Block) error {
	code := strings.TrimSpace(k.District)
	if code == "" || strings.Trim(code, "Z") == "" {
		return nil // water
	}
	digits := codeDigits[r.Base]
	if len(code) > digits+2 {
		return plan.Refused("code of a district that is too long", k.Line, code)
	}
	if len(code) <= digits {
		code = k.GEOID[:2] + strings.Repeat("0", digits-len(code)) + code
	}
	if _, refused := b.state(r, code); refused != "" {
		return plan.Refused(refused, k.Line, k.GEOID+" "+code)
	}
	n, ok := p.numbers[code]
	if !ok {
		n = len(p.districts)
		p.numbers[code], p.districts = n, append(p.districts, code)
	}
	p.of[k.GEOID] = int32(n)
	return nil
}

// groups returns the residents of each block group in each district. A block group
// in several districts without residents by block is divided by the number of blocks.
func (p *blockPlan) groups(centers []store.Center) map[string]map[int32]int {
	blocks := map[string]map[int32]int64{}
	people := map[string]map[int32]int64{}
	unknown := map[string]bool{}
	for geoid, district := range p.of {
		group := geoid[:blockGroupDigits]
		if blocks[group] == nil {
			blocks[group], people[group] = map[int32]int64{}, map[int32]int64{}
		}
		blocks[group][district]++
		n, known := p.people[geoid]
		people[group][district] += n
		unknown[group] = unknown[group] || !known
	}
	out := map[string]map[int32]int{}
	for _, c := range centers {
		group := fmt.Sprintf("%012d", c.BlockGroup)
		parts, known := blocks[group]
		if !known {
			continue
		}
		weights := parts
		if !unknown[group] {
			weights = people[group]
		}
		out[group] = apportion(c.People, weights)
	}
	return out
}

// apportion divides a number by weights. The parts are integers with that sum: each
// is rounded down, and the largest remainders get one more.
func apportion(total int, weights map[int32]int64) map[int32]int {
	type rest struct {
		key  int32
		left int64
	}
	sum := int64(0)
	for _, w := range weights {
		sum += w
	}
	out, rests, given := map[int32]int{}, []rest(nil), 0
	for key, w := range weights {
		if sum == 0 {
			out[key] = 0
			rests = append(rests, rest{key, 0})
			continue
		}
		v := int64(total) * w
		out[key] = int(v / sum)
		given += out[key]
		rests = append(rests, rest{key, v % sum})
	}
	slices.SortFunc(rests, func(x, y rest) int {
		if x.left != y.left {
			return int(min(1, max(-1, y.left-x.left)))
		}
		return int(x.key - y.key)
	})
	for i := range total - given {
		if len(rests) == 0 { // nothing takes them
			break
		}
		out[rests[i%len(rests)].key]++
	}
	return out
}

// finishPeople writes a plan whose districts have no outlines. Codes share the
// residents of their block groups with them. A code without residents belongs to the
// district of the nearest block group of its state.
func (b *added) finishPeople(l *draftLayer, r *Request, p *blockPlan) error {
	centers := b.Places.Centers()
	groups := p.groups(centers)
	if len(groups) == 0 {
		return fmt.Errorf("%s: the dataset has no centers of population of its block groups; build it with --layers boundaries, or give outlines with --blocks", r.File)
	}
	if len(l.areas) == 0 {
		return fmt.Errorf("%s: no district was accepted", r.File)
	}
	if err := b.plan(l, r); err != nil {
		return err
	}
	order := make([]string, len(l.areas)) // districts before they are sorted
	for i := range l.areas {
		order[i] = l.areas[i].GEOID
	}
	if _, err := l.settle(); err != nil {
		return err
	}
	number := make([]int, len(order))
	for i, geoid := range order {
		number[i], _ = l.find(geoid)
	}
	l.info.People, l.info.FitForShares = true, true
	people := b.Places.People()
	zips, err := b.Places.ZIPs(nil)
	if err != nil {
		return err
	}
	near := newNearest(centers, groups)
	var shared []store.SharedPart
	for _, z := range zips {
		if !slices.Contains(l.info.Plan.States, z.state) {
			if len(people[z.key]) == 0 {
				continue
			}
		}
		parts := map[int]int{}
		for _, c := range people[z.key] {
			weights := map[int32]int64{}
			for district, n := range groups[c.GEOID] {
				weights[district] = int64(n)
			}
			for district, n := range apportion(c.People, weights) {
				parts[number[district]] += n
			}
		}
		if len(parts) == 0 && slices.Contains(l.info.Plan.States, z.state) {
			if district, ok := near.district(z, b.States.FIPS(z.state)); ok {
				parts[number[district]] = 0
			}
		}
		for area, n := range parts {
			shared = append(shared, store.SharedPart{Code: store.NumberOfCode(z.key), Area: area, People: n})
		}
	}
	b.Applied("districts of blocks without outlines: shares of residents by block groups", fmt.Sprintf("%s: %d districts", r.Name, len(l.areas)))
	b.Table("layer "+l.info.ID.String(), len(l.areas))
	return b.Requests.Set(store.LayerData{Info: l.info, Areas: l.areas, Shared: shared})
}

// nearest finds the block group of a plan that is nearest to a point.
type nearest struct {
	byState map[string][]store.Center
	groups  map[string]map[int32]int
}

func newNearest(centers []store.Center, groups map[string]map[int32]int) *nearest {
	n := &nearest{map[string][]store.Center{}, groups}
	for _, c := range centers {
		if group := fmt.Sprintf("%012d", c.BlockGroup); groups[group] != nil {
			n.byState[group[:2]] = append(n.byState[group[:2]], c)
		}
	}
	return n
}

// district returns the district with most residents of the nearest block group in a
// state.
func (n *nearest) district(z codePlace[dataset.ZIP], fips string) (best int32, ok bool) {
	if !z.point.IsValid() {
		return 0, false
	}
	least, at := 0.0, uint64(0)
	for _, c := range n.byState[fips] {
		x := (c.At.Lng() - z.point.Lng()) * math.Cos(z.point.Lat()*math.Pi/180)
		y := c.At.Lat() - z.point.Lat()
		if d := float64(x*x) + float64(y*y); !ok || d < least {
			least, at, ok = d, c.BlockGroup, true
		}
	}
	most := -1
	for district, people := range n.groups[fmt.Sprintf("%012d", at)] {
		if people > most || people == most && district < best {
			best, most = district, people
		}
	}
	return best, ok
}
