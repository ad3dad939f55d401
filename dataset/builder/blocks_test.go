package builder_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/internal/mirrortest"
	"github.com/postgeo/postgeo/internal/store"
)

// zipped packs members, name and text by turns, and returns the path.
func zipped(t *testing.T, name string, members ...string) string {
	t.Helper()
	return named(t, name, string(mirrortest.Zip(members...)))
}

// TestBlockPlan builds a plan from blocks of an invented county in the published
// layouts. With outlines it equals the plan of the dissolved districts; without them
// it has the residents of the block groups.
func TestBlockPlan(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	w := districted(t)
	var outlines []string // five columns of blocks of 0.4 degrees, two rows
	var first, second strings.Builder
	first.WriteString("GEOID,CDFP\r\n")
	second.WriteString("GEOID,STATEFP,COUNTYFP,TRACTCE,BLOCKCE,CDFP\n")
	var baf strings.Builder
	baf.WriteString("BLOCKID|DISTRICT\n")
	for x := range 5 {
		for y := range 2 {
			west, south := -84+0.4*float64(x), 39+float64(y)
			block := fmt.Sprintf("39%s000100%d%d%02d", [2]string{"901", "903"}[min(1, x/3)], 1+min(1, x/2)*(1-min(1, x/3)), x, y)
			district := [2]string{"01", "02"}[min(1, x/2)]
			if x == 4 && y == 1 {
				district = "ZZ"
			}
			fmt.Fprintf(&first, "%s,%s\r\n", block, district)
			fmt.Fprintf(&second, "%s,%s,%s,%s,%s,%s\n", block, block[:2], block[2:5], block[5:11], block[11:], district)
			fmt.Fprintf(&baf, "%s|%s\n", block, district)
			outlines = append(outlines, fmt.Sprintf("%v %v %v %v %s x", west, south, west+0.4, south+1, block))
		}
	}
	blocks := named(t, "blocks.geojson", strings.ReplaceAll(boxes(outlines...), `"code"`, `"GEOID20"`))
	const options = ",layer=cd,from=2027-01-03"
	id := store.PlanLayer(store.LayerCongressionalDistrict, store.FirstAddedPlan)
	mirror := w.write()
	add := func(t *testing.T, o builder.Options) (*built, error) {
		o.Mirror, o.Layers = mirror, []string{"districts"}
		return build(t, o)
	}
	// ZZ takes the northern block of the last column out of the second district.
	cut := named(t, "cut.geojson", strings.TrimSuffix(boxes("-84 39 -83.2 41 3901 First"), "]}")+`,
		{"type":"Feature","properties":{"code":"3902"},"geometry":{"type":"Polygon","coordinates":[[[-83.2,39],[-82,39],[-82,40],[-82.4,40],[-82.4,41],[-83.2,41],[-83.2,39]]]}}]}`)
	dissolved, err := add(t, builder.Options{Plans: []string{"d=" + cut + options + ",id=code"}})
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string]string{
		"of the 119th":       named(t, "119.txt", first.String()),
		"of the 120th":       zipped(t, "cd120.zip", "CD120_OH.txt", "GEOID,CDFP\n", "NationalCD120.txt", second.String()),
		"of a state":         zipped(t, "state.zip", "CD120_OH.txt", second.String()),
		"of assigned blocks": zipped(t, "BlockAssign_ST39_OH.zip", "BlockAssign_ST39_OH_CD.txt", baf.String(), "BlockAssign_ST39_OH_SLDU.txt", "BLOCKID|DISTRICT\n"),
	} {
		t.Run(name, func(t *testing.T) {
			b, err := add(t, builder.Options{Plans: []string{"d=" + file + options}, Blocks: []string{blocks}})
			if err != nil {
				t.Fatal(err)
			}
			for _, code := range []string{"43901", "43902", "43905", "43906"} {
				if diff := cmp.Diff(dissolved.met(code, id), b.met(code, id)); diff != "" {
					t.Errorf("%s (-dissolved +blocks):\n%s", code, diff)
				}
			}
			for i := range b.Layer(id).Len() {
				x, y := dissolved.Layer(id).Area(i), b.Layer(id).Area(i)
				if x.GEOID != y.GEOID || math.Abs(float64(x.Outline-y.Outline)) > 1e-6*float64(x.Outline) {
					t.Errorf("dissolved %s %v, blocks %s %v", x.GEOID, x.Outline, y.GEOID, y.Outline)
				}
			}
			b, err = add(t, builder.Options{Plans: []string{"d=" + file + options}})
			if err != nil {
				t.Fatal(err)
			}
			if l := b.Layer(id); l.HasOutlines() || !l.Info().People || l.Area(0).Name != "Congressional District 1" {
				t.Errorf("without outlines: %+v, %+v", l.Info(), l.Area(0))
			}
			for code, want := range map[string][]string{"43901": {"3901 0.0% 300", "3902 0.0% 100"}, "43902": {"3902 0.0% 70"}, "43905": {"3902 0.0% 0"}} {
				if diff := cmp.Diff(want, b.met(code, id)); diff != "" {
					t.Errorf("%s by residents (-want +got):\n%s", code, diff)
				}
			}
		})
	}
	t.Run("split", func(t *testing.T) {
		split := named(t, "split.csv", "BLOCK,CD\n399010001001000,1\n399010001001001,2\n399010001002000,2\n399030001001000,2\n")
		people := named(t, "people.csv", "block_2020,pop_2020\n399010001001000,10\n399010001001001,20\n399010001002000,5\n399030001001000,7\n")
		for _, test := range []struct {
			blocks []string
			want   []string
		}{{nil, []string{"3902 0.0% 250", "3901 0.0% 150"}}, {[]string{people}, []string{"3902 0.0% 300", "3901 0.0% 100"}}} {
			b, err := add(t, builder.Options{Plans: []string{"d=" + split + options}, Blocks: test.blocks})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, b.met("43901", id)); diff != "" {
				t.Errorf("43901 (-want +got):\n%s", diff)
			}
		}
	})
	t.Run("some outlines", func(t *testing.T) {
		few := named(t, "few.geojson", strings.ReplaceAll(boxes(outlines[:3]...), `"code"`, `"GEOID20"`))
		if _, err := add(t, builder.Options{Plans: []string{"d=" + named(t, "119.txt", first.String()) + options}, Blocks: []string{few}}); err == nil || !strings.Contains(err.Error(), "are missing") {
			t.Errorf("three of ten outlines: %v", err)
		}
	})
	t.Run("no districts", func(t *testing.T) {
		bad := filepath.Join(t.TempDir(), "bad.txt")
		if err := os.WriteFile(bad, []byte("GEOID,NAME\n399010001001000,x\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := add(t, builder.Options{Plans: []string{"d=" + bad + options}}); err == nil || !strings.Contains(err.Error(), "lacks a column") {
			t.Errorf("a file without districts: %v", err)
		}
	})
}
