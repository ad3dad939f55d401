package table_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/lookup"
)

// A job is a run from text to text, or from file to file.
type job struct {
	in    table.Input
	out   table.Output
	names table.Names
	add   []string
	run   table.RunOptions
	zeros bool
}

// work enriches a source.
func (j job) work(t testing.TB, src *table.Source, err error, out io.Writer) (sum table.Summary, _ error) {
	t.Helper()
	if err != nil {
		return sum, err
	}
	defer src.Close()
	keys, err := src.FindKeys(j.names)
	if err != nil {
		return sum, err
	}
	e, err := enrich.New(sampletest.Shared(t), enrich.Options{Kind: keys.Kind, Kinds: keys.Kinds(), Add: j.add, RestoreZeros: j.zeros})
	if err != nil {
		return sum, err
	}
	work, err := table.NewJob(src, e, keys, j.out)
	if err != nil {
		return sum, err
	}
	return work.Run(t.Context(), out, j.run)
}

// pipe enriches a stream.
func (j job) pipe(t testing.TB, in io.Reader, out io.Writer) (table.Summary, error) {
	t.Helper()
	src, err := table.Read(in, j.in)
	return j.work(t, src, err, out)
}

// stream enriches a text.
func (j job) stream(t testing.TB, text string) (string, table.Summary, error) {
	t.Helper()
	var out bytes.Buffer
	sum, err := j.pipe(t, strings.NewReader(text), &out)
	return out.String(), sum, err
}

// file enriches a file. The format of the output follows its name.
func (j job) file(t testing.TB, from, to string) (table.Summary, error) {
	t.Helper()
	f, err := os.Create(to)
	check(t, err)
	defer f.Close()
	j.out.Format, _, _ = table.FormatOf(to)
	src, err := table.Open(from, j.in)
	return j.work(t, src, err, f)
}

func readFile(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	check(t, err)
	return string(data)
}

