package cli

import (
	"context"
	"errors"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/fault"
	"github.com/postgeo/postgeo/radius"
)

// acsAggregateCmd is "postgeo acs aggregate".
type acsAggregateCmd struct {
	Codes   []string `help:"ZIP Codes, or census tracts by their eleven digits." placeholder:"CODE"`
	Polygon string   `help:"GeoJSON file with one polygon or multipolygon; - is standard input." placeholder:"FILE" type:"path"`
	Around  string   `help:"Code or latitude,longitude in the middle of a circle." placeholder:"CENTER"`
	Radius  string   `help:"Miles around the center: at most 250, or 500 by points; or auto, or auto-commute." placeholder:"MILES"`
	Mode    string   `help:"spatial counts ZIP Codes by the share of their area inside, centroid in full where their point is inside." enum:"spatial,centroid" default:"spatial" placeholder:"MODE"`

	lineFlags
}

// Help explains the figures.
func (acsAggregateCmd) Help() string {
	return "Counts are summed, medians and means weighted, percentages and rates recomputed from the sums. Margins of error follow from those of the areas: their basis is sum for whole areas, upper_bound where shares, weights or quotients are in play. Beside a weighted median stands the one that the counts of its distribution come to. Without --year the newest year of the dataset is written. A single area by its code has its published figures."
}

// Run writes the figures of the areas together.
func (c *acsAggregateCmd) Run(ctx context.Context, env *Env) error {
	opt, err := c.surveyFlags.options()
	if err != nil {
		return err
	}
	where, err := c.where(env)
	if err != nil {
		return err
	}
	db, path, err := c.openSurvey(env)
	if err != nil {
		return err
	}
	defer db.Close()
	years := c.Year
	if len(years) == 0 {
		if all := surveyYears(db, c.Codes); len(all) > 0 {
			years = all[len(all)-1:]
		}
	}
	w, err := c.writer(env, years, false)
	if err != nil {
		return err
	}
	a, err := db.SurveyAggregate(ctx, where, c.Field, postgeo.SeriesOptions{FigureOptions: opt, Years: years})
	if err != nil {
		if errors.Is(err, postgeo.ErrNotFound) || errors.Is(err, postgeo.ErrInvalidCode) {
			return writeFailed(env, w.opts, &failures{env: env, sample: path == ""}, envelope.Input{Code: c.Around}, err)
		}
		return surveyError(c.flagError(err))
	}
	if people(w.opts.Format) && len(a.Lines) > 0 {
		for i := range a.Lines[0].Points {
			p := &a.Lines[0].Points[i]
			covered := ""
			if p.Covered.IsNumber() {
				covered = "; they have " + string(p.Covered.AppendJSON(nil)) + " % of the people of those in the tables"
			}
			env.say("note: %s, %d: %d of %d areas have figures%s", a.Name, p.Year, p.With, p.With+p.Without, covered)
		}
	}
	if w.opts.Format == output.JSON { // one answer, with the lines in it
		w.look(a.Lines)
		err = w.w.Write(a)
	} else {
		err = w.write(a.Lines)
	}
	if err != nil {
		return err
	}
	return w.close(db, path)
}

// where reads the flags that name the areas.
func (c *acsAggregateCmd) where(env *Env) (w postgeo.SurveyAreas, err error) {
	ways := 0
	for _, given := range [...]bool{len(c.Codes) > 0, c.Polygon != "", c.Around != ""} {
		if given {
			ways++
		}
	}
	switch {
	case ways != 1:
		return w, wrongUse("give the areas by one of --codes, --polygon and --around with --radius")
	case (c.Around != "") != (c.Radius != ""):
		return w, wrongUse("--around and --radius go together")
	}
	mode, err := radius.ParseMode(c.Mode)
	if err != nil {
		return w, err
	}
	w.Codes = c.Codes
	switch {
	case c.Polygon != "":
		w.Mode = mode
		w.Polygon, err = readPolygon(c.Polygon, env.Stdin)
	case c.Around != "":
		w.Center, w.Radius.Mode = c.Around, mode
		w.Radius.Max, w.Radius.Auto, err = radius.ParseMax(c.Radius)
		err = c.flagError(err)
	}
	return w, err
}

// flagError puts the miles of a circle under the flag's name.
func (c *acsAggregateCmd) flagError(err error) error {
	if e := fault.As(err); e != nil && e.Op == "radius" && e.Param == "Max" {
		return wrongUse("--radius is %q; expected %s", e.Input, expected(e))
	}
	return err
}
