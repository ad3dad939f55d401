package cli_test

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// commonFlag is the number of commands with the same flag that make a page
// describe it once, before all commands.
const commonFlag = 2

var flagEntry = regexp.MustCompile(`(?m)^ {2}(-\w, | {4})--(\S+(?: [A-Z]\S*)?) {2,}`)

// A commandUsage is the help of one command.
type commandUsage struct {
	name, usage, about, examples string
	flags                        []flagUsage
}

// A flagUsage is a flag with its short form and value, or an argument without a name, and
// its description on one line.
type flagUsage struct{ name, title, text string }

// key is what a command can have once.
func (f flagUsage) key() string { return cmp.Or(f.name, f.title) }

func (f flagUsage) row() string { return "- `" + f.title + "`: " + f.text + "\n" }

// helpPage returns the help of commands as a part of a page. It lists flags of several
// commands once, and refers to operating.md for the settings of a server.
func helpPage(t *testing.T, commands []string) string {
	t.Helper()
	var all []commandUsage
	uses := map[flagUsage]int{}
	for _, command := range commands {
		r := world{vars: map[string]string{"COLUMNS": "100"}}.run(append(strings.Fields(command), "--help")...)
		if r.code != 0 {
			t.Fatalf("%s --help: %v", command, r)
		}
		u := newUsage(command, r.stdout)
		for _, f := range u.flags {
			if !settings(command) {
				uses[f]++
			}
		}
		all = append(all, u)
	}
	common := map[string]flagUsage{} // the most frequent description of each common flag
	for _, u := range all {
		for _, f := range u.flags {
			if n := uses[f]; n >= commonFlag && n > uses[common[f.key()]] {
				common[f.key()] = f
			}
		}
	}

	var b strings.Builder
	b.WriteString("\n### Common flags\n\nFlags of all commands are not repeated below.\n\n")
	shown := map[string]bool{}
	for _, u := range all {
		for _, f := range u.flags {
			if common[f.key()] == f && !shown[f.key()] {
				shown[f.key()] = true
				b.WriteString(f.row())
			}
		}
	}
	for _, u := range all {
		var names []string
		rows := ""
		for _, f := range u.flags {
			switch {
			case common[f.key()] == f:
				if f.name != "" && uses[f] < len(all) { // the usage shows arguments
					names = append(names, "`--"+f.name+"`")
				}
			case f.name == "format" && f.text == strings.Replace(common["format"].text, " or markdown", ", markdown or geojson", 1):
				names = append(names, "`--format` (also geojson)")
			case !settings(u.name):
				rows += f.row()
			}
		}
		flags := ""
		if len(names) > 0 {
			flags = " Common flags: " + strings.Join(names, ", ") + "."
		}
		if settings(u.name) {
			flags += " The flags are the [settings](operating.md#settings)."
		}
		fmt.Fprintf(&b, "\n### postgeo %s\n\n`%s`: %s%s", u.name, u.usage, u.about, flags)
		switch example, comment, _ := strings.Cut(strings.TrimSuffix(u.examples, "\n"), "  # "); {
		case strings.Count(u.examples, "\n") > 1:
			fmt.Fprintf(&b, "\n```text\n%s```\n", u.examples)
		case comment != "":
			fmt.Fprintf(&b, " `%s`: %s.\n", example, comment)
		default:
			fmt.Fprintf(&b, " Example: `%s`.\n", example)
		}
		if rows != "" {
			b.WriteString("\n" + rows)
		}
	}
	return b.String() + "\n"
}

// settings reports whether a command has the flags of a server.
func settings(command string) bool {
	return command == "serve" || strings.HasPrefix(command, "config ")
}

// newUsage divides a help text.
func newUsage(name, help string) commandUsage {
	rest, flags, _ := strings.Cut(help, "Flags:\n")
	rest, examples, _ := strings.Cut(rest, "Examples:\n")
	rest, usage, _ := strings.Cut(rest, "Usage:\n")
	about, arguments, _ := strings.Cut(rest, "Arguments:\n")
	u := commandUsage{name: name, usage: strings.TrimSpace(usage), about: paragraphs(about)}
	comment := ""
	for line := range strings.Lines(examples) {
		line = strings.TrimSpace(line)
		switch text, ok := strings.CutPrefix(line, "# "); {
		case ok:
			comment = "  # " + text
		case line != "":
			u.examples += line + comment + "\n"
			comment = ""
		}
	}
	for _, m := range regexp.MustCompile(`(?m)^  (\S.*?) {2,}(.*(?:\n {5,}.*)*)`).FindAllStringSubmatch(arguments, -1) {
		u.flags = append(u.flags, flagUsage{title: m[1], text: strings.Join(strings.Fields(m[2]), " ")})
	}
	starts := flagEntry.FindAllStringSubmatchIndex(flags, -1)
	for i, at := range starts {
		end := len(flags)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		title, short := flags[at[4]:at[5]], strings.TrimSpace(flags[at[2]:at[3]])
		name, _, _ := strings.Cut(title, " ")
		if name == "help" {
			continue
		}
		title = strings.TrimSpace(short + " --" + title)
		u.flags = append(u.flags, flagUsage{name, title, strings.Join(strings.Fields(flags[at[1]:end]), " ")})
	}
	return u
}

// paragraphs joins the lines of each paragraph.
func paragraphs(text string) string {
	list := strings.Split(strings.TrimSpace(text), "\n\n")
	for i, p := range list {
		list[i] = strings.Join(strings.Fields(p), " ")
	}
	return strings.Join(list, " ")
}
