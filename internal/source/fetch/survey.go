package fetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// CensusAPI is the address of the Census Bureau's interface.
const CensusAPI = "https://api.census.gov"

// SurveyOptions select tables of the American Community Survey to fetch from
// the Census Bureau's interface.
type SurveyOptions struct {
	// Base is the address of the interface; "" is [CensusAPI].
	Base string
	// Key is the user's key of the interface. It is sent, and written nowhere.
	Key string
	// Folder keeps the responses. An existing part is not requested again, so
	// that an interrupted run continues.
	Folder string
	// Tables are the tables to fetch, e.g. "DP05".
	Tables []string
	// Years are the years of ZIP Code Tabulation Areas, TractYears of census
	// tracts.
	Years, TractYears []int
	// Offline uses only the folder.
	Offline bool
	// HTTP sends the requests; nil is a client with time limits.
	HTTP *http.Client
	// Sleep waits between attempts; nil waits in real time.
	Sleep func(context.Context, time.Duration) error
	// Part is called before each part is requested. nil disables it.
	Part func(name string)
}

// censusStates are the codes of the states, the District of Columbia and Puerto
// Rico, which the survey covers.
const censusStates = "01 02 04 05 06 08 09 10 11 12 13 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 44 45 46 47 48 49 50 51 53 54 55 56 72"

// A surveyPart is one request.
type surveyPart struct {
	file, path string
	query      url.Values
}

// parts returns the requests: whole tables if the interface has them, otherwise
// one for each state.
func (o *SurveyOptions) parts() (list []surveyPart) {
	add := func(year int, table, level, area string, whole bool) {
		path, name := fmt.Sprintf("/data/%d/acs/acs5/profile", year), fmt.Sprintf("ACSDP5Y%d.%s-%s", year, table, level)
		query := url.Values{"get": {"group(" + table + ")"}, "for": {area + ":*"}}
		if whole {
			list = append(list, surveyPart{name + ".json", path, query})
			return
		}
		for state := range strings.FieldsSeq(censusStates) {
			list = append(list, surveyPart{name + "-" + state + ".json", path, url.Values{"get": query["get"], "for": query["for"], "in": {"state:" + state}}})
		}
	}
	const bareZCTAs = 2020 // since then a table of ZCTAs is requested as a whole
	for _, table := range o.Tables {
		for _, year := range o.Years {
			add(year, table, "zcta", "zip code tabulation area", year >= bareZCTAs)
		}
		for _, year := range o.TractYears {
			add(year, table, "tract", "tract", false)
		}
	}
	return list
}

// surveyRetries is the number of retries of a part.
const surveyRetries = 4

// Survey fetches tables of the American Community Survey in parts and returns
// the files that hold them. A part without areas has no file.
func Survey(ctx context.Context, o SurveyOptions) ([]string, error) {
	base := strings.TrimSuffix(cmp.Or(o.Base, CensusAPI), "/")
	if o.Key == "" && !o.Offline {
		return nil, &Error{Where: base, Reason: "the interface requires a key; get one at https://api.census.gov/data/key_signup.html and give it as CENSUS_API_KEY", Err: ErrOptions}
	}
	client := &Client{o: Options{HTTP: o.HTTP, Sleep: o.Sleep, Retries: surveyRetries}.withDefaults()}
	var files []string
	for _, p := range o.parts() {
		path := filepath.Join(o.Folder, p.file)
		st, err := os.Stat(path)
		if errors.Is(err, os.ErrNotExist) {
			if o.Offline {
				return nil, &Error{Where: path, Reason: "not in the cache, and downloads are disabled", Err: ErrOffline}
			}
			if o.Part != nil {
				o.Part(p.file)
			}
			p.query.Set("key", o.Key)
			t := &transfer{client: client, source: Source{ID: p.file}, url: base + p.path, query: "?" + p.query.Encode(), path: path}
			if _, err = t.get(ctx); errors.Is(err, ErrNotFound) || errors.Is(err, ErrStatus) || errors.Is(err, ErrContent) {
				err = fmt.Errorf("%w; is the key valid?", err)
			}
			if err == nil {
				st, err = os.Stat(path)
			}
		}
		if err != nil {
			return nil, err
		}
		if st.Size() > 0 {
			files = append(files, path)
		}
	}
	return files, ctx.Err()
}
