package minisign_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/postgeo/postgeo/internal/minisign"
)

func key(t *testing.T, seed byte) minisign.SecretKey {
	t.Helper()
	k, err := minisign.NewKey(rand.NewChaCha8([32]byte{seed}))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// The digests of RFC 7693, appendix A, and of the reference implementation.
func TestBlake2b(t *testing.T) {
	for text, want := range map[string]string{
		"":    "786a02f742015903c6c6fd852552d272912f4740e15847618a86e217f71f5419d25e1031afee585313896444934eb04b903a685b1448b755d56f701afe9be2ce",
		"abc": "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923",
	} {
		got, err := minisign.Blake2b(strings.NewReader(text))
		if err != nil || hex.EncodeToString(got[:]) != want {
			t.Errorf("%q: %x, %v", text, got, err)
		}
	}
	if _, err := minisign.Blake2b(iotest.ErrReader(io.ErrClosedPipe)); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("a reader that fails: %v", err)
	}
}

func TestSignatures(t *testing.T) {
	k := key(t, 1)
	if again, err := minisign.ParseSecretKey(k.Text()); err != nil || again.Text() != k.Text() {
		t.Fatalf("%v, %v", again, err)
	}
	if shown := fmt.Sprint(k); shown != "minisign secret key "+k.Public().ID() {
		t.Errorf("a message shows %q", shown)
	}
	public, err := minisign.ParsePublicKey(k.Public().String())
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 1, 127, 128, 129, 256, 1000} {
		text := strings.Repeat("x", n)
		s, err := k.Sign(strings.NewReader(text), "file:x")
		if err != nil {
			t.Fatal(err)
		}
		if comment, err := public.Verify(iotest.OneByteReader(strings.NewReader(text)), s); err != nil || comment != "file:x" {
			t.Errorf("%d bytes: %q, %v", n, comment, err)
		}
	}
	s, err := k.Sign(strings.NewReader("text"), "v1")
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		key        minisign.PublicKey
		file, text string
		signature  bool
	}{
		"another file":    {public, "texts", s, true},
		"another key":     {key(t, 2).Public(), "text", s, true},
		"another comment": {public, "text", strings.Replace(s, "v1", "v2", 1), true},
		"no signature":    {public, "text", "text", false},
		"cut":             {public, "text", s[:len(s)-9], false},
		"other kind":      {public, "text", strings.Replace(s, "\nRUQ", "\nRWQ", 1), false},
	} {
		if _, err := tt.key.Verify(strings.NewReader(tt.file), tt.text); err == nil || errors.Is(err, minisign.ErrSignature) != tt.signature {
			t.Errorf("%s: %v", name, err)
		}
	}
	for i := range len(s) { // no byte of a signature can change, but for the first comment and line ends
		changed := []byte(s)
		changed[i] ^= 1
		if _, err := public.Verify(strings.NewReader("text"), string(changed)); err == nil && i > strings.IndexByte(s, '\n') {
			t.Errorf("byte %d: %q verifies", i, changed)
		}
	}
	if _, err := k.Sign(strings.NewReader(""), "a\nb"); err == nil {
		t.Error("a comment of two lines is signed")
	}
}

// The program minisign and this package verify each other's signatures.
func TestProgram(t *testing.T) {
	program, err := exec.LookPath("minisign")
	if err != nil {
		t.Skip("minisign is not installed")
	}
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	write := func(name string, data []byte) {
		if err := os.WriteFile(path(name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	read := func(name string) string {
		data, err := os.ReadFile(path(name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	run := func(args ...string) {
		t.Helper()
		if out, err := exec.CommandContext(t.Context(), program, args...).CombinedOutput(); err != nil {
			t.Fatalf("minisign %v: %v\n%s", args, err, out)
		}
	}
	data := bytes.Repeat([]byte("sums"), 12345)
	write("file", data)
	k := key(t, 3)
	s, err := k.Sign(bytes.NewReader(data), "postgeo v1")
	if err != nil {
		t.Fatal(err)
	}
	write("file.minisig", []byte(s))
	write("ours.pub", []byte(k.Public().String()))
	write("ours.key", []byte(k.Text()))
	run("-VHm", path("file"), "-p", path("ours.pub"))

	run("-GW", "-p", path("theirs.pub"), "-s", path("theirs.key"))
	theirs, err := minisign.ParseSecretKey(read("theirs.key"))
	if err != nil {
		t.Fatal(err)
	}
	run("-SHm", path("file"), "-s", path("theirs.key"), "-t", "their comment")
	if comment, err := theirs.Public().Verify(bytes.NewReader(data), read("file.minisig")); err != nil || comment != "their comment" {
		t.Errorf("%q, %v", comment, err)
	}
	run("-SHm", path("file"), "-s", path("ours.key"))
	if _, err := k.Public().Verify(bytes.NewReader(data), read("file.minisig")); err != nil {
		t.Error(err)
	}
}

func FuzzVerify(f *testing.F) {
	k, err := minisign.NewKey(rand.NewChaCha8([32]byte{4}))
	if err != nil {
		f.Fatal(err)
	}
	s, err := k.Sign(strings.NewReader("text"), "v1")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(s, k.Public().String(), k.Text())
	f.Fuzz(func(t *testing.T, signature, public, secret string) {
		if p, err := minisign.ParsePublicKey(public); err == nil {
			if _, err := p.Verify(strings.NewReader("other"), signature); err == nil && p.String() == k.Public().String() {
				t.Errorf("%q verifies another file", signature)
			}
		}
		_, _ = minisign.ParseSecretKey(secret)
	})
}
