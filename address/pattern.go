package address

import (
	"fmt"
	"slices"
	"strings"
)

// A pattern matches a span of words and the words on both sides of it. The
// head of rules.txt describes its text. It is a regular expression over words instead of
// characters, matched by backtracking. Gaps take as few words as possible. No pattern has
// more than three of them, which bounds a failed attempt by the cube of the words of its
// scope. Package regexp has neither classes of words nor conditions on words before a match.
type pattern struct {
	left   []item // from the span leftwards
	inside []item
	right  []item
	point  bool // the span is empty

	around around // rejects most spans at once
}

// around holds the classes of the words before, in and after a span. In a
// pattern, each word must have one of its classes. The four ANDs of try reject most
// attempts before the first item is looked at. They may only reject what the items would
// reject too, so that every doubtful case is anyword.
type around struct{ before, first, last, after class }

const (
	isEdge  class = 1 << 31 // instead of a word: the end of the scope
	anyword       = ^class(0)
)

// classes returns a set of classes. A word that matches the item has one of
// them.
func (it *item) classes() class {
	switch {
	case it.kind == edge:
		return isEdge
	case it.kind != oneWord:
		return anyword
	case it.words != nil:
		return it.want | isLiteral
	default:
		return it.want
	}
}

// An item matches one word, unless its kind differs.
type item struct {
	want, need, refuse class
	words, not         []string
	test               predicate
	kind               itemKind
	slow               bool // not or test is set
}

type itemKind uint8

const (
	oneWord  itemKind = iota
	optional          // one word or none
	many              // any number of words
	negative          // no such word here
	edge              // the end of the scope
	opening           // of the capture
	closing           // of the capture
	checked           // a predicate that takes no word
)

// compile parses the text of a pattern. It panics on an unknown class or
// predicate.
func compile(text string) pattern {
	p := pattern{point: !strings.Contains(text, "(")}
	fields := strings.Fields(text)
	if p.point && !slices.Contains(fields, "@") {
		fields = slices.Insert(fields, 0, "@")
	}
	part := &p.left
	for _, f := range fields {
		switch f {
		case "(":
			part = &p.inside
		case ")", "@":
			part = &p.right
		default:
			*part = append(*part, compileItem(f))
		}
	}
	slices.Reverse(p.left) // it is followed away from the span
	p.setAround()
	p.inside = append(p.inside, item{kind: edge}) // the items have to take the whole span
	return p
}

// setAround sets the classes of the words at the ends of the span and on both sides.
func (p *pattern) setAround() {
	p.around = around{anyword, anyword, anyword, following(p.right)}
	words := slices.DeleteFunc(slices.Clone(p.inside), func(it item) bool { return it.kind == checked })
	if len(words) > 0 && words[0].kind == oneWord {
		p.around.first = words[0].classes()
	}
	if n := len(words) - 1; n > 0 && words[n].kind == oneWord {
		p.around.last = words[n].classes()
	}
	if len(p.left) > 0 {
		p.around.before = p.left[0].classes()
	}
}

// following returns a set of classes. The word that items begin with has one of them.
func following(items []item) (c class) {
	for _, it := range items {
		switch it.kind {
		case opening:
		case oneWord, edge:
			return c | it.classes()
		case optional, many:
			it.kind = oneWord
			c |= it.classes()
		default:
			return anyword
		}
	}
	return anyword
}

func compileItem(f string) item {
	switch f {
	case "^", "$":
		return item{kind: edge}
	case "[":
		return item{kind: opening}
	case "]":
		return item{kind: closing}
	case "..":
		return item{kind: many, want: isWord}
	case "...":
		return item{kind: many, want: isWord, refuse: breakBefore}
	}
	if name, ok := strings.CutPrefix(f, "<"); ok {
		if test := wordPredicates()[strings.TrimSuffix(name, ">")]; test != nil {
			return item{kind: oneWord, want: isWord, test: test, slow: true}
		}
		test := predicates()[strings.TrimSuffix(name, ">")]
		if test == nil {
			panic(fmt.Sprintf("address: unknown predicate %q", f))
		}
		return item{kind: checked, test: test}
	}
	var it item
	mark := func(sign string, kind itemKind, cut func(s, sign string) (string, bool)) {
		if rest, ok := cut(f, sign); ok {
			f, it.kind = rest, kind
		}
	}
	mark("!", negative, strings.CutPrefix)
	mark("?", optional, strings.CutSuffix)
	mark("*", many, strings.CutSuffix)
	if rest, ok := strings.CutPrefix(f, ","); ok {
		f, it.need = rest, breakBefore
	}
	if rest, ok := strings.CutPrefix(f, "~"); ok {
		f, it.refuse = rest, breakBefore
	}
	for sign := byte('|'); f != ""; {
		end := strings.IndexAny(f, "|-&")
		if end < 0 {
			end = len(f)
		}
		it.add(f[:end], sign)
		if end == len(f) {
			break
		}
		sign, f = f[end], f[end+1:]
	}
	return it
}

