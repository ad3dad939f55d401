package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// completeCommand is the hidden first argument with which the completion
// scripts ask for candidates.
const completeCommand = "__complete"

// completionCmd is "postgeo completion".
type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// The scripts hand the words of the command line to "postgeo __complete" and
// offer what it prints. Where it prints nothing they offer files.
var completionScripts = map[string]string{
	"bash": `# bash completion of postgeo. Load it with: source <(postgeo completion bash)
_postgeo() {
	local IFS=$'\n'
	COMPREPLY=($("${COMP_WORDS[0]}" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _postgeo postgeo
`,
	"zsh": `#compdef postgeo
# zsh completion of postgeo. Load it with: source <(postgeo completion zsh)
_postgeo() {
	local -a candidates
	candidates=("${(@f)$("${words[1]}" __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
	candidates=("${(@)candidates:#}")
	if (( ${#candidates} )); then
		compadd -a candidates
	else
		_files
	fi
}
compdef _postgeo postgeo
`,
	"fish": `# fish completion of postgeo. Load it with: postgeo completion fish | source
function __postgeo_complete
	set -l words (commandline -opc) (commandline -ct)
	set -l candidates (command $words[1] __complete $words[2..-1] 2>/dev/null)
	if test (count $candidates) -gt 0
		printf '%s\n' $candidates
	else
		__fish_complete_path (commandline -ct)
	end
end
complete -c postgeo -f -a '(__postgeo_complete)'
`,
}

// Run prints the script.
func (c *completionCmd) Run(env *Env) error {
	_, err := io.WriteString(env.Stdout, completionScripts[c.Shell])
	return err
}

// complete prints the candidates for the last of the words, one a line. The
// words are those after the program's name; bash splits "--format=csv" into
// three of them.
func complete(words []string, w io.Writer) {
	parser, err := newParser(&grammar{}, &Env{Stdout: io.Discard, Stderr: io.Discard})
	if err != nil || len(words) == 0 {
		return
	}
	last := words[len(words)-1]
	node := parser.Model.Node
	var pending *kong.Flag // a flag that the next word is the value of
	positional := 0
	for _, word := range words[:len(words)-1] {
		switch {
		case word == "=":
		case pending != nil:
			pending = nil
		case strings.HasPrefix(word, "-") && word != "-":
			if f := findFlag(node, word); f != nil && !f.IsBool() {
				pending = f
			}
		default:
			if child := findCommand(node, word); child != nil {
				node = child
			} else {
				positional++
			}
		}
	}

	var candidates []string
	name, value, joined := strings.Cut(last, "=")
	switch {
	case pending != nil && last == "=":
		candidates = values(pending.Value, "")
		last = ""
	case pending != nil:
		candidates = values(pending.Value, "")
	case joined && strings.HasPrefix(name, "--"):
		if f := findFlag(node, name); f != nil {
			candidates = values(f.Value, name+"=")
			last = name + "=" + value
		}
	case strings.HasPrefix(last, "-"):
		for _, group := range node.AllFlags(true) {
			for _, f := range group {
				candidates = append(candidates, "--"+f.Name)
			}
		}
	case positional < len(node.Positional):
		candidates = values(node.Positional[positional], "")
	default:
		for _, child := range node.Children {
			candidates = append(candidates, child.Name)
		}
	}
	slices.Sort(candidates)
	for _, c := range candidates {
		if strings.HasPrefix(c, last) {
			fmt.Fprintln(w, c)
		}
	}
}

// findCommand returns the subcommand of that name, or nil.
func findCommand(node *kong.Node, name string) *kong.Node {
	for _, child := range node.Children {
		if (child.Name == name || slices.Contains(child.Aliases, name)) && !child.Hidden {
			return child
		}
	}
	return nil
}

// findFlag returns the flag of a word like --format or -f, or nil. A word
// with its value in it, --format=csv, has no pending value.
func findFlag(node *kong.Node, word string) *kong.Flag {
	for _, group := range node.AllFlags(true) {
		for _, f := range group {
			if word == "--"+f.Name || f.Short != 0 && word == "-"+string(f.Short) {
				return f
			}
		}
	}
	return nil
}

// values lists what an argument or flag can be, with the prefix.
func values(v *kong.Value, prefix string) []string {
	var out []string
	for _, e := range v.EnumSlice() {
		if e != "" {
			out = append(out, prefix+e)
		}
	}
	return out
}
