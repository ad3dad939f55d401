// Command limits measures the best times of the machine and those of hot operations of
// package postgeo, and prints both in Markdown. It is started by run.sh.
package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"time"
	"unsafe"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/bench/internal/program"
	"github.com/postgeo/postgeo/bench/internal/results"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store/sqlite"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
	"github.com/postgeo/postgeo/server"
)

func main() {
	data := flag.String("data", "", "national dataset")
	program.Main("limits", func(ctx context.Context, _ string) error { return run(ctx, *data) })
}

// A time alone does not show whether an operation can be made faster. Each is printed beside a
// limit: the time that the memory reads, allocations or system calls it can't avoid take on
// the same machine. A factor near 1 means that only another data layout would help. Limits
// count what an ideal program would do, and are rough: a factor below 1 means that reads
// overlap, or that some are in the cache.

// A machine has the least times of memory, the allocator and the kernel in nanoseconds: of
// a random read, of 64 bytes in order, of a record's allocation, and of an answer over
// loopback.
type machine struct{ read, line, record, echo float64 }

func run(ctx context.Context, data string) error {
	m, err := newMachine()
	if err != nil {
		return err
	}
	return operations(ctx, m, data)
}

func newMachine() (m machine, err error) {
	const words = 2 << 20
	next := make([]uint64, words) // one cycle through all words, in random order
	order := rand.New(rand.NewPCG(1, 2)).Perm(words)
	for i, w := range order {
		next[w] = uint64(order[(i+1)%words])
	}
	at := uint64(0)
	m.read = best(1<<20, func() { at = next[at] }) // each read needs the one before, so none overlap
	sum := at
	m.line = best(1, func() {
		for _, v := range next {
			sum += v
		}
	}) / (words / 8)
	var kept *lookup.QuickRecord
	m.record = best(1<<18, func() { kept = new(lookup.QuickRecord) })
	if kept == nil || sum == 0 { // a use of the results, or the compiler would drop the loops
		return m, errors.New("nothing was measured")
	}
	m.echo, err = echo()
	return m, err
}

// best returns nanoseconds of a call: the fastest of several rounds of n calls. Other work on
// the machine only ever adds time, so the fastest is nearest to the truth.
func best(n int, call func()) float64 {
	least := 0.0
	for round := range 7 {
		began := time.Now()
		for range n {
			call()
		}
		if took := float64(time.Since(began)) / float64(n); round == 0 || took < least {
			least = took
		}
	}
	return least
}

// echo returns the time of a request of 100 bytes and an answer of 700 on one connection.
func echo() (ns float64, err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer listener.Close()
	request, answer := make([]byte, 100), make([]byte, 700)
	go func() {
		conn, err := listener.Accept()
		for in := bytes.Clone(request); err == nil; {
			if _, err = io.ReadFull(conn, in); err == nil {
				_, err = conn.Write(answer)
			}
		}
	}()
	conn, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	in := bytes.Clone(answer)
	ns = best(1<<12, func() {
		if _, bad := conn.Write(request); bad != nil {
			err = bad
		}
		if _, bad := io.ReadFull(conn, in); bad != nil {
			err = bad
		}
	})
	return ns, err
}

