package export

import (
	"context"
	"fmt"
	"slices"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/lookup"
)

// CodeFields are the columns of [Codes]. The code_type is ZIP, FSA or Postal; the
// parent_code is the FSA of a postal code.
func CodeFields() []table.Field {
	return slices.Concat(columns(enrich.String, "code", "code_type", "country", "parent_code", "city", "state", "state_name", "state_fips", "county", "county_fips"),
		columns(enrich.Bool, "multi_county"), columns(enrich.String, "classification", "classification_name", "municipality"),
		columns(enrich.Float, "lat", "lon"), columns(enrich.String, "timezone"))
}

// Codes writes a row for every ZIP, FSA and full Canadian postal code, in this order. It
// returns the number of rows.
//
// Rows are those of an Enricher with the same fields, so that a join with the exported table
// and [enrich.Enricher.Row] give the same values.
func Codes(ctx context.Context, db *postgeo.DB, w *table.Writer) (n int64, err error) {
	paths := map[string]string{"lat": "location.lat", "lon": "location.lon", "timezone": "timezone.iana_name"}
	opt := enrich.Options{Kind: enrich.Code}
	for _, f := range CodeFields() {
		if path, ok := paths[f.Name]; ok {
			opt.Add = append(opt.Add, path)
		} else {
			opt.Add = append(opt.Add, f.Name)
		}
	}
	e, err := enrich.New(db, opt)
	if err != nil {
		return 0, err
	}
	var values []enrich.Value
	for _, kind := range []lookup.CodeType{lookup.ZIP, lookup.FSA, lookup.Postal} {
		for code, err := range db.Codes(ctx, kind) {
			var out enrich.Outcome
			if err == nil {
				values, out, err = e.Row(ctx, code, values[:0])
			}
			// A code without fields would be a fault of the dataset. It must not become a
			// row of nulls.
			if err == nil && out.Status != enrich.Matched {
				err = fmt.Errorf("export: code %s is listed and not found: %s", code, out.Reason)
			}
			if err == nil {
				err = w.Write(values)
			}
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return n, err
			}
			n++
		}
	}
	return n, nil
}
