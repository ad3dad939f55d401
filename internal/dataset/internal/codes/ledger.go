package codes

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/postgeo/postgeo/internal/dataset/internal/store"
	"github.com/postgeo/postgeo/internal/enum"
)

// CodeChange is a change of a code between two editions of the data.
type CodeChange uint8

// The changes.
const (
	CodeBorn    CodeChange = iota + 1 // the earlier edition lacks the code
	CodeGone                          // the later edition lacks the code
	CodeMoved                         // to another state, or its point to another place
	CodeRenamed                       // its place has another name
	endOfCodeChanges
)

var codeChangeNames = enum.Names[CodeChange]{CodeBorn: "born", CodeGone: "gone", CodeMoved: "moved", CodeRenamed: "renamed"}

// String returns a word for the change, such as "gone".
func (c CodeChange) String() string { return codeChangeNames.Shown("CodeChange", c) }

// MarshalText returns String.
func (c CodeChange) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// A CodeEvent is an entry of the ledger of codes.
type CodeEvent struct {
	Code       string     `json:"code"` // ZIP Code, FSA or postal code
	Change     CodeChange `json:"change"`
	Edition    string     `json:"edition"`             // version of the first dataset after the change
	Before     string     `json:"before,omitzero"`     // place of a renamed or discontinued code, state and point of a moved one
	After      string     `json:"after,omitzero"`      // the same after the change
	Successors []string   `json:"successors,omitzero"` // codes with the area of a discontinued one, the largest part first
	Evidence   string     `json:"evidence,omitzero"`   // basis of Successors, such as "outline"
}

func (e *CodeEvent) code(c *store.Coder) {
	c.Text(&e.Code, &e.Edition, &e.Before, &e.After, &e.Evidence)
	store.Max(c, &e.Change, uint64(endOfCodeChanges-1))
	store.List(c, &e.Successors, func(s *string) { c.Text(s) })
}

func (e *CodeEvent) check() error {
	if e.Change == 0 || e.Change >= endOfCodeChanges {
		return fmt.Errorf("its change is %d, expected 1 to %d", e.Change, endOfCodeChanges-1)
	}
	for _, code := range append([]string{e.Code}, e.Successors...) {
		_, zip := ParseZIP(code)
		_, fsa := ParseFSA(code)
		_, postal := ParsePostalCode(code)
		if !zip && !fsa && !postal {
			return fmt.Errorf("%q is not a ZIP Code, FSA or postal code", code)
		}
	}
	return nil
}

// ledgerEntries is more than the changes of all codes in decades.
const ledgerEntries = 1 << 24

var ledgerRows = smallTable[CodeEvent]{
	name: "code_ledger", noun: "change of code", limit: ledgerEntries,
	code:  (*CodeEvent).code,
	label: func(e *CodeEvent) string { return e.Code },
	check: func(_ *Reader, e *CodeEvent) error { return e.check() },
	rows:  func(w *Writer) *[]CodeEvent { return &w.ledger },
	into:  func(d *Reader) *[]CodeEvent { return &d.ledger },
}

var errLedgerOrder = errors.New("the changes of codes are not in the order of the codes")

// ledgerTable stores the ledger, which most files lack.
func ledgerTable() table {
	t := ledgerRows.table()
	encode, decode := t.Encode, t.Decode
	t.Encode = func(w *Writer, c *store.Columns) error {
		if len(w.ledger) == 0 {
			return nil
		}
		return encode(w, c)
	}
	t.Decode = func(d *Reader, c *store.Columns) error {
		if d.ledger = nil; !c.Has(t.Name) {
			return nil
		}
		if err := decode(d, c); err != nil {
			return err
		}
		if d.ledger = d.ledger[1:]; !slices.IsSortedFunc(d.ledger, byCode) {
			return errLedgerOrder
		}
		return nil
	}
	return t
}

func byCode(a, b CodeEvent) int { return cmp.Compare(a.Code, b.Code) }

// Ledger returns the changes of codes since the first dataset of a series, in the
// order of the codes. Those of a code are in the order of the editions. The list must
// not be changed.
func (d *Reader) Ledger() []CodeEvent {
	d.file.Need(SectionLedger)
	return d.ledger
}

// EventsOf returns the changes of a code, in the order of the editions.
func (d *Reader) EventsOf(code string) []CodeEvent {
	all := d.Ledger()
	from, _ := slices.BinarySearchFunc(all, code, func(e CodeEvent, code string) int { return cmp.Compare(e.Code, code) })
	to := from
	for to < len(all) && all[to].Code == code {
		to++
	}
	return all[from:to:to]
}

// SetLedger sets the changes of codes. Those of one code are in the order of the
// editions.
func (w *Writer) SetLedger(events []CodeEvent) error {
	sorted := slices.Clone(events)
	slices.SortStableFunc(sorted, byCode)
	for i := range sorted {
		if err := sorted[i].check(); err != nil {
			return store.InvalidRow("the change of code "+sorted[i].Code, err)
		}
	}
	return ledgerRows.set(w, sorted)
}

// A ledgerLine is an entry with its place among those of the code.
type ledgerLine struct {
	CodeEvent
	key string
}

func ledgerLines(d *Reader) iter.Seq[*ledgerLine] {
	return func(yield func(*ledgerLine) bool) {
		n := 0
		for i, e := range d.Ledger() {
			if n++; i == 0 || e.Code != d.ledger[i-1].Code {
				n = 0
			}
			if !yield(&ledgerLine{e, fmt.Sprintf("%s\x00%03d", e.Code, n)}) {
				return
			}
		}
	}
}
