package command

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/message"
	"github.com/postgeo/postgeo/dataset/builder/fetch"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/envelope/fault"
)

// HelpName is the word before a command's name that prints its help, as --help
// after the name does.
const HelpName = "help"

// The widths of the help, in characters.
const (
	defaultWidth = 80
	maxWidth     = 100
)

// helpWidth returns how wide the help is: $COLUMNS, else the terminal's width.
func helpWidth(env *Env) int {
	width := env.Width
	if n, err := strconv.Atoi(env.Getenv("COLUMNS")); err == nil {
		width = n
	}
	if width <= 0 {
		width = defaultWidth
	}
	return min(width, maxWidth)
}

func (c *Command) writeHelp(w io.Writer, width int) error {
	h := &helpPage{width: width}
	usage := "Usage: " + c.Path()
	if len(c.Commands) > 0 {
		usage += " <command>"
	}
	h.lines(usage + c.synopsis() + " [flags]")
	h.paragraph(c.Short)
	h.paragraph(c.Long)
	h.examples(c.Examples)
	var rows [][2]string
	for _, p := range c.Args() {
		rows = append(rows, [2]string{bracketed(p), p.helpText()})
	}
	h.table("Arguments:", rows)
	h.flags(c)
	h.commands(c)
	_, err := io.WriteString(w, h.b.String())
	return err
}

// synopsis lists the required flags and the arguments.
func (c *Command) synopsis() string {
	var b, optional strings.Builder
	for _, p := range c.params {
		if p.flag && !p.optional {
			b.WriteString(" " + p.flagText())
		}
	}
	open := 0
	for _, p := range c.Args() {
		b.WriteString(optional.String() + " ")
		optional.Reset()
		if p.optional {
			b.WriteString("[")
			open++
		}
		b.WriteString(p.usage())
	}
	return b.String() + strings.Repeat("]", open)
}

func bracketed(p *Param) string {
	if p.optional {
		return "[" + p.usage() + "]"
	}
	return p.usage()
}

// A helpPage is a help that is being written.
type helpPage struct {
	b     strings.Builder
	width int
}

func (h *helpPage) lines(text string) {
	for _, line := range wrap(text, h.width) {
		h.b.WriteString(line + "\n")
	}
}

// paragraph writes paragraphs, each after an empty line.
func (h *helpPage) paragraph(text string) {
	if text == "" {
		return
	}
	for part := range strings.SplitSeq(text, "\n\n") {
		h.b.WriteString("\n")
		h.lines(part)
	}
}

func (h *helpPage) examples(list []Example) {
	if len(list) == 0 {
		return
	}
	h.b.WriteString("\nExamples:\n\n")
	for _, e := range list {
		if e.Purpose != "" {
			h.b.WriteString("    # " + e.Purpose + "\n")
		}
		h.b.WriteString("    " + e.Line + "\n")
	}
}

// flags writes the flags under their headings, those without one first.
func (h *helpPage) flags(c *Command) {
	var headings []string
	rows := map[string][][2]string{}
	for _, p := range c.Flags() {
		if p == versionFlag && c.parent != nil {
			continue
		}
		heading := "Flags:"
		if p.group != "" {
			heading = p.group + ":"
		}
		if rows[heading] == nil {
			headings = append(headings, heading)
		}
		name := "    " + p.flagText()
		if p.Short != "" {
			name = "-" + p.Short + ", " + p.flagText()
		}
		rows[heading] = append(rows[heading], [2]string{name, p.helpText()})
	}
	for _, heading := range headings {
		h.table(heading, rows[heading])
	}
}

// commands writes the commands of a group, those of the program under their
// headings.
func (h *helpPage) commands(c *Command) {
	var headings []string
	rows := map[string][][2]string{}
	for _, child := range c.Commands {
		heading, name := "Commands:", child.Title()
		if child.Group != "" {
			heading = child.Group + ":"
		}
		if rows[heading] == nil {
			headings = append(headings, heading)
		}
		rows[heading] = append(rows[heading], [2]string{name, child.Short})
	}
	for _, heading := range headings {
		h.table(heading, rows[heading])
	}
}

