package table_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/radius"
)

// TestListOfPlaces reads lists of places of every format, and holds which one is
// nearest.
func TestListOfPlaces(t *testing.T) {
	db := sampletest.Shared(t)
	const list = "id,zip,note\n1,99999,x\n2,90210,\"a, b\"\n3,10001,\n"
	parquet, _, err := job{out: table.Output{Format: table.Parquet}}.stream(t, list)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name  string
		text  string
		in    table.Input
		names table.Names
	}{
		{"csv", list, table.Input{}, table.Names{}},
		{"tsv", "id\tlat\tlon\tnote\n1\t\t\t\n2\t34.1\t-118.4\ta, b\n3\t40.7\t-74\t\n", table.Input{Format: table.TSV}, table.Names{}},
		{"ndjson", `{"id":1,"note":"x","at":{"zip":"99999"}}` + "\n" + `{"id":2,"note":"a, b","at":{"zip":90210}}` + "\n", table.Input{Format: table.NDJSON}, table.Names{Code: "at.zip"}},
		{"parquet", parquet, table.Input{Format: table.Parquet}, table.Names{}},
		{"cities", "id,note,town,state\n1,,Nowhere,ZZ\n2,\"a, b\",Beverly Hills,CA\n", table.Input{}, table.Names{Keys: []string{"town,state"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			src, err := table.Read(strings.NewReader(tt.text), tt.in)
			if err != nil {
				t.Fatal(err)
			}
			defer src.Close()
			keys, err := src.FindKeys(tt.names)
			if err != nil {
				t.Fatal(err)
			}
			places, err := enrich.NewPlaces(t.Context(), db, src.Header(), src.Places(keys), keys.Kind)
			if err != nil {
				t.Fatal(err)
			}
			e, err := enrich.New(db, enrich.Options{
				Kind: enrich.Code, Places: places, Nearest: radius.NearestOptions{Max: 50},
				Add: []string{"nearest_place.id", "nearest_place.note", "nearest_place.row"},
			})
			if err != nil {
				t.Fatal(err)
			}
			values, _, err := e.Row(t.Context(), "90210", nil)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, v := range values {
				got = append(got, v.String())
			}
			if diff := cmp.Diff([]string{"2", "a, b", "2"}, got); diff != "" || len(places.Unplaced()) != 1 {
				t.Errorf("without a point %v; (-want +got):\n%s", places.Unplaced(), diff)
			}
		})
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
	_, err = enrich.NewPlaces(t.Context(), sampletest.Shared(t), src.Header(), src.Places(keys), keys.Kind)
	var row *table.RowError
	if !errors.As(err, &row) || row.Line != 3 {
		t.Errorf("error %v, want a RowError of line 3", err)
	}
}
