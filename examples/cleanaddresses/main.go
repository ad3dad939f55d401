// Command cleanaddresses standardizes the addresses of customers in a CSV file. It adds
// the ZIP+4 code and doubts about the match. An address without a match is not
// changed and gets the reason. No row is lost, and none is guessed. The flag -column
// names the column of addresses, by default "address".
//
// It shows how to tell apart the three results of a match: an address that was found, one
// that was not, and a dataset that fails. Only the last one may end the program.
//
//	go run ./examples/cleanaddresses < examples/cleanaddresses/customers.csv
package main

import (
	"context"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/examples/internal/input"
)

func main() {
	column := flag.String("column", "address", "`name` of the column of addresses")
	flag.Parse()
	if err := run(context.Background(), os.Stdin, os.Stdout, *column); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, in io.Reader, out io.Writer, column string) error {
	db, err := input.Dataset()
	if err != nil {
		return err
	}
	defer db.Close()

	table, err := input.Read("standard input", in, column)
	if err != nil {
		return err
	}
	w := csv.NewWriter(out)
	if err := w.Write(append(table.Header, "status", "clean_address", "zip4", "remarks")); err != nil {
		return err
	}
	for {
		row, err := table.Next()
		if errors.Is(err, io.EOF) {
			w.Flush()
			return w.Error()
		}
		if err != nil {
			return err
		}
		c, err := clean(ctx, db, table.Cell(row, column))
		if err != nil {
			return err
		}
		if err := w.Write(append(row, c.status, c.address, c.zip4, c.remarks)); err != nil {
			return err
		}
	}
}

// A cleaned address has a status: high, medium or low confidence, or unmatched. Keep it
// beside the address: high can be mailed to at once, medium has one correction or lacks a
// unit, and low is worth a look by a person.
type cleaned struct{ status, address, zip4, remarks string }

func clean(ctx context.Context, db *postgeo.DB, text string) (cleaned, error) {
	m, err := db.MatchAddress(ctx, text, address.Options{})
	// OfInput returns nil for errors that the input did not cause. Its message is written for
	// the person who typed the address.
	if f := envelope.OfInput(err); f != nil {
		return cleaned{status: "unmatched", address: text, remarks: f.Message}, nil
	}
	if err != nil { // such as a dataset that cannot be read: each further row would fail too
		return cleaned{}, err
	}
	c := cleaned{status: string(m.Data.Confidence), address: m.Data.FormattedAddress}
	if p := m.Data.Components; p.Plus4 != "" {
		c.zip4 = p.ZIP + "-" + p.Plus4
	}
	// Notices name each correction, such as STREET_CORRECTED. MATCHED adds nothing to the
	// status.
	var remarks []string
	for _, n := range m.Notices {
		if n.Code != "MATCHED" {
			remarks = append(remarks, string(n.Code))
		}
	}
	c.remarks = strings.Join(remarks, " ")
	return c, nil
}
