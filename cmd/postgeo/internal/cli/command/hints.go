package command

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/lookup"
)

// hint returns the remedy for a code that failed, or "".
func hint(input envelope.Input, err error) string {
	if shortZIP.MatchString(input.Code) && errors.Is(err, postgeo.ErrNotFound) { // the first digits of no ZIP
		return codeHint(input.Code)
	}
	if !errors.Is(err, postgeo.ErrInvalidCode) || input.Address != "" {
		return ""
	}
	for _, code := range []string{input.Code, input.From, input.To} {
		if _, err := lookup.ParseCode(code); code != "" && err != nil {
			return codeHint(code)
		}
	}
	return ""
}

// Shapes of words.
var (
	shortZIP  = regexp.MustCompile(`^\d{3,4}(\.0)?$`)
	nameLike  = regexp.MustCompile(`^[\pL][\pL .,'-]*$`)
	houseLike = regexp.MustCompile(`^\d+\w?\s+\S*\pL\S*`)
)

// codeHint returns the probable meaning of a text that is not a code, or "".
func codeHint(given string) string {
	given = strings.TrimSpace(given)
	lat, lon, pair := strings.Cut(given, ",")
	switch _, swapped := lookup.ParseCode(lon + "," + lat); {
	case shortZIP.MatchString(given):
		return fmt.Sprintf(`a ZIP Code has 5 digits, leading zeros included; did you mean %05s? (spreadsheets drop them)`, strings.TrimSuffix(given, ".0"))
	case slipOf(given) != "":
		return fmt.Sprintf(`did you mean %s? (the digits 0 and 1, not the letters O, I and L)`, slipOf(given))
	case pair && swapped == nil:
		return fmt.Sprintf(`latitude comes first; did you mean %s,%s?`, strings.TrimSpace(lon), strings.TrimSpace(lat))
	case houseLike.MatchString(given):
		return `to match an address, run 'postgeo address` + shownWord(given) + `'`
	case nameLike.MatchString(given) && len(given) > 2:
		return `to search by name, run 'postgeo suggest` + shownWord(given) + `'`
	}
	return ""
}

// slipOf returns the code of a text with the letters O, I and L in place of digits, or
// "".
func slipOf(text string) string {
	letters := strings.NewReplacer("O", "0", "I", "1", "L", "1")
	upper := []byte(strings.ToUpper(text))
	if len(upper) > 10 || !bytes.ContainsAny(upper, "0123456789") {
		return "" // a word
	}
	zip := letters.Replace(string(upper))
	if _, err := lookup.ParseCode(zip); err == nil && zip != string(upper) && strings.Trim(zip, "0123456789-") == "" {
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
	if code, err := lookup.ParseCode(string(upper)); err == nil && !strings.EqualFold(string(upper), text) && (code.Type() == lookup.FSA || code.Type() == lookup.Postal) {
		return code.String()
	}
	return ""
}

// inQuotes escapes a text between double quotes for a shell.
var inQuotes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`")

// shownWord returns a word as typed into a shell, after a space.
func shownWord(w string) string {
	if w == "" || strings.ContainsAny(w, " \t\n'\"`$&|;<>()*?[]{}#~!\\") {
		w = `"` + inQuotes.Replace(w) + `"`
	}
	return " " + w
}