// TestText holds what becomes of rows of text, byte for byte.
func TestText(t *testing.T) {
	city := []string{"city"}
	ndjson := table.Input{Format: table.NDJSON}
	const notFound = "NOT_FOUND_ZIP: ZIP code 99999 not found."
	tests := []struct {
		name string
		job  job
		in   string
		want string
	}{
		{"csv", job{add: city}, "id,zip\n1,90210\n2,99999\n3,\n", "id,zip,city,postgeo_status,postgeo_reason\n1,90210,Beverly Hills,matched,\n2,99999,,not_found," + notFound + "\n3,,,empty,\n"},
		{"no line end at the end", job{add: city}, "id,zip\n1,90210", "id,zip,city,postgeo_status,postgeo_reason\n1,90210,Beverly Hills,matched,\n"},
		{"header alone", job{add: city}, "id,zip\n", "id,zip,city,postgeo_status,postgeo_reason\n"},
		{"byte order mark", job{add: city}, "\ufeffzip\n90210\n", "\ufeffzip,city,postgeo_status,postgeo_reason\n90210,Beverly Hills,matched,\n"},
		{"CRLF", job{add: city}, "zip,n\r\n90210,1\r\n\r\n90210,2\r\n", "zip,n,city,postgeo_status,postgeo_reason\r\n90210,1,Beverly Hills,matched,\r\n90210,2,Beverly Hills,matched,\r\n"},
		{"quotes are kept", job{add: city}, "n,zip\n\"a \"\"b\"\"\nc, d\",\"90210\"\n", "n,zip,city,postgeo_status,postgeo_reason\n\"a \"\"b\"\"\nc, d\",\"90210\",Beverly Hills,matched,\n"},
		{"quotes inside a cell are text", job{add: city}, "n,zip\n5\" pipe,90210\n", "n,zip,city,postgeo_status,postgeo_reason\n5\" pipe,90210,Beverly Hills,matched,\n"},
		{"bytes that are no UTF-8 are kept", job{add: city}, "n,zip\nü\xe9,90210\n", "n,zip,city,postgeo_status,postgeo_reason\nü\xe9,90210,Beverly Hills,matched,\n"},
		{"bytes that a given encoding keeps", job{add: city, in: table.Input{Encoding: "utf-8"}}, "n,zip\n\xe9,90210\n", "n,zip,city,postgeo_status,postgeo_reason\n\xe9,90210,Beverly Hills,matched,\n"},
		{"Windows-1252", job{add: city}, "n,zip\nCaf\xe9 \x80,90210\n", "n,zip,city,postgeo_status,postgeo_reason\nCafé €,90210,Beverly Hills,matched,\n"},
		{"delimiter for spreadsheets", job{add: city}, "\ufeffsep=;\r\nzip;a,b,c\r\n90210;1\r\n", "\ufeffsep=;\r\nzip;a,b,c;city;postgeo_status;postgeo_reason\r\n90210;1;Beverly Hills;matched;\r\n"},
		{"another such delimiter", job{add: city, out: table.Output{Format: table.TSV}}, "sep=^\nzip^n\n90210^1\n", "zip\tn\tcity\tpostgeo_status\tpostgeo_reason\n90210\t1\tBeverly Hills\tmatched\t\n"},
		{"a title with a quote", job{add: city}, "5\" pipes\nzip;n\n90210;1\n", "5\" pipes\nzip;n;city;postgeo_status;postgeo_reason\n90210;1;Beverly Hills;matched;\n"},
		{"a header like one", job{add: city}, "sep=,zip\n1,90210\n", "sep=,zip,city,postgeo_status,postgeo_reason\n1,90210,Beverly Hills,matched,\n"},
		{"UTF-16", job{add: city}, utf16Text("\ufeffn,zip\né😀,90210\n", false), "n,zip,city,postgeo_status,postgeo_reason\né😀,90210,Beverly Hills,matched,\n"},
		{"UTF-16 in the other order", job{add: city}, utf16Text("\ufeffzip,n\n90210,é\n", true), "zip,n,city,postgeo_status,postgeo_reason\n90210,é,Beverly Hills,matched,\n"},
		{"UTF-16 without a mark", job{add: city}, utf16Text("zip\n90210\n", false), "zip,city,postgeo_status,postgeo_reason\n90210,Beverly Hills,matched,\n"},
		{"UTF-16 in the other order without a mark", job{add: city}, utf16Text("zip\n90210\n", true), "zip,city,postgeo_status,postgeo_reason\n90210,Beverly Hills,matched,\n"},
		{"semicolons are found", job{add: city}, "zip;n\n90210;\"a;b\"\n", "zip;n;city;postgeo_status;postgeo_reason\n90210;\"a;b\";Beverly Hills;matched;\n"},
		{"tabs are found", job{add: city}, "zip\tn, with a comma\tm\n90210\t1\t2\n", "zip\tn, with a comma\tm\tcity\tpostgeo_status\tpostgeo_reason\n90210\t1\t2\tBeverly Hills\tmatched\t\n"},
		{"bars are found", job{add: city}, "\n\n\"a;b;c\"|zip\n1|90210\n", "\"a;b;c\"|zip|city|postgeo_status|postgeo_reason\n1|90210|Beverly Hills|matched|\n"},
		{"commas go before semicolons", job{add: city}, "zip,a;b\n90210,1;2\n", "zip,a;b,city,postgeo_status,postgeo_reason\n90210,1;2,Beverly Hills,matched,\n"},
		{"codes of spreadsheets", job{add: city}, "zip\n\"=\"\"90210\"\"\"\n'90210\n90210.0\n9.0210E+04\n9.021E+04\n=90210\n", "zip,city,postgeo_status,postgeo_reason\n\"=\"\"90210\"\"\",Beverly Hills,matched,CODE_REPAIRED\n'90210,Beverly Hills,matched,CODE_REPAIRED\n90210.0,Beverly Hills,matched,CODE_REPAIRED\n9.0210E+04,Beverly Hills,matched,CODE_REPAIRED\n9.021E+04,Beverly Hills,matched,CODE_ROUNDED\n=90210,Beverly Hills,matched,CODE_REPAIRED\n"},
		{"a name with a word for codes", job{add: city}, "Zip Type,Billing Zip/Postal Code,n\nStandard,90210,1\n", "Zip Type,Billing Zip/Postal Code,n,city,postgeo_status,postgeo_reason\nStandard,90210,1,Beverly Hills,matched,\n"},
		{"the one of two names that has codes", job{add: city}, "MailingPostalCode,ShippingZip\n90210,yes\n,no\n", "MailingPostalCode,ShippingZip,city,postgeo_status,postgeo_reason\n90210,yes,Beverly Hills,matched,\n,no,,empty,\n"},
		{"one column, a blank line is a row", job{add: city}, "zip\n90210\n\n90210\n", "zip,city,postgeo_status,postgeo_reason\n90210,Beverly Hills,matched,\n,,empty,\n90210,Beverly Hills,matched,\n"},
		{"blank lines are no rows", job{add: city}, "zip,n\n\n90210,1\n\n\n", "zip,n,city,postgeo_status,postgeo_reason\n90210,1,Beverly Hills,matched,\n"},
		{"two columns of one name", job{add: city}, "n,n,zip\n1,2,90210\n", "n,n,zip,city,postgeo_status,postgeo_reason\n1,2,90210,Beverly Hills,matched,\n"},
		{"no header", job{add: city, in: table.Input{NoHeader: true}, names: table.Names{Code: "2"}}, "1,90210\n2,90210\n", "1,90210,Beverly Hills,matched,\n2,90210,Beverly Hills,matched,\n"},
		{"tsv", job{add: []string{"city", "area_codes"}, in: table.Input{Format: table.TSV}}, "a,b\tzip\n1,2\t90210\n", "a,b\tzip\tcity\tarea_codes\tpostgeo_status\tpostgeo_reason\n1,2\t90210\tBeverly Hills\t310; 424\tmatched\t\n"},
		{"lenient", job{add: city, in: table.Input{Lenient: true}}, "zip,a,b\n90210\n90210,1,2,3,4\n90210,\"x\"y,2\n", "zip,a,b,city,postgeo_status,postgeo_reason\n90210,,,Beverly Hills,matched,\n90210,1,2,Beverly Hills,matched,,3,4\n90210,\"x\"y,2,Beverly Hills,matched,\n"},
		{"formulas", job{add: city, out: table.Output{NeutralizeFormulas: true}}, "=n,zip\n\"=1+1\",90210\n-5,90210\n@x,90210\n+1 555,90210\n", "\"'=n\",zip,city,postgeo_status,postgeo_reason\n\"'=1+1\",90210,Beverly Hills,matched,\n-5,90210,Beverly Hills,matched,\n\"'@x\",90210,Beverly Hills,matched,\n\"'+1 555\",90210,Beverly Hills,matched,\n"},
		{"formulas in cells that are not well formed", job{add: city, in: table.Input{Lenient: true}, out: table.Output{NeutralizeFormulas: true}}, "n,zip\n\"=1\"+x,90210\n＝1,90210\n", "n,zip,city,postgeo_status,postgeo_reason\n\"'\"\"=1\"\"+x\",90210,Beverly Hills,matched,\n\"'＝1\",90210,Beverly Hills,matched,\n"},
		{"lost zeros", job{add: []string{"code"}, zeros: true}, "zip\n601\n", "zip,code,postgeo_status,postgeo_reason\n601,00601,matched,ZEROS_RESTORED\n"},
		{"address of columns", job{add: []string{"code"}, names: table.Names{Address: []string{"Street", "city", "st", "zip"}}}, "Street,city,st,zip\n350 5th Ave,New York,NY,10118\n", "Street,city,st,zip,code,postgeo_status,postgeo_reason\n350 5th Ave,New York,NY,10118,10118-8059,matched,PARTIAL_MATCH; SECONDARY_NEEDED\n"},
		{"address of fields", job{add: []string{"code"}, names: table.Names{Address: []string{"street=Line", "city=Town", "state=ST"}}}, "Line,Town,ST\n350 5th Ave,New York,NY\n", "Line,Town,ST,code,postgeo_status,postgeo_reason\n350 5th Ave,New York,NY,10118-8059,matched,PARTIAL_MATCH; SECONDARY_NEEDED\n"},
		{"rows that repeat", job{add: city, in: table.Input{Lenient: true}}, "zip\n90210\n90210\n\"90210\"\n 90210\nx\n", "zip,city,postgeo_status,postgeo_reason\n90210,Beverly Hills,matched,\n90210,Beverly Hills,matched,\n\"90210\",Beverly Hills,matched,\n 90210,Beverly Hills,matched,\nx,,invalid,\"VALIDATION_INVALID_FSA: Invalid FSA format: 'x'. Expected letter-digit-letter, such as K1A.\"\n"},
		{"cells that are alike when joined", job{add: city}, "town,st\nBeverly Hill,sCA\nBeverly Hills,CA\n", "town,st,city,postgeo_status,postgeo_reason\nBeverly Hill,sCA,,not_found,NOT_FOUND: No address fits this input.\nBeverly Hills,CA,Beverly Hills,matched,\n"},
		{"coordinates", job{add: []string{"code"}}, "Latitude,Lng\n34.1,-118.415\n,\n", "Latitude,Lng,code,postgeo_status,postgeo_reason\n34.1,-118.415,90210,matched,\n,,,empty,\n"},
		{"ndjson", job{add: []string{"city", "location.lat", "area_codes"}, in: ndjson}, "\ufeff{\"zip\":\"90210\", \"n\": 1e2}\n\n{ }\n{\"zip\": 90210,\"x\":{\"y\":[1,\"}\"]}}", "{\"zip\":\"90210\", \"n\": 1e2,\"city\":\"Beverly Hills\",\"location.lat\":34.094589,\"area_codes\":[\"310\",\"424\"],\"postgeo_status\":\"matched\",\"postgeo_reason\":null}\n{ \"city\":null,\"location.lat\":null,\"area_codes\":null,\"postgeo_status\":\"empty\",\"postgeo_reason\":null}\n{\"zip\": 90210,\"x\":{\"y\":[1,\"}\"]},\"city\":\"Beverly Hills\",\"location.lat\":34.094589,\"area_codes\":[\"310\",\"424\"],\"postgeo_status\":\"matched\",\"postgeo_reason\":null}\n"},
		{"ndjson, nested key", job{add: city, in: ndjson, names: table.Names{Code: "a.zip"}}, "{\"b\":1}\n{\"a\":{\"z\\u0069p\":\"90210\"}}\n", "{\"b\":1,\"city\":null,\"postgeo_status\":\"empty\",\"postgeo_reason\":null}\n{\"a\":{\"z\\u0069p\":\"90210\"},\"city\":\"Beverly Hills\",\"postgeo_status\":\"matched\",\"postgeo_reason\":null}\n"},
		{"csv to ndjson", job{add: city, out: table.Output{Format: table.NDJSON}}, "n,zip\n\"a\"\"b\",90210\n,\n", "{\"n\":\"a\\\"b\",\"zip\":\"90210\",\"city\":\"Beverly Hills\",\"postgeo_status\":\"matched\",\"postgeo_reason\":null}\n{\"n\":null,\"zip\":null,\"city\":null,\"postgeo_status\":\"empty\",\"postgeo_reason\":null}\n"},
		{"ndjson to csv", job{add: city, in: ndjson, out: table.Output{Format: table.CSV}}, "{\"zip\":\"90210\",\"n\":[1,2],\"t\":true}\n{\"n\":\"a\\nb\",\"zip\":null}\n", "zip,n,t,city,postgeo_status,postgeo_reason\n90210,\"[1,2]\",true,Beverly Hills,matched,\n,\"a\nb\",,,empty,\n"},
		{"blanks before objects", job{add: city, in: ndjson, names: table.Names{Code: "a.zip"}, out: table.Output{Format: table.CSV}}, "{\"a\": {\"zip\": \"90210\"}, \"b\": [1]}\n", "a,b,city,postgeo_status,postgeo_reason\n\"{\"\"zip\"\": \"\"90210\"\"}\",[1],Beverly Hills,matched,\n"},
		{"halves of surrogate pairs", job{add: city, in: ndjson, out: table.Output{Format: table.CSV}}, `{"\udfff":"a\ud800b", "zip": "90210"}` + "\n", "\ufffd,zip,city,postgeo_status,postgeo_reason\na\ufffdb,90210,Beverly Hills,matched,\n"},
		{"ndjson to csv, keys in another order and twice", job{add: city, in: ndjson, out: table.Output{Format: table.CSV}}, "{\"zip\":\"90210\",\"a\":1,\"b\":2}\n{\"b\":3,\"\\u007aip\":\"90210\",\"b\":4}\n", "zip,a,b,city,postgeo_status,postgeo_reason\n90210,1,2,Beverly Hills,matched,\n90210,,4,Beverly Hills,matched,\n"},
		{"semicolons", job{add: city, in: table.Input{Delimiter: ';'}}, "n;zip\n1,5;90210\n\"a;b\";90210\n", "n;zip;city;postgeo_status;postgeo_reason\n1,5;90210;Beverly Hills;matched;\n\"a;b\";90210;Beverly Hills;matched;\n"},
		{"semicolons to tabs", job{add: city, in: table.Input{Delimiter: ';'}, out: table.Output{Format: table.TSV}}, "n;zip\n1,5;90210\n", "n\tzip\tcity\tpostgeo_status\tpostgeo_reason\n1,5\t90210\tBeverly Hills\tmatched\t\n"},
		{"ndjson that nobody named", job{add: city}, " \n{\"zip\":\"90210\"}\n", "{\"zip\":\"90210\",\"city\":\"Beverly Hills\",\"postgeo_status\":\"matched\",\"postgeo_reason\":null}\n"},
		{"strings of JSON that are no UTF-8", job{add: city, in: ndjson, out: table.Output{Format: table.CSV}}, "{\"zip\":\"90210\",\"ü\":1,\"n\":\"\xe9\",\"o\":{\"a\":\"\xe9\"},\"\xe9\":1}\n", "zip,ü,n,o,\ufffd,city,postgeo_status,postgeo_reason\n90210,1,\ufffd,\"{\"\"a\"\":\"\"\ufffd\"\"}\",1,Beverly Hills,matched,\n"},
		{"titles above the header", job{add: city}, "Customers of 2026\n\nn,zip\n1,90210\n", "Customers of 2026\nn,zip,city,postgeo_status,postgeo_reason\n1,90210,Beverly Hills,matched,\n"},
		{"titles to tsv", job{add: city, out: table.Output{Format: table.TSV}}, "Customers of 2026\nn,zip\n1,90210\n", "n\tzip\tcity\tpostgeo_status\tpostgeo_reason\n1\t90210\tBeverly Hills\tmatched\t\n"},
		{"titles of several cells", job{add: city}, "Report,2026,\nn,zip,x\n1,90210,\n", "Report,2026,\nn,zip,x,city,postgeo_status,postgeo_reason\n1,90210,,Beverly Hills,matched,\n"},
		{"the row of the header", job{add: city, in: table.Input{HeaderRow: 3}, names: table.Names{Code: "area"}}, "a,b\n1,2\nn,area\n1,90210\n", "a,b\n1,2\nn,area,city,postgeo_status,postgeo_reason\n1,90210,Beverly Hills,matched,\n"},
		{"a header with names is the first row", job{add: city}, "zip,n\n90210,zip\n10001,zip code\n", "zip,n,city,postgeo_status,postgeo_reason\n90210,zip,Beverly Hills,matched,\n10001,zip code,New York,matched,\n"},
		{"csv to tsv", job{add: city, out: table.Output{Format: table.TSV}}, "n,zip\n\"a\tb\",90210\n", "n\tzip\tcity\tpostgeo_status\tpostgeo_reason\n\"a\tb\"\t90210\tBeverly Hills\tmatched\t\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, _, err := tt.job.stream(t, tt.in)
			check(t, err)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestRefusals holds what inputs and columns are refused for.
func TestRefusals(t *testing.T) {
	ndjson := table.Input{Format: table.NDJSON}
	tests := []struct {
		name string
		job  job
		in   string
		line int64 // of an Error of a row, 0 for others
		want string
	}{
		{"empty", job{}, "", 0, "the input is empty"},
		{"too few cells", job{}, "zip,n\n90210,1\n\n90210\n", 4, "1 cells, the header has 2"},
		{"too many cells", job{}, "zip,n\n\"90210\",\"a\nb\"\n1,2,3\n", 4, "3 cells, the header has 2"},
		{"text behind a quote", job{}, "zip,n\n90210,\"a\"b\n", 2, "cell 2: text follows a closing quote"},
		{"open quote", job{}, "zip,n\n90210,\"a\n", 2, "cell 2: a quote is never closed"},
		{"long row", job{}, "zip,n\n90210,\"" + strings.Repeat("a,\n", 400_000), 2, "longer than 1048576 bytes; is a quote never closed?"},
		{"long line", job{in: ndjson}, "{\"zip\":1}\n{\"zip\":\"" + strings.Repeat("a", 1<<21) + "\"}\n", 2, "longer than 1048576 bytes"},
		{"an unknown encoding", job{in: table.Input{Encoding: "ebcdic"}}, "zip\n", 0, `unknown encoding "ebcdic"`},
		{"two columns of codes", job{}, "Billing Zip,Shipping Zip\n90210,10001\n", 0, `the columns "Billing Zip" and "Shipping Zip" both look like codes`},
		{"names without codes", job{}, "Zip Type,Zip Area\nStandard,big\n", 0, "no column looks like"},
		{"a row for a header", job{}, "90210,1\n10001,2\n", 0, "The columns are 90210, 1. If the first row is not a header"},
		{"a spreadsheet", job{}, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 0, "an old spreadsheet (.xls)"},
		{"zstd", job{}, "\x28\xb5\x2f\xfd\x04\x00", 0, "compressed with zstd"},
		{"a JSON array", job{}, "[\n {\"zip\":\"90210\"}]", 0, "one JSON array"},
		{"a JSON array as NDJSON", job{in: ndjson}, "[1]", 0, "one JSON array"},
		{"Parquet as CSV", job{in: table.Input{Format: table.CSV}}, "PAR1\x15\x00\x15", 0, "is Parquet, and was to be read as csv"},
		{"cut Parquet", job{}, "PAR1\x15\x00\x15", 0, "read Parquet"},
		{"cut gzip", job{}, "\x1f\x8b\x08", 0, "read gzip"},
		{"a quote as delimiter", job{in: table.Input{Delimiter: '"'}}, "zip\n", 0, "the delimiter is"},
		{"CR alone", job{}, "zip,n\r90210,1\r", 1, "CR alone"},
		{"no key", job{}, "a,b\n1,2\n", 0, "no column looks like"},
		{"no such column", job{names: table.Names{Code: "z"}}, "zip,b\n1,2\n", 0, `no column "z"; the columns are zip, b`},
		{"column twice", job{names: table.Names{Code: "zip"}}, "zip,zip\n1,2\n", 0, `columns 1 and 2 are both called "zip"`},
		{"two keys", job{names: table.Names{Code: "zip", Lat: "lat", Lon: "lat"}}, "zip,lat\n1,2\n", 0, "2 keys are named"},
		{"half a coordinate", job{names: table.Names{Lat: "lat"}}, "zip,lat\n1,2\n", 0, "a latitude requires a longitude"},
		{"column exists", job{add: []string{"city"}}, "zip,city\n1,2\n", 0, `a column "city" already`},
		{"status exists", job{}, "zip,postgeo_status\n1,2\n", 0, "the table has postgeo_status already"},
		{"key exists in an object", job{in: ndjson, add: []string{"city"}}, "{\"zip\":\"90210\"}\n{\"zip\":\"90210\",\"city\":1}\n", 2, `a key "city" already`},
		{"no object", job{in: ndjson}, "{\"zip\":\"90210\"}\n\n90210\n", 3, "expected a JSON object"},
		{"no JSON", job{in: ndjson}, "{\"zip\":\"90210\"}\n{\"zip\":}\n", 2, "not valid JSON"},
		{"another key", job{in: ndjson, out: table.Output{Format: table.CSV}}, "{\"zip\":\"90210\"}\n{\"zip\":\"90210\",\"b\":1}\n", 2, `a key "b", which the first one does not have`},
		{"no Parquet", job{in: table.Input{Format: table.Parquet}}, "zip\n90210\n", 0, "read Parquet"},
		{"no gzip", job{}, "\x1f\x8b90210\n", 0, "gzip"},
		{"same names in an object", job{out: table.Output{Format: table.NDJSON}}, "zip,n,n\n90210,1,2\n", 0, `two columns are called "n"`},
		{"same names in Parquet", job{out: table.Output{Format: table.Parquet}}, "zip,n,n\n90210,1,2\n", 0, `two columns are called "n"`},
		{"no name in Parquet", job{out: table.Output{Format: table.Parquet}}, "zip,\n90210,1\n", 0, "has no name"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := tt.job.stream(t, tt.in)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("error %v, want one with %q", err, tt.want)
			}
			var row *table.Error
			if errors.As(err, &row); tt.line > 0 && row == nil || row != nil && row.Line != tt.line {
				t.Errorf("error %#v, want line %d", err, tt.line)
			}
		})
	}
}

// TestRowsBeforeAnError are written.
func TestRowsBeforeAnError(t *testing.T) {
	got, sum, err := job{add: []string{"city"}}.stream(t, "zip,n\n90210,1\n10001,2\nx\n")
	want := "zip,n,city,postgeo_status,postgeo_reason\n90210,1,Beverly Hills,matched,\n10001,2,New York,matched,\n"
	if err == nil || got != want || sum.Rows != 2 {
		t.Errorf("%v, %d rows, %q", err, sum.Rows, got)
	}
}

// TestSlowStream opens streams that give no more than the header: none waits for more.
func TestSlowStream(t *testing.T) {
	for text, want := range map[string]table.Format{
		"zip\n": table.CSV, "Sa\n": table.CSV, "\ufeffzip\n": table.CSV, "PA,zip\n": table.CSV, "{\"zip\":1}\n": table.NDJSON, "\n{\"zip\":1}\n": table.NDJSON,
	} {
		src, err := table.Read(&endless{text}, table.Input{})
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if src.Format != want || src.Encoding != "utf-8" {
			t.Errorf("%q is read as %v in %s, want %v", text, src.Format, src.Encoding, want)
		}
		src.Close()
	}
}

// An endless stream gives its text, and fails the test that reads on.
type endless struct{ text string }

func (e *endless) Read(p []byte) (int, error) {
	if e.text == "" {
		return 0, errors.New("read behind what there is")
	}
	n := copy(p, e.text)
	e.text = e.text[n:]
	return n, nil
}

// utf16Text returns a text in UTF-16.
func utf16Text(text string, big bool) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(text)) {
		if big {
			b = append(b, byte(u>>8), byte(u))
		} else {
			b = append(b, byte(u), byte(u>>8))
		}
	}
	return string(b)
}

