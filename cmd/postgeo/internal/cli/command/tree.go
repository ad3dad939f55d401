package command

import (
	"context"
	"slices"
	"strings"
)

// A Command is a command, or a group of commands.
type Command struct {
	Name     string
	Aliases  []string
	Group    string // heading of the help of the program
	Short    string // such as "Find …"
	Long     string
	Examples []Example
	Commands []*Command // of a group

	parent *Command
	params []*Param
	start  func(ctx context.Context, env *Env, l *line) error // nil for a group
}

// An Example is a command line and its purpose.
type Example struct{ Line, Purpose string }

// Link sets the parents of all commands below c and returns c.
func (c *Command) Link() *Command {
	for _, child := range c.Commands {
		child.parent = c
		child.Link()
	}
	return c
}

// Path returns the names from the program to the command: "postgeo acs series".
func (c *Command) Path() string {
	if c.parent == nil {
		return c.Name
	}
	return c.parent.Path() + " " + c.Name
}

// Title returns the path without the program.
func (c *Command) Title() string {
	_, title, _ := strings.Cut(c.Path(), " ")
	return title
}

// Child returns the command of a name or alias, or nil.
func (c *Command) Child(name string) *Command {
	for _, child := range c.Commands {
		if child.Name == name || slices.Contains(child.Aliases, name) {
			return child
		}
	}
	return nil
}

// Names lists the commands of a group.
func (c *Command) Names() []string {
	names := make([]string, len(c.Commands))
	for i, child := range c.Commands {
		names[i] = child.Name
	}
	return names
}

// Leaves lists the commands below c that are not groups.
func (c *Command) Leaves() []*Command {
	if len(c.Commands) == 0 {
		return []*Command{c}
	}
	var list []*Command
	for _, child := range c.Commands {
		list = append(list, child.Leaves()...)
	}
	return list
}

// The flags of every command.
var (
	helpFlag    = &Param{Name: "help", Short: "h", Help: "Show the arguments, flags and examples of a command.", flag: true}
	versionFlag = &Param{Name: "version", Short: "v", Help: "Show the version of the program.", flag: true}
)

// Flags lists the flags in the order of the help. A command may have another flag
// --version than the program.
func (c *Command) Flags() []*Param {
	flags := []*Param{helpFlag}
	if !slices.ContainsFunc(c.params, func(p *Param) bool { return p.flag && p.Name == versionFlag.Name }) {
		flags = append(flags, versionFlag)
	}
	for _, p := range c.params {
		if p.flag {
			flags = append(flags, p)
		}
	}
	return flags
}

// Args lists the arguments in their order.
func (c *Command) Args() []*Param {
	return slices.DeleteFunc(slices.Clone(c.params), func(p *Param) bool { return p.flag })
}

// Flag returns the flag of a word such as --format or -f, or nil.
func (c *Command) Flag(word string) *Param {
	for _, p := range c.Flags() {
		if word == "--"+p.Name || p.Short != "" && word == "-"+p.Short {
			return p
		}
	}
	return nil
}

// Examples returns examples of pairs of a command line and its purpose.
func Examples(pairs ...string) []Example {
	var list []Example
	for i := 0; i+1 < len(pairs); i += 2 {
		list = append(list, Example{pairs[i], pairs[i+1]})
	}
	return list
}
