// Command suggest compares suggestions with three engines that complete names: full
// text search in SQLite (FTS5), finite state transducers (vellum) and bleve. Each
// returns the ten names of highest prominence that begin with a query.
//
//	suggest DATASET             measure over the names of a dataset
//	suggest -scale NEW DATASET  write a larger dataset to NEW
package main

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/search/query"
	"github.com/blevesearch/vellum"
	"github.com/blevesearch/vellum/levenshtein"
	_ "modernc.org/sqlite" // full text search

	"github.com/postgeo/postgeo/bench/internal/results"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/lookup/suggest"
)

type name struct {
	key    string
	weight uint64
}

func main() {
	larger := flag.String("scale", "", "write a larger dataset to this `file`")
	flag.Parse()
	if flag.NArg() != 1 {
		log.Fatal("usage: suggest [-scale NEW] DATASET")
	}
	if *larger != "" {
		if err := scale(flag.Arg(0), *larger); err != nil {
			log.Fatal(err)
		}
		return
	}
	if err := run(flag.Arg(0)); err != nil {
		log.Fatal(err)
	}
}

// queries are the texts that all engines complete; only postgeo has options.
var queries = []struct {
	text, title string
	typo        bool // one
	own         suggest.Options
	alone       bool
}{
	{text: "s", title: "`s`"},
	{text: "san", title: "`san`"},
	{text: "portl", title: "`portl`"},
	{text: "pheonix", title: "`pheonix` (one typo)", typo: true},
	{text: "chigaco", title: "`chigaco` (two typos)", alone: true},
	{text: "s", title: "`s` near Springfield, Illinois", own: suggest.Options{Proximity: "39.8,-89.6"}, alone: true},
	{text: "s", title: "`s`, 500 matches", own: suggest.Options{Limit: 500}, alone: true},
}

// run measures postgeo before and after the others, and prints the lower of its medians.
func run(path string) error {
	d, err := store.Open(path)
	if err != nil {
		return err
	}
	defer d.Close()
	names, err := read(d)
	if err != nil {
		return err
	}
	table := results.Table{Title: "queries", Columns: []string{"query", "postgeo"}}
	rows := make([][]any, len(queries))
	ours := func() ([]float64, error) {
		e := suggest.New(d)
		var medians []float64
		for _, q := range queries {
			m, err := measure(func() error {
				_, err := e.Suggest(context.Background(), q.text, q.own)
				return err
			})
			if err != nil {
				return nil, fmt.Errorf("postgeo: %q: %w", q.text, err)
			}
			medians = append(medians, m)
		}
		return medians, nil
	}
	before, err := ours()
	if err != nil {
		return err
	}
	for _, peer := range []struct {
		name string
		make func([]name) (func(q string, typo bool) (int, error), error)
	}{
		{"vellum", transducer},
		{"SQLite FTS5", fts5},
		{"bleve, in memory", inverted},
	} {
		search, err := peer.make(names)
		if err != nil {
			return fmt.Errorf("%s: %w", peer.name, err)
		}
		table.Columns = append(table.Columns, peer.name)
		for i, q := range queries {
			cell := ""
			if !q.alone && !(q.typo && peer.name == "SQLite FTS5") { // it does not correct typos
				m, err := measure(func() error {
					_, err := search(q.text, q.typo)
					return err
				})
				if err != nil {
					return fmt.Errorf("%s: %q: %w", peer.name, q.text, err)
				}
				cell = results.Duration(m)
			}
			rows[i] = append(rows[i], cell)
		}
	}
	after, err := ours()
	if err != nil {
		return err
	}
	for i, q := range queries {
		table.Add(append([]any{q.title, results.Duration(min(before[i], after[i]))}, rows[i]...)...)
	}
	fmt.Printf("\n%s names.\n", results.Count(len(names)))
	table.Print(os.Stdout)
	return nil
}

// measure returns the median time of a call in nanoseconds.
func measure(call func() error) (float64, error) {
	const least, long = 5, 300 * time.Millisecond
	var times []float64
	for begun := time.Now(); len(times) < least || time.Since(begun) < long; {
		start := time.Now()
		if err := call(); err != nil {
			return 0, err
		}
		times = append(times, float64(time.Since(start)))
	}
	return results.Median(times), nil
}

