package billing

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"time"
)

// A Keyring creates and replaces keys. Entropy and Now default to crypto/rand and
// time.Now; the other fields are required.
type Keyring struct {
	Store   Store
	Pepper  *Pepper
	Entropy io.Reader
	Now     func() time.Time
}

// Create creates a key with the account, kind, name, scopes, expiry and lists of
// k. The secret cannot be retrieved later.
func (r *Keyring) Create(ctx context.Context, k Key) (Key, Secret, error) {
	if err := CheckName(k.Name); err != nil {
		return Key{}, Secret{}, err
	}
	now := r.now()
	if !k.Expires.IsZero() && !k.Expires.After(now) {
		return Key{}, Secret{}, fmt.Errorf("billing: the key would expire at %s, which is over; expected a time to come", k.Expires.UTC().Format(time.RFC3339))
	}
	secret, err := r.draw(&k)
	if err != nil {
		return Key{}, Secret{}, err
	}
	k.Created, k.Rotated, k.Off = now, false, false
	if err := r.Store.CreateKey(ctx, k, r.Pepper.Hash(secret.text), now); err != nil {
		return Key{}, Secret{}, err
	}
	return k, secret, nil
}

// maxGrace is the longest grace time of a rotation.
const maxGrace = 90 * 24 * time.Hour

// Rotate creates a key with the rights of an active key and replaces it. The old
// key stays valid for the grace time, at most 90 days.
func (r *Keyring) Rotate(ctx context.Context, id string, grace time.Duration) (Key, Secret, error) {
	if grace < 0 || grace > maxGrace {
		return Key{}, Secret{}, fmt.Errorf("billing: grace time of %s; expected 0 to %s", grace, maxGrace)
	}
	k, err := r.Store.Key(ctx, id)
	if err != nil {
		return Key{}, Secret{}, err
	}
	now := r.now()
	secret, err := r.draw(&k)
	if err != nil {
		return Key{}, Secret{}, err
	}
	k.Created = now
	if err := r.Store.ReplaceKey(ctx, id, now.Add(grace), k, r.Pepper.Hash(secret.text), now); err != nil {
		return Key{}, Secret{}, err
	}
	return k, secret, nil
}

// draw sets the id of a key and returns its secret.
func (r *Keyring) draw(k *Key) (Secret, error) {
	if r.Pepper == nil {
		return Secret{}, errors.New("billing: a keyring needs a pepper")
	}
	entropy := r.Entropy
	if entropy == nil {
		entropy = rand.Reader
	}
	var err error
	if k.ID, err = NewKeyID(entropy); err != nil {
		return Secret{}, err
	}
	secret, err := NewSecret(k.Kind, entropy)
	k.Shown = secret.Shown()
	return secret, err
}

func (r *Keyring) now() time.Time {
	if r.Now == nil {
		return time.Now().UTC()
	}
	return r.Now()
}
