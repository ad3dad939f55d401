package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
)

// manCommand is the hidden first argument with which packages ask for the
// manual page. A date for its foot may follow.
const manCommand = "__man"

// manual writes the manual page of the program in the man(7) language.
func manual(w io.Writer, date string) error {
	parser, err := newParser(&grammar{}, &Env{Stdout: io.Discard, Stderr: io.Discard})
	if err != nil {
		return err
	}
	p := &page{}
	app := parser.Model.Node
	version := readVersion().Version
	p.line(`.TH POSTGEO 1 "` + strings.NewReplacer(`"`, "", `\`, "").Replace(date) + `" ` + quoted("postgeo "+version) + ` "User Commands"`)
	p.macro("SH", "NAME")
	p.text("postgeo - US and Canadian postal geography")
	p.macro("SH", "SYNOPSIS")
	p.line(`.B postgeo`)
	p.line(`.I command`)
	p.text("[flags]")
	p.macro("SH", "DESCRIPTION")
	p.paragraphs(app.Help)
	p.macro("SH", "COMMANDS")
	for _, leaf := range app.Leaves(true) {
		p.command(leaf)
	}
	p.macro("SH", "ENVIRONMENT")
	p.term("POSTGEO_DATA", "Dataset to read where --data is not given.")
	p.term("POSTGEO_CONFIG", "File with settings of the server where --config is not given.")
	p.term("POSTGEO_…", "Every other setting of the server: the name of the flag in capitals, with underscores, e.g. POSTGEO_LISTEN.")
	p.macro("SH", "EXIT STATUS")
	p.term("0", "Everything that was asked for was answered.")
	p.term("1", "Something failed, or nothing was found.")
	p.term("2", "The command line is not right.")
	p.macro("SH", "SEE ALSO")
	p.text("Documentation and sources: https://github.com/postgeo/postgeo")
	_, err = io.WriteString(w, p.b.String())
	return err
}

// A page is a manual page that is being written.
type page struct{ b strings.Builder }

// macro writes a request with quoted arguments.
func (p *page) macro(name string, args ...string) {
	p.b.WriteString("." + name)
	for _, arg := range args {
		fmt.Fprintf(&p.b, ` "%s"`, strings.ReplaceAll(roff(arg), `"`, `\(dq`))
	}
	p.b.WriteString("\n")
}

// line writes a line of the language.
func (p *page) line(s string) { p.b.WriteString(s + "\n") }

// text writes a line of text.
func (p *page) text(s string) {
	s = roff(strings.Join(strings.Fields(s), " "))
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = `\&` + s
	}
	p.line(s)
}

// paragraphs writes text that blank lines divide.
func (p *page) paragraphs(s string) {
	for i, part := range strings.Split(strings.TrimRight(s, " \n"), "\n\n") {
		if i > 0 {
			p.line(".PP")
		}
		if strings.HasPrefix(part, "    ") { // lines that stay as they are
			p.line(".RS 4\n.nf")
			for line := range strings.Lines(part) {
				p.line(`\&` + roff(strings.TrimSpace(line)))
			}
			p.line(".fi\n.RE")
			continue
		}
		p.text(part)
	}
}

// term writes an entry of a list.
func (p *page) term(name, meaning string) {
	p.line(".TP")
	p.line(`.B ` + quoted(name))
	p.text(meaning)
}

// command writes what a command does, its arguments and its flags.
func (p *page) command(n *kong.Node) {
	p.macro("SS", n.Summary())
	p.paragraphs(n.Help)
	if n.Detail != "" {
		p.line(".PP")
		p.paragraphs(n.Detail)
	}
	for _, arg := range n.Positional {
		if arg.Help != "" {
			p.term(arg.Summary(), arg.Help)
		}
	}
	for _, group := range n.AllFlags(true) {
		for _, f := range group {
			if f.Name == "help" || f.Name == "version" {
				continue
			}
			name := f.String()
			if f.Short == 0 {
				name = "--" + strings.TrimPrefix(strings.TrimSpace(name), "--")
			}
			p.term(name, valueHelp(f.Value))
		}
	}
}

// quoted is one argument of a request.
func quoted(s string) string { return `"` + strings.ReplaceAll(roff(s), `"`, `\(dq`) + `"` }

// roff escapes what the language reads in text.
func roff(s string) string {
	return strings.NewReplacer(`\`, `\e`, "-", `\-`, "…", "...", "’", "'", "€", "EUR").Replace(s)
}
