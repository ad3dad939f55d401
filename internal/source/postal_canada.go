package source

import (
	"iter"
	"strings"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/source/format"
)

// An FSAPopulationRow holds the census counts of a forward sortation area.
type FSAPopulationRow struct {
	FSA               postcode.FSA
	Area              string `col:"GEO"`
	Population        *int64 `col:"population, 2021"`
	Dwellings         *int64 `col:"total private dwellings, 2021"`
	DwellingsOccupied *int64 `col:"private dwellings occupied by usual residents, 2021"`
	Line              int
}

// FSAPopulation reads the CSV of table 98-10-0019 of Statistics Canada, whose headers have
// the count after a colon. The row of Canada as a whole is skipped. A row is refused when
// its area is not an FSA or a count is malformed.
func FSAPopulation(f format.File) iter.Seq2[FSAPopulationRow, error] {
	o := format.Options{Quoted: true, Meanings: func(headers []string) map[string]string {
		counts := map[string]string{}
		for _, h := range headers {
			_, count, _ := strings.Cut(h, ":")
			count, _, _ = strings.Cut(count, "[")
			counts[strings.Join(strings.Fields(strings.ToLower(count)), " ")] = h
		}
		return counts
	}}
	return rowsOf(f, o, func(r format.Row, p *FSAPopulationRow) error {
		if p.Area == "Canada" {
			return errSkip
		}
		var ok bool
		if p.FSA, ok = postcode.ParseFSA(p.Area); !ok {
			return r.Errorf("GEO", "%q is not a forward sortation area", p.Area)
		}
		return nil
	})
}

// A CorrespondenceRow links a full postal code to a census dissemination area,
// and to a block of it if the file has blocks.
type CorrespondenceRow struct {
	Code   postcode.PostalCode `col:"postal_code"`
	DA     string              `col:"DAUID" digits:"8"` // dissemination area of 2021
	Block  string              `col:"DBUID" digits:"11" miss:"file"`
	Tract  string              `col:"CTUID" miss:"file"`                                                      // census tract with its metropolitan area, "5050300.01"; "" outside tracted areas
	Weight float64             `col:"weight" usual:"addressweight allocationweight" range:"0,1" miss:"value"` // the part of the code's addresses; 0 if it is blank
	Best   bool                `col:"best_link" true:"TRUE"`                                                  // the area with most of the code's addresses
	Line   int
}

// Correspondence reads a postal code correspondence, by block (opcc_m2, from
// the National Address Register) or by dissemination area (opcc_m5). A row is
// refused when its code, area or block is malformed. A tract without its
// metropolitan area is left out.
func Correspondence(f format.File) iter.Seq2[CorrespondenceRow, error] {
	return correspondence(f)
}

// BlockCorrespondence is Correspondence of a file that has blocks and tracts.
func BlockCorrespondence(f format.File) iter.Seq2[CorrespondenceRow, error] {
	return correspondence(f, "DBUID", "CTUID")
}

func correspondence(f format.File, columns ...string) iter.Seq2[CorrespondenceRow, error] {
	return rowsOf(f, format.Options{Quoted: true, Columns: columns}, func(_ format.Row, c *CorrespondenceRow) error {
		if c.Tract = strings.Clone(c.Tract); !isTract(c.Tract) {
			c.Tract = ""
		}
		return nil
	})
}

// isTract reports whether a text is the code of a census tract behind that of its
// metropolitan area: "5050300.01". Numbers of tracts repeat from area to area.
func isTract(s string) bool {
	return len(s) == 10 && isDigits(s[:7], 7) && s[7] == '.' && isDigits(s[8:], 2)
}

// A CodeBlockRow is the dissemination block around the point of a postal code.
type CodeBlockRow struct {
	Code  postcode.PostalCode `col:"postal_code"`
	Block string              `col:"DBUID" digits:"11" miss:"value"`
	DA    string              // of the block, eight digits
	Line  int
}

// CodeBlocks reads the blocks around the points of postal codes (opcc_m1). The
// block is empty if the point lies in none.
func CodeBlocks(f format.File) iter.Seq2[CodeBlockRow, error] {
	return rowsOf(f, format.Options{Quoted: true, Columns: []string{"DAUID_ADIDU"}}, func(r format.Row, c *CodeBlockRow) (err error) {
		if c.Block != "" {
			c.DA, err = digits(r, "DAUID_ADIDU", 8)
		}
		c.DA = strings.Clone(c.DA)
		return err
	})
}

// A DAPointRow is the population-weighted point of a dissemination area.
type DAPointRow struct {
	DA       string     `col:"da2016" digits:"8"` // dissemination area of 2016
	Location geo.LatLng `col:"lat;lon"`
	Line     int
}

// DAPoints reads population-weighted points of dissemination areas of 2016.
func DAPoints(f format.File) iter.Seq2[DAPointRow, error] {
	return rowsOf[DAPointRow](f, format.Options{Quoted: true}, nil)
}

// A DALinkRow is a dissemination area of 2021 and those of 2016 that it
// touches.
type DALinkRow struct {
	DA      string   `col:"da2021" digits:"8"`
	Touches []string // of 2016, eight digits each
	Line    int
}

// DALinks reads which dissemination areas of 2016 those of 2021 touch.
func DALinks(f format.File) iter.Seq2[DALinkRow, error] {
	return rowsOf(f, format.Options{Quoted: true, Columns: []string{"da2016"}}, func(r format.Row, l *DALinkRow) error {
		for da := range strings.SplitSeq(r.Get("da2016"), "|") {
			if !isDigits(da, 8) {
				return r.Errorf("da2016", "%q is not eight digits", da)
			}
			l.Touches = append(l.Touches, da)
		}
		return nil
	})
}
