package suggest_test

import (
	"cmp"
	"errors"
	"net/netip"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/checktest"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/namekey"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
	"github.com/postgeo/postgeo/lookup/suggest"
)

// TestWorlds checks the queries of the files of testdata with and without the shortcuts of
// long spans, and with all limits.
func TestWorlds(t *testing.T) {
	for name, files := range map[string][]string{"world": {"world"}, "towns": {"world", "towns"}, "instate": {"instate"}} {
		t.Run(name, func(t *testing.T) { testWorld(t, writeWorld(t, files...), name+".txt") })
	}
}

func testWorld(t *testing.T, d *store.Dataset, table string) {
	usual, plain, short := suggest.NewEngine(d), suggest.NewEngine(d), suggest.NewEngine(d)
	plain.LookThrough()
	short.Shortcut()
	lookuptest.Table(t, table, *update, func(text string) string {
		query, o, err := asked(t, text)
		if err == nil {
			_, err = usual.Suggest(t.Context(), query, o)
		}
		if err != nil {
			var refused *envelope.Failure
			if !errors.As(err, &refused) || !errors.Is(err, envelope.ErrInvalidParam) {
				t.Errorf("%s: %v; want a refusal", text, err)
			}
			return "refused: " + strings.ToLower(refused.Param) + ", " + string((envelope.Links{}).Error(err).Code)
		}
		want := listed(ask(t, usual, query, o))
		for name, e := range map[string]*suggest.Engine{"usual": usual, "looked through": plain, "shortcuts": short} {
			if got := listed(ask(t, e, query, o)); got != want {
				t.Errorf("%s: %s\n-usual %s\n+got   %s", text, name, want, got)
				continue
			}
			checkTotals(t, e, query, o)
			cutAlike(t, e, query, o)
		}
		return want
	})
	for _, query := range []string{"p", "s", "n", "o", "st", "new", "1", "k", "k1a"} {
		checkTotals(t, usual, query, suggest.Options{})
	}
}

// checkTotals checks that totals count entities instead of names, and do not depend on the
// limit. Suggestions for typos count up to the limit only.
func checkTotals(t *testing.T, e *suggest.Engine, query string, o suggest.Options) {
	t.Helper()
	o.Limit = suggest.MaxLimit
	all := ask(t, e, query, o)
	if all.TotalMatched != len(all.Matches) {
		t.Errorf("%q, %+v: %d matched, %d listed", query, o, all.TotalMatched, len(all.Matches))
	}
	exact := 0
	for _, m := range all.Matches {
		if m.Bucket <= suggest.InnerWord {
			exact++
		}
	}
	for o.Limit = 1; o.Limit <= len(all.Matches); o.Limit++ {
		got := ask(t, e, query, o).TotalMatched
		if o.Limit <= exact && got != exact || got < o.Limit {
			t.Errorf("%q, %+v: %d matched in all; want %d", query, o, got, max(exact, o.Limit))
			break
		}
	}
}

// asked reads a query with its options, which is quoted if it has blanks around it.
func asked(t *testing.T, text string) (query string, o suggest.Options, err error) {
	t.Helper()
	query, options, _ := strings.Cut(text, " | ")
	if strings.HasPrefix(query, `"`) {
		query, err = strconv.Unquote(query)
		check(t, err)
	}
	o.Locator = atlas{netip.MustParseAddr("192.0.2.1"): geo.MustLatLng(43.7, -70.3)}
	for _, option := range strings.Fields(options) {
		switch key, value, _ := strings.Cut(option, "="); key {
		case "include":
			if o.Include, err = suggest.ParseTypes([]string{value}); err != nil {
				return query, o, err
			}
		case "limit":
			o.Limit, err = strconv.Atoi(value)
			check(t, err)
		case "state":
			o.State = value
		case "country":
			o.Country = value
		case "proximity":
			o.Proximity = value
		case "client":
			o.Client = netip.MustParseAddr(value)
		default:
			t.Fatalf("unknown option %q", key)
		}
	}
	return query, o, nil
}

// listed writes matches and the codes of notices on a line.
func listed(r *suggest.Result) string {
	list := strings.Join(written(r), "; ")
	for _, n := range r.Notices {
		list += "; " + string(n.Code)
	}
	return cmp.Or(list, "nothing")
}

// written writes matches as "type name, state (bucket)".
func written(r *suggest.Result) []string {
	list := []string{}
	for _, m := range r.Matches {
		list = append(list, string(m.Type)+" "+m.Name+", "+m.State+m.Province+" ("+m.Bucket.String()+")")
	}
	return list
}

