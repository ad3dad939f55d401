package cli

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/fault"
	"github.com/postgeo/postgeo/lookup"
)

// hint says what to do about an input that failed, or "". It tells of the first
// of the inputs that something is known about.
func hint(input envelope.Input, err error) string {
	switch e := fault.As(err); {
	case e != nil && e.Kind == fault.Unavailable && e.Thing == fault.Coordinates:
		return "build a dataset with areas: 'postgeo dataset build --layers boundaries'"
	case errors.Is(err, postgeo.ErrInvalidCode) && input.Address == "":
		for _, code := range []string{input.Code, input.From, input.To} {
			if _, err := lookup.ParseCode(code); code != "" && err != nil {
				return codeHint(code)
			}
		}
	case input.From != "" && errors.Is(err, postgeo.ErrNotFound):
		return "this dataset has no such code, or knows no point of it"
	case input.Address != "":
		if _, err := lookup.ParseCode(input.Address); err == nil {
			return fmt.Sprintf("that is a code: 'postgeo lookup%s'", shownWords([]string{input.Address}))
		}
	}
	return ""
}

var (
	shortZIP   = regexp.MustCompile(`^\d{3,4}(\.0)?$`)
	shortZIP4  = regexp.MustCompile(`^(\d{3,4}-\d{4}|\d{7,8})$`)
	fileEnding = regexp.MustCompile(`(?i)\.(txt|csv|tsv|jsonl?|ndjson|parquet|xlsx?|gz|dat|lst)$`)
	tractLike  = regexp.MustCompile(`^\d{11,12}$`)
	nameLike   = regexp.MustCompile(`^[\pL][\pL .,'-]*$`)
	houseLike  = regexp.MustCompile(`^\d+\w?\s+\S*\pL\S*`)
)

// codeHint says what may have been meant by a text that is no code, or "".
func codeHint(given string) string {
	given = strings.TrimSpace(given)
	switch {
	case fileEnding.MatchString(given):
		if ending := strings.ToLower(filepath.Ext(given)); slices.Contains([]string{".csv", ".tsv", ".ndjson", ".parquet"}, ending) {
			return fmt.Sprintf("for a table 'postgeo enrich%s --add city,state' answers every row", shownWords([]string{given}))
		}
		return fmt.Sprintf("codes in a file, one a line, are read from standard input: 'postgeo lookup - <%s'", shownWords([]string{given}))
	case shortZIP.MatchString(given):
		return fmt.Sprintf("a ZIP Code has 5 digits, leading zeros included; did you mean %05s? (spreadsheets drop them)", strings.TrimSuffix(given, ".0"))
	case shortZIP4.MatchString(given):
		zip := strings.ReplaceAll(given, "-", "")
		return fmt.Sprintf("a ZIP+4 Code has 5 and 4 digits, leading zeros included; did you mean %05s-%s? (spreadsheets drop them)", zip[:len(zip)-4], zip[len(zip)-4:])
	case tractLike.MatchString(given):
		kind := "tract"
		if len(given) > 11 {
			kind = "bg"
		}
		return fmt.Sprintf("%d digits are the code of a census area: 'postgeo codes-in %s %s'", len(given), kind, given)
	}
	if code := slipOf(given); code != "" {
		return fmt.Sprintf("did you mean %s? (the digits 0 and 1, not the letters O, I and L)", code)
	}
	if lat, lon, ok := strings.Cut(given, ","); ok {
		lat, lon = strings.TrimSpace(lat), strings.TrimSpace(lon)
		if _, err := lookup.ParseCode(lon + "," + lat); err == nil {
			if !strings.Contains(given, ".") {
				return fmt.Sprintf("latitude comes first, and numbers have decimal points; did you mean %[1]s,%[2]s, or a coordinate with %[2]s.%[1]s?", lon, lat)
			}
			return fmt.Sprintf("latitude comes first; did you mean %s,%s?", lon, lat)
		}
		if !nameLike.MatchString(given) && !houseLike.MatchString(given) {
			return "several codes are several arguments, or lines of standard input; a row of a table is for 'postgeo enrich'"
		}
	}
	switch {
	case houseLike.MatchString(given):
		return fmt.Sprintf("addresses are matched by 'postgeo address%s'", shownWords([]string{given}))
	case nameLike.MatchString(given) && len(given) > 2:
		return fmt.Sprintf("names are found by 'postgeo suggest%s'", shownWords([]string{given}))
	}
	return ""
}

// slipOf returns the code that a text is when letters that look like digits
// are digits, or "".
func slipOf(text string) string {
	letters := strings.NewReplacer("O", "0", "I", "1", "L", "1")
	upper := []byte(strings.ToUpper(strings.TrimSpace(text)))
	if len(upper) > 10 || !bytes.ContainsAny(upper, "0123456789") {
		return "" // what has no digit at all is a word
	}
	zip := letters.Replace(string(upper))
	if _, err := lookup.ParseCode(zip); err == nil && zip != string(upper) && digits.MatchString(strings.ReplaceAll(zip, "-", "")) {
		return zip
	}
	n := 0 // characters of the code so far; digits are the second, fourth and sixth
	for i, c := range upper {
		if c == ' ' || c == '-' {
			continue
		}
		if n++; n%2 == 0 {
			upper[i] = letters.Replace(string(c))[0]
		}
	}
	if code, err := lookup.ParseCode(string(upper)); err == nil && !strings.EqualFold(string(upper), strings.TrimSpace(text)) && (code.Type() == lookup.FSA || code.Type() == lookup.Postal) {
		return code.String()
	}
	return ""
}
