package book

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/postgeo/postgeo/billing"
)

// CheckAccount refuses an account that cannot be entered.
func CheckAccount(a *billing.Account) error {
	switch {
	case a.ID == "":
		return errors.New("billing: an account needs an id")
	case a.Plan.Limits().RatePerMinute == 0:
		return fmt.Errorf("billing: account %s has no plan", a.ID)
	case a.Plan.Paid() == a.Anchor.IsZero():
		return fmt.Errorf("billing: account %s on the plan %s: expected the time when its subscription began exactly where there is one", a.ID, a.Plan)
	case a.MonthlyCredits < 0 || a.MonthlyCredits > billing.MaxCredits:
		return fmt.Errorf("billing: account %s with %d credits a period; expected 0 to %d", a.ID, a.MonthlyCredits, billing.MaxCredits)
	}
	return billing.CheckName(a.Name)
}

// ChangeAccount returns what change makes of an account. Its id and time of
// creation do not change.
func ChangeAccount(old billing.Account, change func(*billing.Account) error) (billing.Account, error) {
	a := old
	if err := change(&a); err != nil {
		return old, err
	}
	a.ID, a.Created = old.ID, old.Created
	err := CheckAccount(&a)
	return a, err
}

// NoAccount says that there is no account with the id.
func NoAccount(id string) error { return fmt.Errorf("%w: %q", billing.ErrAccountNotFound, id) }

// AccountTaken says that an account cannot be entered a second time.
func AccountTaken(id string) error { return fmt.Errorf("billing: there is an account %s already", id) }

// SameGrant refuses a grant under the reference of another one.
func SameGrant(there, g *billing.Grant) error {
	if there.Amount == g.Amount {
		return nil
	}
	return fmt.Errorf("billing: account %s has a grant %q of %d credits from %s; give another reference for another grant",
		there.Account, there.Reference, there.Amount, there.Source)
}

// CheckKeyLimit refuses another key beside those that an account has.
func CheckKeyLimit(a *billing.Account, keys []billing.Key, now time.Time) error {
	active := 0
	for i := range keys {
		if keys[i].State(now) == billing.Active {
			active++
		}
	}
	if limit := a.Plan.Limits().Keys; active >= limit {
		return fmt.Errorf("%w: %d on %s; deactivate one or change the plan", billing.ErrKeyLimit, limit, a.Plan)
	}
	return nil
}

// Replace returns what becomes of the key with the id among the keys of an
// account when another takes its place: it stays valid until a time. The keys
// are changed to what they then are.
func Replace(a *billing.Account, keys []billing.Key, id string, until, now time.Time) (billing.Key, error) {
	for i := range keys {
		old := &keys[i]
		if old.ID != id {
			continue
		}
		if state := old.State(now); state != billing.Active {
			return *old, fmt.Errorf("%w: %s is %s", billing.ErrKeyUnusable, id, state)
		}
		if old.Expires.IsZero() || until.Before(old.Expires) {
			old.Expires = until
		}
		old.Rotated = true
		err := CheckKeyLimit(a, keys, now)
		return *old, err
	}
	return billing.Key{}, fmt.Errorf("%w: %q of account %s", billing.ErrKeyNotFound, id, a.ID)
}

// ChangeKey returns what change makes of a key. Its id, account, kind and
// secret do not change.
func ChangeKey(old billing.Key, change func(*billing.Key) error) (billing.Key, error) {
	k := old
	if err := change(&k); err != nil {
		return old, err
	}
	k.ID, k.Account, k.Kind, k.Shown, k.Created = old.ID, old.Account, old.Kind, old.Shown, old.Created
	err := billing.CheckName(k.Name)
	return k, err
}

// NoKey says that there is no key with the id.
func NoKey(id string) error { return fmt.Errorf("%w: %q", billing.ErrKeyNotFound, id) }

// KeyTexts are the parts of a key that stores keep as text.
type KeyTexts struct{ Kind, Scopes, Addrs, Origins string }

// TextsOf returns the texts of a key.
func TextsOf(k *billing.Key) KeyTexts {
	origins := make([]string, len(k.Origins))
	for i, o := range k.Origins {
		origins[i] = o.String()
	}
	return KeyTexts{k.Kind.String(), k.Scopes.String(), strings.Join(k.Addrs.Strings(), ","), strings.Join(origins, ",")}
}

// Read puts the parts into a key.
func (t KeyTexts) Read(k *billing.Key) (err error) {
	if k.Kind, err = billing.ParseKeyKind(t.Kind); err != nil {
		return err
	}
	if k.Scopes, err = billing.ParseScopes(list(t.Scopes)); err != nil {
		return err
	}
	if k.Addrs, err = billing.ParseAddrList(list(t.Addrs)); err != nil {
		return err
	}
	k.Origins, err = billing.ParseOrigins(list(t.Origins))
	return err
}

// list splits a list divided by commas.
func list(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, ",")
}
