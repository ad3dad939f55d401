package export

import (
	"context"
	"fmt"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/lookup"
)

// codePaths are the columns of codes: fields of the quick record.
var codePaths = []string{
	"code", "code_type", "country", "parent_code", "city", "state", "state_name", "state_fips", "county", "county_fips", "multi_county",
	"classification", "classification_name", "municipality", "location.lat", "location.lon", "timezone.iana_name",
}

// Codes writes a row for every ZIP, FSA and full Canadian postal code, in this
// order, and returns how many there were. It takes the columns of [CodeFields].
func Codes(ctx context.Context, db *postgeo.DB, w *table.Writer) (int64, error) {
	e, err := enrich.New(db, enrich.Options{Kind: enrich.Code, Add: codePaths})
	if err != nil {
		return 0, err
	}
	var n int64
	var values []enrich.Value
	for _, kind := range []lookup.CodeType{lookup.ZIP, lookup.FSA, lookup.Postal} {
		for code, err := range db.Codes(kind) {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return n, err
			}
			var out enrich.Outcome
			if values, out, err = e.Row(ctx, code, values[:0]); err != nil {
				return n, err
			}
			if out.Status != enrich.Matched {
				return n, fmt.Errorf("export: code %s is listed and not found: %s", code, out.Reason)
			}
			if err := w.Write(values); err != nil {
				return n, err
			}
			n++
		}
	}
	return n, nil
}

// CodeFields are the columns of [Codes]. Dots of paths are underscores.
func CodeFields() []table.Field {
	return []table.Field{
		{Name: "code", Type: enrich.String},
		{Name: "code_type", Type: enrich.String}, // ZIP, FSA or Postal
		{Name: "country", Type: enrich.String},
		{Name: "parent_code", Type: enrich.String}, // FSA of a postal code
		{Name: "city", Type: enrich.String},
		{Name: "state", Type: enrich.String},
		{Name: "state_name", Type: enrich.String},
		{Name: "state_fips", Type: enrich.String},
		{Name: "county", Type: enrich.String},
		{Name: "county_fips", Type: enrich.String},
		{Name: "multi_county", Type: enrich.Bool},
		{Name: "classification", Type: enrich.String},
		{Name: "classification_name", Type: enrich.String},
		{Name: "municipality", Type: enrich.String},
		{Name: "lat", Type: enrich.Float},
		{Name: "lon", Type: enrich.Float},
		{Name: "timezone", Type: enrich.String},
	}
}
