package cli

import (
	"context"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/dataset/build"
	"github.com/postgeo/postgeo/dataset/build/fetch"
)

// fetchSurvey brings the tables of --acs-fetch and returns their files.
func (c *buildCmd) fetchSurvey(ctx context.Context, env *Env, o build.Options) ([]string, error) {
	if c.ACSFetch == "" && c.ACSFetchTracts == "" {
		return nil, nil
	}
	if o.Cache == "" {
		return nil, wrongUse("--acs-fetch needs a folder that keeps the answers; name it with --cache DIR")
	}
	s := fetch.SurveyOptions{
		Key: env.Getenv("CENSUS_API_KEY"), Folder: filepath.Join(o.Cache, "acs"), Offline: o.Offline,
		Part: func(name string) { env.say("fetching %s", name) },
	}
	if strings.Contains(o.Mirror, "://") {
		s.Base = strings.TrimSuffix(o.Mirror, "/") + "/" + strings.TrimPrefix(fetch.CensusAPI, "https://")
	}
	for _, p := range acs.AllProfiles() {
		s.Tables = append(s.Tables, p.Table())
	}
	var err error
	if s.Years, err = yearSpan("--acs-fetch", c.ACSFetch); err != nil {
		return nil, err
	}
	if s.TractYears, err = yearSpan("--acs-fetch-tracts", c.ACSFetchTracts); err != nil {
		return nil, err
	}
	if s.Key == "" && !s.Offline {
		return nil, wrongUse("--acs-fetch needs a key of the Census Bureau's interface in the environment variable CENSUS_API_KEY; get one at https://api.census.gov/data/key_signup.html")
	}
	return fetch.Survey(ctx, s)
}

// yearSpan reads a year or a span of years.
func yearSpan(flag, text string) ([]int, error) {
	if text == "" {
		return nil, nil
	}
	from, to, span := strings.Cut(text, "-")
	if !span {
		to = from
	}
	first, err := strconv.Atoi(from)
	last, err2 := strconv.Atoi(to)
	if err != nil || err2 != nil || first < acs.FirstYear || last < first || last > 2099 {
		return nil, wrongUse("%s has %q; expected a year from %d on, or a span such as 2011-2024", flag, text, acs.FirstYear)
	}
	years := make([]int, 0, last-first+1)
	for y := first; y <= last; y++ {
		years = append(years, y)
	}
	return years, nil
}
