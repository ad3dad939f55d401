package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/postgeo/postgeo/internal/foreign"
)

// runSQL runs statements on the sample and returns the output as CSV.
func runSQL(t *testing.T, statements string) (string, error) {
	t.Helper()
	t.Setenv("POSTGEO_DATA", "")
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_DATA_HOME", "")
	var out strings.Builder
	err := run(t.Context(), []string{"--csv"}, strings.NewReader(statements), &out, t.Output())
	return out.String(), err
}

func TestFunctions(t *testing.T) {
	for _, tt := range []struct{ name, query, want string }{
		{"scalar", "zip_county('90210'), zip_city('10001'), zip_state('M5V')", "06037,New York,ON"},
		{"struct", "zip_lookup('90210').city, zip_lookup('90210').lat::INT", "Beverly Hills,34"},
		{"text above 12 bytes", "zip_lookup('90210').county", "Los Angeles County"},
		{"without a match", "zip_county('99999'), zip_county('x'), zip_county(null), zip_lookup('99999')", ",,,"},
		{"numbers without zeros", "zip_city(501), zip_city(601)", "Holtsville,Adjuntas"},
		{"coordinates", "point_zip(34.1, -118.415), point_county(0, 0)", "90210,"},
		{"distance", "geo_distance('90210', '10001')::INT, geo_distance('90210', '34.1,-118.415')", "2459,0"},
		{"zero byte in an argument", "zip_field('90210' || chr(0) || 'city', 'county'), geo_distance('90210', '10001')::INT", ",2459"},
		{"place by name", "find_place('Beverly Hills, CA').state", "CA"},
		{"address", "geocode('400 N Sample Dr, Beverly Hills, CA 90210').zip", "90210"},
		{"survey", "acs('90210', 'economic.income.median_household_income', 2024)", "54782"},
		{"any field", "zip_field('90210', 'area_codes')", "310; 424"},
		{"several rows", "(select string_agg(zip_city(z), '+') from (values ('90210'), (null), ('10001'), ('x'), ('90210')) t(z))", "Beverly Hills+New York+Beverly Hills"},
		{"radius", "(select first(code order by miles) from radius_zips('90210', 200)), (select count(*) > 1 from radius_zips('90210', 200))", "90210,true"},
		{"radius twice", "(select count(*) from radius_zips('90210', 5) a join radius_zips('90210', 5) b using (code)) = (select count(*) from radius_zips('90210', 5))", "true"},
		{"radius around a null", "(select count(*) from radius_zips(null, 5)), (select count(*) from radius_zips('90210', null)), (select count(*) from radius_zips(null::varchar, null::double))", "0,0,0"},
		{"inner function with a null", "postgeo_radius_zips(null, '5'), postgeo_radius_zips('90210', null), postgeo_crosswalk(null, null, null)", ",,"},
		{"radius around rows", "(select string_agg(code, '+' order by z, miles) from (values ('90210'), ('10001'), (null)) t(z), radius_zips(z, 0.5) where code = z)", "10001+90210"},
		{"radius around codes that are not found, not valid and numbers", "(select string_agg(code, '+' order by code) from (values ('99999'), ('x'), ('501'), ('10001')) t(z), radius_zips(z, 0.1) where length(code) = 5)", "00501+10001"},
		{"radius of many rows with nulls", "(select count(*) > 2048 and count(distinct (i, code)) = count(*) and count(county_fips) = count(*) filter (length(code) = 5) from range(20) t(i), radius_zips('K1A', 480 + i))", "true"},
		{"distance of numbers", "geo_distance(10001, 501)", "50.13"},
		{"dates, decimals and lists", "date '2024-01-02', 1.50::decimal(5,2), [1.5::decimal(4,1)], {'a': date '2024-01-02', 'b': 'x'}, interval 1 day, '6e0ff1d4-5b37-4f66-ba7f-6a4b3d9e7f5c'::uuid, 1234567::double, timestamp '2024-01-02 10:00:00'", "2024-01-02,1.50,[1.5],\"{\"\"a\"\":\"\"2024-01-02\"\",\"\"b\"\":\"\"x\"\"}\",1 day,6e0ff1d4-5b37-4f66-ba7f-6a4b3d9e7f5c,1234567,2024-01-02 10:00:00"},
		{"equal names", "1 as a, 2 as a, null as \"b\"\"c\" -- a comment", "1,2,"},
		{"crosswalk of nulls", "(select count(*) from crosswalk(null, 'county', 'area')) + (select count(*) from crosswalk('zip', null, 'area')) + (select count(*) from crosswalk('zip', 'county', null::varchar))", "0"},
		{"crosswalk", "(select count(*) > 0 and min(pct_of_from) > 0 from crosswalk('zip', 'county', 'area') where from_id = '90210')", "true"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out, err := runSQL(t, "select "+tt.query)
			_, got, _ := strings.Cut(out, "\n")
			if got = strings.TrimSuffix(got, "\n"); err != nil || got != tt.want {
				t.Errorf("got %q, %v; want %q", got, err, tt.want)
			}
		})
	}
}

