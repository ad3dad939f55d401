package server_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
	"github.com/postgeo/postgeo/internal/tzif"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/server"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// testFile is the small dataset that every test reads.
var testFile string

func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "8"); err != nil { // those that are parallel wait rather than compute
		panic(err)
	}
	dir, err := os.MkdirTemp("", "postgeo-server")
	if err == nil {
		testFile = filepath.Join(dir, "test.db")
		err = writeDataset(testFile, "test-1")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "making the test dataset:", err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// must takes the value of a parser that cannot fail on constants.
func must[T any](v T, ok bool) T {
	if !ok {
		panic("bad constant in the test dataset")
	}
	return v
}

// writeDataset writes a dataset with one code of each kind.
func writeDataset(path, version string) error {
	w, err := storewrite.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(
		w.SetStates([]store.State{
			{Country: store.US, Abbr: "AE", Name: "Armed Forces Europe"},
			{Country: store.US, Abbr: "CA", Name: "California", FIPS: "06", Region: "West", Division: "Pacific"},
			{Country: store.US, Abbr: "NY", Name: "New York", FIPS: "36", Region: "Northeast", Division: "Middle Atlantic"},
			{Country: store.CA, Abbr: "ON", Name: "Ontario"},
		}),
		w.SetCBSAs([]store.CBSA{{Code: "31080", Title: "Los Angeles-Long Beach-Anaheim, CA", Metropolitan: true, CSA: "348", CSATitle: "Los Angeles-Long Beach, CA"}}),
		w.SetDivisions([]store.Division{{Code: "31084", Title: "Los Angeles-Long Beach-Glendale, CA", CBSA: 1}}),
		w.SetCounties([]store.County{
			{FIPS: "06037", Name: "Los Angeles County", State: 2, CBSA: 1, Division: 1},
			{FIPS: "36061", Name: "New York County", State: 3},
		}),
		w.SetZones([]store.Zone{tzif.Row("America/Los_Angeles", "test zones"), tzif.Row("America/New_York", "test zones"), tzif.Row("America/Toronto", "test zones")}),
		w.AddZIP(store.ZIPRow{ZIP: must(postcode.ParseZIP("09012")), City: "APO", State: 1, Class: store.Military}, store.ZIPDetail{Population: new(int32(25_000))}),
		w.AddZIP(store.ZIPRow{
			ZIP: must(postcode.ParseZIP("10001")), City: "New York", Municipality: "New York", State: 3, County: 2,
			Class: store.General, Zone: 2, Location: geo.MustLatLng(40.7506, -73.9972),
		}, store.ZIPDetail{AreaCodes: []uint16{212, 646}}),
		w.AddZIP(store.ZIPRow{
			ZIP: must(postcode.ParseZIP("90210")), City: "Beverly Hills", Municipality: "Beverly Hills", State: 2, County: 1,
			Class: store.General, Zone: 1, Location: geo.MustLatLng(34.0901, -118.4065),
		}, store.ZIPDetail{
			AreaCodes: []uint16{310, 424}, Elevation: new(200.0), LandArea: new(int64(25_000_000)), WaterArea: new(int64(120_000)),
			FacilityCode: "P", CityDelivery: "Y", ZIP4Count: new(int32(1)),
			DeliveryPoints: &store.DeliveryPoints{TotalActive: 12, Business: 2, Residential: 9, POBox: 1},
			Aliases:        []store.CityAlias{{City: "Beverly Hills P O", MailingName: "N"}},
		}),
		w.AddZIP(store.ZIPRow{
			ZIP: must(postcode.ParseZIP("90213")), City: "Beverly Hills", State: 2, County: 1,
			Class: store.POBox, Zone: 1, Location: geo.MustLatLng(34.0652, -118.384),
		}, store.ZIPDetail{}),
		setAreas(w.SetZIPAreas, map[postcode.ZIP]orb.Bound{
			must(postcode.ParseZIP("10001")): {Min: orb.Point{-74.01, 40.74}, Max: orb.Point{-73.98, 40.76}},
			must(postcode.ParseZIP("90210")): {Min: orb.Point{-118.45, 34.05}, Max: orb.Point{-118.37, 34.13}},
		}),
		setAreas(w.SetFSAAreas, map[postcode.FSA]orb.Bound{
			must(postcode.ParseFSA("K1A")): {Min: orb.Point{-75.75, 45.4}, Max: orb.Point{-75.65, 45.45}},
		}),
		w.AddFSA(store.FSARow{FSA: must(postcode.ParseFSA("K1A")), City: "Ottawa", Municipality: "Ottawa", Province: 4, Zone: 3, Location: geo.MustLatLng(45.4207, -75.7023)},
			store.FSADetail{AreaCodes: []uint16{613}, Population: new(int32(50)), PostalCodes: new(int32(1))}),
		w.AddPostalCode(store.PostalRow{Code: must(postcode.ParsePostalCode("K1A 0B1")), City: "Ottawa", Province: 4, Zone: 3, Location: geo.MustLatLng(45.4215, -75.6972)}),
		w.AddZIP4(store.ZIP4Record{
			ZIP: must(postcode.ParseZIP("90210")), Low: 1234, High: 1234, RecordType: 'S', CarrierRoute: "C001",
			PreDir: "N", Street: "SAMPLE", Suffix: "DR", AddrLow: "0000000400", AddrHigh: "0000000498", OddEven: 'E', State: "CA", CountyFIPS: "037",
			Location: geo.MustLatLng(34.0905, -118.4),
		}),
		w.AddZIP4(store.ZIP4Record{ // without a point
			ZIP: must(postcode.ParseZIP("90210")), Low: 1240, High: 1240, RecordType: 'S', CarrierRoute: "C001",
			Street: "QUILLET", Suffix: "ST", AddrLow: "0000000002", AddrHigh: "0000000198", OddEven: 'E', State: "CA", CountyFIPS: "037",
		}),
		addEntities(w),
		addRoads(w),
		w.Finish(dataset.Manifest{
			Version: version, Built: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Builder: "server tests", Layers: []string{"identity"},
			Sources: []dataset.Source{{ID: "test", Title: "Test", License: "none"}},
		}),
	)
}

// addRoads adds a street of 90210 with two points, and one with ranges that meets it.
func addRoads(w interface{ AddRoad(store.Road) error }) error {
	area, at := store.CodeOfZIP(90210), geo.MustLatLng
	line := []geo.LatLng{at(34.1, -118.41), at(34.1, -118.4)}
	for _, r := range []store.Road{
		{Area: area, RoadName: store.RoadName{PreDir: "N", Name: "SAMPLE", Suffix: "DR"}, Points: []store.AddressPoint{
			{Number: store.HouseNumber{Value: 400}, Location: at(34.101, -118.4), Origin: store.RoadOrigin{Source: "test"}},
			{Number: store.HouseNumber{Value: 404}, Location: at(34.1014, -118.4), Origin: store.RoadOrigin{Source: "test"}},
		}, Segments: []store.RoadSegment{{
			Line: []geo.LatLng{at(34.1, -118.4), at(34.102, -118.4)}, Left: store.NumberRange{From: 400, To: 498, Parity: 'E'}, Origin: store.RoadOrigin{Source: "test"},
		}}},
		{Area: area, RoadName: store.RoadName{Name: "QUILLET", Suffix: "ST"}, Segments: []store.RoadSegment{{
			Line: line, Left: store.NumberRange{From: 2, To: 98, Parity: 'E'}, Right: store.NumberRange{From: 1, To: 99, Parity: 'O'}, Origin: store.RoadOrigin{Source: "test"},
		}}},
	} {
		if err := w.AddRoad(r); err != nil {
			return err
		}
	}
	return nil
}

// addEntities adds a thing of each kind that has a name.
func addEntities(w *storewrite.Writer) error {
	beverlyHills, brooklyn := geo.MustLatLng(34.0786, -118.4021), geo.MustLatLng(40.6501, -73.9496)
	for _, e := range []struct {
		entity store.Entity
		keys   []string
		others []string
	}{
		{store.Entity{Kind: store.EntityState, Name: "California", State: 2, Ref: 2, Population: 39_000_000, Prominence: 48_000, Twin: -1}, []string{"california"}, []string{"ca", "calif"}},
		{store.Entity{Kind: store.EntityState, Name: "Ontario", State: 4, Ref: 4, Population: store.NoPopulation, Prominence: 46_000, Twin: -1}, []string{"ontario"}, []string{"on"}},
		{store.Entity{
			Kind: store.EntityPlace, Name: "Beverly Hills", State: 2, County: 1, Ref: 606308, Population: 32_700, Prominence: 30_000, Twin: 4,
			Location: beverlyHills, Box: geo.Box{SouthWest: geo.MustLatLng(34.05, -118.43), NorthEast: geo.MustLatLng(34.11, -118.37)},
			ZIPs: []postcode.ZIP{90210, 90213},
		}, []string{"beverly hills"}, nil},
		{store.Entity{Kind: store.EntityPlace, Name: "Ottawa", State: 4, Ref: 3506008, Population: 1_017_449, Prominence: 40_000, Twin: -1}, []string{"ottawa"}, nil},
		{store.Entity{Kind: store.EntityCity, Name: "Beverly Hills", State: 2, County: 1, Population: 33_000, Prominence: 30_000, Twin: 2, Location: beverlyHills, ZIPs: []postcode.ZIP{90210, 90213}}, []string{"beverly hills"}, nil},
		{store.Entity{Kind: store.EntityCity, Name: "Brooklyn", State: 3, County: 2, Population: 2_600_000, Prominence: 43_000, Twin: -1, Location: brooklyn}, []string{"brooklyn"}, []string{"bklyn"}},
		{store.Entity{Kind: store.EntityCounty, Name: "Los Angeles County", State: 2, County: 1, Ref: 1, Population: 9_800_000, Prominence: 38_000, Twin: -1}, []string{"los angeles county", "los angeles"}, nil},
		{store.Entity{Kind: store.EntityCBSA, Name: "Los Angeles-Long Beach-Anaheim, CA", State: 2, Ref: 1, Population: 12_900_000, Prominence: 37_000, Twin: -1}, []string{"los angeles long beach anaheim"}, []string{"31080"}},
		{store.Entity{Kind: store.EntityDistrict, Name: "Beverly Hills Unified School District", State: 2, Ref: 604830, Population: store.NoPopulation, Prominence: 20_000, Twin: -1}, []string{"beverly hills unified school district"}, []string{"beverly hills usd"}},
	} {
		if err := w.AddEntity(e.entity, storewrite.EntityNames{Own: e.keys, Other: e.others}); err != nil {
			return err
		}
	}
	return nil
}

// setAreas gives codes boxes for areas.
func setAreas[K store.AreaKey](set func(storewrite.AreaLayer[K]) error, boxes map[K]orb.Bound) error {
	var b spatial.PolygonIndexBuilder
	l := storewrite.AreaLayer[K]{Sources: []string{"test areas"}}
	for _, key := range slices.Sorted(maps.Keys(boxes)) {
		if err := b.Add(orb.MultiPolygon{boxes[key].ToPolygon()}); err != nil {
			return err
		}
		l.Keys = append(l.Keys, key)
	}
	var err error
	if l.Packed, err = b.AppendBinary(nil); err != nil {
		return err
	}
	return set(l)
}

// openDB opens the test dataset.
func openDB(t testing.TB) *postgeo.DB {
	t.Helper()
	db := sampletest.File(t, testFile)
	return db
}

// A ticking clock begins at noon and advances by step with every call.
func ticking(step time.Duration) func() time.Time {
	noon := time.Date(2026, 6, 30, 12, 0, 0, 0, time.UTC)
	var calls atomic.Int64 // checks of health call it too
	return func() time.Time { return noon.Add(time.Duration(calls.Add(1)) * step) }
}

// zeros is entropy without surprise.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

var testLinks = envelope.Links{
	Site: "https://example.com/", Account: "https://example.com/account", Pricing: "https://example.com/pricing",
	Docs: "https://example.com/docs", AuthDocs: "https://example.com/docs#authentication",
}

// newServer returns a server whose answers are the same in every run. set may
// change its configuration.
func newServer(t testing.TB, db server.DB, set ...func(*server.Config)) *server.Server {
	t.Helper()
	cfg := server.Config{Links: testLinks, Now: ticking(2 * time.Millisecond), Entropy: zeros{}}
	for _, f := range set {
		f(&cfg)
	}
	s, err := server.New(db, cfg)
	check(t, err)
	return s
}

// wasReset is the status that do returns if the handler cut the answer off.
const wasReset = -1

// do sends a request to a handler.
func do(h http.Handler, r *http.Request) *http.Response {
	w := httptest.NewRecorder()
	reset := serve(h, w, r)
	resp := w.Result()
	resp.Request = r
	if reset {
		resp.StatusCode = wasReset
	}
	return resp
}

func isRetryable(e *envelope.Error) bool { return e.Retryable != nil && *e.Retryable }

// serve has a handler answer, and reports whether it cut the answer off, for
// which net/http resets the connection.
func serve(h http.Handler, w http.ResponseWriter, r *http.Request) (reset bool) {
	defer func() {
		switch p := recover(); p {
		case nil:
		case http.ErrAbortHandler:
			reset = true
		default:
			panic(p)
		}
	}()
	h.ServeHTTP(w, r)
	return false
}

func get(target string) *http.Request { return httptest.NewRequest(http.MethodGet, target, nil) }

func post(target, body string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, target, strings.NewReader(body))
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(body)), nil }
	return r
}

