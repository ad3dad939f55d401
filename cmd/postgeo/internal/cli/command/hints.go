package command

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/envelope/fault"
	"github.com/postgeo/postgeo/internal/edit"
	"github.com/postgeo/postgeo/lookup"
)

// maxShownWords is how many words of a command line an error repeats.
const maxShownWords = 6

// unknownCommand returns the error for a word that is not a command of a group,
// with the command that was probably meant: one below the group for which the word
// stands, or one of a similar name.
func unknownCommand(group *cobra.Command, words []string) error {
	words = unmarked(words)
	name, rest, path := words[0], words[1:], group.CommandPath()
	instead := ""
	if meant := meantBy(group, strings.ToLower(name)); meant != nil {
		instead = meant.CommandPath() + ShownWords(rest...)
	} else if codes := codeWords(words); !group.HasParent() && isCodeLike(codes[0]) {
		instead = path + " lookup" + ShownWords(codes...)
	} else if near := NearName(strings.ToLower(name), names(group)); near != "" {
		instead = path + " " + near + ShownWords(rest...)
	}
	switch {
	case instead != "":
		return UsageOf(path, `unknown command %q; did you mean '%s'?`, name, instead)
	case group.HasParent():
		return UsageOf(path, `unknown command %q; '%s' has %s`, name, path, listed(names(group)))
	default:
		return UsageOf(path, `unknown command %q`, name)
	}
}

// meantBy returns the command below a group that a word stands for, or nil.
func meantBy(group *cobra.Command, word string) *cobra.Command {
	for _, c := range group.Commands() {
		if c.Name() == word || slices.Contains(c.SuggestFor, word) {
			return c
		}
	}
	for _, c := range group.Commands() {
		if found := meantBy(c, word); found != nil {
			return found
		}
	}
	return nil
}

// isCodeLike reports whether a word is a code, or a slip of one.
func isCodeLike(word string) bool {
	_, err := lookup.ParseCode(word)
	return err == nil || Digits.MatchString(word) || slipOf(word) != ""
}

// inQuotes escapes a text between double quotes for a shell.
var inQuotes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`")

// ShownWords returns words as typed into a shell, each after a space.
func ShownWords(words ...string) string {
	var b strings.Builder
	for i, w := range words {
		if i == maxShownWords {
			return b.String() + " …"
		}
		if w == "" || strings.ContainsAny(w, " \t\n'\"`$&|;<>()*?[]{}#~!\\") {
			w = `"` + inQuotes.Replace(w) + `"`
		}
		b.WriteString(" " + w)
	}
	return b.String()
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

// hint returns the remedy for an input that failed, or "".
func hint(input envelope.Input, err error) string {
	switch e := fault.As(err); {
	case e != nil && e.Kind == fault.Unavailable && e.Thing == fault.Coordinates:
		return `build a dataset with areas: 'postgeo dataset build --layers boundaries'`
	case errors.Is(err, postgeo.ErrInvalidCode) && input.Address == "":
		for _, code := range []string{input.Code, input.From, input.To} {
			if _, err := lookup.ParseCode(code); code != "" && err != nil {
				return CodeHint(code)
			}
		}
	case shortZIP.MatchString(input.Code) && errors.Is(err, postgeo.ErrNotFound): // the first digits of no ZIP
		return CodeHint(input.Code)
	case input.From != "" && errors.Is(err, postgeo.ErrNotFound):
		return `the code is not in this dataset, or has no location`
	case input.Address != "":
		if _, err := lookup.ParseCode(input.Address); err == nil {
			return fmt.Sprintf(`this is a code: 'postgeo lookup%s'`, ShownWords(input.Address))
		}
	}
	return ""
}

// Shapes of words.
var (
	shortZIP   = regexp.MustCompile(`^\d{3,4}(\.0)?$`)
	shortZIP4  = regexp.MustCompile(`^(\d{3,4}-\d{4}|\d{7,8})$`)
	fileEnding = regexp.MustCompile(`(?i)\.(txt|csv|tsv|jsonl?|ndjson|parquet|xlsx?|gz|dat|lst)$`)
	tractLike  = regexp.MustCompile(`^\d{11,12}$`)
	NameLike   = regexp.MustCompile(`^[\pL][\pL .,'-]*$`)
	houseLike  = regexp.MustCompile(`^\d+\w?\s+\S*\pL\S*`)
)

// CodeHint returns the probable meaning of a text that is not a code, or "".
func CodeHint(given string) string {
	given = strings.TrimSpace(given)
	switch {
	case fileEnding.MatchString(given):
		if ending := strings.ToLower(filepath.Ext(given)); slices.Contains([]string{".csv", ".tsv", ".ndjson", ".parquet"}, ending) {
			return fmt.Sprintf(`to look up every row of a table, run 'postgeo enrich%s --add city,state'`, ShownWords(given))
		}
		return fmt.Sprintf(`to read codes from a file, one per line, run 'postgeo lookup - <%s'`, ShownWords(given))
	case shortZIP.MatchString(given):
		return fmt.Sprintf(`a ZIP Code has 5 digits, leading zeros included; did you mean %05s? (spreadsheets drop them)`, strings.TrimSuffix(given, ".0"))
	case shortZIP4.MatchString(given):
		zip := strings.ReplaceAll(given, "-", "")
		return fmt.Sprintf(`a ZIP+4 Code has 5 and 4 digits, leading zeros included; did you mean %05s-%s? (spreadsheets drop them)`, zip[:len(zip)-4], zip[len(zip)-4:])
	case tractLike.MatchString(given):
		kind := "tract"
		if len(given) > 11 {
			kind = "bg"
		}
		return fmt.Sprintf(`%d digits are the code of a census area: 'postgeo codes-in %s %s'`, len(given), kind, given)
	}
	if code := slipOf(given); code != "" {
		return fmt.Sprintf(`did you mean %s? (the digits 0 and 1, not the letters O, I and L)`, code)
	}
	if lat, lon, ok := strings.Cut(given, ","); ok {
		lat, lon = strings.TrimSpace(lat), strings.TrimSpace(lon)
		if _, err := lookup.ParseCode(lon + "," + lat); err == nil {
			if !strings.Contains(given, ".") {
				return fmt.Sprintf(`latitude comes first, and numbers have decimal points; did you mean %[1]s,%[2]s, or a coordinate with %[2]s.%[1]s?`, lon, lat)
			}
			return fmt.Sprintf(`latitude comes first; did you mean %s,%s?`, lon, lat)
		}
		if !NameLike.MatchString(given) && !houseLike.MatchString(given) {
			return `pass several codes as separate arguments or one per line on standard input; for rows of a table, use 'postgeo enrich'`
		}
	}
	switch {
	case houseLike.MatchString(given):
		return fmt.Sprintf(`to match an address, run 'postgeo address%s'`, ShownWords(given))
	case NameLike.MatchString(given) && len(given) > 2:
		return fmt.Sprintf(`to search by name, run 'postgeo suggest%s'`, ShownWords(given))
	}
	return ""
}

// slipOf returns the code of a text with the letters O, I and L in place of digits, or
// "".
func slipOf(text string) string {
	letters := strings.NewReplacer("O", "0", "I", "1", "L", "1")
	upper := []byte(strings.ToUpper(strings.TrimSpace(text)))
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
	if code, err := lookup.ParseCode(string(upper)); err == nil && !strings.EqualFold(string(upper), strings.TrimSpace(text)) && (code.Type() == lookup.FSA || code.Type() == lookup.Postal) {
		return code.String()
	}
	return ""
}
