package command_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aead.dev/minisign"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
)

func TestCheckSignature(t *testing.T) {
	public, private, err := minisign.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	other, _, err := minisign.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	data := []byte("contents")
	signature := minisign.SignWithComments(private, data, "postgeo 0.1.0", "comment")
	if err := command.CheckSignature(public, data, signature); err != nil {
		t.Error(err)
	}
	forged := []byte(strings.Replace(string(signature), "0.1.0", "0.2.0", 1))
	for _, c := range []struct {
		key             minisign.PublicKey
		data, signature []byte
		want            string
	}{
		{other, data, signature, "is by the key"},
		{public, []byte("changed"), signature, "was changed"},
		{public, data, forged, "was changed"},
		{public, data, []byte("no signature"), "invalid signature"},
		{public, data, nil, "invalid signature"},
	} {
		if err := command.CheckSignature(c.key, c.data, c.signature); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v; expected %q", err, c.want)
		}
	}
}

func TestReadKey(t *testing.T) {
	public, _, err := minisign.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := public.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "postgeo.pub")
	empty := filepath.Join(dir, "empty.pub")
	for name, text := range map[string][]byte{file: text, empty: nil} {
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, from := range []string{file, public.String()} {
		if got, err := command.ReadKey(from); err != nil || !got.Equal(public) {
			t.Errorf("%s: %v, %v", from, got, err)
		}
	}
	for _, from := range []string{empty, filepath.Join(dir, "missing.pub"), ""} {
		if key, err := command.ReadKey(from); err == nil {
			t.Errorf("%q gives the key %v", from, key)
		}
	}
}
