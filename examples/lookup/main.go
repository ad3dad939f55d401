// Command lookup shows the library: it looks up a code, measures a distance
// and meets a code that does not exist.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/postgeo/postgeo"
)

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, w io.Writer) error {
	db, err := postgeo.OpenSample() // with data of your own: postgeo.Open("postgeo.db")
	if err != nil {
		return err
	}
	defer db.Close()

	r, err := db.Lookup(ctx, "90210", postgeo.LookupOptions{Include: postgeo.Include{Timezone: true}})
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s is in %s, %s (%s), at %s\n", r.Code, r.City, r.State, r.County, r.Location)

	d, err := db.Distance(ctx, "90210", "K1A 0B1", postgeo.DistanceOptions{})
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s is %.0f miles away, at a bearing of %.0f degrees\n", d.To.City, d.Distance.Miles, d.Bearing)

	_, err = db.Lookup(ctx, "99999", postgeo.LookupOptions{})
	fmt.Fprintln(w, err, errors.Is(err, postgeo.ErrNotFound))
	return nil
}
