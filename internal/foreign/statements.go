package foreign

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// Statements returns the arguments of a program as statements, or those of stdin if there
// are none.
func Statements(args []string, stdin io.Reader) (string, error) {
	if len(args) > 0 && !slices.Equal(args, []string{"-"}) {
		return strings.Join(args, " "), nil
	}
	all, err := io.ReadAll(stdin)
	if err != nil {
		return "", fmt.Errorf("read standard input: %w", err)
	}
	return string(all), nil
}

// stdinFile is the name of standard input as a file.
const stdinFile = "/dev/stdin"

// KeepStdin copies stdin to a temporary file for statements that read it as [stdinFile],
// and returns statements that read the copy: DuckDB opens a file more than once, but
// a pipe has its bytes once. remove removes the file.
func KeepStdin(statements string, stdin io.Reader) (with string, remove func() error, err error) {
	if !strings.Contains(statements, stdinFile) {
		return statements, func() error { return nil }, nil
	}
	f, err := os.CreateTemp("", "postgeo-*")
	if err != nil {
		return "", nil, err
	}
	remove = func() error { return os.Remove(f.Name()) }
	_, err = io.Copy(f, stdin)
	if err = errors.Join(err, f.Close()); err != nil {
		return "", nil, errors.Join(fmt.Errorf("keep standard input: %w", err), remove())
	}
	return strings.ReplaceAll(statements, stdinFile, strings.ReplaceAll(f.Name(), "'", "''")), remove, nil
}

// A Query runs statements of DuckDB and returns the rows of the last one.
type Query func(statements string) (Rows, error)

// Run runs statements of DuckDB and prints the rows of the last one, as a table or as CSV.
func Run(query Query, statements string, csvs bool, out io.Writer) error {
	if strings.Trim(statements, "; \t\r\n") == "" {
		return errors.New("there is no statement; give SQL as arguments or on standard input")
	}
	before, last := split(statements)
	if before != "" {
		rows, err := query(before)
		if err != nil {
			return err
		}
		if err := rows.Close(); err != nil {
			return err
		}
	}
	rows, err := query(asText(query, last))
	if err != nil {
		return err
	}
	defer rows.Close()
	return Print(rows, csvs, out)
}

// token matches a text, a name, a comment or a character of SQL.
var token = regexp.MustCompile(`(?s)[eE]'(?:[^'\\]|\\.|'')*'|'[^']*'|"[^"]*"|\$\$.*?\$\$|--[^\n]*|/\*.*?\*/|.`)

// split separates the last statement from those before it.
func split(statements string) (before, last string) {
	end := 0 // of the statements that a later one follows
	semicolon := 0
	for _, at := range token.FindAllStringIndex(statements, -1) {
		switch t := statements[at[0]:at[1]]; {
		case t == ";":
			semicolon = at[1]
		case strings.TrimSpace(t) != "" && !strings.HasPrefix(t, "--") && !strings.HasPrefix(t, "/*"):
			end = semicolon
		}
	}
	return statements[:end], strings.TrimRight(statements[end:], "; \t\r\n")
}

// asText returns a statement with the values of another one as text, except for numbers, and
// with lists and objects as JSON. It returns the other one if that has no rows, or is wrong.
func asText(query Query, statement string) string {
	rows, err := query("SELECT column_name, column_type FROM (DESCRIBE " + statement + "\n)")
	if err != nil {
		return statement
	}
	defer rows.Close()
	var columns []string
	for rows.Next() {
		var name, typ string
		if err := rows.Scan(&name, &typ); err != nil {
			return statement
		}
		value := fmt.Sprintf("#%d", len(columns)+1)
		switch {
		case typ == "DOUBLE", typ == "FLOAT":
		case nested.MatchString(typ):
			value = "to_json(" + value + ")::VARCHAR"
		default:
			value += "::VARCHAR"
		}
		columns = append(columns, value+` AS "`+strings.ReplaceAll(name, `"`, `""`)+`"`)
	}
	if rows.Err() != nil || len(columns) == 0 {
		return statement
	}
	return "SELECT " + strings.Join(columns, ", ") + " FROM (" + statement + "\n)"
}

// nested matches types of lists and objects.
var nested = regexp.MustCompile(`^(?:STRUCT|MAP|UNION)\(|\]$`)

// Rows are rows of a database, such as those of database/sql.
type Rows interface {
	Columns() ([]string, error)
	Next() bool
	Scan(targets ...any) error
	Err() error
	Close() error
}

// Print writes the names of the columns and the rows as a table, or as CSV. The plans of
// EXPLAIN keep their lines in place of a table.
func Print(rows Rows, csvs bool, out io.Writer) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0) // columns are two spaces apart
	write, end, null := func(cells []string) error {
		for i, c := range cells {
			cells[i] = oneLine.Replace(c)
		}
		_, err := fmt.Fprintln(table, strings.Join(cells, "\t"))
		return err
	}, table.Flush, "NULL"
	if csvs {
		w := csv.NewWriter(out)
		write, null = w.Write, ""
		end = func() error {
			w.Flush()
			return w.Error()
		}
	}
	cells, err := rows.Columns()
	if err != nil {
		return err
	}
	plan := slices.Equal(cells, []string{"explain_key", "explain_value"})
	if plan && !csvs {
		write = func(cells []string) error {
			_, err := fmt.Fprintf(out, "%s\n%s\n", cells[0], strings.TrimRight(cells[1], "\n"))
			return err
		}
	} else if err := write(cells); err != nil {
		return err
	}
	values, targets := make([]any, len(cells)), make([]any, len(cells))
	for i := range values {
		targets[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(targets...); err != nil {
			return err
		}
		for i, v := range values {
			cells[i] = cell(v, null)
		}
		if err := write(cells); err != nil {
			return err
		}
	}
	return errors.Join(rows.Err(), end())
}

func cell(v any, null string) string {
	switch v := v.(type) {
	case nil:
		return null
	case float64:
		return decimal(v, 64)
	case float32:
		return decimal(float64(v), 32)
	default:
		return fmt.Sprint(v)
	}
}

// decimal returns a number without an exponent if it is not extreme.
func decimal(v float64, bits int) string {
	const least, most = 1e-7, 1e15
	if size := math.Abs(v); size < most && (size >= least || size == 0) {
		return strconv.FormatFloat(v, 'f', -1, bits)
	}
	return strconv.FormatFloat(v, 'g', -1, bits)
}

// oneLine keeps the columns of a table in place.
var oneLine = strings.NewReplacer("\t", " ", "\n", " ", "\r", " ")
