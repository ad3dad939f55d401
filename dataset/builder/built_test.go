package builder_test

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

// built is a dataset that was built, and the report about it.
type built struct {
	*store.Dataset
	t      *testing.T
	report *builder.Report
	path   string
}

// build builds a new file and opens it.
func build(t *testing.T, o builder.Options) (*built, error) {
	o.Output = filepath.Join(t.TempDir(), "out.db")
	report, err := builder.Build(t.Context(), o)
	if err != nil {
		return nil, err
	}
	return &built{Dataset: lookuptest.OpenFile(t, o.Output), t: t, report: report, path: o.Output}, nil
}

// extend adds to the dataset and opens the resulting file.
func (b *built) extend(o builder.Options) (*built, error) {
	o.Output, o.Cache = filepath.Join(b.t.TempDir(), "more.db"), b.t.TempDir()
	report, err := builder.Extend(b.t.Context(), b.path, o)
	if err != nil {
		return nil, err
	}
	return &built{Dataset: lookuptest.OpenFile(b.t, o.Output), t: b.t, report: report, path: o.Output}, nil
}

// expects compares the dataset and the report with lines as those of testdata/rules.txt.
func (b *built) expects(script string) {
	b.t.Helper()
	for line := range strings.Lines(script) {
		if list := words(line); len(list) > 0 {
			b.expect(list[0], list[1:])
		}
	}
}

func (b *built) expect(subject string, args []string) {
	b.t.Helper()
	rest := strings.Join(args[1:], " ")
	var got string
	switch subject {
	case "rule":
		got = fmt.Sprint(b.count(b.report.Rules, rest))
	case "refused":
		got = fmt.Sprint(b.count(b.report.Refused, rest))
	case "gap":
		i := slices.IndexFunc(b.report.Gaps, func(g dataset.Gap) bool { return g.Name == rest })
		if got = "0"; i >= 0 {
			got = fmt.Sprint(b.report.Gaps[i].Count)
		}
	case "report":
		var text strings.Builder
		check(b.t, b.report.WriteText(&text))
		if want := strings.Join(args, " "); !strings.Contains(text.String(), want) {
			b.t.Errorf("no %q in the report:\n%s", want, &text)
		}
		return
	case "layer": // layer ID [GEOID] field value
		n := 2 - len(args)%2
		b.compare(subject+" "+strings.Join(args[:n], " "), args[n:])
		return
	default:
		b.compare(subject, args)
		return
	}
	if got != args[0] {
		b.t.Errorf("%s %s: %s, want %s", subject, rest, got, args[0])
	}
}

// compare compares fields with their values. A field:has has the value among others, and
// Within:N is a point at most N miles from it.
func (b *built) compare(subject string, fields []string) {
	b.t.Helper()
	if len(fields)%2 == 1 {
		fields = append(fields, "")
	}
	for pair := range slices.Chunk(fields, 2) {
		name, want := pair[0], pair[1]
		var miles float64
		if _, err := fmt.Sscanf(name, "Within:%g", &miles); err == nil {
			got, _ := geo.ParseLatLng(b.field(subject, "Location"))
			if at, err := geo.ParseLatLng(want); err != nil || !got.IsValid() || float64(geo.Distance(got, at).Miles()) > miles {
				b.t.Errorf("%s is at %v, want at most %v miles from %s", subject, got, miles, want)
			}
			continue
		}
		name, among := strings.CutSuffix(name, ":has")
		if got := b.field(subject, name); got != want && !(among && slices.Contains(strings.Split(got, ", "), want)) {
			b.t.Errorf("%s: %s is %q, want %q", subject, name, got, want)
		}
	}
}

// field returns a field of a subject as text, "none" for the zero value.
func (b *built) field(subject, name string) string {
	b.t.Helper()
	rows := b.rows(subject)
	if name == "absent" {
		return map[bool]string{false: "there"}[len(rows) == 0]
	}
	if layer, ok := strings.CutPrefix(name, "Met:"); ok {
		return strings.Join(b.met(subject, b.layerID(layer)), ", ")
	}
	if state, ok := strings.CutPrefix(name, "In:"); ok { // areas of a layer in a state
		l, n := b.Layer(b.layerID(strings.TrimPrefix(subject, "layer "))), 0
		for i := range l.Len() {
			if b.State(l.Area(i).State).Abbr == state {
				n++
			}
		}
		return fmt.Sprint(n)
	}
	for _, row := range rows {
		if v := reflect.Indirect(reflect.ValueOf(row)).FieldByName(name); v.IsValid() {
			return b.text(v)
		}
	}
	b.t.Errorf("%s has no field %s", subject, name)
	return ""
}

func (b *built) layerID(name string) store.LayerID {
	b.t.Helper()
	id, ok := store.ParseLayerID(name)
	if !ok {
		b.t.Fatalf("unknown layer %q", name)
	}
	return id
}

// Further fields of codes.
type derived struct{ Outline, Zones, ZoneSource, People string }

