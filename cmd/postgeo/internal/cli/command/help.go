package command

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// helpWidth returns how wide the help is: $COLUMNS, else the terminal's width.
func helpWidth(env *Env) int {
	width := env.Width
	if n, err := strconv.Atoi(env.Getenv("COLUMNS")); err == nil {
		width = n
	}
	if width <= 0 {
		width = 80
	}
	return min(width, 100)
}

// writeUsage writes the usage, the examples, the flags and the commands of a command. It
// is no template of cobra, which would keep all methods in the binary.
func writeUsage(c *cobra.Command, width int) error {
	var b strings.Builder
	b.WriteString("Usage:\n  " + c.UseLine() + "\n")
	if c.HasExample() {
		b.WriteString("\nExamples:\n" + c.Example + "\n")
	}
	for _, group := range append(c.Groups(), &cobra.Group{Title: "Commands:"}) {
		heading := "\n" + group.Title + "\n"
		for _, child := range c.Commands() {
			if child.GroupID == group.ID && child.IsAvailableCommand() {
				b.WriteString(heading + wrapped("  "+child.Name()+strings.Repeat(" ", c.NamePadding()-len(child.Name()))+" "+child.Short, width) + "\n")
				heading = ""
			}
		}
	}
	b.WriteString("\nFlags:\n" + c.LocalFlags().FlagUsagesWrapped(width))
	c.Print(b.String())
	return nil
}

// maxNames is how wide a column of names is at most.
const maxNames = 24

// wrapped divides the lines of a text into lines of at most some characters. The rest of
// a line that begins with a name is indented like its meaning, or by six.
func wrapped(text string, width int) string {
	var out strings.Builder
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			out.WriteString("\n")
		}
		indent := ""
		if strings.HasPrefix(line, "  ") {
			indent = "      "
			name, meaning, _ := strings.Cut(line[2:], "  ")
			if at := len(line) - len(strings.TrimLeft(meaning, " ")); name != "" && at < maxNames {
				indent = strings.Repeat(" ", at)
			}
		}
		n := 0
		for j, word := range strings.Split(line, " ") {
			length := utf8.RuneCountInString(word)
			if j > 0 && n+1+length > width && n > len(indent) {
				out.WriteString("\n" + indent)
				n = len(indent)
			} else if j > 0 {
				out.WriteString(" ")
				n++
			}
			out.WriteString(word)
			n += length
		}
	}
	return out.String()
}
