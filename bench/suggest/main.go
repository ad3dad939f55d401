// Command suggest measures other ways to complete names beside ours: full
// text search in SQLite (FTS5), finite state transducers (vellum) and bleve. It
// is a module of its own, so that none of them is a requirement of postgeo.
//
// It reads lines "name<TAB>weight" and asks each engine for the ten weightiest
// names that begin with a query. run.sh makes the lines and runs this beside
// our own benchmark, on the same machine at the same time.
package main

import (
	"bufio"
	"database/sql"
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
)

type name struct {
	key    string
	weight uint64
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: suggest NAMES; give a file of lines name<TAB>weight, as run.sh makes it")
	}
	names, err := read(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d names\n", len(names))
	for _, peer := range []struct {
		name string
		make func([]name) (func(q string, typo bool) (int, error), error)
	}{
		{"SQLite FTS5, prefix", fts5},
		{"vellum", transducer},
		{"bleve, in memory", inverted},
	} {
		start := time.Now()
		ask, err := peer.make(names)
		if err != nil {
			log.Fatalf("%s: %v", peer.name, err)
		}
		fmt.Printf("%s: built in %v\n", peer.name, time.Since(start).Round(time.Millisecond))
		for _, q := range []struct {
			text string
			typo bool
		}{{"s", false}, {"sa", false}, {"san", false}, {"spri", false}, {"portl", false}, {"philadel", false}, {"pheonix", true}} {
			measure(peer.name, q.text, q.typo, ask)
		}
	}
}

// measure prints the median time of a question.
func measure(peer, text string, typo bool, ask func(string, bool) (int, error)) {
	var times []time.Duration
	found := 0
	for begun := time.Now(); len(times) < 5 || time.Since(begun) < 300*time.Millisecond; {
		start := time.Now()
		n, err := ask(text, typo)
		if err != nil {
			log.Fatalf("%s: %q: %v", peer, text, err)
		}
		times, found = append(times, time.Since(start)), n
	}
	slices.Sort(times)
	fmt.Printf("%-20s %-10q typo %-5t %3d found  median %v\n", peer, text, typo, found, times[len(times)/2])
}

func read(path string) ([]name, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	best := map[string]uint64{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		key, weight, _ := strings.Cut(lines.Text(), "\t")
		n, err := strconv.ParseUint(weight, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		best[key] = max(best[key], n)
	}
	var names []name
	for key, weight := range best {
		names = append(names, name{key, weight})
	}
	slices.SortFunc(names, func(a, b name) int { return strings.Compare(a.key, b.key) })
	return names, lines.Err()
}

// fts5 keeps the names in a table of full text search in memory. It knows no
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
	ask, err := db.Prepare("SELECT key FROM names WHERE names MATCH ? ORDER BY weight DESC LIMIT 10")
	if err != nil {
		return nil, err
	}
	return func(q string, _ bool) (int, error) {
		rows, err := ask.Query(`"` + q + `"*`)
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

// transducer walks all names that begin with the query, or lie one edit from
// it, and keeps the ten weightiest.
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
		if err != vellum.ErrIteratorDone {
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
		var asked query.Query = bleve.NewPrefixQuery(q)
		if typo {
			fuzzy := bleve.NewFuzzyQuery(q)
			fuzzy.SetFuzziness(1)
			asked = fuzzy
		}
		request := bleve.NewSearchRequestOptions(asked, 10, 0, false)
		request.SortBy([]string{"-Weight"})
		result, err := index.Search(request)
		if err != nil {
			return 0, err
		}
		return len(result.Hits), nil
	}, nil
}