// operations measures hot operations at random places, one after another.
func operations(ctx context.Context, m machine, data string) error {
	db, err := postgeo.Open(data)
	if err != nil {
		return err
	}
	defer db.Close()
	if err := db.Prepare(ctx); err != nil {
		return err
	}
	d, err := sqlite.Open(data)
	if err != nil {
		return err
	}
	defer d.Close()
	var codes []string
	var points []geo.LatLng
	for z := range d.ZIPs() {
		if z.Location.IsValid() {
			codes, points = append(codes, z.ZIP.String()), append(points, z.Location)
		}
	}
	random := rand.New(rand.NewPCG(3, 4))
	random.Shuffle(len(codes), func(i, j int) {
		codes[i], codes[j] = codes[j], codes[i]
		points[i], points[j] = points[j], points[i]
	})
	areas, index := d.ZIPAreas().Index(), spatial.NewPointIndex(points)
	sorted := slices.Clone(points)
	slices.SortFunc(sorted, func(p, q geo.LatLng) int { return int(int64(spatial.CurveKey(p)) - int64(spatial.CurveKey(q))) })
	var found []spatial.Neighbor
	matches := 0
	const few = 1 << 10
	within := geo.Miles(50)
	for _, p := range points[:few] {
		found = index.AppendWithin(found[:0], p, 0, within.Meters())
		matches += len(found)
	}
	mean := float64(matches) / few
	i := 0
	turn := func() int { i = (i + 1) % len(codes); return i }

	t := results.Table{Title: "limits", Columns: []string{"operation", "time", "limit", "limited by", "times the limit"}}
	add := func(name string, ns, limit float64, by string) {
		t.Add(name, results.Duration(ns), results.Duration(limit), by, fmt.Sprintf("%.1f", ns/limit))
	}
	check := func(bad error) {
		if bad != nil {
			err = bad
		}
	}
	add("quick lookup of a random ZIP Code", best(1<<16, func() {
		_, bad := db.QuickLookup(ctx, codes[turn()], lookup.QuickOptions{})
		check(bad)
	}), m.record+2*m.read, fmt.Sprintf("the allocation of the record (%s) and 2 random reads (%s each)", results.Duration(m.record), results.Duration(m.read)))
	add("area around a random point", best(1<<16, func() { areas.Containing(points[turn()]) }),
		4*m.read, "4 random reads: grid, box, part of an outline, vertices")
	add("area around the next point of a curve", best(1<<16, func() { areas.Containing(sorted[turn()]) }),
		m.read, "1 random read, as near points share outlines")
	add("codes within 50 miles, sorted", best(1<<12, func() { found = index.AppendWithin(found[:0], points[turn()], 0, within.Meters()) }),
		mean*float64(unsafe.Sizeof(spatial.Neighbor{}))/64*m.line+4*m.read, fmt.Sprintf("4 random reads, and writing %.0f matches", mean))
	size := 0
	for k := range few {
		res, bad := db.Radius(ctx, codes[k], radius.Options{Max: within})
		check(bad)
		if bad == nil {
			size += int(unsafe.Sizeof(radius.Match{})) * len(res.Matches)
		}
	}
	add("the same as a result with records", best(1<<11, func() {
		_, bad := db.Radius(ctx, codes[turn()], radius.Options{Max: within})
		check(bad)
	}), float64(size)/few/64*2*m.line, fmt.Sprintf("writing %.0f kB of matches", float64(size)/few/1e3))
	if err != nil {
		return err
	}
	took, bytes, err := rows(ctx, db, codes)
	if err != nil {
		return err
	}
	add("city and county of a row of CSV, both cores", took, (bytes/64)*2*m.line+m.read/2, fmt.Sprintf("a random read of its result, and reading and writing %.0f bytes", bytes))
	took, err = request(db)
	if err != nil {
		return err
	}
	add("`/v2/quick-zip` on one connection", took, m.echo, "the kernel: a request and an answer without HTTP")
	t.Print(os.Stdout)
	return nil
}

// rows returns the time of a row of a table in memory, and the bytes of its input and
// output.
func rows(ctx context.Context, db *postgeo.DB, codes []string) (ns, bytesOfRow float64, err error) {
	const n = 1 << 20
	var in bytes.Buffer
	in.WriteString("id,zip\n")
	for i := range n {
		fmt.Fprintf(&in, "%d,%s\n", i, codes[i*7919%len(codes)]) // a prime step: no code follows its neighbor
	}
	var out bytes.Buffer
	ns = best(1, func() {
		out.Reset()
		if err == nil {
			err = enriched(ctx, db, &out, in.Bytes())
		}
	})
	return ns / n, float64(in.Len()+out.Len()) / n, err
}

func enriched(ctx context.Context, db *postgeo.DB, out io.Writer, in []byte) error {
	src, err := table.Read(bytes.NewReader(in), table.Input{Format: table.CSV})
	if err != nil {
		return err
	}
	defer src.Close()
	keys, err := src.FindKeys(table.Names{})
	if err != nil {
		return err
	}
	e, err := enrich.New(db, enrich.Options{Kind: keys.Kind, Add: []string{"city", "county_fips"}})
	if err != nil {
		return err
	}
	job, err := table.NewJob(src, e, keys, table.Output{})
	if err != nil {
		return err
	}
	_, err = job.Run(ctx, out, table.RunOptions{})
	return err
}

// request returns the time of a request to the server.
func request(db *postgeo.DB) (ns float64, err error) {
	srv, err := server.New(db, server.Config{})
	if err != nil {
		return 0, err
	}
	web := httptest.NewServer(srv)
	defer web.Close()
	conn, err := net.Dial("tcp", web.Listener.Addr().String())
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	text := []byte("GET /v2/quick-zip?code=90210 HTTP/1.1\r\nHost: postgeo\r\n\r\n")
	in := bufio.NewReader(conn)
	ns = best(1<<12, func() {
		if _, bad := conn.Write(text); bad != nil {
			err = bad
			return
		}
		res, bad := http.ReadResponse(in, nil)
		if bad == nil {
			_, bad = io.Copy(io.Discard, res.Body)
			res.Body.Close()
		}
		if bad != nil {
			err = bad
		}
	})
	return ns, err
}
