package command

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/edit"
	"github.com/postgeo/postgeo/lookup"
)

// unknownCommand returns the error for a word that is not a command of a group, with
// the command that cobra suggests.
func unknownCommand(group *cobra.Command, words []string) error {
	name, path := unmarked(words)[0], group.CommandPath()
	group.SuggestionsMinimumDistance = 2
	near := group.SuggestionsFor(strings.ToLower(name))
	if _, err := lookup.ParseCode(name); err == nil && !group.HasParent() {
		near = []string{"lookup " + name}
	}
	switch {
	case len(near) > 0:
		return UsageOf(path, `unknown command %q; did you mean '%s %s'?`, name, path, near[0])
	case group.HasParent():
		return UsageOf(path, `unknown command %q; '%s' has %s`, name, path, listed(names(group)))
	default:
		return UsageOf(path, `unknown command %q`, name)
	}
}

// inQuotes escapes a text between double quotes for a shell.
var inQuotes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`")

// ShownWord returns a word as typed into a shell, after a space.
func ShownWord(w string) string {
	if w == "" || strings.ContainsAny(w, " \t\n'\"`$&|;<>()*?[]{}#~!\\") {
		w = `"` + inQuotes.Replace(w) + `"`
	}
	return " " + w
}

// NearName returns the name nearest to a wrong one, or "" if all differ by more than
// a third of the letters.
func NearName(given string, names []string) string {
	best, least := "", (len(given)+2)/3+1
	for _, name := range names {
		if d := edit.Distance(given, name, least); d < least {
			best, least = name, d
		}
	}
	return best
}

// hint returns the remedy for a code that failed, or "".
func hint(input envelope.Input, err error) string {
	if shortZIP.MatchString(input.Code) && errors.Is(err, postgeo.ErrNotFound) { // the first digits of no ZIP
		return CodeHint(input.Code)
	}
	if !errors.Is(err, postgeo.ErrInvalidCode) || input.Address != "" {
		return ""
	}
	for _, code := range []string{input.Code, input.From, input.To} {
		if _, err := lookup.ParseCode(code); code != "" && err != nil {
			return CodeHint(code)
		}
	}
	return ""
}

// Shapes of words.
var (
	shortZIP  = regexp.MustCompile(`^\d{3,4}(\.0)?$`)
	NameLike  = regexp.MustCompile(`^[\pL][\pL .,'-]*$`)
	houseLike = regexp.MustCompile(`^\d+\w?\s+\S*\pL\S*`)
)

// CodeHint returns the probable meaning of a text that is not a code, or "".
func CodeHint(given string) string {
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
		return `to match an address, run 'postgeo address` + ShownWord(given) + `'`
	case NameLike.MatchString(given) && len(given) > 2:
		return `to search by name, run 'postgeo suggest` + ShownWord(given) + `'`
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
	if _, err := lookup.ParseCode(zip); err == nil && zip != string(upper) && Digits.MatchString(strings.ReplaceAll(zip, "-", "")) {
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
