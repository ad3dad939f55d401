package store_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/internal/store"
)

// corpus returns the damaged datasets.
func corpus(t *testing.T, good []byte) []badFile {
	t.Helper()
	f := newForger(t, good)
	list := slices.Concat(badBytes(), badTables(), badManifests())
	for _, c := range f.columns {
		if _, file, nested := strings.Cut(c, "layer."); nested && !strings.HasPrefix(file, "tract") {
			continue // one layer stands for all
		}
		list = append(list, badFile{name: "column " + c + ": bit flipped", seen: sightingOf(c), make: rotten(
			"UPDATE columns SET data = " + flipped("data", "max(1, length(data) / 2)") + " WHERE id = column('" + c + "') AND length(data) > 0"), says: "page "})
	}
	for _, table := range f.tables {
		id := strconv.FormatInt(f.ids[table][0], 10)
		one := " WHERE id = " + id
		list = append(list,
			badFile{name: "table " + table + ": bit flipped", seen: byVerify, says: "page ", make: rotten("UPDATE " + table + " SET data = " + flipped("data", "1 + length(data) / 2") + one)},
			badFile{name: "table " + table + ": row gone", seen: byVerify, make: edited("DELETE FROM " + table + one)},
			badFile{name: "table " + table + ": rows gone", seen: byAnswer, make: edited("DELETE FROM " + table)},
		)
	}
	return append(list, forgedFiles()...)
}

// sightingOf returns byOpen for the columns that Open reads, byVerify for those
// that only builds read, and byAnswer for others.
func sightingOf(column string) sighting {
	switch name, _, _ := strings.Cut(column, "."); name {
	case "names", "state", "cbsa", "division", "county", "zone", "zip", "fsa", "layers", "survey_years":
		return byOpen
	case "centers":
		return byVerify
	}
	return byAnswer
}

// flipped is SQL for a blob with another byte in one place.
func flipped(blob, at string) string {
	return "CAST(substr(" + blob + ", 1, " + at + " - 1) || CASE WHEN substr(" + blob + ", " + at + ", 1) = x'00' THEN x'01' ELSE x'00' END || substr(" +
		blob + ", " + at + " + 1) AS BLOB)"
}

func patched(at int, value uint32) func([]byte) []byte {
	return func(b []byte) []byte {
		binary.BigEndian.PutUint32(b[at:], value)
		return b
	}
}

