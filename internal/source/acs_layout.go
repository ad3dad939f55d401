package source

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/postgeo/postgeo/internal/source/format"
)

// next returns the next record: the one that was read with the head first. It
// is nil after the last.
func (p *ACSProfile) next() (*acsRecord, error) {
	if r := p.first; r != nil {
		p.first = nil
		return r, nil
	}
	r, err := p.records.next()
	if errors.Is(err, io.EOF) {
		return nil, nil
	}
	return r, err
}

func openACSRecords(in *format.Input) (*acsHead, acsRecords, error) {
	first, err := in.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, err
	}
	if text := strings.TrimLeft(strings.TrimPrefix(string(first), "\ufeff"), " \r\n\t"); strings.HasPrefix(text, "[") {
		return openACSArrays(in)
	}
	lines := &acsLines{name: in.Name(), lines: format.NewLines(in, maxACSLine)}
	header, err := lines.next()
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = &format.Error{File: in.Name(), Line: 1, Reason: "empty file, expected a header row", Err: format.ErrColumns}
		}
		return nil, nil, err
	}
	header = slices.Clone(header)
	lines.width = len(header)
	switch {
	case slices.Contains(header, "GEO_ID"):
		return openACSData(lines, header, "GEO_ID", dataColumn)
	case slices.Contains(header, "GEO.id"):
		return openACSData(lines, header, "GEO.id", factFinderColumns(header))
	default:
		return nil, nil, &format.Error{File: in.Name(), Line: 1, Reason: "no column GEO_ID or GEO.id: it is not a table of a data profile", Err: format.ErrColumns}
	}
}

// acsLines cuts a file into lines and these into fields. The tables of the
// Census Bureau quote their labels without doubling the quotes within, which
// readers of ordinary CSV refuse. A quoted field ends at a quote before a comma
// or the end of the line. No field has a line end.
type acsLines struct {
	name   string
	lines  *format.Lines
	width  int // fields of every line; 0: not known yet
	fields []string
	again  bool // next returns the current line once more
}

const maxACSLine = 1 << 20

// next returns the fields of the next line, which hold until the next call;
// io.EOF after the last.
func (l *acsLines) next() ([]string, error) {
	if l.again {
		l.again = false
		return l.fields, nil
	}
	text, err := l.lines.Next()
	if err != nil {
		return nil, err
	}
	if !utf8.ValidString(text) {
		return nil, l.fault(format.ErrEncoding, "the text is not UTF-8")
	}
	l.fields = appendLoose(l.fields[:0], text)
	if l.width > 0 && len(l.fields) != l.width {
		return nil, l.fault(format.ErrRagged, "%d fields, expected %d", len(l.fields), l.width)
	}
	return l.fields, nil
}

func (l *acsLines) fault(cause error, reason string, args ...any) error {
	return &format.Error{File: l.name, Line: l.lines.Line(), Reason: fmt.Sprintf(reason, args...), Err: cause}
}

func appendLoose(fields []string, text string) []string {
	for {
		var field string
		end := strings.IndexByte(text, ',')
		if strings.HasPrefix(text, `"`) {
			end = strings.Index(text[1:], `",`)
			if end >= 0 {
				end += 2
			}
		}
		if end < 0 {
			field = text
		} else {
			field = text[:end]
		}
		if n := len(field); n > 1 && field[0] == '"' && field[n-1] == '"' {
			field = field[1 : n-1]
			if strings.Contains(field, `""`) {
				field = strings.ReplaceAll(field, `""`, `"`)
			}
		}
		fields = append(fields, field)
		if end < 0 {
			return fields
		}
		text = text[end+1:]
	}
}

// acsTableRecords are the records of a file with one line for each area.
type acsTableRecords struct {
	lines *acsLines
	geoid int
	rec   acsRecord
}

func (a *acsTableRecords) next() (*acsRecord, error) {
	fields, err := a.lines.next()
	if err != nil {
		return nil, err
	}
	a.rec = acsRecord{geoid: fields[a.geoid], fields: fields, line: a.lines.lines.Line()}
	return &a.rec, nil
}

