package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/alecthomas/kong"

	"github.com/postgeo/postgeo/server"
)

// SettingTable is the documentation's table of what a server can be told.
func SettingTable() string {
	var b strings.Builder
	b.WriteString("\n| flag | environment | in the file | expected | default |\n|---|---|---|---|---|\n")
	for _, s := range settings {
		fallback := s.fallback
		if fallback != "" {
			fallback = "`" + fallback + "`"
		}
		fmt.Fprintf(&b, "| `--%s` | `%s` | `%s` | %s | %s |\n", s.name, s.env, s.name, s.expected, fallback)
	}
	return b.String() + "\n"
}

// ParseConfig reads the settings of a configuration.
var ParseConfig = parseConfig

// model is the tree of commands.
var model = sync.OnceValues(func() (*kong.Node, error) {
	parser, err := newParser(&grammar{}, &Env{Stdout: io.Discard, Stderr: io.Discard})
	if err != nil {
		return nil, err
	}
	return parser.Model.Node, nil
})

// CheckCommand reports what is wrong with the names in a command line that the
// documentation shows: a command or flag that does not exist. Values are not
// looked at.
func CheckCommand(words []string) error {
	node, err := model()
	if err != nil {
		return err
	}
	if len(words) > 0 && words[0] == helpCommand {
		words = words[1:]
	}
	for _, word := range words {
		switch {
		case strings.HasPrefix(word, "--"):
			name, _, _ := strings.Cut(word, "=")
			if prefix, cut := strings.CutSuffix(name, "…"); cut {
				if !slices.ContainsFunc(flagNames(node), func(f string) bool { return strings.HasPrefix(f, prefix) }) {
					return fmt.Errorf("%s has no flag that begins with %s", node.FullPath(), prefix)
				}
			} else if findFlag(node, name) == nil {
				return fmt.Errorf("%s has no flag %s", node.FullPath(), name)
			}
		case len(node.Children) > 0:
			child := findCommand(node, word)
			if child == nil {
				return fmt.Errorf("%s has no command %q", node.FullPath(), word)
			}
			node = child
		}
	}
	return nil
}

// AnyFlag reports whether some command has the flag.
func AnyFlag(name string) bool {
	top, err := model()
	if err != nil {
		return false
	}
	found := false
	var walk func(*kong.Node)
	walk = func(node *kong.Node) {
		prefix, cut := strings.CutSuffix(name, "…")
		found = found || findFlag(node, name) != nil ||
			cut && slices.ContainsFunc(flagNames(node), func(f string) bool { return strings.HasPrefix(f, prefix) })
		for _, child := range node.Children {
			walk(child)
		}
	}
	walk(top)
	return found
}

// Commands are the names of the commands, the hidden ones left out.
func Commands() []string {
	top, err := model()
	if err != nil {
		return nil
	}
	var names []string
	for _, child := range top.Children {
		if !child.Hidden {
			names = append(names, child.Name)
		}
	}
	return names
}

func flagNames(node *kong.Node) []string {
	var names []string
	for _, group := range node.AllFlags(true) {
		for _, f := range group {
			names = append(names, "--"+f.Name)
		}
	}
	return names
}

// ServerConfig is what "postgeo serve" would give the server for some flags.
func ServerConfig(args ...string) (server.Config, []error) {
	env := Env{Stdout: io.Discard, Stderr: io.Discard, Getenv: func(string) string { return "" }}
	g := &grammar{}
	parser, err := newParser(g, &env)
	if err != nil {
		return server.Config{}, []error{err}
	}
	if _, err := parser.Parse(append([]string{"serve"}, args...)); err != nil {
		return server.Config{}, []error{err}
	}
	errs := g.Serve.check(&env)
	return g.Serve.config(nil), errs
}

// What is made of the words of a command line.
var (
	JoinWords = joinWords
	CodeHint  = codeHint
)

// ValueFlags lists the flags that have a value, each after its command. Of those
// that the parser itself holds to a list, lookup's stand for all.
func ValueFlags() []string {
	parser, err := newParser(&grammar{}, &Env{Stdout: io.Discard, Stderr: io.Discard})
	if err != nil {
		panic(err)
	}
	var list []string
	for _, leaf := range parser.Model.Leaves(true) {
		for _, group := range leaf.AllFlags(true) {
			for _, f := range group {
				if !f.IsBool() && (f.Enum == "" || leaf.Name == "lookup") {
					list = append(list, commandName(leaf)+" --"+f.Name)
				}
			}
		}
	}
	return list
}

// HelpExamples are the command lines that the help shows, by their commands.
func HelpExamples() map[string][]string {
	lines := map[string][]string{}
	for command, list := range examples {
		for _, e := range list {
			lines[command] = append(lines[command], e.line)
		}
	}
	return lines
}

// Leaves lists the commands that have no others below them.
func Leaves() []string {
	parser, err := newParser(&grammar{}, &Env{Stdout: io.Discard, Stderr: io.Discard})
	if err != nil {
		panic(err)
	}
	var names []string
	for _, leaf := range parser.Model.Leaves(true) {
		names = append(names, commandName(leaf))
	}
	return names
}

// ParseAreas reads the areas of a GeoJSON text.
var ParseAreas = parseAreas

// flagOf returns a flag of a command that has no others below it, or nil.
func flagOf(command, name string) *kong.Flag {
	top, err := model()
	if err != nil {
		panic(err)
	}
	for _, leaf := range top.Leaves(true) {
		if commandName(leaf) != command {
			continue
		}
		for _, group := range leaf.AllFlags(true) {
			for _, f := range group {
				if f.Name == name {
					return f
				}
			}
		}
	}
	return nil
}

// HasFlag reports whether a command has a flag.
func HasFlag(command, name string) bool { return flagOf(command, name) != nil }

// Formats lists the formats of a command.
func Formats(command string) []string {
	f := flagOf(command, "format")
	if f == nil || f.Enum == "" {
		return nil
	}
	return slices.DeleteFunc(strings.Split(f.Enum, ","), func(s string) bool { return s == "auto" })
}

// The parts of --memory-limit.
var (
	ParseMemory = parseMemory
	GroupMemory = groupMemory
)
