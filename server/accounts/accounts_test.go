package accounts_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/server/accounts"
)

// TestOpenRefuses passes one wrong option each.
func TestOpenRefuses(t *testing.T) {
	pepper := []byte(strings.Repeat("p", 32))
	for _, tt := range []struct {
		name, want string
		opt        accounts.Options
	}{
		{"no pepper", "Pepper", accounts.Options{Create: true}},
		{"a proxy by name", "TrustedProxies", accounts.Options{Pepper: pepper, Create: true, TrustedProxies: []string{"proxy"}}},
		{"limits without a scheme", "Limits", accounts.Options{Pepper: pepper, Create: true, Limits: "10.0.0.5"}},
		{"a demo key in another form", "demo key", accounts.Options{Pepper: pepper, Create: true, DemoKey: "pg_live_1"}},
		{"no file", "does not exist", accounts.Options{Pepper: pepper}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, err := accounts.Open(t.Context(), filepath.Join(t.TempDir(), "accounts.db"), tt.opt)
			if err == nil {
				t.Fatal("opened", s.Close())
			}
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}

// TestStoreRefuses creates what cannot be created.
func TestStoreRefuses(t *testing.T) {
	ctx := t.Context()
	s, err := accounts.Open(ctx, filepath.Join(t.TempDir(), "accounts.db"), accounts.Options{Pepper: []byte(strings.Repeat("p", 32)), Create: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	free, err := s.CreateAccount(ctx, "free", "free")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.CreateAccount(ctx, "x", "gold"); err == nil {
		t.Error("an account of no plan")
	}
	if _, err := s.CreateAccount(ctx, strings.Repeat("x", 201), "free"); err == nil {
		t.Error("an account with a long name")
	}
	if _, err := s.CreateKey(ctx, free, "golden"); err == nil {
		t.Error("a key of no kind")
	}
	if _, err := s.CreateKey(ctx, "acct_none", "live"); err == nil {
		t.Error("a key of no account")
	}
	if _, err := s.GrantPeriod(ctx, free); err == nil {
		t.Error("a period of a free plan")
	}
	if _, err := s.GrantPeriod(ctx, "acct_none"); err == nil {
		t.Error("a period of no account")
	}
	if _, err := s.GrantPack(ctx, free, "", 1); err == nil {
		t.Error("a pack without a reference")
	}
}
