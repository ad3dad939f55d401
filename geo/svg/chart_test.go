package svg_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/geo/svg"
)

// series returns values of successive steps.
func series(first int, margin float64, values ...float64) []svg.Value {
	list := make([]svg.Value, len(values))
	for i, v := range values {
		list[i] = svg.Value{Step: first + i, Value: v, Margin: margin, Note: fmt.Sprintf("%d: %v", first+i, v)}
	}
	return list
}

var none = math.NaN()

// charts are one chart for each thing that a chart can show.
func charts() map[string]svg.Chart {
	return map[string]svg.Chart{
		"chart-gap": {
			Title: `Income of "90210" & <others>`, Description: "A line with a band and a gap.", Attribution: strings.Repeat("Figures by nobody, for tests. ", 6), Prefix: "$",
			Lines: []svg.Line{{Points: series(2011, 4000, 80_000, 82_500, none, none, 91_000, none, 88_000, 95_000)}},
		},
		"chart-several": {
			Title: "Six lines", Suffix: "%", Width: 560,
			Lines: []svg.Line{
				{Label: "90210 Beverly Hills, CA", Points: series(2011, 0.4, 1, 2, 3.5, 3)},
				{Label: "10001", Points: series(2012, 0, 3, 3, 3, 3)},
				{Label: "98101", Points: series(2011, none, 2.5, 2.5, none, 3)},
				{Label: "at the same height", Points: series(2013, 0.1, 3, 3)},
				{Label: "negative", Points: series(2011, 0.2, -1, -1.5)},
				{Label: "no value", Points: series(2011, 0.2, none)},
			},
		},
		"chart-flat": {Width: 320, Lines: []svg.Line{{Label: "flat", Points: series(1990, 0, 0, 0)}}},
		"chart-one":  {Width: 320, Title: "One point", Lines: []svg.Line{{Points: series(2024, 12, 1_234_567)}}},
		"chart-many": {Width: 400, Lines: []svg.Line{{Points: append(series(1900, 1, 5, 6, 7), svg.Value{Step: 2024, Value: 9})}}},
	}
}

func drawChart(t *testing.T, c svg.Chart) []byte {
	t.Helper()
	data, err := c.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestChartGolden(t *testing.T) {
	for name, c := range charts() {
		t.Run(name, func(t *testing.T) { golden(t, name, drawChart(t, c), drawChart(t, c)) })
	}
}

// A gap cuts line and band in two, and steps may be given in any order.
func TestChartGaps(t *testing.T) {
	points := series(2011, 1, 5, 6, none, 7, 8)
	in := string(drawChart(t, svg.Chart{Lines: []svg.Line{{Points: points}}}))
	for class, want := range map[string]int{`<path class="line0"`: 2, `<path class="band0"`: 2, `<circle class="dot0"`: 4} {
		if n := strings.Count(in, class); n != want {
			t.Errorf("%d times %s, want %d", n, class, want)
		}
	}
	points[0], points[4] = points[4], points[0]
	if out := string(drawChart(t, svg.Chart{Lines: []svg.Line{{Points: points}}})); out != in {
		t.Error("the order of the points matters")
	}
	skipped := append(series(2011, 0, 5, 6), series(2014, 0, 7, 8)...)
	if n := strings.Count(string(drawChart(t, svg.Chart{Lines: []svg.Line{{Points: skipped}}})), `<path class="line0"`); n != 2 {
		t.Errorf("a step that is left out makes %d lines, want 2", n)
	}
}

func TestChartRefused(t *testing.T) {
	line := func(v ...float64) []svg.Line { return []svg.Line{{Points: series(2011, 1, v...)}} }
	tests := map[string]svg.Chart{
		"no line":         {},
		"seven lines":     {Lines: make([]svg.Line, 7)},
		"no value":        {Lines: line(none, none)},
		"infinite":        {Lines: line(math.Inf(1))},
		"too large":       {Lines: line(1e13)},
		"margin negative": {Lines: []svg.Line{{Points: series(2011, -1, 5)}}},
		"margin infinite": {Lines: []svg.Line{{Points: series(2011, math.Inf(1), 5)}}},
		"narrow":          {Lines: line(1), Width: 319},
		"wide":            {Lines: line(1), Width: 4097},
		"a step twice":    {Lines: []svg.Line{{Points: append(series(2011, 1, 5), series(2011, 1, 6)...)}}},
		"steps far apart": {Lines: []svg.Line{{Points: append(series(0, 1, 5), series(201, 1, 6)...)}}},
		"extreme steps":   {Lines: []svg.Line{{Points: append(series(math.MinInt, 1, 5), series(math.MaxInt, 1, 6)...)}}},
	}
	for name, c := range tests {
		t.Run(name, func(t *testing.T) {
			data, err := c.Append([]byte("before"))
			if !errors.Is(err, svg.ErrInvalidChart) || string(data) != "before" {
				t.Errorf("%v, %.50q; want ErrInvalidChart and nothing appended", err, data)
			}
		})
	}
}

// TestChartNarrow draws labels that would leave a narrow chart no room for its
// lines.
func TestChartNarrow(t *testing.T) {
	long := strings.Repeat("W", 60)
	for _, width := range []int{320, 500, 4096} {
		for _, last := range []int{2011, 2024, 2211} {
			line := svg.Line{Label: long, Points: []svg.Value{{Step: 2011, Value: 5e11, Margin: 1e10}, {Step: last + 1, Value: 1e12}}}
			c := svg.Chart{Width: width, Prefix: long, Suffix: long, Lines: []svg.Line{line}}
			if last == 2211 {
				c.Lines[0].Points = line.Points[:1]
			}
			data, err := c.Append(nil)
			if err != nil {
				t.Fatal(err)
			}
			wellFormed(t, data)
			if strings.Contains(string(data), `"-`) {
				t.Errorf("%d wide, to %d: something lies outside:\n%s", width, last, data)
			}
		}
	}
}

func FuzzChart(f *testing.F) {
	f.Add("title", "$", 1.0, 2.0, 0.5, 2011, 2024)
	f.Add("<&\x00>", "", 1e12, 1e12-1e-4, 0.0, 0, 0)
	f.Add("", "\xff", 0.0, 5e-324, none, -5, 5)
	f.Add("", "", -1e-3, 1e12, 1e12, math.MinInt, math.MaxInt)
	f.Fuzz(func(t *testing.T, text, prefix string, a, b, margin float64, from, to int) {
		c := svg.Chart{
			Title: text, Description: text, Attribution: text, Prefix: prefix,
			Lines: []svg.Line{{Label: text, Points: []svg.Value{{Step: from, Value: a, Margin: margin, Note: text}, {Step: to, Value: b}}}},
		}
		data, err := c.Append(nil)
		if err != nil {
			if !errors.Is(err, svg.ErrInvalidChart) {
				t.Fatal(err)
			}
			return
		}
		wellFormed(t, data)
		if len(data) > 20_000+20*len(text) {
			t.Errorf("%d bytes", len(data))
		}
	})
}

func ExampleChart_Append() {
	c := svg.Chart{
		Title: "Median household income", Prefix: "$",
		Lines: []svg.Line{{Points: []svg.Value{{Step: 2022, Value: 80_000, Margin: 3_000}, {Step: 2023, Value: 84_000, Margin: 3_100}, {Step: 2024, Value: 90_000, Margin: 2_900}}}},
	}
	data, err := c.Append(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, `<path class="line0"`) {
			fmt.Print(line)
		}
	}
	// Output:
	// <path class="line0" d="M61.1 313L381.6 241.8L702 135"/>
}
