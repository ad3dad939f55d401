package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/fault"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/lookup/suggest"
	"github.com/postgeo/postgeo/radius"
)

// enrichNearest are the flags of what is nearest to rows.
type enrichNearest struct {
	NearestCount     int      `help:"How many nearest codes and places a field without a number lists, at most 1000." default:"1" placeholder:"N"`
	NearestMax       float64  `help:"The farthest that they may be. Default: anywhere." placeholder:"MILES"`
	NearestMode      string   `help:"centroid finds ZIPs and postal codes, spatial ZIPs and FSAs; both by their points. Default: centroid." placeholder:"MODE"`
	NearestFrom      string   `help:"Table of your own places, such as stores, that fields of nearest_place tell of. The columns of coordinates, of a code or of an address are found by what they are called." placeholder:"FILE" type:"path"`
	NearestKey       []string `help:"Columns of that table instead: one of codes, or latitude,longitude, or more of an address." placeholder:"NAME"`
	NearestDelimiter string   `help:"What divides the cells of that table, if it is csv or tsv. Default: a comma, of tsv a tab." placeholder:"CHAR"`
}

// maxNearestCount bounds the lists of what is nearest, which the rows that are
// worked at a time hold in memory, thousands for each processor.
const maxNearestCount = 1000

// nearest reads the flags.
func (c *enrichNearest) nearest() (o postgeo.NearestOptions, err error) {
	if o.Count = c.NearestCount; o.Count < 1 || o.Count > maxNearestCount {
		return o, wrongUse("--nearest-count is %d; expected a whole number from 1 to %d", c.NearestCount, maxNearestCount)
	}
	if o.Max = geo.Miles(c.NearestMax); !(o.Max >= 0) {
		return o, wrongUse("--nearest-max is %v; expected miles above 0", c.NearestMax)
	}
	o.Mode, err = radius.ParseMode(c.NearestMode)
	return o, err
}

// places reads the table of places; nil without one. lenient keeps its rows of
// another number of cells.
func (c *enrichNearest) places(ctx context.Context, env *Env, db *postgeo.DB, restoreZeros, lenient bool) (*enrich.Places, error) {
	divider, err := delimiter("--nearest-delimiter", c.NearestDelimiter)
	if err != nil {
		return nil, err
	}
	if c.NearestFrom == "" {
		if len(c.NearestKey) > 0 {
			return nil, wrongUse("--nearest-key names columns of the table of --nearest-from, which is not given")
		}
		return nil, nil
	}
	src, err := table.Open(c.NearestFrom, table.Input{Delimiter: divider, Lenient: lenient})
	if err != nil {
		return nil, c.unread(err)
	}
	defer src.Close()
	keys, err := c.placeKeys(src)
	if err != nil {
		var key *table.KeyError
		if errors.As(err, &key) {
			return nil, wrongUse("--nearest-from %s: %s", c.NearestFrom, strings.TrimPrefix(err.Error(), "table: "))
		}
		return nil, err
	}
	p, err := enrich.NewPlaces(ctx, db, src.Header(), src.Places(keys), enrich.PlaceOptions{Kind: keys.Kind, RestoreZeros: restoreZeros})
	if err != nil {
		return nil, c.unread(err)
	}
	if lost := p.Unplaced(); len(lost) > 0 {
		env.say("%s: %d of %d places have no point and are nearest to nothing; the first is row %s", c.NearestFrom, len(lost), p.Len()+len(lost), lost[0])
	}
	return p, nil
}

// unread says which table an error is about, and of a row with which flags it is
// read.
func (c *enrichNearest) unread(err error) error {
	var row *table.RowError
	if errors.As(err, &row) {
		return fmt.Errorf("--nearest-from %s: %s", c.NearestFrom, tableText(err.Error(), "--nearest-delimiter"))
	}
	return fmt.Errorf("--nearest-from %s: %w", c.NearestFrom, err)
}

// placeKeys finds the columns that places are located by. Where they have
// coordinates, nothing is nearer to the truth.
func (c *enrichNearest) placeKeys(src *table.Source) (table.Keys, error) {
	const point = 2 // columns
	switch n := c.NearestKey; len(n) {
	case 0:
		keys, err := src.FindKeys(table.Names{Prefer: enrich.Coordinates})
		if err != nil {
			keys, err = src.FindKeys(table.Names{})
		}
		return keys, err
	case 1:
		return src.FindKeys(table.Names{Code: n[0]})
	case point:
		return src.FindKeys(table.Names{Lat: n[0], Lon: n[1]})
	default:
		return src.FindKeys(table.Names{Address: n})
	}
}

// enrichTexts are the flags of what texts mean.
type enrichTexts struct {
	TextTypes   []string `help:"With --text: what a text may mean, of zip, place, county, cbsa, fsa, state, school_district, ca_postal, uspscity. Default: all." placeholder:"TYPE"`
	TextState   string   `help:"With --text: state or province of the places." placeholder:"ST"`
	TextCountry string   `help:"With --text: country of the places, US or CA." placeholder:"CC"`
	TextNear    string   `help:"With --text: what is near is meant first: latitude,longitude, a ZIP, an FSA, a state or province." placeholder:"PLACE"`
}

// texts reads the flags.
func (c *enrichTexts) texts() (o postgeo.SuggestOptions, err error) {
	o = postgeo.SuggestOptions{State: c.TextState, Country: c.TextCountry, Proximity: c.TextNear}
	o.Include, err = suggest.ParseTypes(c.TextTypes)
	if e := fault.As(err); e != nil {
		return o, wrongUse("--text-types has no %q; expected %s", e.Input, e.Range)
	}
	return o, err
}