func write1(t *testing.T, path, text string) {
	t.Helper()
	check(t, os.WriteFile(path, []byte(text), 0o600))
}

// TestRepaired checks the counts of repaired codes, also of repeated ones.
func TestRepaired(t *testing.T) {
	for zeros, want := range map[bool]table.Summary{
		true:  {Rows: 4, Statuses: map[enrich.Status]int64{"matched": 4}, Repaired: 3},
		false: {Rows: 4, Statuses: map[enrich.Status]int64{"matched": 1, "invalid": 3}},
	} {
		_, got, err := job{add: []string{"code"}, zeros: zeros}.stream(t, "zip\n601\n601\n601.0\n90210\n")
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%t: %v (-want +got):\n%s", zeros, err, diff)
		}
	}
}

// TestCountries checks that rows of other countries are not looked up (D84).
func TestCountries(t *testing.T) {
	for _, tt := range []struct {
		names    table.Names
		in, want string
	}{
		{
			table.Names{},
			"zip,country\n10115,DE\n2134,AU\n8001,CH\n10001,US\n601,\nK1A0B1,Canada\n10001,usa\n",
			"10115,DE,,invalid,OTHER_COUNTRY\n2134,AU,,invalid,OTHER_COUNTRY\n8001,CH,,invalid,OTHER_COUNTRY\n10001,US,New York,matched,\n601,,Adjuntas,matched,ZEROS_RESTORED\nK1A0B1,Canada,Ottawa,matched,\n10001,usa,New York,matched,\n",
		},
		{table.Names{}, "lat,lon,pays\n34.1,-118.4,FR\n34.1,-118.4,\u00c9tats-Unis\n", "34.1,-118.4,FR,,invalid,OTHER_COUNTRY\n34.1,-118.4,\u00c9tats-Unis,Beverly Hills,matched,\n"},
		{table.Names{Country: "land"}, "zip,land\n10001,DE\n", "10001,DE,,invalid,OTHER_COUNTRY\n"},
		{table.Names{}, "zip,Billing Country\n10001,DE\n", "10001,DE,,invalid,OTHER_COUNTRY\n"},
		{table.Names{}, "zip,ship-country\n8001,CH\n", "8001,CH,,invalid,OTHER_COUNTRY\n"},
		{table.Names{}, "zip,Country of Origin\n10001,DE\n", "10001,DE,New York,matched,\n"},
		{table.Names{}, "zip,Billing Country,Shipping Country\n10001,DE,US\n", "10001,DE,US,New York,matched,\n"},
		{table.Names{}, "Zip4,ZIP Code 5\n0110,10001\n", "0110,10001,New York,matched,\n"},
	} {
		for _, f := range []table.Format{table.CSV, table.NDJSON} {
			got, sum, err := job{names: tt.names, add: []string{"home=city"}, zeros: true, out: table.Output{Format: f}}.stream(t, tt.in)
			if err != nil || sum.Rows != int64(strings.Count(tt.want, "\n")) {
				t.Fatal(sum, err)
			}
			if _, rows, _ := strings.Cut(got, "\n"); f == table.CSV && rows != tt.want {
				t.Errorf("%q: %s", tt.in, cmp.Diff(tt.want, rows))
			}
		}
	}
}

