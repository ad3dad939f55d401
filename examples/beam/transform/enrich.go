package transform

import (
	"context"
	"errors"
	"fmt"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/enrich"
)

// Options configures the keys of rows and the fields to add. It is sent to the
// workers as JSON.
type Options struct {
	Data    string   // path of the dataset on every worker; "" is the embedded sample
	Code    string   // name of the column with codes or coordinates
	Address []string // names of the columns of an address, if Code is ""
	Add     []string // fields, as package enrich names them
}

// A Row is a row of a table.
type Row struct {
	File  string   // that it comes from
	N     int64    // its place in the file; 0 is the header
	Key   string   // lookup key
	Cells []string // the source's cells, then the added ones
}

// The functions are found by their types on the workers.
func init() { //nolint:gochecknoinits // Beam requires it
	register.DoFn2x2[context.Context, Row, Row, error](&enrichFn{})
}

// Enrich adds the fields, a status and a reason to every row, and their names
// to headers. Rows without a result have empty cells and a reason. The pipeline
// fails if the dataset cannot be read.
func Enrich(s beam.Scope, rows beam.PCollection, o Options) beam.PCollection {
	return beam.ParDo(s.Scope("postgeo.Enrich"), &enrichFn{Options: o}, rows)
}

// An enrichFn enriches rows. Beam copies its exported fields to the workers and
// calls Setup there.
type enrichFn struct {
	Options Options

	db       *postgeo.DB
	enricher *enrich.Enricher
	values   []enrich.Value
	counts   map[enrich.Status]beam.Counter
}

// Setup opens the dataset.
func (f *enrichFn) Setup(context.Context) (err error) {
	if f.Options.Data == "" {
		f.db, err = postgeo.OpenSample()
	} else {
		f.db, err = postgeo.Open(f.Options.Data)
	}
	if err != nil {
		return err
	}
	kind := enrich.Code
	if len(f.Options.Address) > 0 {
		kind = enrich.Address
	}
	f.enricher, err = enrich.New(f.db, enrich.Options{Kind: kind, Add: f.Options.Add})
	if err != nil {
		return errors.Join(err, f.db.Close())
	}
	f.counts = map[enrich.Status]beam.Counter{}
	for _, status := range enrich.Statuses() {
		f.counts[status] = beam.NewCounter("postgeo", status.String())
	}
	return nil
}

// ProcessElement enriches one row.
func (f *enrichFn) ProcessElement(ctx context.Context, row Row) (Row, error) {
	columns := f.enricher.Columns()
	cells := make([]string, 0, len(row.Cells)+len(columns)+2) // elements are never changed
	cells = append(cells, row.Cells...)
	if row.N == 0 {
		for _, c := range columns {
			cells = append(cells, c.Name)
		}
		row.Cells = append(cells, enrich.StatusColumn, enrich.ReasonColumn)
		return row, nil
	}
	values, outcome, err := f.enricher.Row(ctx, row.Key, f.values[:0])
	if err != nil {
		return row, fmt.Errorf("%s, row %d: %w", row.File, row.N, err)
	}
	for _, v := range values {
		cells = append(cells, string(v.AppendText(nil)))
	}
	f.values = values
	f.counts[outcome.Status].Inc(ctx, 1)
	row.Cells = append(cells, outcome.Status.String(), outcome.Reason)
	return row, nil
}

// Teardown closes the dataset.
func (f *enrichFn) Teardown() error {
	if f.db == nil {
		return nil
	}
	return f.db.Close()
}
