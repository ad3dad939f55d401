package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/acs"
	"github.com/postgeo/postgeo/internal/dataset"
)

// A query is one line of the table of times.
type query struct {
	name  string
	times int
	do    func() error
}

// read measures all queries.
func read(path string) error {
	start := time.Now()
	d, err := dataset.Open(path)
	if err != nil {
		return err
	}
	defer d.Close()
	fmt.Printf("open: %.1f ms\n", ms(time.Since(start)))
	sizes := map[string][2]int{}
	for i := range d.ACSTables() {
		t := &d.ACSTables()[i]
		k := t.Level.String() + " " + t.Name
		sizes[k] = [2]int{sizes[k][0] + t.Rows, sizes[k][1] + 1}
	}
	for _, k := range slices.Sorted(maps.Keys(sizes)) {
		fmt.Printf("%s: %d rows in %d tables\n", k, sizes[k][0], sizes[k][1])
	}
	list := append(ofAreas(d), ofAggregates(d)...)
	searches, err := ofSearches(path)
	if err != nil {
		return err
	}
	for _, q := range append(list, searches...) {
		if err := q.measure(); err != nil {
			return fmt.Errorf("%s: %w", q.name, err)
		}
	}
	limit, used := d.ACSMemory()
	fmt.Printf("columns in memory: %.1f of %d MiB\n", float64(used)/(1<<20), limit>>20)
	return nil
}

// measure prints the median time, the 99th percentile, and the processor time
// of one, which other programs change less.
func (q *query) measure() error {
	times := make([]time.Duration, q.times)
	before := processor()
	for i := range times {
		start := time.Now()
		if err := q.do(); err != nil {
			return err
		}
		times[i] = time.Since(start)
	}
	used := processor() - before
	slices.Sort(times)
	fmt.Printf("%s: median %.3f ms, 99 %% %.3f ms, %.3f ms of the processors\n",
		q.name, ms(times[len(times)/2]), ms(times[len(times)*99/100]), ms(used)/float64(q.times))
	return nil
}

// tagsOf returns the economic profile of every year, newest first, and all
// profiles of all years.
func tagsOf(r *acs.Reader) (economic, all []acs.Tag) {
	for _, y := range r.YearsOf(acs.ZCTA) {
		for _, p := range acs.AllProfiles() {
			t := acs.Tag{Profile: p, Year: uint16(y)}
			if all = append(all, t); p == acs.Economic {
				economic = append(economic, t)
			}
		}
	}
	return economic, all
}

// ofAreas returns queries of single areas.
func ofAreas(d *dataset.Dataset) []query {
	ctx := context.Background()
	r := acs.NewReader(d)
	geoids := d.ACSGEOIDs(acs.ZCTA)
	rng := rand.New(rand.NewPCG(3, 3))
	economic, all := tagsOf(r)
	readAt := func(at int, tags []acs.Tag) error {
		_, err := r.ZCTA(ctx, fmt.Sprintf("%05d", geoids[at%len(geoids)]), tags, acs.Options{})
		return err
	}
	hundred := func(at func(i int) int) func() error {
		return func() error {
			for i := range 100 {
				if err := readAt(at(i), all); err != nil {
					return err
				}
			}
			return nil
		}
	}
	first := 0
	return []query{
		{"one ZCTA, one profile, one year", 5000, func() error { return readAt(rng.IntN(len(geoids)), economic[:1]) }},
		{fmt.Sprintf("one ZCTA, %d profile-years", len(all)), 1000, func() error { return readAt(rng.IntN(len(geoids)), all) }},
		{fmt.Sprintf("100 ZCTAs from everywhere, %d profile-years", len(all)), 11, hundred(func(int) int { return rng.IntN(len(geoids)) })},
		{fmt.Sprintf("100 ZCTAs from everywhere, %d profile-years, on %d processors", len(all), runtime.GOMAXPROCS(0)), 11, func() error {
			var wg sync.WaitGroup
			errs := make([]error, runtime.GOMAXPROCS(0))
			for k := range errs {
				at := rng.IntN(len(geoids))
				wg.Go(func() {
					for i := k; i < 100 && errs[k] == nil; i += len(errs) {
						errs[k] = readAt(at+7919*i, all)
					}
				})
			}
			wg.Wait()
			return errors.Join(errs...)
		}},
		{fmt.Sprintf("100 neighboring ZCTAs, %d profile-years", len(all)), 11, hundred(func(i int) int {
			if i == 0 {
				first = rng.IntN(len(geoids))
			}
			return first + i
		})},
	}
}

