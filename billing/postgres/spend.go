package postgres

import (
	"errors"
	"fmt"

	"github.com/postgeo/postgeo/billing"
)

// reserve decides about a hold.
func (b *book) reserve(h *billing.Hold) (billing.Receipt, error) {
	if old := b.holds[h.ID]; old != nil {
		if old.state != stateHeld || old.account != b.row || old.held != h.Credits {
			return billing.Receipt{}, billing.ErrHoldClosed
		}
		return b.receipt(old, func(l line) int { return l.held })
	}
	available := b.available()
	if available < h.Credits {
		return billing.Receipt{}, &billing.InsufficientError{Account: b.ID, Need: h.Credits, Available: available, Batch: h.Batch}
	}
	n := &hold{id: h.ID, account: b.row, held: h.Credits, time: b.now, expires: b.now.Add(h.TTL)}
	r := billing.Receipt{Credits: h.Credits, Remaining: available - h.Credits}
	left := h.Credits
	for _, g := range b.grants {
		if left == 0 {
			break
		}
		if !g.Live(b.Plan, b.now) {
			continue
		}
		take := min(left, g.Remaining)
		left -= take
		g.Remaining -= take
		g.Held += take
		g.dirty = true
		n.lines = append(n.lines, line{grant: g.row, held: take})
		r.Parts = append(r.Parts, billing.Part{Source: g.Source, Credits: take})
	}
	r.Parts = billing.Parts(r.Parts...)
	b.holds[n.id] = n
	b.touched(n)
	return r, nil
}

func (b *book) available() int {
	sum := 0
	for _, g := range b.grants {
		if g.Live(b.Plan, b.now) {
			sum += g.Remaining
		}
	}
	return sum
}

// settle spends used of a hold and gives the rest back.
func (b *book) settle(id string, used int) (billing.Receipt, error) {
	h := b.holds[id]
	switch {
	case h == nil:
		return billing.Receipt{}, billing.ErrHoldNotFound
	case h.state == stateSettled && h.used == used:
		return b.receipt(h, func(l line) int { return l.used })
	case h.state != stateHeld:
		return billing.Receipt{}, billing.ErrHoldClosed
	case used > h.held:
		return billing.Receipt{}, fmt.Errorf("postgres: settlement of %d credits of a hold of %d; hold the most that a request can cost", used, h.held)
	}
	grants, err := b.payers(h)
	if err != nil {
		return billing.Receipt{}, err
	}
	left := used
	for i := range h.lines {
		l, g := &h.lines[i], grants[i]
		l.used = min(left, l.held)
		left -= l.used
		g.Held -= l.held
		g.Settled += l.used
		g.Remaining += l.held - l.used
		g.dirty = true
		b.spend(g, l.used, b.now, 1)
	}
	h.used, h.state, h.time = used, stateSettled, b.now
	b.touched(h)
	return b.receipt(h, func(l line) int { return l.used })
}

// refund gives back everything that a hold has or had.
func (b *book) refund(id string) (billing.Receipt, error) {
	h := b.holds[id]
	if h == nil {
		return billing.Receipt{}, billing.ErrHoldNotFound
	}
	if h.state == stateReleased || h.state == stateRefunded {
		return b.receipt(h, func(line) int { return 0 })
	}
	grants, err := b.payers(h)
	if err != nil {
		return billing.Receipt{}, err
	}
	var r billing.Receipt
	for i := range h.lines {
		l, g := &h.lines[i], grants[i]
		back := l.held
		if h.state == stateSettled {
			back = l.used
			g.Settled -= back
			b.spend(g, back, h.time, -1)
		} else {
			g.Held -= back
		}
		g.Remaining += back
		g.dirty = true
		l.used = 0
		r.Credits += back
		r.Parts = append(r.Parts, billing.Part{Source: g.Source, Credits: back})
	}
	if h.state == stateSettled {
		h.state = stateRefunded
	} else {
		h.state = stateReleased
	}
	h.used, h.time = 0, b.now
	b.touched(h)
	r.Parts, r.Remaining = billing.Parts(r.Parts...), b.available()
	return r, nil
}

// release gives back a hold that is past its time, and reports whether it was
// still open.
func (b *book) release(id string) (bool, error) {
	h := b.holds[id]
	if h == nil || h.state != stateHeld || b.now.Before(h.expires) {
		return false, nil // settled, or released by another process, meanwhile
	}
	_, err := b.refund(id)
	return err == nil, err
}

var errPayer = errors.New("postgres: a hold names a grant that its account does not have")

// payers returns the grants of a hold's lines.
func (b *book) payers(h *hold) ([]*grant, error) {
	grants := make([]*grant, len(h.lines))
	for i, l := range h.lines {
		for _, g := range b.grants {
			if g.row == l.grant {
				grants[i] = g
			}
		}
		if grants[i] == nil {
			return nil, &billing.UnavailableError{Err: fmt.Errorf("%w: hold %s", errPayer, h.id)}
		}
	}
	return grants, nil
}

// receipt tells what credits of each line count.
func (b *book) receipt(h *hold, credits func(line) int) (billing.Receipt, error) {
	grants, err := b.payers(h)
	if err != nil {
		return billing.Receipt{}, err
	}
	r := billing.Receipt{Remaining: b.available()}
	for i, l := range h.lines {
		n := credits(l)
		r.Credits += n
		r.Parts = append(r.Parts, billing.Part{Source: grants[i].Source, Credits: n})
	}
	r.Parts = billing.Parts(r.Parts...)
	return r, nil
}

// balance tells what the account has. All grants with credits held have to be
// in the book.
func (b *book) balance() billing.Balance {
	bal := billing.Balance{Account: b.Account}
	var parts []billing.Part
	for _, g := range b.grants {
		live := g.Live(b.Plan, b.now)
		if live {
			bal.Available += g.Remaining
			parts = append(parts, billing.Part{Source: g.Source, Credits: g.Remaining})
		}
		bal.Held += g.Held
		if live || g.Held > 0 {
			bal.Grants = append(bal.Grants, g.Grant)
		}
	}
	bal.Parts = billing.Parts(parts...)
	return bal
}