// badBytes are files whose bytes are not those that were written.
func badBytes() []badFile {
	application := uint32(0x50474544)
	return []badFile{
		{name: "empty", seen: byOpen, is: store.ErrNotDataset, make: written(func([]byte) []byte { return nil })},
		{name: "text", seen: byOpen, is: store.ErrNotDataset, make: written(func([]byte) []byte { return []byte("zip,city\n90210,Beverly Hills\n") })},
		{name: "web page", seen: byOpen, is: store.ErrNotDataset, make: written(func([]byte) []byte { return []byte("<!DOCTYPE html><title>404</title>") })},
		{name: "zeros", seen: byOpen, is: store.ErrNotDataset, make: written(func(b []byte) []byte { clear(b); return b })},
		{name: "gzip", seen: byOpen, is: store.ErrNotDataset, make: written(func(b []byte) []byte {
			var out bytes.Buffer
			w, _ := gzip.NewWriterLevel(&out, gzip.NoCompression)
			_, _ = w.Write(b)
			_ = w.Close()
			return out.Bytes()[:100_000]
		})},
		{name: "zip archive", seen: byOpen, is: store.ErrNotDataset, make: written(func(b []byte) []byte {
			var out bytes.Buffer
			w := zip.NewWriter(&out)
			member, _ := w.Create("postgeo.db")
			_, _ = member.Write(b[:100_000])
			_ = w.Close()
			return out.Bytes()
		})},
		{name: "byte order reversed", seen: byOpen, is: store.ErrNotDataset, make: written(func(b []byte) []byte { slices.Reverse(b[:16]); return b })},
		{name: "magic only", seen: byOpen, make: written(func(b []byte) []byte { return b[:16] })},
		{name: "header cut", seen: byOpen, make: written(func(b []byte) []byte { return b[:60] })},
		{name: "header only", seen: byOpen, make: written(func(b []byte) []byte { return b[:100] })},
		{name: "first page only", seen: byOpen, make: written(func(b []byte) []byte { return b[:mutatedPage] })},
		{name: "half", seen: byOpen, make: written(func(b []byte) []byte { return b[:len(b)/2] })},
		{name: "a byte less", seen: byOpen, make: written(func(b []byte) []byte { return b[:len(b)-1] })},
		{name: "a byte more", seen: byOpen, make: written(func(b []byte) []byte { return append(b, 0) })},
		{name: "twice one behind the other", seen: byOpen, make: written(func(b []byte) []byte { return append(b, b...) })},
		{name: "other application", seen: byOpen, is: store.ErrNotDataset, make: written(patched(68, 0x0f055112))},
		{name: "application without number", seen: byOpen, is: store.ErrNotDataset, make: written(patched(68, 0))},
		{name: "application's bytes reversed", seen: byOpen, is: store.ErrNotDataset, make: written(patched(68, application>>24|application>>8&0xff00|application<<8&0xff0000|application<<24))},
		{name: "no version", seen: byOpen, is: store.ErrVersion, make: written(patched(60, 0))},
		{name: "version of the future", seen: byOpen, is: store.ErrVersion, make: written(patched(60, 1000))},
		{name: "negative version", seen: byOpen, is: store.ErrVersion, make: written(patched(60, math.MaxUint32))},
		{name: "pages without end", seen: byOpen, make: written(patched(28, math.MaxUint32))},
		{name: "page size", seen: byOpen, make: written(func(b []byte) []byte { b[16], b[17] = 0x10, 0; return b })},
		{name: "text in UTF-16", seen: byOpen, make: written(patched(56, 2))},
		{name: "schema zeroed", seen: byOpen, make: written(func(b []byte) []byte { clear(b[100:mutatedPage]); return b })},
		{name: "all but the schema zeroed", seen: byOpen, make: written(func(b []byte) []byte { clear(b[mutatedPage:]); return b })},
		{name: "last page zeroed", seen: byVerify, make: written(func(b []byte) []byte { clear(b[len(b)-mutatedPage:]); return b })},
		{name: "two pages swapped", seen: byOpen, make: written(func(b []byte) []byte {
			p, q := b[mutatedPage:2*mutatedPage], b[5*mutatedPage:6*mutatedPage]
			kept := slices.Clone(p)
			copy(p, q)
			copy(q, kept)
			return b
		})},
		{name: "log of changes beside it", seen: byNobody, make: func(t *testing.T, path string, good []byte) {
			check(t, os.WriteFile(path, good, 0o600))
			check(t, os.WriteFile(path+"-wal", bytes.Repeat([]byte("x"), 5000), 0o600))
			check(t, os.WriteFile(path+"-journal", bytes.Repeat([]byte("y"), 5000), 0o600))
			check(t, os.WriteFile(path+".part", good[:1000], 0o600))
		}},
		{name: "only readable", seen: byNobody, make: func(t *testing.T, path string, good []byte) { check(t, os.WriteFile(path, good, 0o400)) }},
	}
}

