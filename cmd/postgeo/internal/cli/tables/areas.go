package tables

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/radius"
)

// areasFrom reads the areas of --areas-from; nil without it.
func areasFrom(c *command.Call, path string) (*enrich.Areas, error) {
	if path == "" {
		return nil, nil
	}
	list, err := command.ReadFeatures(path, nil)
	if err != nil {
		return nil, err
	}
	box := orb.MultiPolygon{}.Bound()
	for _, f := range list {
		if m, err := command.PolygonsOf(f.Geometry); err == nil && len(m) > 0 {
			box = box.Union(m.Bound())
		}
	}
	if command.Swapped(box) {
		c.Report(command.SwappedHint, path)
	}
	areas, err := AreasOf(list)
	if err != nil {
		return nil, command.Failure(`%s: %w`, path, err)
	}
	return areas, nil
}

// maxAreaCells bounds the cells of the properties: a column for each name with a
// cell for each feature. A file of 64 MiB in which every feature has names of its own would
// otherwise take gigabytes.
const maxAreaCells = 20_000_000

// AreasOf returns features as areas, with their properties as cells.
func AreasOf(list []command.Feature) (*enrich.Areas, error) {
	names := map[string]bool{}
	for _, f := range list {
		for name := range f.Properties {
			names[name] = true
		}
	}
	if n := len(names); n > 0 && len(list) > maxAreaCells/n {
		return nil, command.Failure(`%d features have properties of %d names, more than %d cells; remove properties`, len(list), n, maxAreaCells)
	}
	columns := slices.Sorted(maps.Keys(names))
	return enrich.NewAreas(columns, func(yield func(enrich.Area, error) bool) {
		for i, f := range list {
			area := enrich.Area{Cells: make([]string, len(columns))}
			var err error
			for c, name := range columns {
				value, cellErr := propertyText(f.Properties[name])
				area.Cells[c], err = value, errors.Join(err, cellErr)
			}
			outline, shapeErr := command.PolygonsOf(f.Geometry)
			area.Outline, err = outline, errors.Join(err, shapeErr)
			if err != nil {
				err = command.Failure(`feature %d: %w`, i+1, err)
			}
			if !yield(area, err) {
				return
			}
		}
	})
}

// propertyText returns a property as a cell: text and numbers as they are written,
// nothing for null, objects and lists as JSON.
func propertyText(value json.RawMessage) (string, error) {
	switch {
	case len(value) == 0, string(value) == "null":
		return "", nil
	case value[0] == '"':
		var text string
		err := json.Unmarshal(value, &text)
		return text, err
	default:
		var text bytes.Buffer
		err := json.Compact(&text, value)
		return text.String(), err
	}
}

// nearestOptions are the flags of the nearest fields. Thousands of rows are in memory at a
// time, which limits the count.
type nearestOptions struct {
	NearestCount int             `help:"Number of codes and places in a nearest field without a number." least:"1" most:"1000" default:"1" placeholder:"N"`
	NearestMax   operation.Miles `help:"Maximum distance of the nearest fields. Default: no limit." placeholder:"MILES"`
	NearestMode  radius.Mode     `help:"centroid finds ZIPs and postal codes, spatial ZIPs and FSAs; both by their locations. Default: centroid." placeholder:"MODE"`
	NearestFrom  string          `help:"Table of places, such as your stores, for the nearest_place fields. The columns of coordinates, of a code or of an address are found by their names." placeholder:"FILE"`
}

func (o *nearestOptions) nearest() radius.NearestOptions {
	return radius.NearestOptions{Count: o.NearestCount, Max: geo.Miles(o.NearestMax), Mode: o.NearestMode}
}

// places reads the table of places; nil without one. lenient accepts rows with
// too few or too many cells.
func (o *nearestOptions) places(c *command.Call, restoreZeros, lenient bool) (*enrich.Places, error) {
	if o.NearestFrom == "" {
		return nil, nil
	}
	src, err := table.Open(o.NearestFrom, table.Input{Lenient: lenient})
	if err != nil {
		return nil, o.unread(err)
	}
	defer src.Close()
	keys, err := src.FindKeys(table.Names{Prefer: enrich.Coordinates}) // the most precise
	if err != nil {
		keys, err = src.FindKeys(table.Names{})
	}
	if e := (*table.Error)(nil); errors.As(err, &e) && e.Line == 0 {
		return nil, command.Usage(`--nearest-from %s: %s`, o.NearestFrom, command.Bare(err))
	}
	if err != nil {
		return nil, err
	}
	p, err := enrich.NewPlaces(c.Context, c.DB, src.Header(), src.Places(keys), enrich.PlaceOptions{Kind: keys.Kind, RestoreZeros: restoreZeros})
	if err != nil {
		return nil, o.unread(err)
	}
	if lost := p.Unplaced(); len(lost) > 0 {
		c.Report(`%s: %d of %d places have no location and are skipped; the first is row %d %q: %s`, o.NearestFrom, len(lost), p.Len()+len(lost), lost[0].Row, lost[0].Key, lost[0].Outcome.Status)
	}
	return p, nil
}

// unread puts the name of the table before an error, and into an error of a row
// the flags for its remedy.
func (o *nearestOptions) unread(err error) error {
	if text, ok := command.RowText(err); ok {
		return command.Failure(`--nearest-from %s: %s`, o.NearestFrom, text)
	}
	return command.Failure(`--nearest-from %s: %w`, o.NearestFrom, err)
}