// readAll reads the body of an answer and holds it to the document of the
// interface. Every golden answer passes here.
func readAll(t testing.TB, resp *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(resp.Body)
	check(t, err)
	heldToContract(t, resp, b)
	return string(b)
}

// dump writes an answer with its headers in order, and its body as it is.
func dump(t testing.TB, resp *http.Response) string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintln(&b, resp.StatusCode)
	var names []string
	for name := range resp.Header {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		for _, v := range resp.Header[name] {
			fmt.Fprintf(&b, "%s: %s\n", name, v)
		}
	}
	body := readAll(t, resp)
	if resp.Request != nil {
		if err := asksByContract(contract(t), resp.Request, resp.StatusCode, body); err != nil {
			t.Errorf("%s %s asks otherwise than /v2/openapi.json says: %v", resp.Request.Method, resp.Request.URL, err)
		}
	}
	fmt.Fprintf(&b, "\n%s\n", body)
	return b.String()
}

// golden compares got with a file of testdata, or rewrites the file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		check(t, os.WriteFile(path, []byte(got), 0o644))
		return
	}
	want, err := os.ReadFile(path)
	check(t, err)
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs; run the test with -update if that is meant (-want +got):\n%s", path, diff)
	}
}

// A brokenDB fails as its functions do. If they are nil, it uses the dataset.
type brokenDB struct {
	*postgeo.DB
	quick func(ctx context.Context) (*lookup.QuickRecord, error)
	full  func(ctx context.Context) (*lookup.Record, error)
	match func(ctx context.Context, text string) (*address.Match, error)
	ping  func(ctx context.Context) error
}

func (b brokenDB) Lookup(ctx context.Context, code string, o lookup.Options) (*lookup.Record, error) {
	if b.full != nil {
		return b.full(ctx)
	}
	return b.DB.Lookup(ctx, code, o)
}

func (b brokenDB) QuickLookup(ctx context.Context, code string, o lookup.QuickOptions) (*lookup.QuickRecord, error) {
	if b.quick != nil {
		return b.quick(ctx)
	}
	return b.DB.QuickLookup(ctx, code, o)
}

func (b brokenDB) MatchAddress(ctx context.Context, text string, o address.Options) (*address.Match, error) {
	if b.match != nil {
		return b.match(ctx, text)
	}
	return b.DB.MatchAddress(ctx, text, o)
}

func (b brokenDB) Ping(ctx context.Context) error {
	if b.ping != nil {
		return b.ping(ctx)
	}
	return b.DB.Ping(ctx)
}
