package format

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A wktNode is KEYWORD[argument, …] of well-known text, or a bare argument:
// quoted text or a number. All methods take nil as an absent node.
type wktNode struct {
	word string // keyword, text or number
	args []*wktNode
}

func (n *wktNode) keyword() string {
	if n == nil {
		return ""
	}
	return n.word
}

func (n *wktNode) is(keyword string) bool {
	return n != nil && n.args != nil && strings.EqualFold(n.word, keyword)
}

// child returns the first argument with the keyword, or nil.
func (n *wktNode) child(keyword string) *wktNode {
	if n == nil {
		return nil
	}
	for _, a := range n.args {
		if a.is(keyword) {
			return a
		}
	}
	return nil
}

// text returns the first argument, the name of the node.
func (n *wktNode) text() string {
	if n == nil || len(n.args) == 0 {
		return ""
	}
	return n.args[0].word
}

func (n *wktNode) number(i int) (float64, bool) {
	if n == nil || i >= len(n.args) {
		return 0, false
	}
	v, err := strconv.ParseFloat(n.args[i].word, 64)
	return v, err == nil
}

// parameter returns the value of PARAMETER["name", value].
func (n *wktNode) parameter(name string) (float64, bool) {
	for _, a := range n.args {
		if a.is("PARAMETER") && strings.EqualFold(a.text(), name) {
			return a.number(1)
		}
	}
	return 0, false
}

// parseWKT reads well-known text of at most 64 KiB and eight levels.
func parseWKT(s string) (*wktNode, error) {
	if len(s) > 64<<10 {
		return nil, errors.New("well-known text of more than 64 KiB")
	}
	p := wktParser{s: strings.TrimSpace(strings.TrimPrefix(s, "\ufeff"))}
	n, err := p.node(0)
	if err == nil && p.at < len(p.s) {
		err = fmt.Errorf("well-known text has %s after its end", excerpt(p.s[p.at:]))
	}
	return n, err
}

type wktParser struct {
	s  string
	at int
}

func (p *wktParser) skip() {
	for p.at < len(p.s) && strings.IndexByte(" \t\r\n", p.s[p.at]) >= 0 {
		p.at++
	}
}

// take reads over the next byte if it is one of those in set.
func (p *wktParser) take(set string) bool {
	p.skip()
	if p.at < len(p.s) && strings.IndexByte(set, p.s[p.at]) >= 0 {
		p.at++
		return true
	}
	return false
}

func (p *wktParser) node(depth int) (*wktNode, error) {
	if depth > 8 {
		return nil, errors.New("well-known text of more than eight levels")
	}
	if p.take(`"`) {
		i := strings.IndexByte(p.s[p.at:], '"')
		if i < 0 {
			return nil, errors.New("well-known text with an open quote")
		}
		n := &wktNode{word: p.s[p.at : p.at+i]}
		p.at += i + 1
		p.skip()
		return n, nil
	}
	i := strings.IndexAny(p.s[p.at:], `[](),"`)
	if i < 0 {
		i = len(p.s) - p.at
	}
	n := &wktNode{word: strings.TrimSpace(p.s[p.at : p.at+i])}
	p.at += i
	if n.word == "" {
		return nil, fmt.Errorf("well-known text is malformed near %s", excerpt(p.s[p.at:]))
	}
	if !p.take("[(") {
		return n, nil
	}
	for {
		a, err := p.node(depth + 1)
		if err != nil {
			return nil, err
		}
		n.args = append(n.args, a)
		switch {
		case p.take("])"):
			p.skip()
			return n, nil
		case !p.take(","):
			return nil, fmt.Errorf("well-known text is malformed near %s", excerpt(p.s[p.at:]))
		}
	}
}
