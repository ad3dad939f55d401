package table_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/internal/sampletest"
)

// TestPlaces reads the keys and cells of a list of places.
func TestPlaces(t *testing.T) {
	text := `{"id":1,"note":"x","at":{"zip":"99999"}}` + "\n" + `{"id":2,"note":"a, b","at":{"zip":90210}}` + "\n"
	src, err := table.Read(strings.NewReader(text), table.Input{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	keys, err := src.FindKeys(table.Names{Code: "at.zip"})
	if err != nil {
		t.Fatal(err)
	}
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
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	keys, err := src.FindKeys(table.Names{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = enrich.NewPlaces(t.Context(), sampletest.Shared(t), src.Header(), src.Places(keys), enrich.PlaceOptions{Kind: keys.Kind})
	var row *table.Error
	if !errors.As(err, &row) || row.Line != 3 {
		t.Errorf("error %v, want an Error of line 3", err)
	}
}