// read returns the keys of a dataset's names with their highest prominence, in
// ascending order.
func read(d *store.Dataset) ([]name, error) {
	t := d.Entities()
	if t == nil {
		return nil, errors.New("the dataset contains no names; rebuild it")
	}
	best := map[string]uint64{}
	for i, at := range t.Starts.Offset {
		n := uint64(t.Prominence(int(t.Starts.Entity[i] &^ store.AliasKey)))
		best[t.Key(at)] = max(best[t.Key(at)], n)
	}
	var names []name
	for key, weight := range best {
		names = append(names, name{key, weight})
	}
	slices.SortFunc(names, func(a, b name) int { return strings.Compare(a.key, b.key) })
	return names, nil
}

// fts5 keeps the names in a full text table in memory. It does not correct
// typos.
func fts5(names []name) (func(string, bool) (int, error), error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("CREATE VIRTUAL TABLE names USING fts5(key, weight UNINDEXED, prefix='1 2 3 4 5')"); err != nil {
		return nil, err
	}
	tx, err := db.Begin()
	if err != nil {
		return nil, err
	}
	for _, n := range names {
		if _, err := tx.Exec("INSERT INTO names VALUES (?, ?)", n.key, n.weight); err != nil {
			return nil, err
		}
	}
	if err := tx.Commit(); err != nil {
		return nil, err
	}
	search, err := db.Prepare("SELECT key FROM names WHERE names MATCH ? ORDER BY weight DESC LIMIT 10")
	if err != nil {
		return nil, err
	}
	return func(q string, _ bool) (int, error) {
		rows, err := search.Query(`"` + q + `"*`)
		if err != nil {
			return 0, err
		}
		defer rows.Close()
		n := 0
		for rows.Next() {
			n++
		}
		return n, rows.Err()
	}, nil
}

// transducer visits all names that begin with the query, or are within one edit
// of it, and keeps the ten of highest prominence.
func transducer(names []name) (func(string, bool) (int, error), error) {
	var buf strings.Builder
	b, err := vellum.New(&buf, nil)
	if err != nil {
		return nil, err
	}
	for _, n := range names {
		if err := b.Insert([]byte(n.key), n.weight); err != nil {
			return nil, err
		}
	}
	if err := b.Close(); err != nil {
		return nil, err
	}
	fst, err := vellum.Load([]byte(buf.String()))
	if err != nil {
		return nil, err
	}
	edits, err := levenshtein.NewLevenshteinAutomatonBuilder(1, true)
	if err != nil {
		return nil, err
	}
	return func(q string, typo bool) (int, error) {
		var it vellum.Iterator
		var err error
		if typo {
			dfa, e := edits.BuildDfa(q, 1)
			if e != nil {
				return 0, e
			}
			it, err = fst.Search(dfa, nil, nil)
		} else {
			end := []byte(q)
			end[len(end)-1]++
			it, err = fst.Iterator([]byte(q), end)
		}
		var best []uint64
		for err == nil {
			_, weight := it.Current()
			at, _ := slices.BinarySearchFunc(best, weight, func(a, b uint64) int { return int(int64(b) - int64(a)) })
			if best = slices.Insert(best, at, weight); len(best) > 10 {
				best = best[:10]
			}
			err = it.Next()
		}
		if !errors.Is(err, vellum.ErrIteratorDone) {
			return 0, err
		}
		return len(best), nil
	}, nil
}

// inverted keeps the names in an index of bleve in memory.
func inverted(names []name) (func(string, bool) (int, error), error) {
	index, err := bleve.NewMemOnly(bleve.NewIndexMapping())
	if err != nil {
		return nil, err
	}
	batch := index.NewBatch()
	for i, n := range names {
		doc := struct {
			Key    string
			Weight float64
		}{n.key, float64(n.weight)}
		if err := batch.Index(strconv.Itoa(i), doc); err != nil {
			return nil, err
		}
		if batch.Size() == 10_000 || i == len(names)-1 {
			if err := index.Batch(batch); err != nil {
				return nil, err
			}
			batch.Reset()
		}
	}
	return func(q string, typo bool) (int, error) {
		var q2 query.Query = bleve.NewPrefixQuery(q)
		if typo {
			fuzzy := bleve.NewFuzzyQuery(q)
			fuzzy.SetFuzziness(1)
			q2 = fuzzy
		}
		request := bleve.NewSearchRequestOptions(q2, 10, 0, false)
		request.SortBy([]string{"-Weight"})
		result, err := index.Search(request)
		if err != nil {
			return 0, err
		}
		return len(result.Hits), nil
	}, nil
}
