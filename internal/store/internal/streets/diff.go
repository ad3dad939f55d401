package streets

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// KindZIP4 is the kind of street records.
const KindZIP4 file.Kind = "ZIP+4"

// Diff compares the street records of two files ZIP by ZIP; pages with
// the same bytes are not decoded. The result is false when the comparison is
// over.
func Diff(ctx context.Context, c *file.Comparison, a, b *Reader) bool {
	zips := slices.AppendSeq(slices.Collect(a.StreetZIPs()), b.StreetZIPs())
	slices.Sort(zips)
	for _, z := range slices.Compact(zips) {
		if !diffStreetsOf(ctx, c, a, b, z) {
			return false
		}
	}
	return true
}

// diffStreetsOf compares the records of one ZIP, grouped by their range.
func diffStreetsOf(ctx context.Context, c *file.Comparison, a, b *Reader, z dataset.ZIP) bool {
	if same, err := samePages(ctx, a, b, z); err != nil || same {
		return c.Fail(err)
	}
	x, err := streetGroups(ctx, a, z)
	if err != nil {
		return c.Fail(err)
	}
	y, err := streetGroups(ctx, b, z)
	if err != nil {
		return c.Fail(err)
	}
	key := func(g []Record) uint32 {
		if g[0].NoPlus4 {
			return math.MaxUint32
		}
		return uint32(g[0].Low)<<16 | uint32(g[0].High)
	}
	code := func(g []Record) string {
		if g[0].NoPlus4 {
			return z.String()
		}
		if g[0].Low == g[0].High {
			return z.String() + "-" + g[0].Low.String()
		}
		return z.String() + "-" + g[0].Low.String() + ".." + g[0].High.String()
	}
	return file.Merge(ctx, c, KindZIP4, slices.Values(x), slices.Values(y), key, code, changedStreets)
}

func changedStreets(x, y []Record) ([]string, error) {
	if len(x) != len(y) {
		return []string{"Records"}, nil
	}
	var list []string
	for i := range x {
		for _, f := range file.ChangedFields(&x[i].ZIP4Record, &y[i].ZIP4Record) {
			if !slices.Contains(list, f) {
				list = append(list, f)
			}
		}
	}
	return list, nil
}

// samePages reports whether both files hold the ZIP in equal pages.
func samePages(ctx context.Context, a, b *Reader, z dataset.ZIP) (bool, error) {
	x, okX := a.streetsOf(z)
	y, okY := b.streetsOf(z)
	if !okX || !okY || x.pages != y.pages {
		return false, nil
	}
	for i := range x.pages {
		if same, err := file.SameRow(ctx, a.file, b.file, zip4Rows, int64(z)*maxPagesOfZIP+int64(i)); !same {
			return false, err
		}
	}
	return true, nil
}

// streetGroups reads the records of a ZIP and groups those with equal ranges;
// those without add-ons are the last group.
func streetGroups(ctx context.Context, d *Reader, z dataset.ZIP) ([][]Record, error) {
	var list []Record
	for r, err := range d.StreetRecords(ctx, z) {
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	slices.SortStableFunc(list, func(x, y Record) int {
		return cmp.Or(cmp.Compare(file.FlagBits(x.NoPlus4), file.FlagBits(y.NoPlus4)), cmp.Compare(x.Low, y.Low), cmp.Compare(x.High, y.High))
	})
	var groups [][]Record
	for len(list) > 0 {
		n := 1
		for n < len(list) && list[n].NoPlus4 == list[0].NoPlus4 && list[n].Low == list[0].Low && list[n].High == list[0].High {
			n++
		}
		groups = append(groups, list[:n:n])
		list = list[n:]
	}
	return groups, nil
}
