package command

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

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
