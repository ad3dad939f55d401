package main

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

//go:embed wordlist.txt
var wordlist string

// A Level is the weight of a rule.
type Level string

// The levels of wordlist.txt, and that of a sentence of more than 25 words.
const (
	Refused Level = "E"
	Counted Level = "W"
	allowed Level = "A"
	Long    Level = "L"
)

// maxWords is the length of a sentence that needs no attention.
const maxWords = 25

// A rule is one line of wordlist.txt.
type rule struct {
	level   Level
	pattern *regexp.Regexp
	advice  string
}

// parseRules reads lines of level, pattern and advice, separated by tabs.
// Patterns ignore case unless they begin with (?-i).
func parseRules(list string) ([]rule, error) {
	var rules []rule
	for line := range strings.Lines(list) {
		line = strings.TrimRight(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.SplitN(line, "\t", 3)
		if len(fields) != 3 {
			return nil, fmt.Errorf("wordlist.txt: %q: expected level, pattern and advice separated by tabs", line)
		}
		switch l := Level(fields[0]); l {
		case Refused, Counted, allowed:
			re, err := regexp.Compile("(?i)" + fields[1])
			if err != nil {
				return nil, fmt.Errorf("wordlist.txt: %w", err)
			}
			rules = append(rules, rule{l, re, fields[2]})
		default:
			return nil, fmt.Errorf("wordlist.txt: level is %q; expected E, W or A", fields[0])
		}
	}
	return rules, nil
}

// A Match is one place that breaks a rule.
type Match struct {
	File   string // relative to the root, with slashes
	Line   int    // of the paragraph's beginning
	Kind   string
	Level  Level
	Text   string // the matched text with some of what surrounds it
	Advice string
}

func (m Match) String() string {
	return fmt.Sprintf("%s:%d: %s %s: %q: %s", m.File, m.Line, m.Kind, m.Level, m.Text, m.Advice)
}

// Check returns the matches in all Go and Markdown files below root.
func Check(root string) ([]Match, error) {
	rules, err := parseRules(wordlist)
	if err != nil {
		return nil, err
	}
	paragraphs, err := prose(root)
	if err != nil {
		return nil, err
	}
	var matches []Match
	for _, p := range paragraphs {
		matches = append(matches, checkParagraph(rules, p)...)
	}
	return matches, nil
}

func checkParagraph(rules []rule, p paragraph) []Match {
	var found []Match
	var free [][]int // spans of A rules, computed at the first match
	for _, r := range rules {
		if r.level == allowed {
			continue
		}
		for _, at := range r.pattern.FindAllStringIndex(p.text, -1) {
			if free == nil {
				free = spans(rules, p.text)
			}
			if !inside(free, at) {
				found = append(found, Match{p.file, p.line, p.kind, r.level, around(p.text, at), r.advice})
			}
		}
	}
	for _, sentence := range sentences(p.text) {
		if n := len(strings.Fields(sentence)); n > maxWords {
			found = append(found, Match{p.file, p.line, p.kind, Long, sentence, fmt.Sprintf("%d words; expected at most %d", n, maxWords)})
		}
	}
	return found
}

func spans(rules []rule, text string) [][]int {
	all := [][]int{}
	for _, r := range rules {
		if r.level == allowed {
			all = append(all, r.pattern.FindAllStringIndex(text, -1)...)
		}
	}
	return all
}

func inside(spans [][]int, at []int) bool {
	return slices.ContainsFunc(spans, func(s []int) bool { return s[0] <= at[0] && at[1] <= s[1] })
}

func around(text string, at []int) string {
	from, to := max(0, at[0]-30), min(len(text), at[1]+30)
	return strings.ToValidUTF8(text[from:to], "")
}

var sentenceEnd = regexp.MustCompile(`[.;:!?]["')]* (?:[A-Z"(\x60\[]|$)`)

// sentences splits prose after a full stop, colon or semicolon that a capital
// follows. Rows of tables are left out.
func sentences(text string) []string {
	if strings.HasPrefix(text, "|") {
		return nil
	}
	var all []string
	for {
		at := sentenceEnd.FindStringIndex(text)
		if at == nil {
			return append(all, text)
		}
		all = append(all, text[:at[0]+1])
		text = text[at[1]-1:]
	}
}
