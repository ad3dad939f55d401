package cli

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
)

// tree is the tree of the commands.
var tree = sync.OnceValue(program)

// CheckCommand returns an error for a command line in the documentation with a
// command or flag that does not exist. It ignores values.
func CheckCommand(words []string) error {
	c := tree()
	if len(words) > 0 && words[0] == command.HelpName {
		words = words[1:]
	}
	for _, word := range words {
		switch {
		case strings.HasPrefix(word, "--"):
			name, _, _ := strings.Cut(word, "=")
			if !hasFlag(c, name) {
				return fmt.Errorf("%s has no flag %s", c.Path(), name)
			}
		case len(c.Commands) > 0:
			child := c.Child(word)
			if child == nil {
				return fmt.Errorf("%s has no command %q", c.Path(), word)
			}
			c = child
		}
	}
	return nil
}

// hasFlag reports whether a command has a flag, or one with the beginning
// before "…".
func hasFlag(c *command.Command, name string) bool {
	prefix, cut := strings.CutSuffix(name, "…")
	return c.Flag(name) != nil || cut && slices.ContainsFunc(c.Flags(), func(p *command.Param) bool { return strings.HasPrefix("--"+p.Name, prefix) })
}

// AnyFlag reports whether some command has the flag.
func AnyFlag(name string) bool {
	return slices.ContainsFunc(tree().Leaves(), func(c *command.Command) bool { return hasFlag(c, name) })
}

// Commands lists the names of the commands.
func Commands() []string { return tree().Names() }

// ValueFlags lists the flags with a value, each after its command. Of flags with
// an enumeration, those of lookup stand for all.
func ValueFlags() []string {
	var list []string
	for _, leaf := range tree().Leaves() {
		for _, p := range leaf.Flags() {
			if !p.IsBool() && (len(p.Enum) == 0 || leaf.Name == "lookup") {
				list = append(list, leaf.Title()+" --"+p.Name)
			}
		}
	}
	return list
}

// HelpExamples returns the command lines of the help by command.
func HelpExamples() map[string][]string {
	lines := map[string][]string{}
	for _, leaf := range tree().Leaves() {
		for _, e := range leaf.Examples {
			lines[leaf.Title()] = append(lines[leaf.Title()], e.Line)
		}
	}
	return lines
}

// Leaves lists the commands that are not groups.
func Leaves() []string {
	var names []string
	for _, leaf := range tree().Leaves() {
		names = append(names, leaf.Title())
	}
	return names
}

// flagOf returns a flag of a command, or nil.
func flagOf(title, name string) *command.Param {
	for _, leaf := range tree().Leaves() {
		if leaf.Title() == title {
			return leaf.Flag("--" + name)
		}
	}
	return nil
}

// HasFlag reports whether a command has a flag.
func HasFlag(title, name string) bool { return flagOf(title, name) != nil }

// Formats lists the formats of a command.
func Formats(title string) []string {
	p := flagOf(title, "format")
	if p == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(p.Enum), func(s string) bool { return s == "auto" })
}
