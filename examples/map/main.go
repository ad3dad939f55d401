// Command map writes a map of the ZIP Codes within five miles of 90210 to
// standard output, as SVG.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/geo/svg"
	"github.com/postgeo/postgeo/radius"
)

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, w io.Writer) error {
	db, err := postgeo.OpenSample()
	if err != nil {
		return err
	}
	defer db.Close()

	// Spatial mode finds areas that the circle only touches, and the share of each inside.
	// The default, centroid, would find those whose point lies inside.
	r, err := db.Radius(ctx, "90210", radius.Options{Max: 5, Mode: radius.Spatial})
	if err != nil {
		return err
	}
	m := svg.Map{
		Title: "5 miles around 90210", Legend: "Share inside",
		// Licenses of some sources require these sentences wherever their data is shown.
		Attribution: strings.Join(db.Info().Attributions(), " · "),
		Center:      r.Search.Center.Location, Radius: r.Search.Max.Meters(),
	}
	for _, match := range r.Matches {
		outline, _, err := db.CodeOutline(ctx, match.Code)
		if err != nil {
			return err
		}
		if outline == nil { // a PO Box or a single building has a point and no area
			m.Points = append(m.Points, svg.Point{Label: match.Code, Class: svg.Found, At: match.Location})
			continue
		}
		m.Areas = append(m.Areas, svg.Area{Label: match.Code, Class: svg.Found, Percent: match.PctInside, Polygons: outline})
	}
	data, err := m.Append(nil)
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}
