package source

import (
	"iter"
	"strings"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/build/format"
	"github.com/postgeo/postgeo/geo"
)

// A CorrespondenceRow links a full postal code to a census dissemination area.
type CorrespondenceRow struct {
	Code dataset.PostalCode
	DA   string // dissemination area of 2021, eight digits
	Best bool   // the area with most of the code's addresses
	Line int
}

// Correspondence reads a postal code correspondence by dissemination area
// (opcc_m2, from the National Address Register). A row is refused when its
// code or area is malformed.
func Correspondence(in *format.Input) iter.Seq2[CorrespondenceRow, error] {
	o := format.TableOptions{Quoted: true, Columns: format.Columns("postal_code", "DAUID", "best_link")}
	return table(in, o, func(r format.Row) (CorrespondenceRow, error) {
		c := CorrespondenceRow{Best: r.Get("best_link") == "TRUE", Line: r.Line()}
		var ok bool
		if c.Code, ok = dataset.ParsePostalCode(r.Get("postal_code")); !ok {
			return c, r.Errorf("postal_code", "%q is not a postal code", r.Get("postal_code"))
		}
		da, err := digits(r, "DAUID", 8)
		c.DA = strings.Clone(da)
		return c, err
	})
}

// A DAPointRow is the population-weighted point of a dissemination area.
type DAPointRow struct {
	DA       string // dissemination area of 2016, eight digits
	Location geo.LatLng
	Line     int
}

// DAPoints reads population-weighted points of dissemination areas of 2016.
func DAPoints(in *format.Input) iter.Seq2[DAPointRow, error] {
	o := format.TableOptions{Quoted: true, Columns: format.Columns("da2016", "lat", "lon")}
	return table(in, o, func(r format.Row) (DAPointRow, error) {
		d := DAPointRow{Line: r.Line()}
		var err error
		if d.DA, err = digits(r, "da2016", 8); err != nil {
			return d, err
		}
		d.Location, err = point(r, "lat", "lon")
		return d, err
	})
}

// A DALinkRow says which dissemination areas of 2016 one of 2021 touches.
type DALinkRow struct {
	DA      string   // of 2021, eight digits
	Touches []string // of 2016, eight digits each
	Line    int
}

// DALinks reads which dissemination areas of 2016 those of 2021 touch.
func DALinks(in *format.Input) iter.Seq2[DALinkRow, error] {
	o := format.TableOptions{Quoted: true, Columns: format.Columns("da2021", "da2016")}
	return table(in, o, func(r format.Row) (DALinkRow, error) {
		l := DALinkRow{Line: r.Line()}
		var err error
		if l.DA, err = digits(r, "da2021", 8); err != nil {
			return l, err
		}
		for da := range strings.SplitSeq(r.Get("da2016"), "|") {
			if !isDigits(da, 8) {
				return l, r.Errorf("da2016", "%q is not eight digits", da)
			}
			l.Touches = append(l.Touches, da)
		}
		return l, nil
	})
}