// acsGEOID matches the start of a GEO_ID of any summary level, such as
// 860Z200US90210.
var acsGEOID = regexp.MustCompile(`^\d{3}\w{4}US`)

// openACSData reads a file with two header rows: identifiers and labels. The
// labels may be missing if the identifiers are column names of data.census.gov,
// which are unambiguous.
func openACSData(lines *acsLines, header []string, geoid string, column func(i int, id string) acsHeadColumn) (*acsHead, acsRecords, error) {
	labels, err := lines.next()
	if errors.Is(err, io.EOF) {
		return nil, nil, &format.Error{File: lines.name, Line: 2, Reason: "the row of labels is missing", Err: format.ErrTruncated}
	}
	if err != nil {
		return nil, nil, err
	}
	head, at := &acsHead{line: 2}, slices.Index(header, geoid)
	if geoid == "GEO_ID" && acsGEOID.MatchString(labels[at]) {
		head.line, lines.again, labels = 1, true, make([]string, len(header))
	}
	for i, id := range header {
		c := column(i, id)
		if c.number > 0 {
			c.label = labels[i]
		}
		head.columns = append(head.columns, c)
	}
	return head, &acsTableRecords{lines: lines, geoid: at}, nil
}

var dataID = regexp.MustCompile(`^(DP0\d)_(\d{4})(E|M|PE|PM)(A?)$`)

var acsMeasures = map[string]acsMeasure{"E": acsEstimate, "M": acsMOE, "PE": acsPercent, "PM": acsPercentMOE}

// dataColumn reads an identifier such as DP05_0001PEA.
func dataColumn(_ int, id string) acsHeadColumn {
	m := dataID.FindStringSubmatch(id)
	if m == nil {
		return acsHeadColumn{}
	}
	n, _ := strconv.Atoi(m[2])
	return acsHeadColumn{table: m[1], number: n, measure: acsMeasures[m[3]], note: m[4] != ""}
}

var factFinderID = regexp.MustCompile(`^HC0([1-4])_VC(\d+)$`)

// factFinderColumns reads identifiers such as HC01_VC03. Their second numbers
// count lines on the screen, including headings; in order they are the columns
// of the table.
func factFinderColumns(header []string) func(int, string) acsHeadColumn {
	var lines []int
	for _, id := range header {
		if m := factFinderID.FindStringSubmatch(id); m != nil {
			n, _ := strconv.Atoi(m[2])
			if !slices.Contains(lines, n) {
				lines = append(lines, n)
			}
		}
	}
	slices.Sort(lines)
	return func(_ int, id string) acsHeadColumn {
		m := factFinderID.FindStringSubmatch(id)
		if m == nil {
			return acsHeadColumn{}
		}
		n, _ := strconv.Atoi(m[2])
		at, _ := slices.BinarySearch(lines, n)
		return acsHeadColumn{number: at + 1, measure: acsMeasure(m[1][0] - '1')}
	}
}

// IsACSProfile reports whether an input begins like a table of a profile, in
// any of its layouts, without reading it.
func IsACSProfile(in *format.Input) bool {
	head, _ := in.Peek(64)
	text := strings.TrimLeft(strings.TrimPrefix(string(head), "\ufeff"), " \r\n\t")
	for _, begin := range []string{"[", `"GEO_ID"`, "GEO_ID,", "GEO.id,", `"GEO.id"`} {
		if strings.HasPrefix(text, begin) {
			return true
		}
	}
	return false
}

// OpenACSTable opens a file that holds a table: a plain or gzip file, or a zip
// as downloaded, with notes next to the table.
func OpenACSTable(path string) (*format.Input, error) {
	for _, member := range []string{"*-Data.csv", "*with_ann.csv", "*.csv"} {
		in, err := format.Open(path, format.OpenOptions{Member: member})
		if !errors.Is(err, format.ErrMember) {
			return in, err
		}
	}
	return format.Open(path, format.OpenOptions{})
}
