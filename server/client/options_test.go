package client_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/address/geocode"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/lookup/suggest"
	"github.com/postgeo/postgeo/radius"
	"github.com/postgeo/postgeo/server"
	"github.com/postgeo/postgeo/server/client"
)

// A recorder keeps the options of the last call.
type recorder struct {
	*postgeo.DB
	got any
}

func (r *recorder) QuickLookup(ctx context.Context, code string, o lookup.QuickOptions) (*lookup.QuickRecord, error) {
	r.got = o
	return r.DB.QuickLookup(ctx, code, o)
}

func (r *recorder) Lookup(ctx context.Context, code string, o lookup.Options) (*lookup.Record, error) {
	r.got = o
	return r.DB.Lookup(ctx, code, o)
}

func (r *recorder) Radius(ctx context.Context, center string, o radius.Options) (*radius.Result, error) {
	r.got = o
	return r.DB.Radius(ctx, center, o)
}

func (r *recorder) Distance(ctx context.Context, from, to string, o radius.DistanceOptions) (*radius.DistanceResult, error) {
	r.got = o
	return r.DB.Distance(ctx, from, to, o)
}

func (r *recorder) MatchAddress(ctx context.Context, text string, o address.Options) (*address.Match, error) {
	r.got = o
	return r.DB.MatchAddress(ctx, text, o)
}

func (r *recorder) Geocode(ctx context.Context, text string, o geocode.Options) (*geocode.Result, error) {
	r.got = o
	return r.DB.Geocode(ctx, text, o)
}

func (r *recorder) Reverse(ctx context.Context, at geo.LatLng, o geocode.ReverseOptions) (*geocode.Nearest, error) {
	r.got = o
	return r.DB.Reverse(ctx, at, o)
}

func (r *recorder) Suggest(ctx context.Context, query string, o suggest.Options) (*suggest.Result, error) {
	r.got = o
	return r.DB.Suggest(ctx, query, o)
}

type nowhere struct{}

func (nowhere) LocateIP(context.Context, netip.Addr) (geo.LatLng, bool) { return geo.LatLng{}, false }

// A leaf is a field of options with a value.
type leaf struct {
	path  string
	index []int
	value reflect.Value
}

// leaves returns all exported fields of a type with a value other than zero.
func leaves(t *testing.T, of reflect.Type, path string, index []int) (list []leaf) {
	for i := range of.NumField() {
		f := of.Field(i)
		if !f.IsExported() {
			continue
		}
		l := leaf{path: strings.TrimPrefix(path+"."+f.Name, "."), index: append(append([]int(nil), index...), i)}
		switch v := reflect.New(f.Type).Elem(); {
		case f.Type == reflect.TypeFor[time.Time]():
			l.value = reflect.ValueOf(time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC))
		case f.Type == reflect.TypeFor[netip.Addr]():
			l.value = reflect.ValueOf(netip.MustParseAddr("192.0.2.1"))
		case f.Type == reflect.TypeFor[[]acs.Tag]():
			l.value = reflect.ValueOf([]acs.Tag{{Profile: acs.Social, Year: 2023}})
		case f.Name == "Country", f.Name == "State":
			l.value = reflect.ValueOf(map[string]string{"Country": "US", "State": "CA"}[f.Name])
		case f.Type == reflect.TypeFor[[]suggest.Type]():
			l.value = reflect.ValueOf([]suggest.Type{suggest.Place, suggest.County})
		case f.Type == reflect.TypeFor[radius.Mode]():
			l.value = reflect.ValueOf(radius.Spatial)
		case f.Type == reflect.TypeFor[radius.Auto]():
			l.value = reflect.ValueOf(radius.Density)
		case f.Name == "Dropped":
			l.value = reflect.ValueOf([]string{"census"})
		case f.Type.Kind() == reflect.Struct:
			list = append(list, leaves(t, f.Type, l.path, l.index)...)
			continue
		default:
			switch f.Type.Kind() {
			case reflect.Bool:
				v.SetBool(true)
			case reflect.Int:
				v.SetInt(3)
			case reflect.Uint8, reflect.Uint16, reflect.Uint32:
				v.SetUint(1)
			case reflect.Float64:
				v.SetFloat(3)
			case reflect.String:
				v.SetString("name")
			case reflect.Slice:
				v.Set(reflect.MakeSlice(f.Type, 1, 1))
				if f.Type.Elem().Kind() == reflect.String {
					v.Index(0).SetString("name")
				}
			case reflect.Pointer:
				v.Set(reflect.New(f.Type.Elem()))
			case reflect.Interface:
				v.Set(reflect.ValueOf(nowhere{}))
			default:
				t.Fatalf("%s has the type %v, of which this test has no value", l.path, f.Type)
			}
			l.value = v
		}
		list = append(list, l)
	}
	return list
}

