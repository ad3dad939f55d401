package cli

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// tree is the tree of the commands.
var tree = sync.OnceValue(Program)

// leaves lists the commands below c that are not groups.
func leaves(c *cobra.Command) (list []*cobra.Command) {
	for _, child := range c.Commands() {
		list = append(list, leaves(child)...)
	}
	if list == nil {
		list = append(list, c)
	}
	return list
}

func title(c *cobra.Command) string {
	_, title, _ := strings.Cut(c.CommandPath(), " ")
	return title
}

// CheckCommand returns an error for a command line in the documentation with a
// command or flag that does not exist. It ignores values.
func CheckCommand(words []string) error {
	c := tree()
	switch {
	case len(words) > 0 && words[0] == "help":
		words = words[1:]
	case len(words) > 0 && words[0] == "completion": // cobra's
		return nil
	}
	for _, word := range words {
		switch {
		case strings.HasPrefix(word, "--"):
			name, _, _ := strings.Cut(word, "=")
			if !hasFlag(c, name) {
				return fmt.Errorf("%s has no flag %s", c.CommandPath(), name)
			}
		case c.HasSubCommands():
			i := slices.IndexFunc(c.Commands(), func(child *cobra.Command) bool { return child.Name() == word })
			if i < 0 {
				return fmt.Errorf("%s has no command %q", c.CommandPath(), word)
			}
			c = c.Commands()[i]
		}
	}
	return nil
}

// hasFlag reports whether a command has a flag, or one with the beginning
// before "…".
func hasFlag(c *cobra.Command, name string) bool {
	prefix, cut := strings.CutSuffix(name, "…")
	found := name == "--help" || name == "--version" && c.Version != ""
	c.Flags().VisitAll(func(f *pflag.Flag) {
		found = found || "--"+f.Name == name || cut && strings.HasPrefix("--"+f.Name, prefix)
	})
	return found
}

// ValueFlags lists the flags with a value, each after its command. The format of lookup
// stands for all.
func ValueFlags() []string {
	var list []string
	for _, leaf := range leaves(tree()) {
		leaf.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Value.Type() != "bool" && (f.Value.Type() != "FORMAT" || f.Name != "format" || leaf.Name() == "lookup") {
				list = append(list, title(leaf)+" --"+f.Name)
			}
		})
	}
	return list
}

// HelpExamples returns the command lines of the help by command.
func HelpExamples() map[string][]string {
	lines := map[string][]string{}
	for _, leaf := range leaves(tree()) {
		for line := range strings.Lines(leaf.Example) {
			if line = strings.TrimSpace(line); !strings.HasPrefix(line, "# ") {
				lines[title(leaf)] = append(lines[title(leaf)], line)
			}
		}
	}
	return lines
}

// Leaves lists the commands that are not groups.
func Leaves() []string {
	var names []string
	for _, leaf := range leaves(tree()) {
		names = append(names, title(leaf))
	}
	return names
}

// flagOf returns a flag of a command, or nil.
func flagOf(path, name string) *pflag.Flag {
	c, _, err := tree().Find(strings.Fields(path))
	if err != nil {
		return nil
	}
	return c.Flags().Lookup(name)
}

// HasFlag reports whether a command has a flag.
func HasFlag(title, name string) bool { return flagOf(title, name) != nil }

// Formats lists the formats of a command.
func Formats(title string) []string {
	p := flagOf(title, "format")
	if p == nil {
		return nil
	}
	text, _, _ := strings.Cut(strings.TrimPrefix(p.Usage, "Format of the results: "), ".")
	text, _, _ = strings.Cut(strings.TrimPrefix(text, "Format of the report: "), ".")
	return strings.Split(strings.ReplaceAll(text, " or ", ", "), ", ")
}