// maxNameWidth is how wide the first column of a table of the help is at most.
const maxNameWidth = 30

// table writes names and their meanings in two columns.
func (h *helpPage) table(heading string, rows [][2]string) {
	if len(rows) == 0 {
		return
	}
	h.b.WriteString("\n" + heading + "\n")
	left := 0
	for _, row := range rows {
		if n := utf8.RuneCountInString(row[0]); n <= maxNameWidth {
			left = max(left, n)
		}
	}
	for _, row := range rows {
		name := "  " + row[0]
		indent := left + 6
		for _, line := range wrap(row[1], h.width-indent) {
			if utf8.RuneCountInString(name) > indent-2 {
				h.b.WriteString(name + "\n")
				name = ""
			}
			h.b.WriteString(name + strings.Repeat(" ", indent-utf8.RuneCountInString(name)) + line + "\n")
			name = ""
		}
	}
}

// wrap divides a text into lines of at most some characters. A longer word takes a
// whole line.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

func writeVersion(w io.Writer) error {
	v := ReadVersion()
	_, err := fmt.Fprintf(w, "postgeo %s %s %s\n", v.Version, v.Platform, v.Go)
	return err
}

// A UsageError is an error of the command line. The exit code is 2.
type UsageError struct {
	Reason  string
	Command string // whose --help explains it; "" if the reason is enough
}

// Error implements error.
func (e *UsageError) Error() string { return e.Reason }

func (e *UsageError) line() string {
	if e.Command == "" {
		return e.Reason
	}
	return e.Reason + fmt.Sprintf(message.SeeHelp, e.Command)
}

// Usage returns a UsageError.
func Usage(format string, args ...any) error {
	return &UsageError{Reason: fmt.Sprintf(format, args...)}
}

// UsageOf returns a UsageError that refers to the help of a command.
func UsageOf(command, format string, args ...any) error {
	return &UsageError{Reason: fmt.Sprintf(format, args...), Command: command}
}

// Failure returns an error with the exit code 1.
func Failure(format string, args ...any) error { return fmt.Errorf(format, args...) }

// Errors of commands that have reported their failures.
var (
	ErrReported       = errors.New("already reported")
	ErrMisuseReported = errors.New("usage error, already reported")
)

// usageOf returns the usage error that err means, or nil. The parser refuses
// some flags, the functions that take their values others.
func usageOf(err error) *UsageError {
	var usage *UsageError
	var refused *envelope.Fault
	param := fault.As(err)
	switch {
	case errors.As(err, &usage):
		return usage
	case param != nil && param.Kind == fault.InvalidParam && (param.Thing == fault.Query || param.Op == "radius" && param.Param == "Mode"):
		return &UsageError{Reason: links.Error(param).Message}
	case param != nil && param.Kind == fault.InvalidParam && param.Range != "":
		return &UsageError{Reason: fmt.Sprintf(message.InvalidValue, shownParam(param), param.Input, Expected(param))}
	case errors.As(err, &refused) && refused.Code == envelope.ValidationInvalidParam:
		return &UsageError{Reason: parameter.ReplaceAllString(refused.Message, "--$1")}
	case errors.Is(err, fetch.ErrOptions):
		return &UsageError{Reason: strings.TrimPrefix(strings.TrimPrefix(err.Error(), "build: "), "fetch: ")}
	}
	return nil
}

// shownParam returns how usage errors name the parameter of an operation.
func shownParam(e *fault.Error) string {
	name := strings.ToLower(capital.ReplaceAllString(e.Param, "$1-$2"))
	if e.Op == "crosswalk" && (name == "from" || name == "to") {
		return "<" + name + ">"
	}
	return "--" + name
}

// capital matches a word within a name, as in MinShare.
var capital = regexp.MustCompile(`([a-z])([A-Z])`)

// Expected returns the accepted values of a flag.
func Expected(e *fault.Error) string {
	if e.Op == "radius" && e.Param == "Max" {
		return e.Range + ", or auto or auto-commute"
	}
	return strings.ReplaceAll(e.Range, "Max", "--max")
}

// parameter matches how the contract's messages name a parameter.
var parameter = regexp.MustCompile(`^Parameter '([a-z_]+)'`)
