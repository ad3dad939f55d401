package command

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/message"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/envelope/fault"
	"github.com/postgeo/postgeo/internal/edit"
	"github.com/postgeo/postgeo/lookup"
)

// synonyms maps words to the commands that people mean by them.
var synonyms = map[string]string{
	"zip": "lookup", "zipcode": "lookup", "postal": "lookup", "postcode": "lookup", "code": "lookup", "get": "lookup",
	"reverse": "lookup", "geocode": "address", "match": "address", "parse": "address --parse", "validate": "address", "verify": "dataset verify",
	"find": "suggest", "search": "suggest", "complete": "suggest", "autocomplete": "suggest", "near": "nearest", "closest": "nearest",
	"around": "radius", "within": "radius", "circle": "radius", "polygon": "inside", "county": "codes-in county", "codes": "codes-in",
	"neighbours": "neighbors", "adjacent": "neighbors", "outline": "boundary", "geojson": "boundary", "shape": "boundary",
	"matrix": "distance --matrix", "bearing": "distance", "census": "acs", "survey": "acs", "demographics": "acs profile",
	"csv": "enrich", "bulk": "enrich", "join": "enrich", "dump": "export", "svg": "map", "draw": "map", "plot": "map",
	"server": "serve", "start": "serve", "run": "serve", "http": "serve", "api": "serve", "settings": "config show", "check": "config check",
	"build": "dataset build", "download": "dataset build", "update": "dataset build", "diff": "dataset diff", "data": "dataset info", "info": "dataset info",
	"keys": "key list", "accounts": "account list", "credit": "credits balance", "balance": "credits balance", "grant": "credits grant",
}

// maxShownWords is how many words of a command line an error repeats.
const maxShownWords = 6

// unknownCommand returns the error for a word that is not a command of a group,
// with the command that was probably meant.
func unknownCommand(group *Command, words []string) error {
	name, rest := words[0], words[1:]
	instead := ""
	if group.parent == nil {
		other, known := synonyms[strings.ToLower(name)]
		switch codes := codeWords(words); {
		case known:
			instead = "postgeo " + other + ShownWords(rest...)
		case isCodeLike(codes[0]):
			instead = "postgeo lookup" + ShownWords(codes...)
		}
	}
	if near := NearName(strings.ToLower(name), group.Names()); instead == "" && near != "" {
		instead = group.Path() + " " + near + ShownWords(rest...)
	}
	switch path := group.Path(); {
	case instead != "":
		return UsageOf(path, message.UnknownCommandNear, name, instead)
	case group.parent != nil:
		return UsageOf(path, message.UnknownCommandOf, name, path, listed(group.Names()))
	default:
		return UsageOf(path, message.UnknownCommand, name)
	}
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
		return message.BuildAreas
	case errors.Is(err, postgeo.ErrInvalidCode) && input.Address == "":
		for _, code := range []string{input.Code, input.From, input.To} {
			if _, err := lookup.ParseCode(code); code != "" && err != nil {
				return CodeHint(code)
			}
		}
	case input.From != "" && errors.Is(err, postgeo.ErrNotFound):
		return message.NoCodeOrPoint
	case input.Address != "":
		if _, err := lookup.ParseCode(input.Address); err == nil {
			return fmt.Sprintf(message.AddressIsCode, ShownWords(input.Address))
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
			return fmt.Sprintf(message.CodeIsTable, ShownWords(given))
		}
		return fmt.Sprintf(message.CodeIsFile, ShownWords(given))
	case shortZIP.MatchString(given):
		return fmt.Sprintf(message.ShortZIP, strings.TrimSuffix(given, ".0"))
	case shortZIP4.MatchString(given):
		zip := strings.ReplaceAll(given, "-", "")
		return fmt.Sprintf(message.ShortZIP4, zip[:len(zip)-4], zip[len(zip)-4:])
	case tractLike.MatchString(given):
		kind := "tract"
		if len(given) > 11 {
			kind = "bg"
		}
		return fmt.Sprintf(message.CodeIsArea, len(given), kind, given)
	}
	if code := slipOf(given); code != "" {
		return fmt.Sprintf(message.LettersForDigits, code)
	}
	if lat, lon, ok := strings.Cut(given, ","); ok {
		lat, lon = strings.TrimSpace(lat), strings.TrimSpace(lon)
		if _, err := lookup.ParseCode(lon + "," + lat); err == nil {
			if !strings.Contains(given, ".") {
				return fmt.Sprintf(message.DecimalCommas, lon, lat)
			}
			return fmt.Sprintf(message.LatitudeFirst, lon, lat)
		}
		if !NameLike.MatchString(given) && !houseLike.MatchString(given) {
			return message.SeveralCodes
		}
	}
	switch {
	case houseLike.MatchString(given):
		return fmt.Sprintf(message.CodeIsAddress, ShownWords(given))
	case NameLike.MatchString(given) && len(given) > 2:
		return fmt.Sprintf(message.CodeIsName, ShownWords(given))
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