// badTables are files whose tables are not those of the format.
func badTables() []badFile {
	return []badFile{
		{name: "another program's", seen: byOpen, is: store.ErrNotDataset, make: func(t *testing.T, path string, _ []byte) { edit(t, path, "CREATE TABLE t (a)") }},
		{name: "a pretender's", seen: byOpen, make: func(t *testing.T, path string, good []byte) {
			edit(t, path, "PRAGMA page_size = 8192", "PRAGMA application_id = 0x50474544",
				"PRAGMA user_version = "+strconv.Itoa(int(binary.BigEndian.Uint32(good[60:]))), "CREATE TABLE manifest (id INTEGER PRIMARY KEY)")
		}},
		{name: "table missing", seen: byOpen, make: edited("DROP TABLE zip4")},
		{name: "table too many", seen: byOpen, make: edited("CREATE TABLE other (id INTEGER)")},
		{name: "index", seen: byOpen, make: edited("CREATE INDEX other ON zip (city)")},
		{name: "trigger", seen: byOpen, make: edited("CREATE TRIGGER other AFTER INSERT ON gap BEGIN SELECT 1; END")},
		{name: "view that never ends", seen: byOpen, make: edited("DROP TABLE gap",
			"CREATE VIEW gap AS WITH RECURSIVE r(id) AS (SELECT 1 UNION ALL SELECT id FROM r) SELECT id, id AS name, id AS amount FROM r")},
		{name: "column renamed", seen: byOpen, make: edited("ALTER TABLE zip4 RENAME COLUMN data TO blob")},
		{name: "column twice", seen: byVerify, make: edited("INSERT INTO columns SELECT 1000, data FROM columns WHERE id = 1")},
		{name: "column gone", seen: byOpen, make: edited("DELETE FROM columns WHERE id = column('zip')")},
		{name: "last column gone", seen: byAnswer, make: edited("DELETE FROM columns WHERE id = (SELECT max(id) FROM columns)")},
		{name: "columns out of order", seen: byOpen, make: edited("UPDATE columns SET id = -id WHERE id IN (4, 5)", "UPDATE columns SET id = 9 + id WHERE id < 0")},
		{name: "column under another name", seen: byAnswer, make: edited("UPDATE columns SET data = CAST(replace(data, 'zip_zones', 'zip_zonen') AS BLOB) WHERE id = 0")},
		{name: "column of text", seen: byOpen, make: edited("UPDATE columns SET data = 'text' WHERE id = column('zip')")},
		{name: "directory gone", seen: byOpen, make: edited("DELETE FROM columns WHERE id = 0")},
		{name: "row too many", seen: byVerify, make: edited("INSERT INTO zip (zip, class) VALUES ('90220', 'G')")},
		{name: "row gone", seen: byAnswer, make: edited("DELETE FROM zip WHERE zip = '90210'")},
		{name: "forged: row changed", seen: byVerify, make: edited("UPDATE alias SET city = 'Elsewhere'", "UPDATE zip SET intro_date = '2020-01-01'")},
		{name: "bit of a row", seen: byVerify, says: "page ", make: rotten("UPDATE zip SET facility = 'X'")},
		{name: "forged: numbers of text", seen: byVerify, make: edited("UPDATE zip SET population = 'text'")},
		{name: "forged: rows of text", seen: byVerify, make: resealed(func(t *testing.T, path string, good []byte) {
			check(t, os.WriteFile(path, good, 0o600))
			edit(t, path, "UPDATE zip SET population = 'text', elevation = 'high', area_codes = 'x,y'")
		})},
	}
}

// badManifests are files that say something untrue of themselves.
func badManifests() []badFile {
	return []badFile{
		{name: "manifest gone", seen: byOpen, make: edited("DELETE FROM manifest")},
		{name: "manifest: other version", seen: byOpen, make: edited("UPDATE manifest SET value = '2099-01-01' WHERE key = 'version'")},
		{name: "manifest: no sample", seen: byOpen, make: edited("UPDATE manifest SET value = 'false' WHERE key = 'sample'")},
		{name: "manifest: other digest", seen: byOpen, make: edited("UPDATE manifest SET value = '" + strings.Repeat("0", 64) + "' WHERE key = 'digest'")},
		{name: "manifest: no text", seen: byOpen, make: edited("UPDATE manifest SET value = x'00' WHERE key = 'version'")},
		{name: "manifest: layers without sense", seen: byOpen, make: edited("UPDATE manifest SET value = '[' WHERE key = 'layers'")},
		{name: "manifest: date without sense", seen: byOpen, make: edited("UPDATE manifest SET value = 'yesterday' WHERE key = 'built'")},
		{name: "source renewed", seen: byOpen, make: edited("UPDATE source SET vintage = '2099' WHERE id = 1")},
		{name: "source gone", seen: byOpen, make: edited("DELETE FROM source WHERE id = 2")},
		{name: "source with many rows", seen: byOpen, make: edited("UPDATE source SET row_count = 'many' WHERE id = 1")},
		{name: "gap hidden", seen: byOpen, make: edited("DELETE FROM gap WHERE id = 1")},
		{name: "contents: another number of rows", seen: byOpen, make: edited("UPDATE content SET row_count = row_count + 1 WHERE name = 'zip'")},
		{name: "contents: table not listed", seen: byOpen, make: edited("DELETE FROM content WHERE name = 'zip'")},
	}
}