// TestCoordinates compares the rows of a file of coordinates, which are looked up in the
// order of their places, with single lookups.
func TestCoordinates(t *testing.T) {
	db := sampletest.Shared(t)
	random := rand.New(rand.NewPCG(7, 8))
	keys := []string{",", "x,", "91,0", "0,0", "90,180", "-90,-180", "43.65,-79.38", "21.3,-157.85", "+34.1,-.1184e3"}
	for code, err := range db.Codes(t.Context(), lookup.ZIP) {
		check(t, err)
		rec, err := db.QuickLookup(t.Context(), code, lookup.QuickOptions{})
		check(t, err)
		if at := rec.Location; at.IsValid() {
			for range 8 {
				keys = append(keys, fmt.Sprintf("%.5f,%.5f", at.Lat()+random.NormFloat64()/20, at.Lng()+random.NormFloat64()/20))
			}
		}
	}
	const most = 40_000 // more than a block
	for len(keys) < most {
		keys = append(keys, keys[random.IntN(len(keys))])
	}
	random.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	add := []string{"city", "census.tract.geoid", "timezone.name"}
	e, err := enrich.New(db, enrich.Options{Kind: enrich.Coordinates, Add: add})
	check(t, err)
	var text strings.Builder
	text.WriteString("id,lat,lon\n")
	for i, k := range keys {
		fmt.Fprintf(&text, "%d,%s\n", i, k)
	}
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.csv"), filepath.Join(dir, "out.csv")
	write1(t, in, text.String())
	if _, err := (job{add: add}).file(t, in, out); err != nil {
		t.Fatal(err)
	}
	rows := read(t, out, table.CSV)
	if len(rows) != len(keys)+1 {
		t.Fatalf("%d rows of %d", len(rows)-1, len(keys))
	}
	for i, k := range keys {
		lat, lon, _ := strings.Cut(k, ",")
		values, res, err := e.Row(t.Context(), enrich.JoinCoordinates(lat, lon), nil)
		check(t, err)
		want := []string{fmt.Sprint(i), lat, lon}
		for _, v := range values {
			want = append(want, v.String())
		}
		want = append(want, string(res.Status), res.Reason)
		if got := strings.Join(rows[i+1], "|"); got != strings.Join(want, "|") {
			t.Fatalf("row %d:\n got %s\nwant %s", i, got, strings.Join(want, "|"))
		}
	}
}
