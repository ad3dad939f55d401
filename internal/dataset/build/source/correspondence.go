package source

import (
	"iter"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/build/format"
)

// A CorrespondenceRow links a full postal code to a census dissemination area,
// and to a block of it if the file has blocks.
type CorrespondenceRow struct {
	Code   dataset.PostalCode
	DA     string  // dissemination area of 2021, eight digits
	Block  string  // dissemination block, eleven digits; "" if the file has none
	Tract  string  // census tract with its metropolitan area, "5050300.01"; "" outside tracted areas
	Weight float64 // the part of the code's addresses, 0 to 1; 0 if the file has none
	Best   bool    // the area with most of the code's addresses
	Line   int
}

// Correspondence reads a postal code correspondence, by block (opcc_m2, from
// the National Address Register) or by dissemination area (opcc_m5). A row is
// refused when its code, area or block is malformed. A tract without its
// metropolitan area is left out.
func Correspondence(in *format.Input) iter.Seq2[CorrespondenceRow, error] {
	columns := append(format.Columns("postal_code", "DAUID", "best_link"), optionalColumns("DBUID", "CTUID", "address_weight", "allocation_weight")...)
	o := format.TableOptions{Quoted: true, Columns: columns}
	return table(in, o, func(r format.Row) (CorrespondenceRow, error) {
		c := CorrespondenceRow{Best: r.Get("best_link") == "TRUE", Line: r.Line()}
		var ok bool
		if c.Code, ok = dataset.ParsePostalCode(r.Get("postal_code")); !ok {
			return c, r.Errorf("postal_code", "%q is not a postal code", r.Get("postal_code"))
		}
		da, err := digits(r, "DAUID", 8)
		if err != nil {
			return c, err
		}
		c.DA = strings.Clone(da)
		if r.Get("DBUID") != "" {
			block, err := digits(r, "DBUID", 11)
			if err != nil {
				return c, err
			}
			c.Block = strings.Clone(block)
		}
		if tract := r.Get("CTUID"); isTract(tract) {
			c.Tract = strings.Clone(tract)
		}
		for _, name := range [...]string{"address_weight", "allocation_weight"} {
			if s := r.Get(name); s != "" {
				if c.Weight, err = strconv.ParseFloat(s, 64); err != nil || !(c.Weight >= 0 && c.Weight <= 1) {
					return c, r.Errorf(name, "%q is not a part, 0 to 1", s)
				}
			}
		}
		return c, nil
	})
}

// isTract reports whether a text is the code of a census tract behind that of
// its metropolitan area: "5050300.01".
func isTract(s string) bool {
	return len(s) == 10 && isDigits(s[:7], 7) && s[7] == '.' && isDigits(s[8:], 2)
}

func optionalColumns(names ...string) []format.Column {
	columns := format.Columns(names...)
	for i := range columns {
		columns[i].Optional = true
	}
	return columns
}

// A CodeBlockRow is the dissemination block around the point of a postal code.
type CodeBlockRow struct {
	Code  dataset.PostalCode
	DA    string // eight digits
	Block string // eleven digits
	Line  int
}

// CodeBlocks reads the blocks around the points of postal codes (opcc_m1). The
// block is empty if the point lies in none.
func CodeBlocks(in *format.Input) iter.Seq2[CodeBlockRow, error] {
	o := format.TableOptions{Quoted: true, Columns: format.Columns("postal_code", "DBUID", "DAUID_ADIDU")}
	return table(in, o, func(r format.Row) (CodeBlockRow, error) {
		c := CodeBlockRow{Line: r.Line()}
		var ok bool
		if c.Code, ok = dataset.ParsePostalCode(r.Get("postal_code")); !ok {
			return c, r.Errorf("postal_code", "%q is not a postal code", r.Get("postal_code"))
		}
		if r.Get("DBUID") == "" {
			return c, nil
		}
		da, err := digits(r, "DAUID_ADIDU", 8)
		if err != nil {
			return c, err
		}
		block, err := digits(r, "DBUID", 11)
		c.DA, c.Block = strings.Clone(da), strings.Clone(block)
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

// A DALinkRow is a dissemination area of 2021 and those of 2016 that it
// touches.
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
