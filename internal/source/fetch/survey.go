package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
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
	file  string
	path  string
	query url.Values
}

// parts returns the requests: whole tables if the interface has them, otherwise
// one for each state.
func (o *SurveyOptions) parts() []surveyPart {
	var list []surveyPart
	add := func(year int, table, level, area, state string) {
		p := surveyPart{
			file:  fmt.Sprintf("ACSDP5Y%d.%s-%s.json", year, table, level),
			path:  fmt.Sprintf("/data/%d/acs/acs5/profile", year),
			query: url.Values{"get": {"group(" + table + ")"}, "for": {area + ":*"}},
		}
		if state != "" {
			p.file = strings.TrimSuffix(p.file, ".json") + "-" + state + ".json"
			p.query.Set("in", "state:"+state)
		}
		list = append(list, p)
	}
	const bareZCTAs = 2020 // since then a table of ZCTAs is requested as a whole
	for _, table := range o.Tables {
		for _, year := range o.Years {
			if year >= bareZCTAs {
				add(year, table, "zcta", "zip code tabulation area", "")
				continue
			}
			for state := range strings.FieldsSeq(censusStates) {
				add(year, table, "zcta", "zip code tabulation area", state)
			}
		}
		for _, year := range o.TractYears {
			for state := range strings.FieldsSeq(censusStates) {
				add(year, table, "tract", "tract", state)
			}
		}
	}
	return list
}

// surveyAttempts is the number of attempts for a part.
const surveyAttempts = 5

// Survey fetches tables of the American Community Survey in parts and returns
// the files that hold them. A part without areas has no file.
func Survey(ctx context.Context, o SurveyOptions) ([]string, error) {
	if o.Base == "" {
		o.Base = CensusAPI
	}
	if o.HTTP == nil {
		o.HTTP = defaultHTTP()
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	if o.Key == "" && !o.Offline {
		return nil, &Error{Where: o.Base, Reason: "the interface requires a key; get one at https://api.census.gov/data/key_signup.html and give it as CENSUS_API_KEY", Err: ErrOptions}
	}
	if err := os.MkdirAll(o.Folder, 0o755); err != nil {
		return nil, fmt.Errorf("fetch: %w", err)
	}
	var files []string
	for _, p := range o.parts() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		path := filepath.Join(o.Folder, p.file)
		st, err := os.Stat(path)
		if errors.Is(err, os.ErrNotExist) {
			if o.Offline {
				return nil, &Error{Where: path, Reason: "not in the cache, and downloads are disabled", Err: ErrOffline}
			}
			if o.Part != nil {
				o.Part(p.file)
			}
			if err = o.part(ctx, p, path); err == nil {
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
	return files, nil
}

// part requests a part until it comes or is refused for good.
func (o *SurveyOptions) part(ctx context.Context, p surveyPart, path string) error {
	wait := time.Second
	for attempt := 1; ; attempt++ {
		lasting, err := o.try(ctx, p, path)
		if err == nil || lasting || attempt == surveyAttempts || ctx.Err() != nil {
			return err
		}
		if err := o.Sleep(ctx, wait); err != nil {
			return err
		}
		wait *= 2
	}
}

// try makes one request. lasting means that another one would fail too.
func (o *SurveyOptions) try(ctx context.Context, p surveyPart, path string) (lasting bool, err error) {
	where := strings.TrimSuffix(o.Base, "/") + p.path // without the key
	fault := func(cause error, format string, args ...any) error {
		return &Error{Where: where + " (" + p.file + ")", Reason: fmt.Sprintf(format, args...), Err: cause}
	}
	query := url.Values{"key": {o.Key}}
	for k, v := range p.query {
		query[k] = v
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, where+"?"+query.Encode(), nil)
	if err != nil {
		return true, fault(ErrOptions, "the address is malformed")
	}
	req.Header.Set("User-Agent", "postgeo")
	resp, err := o.HTTP.Do(req)
	if err != nil {
		var e *url.Error
		if errors.As(err, &e) { // names the address with the key
			err = e.Err
		}
		return false, fault(ErrTransfer, "%v", err)
	}
	defer resp.Body.Close()
	switch {
	case resp.StatusCode == http.StatusNoContent:
		return false, os.WriteFile(path, nil, 0o644)
	case resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode >= 500:
		return false, fault(ErrStatus, "status %d", resp.StatusCode)
	case resp.StatusCode != http.StatusOK:
		said, _ := io.ReadAll(io.LimitReader(resp.Body, 200))
		return true, fault(ErrStatus, "status %d: %s", resp.StatusCode, o.hide(said))
	}
	return o.keep(resp, path, fault)
}

// hide returns the beginning of a response without the key.
func (o *SurveyOptions) hide(said []byte) string {
	text := string(bytes.TrimSpace(said))
	if o.Key != "" {
		text = strings.ReplaceAll(text, o.Key, "…")
	}
	return strconv.Quote(text)
}

// keep writes a response to its file when it is whole: an array of arrays from
// its first byte to its last.
func (o *SurveyOptions) keep(resp *http.Response, path string, fault func(error, string, ...any) error) (lasting bool, err error) {
	f, err := os.Create(path + ".part")
	if err != nil {
		return true, fmt.Errorf("fetch: %w", err)
	}
	ends := &ends{w: f}
	_, err = io.Copy(ends, resp.Body)
	if closeErr := f.Close(); closeErr != nil {
		return true, errors.Join(fmt.Errorf("fetch: %w", closeErr), os.Remove(f.Name()))
	}
	switch {
	case err != nil:
		err = fault(ErrTransfer, "the response broke off after %d bytes", ends.n)
	case !bytes.HasPrefix(bytes.TrimSpace(ends.first), []byte("[[")):
		lasting, err = true, fault(ErrContent, "the response is not a table: %s; is the key valid?", o.hide(ends.first))
	case !bytes.HasSuffix(bytes.TrimSpace(ends.last), []byte("]]")):
		err = fault(ErrTransfer, "the response has no end after %d bytes", ends.n)
	default:
		return false, os.Rename(f.Name(), path)
	}
	return lasting, errors.Join(err, os.Remove(f.Name()))
}

// ends writes on and remembers the first and the last bytes.
type ends struct {
	w           io.Writer
	first, last []byte
	n           int64
}

func (e *ends) Write(p []byte) (int, error) {
	const some = 100
	if room := some - len(e.first); room > 0 {
		e.first = append(e.first, p[:min(room, len(p))]...)
	}
	e.last = append(e.last, p[max(0, len(p)-some):]...)
	e.last = e.last[max(0, len(e.last)-some):]
	n, err := e.w.Write(p)
	e.n += int64(n)
	return n, err
}
