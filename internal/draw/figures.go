package draw

import (
	"context"
	"encoding/json"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// Figures returns one field of the survey for each ZIP Code of a circle, a polygon or
// an area.
var Figures = operation.New((*FiguresInput).Run, operation.Operation{
	Name: "figures", Path: "/v2/figures",
	Summary: "Return one survey field with its margins of error for every ZIP Code of a circle, a polygon or an area, and for all together.",
	Detail:  "Give code and max, or polygon, or layer and geoid. Canadian codes and ZIP Codes without an area have no figures.",
	Price:   operation.PricePolygon, Heavy: true, Failures: []envelope.Code{envelope.NotFound, envelope.NotFoundZIP, envelope.NotFoundFSA, envelope.NotFoundPostal},
})

// FiguresInput is the input of [Figures].
type FiguresInput struct {
	Field   string           `json:"field" required:"" chars:"200" example:"economic.income.median_household_income" help:"Full name of a field; postgeo acs fields lists them."`
	Code    string           `json:"code,omitzero" is:"code" example:"90210" help:"Center of a circle: any code, or latitude,longitude."`
	Max     *operation.Miles `json:"max,omitzero" example:"5" help:"Radius of the circle in miles, above 0 and at most 250."`
	Polygon json.RawMessage  `json:"-" help:"GeoJSON geometry of type Polygon or MultiPolygon."`
	Layer   string           `json:"layer,omitzero" is:"layer" help:"Kind of area, such as county."`
	GEOID   string           `json:"geoid,omitzero" chars:"20" help:"ID of the area."`
	Year    int              `json:"year,omitzero" range:"a year of the dataset" help:"Last of the five years. Default: the newest of the dataset."`
	operation.Polygonal
}

// A FiguresResult holds the figures of a field.
type FiguresResult struct {
	Field   string         `json:"field"`            // full name
	Label   string         `json:"label"`            // of the Census Bureau
	Kind    acs.Kind       `json:"kind"`             // kind of the field
	Year    int            `json:"year"`             // last of the five years
	Vintage string         `json:"vintage,omitzero"` // the five years
	Values  []CodeFigure   `json:"values"`           // in the order of the search
	Total   *acs.Figure    `json:"total"`            // of all together, each by the share inside
	Missing FiguresMissing `json:"missing"`          // numbers of codes without a figure
}

// FiguresMissing counts the codes without a figure.
type FiguresMissing struct {
	Canada    int `json:"canada"`    // the survey covers the United States
	PointOnly int `json:"no_area"`   // ZIP Codes without an area
	NoFigure  int `json:"no_figure"` // not published for the area
}

// A CodeFigure is the figure of a ZIP Code.
type CodeFigure struct {
	Code        string          `json:"code"`                 // ZIP Code
	PctInside   *float64        `json:"pct_inside"`           // 0 to 100; null if unknown
	Estimate    acs.Value       `json:"est"`                  // estimate
	MOE         acs.Value       `json:"moe"`                  // at 90 percent confidence
	Percent     acs.Value       `json:"pct,omitzero"`         // share of the universe in percent
	PercentMOE  acs.Value       `json:"pct_moe,omitzero"`     // margin of error of pct
	CV          acs.Value       `json:"cv_pct,omitzero"`      // coefficient of variation in percent
	Reliability acs.Reliability `json:"reliability,omitzero"` // high, medium or low, by cv_pct
}

// Prepare parses the polygon, if there is one.
func (in *FiguresInput) Prepare() error {
	if in.Layer != "" || in.Polygon == nil {
		return nil
	}
	return in.Parse(in.Polygon)
}

// Run reads the figures.
func (in *FiguresInput) Run(ctx context.Context, db operation.DB) (*FiguresResult, error) {
	fields, err := acs.ParseFields(in.Field)
	if err != nil {
		return nil, err
	}
	years, err := db.ACSYears(ctx, acs.ZCTA)
	if err != nil {
		return nil, err
	}
	if len(years) == 0 {
		return nil, &envelope.Failure{Op: "figures", Kind: envelope.KindUnavailable, Thing: envelope.ThingArea, Lacks: "American Community Survey"}
	}
	opt := acs.SeriesOptions{Years: []int{years[0]}}
	if in.Year != 0 {
		opt.Years[0] = in.Year
	}
	f := fields[0]
	out := &FiguresResult{Field: f.Key(), Label: f.LabelIn(opt.Years[0]), Kind: f.Kind, Year: opt.Years[0], Values: []CodeFigure{}}
	where, codes, err := in.codes(ctx, db, &out.Missing)
	if err != nil || len(codes) == 0 {
		return out, err
	}
	names := make([]string, len(codes))
	for i, c := range codes {
		names[i] = c.Code
	}
	lines, err := db.ACSSeries(ctx, names, []string{in.Field}, opt)
	if err != nil {
		return nil, err
	}
	for i, line := range lines {
		f, ok := figureOf(line)
		if !ok || !f.Estimate.IsNumber() && !f.Percent.IsNumber() {
			out.Missing.NoFigure++
			continue
		}
		out.Vintage = f.Vintage
		out.Values = append(out.Values, CodeFigure{codes[i].Code, codes[i].PctInside, f.Estimate, f.MOE, f.Percent, f.PercentMOE, f.CV, f.Reliability})
	}
	if where.Codes != nil {
		where.Codes = names
	}
	total, err := db.ACSAggregate(ctx, where, []string{in.Field}, opt)
	if err != nil {
		return nil, err
	}
	if f, ok := figureOf(total.Lines[0]); ok {
		out.Total = &f
	}
	return out, nil
}

func figureOf(line acs.Line) (f acs.Figure, ok bool) {
	if len(line.Points) == 0 {
		return f, false
	}
	return line.Points[0], true
}

// codes returns the ZIP Codes with an area, counts the others, and selects the same
// for the sum.
func (in *FiguresInput) codes(ctx context.Context, db operation.DB, missing *FiguresMissing) (where radius.Areas, list []CodeFigure, err error) {
	var matches []radius.Match
	switch {
	case in.Layer != "":
		return in.codesOfArea(ctx, db, missing)
	case in.Polygon != nil:
		if err := in.Prepare(); err != nil {
			return where, nil, err
		}
		where.Polygon, where.Mode = in.Outline, radius.Spatial
		r, err := db.InPolygon(ctx, where.Polygon, radius.PolygonOptions{Mode: radius.Spatial})
		if err != nil {
			return where, nil, err
		}
		matches = r.Matches
	case in.Code == "" || in.Max == nil:
		return where, nil, &envelope.Failure{Kind: envelope.KindInvalidParam, Param: "code", Range: "given with max; or give polygon, or layer and geoid"}
	default:
		where.Center = in.Code
		where.Radius = radius.Options{Max: geo.Miles(*in.Max), Mode: radius.Spatial}
		where.Mode = radius.Spatial
		r, err := db.Radius(ctx, in.Code, where.Radius)
		if err != nil {
			return where, nil, err
		}
		matches = r.Matches
	}
	for _, m := range matches {
		switch {
		case m.Country != "US":
			missing.Canada++
		case m.PctInside == nil:
			missing.PointOnly++
		default:
			list = append(list, CodeFigure{Code: m.Code, PctInside: m.PctInside})
		}
	}
	return where, list, nil
}

func (in *FiguresInput) codesOfArea(ctx context.Context, db operation.DB, missing *FiguresMissing) (where radius.Areas, list []CodeFigure, err error) {
	id, err := operation.LayerInput{Layer: in.Layer}.ID()
	if err != nil {
		return where, nil, err
	}
	found, err := db.CodesIn(ctx, id, in.GEOID, lookup.CodesInOptions{})
	if err != nil {
		return where, nil, err
	}
	for _, c := range found.Codes {
		switch {
		case c.CodeType == lookup.FSA:
			missing.Canada++
		case c.IntersectionSqMi == nil:
			missing.PointOnly++
		default:
			list = append(list, CodeFigure{Code: c.Code, PctInside: c.PctOfZIP})
		}
	}
	where.Codes = []string{}
	return where, list, nil
}
