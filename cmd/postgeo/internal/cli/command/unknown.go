package command

import (
	"strings"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/message"
	"github.com/postgeo/postgeo/internal/lookup"
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
