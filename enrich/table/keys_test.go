package table_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/sampletest"
)

// TestExports finds the columns of addresses in the exports of other programs.
func TestExports(t *testing.T) {
	for _, section := range lookuptest.Sections(t, "exports.txt") {
		lines := append(strings.Split(section[0]+"\n"+section[1], "\n"), "")
		header := strings.Split(lines[1], ";")
		k, err := keysOf(t, header, table.Names{Keys: []string{"address"}})
		if err != nil {
			t.Errorf("%s: %v", lines[0], err)
			continue
		}
		country := ""
		if len(k.Country) > 0 {
			country = header[k.Country[0]]
		}
		if diff := cmp.Diff(lines[2], strings.Join(k.Names, ";")); diff != "" || k.Kind != enrich.Address || country != lines[3] {
			t.Errorf("%s: country %q (-want +got):\n%s", lines[0], country, diff)
		}
	}
}

// TestNameKeys checks which keys texts name.
func TestNameKeys(t *testing.T) {
	header := strings.Split("id,ZIP,lat,lon,address,city,state,Breite,L\u00e4nge", ",")
	keyScript(t, "texts", func(text string) string {
		keys, err := keysOf(t, header, table.Names{Keys: strings.Split(text, "; "), TryNext: true})
		if err != nil {
			return "error " + err.Error()
		}
		var got []string
		for _, k := range append([]table.Keys{keys}, keys.Next...) {
			got = append(got, string(k.Kind)+" "+strings.Join(k.Names, " "))
		}
		return strings.Join(got, "; ")
	})
	if k, err := keysOf(t, []string{"City", "Region", "ST"}, table.Names{Keys: []string{"city"}}); err != nil || k.Names[1] != "ST" {
		t.Errorf("the state of a city is in %q, %v", k.Names, err)
	}
	if _, err := keysOf(t, header, table.Names{Keys: []string{"zip", "lat,lon"}}); err == nil || !strings.Contains(err.Error(), "--try-next") {
		t.Errorf("two keys without TryNext: %v", err)
	}
}

// keysOf finds the keys of a table that has only a header.
func keysOf(t *testing.T, header []string, n table.Names) (table.Keys, error) {
	t.Helper()
	s, err := table.Read(strings.NewReader(strings.Join(header, "\t")+"\n"), table.Input{Format: table.TSV})
	check(t, err)
	return s.FindKeys(n)
}

// TestNamesOfCodes finds codes by the names of their columns.
func TestNamesOfCodes(t *testing.T) {
	keyScript(t, "names", func(name string) string {
		k, err := keysOf(t, []string{name}, table.Names{})
		if err != nil {
			return "none"
		}
		return string(k.Kind)
	})
}

// TestGuess finds columns of codes by their names and values together.
func TestGuess(t *testing.T) {
	keyScript(t, "guesses", func(text string) string {
		s, err := table.Read(strings.NewReader(strings.ReplaceAll(text, " / ", "\n")+"\n"), table.Input{})
		check(t, err)
		keys, err := s.FindKeys(table.Names{})
		check(t, err)
		return strings.Join(keys.Names, "; ")
	})
}

// keyScript compares what a function makes of the texts of a section of testdata/keys.txt.
func keyScript(t *testing.T, title string, of func(text string) string) {
	t.Helper()
	_, section, ok := strings.Cut(readFile(t, "testdata/keys.txt"), "== "+title+"\n")
	for line := range strings.Lines(section) {
		if line == "\n" {
			break
		}
		line, _, _ = strings.Cut(strings.TrimSuffix(line, "\n"), "    #")
		text, want, _ := strings.Cut(line, " -> ")
		got := of(text)
		if failure, fails := strings.CutPrefix(want, "error "); got != want && !(fails && strings.HasPrefix(got, "error ") && strings.Contains(got, failure)) {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	if !ok {
		t.Errorf("no section %s", title)
	}
}

// TestPlaces reads the keys and cells of a list of places.
func TestPlaces(t *testing.T) {
	text := `{"id":1,"note":"x","at":{"zip":"99999"}}` + "\n" + `{"id":2,"note":"a, b","at":{"zip":90210}}` + "\n"
	src, err := table.Read(strings.NewReader(text), table.Input{})
	check(t, err)
	defer src.Close()
	keys, err := src.FindKeys(table.Names{Code: "at.zip"})
	check(t, err)
	var got []string
	for p, err := range src.Places(keys) {
		got = append(got, fmt.Sprint(p, err))
	}
	want := []string{`{99999 [1 x {"zip":"99999"}]} <nil>`, `{90210 [2 a, b {"zip":90210}]} <nil>`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A list that its format does not allow says where.
func TestBrokenListOfPlaces(t *testing.T) {
	src, err := table.Read(strings.NewReader("id,zip\n1,90210\n2\n"), table.Input{})
	check(t, err)
	defer src.Close()
	keys, err := src.FindKeys(table.Names{})
	check(t, err)
	_, err = enrich.NewPlaces(t.Context(), sampletest.Shared(t), src.Header(), src.Places(keys), enrich.PlaceOptions{Kind: keys.Kind})
	var row *table.Error
	if !errors.As(err, &row) || row.Line != 3 {
		t.Errorf("error %v, want an Error of line 3", err)
	}
}
