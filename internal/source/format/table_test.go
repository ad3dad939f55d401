package format_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/source/format"
)

func fieldsOf(r format.Row) []string {
	f := make([]string, len(r.Fields()))
	for i := range f {
		f[i] = r.Field(i)
	}
	return f
}

func readTable(in *format.Input, o format.TableOptions) ([][]string, error) {
	t, err := format.NewTable(in, o)
	if err != nil {
		return nil, err
	}
	return collect(t.Rows(), fieldsOf)
}

func TestTable(t *testing.T) {
	tests := []struct {
		name string
		text string
		o    format.TableOptions
		want [][]string
	}{
		{"tab without header keeps quotes", "US\t99553\tO\"Neil\nUS\t99571\t\"x\"\n", format.TableOptions{Delimiter: '\t', Names: []string{"c", "z", "n"}}, [][]string{{"US", "99553", `O"Neil`}, {"US", "99571", `"x"`}}},
		{"pipe with padded last column", "A|B  \n1|2   \n", format.TableOptions{Delimiter: '|', Columns: format.Columns("A", "B")}, [][]string{{"1", "2"}}},
		{"csv with mark, CR LF and empty lines at the end", "\ufeff\"A\",\"B\"\r\n\"1\",\"\"\r\n2,\"x, \"\"y\"\"\"\r\n\r\n\r\n", format.TableOptions{Quoted: true}, [][]string{{"1", ""}, {"2", `x, "y"`}}},
		{"empty lines", "A|B\n\n1|2\n\n3|4\n\n", format.TableOptions{Delimiter: '|'}, [][]string{{"1", "2"}, {"3", "4"}}},
		{"line ends within quotes", "A,B\n\"one\r\ntwo\",3\n4,5", format.TableOptions{Quoted: true}, [][]string{{"one\ntwo", "3"}, {"4", "5"}}},
		{"short rows where allowed", "A,B,C\n1\n1,2,3\n", format.TableOptions{ShortRows: true}, [][]string{{"1"}, {"1", "2", "3"}}},
		{"Latin-1", "A\nDO\xd1A ANA\n", format.TableOptions{Encoding: format.Latin1}, [][]string{{"DOÑA ANA"}}},
		{"windows-1252", "A\n\x93Qu\xe9bec\x94\n", format.TableOptions{Encoding: format.Windows1252}, [][]string{{"“Québec”"}}},
		{"a line longer than the read buffer", "A,B\n" + strings.Repeat("x", 200_000) + ",2\n", format.TableOptions{}, [][]string{{strings.Repeat("x", 200_000), "2"}}},
		{"no rows", "A,B\n", format.TableOptions{}, nil},
		{"no rows without header", "", format.TableOptions{Names: []string{"A"}}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := readTable(input("t", tt.text), tt.o)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("rows (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTableRefusals(t *testing.T) {
	csv := format.TableOptions{Quoted: true}
	tests := []struct {
		name  string
		text  string
		o     format.TableOptions
		cause error
		want  string
	}{
		{"empty", "", csv, format.ErrColumns, "t:1: empty file"},
		{"missing column", "zip,name\n", format.TableOptions{Columns: format.Columns("zip", "lat")}, format.ErrColumns, `t:1: column "lat": not in the header; found "zip", "name"`},
		{"ambiguous column", "zip,zip\n", format.TableOptions{Columns: format.Columns("zip")}, format.ErrColumns, `t:1: column "zip": 2 columns match, expected one`},
		{"too few fields", "A,B\n1,2\n3\n", csv, format.ErrRagged, "t:3: 1 fields, expected 2"},
		{"too many fields", "A,B\n1,2,3\n", csv, format.ErrRagged, "t:2: 3 fields, expected 2"},
		{"too many fields with short rows", "A,B\n1,2,3\n", format.TableOptions{ShortRows: true}, format.ErrRagged, "t:2: 3 fields, expected 2"},
		{"not UTF-8", "A,B\n1,2\nDO\xd1A,4\n", csv, format.ErrEncoding, "t:3: field 1: byte 3 (0xd1) is not UTF-8"},
		{"NUL", "A,B\n1,\x00\n", csv, format.ErrEncoding, "t:2: field 2: NUL at byte 1"},
		{"NUL in Latin-1", "A,B\n1,\x00\n", format.TableOptions{Encoding: format.Latin1}, format.ErrEncoding, "t:2: field 2: NUL"},
		{"undefined in windows-1252", "A,B\n1,\x81\n", format.TableOptions{Encoding: format.Windows1252}, format.ErrEncoding, "t:2: "},
		{"UTF-16", "\xff\xfeA\x00,\x00B\x00\n", csv, format.ErrEncoding, "t:1: "},
		{"plain, not UTF-8", "A|B\n1|2\nDO\xd1A|4\n", format.TableOptions{Delimiter: '|'}, format.ErrEncoding, "t:3: field 1: byte 3 (0xd1) is not UTF-8"},
		{"plain, NUL", "A|B\n1|\x00\n", format.TableOptions{Delimiter: '|'}, format.ErrEncoding, "t:2: field 2: NUL at byte 1"},
		{"long line", "A,B\n" + strings.Repeat("x", 300) + ",2\n", format.TableOptions{MaxLine: 100}, format.ErrTooLong, "t:2: line of more than 100 bytes"},
		{"very long line", "A,B\n1,2\n" + strings.Repeat("x", 3<<20), csv, format.ErrTooLong, "t:3: row of more than 1048576 bytes"},
		{"open quote", "A,B\n1,2\n\"x,4\n5,6\n", csv, format.ErrSyntax, "t:3: extraneous or missing \" in quoted-field"},
		{"open quote, long", "A,B\n\"x,4\n" + strings.Repeat("5,6\n", 5000), format.TableOptions{Quoted: true, MaxLine: 100}, format.ErrTooLong, "t:2: row of more than 100 bytes"},
		{"text after quote", "A,B\n\"x\"y,4\n", csv, format.ErrSyntax, "t:2: extraneous or missing \" in quoted-field"},
		{"quote inside", "A,B\n1,5\" pipe\"\n", csv, format.ErrSyntax, "t:2: bare \" in non-quoted-field"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := readTable(input("t", tt.text), tt.o)
			wantError(t, err, tt.cause, tt.want)
		})
	}
}

func TestTableColumns(t *testing.T) {
	text := "REF_DATE,GEO,\"Counts (3):Population, 2021[1]\",Symbols,\"Counts (3):Total private  dwellings, 2021[2]\",Symbols\n2021,A0A,44930,r,26102,e\n"
	table, err := format.NewTable(input("t", text), format.TableOptions{Quoted: true, Columns: []format.Column{
		{Name: "population", Match: format.Words("population, 2021")},
		{Name: "dwellings", Match: format.Words("total private dwellings")},
		{Name: "households", Optional: true},
	}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := collect(table.Rows(), func(r format.Row) []string {
		return []string{r.Get("GEO"), r.Get("population"), r.Get("dwellings"), r.Get("households"), fmt.Sprint(r.Line())}
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][]string{{"A0A", "44930", "26102", "", "2"}}, got); diff != "" {
		t.Errorf("row (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(6, len(table.Header())); diff != "" {
		t.Errorf("header (-want +got):\n%s", diff)
	}
	_, err = format.NewTable(input("t", text), format.TableOptions{Quoted: true, Columns: []format.Column{{Name: "n", Match: format.Words("counts")}}})
	wantError(t, err, format.ErrColumns, "2 columns match")
}

func TestRowErrorf(t *testing.T) {
	table, err := format.NewTable(input("US.txt", "zip\n1234\n"), format.TableOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for row, err := range table.Rows() {
		if err != nil {
			t.Fatal(err)
		}
		wantError(t, row.Errorf("zip", "%q, expected five digits", row.Get("zip")), format.ErrValue, `US.txt:2: column "zip": "1234", expected five digits`)
		defer func() {
			if recover() == nil {
				t.Error("Get of an unknown column did not panic")
			}
		}()
		row.Get("lat")
	}
}

func TestTableStringsOutliveTheRow(t *testing.T) {
	var text strings.Builder
	text.WriteString("A,B\n")
	for i := range 50_000 {
		fmt.Fprintf(&text, "%d,x%d\n", i, i)
	}
	rows, err := readTable(input("t", text.String()), format.TableOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range rows {
		if want := []string{fmt.Sprint(i), fmt.Sprintf("x%d", i)}; r[0] != want[0] || r[1] != want[1] {
			t.Fatalf("row %d is %q after reading on, want %q", i, r, want)
		}
	}
}

func ExampleNewTable() {
	in := format.NewInput("places.txt", strings.NewReader("GEOID|NAME|INTPTLAT\n01001|Autauga County|32.532237\n"))
	defer in.Close()
	table, err := format.NewTable(in, format.TableOptions{Delimiter: '|', Columns: format.Columns("GEOID", "NAME")})
	if err != nil {
		fmt.Println(err)
		return
	}
	for row, err := range table.Rows() {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(row.Line(), row.Get("GEOID"), row.Get("NAME"))
	}
	// Output: 2 01001 Autauga County
}

func FuzzTable(f *testing.F) {
	f.Add("A,B\n1,2\n", byte(','), true)
	f.Add("\ufeff\"A\",\"B\"\r\n\"1\n\",\"\"\"\"\r\n\r\n", byte(','), true)
	f.Add("A|B\n1|\xff", byte('|'), false)
	f.Add("\"\n\"\n\"", byte('\t'), true)
	f.Fuzz(func(t *testing.T, text string, delimiter byte, quoted bool) {
		if delimiter == '"' || delimiter == '\n' || delimiter == '\r' || delimiter >= 0x80 {
			return
		}
		table, err := format.NewTable(input("t", text), format.TableOptions{Delimiter: delimiter, Quoted: quoted, MaxLine: 1000})
		if err != nil {
			mustBeNamed(t, err, "t")
			return
		}
		width, last := len(table.Header()), 0
		for row, err := range table.Rows() {
			if err != nil {
				mustBeNamed(t, err, "t")
				return
			}
			if len(row.Fields()) != width || row.Line() <= last {
				t.Fatalf("row of line %d after line %d with %d fields, want %d", row.Line(), last, len(row.Fields()), width)
			}
			last = row.Line()
		}
	})
}
