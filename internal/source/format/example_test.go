package format_test

import (
	"archive/zip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/postgeo/postgeo/internal/source/format"
)

// exampleZip writes a zip of two members to a temporary folder.
func exampleZip() (path string, remove func(), err error) {
	dir, err := os.MkdirTemp("", "format")
	if err != nil {
		return "", nil, err
	}
	path = filepath.Join(dir, "US.zip")
	f, err := os.Create(path)
	if err != nil {
		return "", nil, err
	}
	w := zip.NewWriter(f)
	for _, m := range []member{{"readme.txt", "about"}, {"US.txt", "US\t90210\tBeverly Hills\nUS\t1001\tAgawam\n"}} {
		f, err := w.Create(m.name)
		if err == nil {
			_, err = f.Write([]byte(m.content))
		}
		if err != nil {
			return "", nil, err
		}
	}
	if err := errors.Join(w.Close(), f.Close()); err != nil {
		return "", nil, err
	}
	return path, func() { _ = os.RemoveAll(dir) }, nil
}

func ExampleOpen() {
	path, remove, err := exampleZip()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer remove()
	in, err := format.Open(path, format.OpenOptions{Member: "US.txt"})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer in.Close()
	table, err := format.NewTable(in, format.TableOptions{Delimiter: '\t', Names: []string{"country", "code", "place"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for row, err := range table.Rows() {
		if err != nil {
			fmt.Println(err)
			return
		}
		if code := row.Get("code"); len(code) != 5 {
			err := row.Errorf("code", "%q, expected five digits", code)
			fmt.Println(errors.Is(err, format.ErrValue), strings.TrimPrefix(err.Error(), filepath.Dir(path)))
			continue
		}
		fmt.Println(row.Get("code"), row.Get("place"))
	}
	// Output:
	// 90210 Beverly Hills
	// true /US.zip:US.txt:2: column "code": "1001", expected five digits (bad value)
}

func ExampleBlocks() {
	in := format.NewInput("zips.txt", strings.NewReader("D90210BEVERLY HILLSD01001AGAWAM       "))
	for b, err := range format.Blocks(in, 19) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%d %s %q\n", b.Record(), b.Field(2, 5), b.Field(7, 13))
	}
	// Output:
	// 1 90210 "BEVERLY HILLS"
	// 2 01001 "AGAWAM"
}

func ExampleNewGeoJSON() {
	in := format.NewInput("zones.json", strings.NewReader(`{"type": "FeatureCollection", "features": [
		{"type": "Feature", "properties": {"tzid": "America/Adak"},
		 "geometry": {"type": "Polygon", "coordinates": [[[-180, 51], [-170, 51], [-170, 53], [-180, 51]]]}}]}`))
	for shape, err := range format.NewGeoJSON(in, format.GeoJSONOptions{Required: []string{"tzid"}}).Shapes() {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(shape.Get("tzid"), shape.Polygon.Bound().Min, shape.Polygon.Bound().Max)
	}
	// Output: America/Adak [-180 51] [-170 53]
}

func ExampleOpenArchive() {
	path, remove, err := exampleZip()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer remove()
	a, err := format.OpenArchive(path, format.Limits{MaxMembers: 1})
	fmt.Println(a == nil, errors.Is(err, format.ErrArchive))
	// Output: true true
}

func ExampleProjection_Inverse() {
	lng, lat := format.StatCanLambert.Inverse(6_200_000, 3_000_000)
	fmt.Printf("%.6f %.6f\n", lat, lng)
	// Output: 63.390675 -91.866667
}
