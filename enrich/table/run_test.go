package table_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/lookup"
)

// A job is a run from text to text, or from file to file.
type job struct {
	in    table.Input
	out   table.Output
	names table.Names
	add   []string
	run   table.RunOptions
	zeros bool
}

// work enriches a source.
func (j job) work(t testing.TB, src *table.Source, err error, out io.Writer) (sum table.Summary, _ error) {
	t.Helper()
	if err != nil {
		return sum, err
	}
	defer src.Close()
	keys, err := src.FindKeys(j.names)
	if err != nil {
		return sum, err
	}
	e, err := enrich.New(sampletest.Shared(t), enrich.Options{Kind: keys.Kind, Kinds: keys.Kinds(), Add: j.add, RestoreZeros: j.zeros})
	if err != nil {
		return sum, err
	}
	work, err := table.NewJob(src, e, keys, j.out)
	if err != nil {
		return sum, err
	}
	return work.Run(t.Context(), out, j.run)
}

// pipe enriches a stream.
func (j job) pipe(t testing.TB, in io.Reader, out io.Writer) (table.Summary, error) {
	t.Helper()
	src, err := table.Read(in, j.in)
	return j.work(t, src, err, out)
}

// stream enriches a text.
func (j job) stream(t testing.TB, text string) (string, table.Summary, error) {
	t.Helper()
	var out bytes.Buffer
	sum, err := j.pipe(t, strings.NewReader(text), &out)
	return out.String(), sum, err
}

// file enriches a file. The format of the output follows its name.
func (j job) file(t testing.TB, from, to string) (table.Summary, error) {
	t.Helper()
	f, err := os.Create(to)
	check(t, err)
	defer f.Close()
	j.out.Format, _, _ = table.FormatOf(to)
	src, err := table.Open(from, j.in)
	return j.work(t, src, err, f)
}

func readFile(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	check(t, err)
	return string(data)
}

// tableJob reads the options of a section.
func tableJob(t *testing.T, words []string) (j job) {
	t.Helper()
	add, keys, address, delimiter := "city", "", "", ""
	options := map[string]any{
		"in": &j.in.Format, "encoding": &j.in.Encoding, "header": &j.in.HeaderRow, "noheader": &j.in.NoHeader, "lenient": &j.in.Lenient,
		"out": &j.out.Format, "formulas": &j.out.NeutralizeFormulas, "zeros": &j.zeros, "next": &j.names.TryNext, "code": &j.names.Code,
		"lat": &j.names.Lat, "lon": &j.names.Lon, "country": &j.names.Country, "add": &add, "keys": &keys, "address": &address, "delimiter": &delimiter,
	}
	for _, word := range words {
		name, value, ok := strings.Cut(word, "=")
		if !ok {
			value = "true"
		}
		if _, err := fmt.Sscan(value, options[name]); err != nil && word != "add=" {
			t.Fatalf("option %s: %v", word, err)
		}
		if word == "add=" {
			add = ""
		}
	}
	split := func(text, at string) []string {
		return strings.FieldsFunc(text, func(r rune) bool { return string(r) == at })
	}
	j.add, j.names.Keys, j.names.Address = split(add, ","), split(keys, ";"), split(address, ",")
	if delimiter != "" {
		j.in.Delimiter = delimiter[0]
	}
	return j
}

var escaped = regexp.MustCompile(`<END>\n|<TAB>|<BOM>|<[0-9A-F]{2}>`)

// unescape returns a text of testdata/tables.txt.
func unescape(text string) string {
	return escaped.ReplaceAllStringFunc(text, func(s string) string {
		if known, ok := map[string]string{"<END>\n": "", "<TAB>": "\t", "<BOM>": "\ufeff"}[s]; ok {
			return known
		}
		b, _ := hex.DecodeString(s[1:3])
		return string(b)
	})
}

