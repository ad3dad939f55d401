package format_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/source/format"
)

func fieldsOf(r format.Row) []string {
	f := make([]string, len(r.Fields()))
	for i := range f {
		f[i] = strings.TrimSpace(r.Fields()[i])
	}
	return f
}

func readTable(in format.File, o format.Options) ([][]string, error) {
	return collect(in.Rows(o), fieldsOf)
}

func TestTable(t *testing.T) {
	tests := []struct {
		name string
		text string
		o    format.Options
		want [][]string
	}{
		{"tab without header keeps quotes", "US\t99553\tO\"Neil\nUS\t99571\t\"x\"\n", format.Options{Delimiter: '\t', Names: []string{"c", "z", "n"}}, [][]string{{"US", "99553", `O"Neil`}, {"US", "99571", `"x"`}}},
		{"pipe with padded last column", "A|B  \n1|2   \n", format.Options{Delimiter: '|', Columns: []string{"A", "B"}}, [][]string{{"1", "2"}}},
		{"csv with mark, CR LF and empty lines at the end", "\ufeff\"A\",\"B\"\r\n\"1\",\"\"\r\n2,\"x, \"\"y\"\"\"\r\n\r\n\r\n", format.Options{Quoted: true}, [][]string{{"1", ""}, {"2", `x, "y"`}}},
		{"empty lines", "A|B\n\n1|2\n\n3|4\n\n", format.Options{Delimiter: '|'}, [][]string{{"1", "2"}, {"3", "4"}}},
		{"line ends within quotes", "A,B\n\"one\r\ntwo\",3\n4,5", format.Options{Quoted: true}, [][]string{{"one\ntwo", "3"}, {"4", "5"}}},
		{"short rows where allowed", "A,B,C\n1\n1,2,3\n", format.Options{ShortRows: true}, [][]string{{"1"}, {"1", "2", "3"}}},
		{"Latin-1", "A\nDO\xd1A ANA\n", format.Options{Encoding: format.Latin1}, [][]string{{"DOÑA ANA"}}},
		{"windows-1252", "A\n\x93Qu\xe9bec\x94\n", format.Options{Encoding: format.Windows1252}, [][]string{{"“Québec”"}}},
		{"a line longer than the read buffer", "A,B\n" + strings.Repeat("x", 200_000) + ",2\n", format.Options{}, [][]string{{strings.Repeat("x", 200_000), "2"}}},
		{"no rows", "A,B\n", format.Options{}, nil},
		{"no rows without header", "", format.Options{Names: []string{"A"}}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := readTable(input("t", tt.text), tt.o)
			check(t, err)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("rows (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTableRefusals(t *testing.T) {
	csv := format.Options{Quoted: true}
	tests := []struct {
		name  string
		text  string
		o     format.Options
		cause error
		want  string
	}{
		{"empty", "", csv, format.ErrColumns, "t:1: empty file"},
		{"missing column", "zip,name\n", format.Options{Columns: []string{"zip", "lat"}}, format.ErrColumns, `t:1: column "lat": not in the header; found "zip", "name"`},
		{"ambiguous column", "zip,zip\n", format.Options{Columns: []string{"zip"}}, format.ErrColumns, `t:1: column "zip": several columns have this name, expected one`},
		{"too few fields", "A,B\n1,2\n3\n", csv, format.ErrRagged, "t:3: 1 fields, expected 2"},
		{"too many fields", "A,B\n1,2,3\n", csv, format.ErrRagged, "t:2: 3 fields, expected 2"},
		{"too many fields with short rows", "A,B\n1,2,3\n", format.Options{ShortRows: true}, format.ErrRagged, "t:2: 3 fields, expected 2"},
		{"not UTF-8", "A,B\n1,2\nDO\xd1A,4\n", csv, format.ErrEncoding, "t:3: field 1: byte 3 (0xd1) is not UTF-8"},
		{"NUL", "A,B\n1,\x00\n", csv, format.ErrEncoding, "t:2: field 2: NUL at byte 1"},
		{"NUL in Latin-1", "A,B\n1,\x00\n", format.Options{Encoding: format.Latin1}, format.ErrEncoding, "t:2: field 2: NUL"},
		{"undefined in windows-1252", "A,B\n1,\x81\n", format.Options{Encoding: format.Windows1252}, format.ErrEncoding, "t:2: "},
		{"UTF-16", "\xff\xfeA\x00,\x00B\x00\n", csv, format.ErrEncoding, "t:1: "},
		{"plain, not UTF-8", "A|B\n1|2\nDO\xd1A|4\n", format.Options{Delimiter: '|'}, format.ErrEncoding, "t:3: field 1: byte 3 (0xd1) is not UTF-8"},
		{"plain, NUL", "A|B\n1|\x00\n", format.Options{Delimiter: '|'}, format.ErrEncoding, "t:2: field 2: NUL at byte 1"},
		{"long line", "A,B\n" + strings.Repeat("x", 300) + ",2\n", format.Options{MaxRow: 100}, format.ErrTooLong, "t:2: line of more than 100 bytes"},
		{"very long line", "A,B\n1,2\n" + strings.Repeat("x", 3<<20), csv, format.ErrTooLong, "t:3: row of more than 1048576 bytes"},
		{"open quote", "A,B\n1,2\n\"x,4\n5,6\n", csv, format.ErrSyntax, "t:3: extraneous or missing \" in quoted-field"},
		{"open quote, long", "A,B\n\"x,4\n" + strings.Repeat("5,6\n", 5000), format.Options{Quoted: true, MaxRow: 100}, format.ErrTooLong, "t:2: row of more than 100 bytes"},
		{"text after quote", "A,B\n\"x\"y,4\n", csv, format.ErrSyntax, "t:2: extraneous or missing \" in quoted-field"},
		{"arrays, cut", `[["A","B"],["1",`, csv, format.ErrTruncated, "t:2: the array has no end"},
		{"arrays, ragged", `[["A","B"],["1"]]`, csv, format.ErrRagged, "t:2: 1 fields, expected 2"},
		{"arrays, trailing", `[["A"],["1"]][]`, csv, format.ErrSyntax, "[ behind the end of the array"},
		{"arrays, an object", `[["A"],{"a":1}]`, csv, format.ErrSyntax, "t:2: object; expected the array of a row"},
		{"arrays, nested", `[["A"],[["a"]]]`, csv, format.ErrSyntax, "expected a text, a number or null"},
		{"arrays, long", `[["A"],["` + strings.Repeat("x", 9000) + `"]]`, format.Options{MaxRow: 1000}, format.ErrTooLong, "t:2: a row of more than 1000 bytes"},
		{"arrays, empty", `[]`, csv, format.ErrColumns, "empty file"},
		{"quote inside", "A,B\n1,5\" pipe\"\n", csv, format.ErrSyntax, "t:2: bare \" in non-quoted-field"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := readTable(input("t", tt.text), tt.o)
			wantError(t, err, tt.cause, tt.want)
		})
	}
}

// Columns are found by their own names and by further ones, and blanks have no value.
func TestTableColumns(t *testing.T) {
	o := format.Options{Quoted: true, Columns: []string{"people"}, Blank: []string{"n/a"}, Meanings: func(headers []string) map[string]string {
		return map[string]string{"people": headers[2], "none": "x"}
	}}
	f := input("t", "YEAR;GEO;\"Counts (3):Population, 2021[1]\";S;S\n2021;A0A; 44930 ;r;N/A\n")
	for row, err := range f.Rows(o) {
		check(t, err)
		got := []string{row.Get("GEO"), row.Get("people"), row.Get("S"), row.Get("none"), fmt.Sprint(row.Number, len(row.Header()), row.Has("none"), row.IsRecord())}
		if diff := cmp.Diff([]string{"A0A", "44930", "r", "", "2 5 false false"}, got); diff != "" {
			t.Errorf("row (-want +got):\n%s", diff)
		}
		wantError(t, row.Errorf("GEO", "%q, expected digits", row.Get("GEO")), format.ErrValue, `t:2: column "GEO": "A0A", expected digits`)
	}
}

func ExampleFile_Rows() {
	file := format.File{Path: "places.txt", Content: []byte("GEOID|NAME|INTPTLAT\n01001|Autauga County|32.532237\n")}
	for row, err := range file.Rows(format.Options{Columns: []string{"GEOID", "NAME"}}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(row.Number, row.Get("GEOID"), row.Get("NAME"))
	}
	// Output: 2 01001 Autauga County
}

func FuzzTable(f *testing.F) {
	f.Add("A,B\n1,2\n", byte(','), true)
	f.Add("\ufeff\"A\",\"B\"\r\n\"1\n\",\"\"\"\"\r\n\r\n", byte(','), true)
	f.Add("A|B\n1|\xff", byte('|'), false)
	f.Add("\"\n\"\n\"", byte('\t'), true)
	f.Add("[[\"A\",\"B\"],[null,1]]", byte(','), true)
	f.Fuzz(func(t *testing.T, text string, delimiter byte, quoted bool) {
		if delimiter == '"' || delimiter == '\n' || delimiter == '\r' || delimiter >= 0x80 {
			return
		}
		last := 0
		for row, err := range input("t", text).Rows(format.Options{Delimiter: delimiter, Quoted: quoted, MaxRow: 1000}) {
			if errors.Is(err, format.ErrValue) { // of GeoJSON
				continue
			}
			if err != nil {
				mustBeNamed(t, err, "t")
				return
			}
			if len(row.Fields()) != len(row.Header()) || row.Number <= last {
				t.Fatalf("row of line %d after line %d with %d fields, want %d", row.Number, last, len(row.Fields()), len(row.Header()))
			}
			last = row.Number
		}
	})
}