// TestStatements runs statements whose last one is found, has no rows, or has a semicolon.
func TestStatements(t *testing.T) {
	for statements, want := range map[string]string{
		"select 1 as a; select ';' as b -- x; y\n; /* ; */ ;":                                        "b\n;\n",
		"create table a as select ';' as \"b;\"; /* ; */ from a":                                     "b;\n;\n",
		"create table a(z varchar, y int); insert into a values ('x', 1); pivot a on z using sum(y)": "x\n1\n",
		"values (1, 'a')":        "col0,col1\n1,a\n",
		"select $$;$$ as a;":     "a\n;\n",
		"select e'\\';' as a":    "a\n';\n",
		"describe select 1 as a": "column_name,column_type,null,key,default,extra\na,INTEGER,YES,,,\n",
	} {
		if got, err := runSQL(t, statements); err != nil || got != want {
			t.Errorf("%s: got %q, %v; want %q", statements, got, err, want)
		}
	}
}

// TestFiles joins files and runs several statements.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.csv"), filepath.Join(dir, "out.parquet")
	if err := os.WriteFile(in, []byte("id,zip\n1,90210\n2,00501\n3,99999\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := runSQL(t, "copy (select *, zip_city(zip) as city from read_csv('"+in+"', all_varchar = true)) to '"+out+"';\nselect id, zip, city from '"+out+"' order by id;")
	if want := "id,zip,city\n1,90210,Beverly Hills\n2,00501,Holtsville\n3,99999,\n"; err != nil || got != want {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
	// Many equal rows come from the cache, on several threads.
	got, err = runSQL(t, "select count(*), min(c), max(c) from (select zip_county(['90210', '10001'][1 + i % 2]) as c from range(300000) t(i))")
	if want := "300000,06037,36061\n"; err != nil || !strings.HasSuffix(got, "\n"+want) {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
}

func TestErrors(t *testing.T) {
	for query, want := range map[string]string{
		"select zip_field('90210', 'nonsense')":             "nonsense",
		"select acs('90210', 'nonsense', 2024)":             "nonsense",
		"select * from radius_zips('90210', 9999)":          "9999",
		"select * from crosswalk('zip', 'moon', 'x')":       "x",
		"select * from crosswalk('zip', 'moon', 'area')":    "moon",
		"select * from radius_zips('90210', 'NaN'::double)": "nan",
		"select * from radius_zips('90210', 'x')":           "x",
		"selec": "syntax error",
	} {
		if _, err := runSQL(t, query); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", query, err, want)
		}
	}
	if err := run(t.Context(), []string{"--nonsense"}, nil, t.Output(), t.Output()); !errors.Is(err, foreign.ErrUse) {
		t.Errorf("unknown flag: %v", err)
	}
}

// TestStdin reads standard input as a file, which DuckDB opens more than once, and
// refuses to run nothing.
func TestStdin(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	var out strings.Builder
	err := run(t.Context(), []string{"--csv", "select id, zip_city(zip) as city from read_csv('/dev/stdin') order by id desc"}, strings.NewReader("id,zip\n1,90210\n2,99999\n"), &out, t.Output())
	if want := "id,city\n2,\n1,Beverly Hills\n"; err != nil || out.String() != want {
		t.Errorf("got %q, %v; want %q", out.String(), err, want)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v remain, %v", left, err)
	}
	for _, text := range []string{"", " ;\n"} {
		if _, err := runSQL(t, text); err == nil || !strings.Contains(err.Error(), "there is no statement") {
			t.Errorf("statements %q: %v", text, err)
		}
	}
}

// TestExplain prints plans in lines, and as a cell of CSV.
func TestExplain(t *testing.T) {
	const statement = "explain select zip_city(z) from (values ('90210')) t(z)"
	if got, err := runSQL(t, statement); err != nil || !strings.HasPrefix(got, "explain_key,explain_value\nphysical_plan,\"") {
		t.Errorf("CSV: got %q, %v", got, err)
	}
	t.Setenv("HOME", t.TempDir())
	var out strings.Builder
	if err := run(t.Context(), []string{statement}, nil, &out, t.Output()); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\n")
	if len(lines) < 10 || lines[0] != "physical_plan" || !strings.HasPrefix(lines[1], "┌─") || lines[len(lines)-2] == "" || lines[len(lines)-1] != "" {
		t.Errorf("got\n%s", out.String())
	}
	for _, line := range lines[1 : len(lines)-1] {
		if width := utf8.RuneCountInString(strings.TrimRight(line, " ")); width != utf8.RuneCountInString(strings.TrimRight(lines[1], " ")) {
			t.Errorf("a line of %d characters in a box: %q", width, line)
		}
	}
}
