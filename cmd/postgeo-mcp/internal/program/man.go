package program

import (
	"flag"
	"fmt"
	"io"
	"strings"
)

// manCommand is the hidden first argument that prints the manual page, for
// packages. A date for its foot may follow.
const manCommand = "__man"

// manual writes the manual page in the man(7) language.
func manual(w io.Writer, date string) error {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH POSTGEO-MCP 1 \"%s\" \"postgeo %s\" \"User Commands\"\n", strings.NewReplacer(`"`, "", `\`, "").Replace(date), roff(version()))
	b.WriteString(".SH NAME\npostgeo-mcp \\- US and Canadian postal geography for clients of the Model Context Protocol\n")
	b.WriteString(".SH SYNOPSIS\n.B postgeo-mcp\n[flags]\n.SH DESCRIPTION\n")
	b.WriteString(roff(strings.TrimSpace(about)) + "\n.SH OPTIONS\n")
	flags(&settings{}).VisitAll(func(f *flag.Flag) {
		value, text := flag.UnquoteUsage(f)
		fmt.Fprintf(&b, ".TP\n.B \\-\\-%s", roff(f.Name))
		if value != "" {
			fmt.Fprintf(&b, " \\fI%s\\fR", roff(value))
		}
		b.WriteString("\n" + roff(strings.ToUpper(text[:1])+text[1:]) + ".\n")
	})
	b.WriteString(".SH ENVIRONMENT\n.TP\n.B POSTGEO_DATA\nDataset to read where \\-\\-data is not given.\n")
	b.WriteString(".TP\n.B " + tokenVariable + "\nAccepted tokens of HTTP requests, where \\-\\-token\\-file is not given.\n")
	b.WriteString(".SH EXIT STATUS\n.TP\n.B 0\nStopped, or the client disconnected.\n.TP\n.B 1\nSomething failed.\n.TP\n.B 2\nThe command line is not right.\n")
	b.WriteString(".SH SEE ALSO\n.BR postgeo (1).\nDocumentation and sources: https://github.com/postgeo/postgeo\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// roff escapes text for man(7).
func roff(text string) string {
	return strings.NewReplacer(`\`, `\e`, "-", `\-`, `"`, `\(dq`, "\n.", "\n\\&.", "\n'", "\n\\&'", "\n\n", "\n.PP\n").Replace(text)
}
