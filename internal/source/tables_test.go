package source_test

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/mirrortest"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/store"
)

// read collects the rows of a sequence, the errors about single rows, and the
// error that ended it.
func read[R any](rows iter.Seq2[R, error]) (good []R, refused []string, err error) {
	for r, e := range rows {
		switch bad := (*format.Error)(nil); {
		case e == nil:
			good = append(good, r)
		case errors.Is(e, format.ErrValue) && errors.As(e, &bad):
			refused = append(refused, fmt.Sprintf("%d:%s", bad.Line, bad.Column))
		default:
			err = e
		}
	}
	return good, refused, err
}

func text(lines ...string) format.File {
	return format.File{Path: "test.txt", Content: []byte(strings.Join(lines, "\n") + "\n")}
}

// rowsBy are readers by their names in testdata/readers.txt.
var rowsBy = map[string]func(format.File) iter.Seq2[any, error]{
	"GeoNames": anyRows(source.GeoNames), "Gazetteer": anyRows(source.Gazetteer(5)), "Delineation": anyRows(source.Delineation), "UDS": anyRows(source.UDS),
	"ZIPDatabase": anyRows(source.ZIPDatabase), "BlockGroupCenters": anyRows(source.BlockGroupCenters), "Elevations": anyRows(source.Elevations),
	"FSAPopulation": anyRows(source.FSAPopulation), "Correspondence": anyRows(source.Correspondence), "CodeBlocks": anyRows(source.CodeBlocks),
	"DAPoints": anyRows(source.DAPoints), "DALinks": anyRows(source.DALinks), "Subdivisions": anyRows(source.Subdivisions),
	"MetroAreas": anyRows(source.MetroAreas), "EconomicRegions": anyRows(source.EconomicRegions), "SchoolOffices": anyRows(source.SchoolOffices),
	"SchoolAgencies": anyRows(source.SchoolAgencies), "SchoolIDs": anyRows(source.SchoolIDs), "SSACounties": anyRows(source.SSACounties),
	"RatingAreas": anyRows(source.RatingAreas), "ZIPBusiness": anyRows(source.ZIPBusiness), "ReadZIP4Points": anyRows(source.ReadZIP4Points),
	"TimeZones": anyRows(source.LayerColumns{ID: "tzid"}.Areas), "Codes": anyRows(source.Table[struct {
		Codes []uint16 `col:"codes"`
	}]),
}

func anyRows[R any](rows func(format.File) iter.Seq2[R, error]) func(format.File) iter.Seq2[any, error] {
	return func(f format.File) iter.Seq2[any, error] {
		return func(yield func(any, error) bool) {
			for r, err := range rows(f) {
				if !yield(r, err) {
					return
				}
			}
		}
	}
}

// fields returns the fields of a row that are not empty, and its line.
func fields(row any) (text string, line int) {
	var list []string
	v := reflect.ValueOf(row)
	for i := range v.NumField() {
		f, name := v.Field(i), v.Type().Field(i).Name
		if class, ok := f.Interface().(store.Class); ok {
			list = append(list, name+"="+class.Name())
		} else if name == "Line" {
			line = int(f.Int())
		} else if !f.IsZero() {
			list = append(list, fmt.Sprintf("%s=%v", name, reflect.Indirect(f)))
		}
	}
	return strings.Join(list, " "), line
}

// outcome returns what becomes of a file: for each line the row, or the error about it, and
// the error about the file.
func outcome(t *testing.T, rows iter.Seq2[any, error]) (byLine map[int]string, failure error) {
	t.Helper()
	byLine = map[int]string{}
	for row, err := range rows {
		bad := (*format.Error)(nil)
		switch refused := errors.Is(err, format.ErrValue) && errors.As(err, &bad); {
		case err == nil:
			text, line := fields(row)
			if byLine[line] != "" || line == 0 {
				t.Errorf("line %d has several rows", line)
			}
			byLine[line] = "= " + text
		case refused:
			byLine[bad.Line] = strings.Replace(err.Error(), fmt.Sprintf("%s:%d: column %q: ", bad.File, bad.Line, bad.Column), "! "+bad.Column+": ", 1)
		default:
			failure = err
		}
	}
	return byLine, failure
}

