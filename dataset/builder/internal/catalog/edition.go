package catalog

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/dataset/builder/fetch"
)

// An edition is a year, or a year and the letter of a release.
type edition struct {
	year   int
	letter byte // 'a' to 'z'; 0 for a year
}

var editionForm = regexp.MustCompile(`^((?:19|20)[0-9]{2})([a-z]?)$`)

func parseEdition(text string) (e edition, ok bool) {
	m := editionForm.FindStringSubmatch(text)
	if m == nil {
		return e, false
	}
	e.year, _ = strconv.Atoi(m[1])
	if m[2] != "" {
		e.letter = m[2][0]
	}
	return e, true
}

func (e edition) String() string {
	if e.letter == 0 {
		return strconv.Itoa(e.year)
	}
	return strconv.Itoa(e.year) + string(e.letter)
}

func (e edition) before(o edition) bool {
	return e.year < o.year || e.year == o.year && e.letter < o.letter
}

// Bounds of later and earlier editions. They are years after an edition, releases
// after one in its year and in the next, and the last release of a year.
const (
	yearsAhead      = 2
	lettersAhead    = 4
	lettersNextYear = 2
	lastLetter      = 'j'
)

// later returns editions that may follow, the newest first.
func (e edition) later(every int) (list []edition) {
	if e.letter == 0 {
		for n := yearsAhead; n > 0; n-- {
			list = append(list, edition{year: e.year + n*every})
		}
		return list
	}
	for n := byte(lettersNextYear); n > 0; n-- {
		list = append(list, edition{e.year + 1, 'a' + n - 1})
	}
	for l := min(e.letter+lettersAhead, 'z'); l > e.letter; l-- {
		list = append(list, edition{e.year, l})
	}
	return list
}

// since returns the editions before e down to the oldest, the newest first.
func (e edition) since(oldest edition, every int) (list []edition) {
	for at := e; ; {
		switch {
		case at.letter > 'a':
			at.letter--
		case at.letter == 'a':
			at = edition{at.year - 1, lastLetter}
		default:
			at.year -= every
		}
		if at.before(oldest) {
			return list
		}
		list = append(list, at)
	}
}

// patterned reports whether an entry has editions.
func (e *Entry) patterned() bool {
	return e.Edition != "" && slices.ContainsFunc(placeholder.FindAllStringSubmatch(e.URL, -1), func(m []string) bool { return !slices.Contains(divisions[:], m[1]) })
}

// divisions are the placeholders of parts of the country that have a file each.
var divisions = [...]string{"county", "state"}

// division returns the placeholder of a part of the country in the address, or "".
func (e *Entry) division() string {
	for _, d := range divisions {
		if strings.Contains(e.URL, "{"+d+"}") {
			return d
		}
	}
	return ""
}

var placeholder = regexp.MustCompile(`\{([a-z]+)([+-][0-9]+)?\}`)

// expand replaces {edition}, {year}, {yy} for two digits of the year, {letter} for
// its number, and {county} or {state} for the part of the country. Years may have a
// number added, as in {year-4}.
func (e edition) expand(pattern, part string) (text string, err error) {
	text = placeholder.ReplaceAllStringFunc(pattern, func(p string) string {
		m := placeholder.FindStringSubmatch(p)
		add, _ := strconv.Atoi(m[2])
		switch {
		case m[1] == "edition" && m[2] == "":
			return e.String()
		case m[1] == "year":
			return strconv.Itoa(e.year + add)
		case m[1] == "yy":
			return fmt.Sprintf("%02d", (e.year+add)%100)
		case m[1] == "letter" && m[2] == "" && e.letter != 0:
			return strconv.Itoa(int(e.letter-'a') + 1)
		case slices.Contains(divisions[:], m[1]) && m[2] == "" && part != "":
			return part
		}
		err = fmt.Errorf("placeholder %s is not {edition}, {year}, {yy}, {year-1}, {yy+1} or, of a release, {letter}", p)
		return p
	})
	if err == nil && strings.ContainsAny(text, "{}") {
		err = fmt.Errorf("%q has a brace that belongs to no placeholder", pattern)
	}
	return text, err
}

// at returns the source in an edition of the pattern.
func (e *Entry) at(which edition, part string) (s fetch.Source, err error) {
	s = e.Source
	if s.Edition != which.String() {
		s.Edition, s.Usual = which.String(), s.Edition
		if !placeholder.MatchString(s.Vintage) {
			s.Vintage = ""
		}
	}
	if s.Vintage == "" {
		s.Vintage = "{edition}"
	}
	for _, text := range []*string{&s.URL, &s.Member, &s.Title, &s.Vintage, &s.Note} {
		if *text, err = which.expand(*text, part); err != nil {
			return s, err
		}
	}
	if part != "" {
		s.ID += "-" + part
	}
	return s, nil
}

// source returns the source in the entry's edition, with its other editions.
func (e *Entry) source(part string) fetch.Source {
	this, ok := parseEdition(e.Edition)
	if !ok {
		return e.Source
	}
	s, _ := e.at(this, part)
	s.Newer, s.Earlier = nil, nil
	if e.patterned() && e.Pinned == "" {
		s.Newer = e.all(this.later(max(e.Every, 1)), part)
	}
	if oldest, ok := parseEdition(e.Oldest); ok {
		s.Earlier = e.all(this.since(oldest, max(e.Every, 1)), part)
	}
	for _, o := range e.Older {
		of := e.older(o)
		of.Usual = e.Edition
		s.Earlier = append(s.Earlier, of)
	}
	return s
}

func (e *Entry) all(editions []edition, part string) (list []fetch.Source) {
	for _, which := range editions {
		s, _ := e.at(which, part)
		list = append(list, s)
	}
	return list
}

// older returns the source in an edition at another address.
func (e *Entry) older(o Older) fetch.Source {
	s := e.Source
	s.Edition, s.Vintage, s.URL, s.Rows, s.Note = o.Edition, o.Edition, o.URL, o.Rows, o.Note
	return s
}

// choose makes an edition the only one of the entry.
func (e *Entry) choose(text string) error {
	for _, o := range e.Older {
		if o.Edition == text {
			e.Source = e.older(o)
			e.Oldest, e.Older, e.Pinned = "", nil, "chosen by name"
			return nil
		}
	}
	chosen, ok := parseEdition(text)
	usual, _ := parseEdition(e.Edition)
	switch {
	case !e.patterned():
		return fmt.Errorf("%s has no editions", e.ID)
	case !ok || (chosen.letter == 0) != (usual.letter == 0):
		return fmt.Errorf("%s: expected an edition such as %s", e.ID, e.Edition)
	}
	if !placeholder.MatchString(e.Vintage) && text != e.Edition {
		e.Vintage = ""
	}
	e.Edition, e.Oldest, e.Older, e.Pinned = text, "", nil, "chosen by name"
	return nil
}
