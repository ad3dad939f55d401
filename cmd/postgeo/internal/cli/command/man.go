package command

import (
	"fmt"
	"io"
	"strings"
)

// ManName is the hidden first argument for the manual page. Packages use it. The
// date of the footer may follow.
const ManName = "__man"

// writeManual writes the manual page of the program in the man(7) language.
func (c *Command) writeManual(w io.Writer, date string) error {
	p := &page{}
	p.line(`.TH POSTGEO 1 "` + strings.NewReplacer(`"`, "", `\`, "").Replace(date) + `" ` + quoted("postgeo "+ReadVersion().Version) + ` "User Commands"`)
	p.macro("SH", "NAME")
	p.text("postgeo - " + strings.TrimSuffix(c.Short, "."))
	p.macro("SH", "SYNOPSIS")
	p.line(`.B postgeo`)
	p.line(`.I command`)
	p.text("[flags]")
	p.macro("SH", "DESCRIPTION")
	p.paragraphs(c.Short + "\n\n" + c.Long)
	p.macro("SH", "COMMANDS")
	for _, leaf := range c.Leaves() {
		p.command(leaf)
	}
	p.macro("SH", "ENVIRONMENT")
	p.term("POSTGEO_DATA", "Dataset to read if --data is not set.")
	p.term("POSTGEO_CONFIG", "File with settings of the server if --config is not set.")
	p.term("POSTGEO_…", "Every other setting of the server: the name of the flag in capitals, with underscores, such as POSTGEO_LISTEN.")
	p.macro("SH", "EXIT STATUS")
	p.term("0", "Success.")
	p.term("1", "Failure, or nothing found.")
	p.term("2", "Usage error.")
	p.macro("SH", "SEE ALSO")
	p.text("Documentation and sources: https://github.com/postgeo/postgeo")
	_, err := io.WriteString(w, p.b.String())
	return err
}

// A page is a manual page that is being written.
type page struct{ b strings.Builder }

// macro writes a request with quoted arguments.
func (p *page) macro(name string, args ...string) {
	p.b.WriteString("." + name)
	for _, arg := range args {
		p.b.WriteString(" " + quoted(arg))
	}
	p.b.WriteString("\n")
}

func (p *page) line(s string) { p.b.WriteString(s + "\n") }

func (p *page) text(s string) {
	s = roff(strings.Join(strings.Fields(s), " "))
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = `\&` + s
	}
	p.line(s)
}

func (p *page) paragraphs(s string) {
	for i, part := range strings.Split(s, "\n\n") {
		if i > 0 {
			p.line(".PP")
		}
		p.text(part)
	}
}

func (p *page) term(name, meaning string) {
	p.line(".TP")
	p.line(`.B ` + quoted(name))
	p.text(meaning)
}

// command writes the description, the examples, the arguments and the flags of
// a command.
func (p *page) command(c *Command) {
	p.macro("SS", c.Title()+c.synopsis()+" [flags]")
	p.text(c.Short)
	if c.Long != "" {
		p.line(".PP")
		p.paragraphs(c.Long)
	}
	if len(c.Examples) > 0 {
		p.line(".PP\n.RS 4\n.nf")
		for _, e := range c.Examples {
			if e.Purpose != "" {
				p.line(`\&` + roff("# "+e.Purpose))
			}
			p.line(`\&` + roff(e.Line))
		}
		p.line(".fi\n.RE")
	}
	for _, arg := range c.Args() {
		p.term(bracketed(arg), arg.helpText())
	}
	for _, f := range c.Flags() {
		if f == helpFlag || f == versionFlag {
			continue
		}
		name := f.flagText()
		if f.Short != "" {
			name = fmt.Sprintf("-%s, %s", f.Short, name)
		}
		p.term(name, f.helpText())
	}
}

// quoted returns a text as one argument of a request.
func quoted(s string) string { return `"` + strings.ReplaceAll(roff(s), `"`, `\(dq`) + `"` }

// roff escapes characters with a meaning in the language.
func roff(s string) string {
	return strings.NewReplacer(`\`, `\e`, "-", `\-`, "…", "...", "’", "'", "€", "EUR").Replace(s)
}
