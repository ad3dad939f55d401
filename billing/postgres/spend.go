package postgres

import (
	"github.com/postgeo/postgeo/billing"
)

// reserve decides about a hold.
func (b *books) reserve(h *billing.Hold) (billing.Receipt, error) {
	if old := b.holds[h.ID]; old != nil {
		return b.Again(old, h, b.now)
	}
	n, r, err := b.Reserve(h, b.now)
	if err == nil {
		b.holds[n.ID] = n
	}
	return r, err
}

// settle spends used of a hold and gives the rest back.
func (b *books) settle(id string, used int) (billing.Receipt, error) {
	h := b.holds[id]
	if h == nil {
		return billing.Receipt{}, billing.ErrHoldNotFound
	}
	return b.Settle(h, used, b.now)
}

// refund gives back everything that a hold has or had.
func (b *books) refund(id string) (billing.Receipt, error) {
	h := b.holds[id]
	if h == nil {
		return billing.Receipt{}, billing.ErrHoldNotFound
	}
	return b.Refund(h, b.now)
}

// cut closes a hold whose request was cut off.
func (b *books) cut(id string) (billing.Receipt, error) {
	h := b.holds[id]
	if h == nil {
		return billing.Receipt{}, billing.ErrHoldNotFound
	}
	return b.Cut(h, b.past, b.now)
}

// release gives back a hold that is past its time, and reports whether it was
// still open.
func (b *books) release(id string) (bool, error) {
	h := b.holds[id]
	if h == nil || !h.Expired(b.now) {
		return false, nil // settled, or released by another process, meanwhile
	}
	_, err := b.Refund(h, b.now)
	return err == nil, err
}