// add extends the item by a class or word after the sign |, - or &.
func (it *item) add(name string, sign byte) {
	c, ok := classNames[name]
	if !ok && name != strings.ToUpper(name) {
		panic(fmt.Sprintf("address: unknown class %q", name))
	}
	switch {
	case sign == '|' && ok:
		it.want |= c
	case sign == '|':
		it.words = append(it.words, name)
	case sign == '&' && ok:
		it.need |= c
	case sign == '-' && ok:
		it.refuse |= c
	default:
		it.not, it.slow = append(it.not, name), true
	}
}

// A match is one attempt to match a pattern.
type match struct {
	p         *parser
	span      span
	from, end int // of the scope
	gaps      int // words in gaps, for the second weight of a rule
	open      int // of the capture: positions of its first word and behind its last one
	close     int
}

// around returns the classes of the words around the span.
func (m *match) around() around {
	from, to := int(m.span.from), int(m.span.to)
	a := around{isEdge, anyword, anyword, isEdge}
	if from > m.from {
		a.before = m.p.tokens[from-1].bits
	}
	if from < to {
		a.first, a.last = m.p.tokens[from].bits, m.p.tokens[to-1].bits
	}
	if to < m.end {
		a.after = m.p.tokens[to].bits
	}
	return a
}

// try reports whether a pattern matches. next is the position after its last
// word.
func (m *match) try(t *pattern, a *around) (next int, ok bool) {
	if a.first&t.around.first == 0 || a.last&t.around.last == 0 || a.before&t.around.before == 0 || a.after&t.around.after == 0 {
		return 0, false
	}
	m.gaps = 0
	if !t.point {
		if _, ok := m.follow(t.inside, int(m.span.from), int(m.span.to), 1); !ok {
			return 0, false
		}
	}
	if len(t.left) > 0 {
		if _, ok := m.follow(t.left, int(m.span.from)-1, m.from-1, -1); !ok {
			return 0, false
		}
	}
	next = int(m.span.to)
	if len(t.right) > 0 {
		if next, ok = m.follow(t.right, next, m.end, 1); !ok {
			return 0, false
		}
	}
	return next, true
}

// follow matches items from word i on, rightwards or leftwards, before end.
func (m *match) follow(items []item, i, end, step int) (next int, ok bool) {
	for k := range items {
		it := &items[k]
		switch it.kind {
		case oneWord:
			if i == end || !m.has(it, i) {
				return 0, false
			}
			i += step
		case optional:
			if i != end && m.has(it, i) {
				if next, ok := m.follow(items[k+1:], i+step, end, step); ok {
					return next, true
				}
			}
		case many:
			return m.repeat(items[k:], i, end, step)
		case negative:
			if i != end && m.has(it, i) {
				return 0, false
			}
		case edge:
			if i != end {
				return 0, false
			}
		case opening:
			m.open = i
		case closing:
			m.close = i
		case checked:
			if !it.test(m, i) {
				return 0, false
			}
		}
	}
	return i, true
}

// repeat matches the first item as seldom as possible, then the others.
func (m *match) repeat(items []item, i, end, step int) (next int, ok bool) {
	for n := 0; ; n++ {
		if next, ok := m.follow(items[1:], i, end, step); ok {
			m.gaps += n
			return next, true
		}
		if i == end || !m.has(&items[0], i) {
			return 0, false
		}
		i += step
	}
}

func (m *match) has(it *item, i int) bool {
	bits := m.p.tokens[i].bits
	if bits&it.refuse != 0 || bits&it.need != it.need {
		return false
	}
	if bits&it.want == 0 && (it.words == nil || !slices.Contains(it.words, m.p.word(i))) {
		return false
	}
	return !it.slow || m.hasNot(it, i)
}

// hasNot reports whether word i passes the excluded words and the predicate of an
// item.
func (m *match) hasNot(it *item, i int) bool {
	return !slices.Contains(it.not, m.p.word(i)) && (it.test == nil || it.test(m, i))
}
