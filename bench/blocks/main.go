// Command blocks measures builds with the census blocks of an invented country, in
// geographic headers of P.L. 94-171 files, and crosswalks by them. It is started by run.sh.
package main

import (
	"archive/zip"
	"bufio"
	"compress/flate"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/bench/internal/program"
	"github.com/postgeo/postgeo/bench/internal/results"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/synth"
)

func main() {
	command := flag.String("program", "postgeo", "command to measure")
	blocks := flag.Int("blocks", 8_100_000, "number of blocks")
	zips := flag.Int("zips", 0, "number of ZIP Codes; 0 means as many as in the United States")
	program.Main("blocks", func(ctx context.Context, dir string) error { return run(ctx, dir, *command, *blocks, *zips) })
}

func run(ctx context.Context, dir, command string, blocks, zips int) error {
	country := synth.National(1)
	if zips > 0 {
		country = synth.Options{Seed: 1, ZIPs: zips}
	}
	c, err := synth.New(country)
	if err != nil {
		return err
	}
	mirror := filepath.Join(dir, "mirror")
	if err := c.WriteMirror(ctx, mirror); err != nil {
		return err
	}
	files, written, people, err := writeBlocks(filepath.Join(dir, "pl"), c, blocks)
	if err != nil {
		return err
	}
	table := results.Table{Title: "blocks", Columns: []string{"command", "time", "processor time", "memory", "file", "bytes a block"}}
	plain, with := filepath.Join(dir, "plain.db"), filepath.Join(dir, "blocks.db")
	build := func(out string, more ...string) []string {
		return append([]string{command, "dataset", "build", "--mirror", mirror, "--offline", "--layers", "census,districts", "-o", out}, more...)
	}
	var supplied []string
	for _, f := range files {
		supplied = append(supplied, "--blocks", f)
	}
	size := int64(0)
	for _, step := range []struct {
		name, out string
		line      []string
	}{
		{"build without blocks", plain, build(plain)},
		{"build with blocks", with, build(with, supplied...)},
		{"crosswalk zip county --weight people", "", []string{command, "crosswalk", "zip", "county", "--weight", "people", "-f", "csv", "--data", with}},
		{"crosswalk tract cd --weight housing", "", []string{command, "crosswalk", "tract", "cd", "--weight", "housing", "-f", "csv", "--data", with}},
	} {
		fmt.Fprintln(os.Stderr, step.name)
		if step.out == "" {
			usage, err := program.Run(ctx, nil, step.line...)
			if err != nil {
				return err
			}
			table.Add(append([]any{step.name}, usage.Cells()...)...)
			continue
		}
		n, cells, err := program.Build(ctx, step.out, step.line...)
		if err != nil {
			return err
		}
		each := ""
		if size == 0 {
			size = n
		} else {
			each = fmt.Sprintf("%.1f", float64(n-size)/float64(written))
		}
		table.Add(append(append([]any{step.name}, cells...), each)...)
	}
	if err := verify(ctx, with, people); err != nil {
		return err
	}
	table.Print(os.Stdout)
	return nil
}

// writeBlocks writes about the number of blocks of a country, a zip for each state. It
// returns the files and the blocks and people in them. The blocks of a block group lie
// around its middle.
func writeBlocks(dir string, c *synth.Country, blocks int) (files []string, written, people int, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, 0, 0, err
	}
	var groups []synth.HeldArea
	for _, l := range c.Held {
		if l.ID == store.LayerBlockGroup {
			groups = l.Areas
		}
	}
	const most = 999 // of a block group
	each := min(max(1, (blocks+len(groups)/2)/len(groups)), most)
	for at := 0; at < len(groups); {
		end := at
		for end < len(groups) && groups[end].GEOID[:2] == groups[at].GEOID[:2] {
			end++
		}
		state := strings.ToLower(c.States[groups[at].State].Abbr)
		path := filepath.Join(dir, state+"2020.pl.zip")
		n, err := writeState(path, state+"geo2020.pl", groups[at:end], each)
		if err != nil {
			return nil, 0, 0, err
		}
		files, written, people, at = append(files, path), written+(end-at)*each, people+n, end
	}
	return files, written, people, nil
}

// writeState writes the geographic header of a state. Its lines are as long as official
// ones.
func writeState(path, member string, groups []synth.HeldArea, each int) (people int, err error) {
	f, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	z := zip.NewWriter(f)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestSpeed) })
	m, err := z.Create(member)
	if err != nil {
		return 0, errors.Join(err, f.Close())
	}
	w := bufio.NewWriterSize(m, 1<<16)
	const (
		spread = 1e-6 // degrees between two blocks
	)
	empty := strings.Repeat("|00000", 40) + strings.Repeat("|", 34)
	for g := range groups {
		a := &groups[g]
		for i := range each {
			geoid := fmt.Sprintf("%s%03d", a.GEOID, i)
			n := (g*7 + i*13) % 90
			people += n
			fmt.Fprintf(w, "PLST|XX|750|00|00|000|00|%07d|1000000US%s|%s%s|%d|%d|Block %04d|Block %04d|S||%d|%d|%+.7f|%+.7f|||\n",
				g, geoid, geoid, empty, 10_000+i, i%50, i, i, n, n/2+i%2, a.Point.Lat()+float64(i%30)*spread, a.Point.Lng()+float64(i/30)*spread)
		}
	}
	return people, errors.Join(w.Flush(), z.Close(), f.Close())
}

// verify compares the people of a crosswalk with those of the blocks.
func verify(ctx context.Context, path string, people int) error {
	db, err := postgeo.Open(path)
	if err != nil {
		return err
	}
	defer db.Close()
	sum := 0
	for row, err := range db.Crosswalk(ctx, "zip", "county", postgeo.CrosswalkOptions{Weight: postgeo.WeightPeople, Remainder: true}) {
		if err != nil {
			return err
		}
		if row.Basis == "blocks" {
			sum += *row.People
		}
	}
	if sum != people {
		return fmt.Errorf("the crosswalk has %d people, the blocks have %d", sum, people)
	}
	return nil
}