// TestTables runs the sections of testdata/tables.txt.
func TestTables(t *testing.T) {
	for _, section := range lookuptest.Sections(t, "tables.txt") {
		name, options, _ := strings.Cut(section[0], ": ")
		in, want, _ := strings.Cut("\n"+section[1], "\n->\n")
		t.Run(name, func(t *testing.T) {
			words := strings.Fields(options)
			in, want := unescape(strings.TrimPrefix(in+"\n", "\n")), unescape(want)
			for big, word := range map[bool]string{false: "utf16le", true: "utf16be"} {
				if at := slices.Index(words, word); at >= 0 {
					in, words = utf16Text(in, big), slices.Delete(words, at, at+1)
				}
			}
			sheet := slices.Index(words, "sheet")
			if sheet >= 0 {
				in, words = workbook(t, in), slices.Delete(words, sheet, sheet+1)
			}
			j := tableJob(t, words)
			if sheet >= 0 {
				j.in.Sheet, j.out.Format = "Customers", table.CSV
			}
			got, _, err := j.stream(t, in)
			if failure, ok := strings.CutPrefix(want, "error "); ok {
				wantFailure(t, err, strings.TrimSpace(failure))
				return
			}
			check(t, err)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// wantFailure checks an error, which has a line if the text does.
func wantFailure(t *testing.T, err error, text string) {
	t.Helper()
	var row *table.Error
	if errors.As(err, &row) && row.Line > 0 {
		line, rest, _ := strings.Cut(text, ": ")
		if line != fmt.Sprintf("line %d", row.Line) {
			t.Errorf("error in line %d, want %s", row.Line, text)
		}
		text = rest
	}
	if err == nil || !strings.Contains(err.Error(), text) {
		t.Errorf("error %v, want one with %q", err, text)
	}
}

// TestLongRows refuses a row and a line that are too long.
func TestLongRows(t *testing.T) {
	_, _, err := job{}.stream(t, "zip,n\n90210,\""+strings.Repeat("a,\n", 400_000))
	wantFailure(t, err, "line 2: longer than 1048576 bytes; is a quote never closed?")
	_, _, err = job{in: table.Input{Format: table.NDJSON}}.stream(t, "{\"zip\":1}\n{\"zip\":\""+strings.Repeat("a", 1<<21)+"\"}\n")
	wantFailure(t, err, "line 2: longer than 1048576 bytes")
}

// TestWideRows writes a row of a hundred thousand columns in each format of text.
func TestWideRows(t *testing.T) {
	var b strings.Builder
	b.WriteString("zip")
	for i := range 100_000 {
		fmt.Fprintf(&b, ",c%d", i)
	}
	text := b.String() + "\n90210" + strings.Repeat(",", 100_000) + "\n"
	for _, f := range []table.Format{table.CSV, table.TSV, table.NDJSON} {
		_, sum, err := job{names: table.Names{Code: "zip"}, out: table.Output{Format: f}}.stream(t, text)
		if err != nil || sum.Answered() != 1 {
			t.Errorf("%s: %d rows, %v", f, sum.Answered(), err)
		}
	}
}

// TestRowsBeforeAnError are written.
func TestRowsBeforeAnError(t *testing.T) {
	got, sum, err := job{add: []string{"city"}}.stream(t, "zip,n\n90210,1\n10001,2\nx\n")
	want := "zip,n,city,postgeo_status,postgeo_reason\n90210,1,Beverly Hills,matched,\n10001,2,New York,matched,\n"
	if err == nil || got != want || sum.Rows != 2 {
		t.Errorf("%v, %d rows, %q", err, sum.Rows, got)
	}
}

// TestSlowStream opens streams that give no more than the header: none waits for more.
func TestSlowStream(t *testing.T) {
	for text, want := range map[string]table.Format{
		"zip\n": table.CSV, "Sa\n": table.CSV, "\ufeffzip\n": table.CSV, "PA,zip\n": table.CSV, "{\"zip\":1}\n": table.NDJSON, "\n{\"zip\":1}\n": table.NDJSON,
	} {
		src, err := table.Read(&endless{text}, table.Input{})
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if src.Format != want || src.Encoding != "utf-8" {
			t.Errorf("%q is read as %v in %s, want %v", text, src.Format, src.Encoding, want)
		}
		src.Close()
	}
}

// TestLongRowsByteByByte reads long rows from streams that give one byte a read. If each
// read searched the row from its beginning, this would take minutes.
func TestLongRowsByteByByte(t *testing.T) {
	long := strings.Repeat("a\"\",\n", 1<<17)
	for name, text := range map[string]string{
		"csv header": "zip,\"" + long + "\"\n90210,\n",
		"csv row":    "zip,n\n90210,\"" + long + "\"\n",
		"csv cells":  "zip\n90210" + strings.Repeat(",\"a\"", 1<<17) + "\n",
		"ndjson":     `{"zip":"90210","n":"` + strings.Repeat("x", table.MaxRow-100) + "\"}\n",
	} {
		t.Run(name, func(t *testing.T) {
			j := job{in: table.Input{Lenient: true}}
			sum, err := j.pipe(t, iotest.OneByteReader(strings.NewReader(text)), io.Discard)
			if err != nil || sum.Rows != 1 {
				t.Errorf("%d rows, %v", sum.Rows, err)
			}
		})
	}
}

// TestByteByByte reads random texts whole and byte by byte, with the same result.
func TestByteByByte(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		text := []byte("zip,n\n")
		for range 1 + rng.IntN(40) {
			text = append(text, "\",\na"[rng.IntN(4)])
		}
		j := job{in: table.Input{Format: table.CSV, Delimiter: ',', Encoding: "utf-8", HeaderRow: 1, Lenient: rng.IntN(2) == 0}}
		want, sum, failed := j.stream(t, string(text))
		var got bytes.Buffer
		again, err := j.pipe(t, iotest.OneByteReader(bytes.NewReader(text)), &got)
		if got.String() != want || fmt.Sprint(again, err) != fmt.Sprint(sum, failed) {
			t.Fatalf("%q: %q, %v, %v; want %q, %v, %v", text, got.String(), again, err, want, sum, failed)
		}
	}
}

// An endless stream gives its text, and fails the test that reads on.
type endless struct{ text string }

func (e *endless) Read(p []byte) (int, error) {
	if e.text == "" {
		return 0, errors.New("read behind what there is")
	}
	n := copy(p, e.text)
	e.text = e.text[n:]
	return n, nil
}

// utf16Text returns a text in UTF-16.
func utf16Text(text string, big bool) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(text)) {
		if big {
			b = append(b, byte(u>>8), byte(u))
		} else {
			b = append(b, byte(u), byte(u>>8))
		}
	}
	return string(b)
}

// TestRepaired checks the counts of repaired codes, also of repeated ones.
func TestRepaired(t *testing.T) {
	for zeros, want := range map[bool]table.Summary{
		true:  {Rows: 4, Statuses: map[enrich.Status]int64{"matched": 4}, Repaired: 3},
		false: {Rows: 4, Statuses: map[enrich.Status]int64{"matched": 1, "invalid": 3}},
	} {
		_, got, err := job{add: []string{"code"}, zeros: zeros}.stream(t, "zip\n601\n601\n601.0\n90210\n")
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%t: %v (-want +got):\n%s", zeros, err, diff)
		}
	}
}

