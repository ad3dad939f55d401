package dataset_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/sample"
)

// moreQuestions use sections that the fixed list reads too late or not at all.
func moreQuestions() []question {
	ctxless := func(name string, ask func(db *postgeo.DB) any) question {
		return question{name, func(_ context.Context, db *postgeo.DB) (any, error) { return ask(db), nil }}
	}
	return []question{
		ctxless("info", func(db *postgeo.DB) any { return db.Info() }),
		{"has areas", func(ctx context.Context, db *postgeo.DB) (any, error) { return db.HasAreas(ctx) }},
		{"years of tracts", func(ctx context.Context, db *postgeo.DB) (any, error) { return db.ACSYears(ctx, acs.Tract) }},
	}
}

// askSafely returns a panic as an error that matches nothing.
func askSafely(ctx context.Context, q question, db *postgeo.DB) (a answered) {
	defer func() {
		if p := recover(); p != nil {
			a = answered{err: fmt.Errorf("panic: %v", p)}
		}
	}()
	v, err := q.ask(ctx, db)
	if err != nil {
		return answered{err: err}
	}
	text, err := json.Marshal(v)
	return answered{string(text), err}
}

// TestDamagedSections damages a column of each section and calls every operation
// first on a fresh DB. Each fails with ErrDamaged or returns the undamaged
// result.
func TestDamagedSections(t *testing.T) {
	good, err := fs.ReadFile(sample.FS(), sample.Name)
	check(t, err)
	list := append(questions(), moreQuestions()...)
	want := make([]answered, len(list))
	for i, q := range list {
		db, err := postgeo.OpenSample()
		check(t, err)
		want[i] = askSafely(t.Context(), q, db)
		check(t, db.Close())
	}
	for name, s := range sections {
		t.Run(name, func(t *testing.T) {
			bad := append([]byte(nil), good...)
			bad[placeOfColumn(t, good, s.column)] ^= 0xff
			fsys := fstest.MapFS{"x.db": {Data: bad}}
			failed := 0
			for i, q := range list {
				db, err := postgeo.OpenFS(fsys, "x.db", postgeo.OpenOptions{})
				check(t, err)
				got := askSafely(t.Context(), q, db)
				switch {
				case errors.Is(got.err, dataset.ErrDamaged):
					failed++
				case got.failure() != want[i].failure() || got.text != want[i].text:
					t.Errorf("%s: %.300s, error %v", q.name, got.text, got.err)
				}
				check(t, db.Close())
			}
			if failed == 0 {
				t.Errorf("no operation reads the section")
			}
			t.Logf("%d calls failed", failed)
		})
	}
}