// The counties and states of all worlds.
var (
	countyNames = []string{"Cook", "Essex", "Fort Stewart"}
	worldStates = []store.State{
		{Country: store.US, Abbr: "CA", Name: "California", FIPS: "06"},
		{Country: store.US, Abbr: "IL", Name: "Illinois", FIPS: "17"},
		{Country: store.US, Abbr: "ME", Name: "Maine", FIPS: "23"},
		{Country: store.US, Abbr: "MO", Name: "Missouri", FIPS: "29"},
		{Country: store.US, Abbr: "NY", Name: "New York", FIPS: "36"},
		{Country: store.US, Abbr: "OR", Name: "Oregon", FIPS: "41"},
		{Country: store.CA, Abbr: "ON", Name: "Ontario"},
		{Country: store.CA, Abbr: "QC", Name: "Quebec"},
		{Country: store.US, Abbr: "MT", Name: "Montana", FIPS: "30"},
		{Country: store.US, Abbr: "ND", Name: "North Dakota", FIPS: "38"},
		{Country: store.US, Abbr: "NH", Name: "New Hampshire", FIPS: "33"},
		{Country: store.US, Abbr: "KS", Name: "Kansas", FIPS: "20"},
	}
	entityKinds = map[string]store.EntityKind{
		"state": store.EntityState, "place": store.EntityPlace, "city": store.EntityCity, "county": store.EntityCounty, "cbsa": store.EntityCBSA,
		"district": store.EntityDistrict,
	}
	thingLine = regexp.MustCompile(`^(\w+) (.+), ([A-Z]{2}) (-|\d+) (\d+) (\S+,\S+)(?: also (.+?))?(?: in (.+?))?(?: codes (.+))?$`)
)

// A thing is an entity with its other names.
type thing struct {
	store.Entity
	others []string
}

// newWorld returns an engine of the things and codes of world.txt.
func newWorld(tb testing.TB) *suggest.Engine { return suggest.NewEngine(writeWorld(tb, "world")) }

// writeWorld writes and opens a dataset of the things and codes of files of testdata, whose
// lines world.txt explains.
func writeWorld(tb testing.TB, files ...string) *store.Dataset {
	tb.Helper()
	w, check := lookuptest.Create(tb), lookuptest.Must(tb)
	check(w.SetStates(worldStates))
	check(w.SetCBSAs([]store.CBSA{{Code: "28140", Title: "Kansas City, MO-KS", Metropolitan: true}}))
	check(w.SetCounties([]store.County{
		{FIPS: "17031", Name: "Cook County", State: 2}, {FIPS: "36031", Name: "Essex County", State: 5}, {FIPS: "23099", Name: "Fort Stewart County", State: 3},
	}))
	var codes [][]string
	var things []thing
	for _, file := range files {
		text, err := os.ReadFile("testdata/" + file + ".txt")
		check(err)
		for line := range strings.Lines(string(text)) {
			m := thingLine.FindStringSubmatch(strings.TrimSpace(line))
			switch {
			case m == nil:
			case m[1] == "code":
				codes = append(codes, m)
			default:
				things = append(things, thing{entity(tb, m), strings.FieldsFunc(m[7], func(r rune) bool { return r == ',' })})
			}
		}
	}
	slices.SortFunc(codes, func(a, b []string) int { return cmp.Compare(a[2], b[2]) }) // those of a kind must ascend
	for _, m := range codes {
		code, city, _ := strings.Cut(m[2], " ")
		e := entity(tb, m)
		if z, ok := postcode.ParseZIP(code); ok {
			row := store.ZIPRow{ZIP: z, City: city, State: e.State, County: e.County, Class: store.General, Location: e.Location}
			check(w.AddZIP(row, store.ZIPDetail{Population: &e.Population}))
		} else if f, ok := postcode.ParseFSA(code); ok {
			check(w.AddFSA(store.FSARow{FSA: f, City: city, Province: e.State, Location: e.Location}, store.FSADetail{Population: &e.Population}))
		} else if p, ok := postcode.ParsePostalCode(code); ok {
			check(w.AddPostalCode(store.PostalRow{Code: p, City: city, Province: e.State, Location: e.Location}))
		}
	}
	slices.SortStableFunc(things, func(a, b thing) int { return cmp.Compare(a.Kind, b.Kind) })
	for _, e := range things {
		same := func(kind store.EntityKind) int {
			return slices.IndexFunc(things, func(y thing) bool { return y.Kind == kind && y.Name == e.Name && y.State == e.State })
		}
		switch e.Kind {
		case store.EntityState:
			e.Ref = uint32(e.State)
		case store.EntityCounty, store.EntityCBSA:
			e.Ref = uint32(max(1, e.County))
		case store.EntityPlace:
			e.Ref, e.Twin = 1_714_000, same(store.EntityCity)
		case store.EntityCity:
			e.Twin = same(store.EntityPlace)
		}
		keys := namekey.Keys(e.Name)
		check(w.AddEntity(e.Entity, storewrite.EntityNames{Own: keys[:1], Joined: keys[1:], Other: e.others}))
	}
	return w.Open()
}

// entity returns the entity of a line, or the place of a code.
func entity(tb testing.TB, line []string) store.Entity {
	tb.Helper()
	at, err := geo.ParseLatLng(line[6])
	check(tb, err)
	people, err := strconv.Atoi(strings.Replace(line[4], "-", strconv.Itoa(store.NoPopulation), 1))
	check(tb, err)
	prominence, err := strconv.Atoi(line[5])
	check(tb, err)
	e := store.Entity{
		Kind: entityKinds[line[1]], Name: line[2], Population: int32(people), Prominence: uint16(prominence), Location: at, Twin: -1,
		State:  store.StateID(1 + slices.IndexFunc(worldStates, func(s store.State) bool { return s.Abbr == line[3] })),
		County: store.CountyID(1 + slices.Index(countyNames, line[8])),
	}
	for _, code := range strings.Fields(line[9]) {
		e.ZIPs = append(e.ZIPs, postcode.ZIPOf(code))
	}
	return e
}

var check = checktest.Check