// TestCoordinates compares the rows of a file of coordinates, which are looked up in the
// order of their places, with single lookups.
func TestCoordinates(t *testing.T) {
	db := sampletest.Shared(t)
	random := rand.New(rand.NewPCG(7, 8))
	keys := []string{",", "x,", "91,0", "0,0", "90,180", "-90,-180", "43.65,-79.38", "21.3,-157.85", "+34.1,-.1184e3"}
	for code, err := range db.Codes(t.Context(), lookup.ZIP) {
		check(t, err)
		rec, err := db.QuickLookup(t.Context(), code, lookup.QuickOptions{})
		check(t, err)
		if at := rec.Location; at.IsValid() {
			for range 8 {
				keys = append(keys, fmt.Sprintf("%.5f,%.5f", at.Lat()+random.NormFloat64()/20, at.Lng()+random.NormFloat64()/20))
			}
		}
	}
	const most = 40_000 // more than a block
	for len(keys) < most {
		keys = append(keys, keys[random.IntN(len(keys))])
	}
	random.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	add := []string{"city", "census.tract.geoid", "timezone.name"}
	e, err := enrich.New(db, enrich.Options{Kind: enrich.Coordinates, Add: add})
	check(t, err)
	var text strings.Builder
	text.WriteString("id,lat,lon\n")
	for i, k := range keys {
		fmt.Fprintf(&text, "%d,%s\n", i, k)
	}
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.csv"), filepath.Join(dir, "out.csv")
	check(t, os.WriteFile(in, []byte(text.String()), 0o600))
	_, err = (job{add: add}).file(t, in, out)
	check(t, err)
	rows := read(t, out, table.CSV)
	if len(rows) != len(keys)+1 {
		t.Fatalf("%d rows of %d", len(rows)-1, len(keys))
	}
	for i, k := range keys {
		lat, lon, _ := strings.Cut(k, ",")
		values, res, err := e.Row(t.Context(), enrich.JoinCoordinates(lat, lon), nil)
		check(t, err)
		want := []string{fmt.Sprint(i), lat, lon}
		for _, v := range values {
			want = append(want, v.String())
		}
		want = append(want, string(res.Status), res.Reason)
		if got := strings.Join(rows[i+1], "|"); got != strings.Join(want, "|") {
			t.Fatalf("row %d:\n got %s\nwant %s", i, got, strings.Join(want, "|"))
		}
	}
}
