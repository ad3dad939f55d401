package cli_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
	"github.com/postgeo/postgeo/internal/dataset/sample"
)

// TestAddTable adds tables of several keys and years to a copy of the sample and reads
// them with every command that has tables.
func TestAddTable(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	data, err := fs.ReadFile(sample.FS(), sample.Name)
	if err != nil {
		t.Fatal(err)
	}
	base, out := file("base.db", string(data)), filepath.Join(dir, "own.db")
	w := world{}
	tracts := w.run("crosswalk", "tract", "zip", "--weight", "people", "--data", base, "-f", "csv")
	if tracts.code != cli.Done {
		t.Fatal(tracts)
	}
	rows := "GEOID,people,poor,rate,index,income,kind,note\n"
	seen := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(tracts.stdout), "\n")[1:] {
		if id, _, _ := strings.Cut(line, ","); id != "" && !seen[id] {
			seen[id] = true
			rows += id + ",1000,100,10,0.5,50000,urban,x\n"
		}
	}
	svi := file("svi.csv", rows)
	old := file("old.csv", strings.ReplaceAll(rows, ",100,10,", ",\"200\",20%,"))
	rents := file("rents.tsv", "ZIP Code\trent\tclass\n90210\t$3,100\tA\n10001\t2900\tB\n501\t1\t\n12\t1\tC\n")
	file("rents.json", `{"key": "zcta", "mean": ["rent"], "category": ["class"], "absent": {"class": "none"}}`)
	homes := file("homes.csv", "fsa,homes\nM5V,12\nK1A,3\n")
	options := ",key=tract,count=people,poor,rate=rate/people,mean=index:people,median=income:people,category=kind"
	r := w.run("dataset", "add-layer", "--data", base, "--table", "svi="+svi+options+",ignore=note,year=2022,title=Index", "--table", "svi="+old+options+",ignore=*,year=2020",
		"--table", "rents="+rents, "--table", "homes="+homes+",key=fsa,count=homes", "-o", out)
	if r.code != cli.Done || !strings.Contains(r.stdout, "table svi 2022") || !strings.Contains(r.stdout, "not a zip") {
		t.Fatalf("add-layer: %v", r)
	}
	polygon := file("area.geojson", `{"type":"Polygon","coordinates":[[[-119,33],[-117,33],[-117,35],[-119,35],[-119,33]]]}`)
	codes := file("codes.csv", "zip\n90210\nM5V\n10001\n")
	for _, test := range []struct{ args, want, lacks string }{
		{"lookup 90210 --include tables.rents -f json", `"tables":{"rents":{"source":"Sample: rents (rents.tsv)","key":"zip","weight":"people","basis":"exact"`, "not charged"},
		{"lookup 90210 --include tables.rents -f json", `"rent":{"meaning":"mean","weight":"people","value":3100}`, "null"},
		{"lookup 98101 --include tables.rents -f json", `"class":{"meaning":"category","weight":"people","category":"none"`, "not charged"},
		{"lookup M5V --include tables.homes,tables.none -f json", "Not available for this code, not charged: tables.none.", `"basis":"block_groups"`},
		{"lookup M5V --include tables.homes -f csv", "tables.homes.homes", "areas"},
		{"lookup 90210 --include tables.svi -f json", `"poor":{"meaning":"count","value":`, "null"},
		{"lookup 90210 --include tables.svi -f json", `"years":[{"year":2020,"coverage_pct":100,"columns":{`, "null"},
		{"lookup 90210 --include tables.svi -f json", `"rate":{"meaning":"rate","weight":"people","value":20}`, "null"},
		{"lookup 90210 --include tables.svi -f json", `"income":{"meaning":"median","weight":"people","value":50000}`, "null"},
		{"lookup 90210 --include tables.svi -f json", `"kind":{"meaning":"category","weight":"people","category":"urban"}`, "null"},
		{"lookup 34.09,-118.41 --include tables.svi -f json", `"basis":"contains_point"`, `"meaning":"count","value"`},
		{"table svi zip -f csv", ",people,block_groups,100,", "largest_area,100,100"},
		{"table svi county -f json", `"basis":"block_groups"`, "null"},
		{"table svi tract --id " + first(seen) + " -f json", `"basis":"exact"`, "null"},
		{"table homes fsa -f csv", "M5V,,area,exact,100,12", "null"},
		{"table rents zip -f csv", "00501,,people,exact,100,1,", "00012"},
		{"radius 90210 --max 5 --include tables.svi -f json", `"stats":{"tables":{"svi":{"source":"Sample: Index (svi.csv)","key":"tract","weight":"people","basis":"block_groups"`, "null"},
		{"inside " + polygon + " --include tables.svi -f json", `"stats":{"tables":{"svi":`, "null"},
		{"enrich " + codes + " --add tables.rents.rent,tables.svi.2020.rate,tables.svi.kind,tables.svi.basis,tables.svi.rate.coverage_pct", "90210,3100,20,urban,block_groups,,matched", "broken"},
		{"enrich " + codes + " --add tables.homes.homes", "M5V,12,matched", "broken"},
		{"enrich " + codes + " --add radius.stats.tables.svi.rate", "90210,10,matched", "broken"},
		{"table svi zip --id 90210 --series --column rate -f csv", "id,name,year,weight,basis,coverage_pct,rate\n90210,,2020,people,block_groups,100,20\n90210,,2022,people,block_groups,100,10\n", "null"},
		{"export table svi zip --year 2020", "geoid,name,year,weight,basis,coverage_pct,people,poor,rate,index,income,kind\n", "2022"},
		{"export table svi zip --id 90210", ",2020,people,block_groups,100,", "10001"},
		{"export table rents zip --to ndjson", `{"geoid":"10001","name":null,"year":null,"weight":"people","basis":"exact","coverage_pct":100,"rent":2900,"class":"B"}`, "NaN"},
		{"export table homes fsa --to parquet", "PAR1", "error"},
		{"dataset verify", `"ok":true`, "damaged"},
		{"dataset diff " + base + " " + out, "table homes", "layer"},
	} {
		args := strings.Fields(test.args)
		if args[1] != "diff" {
			args = append(args, "--data", out)
		}
		if strings.Contains(test.args, "radius.stats") {
			args = append(args, "--within", "5")
		}
		r := w.run(args...)
		if r.code != cli.Done || !strings.Contains(r.stdout, test.want) || strings.Contains(r.stdout, test.lacks) {
			t.Errorf("%s: want %q, not %q\n%.1500v", test.args, test.want, test.lacks, r)
		}
	}
	for _, test := range []struct{ args, want string }{
		{"--table x=" + svi + ",key=tract,count=people", "columns without a meaning: poor, rate, index, income, kind, note"},
		{"--table x=" + svi + ",key=tract,rate=rate,ignore=*", "lacks its denominator"},
		{"--table x=" + svi + ",key=tract,count=kind,ignore=*", "column kind has no value that is a count"},
		{"--table x=" + svi + ",key=moon", "lacks key="},
		{"--table x=" + svi + ",key=tract,id=no,ignore=*", `no column "no"`},
		{"--table X=" + svi + ",key=tract,count=people,ignore=*", "is not the name of a table"},
		{"--recipe nothing=" + svi, "built-in recipes: places2024, qoz2018, ruca2020, safmr2026, svi2022"},
		{"", "nothing to add"},
	} {
		r := w.run(append(strings.Fields("dataset add-layer --data "+base+" -o "+filepath.Join(dir, "bad.db")), strings.Fields(test.args)...)...)
		if r.code == cli.Done || !strings.Contains(r.stderr, test.want) {
			t.Errorf("%s: want %q\n%v", test.args, test.want, r)
		}
	}
	if r := w.run("table", "svi", "zip", "--column", "x", "--data", out); r.code != cli.Misuse || !strings.Contains(r.stderr, "must be one of people, poor") {
		t.Errorf("unknown column: %v", r)
	}
	if r := w.run("export", "table", "svi", "zip", "--year", "1999", "--data", out); r.code != cli.Misuse || !strings.Contains(r.stderr, "must be a year of the table: 2022 2020") {
		t.Errorf("unknown year: %v", r)
	}
	if err := os.WriteFile(filepath.Join(dir, "header.csv"), []byte("zip,rent\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := w.run("dataset", "add-layer", "--data", base, "--table", "h="+filepath.Join(dir, "header.csv")+",key=zip,mean=rent", "-o", filepath.Join(dir, "bad.db")); !strings.Contains(r.stderr, "header.csv: the table has no rows\n") {
		t.Errorf("a table without rows: %v", r)
	}
	for add, want := range map[string]string{
		"tables.none.people": "needs a table that the dataset does not have; it has tables.homes, tables.rents, tables.svi",
		"tables.svi.none":    `unknown field "tables.svi.none"; similar: tables.svi.people`,
	} {
		if r := (world{stdin: "zip\n90210\n"}).run("enrich", "-", "--add", add, "--data", out); r.code != cli.Misuse || !strings.Contains(r.stderr, want) {
			t.Errorf("%s: want %q\n%v", add, want, r)
		}
	}
	if r := (world{stdin: "zip\n90210\n"}).run("enrich", "-", "--add", "tables.svi.people"); r.code != cli.Misuse || !strings.Contains(r.stderr, "needs a table; add one to the dataset with 'postgeo dataset add-layer --table'") {
		t.Errorf("no table: %v", r)
	}
	if r := w.run("table", "none", "zip", "--data", out); !strings.Contains(r.stderr, "it has homes, rents, svi") {
		t.Errorf("unknown table: %v", r)
	}
}

func first(set map[string]bool) string {
	least := ""
	for k := range set {
		if least == "" || k < least {
			least = k
		}
	}
	return least
}
