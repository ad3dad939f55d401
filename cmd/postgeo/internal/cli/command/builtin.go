package command

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
)

// program is the heading of the commands about the program.
const program = "Datasets and this program"

type completionOptions struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// CompletionCommand returns "completion".
func CompletionCommand() *Command {
	return New(Spec[completionOptions, struct{}]{
		Name: "completion", Group: program, Short: "Print a completion script for a shell.",
		Examples: Examples(
			"source <(postgeo completion bash)", "in ~/.bashrc",
			"postgeo completion fish | source", "in ~/.config/fish/config.fish",
		),
		Run: func(o *completionOptions, c *Call) (Result, error) {
			_, err := io.WriteString(c.Stdout, completionScripts[o.Shell])
			return Result{}, err
		},
	})
}

// The scripts pass the words of the command line to "postgeo __complete" and offer
// its output, or files if there is none.
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

// The linker sets these for a release (-X), because a build from an archive of
// the sources has no checkout.
var (
	stampedVersion  string // e.g. "v1.2.3"
	stampedRevision string // commit
)

// A Version describes the build of the program.
type Version struct {
	Version  string `json:"version"`           // module version, "(devel)" for a build from a checkout
	Revision string `json:"revision,omitzero"` // commit, if the build recorded it
	Modified bool   `json:"modified,omitzero"` // the checkout had changes
	Go       string `json:"go"`                // version of the toolchain
	Platform string `json:"platform"`          // e.g. "linux/amd64"
}

// ReadVersion returns the version of the program.
func ReadVersion() Version {
	v := Version{Version: "(devel)", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if info.Main.Version != "" {
		v.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Revision = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	if stampedVersion != "" {
		v.Version, v.Revision, v.Modified = stampedVersion, stampedRevision, false
	}
	return v
}

// CompleteName is the hidden first argument of the completion scripts.
const CompleteName = "__complete"

// complete writes the candidates for the last of the words, one a line. The
// words follow the program's name; bash splits "--format=csv" into three.
func (c *Command) complete(words []string, w io.Writer) {
	if len(words) == 0 {
		return
	}
	last := words[len(words)-1]
	var pending *Param // a flag that waits for its value
	args := 0
	for _, word := range words[:len(words)-1] {
		switch {
		case word == "=":
		case pending != nil:
			pending = nil
		case strings.HasPrefix(word, "-") && word != "-":
			if p := c.Flag(word); p != nil && !p.IsBool() {
				pending = p
			}
		default:
			if child := c.Child(word); child != nil {
				c = child
			} else {
				args++
			}
		}
	}
	var candidates []string
	name, _, joined := strings.Cut(last, "=")
	switch {
	case pending != nil:
		candidates = pending.Enum
		last = strings.TrimPrefix(last, "=")
	case joined && strings.HasPrefix(name, "--"):
		if p := c.Flag(name); p != nil {
			for _, e := range p.Enum {
				candidates = append(candidates, name+"="+e)
			}
		}
	case strings.HasPrefix(last, "-"):
		for _, p := range c.Flags() {
			candidates = append(candidates, "--"+p.Name)
		}
	case args < len(c.Args()):
		candidates = c.Args()[args].Enum
	default:
		candidates = c.Names()
	}
	for _, candidate := range slices.Sorted(slices.Values(candidates)) {
		if strings.HasPrefix(candidate, last) {
			fmt.Fprintln(w, candidate)
		}
	}
}
