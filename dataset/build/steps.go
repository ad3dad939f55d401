package build

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/postgeo/postgeo/dataset/build/format"
)

// A step derives a part of the tables from sources and from what earlier steps
// have derived.
type step struct {
	name string
	run  func(context.Context, *builder) error
}

// steps are the derivations in their order.
var steps = []step{
	{"states and provinces", deriveStates},
	{"metropolitan areas", deriveMetros},
	{"counties", deriveCounties},
	{"place names", deriveSpelling},
	{"outlines", readOutlines},
	{"ZIP Codes", deriveZIPs},
	{"ZIP Codes: business", deriveBusiness},
	{"ZIP Codes: classes", deriveClasses},
	{"outlines: residents of ZIP Codes", readZIPOutlines},
	{"ZIP Codes: post offices", derivePostOffices},
	{"ZIP Codes: counties", deriveZIPCounties},
	{"ZIP Codes: points", derivePoints},
	{"ZIP Codes: names", deriveZIPNames},
	{"ZIP Codes: areas and elevations", deriveAreas},
	{"survey: heads", readSurvey},
	{"ZIP Codes: population", derivePopulation},
	{"ZIP Codes: deliveries", deriveDeliveries},
	{"ZIP Codes: Medicare", deriveMedicare},
	{"forward sortation areas", deriveFSAs},
	{"area codes", deriveAreaCodes},
	{"postal codes", derivePostalCodes},
	{"municipalities", deriveMunicipalities},
	{"clock rules", readClocks},
	{"outlines: areas and time zones", deriveBoundaries},
	{"outlines: counties of ZIP Codes", deriveCountyShares},
	{"time zones", deriveZones},
	{"outlines: packing", packBoundaries},
	{"areas that codes are held against", deriveLayers},
	{"names for suggestions", deriveEntities},
	{"gaps", deriveGaps},
}

// open opens the text of a source at hand.
func (b *builder) open(id string) (*format.Input, error) {
	f := b.files[id]
	return format.Open(f.Path, format.OpenOptions{Member: f.Source.Member})
}

// readText reads the rows of a delimited or fixed-width source; it does
// nothing where the source is not at hand.
func readText[R any](ctx context.Context, b *builder, id string, rows func(*format.Input) iter.Seq2[R, error], take func(R) error) error {
	if !b.has(id) {
		return nil
	}
	in, err := b.open(id)
	if err != nil {
		return fmt.Errorf("%s: %w", id, err)
	}
	return errors.Join(readRows(ctx, b, id, ahead(rows(in)), take), in.Close())
}

// readPath is readText for sources that are opened by path.
func readPath[R any](ctx context.Context, b *builder, id string, rows func(string) iter.Seq2[R, error], take func(R) error) error {
	if !b.has(id) {
		return nil
	}
	return readRows(ctx, b, id, ahead(rows(b.files[id].Path)), take)
}

// readRows takes every row and counts those that are refused: by the reader,
// or by take with a [refusal].
func readRows[R any](ctx context.Context, b *builder, id string, rows iter.Seq2[R, error], take func(R) error) error {
	const contextRows = 4096 // rows between two looks at the context
	n := int64(0)
	defer func() { b.rows(id, n) }()
	for row, err := range rows {
		if n++; n%contextRows == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			err = take(row)
		}
		var refused refusal
		switch bad := (*format.Error)(nil); {
		case err == nil:
		case errors.As(err, &refused):
			b.report.refuse(id, refused.reason, b.at(id, refused.line)+refused.given)
		case errors.Is(err, format.ErrValue) && errors.As(err, &bad):
			b.report.refuse(id, "bad "+bad.Column, bad.Error())
		default:
			return fmt.Errorf("%s: %w", id, err)
		}
	}
	return b.enough(id, b.rows(id, n))
}

// refusal is why a readable row is not taken.
type refusal struct {
	reason string // the same words for all such rows
	line   int    // line or record in the file
	given  string
}

// Error returns the reason.
func (r refusal) Error() string { return r.reason + ": " + r.given }

// at names a line of a source for an example: the file's base name and line.
func (b *builder) at(id string, line int) string {
	return fmt.Sprintf("%s:%d: ", b.fileName(id), line)
}