// forgedFiles are files whose checksums and digests are right and whose
// contents cannot be.
func forgedFiles() []badFile {
	column := func(name, column string, change func([]byte) []byte) badFile {
		return badFile{name: "forged: " + name, seen: sightingOf(column), make: resealed(func(t *testing.T, path string, good []byte) {
			check(t, os.WriteFile(path, good, 0o600))
			db := openSQL(t, path)
			changeColumn(t, db, column, change)
			check(t, db.Close())
		})}
	}
	row := func(name, table string, change func([]byte) []byte) badFile {
		return badFile{name: "forged: " + name, seen: byVerify, make: resealed(func(t *testing.T, path string, good []byte) {
			f := newForger(t, good)
			check(t, os.WriteFile(path, good, 0o600))
			db := openSQL(t, path)
			changeRow(t, db, table, f.ids[table][0], change)
			check(t, db.Close())
		})}
	}
	swap := func(width int) func([]byte) []byte { // the first two rows
		return func(b []byte) []byte {
			first := slices.Clone(b[:width])
			copy(b, b[width:2*width])
			copy(b[width:], first)
			return b
		}
	}
	put := func(at int, v ...byte) func([]byte) []byte {
		return func(b []byte) []byte {
			copy(b[at:], v)
			return b
		}
	}
	shorter := func(b []byte) []byte { return b[:len(b)-1] }
	longer := func(b []byte) []byte { return append(b, 0) }
	endless := put(0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f)
	return []badFile{
		column("ZIPs cut", "zip", shorter),
		column("columns without end", "zip", endless),
		column("names longer than their text", "names.lengths", put(0, 0x7f)),
		column("a name without end", "names.lengths", endless),
		column("text shorter than its names", "names.text", shorter),
		column("text that is no UTF-8", "names.text", put(0, 0xff, 0xfe)),
		column("areas of a ZIP without end", "zip_areas", endless),
		column("outlines cut", "zip_areas", shorter),
		column("outlines of none", "zip_areas", func([]byte) []byte { return []byte{} }),
		column("keys of areas out of order", "zip_areas.keys", put(1, 0)),
		column("counties without end", "county", endless),
		column("a tree of points without root", "code_points", func(b []byte) []byte { return b[len(b)/2:] }),
		column("entities whose keys lie outside", "place_keys.starts", put(0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)),
		column("areas of a layer out of order", "layer.tract.geoids", swap(11)),
		column("tables of the survey without end", "acs.tables", endless),
		column("pages of the survey cut", "acs.pages", shorter),
		column("shares cut", "zip_zones", shorter),
		row("streets cut", "zip4", shorter),
		row("streets without end", "zip4", endless),
		row("add-ons without end", "zip4_addon", endless),
		row("keys of streets out of order", "street_key", func(b []byte) []byte { slices.Reverse(b); return b }),
		row("other names of streets cut", "street_alias", shorter),
		row("page of the survey cut", "acs", shorter),
		row("page of the survey without end", "acs", endless),
		row("outlines of a layer cut", "layer_outlines", shorter),
		row("outlines of a layer without end", "layer_outlines", endless),
		row("overlaps with areas that are not there", "zip_overlaps", put(12, 0xff, 0xff, 0x7f)),
		row("overlaps cut", "fsa_overlaps", shorter),
		row("codes of a layer that go on", "layer_codes", longer),
		row("school district cut", "school_districts", shorter),
		row("areas of postal codes cut", "postal_areas", shorter),
	}
}