// TestReaders runs the sections of testdata/readers.txt.
func TestReaders(t *testing.T) {
	unescape := strings.NewReplacer(`\t`, "\t", `\_`, " ", `\ufeff`, "\ufeff", `\xd1`, "\xd1")
	for _, section := range lookuptest.Sections(t, "readers.txt") {
		title, content := section[0], strings.TrimRight(section[1], "\n")
		t.Run(title, func(t *testing.T) {
			var lines, wantFailure []string
			want := map[int]string{}
			for line := range strings.Lines(content) {
				line = strings.TrimSuffix(line, "\n")
				if failure, ok := strings.CutPrefix(line, "error "); ok {
					wantFailure = append(wantFailure, failure)
				} else if strings.HasPrefix(line, "= ") || strings.HasPrefix(line, "! ") {
					if want[len(lines)] != "" {
						t.Errorf("%s: line %d has another outcome", line, len(lines))
					}
					want[len(lines)] = line
				} else {
					lines = append(lines, unescape.Replace(line))
				}
			}
			reader, variant, _ := strings.Cut(title, ": ")
			in := text(lines...)
			if variant == "workbook" {
				in = sheet(t, lines)
			}
			got, err := outcome(t, rowsBy[reader](in))
			for line, text := range got {
				if !strings.HasPrefix(text, want[line]) || text[0] == '=' && text != want[line] || want[line] == "" {
					t.Errorf("line %d: %s\nwant    %s", line, text, want[line])
				}
				delete(want, line)
			}
			if len(want) > 0 || len(wantFailure) > 1 || len(wantFailure) != 0 != (err != nil) || err != nil && !strings.Contains(err.Error(), wantFailure[0]) {
				t.Errorf("error %v, want %q and further rows %v", err, wantFailure, want)
			}
		})
	}
}

// sheet writes lines as an Excel file.
func sheet(t *testing.T, lines []string) format.File {
	t.Helper()
	var rows [][]string
	for _, line := range lines {
		rows = append(rows, strings.Split(line, "|"))
	}
	path := filepath.Join(t.TempDir(), "test.xlsx")
	check(t, os.WriteFile(path, mirrortest.Workbook(rows...), 0o600))
	return format.File{Path: path}
}

func TestTimeZones(t *testing.T) {
	good, refused, err := read(source.LayerColumns{ID: "tzid"}.Areas(text(`{"type":"FeatureCollection","features":[
{"type":"Feature","properties":{"tzid":"Test/Elm"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,1],[0,0]]]}},
{"type":"Feature","properties":{"tzid":""},"geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,1],[0,0]]]}}]}`)))
	if err != nil || len(good) != 1 || good[0].ID != "Test/Elm" || len(good[0].Polygon) != 1 || len(refused) != 1 {
		t.Errorf("read %v, refused %v, %v", good, refused, err)
	}
}

// FuzzTables checks that no bytes make a reader panic or run forever.
func FuzzTables(f *testing.F) {
	for _, seed := range []string{
		"US\t99901\tElm\tOhio\tOH\tAmber\t001\t\t\t40.5\t-83.25\t4\n", "GEOID|ALAND|AWATER|INTPTLAT|INTPTLONG\n99901|10|2|40|-83\n", "GEO,Population and dwelling counts (3):Population\n",
		"zip,type,decommissioned,primary_city,acceptable_cities,state,county,area_codes,latitude,longitude\n", "da2021,da2016\n35060001,35060001|\n",
		"DBUID_IDIDU,DAUID_ADIDU,CSDUID_SDRIDU\n35990001002,35990001,3599001\n", "CSDUID,CMAUID,CSDNAME,CSDTYPE,PR,POP2021\n3599001,35999,,,,\n", "type,code,name\nCMAPR,35505,A (B part)\n",
		"3999901|a|39|b|c|OH|43901|39|39901|d|41|40|-83|N|N|0|N|N|3901|39001|39001|2024-2025\n", "LEAID,ST_LEAID,LEA_TYPE,GSLO,GSHI\n3999901,1,1,PK,12\n",
		`{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"tzid":"x"},"geometry":{"type":"Polygon","coordinates":[[[0,0]]]}}]}`,
		uspsCopyright(182) + uspsZIP4(), uspsCopyright(129) + uspsCityState(), uspsCopyright(309) + uspsRoute("90210", "A"), "zip,plus4,lat,lon\n22206,1101,38.8,-77.1\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, content string) {
		in := func() format.File { return format.File{Path: "fuzz", Content: []byte(content)} }
		drain(t, source.ReadZIP4(in()), content)
		drain(t, source.ReadCityState(in()), content)
		_, _, _ = source.SumDeliveryStats(in())
		drain(t, source.LayerColumns{ID: "eruid", Name: "ername", Kind: "cduid", Dash: "–", Digits: 4}.Areas(in()), content)
		drain(t, source.GeographicAttributes(in()), content)
		for _, rows := range rowsBy {
			drain(t, rows(in()), content)
		}
	})
}

func drain[R any](t *testing.T, rows iter.Seq2[R, error], content string) {
	t.Helper()
	good, refused, err := read(rows)
	if e := (*format.Error)(nil); err != nil && (!errors.As(err, &e) || e.File != "fuzz") {
		t.Errorf("error %T %v does not name the file", err, err)
	}
	if n := len(good) + len(refused); n > len(content) {
		t.Errorf("%d rows out of %d bytes", n, len(content))
	}
}
