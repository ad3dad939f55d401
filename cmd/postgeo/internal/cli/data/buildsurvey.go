package data

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/internal/source/fetch"
)

// fetchSurvey downloads the tables of --acs-fetch and returns their files.
func (o *buildFlags) fetchSurvey(ctx context.Context, env *command.Env, opt builder.Options) ([]string, error) {
	if o.ACSFetch == "" && o.ACSFetchTracts == "" {
		return nil, nil
	}
	if opt.Cache == "" {
		return nil, command.Usage(`--acs-fetch requires a folder for downloads; use --cache DIR`)
	}
	s := fetch.SurveyOptions{
		Key: env.Getenv("CENSUS_API_KEY"), Folder: filepath.Join(opt.Cache, "acs"), Offline: opt.Offline,
		Part: func(name string) { env.Report(`fetching %s`, name) },
	}
	if strings.Contains(opt.Mirror, "://") {
		s.Base = strings.TrimSuffix(opt.Mirror, "/") + "/" + strings.TrimPrefix(fetch.CensusAPI, "https://")
	}
	for _, p := range acs.AllProfiles() {
		s.Tables = append(s.Tables, p.Table())
	}
	var err error
	if s.Years, err = yearSpan("--acs-fetch", o.ACSFetch); err != nil {
		return nil, err
	}
	if s.TractYears, err = yearSpan("--acs-fetch-tracts", o.ACSFetchTracts); err != nil {
		return nil, err
	}
	if s.Key == "" && !s.Offline {
		return nil, command.Usage(`--acs-fetch requires the environment variable CENSUS_API_KEY; get a key at https://api.census.gov/data/key_signup.html`)
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
		return nil, command.Usage(command.InvalidValue, flag, text, fmt.Sprintf(`a year from %d on, or a span such as 2011-2024`, acs.FirstYear))
	}
	years := make([]int, 0, last-first+1)
	for y := first; y <= last; y++ {
		years = append(years, y)
	}
	return years, nil
}