// ofAggregates returns queries of 5,000 consecutive areas. Their columns are in
// memory, or are read from the file, or the areas are read row by row.
func ofAggregates(d *dataset.Dataset) []query {
	ctx := context.Background()
	r := acs.NewReader(d)
	geoids := d.ACSGEOIDs(acs.ZCTA)
	n := min(5000, len(geoids))
	parts := make([]acs.Part, n)
	for i := range parts {
		parts[i] = acs.Part{GEOID: geoids[(len(geoids)-n)/2+i], Percent: float64(1000-i%7) / 10}
	}
	economic, _ := tagsOf(r)
	var list []query
	for _, years := range []int{1, len(economic)} {
		aggregate := func() error {
			_, err := r.Aggregate(ctx, acs.ZCTA, parts, economic[:years], acs.ByShare, acs.Options{})
			return err
		}
		name := fmt.Sprintf("aggregate of %d ZCTAs, one profile, %d years, ", n, years)
		list = append(list,
			query{name + "columns from the file", 11, func() error {
				d.SetACSMemory(0)
				d.SetACSMemory(dataset.DefaultACSMemory)
				return aggregate()
			}},
			query{name + "columns in memory", 51, aggregate},
			query{name + "row by row", 11, func() error {
				d.SetACSMemory(0)
				defer d.SetACSMemory(dataset.DefaultACSMemory)
				return aggregate()
			}},
		)
	}
	return append(list, query{"once more, for the memory", 1, list[len(list)-2].do})
}

// ofSearches are radius searches that hold 5,000 ZIP Codes and sum them up. The
// database stays open until the program ends.
func ofSearches(path string) ([]query, error) {
	ctx := context.Background()
	db, err := postgeo.Open(path)
	if err != nil {
		return nil, err
	}
	if err := db.Prepare(ctx); err != nil {
		return nil, err
	}
	const center = "38,-96"
	count := func(miles geo.Miles) (int, error) {
		res, err := db.Radius(ctx, center, postgeo.RadiusOptions{Max: miles, Limit: 1})
		if err != nil || res.Summary.Available == nil {
			return 0, err // or there is no more than one
		}
		return *res.Summary.Available, nil
	}
	low, high := geo.Miles(1), geo.Miles(500)
	for high-low > 0.5 {
		half := (low + high) / 2
		n, err := count(half)
		if err != nil {
			return nil, err
		}
		if n < 5000 {
			low = half
		} else {
			high = half
		}
	}
	n, err := count(high)
	if err != nil {
		return nil, err
	}
	years, err := db.ACSYears(ctx, acs.ZCTA)
	if err != nil {
		return nil, err
	}
	search := func(tags ...acs.Tag) func() error {
		return func() error {
			_, err := db.Radius(ctx, center, postgeo.RadiusOptions{Max: high, Limit: 1, Include: postgeo.RadiusInclude{ACS: tags}})
			return err
		}
	}
	var all []acs.Tag
	for _, y := range years {
		all = append(all, acs.Tag{Profile: acs.Economic, Year: uint16(y)})
	}
	name := fmt.Sprintf("search of %.0f miles with %d ZIP Codes, ", high, n)
	return []query{
		{name + "alone", 51, search()},
		{name + "one profile, first time", 1, search(all[0])},
		{name + "one profile, one year", 51, search(all[0])},
		{fmt.Sprintf("%sone profile, %d years, first time", name, len(all)), 1, search(all...)},
		{fmt.Sprintf("%sone profile, %d years", name, len(all)), 21, search(all...)},
	}, nil
}

func ms(d time.Duration) float64 { return d.Seconds() * 1000 }
