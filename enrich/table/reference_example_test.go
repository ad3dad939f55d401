package table_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/enrich/table"
)

// From one file to another, of another format.
func ExampleCreate() {
	dir, err := os.MkdirTemp("", "table")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	in, out := filepath.Join(dir, "customers.csv"), filepath.Join(dir, "customers.ndjson")
	if err := os.WriteFile(in, []byte("id,zip\n1,90210\n2,10001\n"), 0o600); err != nil {
		log.Fatal(err)
	}
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()

	src, err := table.Open(in, table.Input{})
	if err != nil {
		log.Fatal(err)
	}
	defer src.Close()
	fmt.Println(src.Format(), src.Header())
	keys, err := src.FindKeys(table.Names{})
	if err != nil {
		log.Fatal(err)
	}
	e, err := enrich.New(db, enrich.Options{Kind: keys.Kind, Add: []string{"city"}})
	if err != nil {
		log.Fatal(err)
	}
	sink, err := table.Create(out, src, e, table.Output{})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := table.Run(context.Background(), src, sink, e, keys, table.RunOptions{}); err != nil {
		log.Fatal(err)
	}
	written, err := os.ReadFile(out)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(string(written))
	// Output:
	// csv [id zip]
	// {"id":"1","zip":"90210","city":"Beverly Hills","postgeo_status":"matched","postgeo_reason":null}
	// {"id":"2","zip":"10001","city":"New York","postgeo_status":"matched","postgeo_reason":null}
}

func ExampleParseFormat() {
	f, err := table.ParseFormat("ndjson")
	fmt.Println(f, err)
	f, zipped, ok := table.FormatOf("customers.tsv.gz")
	fmt.Println(f, zipped, ok)
	fmt.Println(table.CheckName("customers.xls"))
	// Output:
	// ndjson <nil>
	// tsv true true
	// table: customers.xls is a spreadsheet in an unsupported format; save it as .xlsx, .csv, .tsv, .ndjson or .parquet
}

func ExampleWriter_SetMetadata() {
	file, err := os.CreateTemp("", "codes*.parquet")
	if err != nil {
		log.Fatal(err)
	}
	defer os.Remove(file.Name())
	w, err := table.NewWriter(file, table.Parquet, []table.Field{{Name: "code", Type: enrich.String}})
	if err != nil {
		log.Fatal(err)
	}
	w.SetMetadata("source", "sample") // in the file's footer
	if err := w.Write([]enrich.Value{enrich.StringValue("00601")}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(w.Close(), file.Close())
	// Output: <nil> <nil>
}

// A table as a spreadsheet in Europe saves it: semicolons, in Windows-1252.
func ExampleSource_Metadata() {
	var file bytes.Buffer
	w, err := table.NewWriter(&file, table.Parquet, []table.Field{{Name: "zip", Type: enrich.String}})
	if err != nil {
		log.Fatal(err)
	}
	w.SetMetadata("source", "sample")
	if err := errors.Join(w.Write([]enrich.Value{enrich.StringValue("00601")}), w.Close()); err != nil {
		log.Fatal(err)
	}
	src, err := table.Read(&file, table.Input{})
	if err != nil {
		log.Fatal(err)
	}
	defer src.Close()
	fmt.Printf("%q %q\n", src.Metadata("source"), src.Metadata("license"))
	// Output: "sample" ""
}

func ExampleSource_Encoding() {
	src, err := table.Read(strings.NewReader("Kunde;ZIP\nM\xfcller;90210\n"), table.Input{})
	if err != nil {
		log.Fatal(err)
	}
	defer src.Close()
	fmt.Printf("%s %c\n", src.Encoding(), src.Delimiter())
	name, err := table.ParseEncoding("latin1")
	fmt.Println(name, err)
	// Output:
	// windows-1252 ;
	// windows-1252 <nil>
}

// A new Excel file has codes as text, and numbers as numbers.
func ExampleSource_Sheets() {
	var file bytes.Buffer
	w, err := table.NewWriter(&file, table.XLSX, []table.Field{{Name: "zip", Type: enrich.String}, {Name: "n", Type: enrich.Int}})
	if err != nil {
		log.Fatal(err)
	}
	if err := errors.Join(w.Write([]enrich.Value{enrich.StringValue("00601"), enrich.IntValue(7)}), w.Close()); err != nil {
		log.Fatal(err)
	}
	src, err := table.Read(&file, table.Input{})
	if err != nil {
		log.Fatal(err)
	}
	defer src.Close()
	name, all := src.Sheets()
	fmt.Println(name, all, src.Header(), src.Format().Binary())
	// Output: Sheet1 [Sheet1] [zip n] true
}

func ExampleKeys_Kinds() {
	keys, err := table.FindKeys([]string{"id", "zip", "lat", "lon"}, table.Names{Keys: []string{"zip", "lat,lon"}, TryNext: true})
	if err != nil {
		log.Fatal(err)
	}
	for _, kind := range append(keys.Kinds(), keys.Kind) {
		fmt.Println(kind)
	}
	// Output:
	// coordinates
	// code
}
