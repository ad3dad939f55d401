package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// arrange moves flags before the arguments of the command that args name, so
// that they may stand in any order, before the command too: "lookup 90210
// --quick 10001". What begins with a minus sign and a digit is an argument: a
// southern latitude. Arguments are joined as the command's tags say.
func arrange(root *kong.Node, args []string) ([]string, error) {
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
			if i+1 < len(args) && takesValue(node, word, args[i+1]) {
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
		if len(node.Children) > 0 {
			return nil, unknownCommand(node, rest)
		}
		for i, argument := range node.Positional {
			if how := argument.Tag.Get("join"); how != "" && i < len(rest) {
				rest = slices.Concat(rest[:i], joinWords(how, rest[i:]))
				break
			}
		}
		if n := len(node.Positional); len(rest) > n && n > 0 && !node.Positional[n-1].IsCumulative() {
			return nil, &usageError{
				reason:  fmt.Sprintf("%s takes %s and nothing more, but %q is there too; put a text with blanks in quotes", node.FullPath(), argumentNames(node), rest[n]),
				command: node.FullPath(),
			}
		}
		rest = append([]string{"--"}, rest...)
	}
	return slices.Concat(commands, flags, rest), nil
}

// argumentNames lists the arguments of a command as its help does.
func argumentNames(node *kong.Node) string {
	var names []string
	for _, a := range node.Positional {
		names = append(names, a.Summary())
	}
	return strings.Join(names, " ")
}

// takesValue reports whether the word after a flag is the flag's value. Before
// the command's name it is, unless that is the name of a command, if any
// command has such a flag with a value.
func takesValue(node *kong.Node, flag, next string) bool {
	if f := findFlag(node, flag); f != nil {
		return !f.IsBool()
	}
	if len(node.Children) == 0 || findCommand(node, next) != nil {
		return false
	}
	return slices.ContainsFunc(node.Leaves(true), func(leaf *kong.Node) bool {
		f := findFlag(leaf, flag)
		return f != nil && !f.IsBool()
	})
}

// isFlag reports whether a word is a flag, and not "-", standard input, or a
// coordinate.
func isFlag(word string) bool {
	return len(word) > 1 && word[0] == '-' && !strings.ContainsRune("0123456789.", rune(word[1]))
}
