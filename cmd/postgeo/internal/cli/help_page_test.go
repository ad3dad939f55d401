package cli_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// commonFlag is the number of commands with the same flag that make a page
// describe it once, before all commands.
const commonFlag = 4

var flagEntry = regexp.MustCompile(`(?m)^ {2}(?:-\w, | {4})--([\w-]+)`)

// A commandUsage is the help of one command, divided into its head and flags.
type commandUsage struct {
	name  string
	head  string
	flags []flagUsage
}

type flagUsage struct {
	name string
	text string
}

// key identifies flags with the same description, however it is wrapped.
func (f flagUsage) key() string { return strings.Join(strings.Fields(f.text), " ") }

// helpPage returns the help of commands as a part of a page. It lists flags of
// many commands once, and for the config commands refers to serve.
func helpPage(t *testing.T, commands []string) string {
	t.Helper()
	var all []commandUsage
	uses, serve := map[string]int{}, map[string]bool{}
	for _, command := range commands {
		r := world{vars: map[string]string{"COLUMNS": "100"}}.run(append(strings.Fields(command), "--help")...)
		if r.code != 0 {
			t.Fatalf("%s --help: %v", command, r)
		}
		u := newUsage(command, r.stdout)
		for _, f := range u.flags {
			uses[f.key()]++
			if command == "serve" {
				serve[f.key()] = true
			}
		}
		all = append(all, u)
	}

	common := map[string]string{} // the key of each common flag, by its name
	for _, u := range all {
		for _, f := range u.flags {
			if n := uses[f.key()]; n >= commonFlag && n > uses[common[f.name]] {
				common[f.name] = f.key()
			}
		}
	}

	var b strings.Builder
	b.WriteString("\n### Common flags\n\n```text\n")
	shown := map[string]bool{}
	for _, u := range all {
		for _, f := range u.flags {
			if common[f.name] == f.key() && !shown[f.name] {
				shown[f.name] = true
				b.WriteString(f.text)
			}
		}
	}
	b.WriteString("```\n")
	for _, u := range all {
		fmt.Fprintf(&b, "\n### postgeo %s\n\n```text\n%s", u.name, u.head)
		var names []string
		var flags strings.Builder
		config := strings.HasPrefix(u.name, "config ")
		for _, f := range u.flags {
			switch {
			case common[f.name] == f.key():
				names = append(names, "--"+f.name)
			case !config || !serve[f.key()]:
				flags.WriteString(f.text)
			}
		}
		if config {
			flags.WriteString("  All flags of postgeo serve.\n")
		}
		if flags.Len() > 0 {
			b.WriteString("Flags:\n" + flags.String())
		}
		fmt.Fprintf(&b, "Common flags: %s.\n```\n", strings.Join(names, ", "))
	}
	return b.String() + "\n"
}

func newUsage(name, help string) commandUsage {
	head, flags, _ := strings.Cut(help, "Flags:\n")
	head = strings.Replace(head, "Examples:\n\n", "Examples:\n", 1)
	head = strings.Replace(head, "\n\n", "\n", 1) // after the usage
	u := commandUsage{name: name, head: head}
	starts := flagEntry.FindAllStringSubmatchIndex(flags, -1)
	for i, at := range starts {
		end := len(flags)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		text := strings.TrimRight(flags[at[0]:end], "\n") + "\n"
		u.flags = append(u.flags, flagUsage{flags[at[2]:at[3]], text})
	}
	return u
}