// rows returns the rows of a ZIP Code, FSA, postal code, point, layer, area of a layer,
// place or county.
func (b *built) rows(subject string) (list []any) {
	b.t.Helper()
	more := func(code store.Code, zone store.ZoneID, outline string) derived {
		n, ok := b.Population(code)
		people := map[bool]string{true: fmt.Sprint(n)}[ok]
		return derived{Outline: outline, Zones: b.zoneShares(b.ZoneShares(code)), ZoneSource: b.Zone(zone).Source, People: people}
	}
	if zip, ok := postcode.ParseZIP(subject); ok {
		if row, ok := b.ZIP(zip); ok {
			d, err := b.ZIPDetail(b.t.Context(), zip)
			check(b.t, err)
			list = []any{row, d, d.Quality, more(store.CodeOfZIP(zip), row.Zone, b.ZIPAreas().SourceOf(zip))}
		}
	} else if fsa, ok := postcode.ParseFSA(subject); ok {
		if row, ok := b.FSA(fsa); ok {
			d, err := b.FSADetail(b.t.Context(), fsa)
			check(b.t, err)
			list = []any{row, d, d.Quality, more(store.CodeOfFSA(fsa), row.Zone, b.FSAAreas().SourceOf(fsa))}
		}
	} else if postal, ok := postcode.ParsePostalCode(subject); ok {
		if row, ok := b.PostalCode(postal); ok {
			list = []any{row}
		}
	} else if at, err := geo.ParseLatLng(subject); err == nil {
		var around struct {
			State  store.StateID
			County store.CountyID
			ZIP    string
			Zone   store.ZoneID

			Polygons int // of the state
		}
		around.State, _ = b.StateAreas().Containing(at)
		if i, ok := b.StateAreas().Find(around.State); ok {
			around.Polygons = len(b.StateAreas().Index().Polygons(i))
		}
		around.County, _ = b.CountyAreas().Containing(at)
		around.Zone, _ = b.ZoneAreas().Containing(at)
		if zip, ok := b.ZIPAreas().Containing(at); ok {
			around.ZIP = zip.String()
		}
		list = []any{around}
	} else if name, ok := strings.CutPrefix(subject, "layer "); ok {
		name, geoid, one := strings.Cut(name, " ")
		l := b.Layer(b.layerID(name))
		if i, ok := l.Find(geoid); ok {
			list = []any{l.Area(i)}
		} else if !one {
			list = []any{l.Info(), struct{ Len int }{l.Len()}}
		}
	} else if subject == "areas" {
		list = []any{struct{ ZIP, FSA, State, County, Zone int }{
			b.ZIPAreas().Len(), b.FSAAreas().Len(), b.StateAreas().Len(), b.CountyAreas().Len(), b.ZoneAreas().Len(),
		}}
	}
	for i := range b.Entities().Len() {
		if e := b.Entities().At(i); e.Name == subject && (e.Kind == store.EntityPlace || e.Kind == store.EntityCounty) {
			list = append(list, e)
		}
	}
	return list
}

// text returns a value as rules.txt has it.
func (b *built) text(v reflect.Value) string {
	if v.IsZero() && v.Kind() != reflect.Bool && v.Type() != reflect.TypeFor[store.Tri]() {
		return "none"
	}
	switch x := v.Interface().(type) {
	case store.StateID:
		return b.State(x).Abbr
	case store.CountyID:
		return b.county(x)
	case store.ZoneID:
		return b.Zone(x).Name
	case store.Class:
		return x.Name()
	case fmt.Stringer:
		return x.String()
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.Elem().Kind() == reflect.Struct {
			return b.text(v.Elem())
		}
		return fmt.Sprint(v.Elem())
	case reflect.Slice:
		var list []string
		for i := range v.Len() {
			list = append(list, b.text(v.Index(i)))
		}
		return strings.Join(list, ", ")
	case reflect.Struct:
		var list []string
		for i := range v.NumField() {
			if f := v.Field(i); !f.IsZero() {
				list = append(list, v.Type().Field(i).Name+"="+b.text(f))
			}
		}
		return "{" + strings.Join(list, " ") + "}"
	}
	return fmt.Sprint(v)
}

func (b *built) zoneShares(list []store.ZoneShare) string {
	var parts []string
	for _, s := range list {
		parts = append(parts, fmt.Sprintf("%s %v", b.Zone(s.Zone).Name, s.Percent))
	}
	return strings.Join(parts, ", ")
}

func (b *built) county(id store.CountyID) string {
	if id == 0 {
		return ""
	}
	return b.County(id).FIPS
}

// met are the parts of a code in the areas of a layer: the code of the area, the
// percentage and the people.
func (b *built) met(code string, id store.LayerID) []string {
	b.t.Helper()
	of, isFSA := postcode.ParseFSA(code)
	key := store.CodeOfFSA(of)
	if !isFSA {
		key = store.CodeOfZIP(zipOf(b.t, code))
	}
	c, err := b.Overlaps(b.t.Context(), key)
	check(b.t, err)
	var list []string
	for _, o := range c.Of(id) {
		list = append(list, fmt.Sprintf("%s %.1f%% %d", b.Layer(id).GEOID(o.Area), o.PercentOfCode, o.People))
	}
	return list
}

// count returns how often a finding whose name contains the text was made.
func (b *built) count(findings []builder.Finding, text string) (n int64) {
	for _, f := range findings {
		if strings.Contains(f.Name, text) {
			n += f.Count
		}
	}
	return n
}

// zip returns a ZIP of the dataset with its detail.
func (b *built) zip(code string) (store.ZIPRow, *store.ZIPDetail) {
	b.t.Helper()
	zip := zipOf(b.t, code)
	row, ok := b.ZIP(zip)
	if !ok {
		b.t.Fatalf("%s is not in the dataset", code)
	}
	d, err := b.ZIPDetail(b.t.Context(), zip)
	check(b.t, err)
	return row, d
}

func zipOf(t *testing.T, code string) postcode.ZIP {
	t.Helper()
	z, ok := postcode.ParseZIP(code)
	if !ok {
		t.Fatalf("bad ZIP %s", code)
	}
	return z
}
