package cli

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/postgeo/postgeo/lookup"
)

// meant is what people call commands that have another name.
var meant = map[string]string{
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

// unknownCommand says that a word is no command of a node, and what may have
// been meant.
func unknownCommand(node *kong.Node, words []string) error {
	name, rest := words[0], words[1:]
	instead := ""
	if node.Parent == nil {
		other, known := meant[strings.ToLower(name)]
		switch codes := codeWords(words); {
		case known:
			instead = "postgeo " + other + shownWords(rest)
		case isCodeLike(codes[0]):
			instead = "postgeo lookup" + shownWords(codes)
		}
	}
	var names []string
	for _, child := range node.Children {
		if !child.Hidden {
			names = append(names, child.Name)
		}
	}
	if near := nearName(strings.ToLower(name), names); instead == "" && near != "" {
		instead = node.FullPath() + " " + near + shownWords(rest)
	}
	reason := fmt.Sprintf("%s has no command %q", node.FullPath(), name)
	if instead != "" {
		reason += fmt.Sprintf("; did you mean '%s'?", instead)
	} else if node.Parent != nil {
		reason += "; it has " + strings.Join(names, ", ")
	}
	return &usageError{reason: reason, command: node.FullPath()}
}

// isCodeLike reports whether a word is a code, or a slip of one.
func isCodeLike(word string) bool {
	_, err := lookup.ParseCode(word)
	return err == nil || digits.MatchString(word) || slipOf(word) != ""
}

// inQuotes keeps a shell from running what is between double quotes.
var inQuotes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`")

// shownWords are words as they would be typed, each with a blank before it.
func shownWords(words []string) string {
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
