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

// censusStates are the codes of the states, the District of Columbia and Puerto Rico,
// which the survey covers. The territories have no American Community Survey.
const censusStates = "01 02 04 05 06 08 09 10 11 12 13 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 44 45 46 47 48 49 50 51 53 54 55 56 72"

// surveyRetries is the number of retries of a part.
const surveyRetries = 4

// Survey fetches tables of the American Community Survey in parts and returns
// the files that hold them. A part without areas has no file.
func Survey(ctx context.Context, o SurveyOptions) (files []string, err error) {
	o.Base = strings.TrimSuffix(cmp.Or(o.Base, CensusAPI), "/")
	if o.Key == "" && !o.Offline {
		return nil, &Error{Where: o.Base, Reason: "the interface requires a key; get one at https://api.census.gov/data/key_signup.html and give it as CENSUS_API_KEY", Err: ErrOptions}
	}
	const bareZCTAs = 2020 // since then a table of ZCTAs is requested as a whole, all others by state
	for _, table := range o.Tables {
		for _, of := range [...]struct {
			years       []int
			level, area string
		}{{o.Years, "zcta", "zip code tabulation area"}, {o.TractYears, "tract", "tract"}} {
			for _, year := range of.years {
				states := strings.Fields(censusStates)
				if of.level == "zcta" && year >= bareZCTAs {
					states = []string{""}
				}
				for _, state := range states {
					name := fmt.Sprintf("ACSDP5Y%d.%s-%s", year, table, of.level)
					query := url.Values{"get": {"group(" + table + ")"}, "for": {of.area + ":*"}, "key": {o.Key}}
					if state != "" {
						name += "-" + state
						query.Set("in", "state:"+state)
					}
					size, err := o.part(ctx, name+".json", fmt.Sprintf("/data/%d/acs/acs5/profile", year), query)
					if err != nil {
						return nil, err
					}
					if size > 0 {
						files = append(files, filepath.Join(o.Folder, name+".json"))
					}
				}
			}
		}
	}
	return files, ctx.Err()
}

// part requests a part unless the folder has it, and returns its size. A part that is
// there is not requested again, not even under a condition: published tables do not
// change, and a run has hundreds of parts. An invalid key may get a web page in place of
// 401, hence the question in the error.
func (o *SurveyOptions) part(ctx context.Context, file, address string, query url.Values) (size int64, err error) {
	path := filepath.Join(o.Folder, file)
	st, err := os.Stat(path)
	switch {
	case err == nil:
		return st.Size(), nil
	case !errors.Is(err, os.ErrNotExist):
		return 0, err
	case o.Offline:
		return 0, &Error{Where: path, Reason: "not in the cache, and downloads are disabled", Err: ErrOffline}
	case o.Part != nil:
		o.Part(file)
	}
	f, err := download(ctx, Source{ID: file, URL: o.Base + address}, "?"+query.Encode(), path, Options{HTTP: o.HTTP, Sleep: o.Sleep, Retries: surveyRetries})
	if errors.Is(err, ErrNotFound) || errors.Is(err, ErrStatus) || errors.Is(err, ErrContent) {
		err = fmt.Errorf("%w; is the key valid?", err)
	}
	if err != nil {
		return 0, err
	}
	return f.Size, nil
}
