package store

import (
	"context"
	"iter"
	"maps"
	"slices"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/store/internal/codes"
	"github.com/postgeo/postgeo/internal/store/internal/file"
	"github.com/postgeo/postgeo/internal/store/internal/layers"
	"github.com/postgeo/postgeo/internal/store/internal/roads"
	"github.com/postgeo/postgeo/internal/store/internal/streets"
)

// Changes yields every difference that leads from a to b, kind by kind, in
// ascending order of the codes; outlines come last. References are compared by
// their codes (a state by its letters, a time zone by its name), not by their
// position. It takes memory for one code at a time. An error ends it.
func Changes(ctx context.Context, a, b *Dataset) iter.Seq2[file.Change, error] {
	return func(yield func(file.Change, error) bool) {
		for _, d := range [...]*Dataset{a, b} {
			if err := d.Prepare(ctx); err != nil {
				yield(file.Change{}, err)
				return
			}
		}
		c := &file.Comparison{Yield: yield}
		layers := layers.NewDiff(c, a.rooms.Layers, b.rooms.Layers)
		codes := codes.Diff{
			A: a.rooms.Codes, B: b.rooms.Codes, C: c,
			ZipOverlaps: func(z dataset.ZIP) (bool, error) { return layers.ZipOverlaps(ctx, z) },
			FsaOverlaps: func(f dataset.FSA) (bool, error) { return layers.FsaOverlaps(ctx, f) },
			PostalAreas: layers.PostalDiff(ctx),
		}
		_ = codes.Run(ctx) && streets.Diff(ctx, c, a.rooms.Streets, b.rooms.Streets) && roads.Diff(ctx, c, a.rooms.Roads, b.rooms.Roads) && layers.Run(ctx)
		if c.Err != nil {
			yield(file.Change{}, c.Err)
		}
	}
}

// A Difference sums up what leads from one dataset to another.
type Difference struct {
	From    string           `json:"from"` // versions of the two datasets
	To      string           `json:"to"`
	Kinds   []KindDifference `json:"kinds"` // every kind, in order
	Sources []SourceChange   `json:"sources,omitempty"`
}

// A KindDifference sums up the changes of one kind of thing.
type KindDifference struct {
	Kind     file.Kind     `json:"kind"`
	Added    int64         `json:"added"`
	Removed  int64         `json:"removed"`
	Changed  int64         `json:"changed"`
	Fields   []FieldCount  `json:"fields,omitempty"`   // how often a field changed, in the order of the names
	Examples []file.Change `json:"examples,omitempty"` // the first of each operation, at most ExamplesPerOp
}

// ExamplesPerOp is how many examples a KindDifference gives of each operation.
const ExamplesPerOp = 20

// A FieldCount is the number of changed values of a field.
type FieldCount struct {
	Field string `json:"field"`
	Count int64  `json:"count"`
}

// A SourceChange is a source whose vintage or content differs, or that only
// one of the datasets was built from.
type SourceChange struct {
	ID         string `json:"id"`
	From       string `json:"from,omitzero"` // vintages; "" if the dataset lacks the source
	To         string `json:"to,omitzero"`
	FromSHA256 string `json:"from_sha256,omitzero"`
	ToSHA256   string `json:"to_sha256,omitzero"`
}

// Same reports that the datasets hold the same: nothing was added, removed or
// changed, and the sources are the same.
func (d *Difference) Same() bool {
	for _, k := range d.Kinds {
		if k.Added+k.Removed+k.Changed > 0 {
			return false
		}
	}
	return len(d.Sources) == 0
}

func (k *KindDifference) count(op file.Op) *int64 {
	switch op {
	case file.Added:
		return &k.Added
	case file.Removed:
		return &k.Removed
	default:
		return &k.Changed
	}
}

// Diff compares two datasets and counts what [Changes] yields. Memory does not
// grow with the number of changes.
func Diff(ctx context.Context, a, b *Dataset) (*Difference, error) {
	from, to := a.Manifest(), b.Manifest()
	d := &Difference{From: from.Version, To: to.Version, Sources: diffSources(from.Sources, to.Sources)}
	fields := map[file.Kind]map[string]int64{}
	for _, k := range slices.Concat(codes.Kinds(), []file.Kind{streets.KindZIP4, roads.KindRoads}, layers.Kinds(a.rooms.Layers, b.rooms.Layers)) {
		d.Kinds = append(d.Kinds, KindDifference{Kind: k})
		fields[k] = map[string]int64{}
	}
	for change, err := range Changes(ctx, a, b) {
		if err != nil {
			return nil, err
		}
		k := &d.Kinds[slices.IndexFunc(d.Kinds, func(k KindDifference) bool { return k.Kind == change.Kind })]
		if *k.count(change.Op)++; *k.count(change.Op) <= ExamplesPerOp {
			k.Examples = append(k.Examples, change)
		}
		for _, f := range change.Fields {
			fields[change.Kind][f]++
		}
	}
	for i := range d.Kinds {
		k := &d.Kinds[i]
		for _, f := range slices.Sorted(maps.Keys(fields[k.Kind])) {
			k.Fields = append(k.Fields, FieldCount{f, fields[k.Kind][f]})
		}
	}
	return d, nil
}

// diffSources compares sources by their short names: those of a in its order,
// then those that only b has.
func diffSources(a, b []dataset.Source) []SourceChange {
	var list []SourceChange
	find := func(in []dataset.Source, id string) (dataset.Source, bool) {
		i := slices.IndexFunc(in, func(s dataset.Source) bool { return s.ID == id })
		if i < 0 {
			return dataset.Source{}, false
		}
		return in[i], true
	}
	for _, x := range a {
		y, ok := find(b, x.ID)
		if !ok || x.Vintage != y.Vintage || x.SHA256 != y.SHA256 {
			list = append(list, SourceChange{ID: x.ID, From: x.Vintage, To: y.Vintage, FromSHA256: x.SHA256, ToSHA256: y.SHA256})
		}
	}
	for _, y := range b {
		if _, ok := find(a, y.ID); !ok {
			list = append(list, SourceChange{ID: y.ID, To: y.Vintage, ToSHA256: y.SHA256})
		}
	}
	return list
}
