package tools

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/radius"
)

// Bounds of what is asked of the survey at once.
const (
	maxAreas  = 500 // of an aggregate
	maxFields = 20
)

const areaText = "A ZIP Code stands for the census area of the same code, eleven digits for a census tract."

// figuresIn are the arguments that figures of the survey share.
type figuresIn struct {
	Dollars number `json:"dollars,omitempty" jsonschema:"Bring amounts of money to the dollars of this year; newest is the newest year of the dataset. Default: dollars of each figure's own year."`
	Bridged bool   `json:"bridged,omitempty" jsonschema:"Also take years in which a field was worded differently."`
}

func (in *figuresIn) options() (o acs.FigureOptions, err error) {
	o.Bridged = in.Bridged
	switch in.Dollars {
	case "":
	case "newest":
		o.Dollars = acs.NewestDollars
	default:
		if o.Dollars, err = strconv.Atoi(string(in.Dollars)); err != nil || o.Dollars <= 0 {
			return o, envelope.NewFault(envelope.ValidationInvalidParam, envelope.InvalidParam("dollars", "a year, or newest"))
		}
	}
	return o, nil
}

type seriesIn struct {
	Codes  []string `json:"codes" jsonschema:"ZIP Codes, or census tracts by their eleven digits."`
	Fields []string `json:"fields" jsonschema:"Full names of fields, e.g. economic.income.median_household_income; acs_fields finds them."`
	Years  []int    `json:"years,omitempty" jsonschema:"Last of the five years of a figure. Default: all of the dataset."`
	figuresIn
}

type aggregateIn struct {
	Codes   []string        `json:"codes,omitempty" jsonschema:"ZIP Codes, or census tracts by their eleven digits, each counted once and in full; or polygon or code in their place."`
	Polygon json.RawMessage `json:"polygon,omitempty" jsonschema:"A GeoJSON geometry of type Polygon or MultiPolygon."`
	Code    string          `json:"code,omitempty" jsonschema:"Center of a circle: any code, or latitude,longitude."`
	Max     number          `json:"max,omitempty" jsonschema:"Radius of the circle in miles, or auto or auto-commute."`
	Mode    string          `json:"mode,omitempty" jsonschema:"centroid (the default) counts ZIP Codes in full whose point is inside, spatial counts each by the share of its area."`
	Fields  []string        `json:"fields" jsonschema:"Full names of fields, e.g. economic.income.median_household_income; acs_fields finds them."`
	Years   []int           `json:"years,omitempty" jsonschema:"Last of the five years of a figure. Default: all of the dataset."`
	figuresIn
}

func (in aggregateIn) echo() envelope.Input { return envelope.Input{Code: in.Code} }

type compareIn struct {
	CodeA   string `json:"code_a" jsonschema:"A ZIP Code, or a census tract by its eleven digits."`
	CodeB   string `json:"code_b,omitempty" jsonschema:"What it is compared with. Default: the same area, in another year."`
	YearA   *int   `json:"year_a,omitempty" jsonschema:"Last of the five years. Default: the newest of the dataset."`
	YearB   *int   `json:"year_b,omitempty" jsonschema:"The same of the second side."`
	Field   string `json:"field" jsonschema:"Full name of a field."`
	Percent bool   `json:"percent,omitempty" jsonschema:"Compare percentages, of fields that have both."`
	figuresIn
}

func (s *service) addSeries(server *mcp.Server) {
	add(server, s, definition{
		name: "acs_series", title: "Fields of the survey over the years",
		description: "Fields of areas over the years, with margins of error and what hinders comparing them. " + areaText,
		bounds:      []bound{items("codes", maxEnds, 11), items("fields", maxFields, 0), items("years", maxYears, 0)},
	}, s.series)
	add(server, s, definition{
		name: "acs_aggregate", title: "Fields of the survey over several areas",
		heavy:       true,
		description: "Fields computed over several areas together: codes, a polygon or a circle; with margins of error, interpolated medians and how much of the people is covered.",
		bounds: []bound{
			items("codes", maxAreas, 11),
			chars(maxCode, "code"),
			oneOf("mode", radius.Centroid.String(), radius.Spatial.String()),
			items("fields", maxFields, 0),
			items("years", maxYears, 0),
		},
	}, s.aggregate)
	add(server, s, definition{
		name: "acs_compare", title: "Whether two figures of the survey differ",
		description: "Tests whether a field differs between two areas, or between two years of one area, by more than sampling explains, at 90, 95 and 99 percent.",
		bounds:      []bound{chars(11, "code_a", "code_b")},
	}, s.compare)
}

type seriesAnswer struct {
	Lines []postgeo.ACSLine `json:"lines"`
}

func (s *service) series(ctx context.Context, in seriesIn) (*seriesAnswer, error) {
	figures, err := in.options()
	if err != nil {
		return nil, err
	}
	lines, err := s.db.ACSSeries(ctx, in.Codes, in.Fields, postgeo.ACSSeriesOptions{FigureOptions: figures, Years: in.Years})
	if err != nil {
		return nil, err
	}
	return &seriesAnswer{Lines: lines}, nil
}

func (s *service) aggregate(ctx context.Context, in aggregateIn) (*postgeo.ACSAggregate, error) {
	figures, err := in.options()
	if err != nil {
		return nil, err
	}
	where := postgeo.ACSAreas{Codes: in.Codes, Center: in.Code}
	if where.Mode, err = radius.ParseMode(in.Mode); err != nil {
		return nil, err
	}
	where.Radius.Mode = where.Mode
	if in.Polygon != nil {
		if where.Polygon, err = polygonOf(in.Polygon); err != nil {
			return nil, err
		}
	}
	if in.Code == "" && in.Max != "" {
		return nil, envelope.NewFault(envelope.ValidationInvalidParam, envelope.InvalidParam("max", "absent without code, the center of the circle"))
	}
	if in.Code != "" {
		if where.Radius.Max, where.Radius.Auto, err = radius.ParseMax(string(in.Max)); err != nil {
			return nil, err
		}
	}
	return s.db.ACSAggregate(ctx, where, in.Fields, postgeo.ACSSeriesOptions{FigureOptions: figures, Years: in.Years})
}

func (s *service) compare(ctx context.Context, in compareIn) (*postgeo.ACSComparison, error) {
	figures, err := in.options()
	if err != nil {
		return nil, err
	}
	if in.CodeB == "" {
		in.CodeB = in.CodeA
	}
	a, b := postgeo.ACSSide{Area: in.CodeA, Year: defaulted(in.YearA, 0)}, postgeo.ACSSide{Area: in.CodeB, Year: defaulted(in.YearB, 0)}
	if f, ok := acs.FieldByKey(in.Field); ok && f.Dollars() && s.yearOf(ctx, a) != s.yearOf(ctx, b) && figures.Dollars == 0 {
		return nil, envelope.NewFault(envelope.ValidationInvalidParam, envelope.InvalidParam("dollars", "a year or newest where amounts of money of two years are compared"))
	}
	return s.db.CompareACS(ctx, a, b, in.Field, in.Percent, figures)
}

// yearOf is the year of a side, the newest where none is given.
func (s *service) yearOf(ctx context.Context, side postgeo.ACSSide) int {
	level := acs.ZCTA
	if isTract(side.Area) {
		level = acs.Tract
	}
	years, err := s.db.ACSYears(ctx, level)
	if side.Year != 0 || err != nil || len(years) == 0 {
		return side.Year
	}
	return years[0]
}
