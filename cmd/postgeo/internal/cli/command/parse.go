package command

import (
	"reflect"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/message"
)

// A line is a command line divided into its parts.
type line struct {
	command *Command
	flags   []givenFlag
	rest    []string // arguments
}

// A givenFlag is a flag of a command line.
type givenFlag struct {
	word     string // "--format" or "-f"
	value    string
	hasValue bool
}

// divide finds the command, its flags and its arguments. Flags may be anywhere,
// also before the command: "lookup 90210 --quick 10001". A word of a minus sign
// and a digit is an argument: a southern latitude.
func divide(root *Command, words []string) *line {
	l := &line{command: root}
	for i := 0; i < len(words); i++ {
		word := words[i]
		switch {
		case word == "--":
			l.rest = append(l.rest, words[i+1:]...)
			return l
		case isFlag(word):
			for word != "" {
				var f givenFlag
				f, word = cutFlag(l.command, word)
				if !f.hasValue && word == "" && i+1 < len(words) && !isFlag(words[i+1]) && takesValue(l.command, f.word, words[i+1]) {
					i++
					f.value, f.hasValue = words[i], true
				}
				l.flags = append(l.flags, f)
			}
		default:
			if child := l.command.Child(word); child != nil && len(l.rest) == 0 {
				l.command = child
			} else {
				l.rest = append(l.rest, word)
			}
		}
	}
	return l
}

// cutFlag divides a word into a flag and its value: --format=csv, -fcsv. Short
// flags without values may be followed by further ones, which are returned.
func cutFlag(c *Command, word string) (f givenFlag, rest string) {
	if strings.HasPrefix(word, "--") {
		f.word, f.value, f.hasValue = strings.Cut(word, "=")
		return f, ""
	}
	f.word, rest = word[:2], word[2:]
	if rest == "" {
		return f, ""
	}
	if p := c.Flag(f.word); p != nil && p.IsBool() {
		return f, "-" + rest
	}
	f.value, f.hasValue = strings.TrimPrefix(rest, "="), true
	return f, ""
}

// takesValue reports whether the word after a flag is the flag's value. A flag before
// the command's name takes one if any command has such a flag with a value. The name
// of a command is not a value.
func takesValue(c *Command, flag, next string) bool {
	if p := c.Flag(flag); p != nil {
		return !p.IsBool()
	}
	if len(c.Commands) == 0 || c.Child(next) != nil {
		return false
	}
	return slices.ContainsFunc(c.Leaves(), func(leaf *Command) bool {
		p := leaf.Flag(flag)
		return p != nil && !p.IsBool()
	})
}

// isFlag reports whether a word is a flag, and not "-", standard input, or a
// coordinate.
func isFlag(word string) bool {
	return len(word) > 1 && word[0] == '-' && !strings.ContainsRune("0123456789.", rune(word[1]))
}

func (l *line) has(common *Param) bool {
	return slices.ContainsFunc(l.flags, func(f givenFlag) bool { return l.command.Flag(f.word) == common })
}

// check refuses flags that do not exist, surplus arguments, and a group instead
// of a command.
func (l *line) check() error {
	c := l.command
	if len(c.Commands) > 0 && len(l.rest) > 0 {
		return unknownCommand(c, l.rest)
	}
	for _, f := range l.flags {
		if c.Flag(f.word) == nil {
			return l.wrong(message.UnknownFlag, f.word, suggestion(c, f.word))
		}
	}
	if len(c.Commands) > 0 {
		return l.wrong(message.MissingCommand, c.Path(), listed(c.Names()))
	}
	args := c.Args()
	for i, p := range args {
		if p.join != "" && i < len(l.rest) {
			l.rest = slices.Concat(l.rest[:i], JoinWords(p.join, l.rest[i:]))
			break
		}
	}
	switch n := len(args); {
	case len(l.rest) > n && n == 0:
		return l.wrong(message.NoArguments, l.rest[0], c.Path())
	case len(l.rest) > n && !args[n-1].isList():
		return l.wrong(message.SurplusArgument, l.rest[n], c.Path(), arguments(c))
	}
	return nil
}

// fill sets the options and refuses values that do not fit.
func (l *line) fill(options reflect.Value) error {
	set := map[*Param]bool{}
	for _, f := range l.flags {
		p := l.command.Flag(f.word)
		switch {
		case p.typ == nil:
			continue
		case p.IsBool() && !f.hasValue:
			f.value = "true"
		case !f.hasValue:
			return l.wrong(message.MissingValue, p.flagText())
		}
		if err := p.set(options, f.value); err != nil {
			return l.explained(err)
		}
		set[p] = true
	}
	args := l.command.Args()
	for i, word := range l.rest {
		p := args[min(i, len(args)-1)]
		if err := p.set(options, word); err != nil {
			return l.explained(err)
		}
		set[p] = true
	}
	var missing []string
	for _, p := range l.command.params {
		switch {
		case set[p]:
		case p.Default == "0": // which the zero value is already
		case p.Default != "":
			if err := p.set(options, p.Default); err != nil {
				return err
			}
		case !p.optional && p.flag:
			missing = append(missing, p.flagText())
		case !p.optional:
			return l.wrong(message.MissingArgument, p.usage())
		}
	}
	if len(missing) > 0 {
		return l.wrong(message.MissingFlag, strings.Join(missing, ", "))
	}
	return l.checkValues(options, set)
}

// checkValues refuses values outside an enumeration and flags that exclude each
// other.
func (l *line) checkValues(options reflect.Value, set map[*Param]bool) error {
	exclusive := map[string]*Param{}
	for _, p := range l.command.params {
		if set[p] || p.Default != "" {
			if err := p.check(options); err != nil {
				return l.explained(err)
			}
		}
		if p.xor == "" || !set[p] {
			continue
		}
		if first := exclusive[p.xor]; first != nil {
			return l.wrong(message.FlagsExclude, first.Name, p.Name)
		}
		exclusive[p.xor] = p
	}
	return nil
}

func (l *line) wrong(format string, args ...any) error {
	return UsageOf(l.command.Path(), format, args...)
}

func (l *line) explained(err error) error {
	if usage := usageOf(err); usage != nil {
		return &UsageError{Reason: usage.Reason, Command: l.command.Path()}
	}
	return err
}

// arguments lists the arguments of a command as its help does.
func arguments(c *Command) string {
	var names []string
	for _, a := range c.Args() {
		names = append(names, a.usage())
	}
	return strings.Join(names, " ")
}

// suggestion returns "; did you mean --format?" for a flag that is nearly one
// of the command's, or "".
func suggestion(c *Command, word string) string {
	var names []string
	for _, p := range c.Flags() {
		names = append(names, "--"+p.Name)
	}
	if near := NearName(word, names); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

// listed writes "a, b and c".
func listed(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}
