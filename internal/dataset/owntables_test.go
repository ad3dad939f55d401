package dataset_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/sample"
)

// TestOwnTables writes tables with numbers of every form and reads them back, replaces
// one and compares the files.
func TestOwnTables(t *testing.T) {
	base, err := dataset.OpenFS(sample.FS(), sample.Name)
	check(t, err)
	defer base.Close()
	dir := t.TempDir()
	table := func(year int, change float64) dataset.OwnTableData {
		d := dataset.OwnTableData{Info: dataset.OwnTableInfo{Name: "t", Year: year, Key: "tract", Source: "t (t.csv)"}}
		for i := range 100 {
			d.Keys = append(d.Keys, fmt.Sprintf("%011d", i*7+1))
		}
		columns := []func(i int) float64{
			func(int) float64 { return 5 },
			func(i int) float64 { return float64(i-50) / 4 },
			func(i int) float64 { return 1 / float64(i+3) },
			func(i int) float64 { return float64(i) * 1e13 },
			func(i int) float64 { return change + float64(i) },
		}
		for c, of := range columns {
			v := dataset.OwnValues{}
			for i := range d.Keys {
				n := of(i)
				if i%10 == c {
					n = math.NaN()
				}
				v.Numbers = append(v.Numbers, n)
			}
			d.Columns = append(d.Columns, dataset.OwnColumn{Name: fmt.Sprintf("c%d", c), Meaning: dataset.MeaningCount})
			d.Values = append(d.Values, v)
		}
		v := dataset.OwnValues{}
		for i := range d.Keys {
			v.Texts = append(v.Texts, []string{"", "b", "a"}[i%3])
		}
		d.Columns = append(d.Columns, dataset.OwnColumn{Name: "kind", Meaning: dataset.MeaningCategory, Absent: "none"})
		d.Values = append(d.Values, v)
		return d
	}
	write := func(name string, from *dataset.Dataset, list ...dataset.OwnTableData) *dataset.Dataset {
		path := filepath.Join(dir, name)
		w, err := dataset.Extend(path, from)
		check(t, err)
		for _, d := range list {
			check(t, w.AddOwnTable(d))
		}
		check(t, w.Finish(from.Manifest()))
		d, err := dataset.Open(path)
		check(t, err)
		t.Cleanup(func() { d.Close() })
		return d
	}
	one := write("one.db", base, table(2021, 0), table(2022, 0))
	check(t, one.Verify(t.Context()))
	if len(one.OwnTables()) != 2 || one.OwnTables()[0].Info().Year != 2022 {
		t.Fatalf("%d tables", len(one.OwnTables()))
	}
	want, got := table(2022, 0), one.OwnTables()[0]
	for i, key := range want.Keys {
		row, ok := got.Find(key)
		if !ok || row != i || got.Key(i) != key {
			t.Fatalf("key %s: row %d, %v", key, row, ok)
		}
		for c := range want.Columns {
			if v := want.Values[c]; v.Texts != nil {
				text := ""
				if n := got.Category(c, i); n >= 0 {
					text = got.Categories(c)[n]
				}
				if text != v.Texts[i] {
					t.Errorf("column %d, row %d: %q", c, i, text)
				}
			} else if n, ok := got.Number(c, i); ok == math.IsNaN(v.Numbers[i]) || ok && n != v.Numbers[i] {
				t.Errorf("column %d, row %d: %v %v, want %v", c, i, n, ok, v.Numbers[i])
			}
		}
	}
	if _, ok := got.Find("999"); ok {
		t.Error("found a key of no row")
	}
	write("two.db", one, table(2022, 1))
	reopened := func(name string) *dataset.Dataset { // with nothing loaded
		d, err := dataset.Open(filepath.Join(dir, name))
		check(t, err)
		t.Cleanup(func() { d.Close() })
		return d
	}
	diff, err := dataset.Diff(t.Context(), reopened("one.db"), reopened("two.db"))
	check(t, err)
	if !slices.ContainsFunc(diff.Kinds, func(k dataset.KindDifference) bool { return k.Kind == dataset.KindTable("t") }) {
		t.Errorf("the difference has no kind of the table: %+v", diff.Kinds)
	}
	for _, k := range diff.Kinds {
		if k.Kind == dataset.KindTable("t") && (k.Changed != 90 || k.Added+k.Removed != 0 || k.Fields[0].Field != "c4") {
			t.Errorf("difference %+v", k)
		} else if k.Kind != dataset.KindTable("t") && k.Added+k.Removed+k.Changed != 0 {
			t.Errorf("difference %+v", k)
		}
	}
	bad := table(2020, 0)
	bad.Keys[3] = bad.Keys[2]
	w, err := dataset.Extend(filepath.Join(dir, "bad.db"), base)
	check(t, err)
	defer w.Abort()
	if err := w.AddOwnTable(bad); !errors.Is(err, dataset.ErrInvalidRow) {
		t.Errorf("equal keys: %v", err)
	}
	huge := table(2019, 0)
	huge.Values[4].Numbers[0] = 2e15
	if err := w.AddOwnTable(huge); !errors.Is(err, dataset.ErrInvalidRow) {
		t.Errorf("a number above the bound: %v", err)
	}
	for want, change := range map[string]func(d *dataset.OwnTableData){
		`table t has the key "tract" and the weight "" in the year 2022, and "county"`: func(d *dataset.OwnTableData) { d.Key = "county" },
		`and "tract" and "area" in the year 2020`:                                      func(d *dataset.OwnTableData) { d.Weight = "area" },
		"column c1 of table t is a count in the year 2022 and a mean in the year 2020": func(d *dataset.OwnTableData) { d.Columns[1].Meaning = dataset.MeaningMean },
	} {
		other := table(2020, 0)
		change(&other)
		w, err := dataset.Extend(filepath.Join(dir, "other.db"), one)
		check(t, err)
		check(t, w.AddOwnTable(other))
		if err := w.Finish(one.Manifest()); !errors.Is(err, dataset.ErrInvalidRow) || !strings.Contains(err.Error(), want) {
			t.Errorf("want %s: %v", want, err)
		}
	}
	damagedTables(t, filepath.Join(dir, "one.db"))
}

// damagedTables damages the bytes of the keys. Only uses of tables fail.
func damagedTables(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	check(t, err)
	at := bytes.Index(data, []byte("0000000000100000000008"))
	if at < 0 {
		t.Fatal("the keys are not in the file")
	}
	data[at] ^= 1
	check(t, os.WriteFile(path+".damaged", data, 0o600))
	d, err := dataset.Open(path + ".damaged")
	check(t, err)
	defer d.Close()
	if err := d.Load(t.Context(), dataset.SectionTables); !errors.Is(err, dataset.ErrDamaged) {
		t.Errorf("damaged keys: %v", err)
	}
	check(t, d.Load(t.Context(), dataset.SectionZIPAreas))
}