// TestEveryOption sets every option by itself and compares it with the one that the
// server passes to the library. An option without a parameter is an error.
func TestEveryOption(t *testing.T) {
	r := &recorder{DB: sampletest.Open(t)}
	c := newClient(t, serve(t, r, server.Config{}).URL, client.Options{})
	ctx := t.Context()
	const code, text = "90210", "101 N Aspen Dr Ste 101, New York, NY 10118"
	at := geo.MustLatLng(34.09, -118.4)
	every(t, r, lookup.QuickOptions{}, nil,
		func(o lookup.QuickOptions) (err error) { _, _, err = c.QuickLookup(ctx, code, o); return err },
		func(o lookup.QuickOptions) (err error) {
			_, err = c.QuickLookupBatch(ctx, []string{code}, o)
			return err
		})
	every(t, r, lookup.Options{}, []string{"ACS"},
		func(o lookup.Options) (err error) { _, _, err = c.Lookup(ctx, code, o); return err },
		func(o lookup.Options) (err error) { _, err = c.LookupBatch(ctx, []string{code}, o); return err })
	every(t, r, radius.DistanceOptions{}, nil,
		func(o radius.DistanceOptions) (err error) { _, _, err = c.Distance(ctx, code, code, o); return err },
		func(o radius.DistanceOptions) (err error) {
			_, err = c.DistanceBatch(ctx, []client.Pair{{From: code, To: code}}, o)
			return err
		})
	every(t, r, radius.Options{Max: 5}, []string{"ACS"},
		func(o radius.Options) (err error) { _, _, err = c.Radius(ctx, code, o); return err },
		func(o radius.Options) (err error) {
			if o.Mode == radius.Spatial {
				return nil // TestRadiusRefusedHere
			}
			_, err = c.RadiusBatch(ctx, []radius.Query{{Center: code, Options: o}})
			return err
		})
	every(t, r, suggest.Options{}, []string{"Locator", "Client"},
		func(o suggest.Options) (err error) { _, _, err = c.Suggest(ctx, "portl", o); return err })
	every(t, r, address.Options{}, []string{"At"},
		func(o address.Options) (err error) { _, _, err = c.MatchAddress(ctx, text, o); return err },
		func(o address.Options) (err error) { _, err = c.MatchAddressBatch(ctx, []string{text}, o); return err })
	every(t, r, geocode.Options{}, []string{"Include.Coordinates", "At"},
		func(o geocode.Options) (err error) { _, _, err = c.Geocode(ctx, text, o); return err },
		func(o geocode.Options) (err error) { _, err = c.GeocodeBatch(ctx, []string{text}, o); return err })
	every(t, r, geocode.ReverseOptions{}, []string{"Include.Coordinates", "At"},
		func(o geocode.ReverseOptions) (err error) { _, _, err = c.Reverse(ctx, at, o); return err },
		func(o geocode.ReverseOptions) (err error) {
			_, err = c.ReverseBatch(ctx, []geo.LatLng{at}, o)
			return err
		})
}

// every sets each field of valid options in turn. The fields of refused have no
// parameter.
func every[O any](t *testing.T, r *recorder, valid O, refused []string, calls ...func(O) error) {
	t.Helper()
	for _, l := range leaves(t, reflect.TypeFor[O](), "", nil) {
		o := valid
		reflect.ValueOf(&o).Elem().FieldByIndex(l.index).Set(l.value)
		for i, call := range calls {
			name := fmt.Sprintf("%T.%s, call %d", o, l.path, i)
			r.got = nil
			err := call(o)
			if at := slices.IndexFunc(refused, func(name string) bool { return strings.HasPrefix(l.path+".", name+".") }); at >= 0 {
				if err == nil || !strings.Contains(err.Error(), refused[at]+" has no parameter over HTTP") || r.got != nil {
					t.Errorf("%s: %v, server received %v; want an error that names the option", name, err, r.got)
				}
				continue
			}
			if r.got == nil {
				if err != nil || i == 0 {
					t.Errorf("%s: nothing received, %v", name, err)
				}
				continue
			}
			if got := reflect.ValueOf(r.got).FieldByIndex(l.index); !reflect.DeepEqual(got.Interface(), l.value.Interface()) {
				t.Errorf("%s: server received %v; want %v", name, got, l.value)
			}
		}
	}
}

// A transport answers without a network.
type transport func(r *http.Request) *http.Response

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r), nil }

// FuzzAnswer checks that no response makes the client panic or exceed its
// retries and delays. It must return a value or an error.
func FuzzAnswer(f *testing.F) {
	f.Add(200, "", good)
	f.Add(429, "60", failed("RATE_LIMIT_MINUTE"))
	f.Add(503, "Tue, 30 Jun 2026 12:00:09 GMT", "<html>")
	f.Add(200, "", `{"results":[{"error":{}}]}`)
	f.Fuzz(func(t *testing.T, status int, retryAfter, body string) {
		asked := 0
		c := newClient(t, "http://example.com", client.Options{
			Key: testKey, MaxResponse: 1 << 20,
			HTTPClient: &http.Client{Transport: transport(func(r *http.Request) *http.Response {
				asked++
				return &http.Response{
					StatusCode: status, Header: http.Header{"Retry-After": {retryAfter}},
					Body: io.NopCloser(strings.NewReader(body)), Request: r,
				}
			})},
			Sleep: func(_ context.Context, d time.Duration) error {
				if d < 0 || d > time.Minute {
					t.Errorf("waits %v", d)
				}
				return nil
			},
		})
		rec, _, err := c.Lookup(t.Context(), "90210", lookup.Options{})
		if (rec == nil) == (err == nil) || asked > 3 {
			t.Errorf("%v, %v after %d requests", rec, err, asked)
		}
		if b, err := c.LookupBatch(t.Context(), []string{"90210"}, lookup.Options{}); len(b.Items) != 1 || (b.Items[0].Err == nil) == (b.Items[0].Value == nil) {
			t.Errorf("%+v, %v", b, err)
		}
	})
}
