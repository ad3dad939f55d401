package cli

import (
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// arrange moves flags before the arguments of the command that args name, so
// that they may stand in any order: "lookup 90210 --quick 10001". What begins
// with a minus sign and a digit is an argument: a southern latitude.
func arrange(root *kong.Node, args []string) []string {
	node := root
	var commands, flags, rest []string
	for i := 0; i < len(args); i++ {
		word := args[i]
		switch {
		case word == "--":
			rest = append(rest, args[i+1:]...)
			i = len(args)
		case isFlag(word):
			flags = append(flags, word)
			if f := findFlag(node, word); f != nil && !f.IsBool() && i+1 < len(args) {
				i++
				flags = append(flags, args[i])
			}
		default:
			if child := findCommand(node, word); child != nil && len(rest) == 0 {
				node = child
				commands = append(commands, word)
			} else {
				rest = append(rest, word)
			}
		}
	}
	if len(rest) > 0 {
		rest = append([]string{"--"}, rest...)
	}
	return slices.Concat(commands, flags, rest)
}

// isFlag reports whether a word is a flag, and not "-", standard input, or a
// coordinate.
func isFlag(word string) bool {
	return len(word) > 1 && word[0] == '-' && !strings.ContainsRune("0123456789.", rune(word[1]))
}
