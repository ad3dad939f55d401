package main

import (
	"encoding/base64"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"aead.dev/minisign"
)

// release returns a folder with the files that are signed.
func release(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	for _, name := range []string{"SHA256SUMS", "postgeo_0.1.0_provenance.json"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("contents of "+name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// newKeyFile makes a key and returns the path of its file.
func newKeyFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "release.key")
	if err := run([]string{"-new", path}, io.Discard); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestSign(t *testing.T) {
	folder, key := release(t), newKeyFile(t)
	public, err := minisign.PublicKeyFromFile(key + ".pub")
	if err != nil {
		t.Fatal(err)
	}
	if err := run([]string{"-key", key, folder}, io.Discard); err != nil {
		t.Fatal(err)
	}
	for name, comment := range map[string]string{"SHA256SUMS": "postgeo 0.1.0: SHA256SUMS", "postgeo_0.1.0_provenance.json": "postgeo 0.1.0: postgeo_0.1.0_provenance.json"} {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		signature, err := minisign.SignatureFromFile(filepath.Join(folder, name+".minisig"))
		if err != nil {
			t.Fatal(err)
		}
		if signature.TrustedComment != comment || signature.Algorithm != minisign.HashEdDSA {
			t.Errorf("%s: %+v", name, signature)
		}
		if !minisign.Verify(public, text, []byte(signature.String())) || minisign.Verify(public, append(text, '.'), []byte(signature.String())) {
			t.Errorf("%s: the signature does not hold for the file alone", name)
		}
	}
	if info, err := os.Stat(key); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("others can read the key: %v, %v", info.Mode(), err)
	}
	if err := run([]string{"-new", key}, io.Discard); err == nil {
		t.Error("a key is overwritten")
	}
}

func TestSignRefuses(t *testing.T) {
	key := newKeyFile(t)
	text, err := os.ReadFile(key)
	if err != nil {
		t.Fatal(err)
	}
	// change replaces bytes of the key; the file has it in its second line.
	change := func(at int, by string) string {
		comment, line, _ := strings.Cut(string(text), "\n")
		data, err := base64.StdEncoding.DecodeString(strings.TrimSpace(line))
		if err != nil {
			t.Fatal(err)
		}
		copy(data[at:], by)
		return comment + "\n" + base64.StdEncoding.EncodeToString(data) + "\n"
	}
	for want, text := range map[string]string{"has a password": change(2, "Sc"), "is damaged": change(100, "damage"), "invalid private key": "no key"} {
		if err := os.WriteFile(key, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		folder := release(t)
		if err := run([]string{"-key", key, folder}, io.Discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; expected %q", err, want)
		}
		if left, _ := filepath.Glob(filepath.Join(folder, "*.minisig")); left != nil {
			t.Errorf("%s: left %v", want, left)
		}
	}
}

// The program minisign verifies our signatures, and we sign with its keys.
func TestProgram(t *testing.T) {
	program, err := exec.LookPath("minisign")
	if err != nil {
		t.Skip("minisign is not installed")
	}
	call := func(args ...string) {
		t.Helper()
		if out, err := exec.CommandContext(t.Context(), program, args...).CombinedOutput(); err != nil {
			t.Fatalf("minisign %v: %v\n%s", args, err, out)
		}
	}
	theirs := filepath.Join(t.TempDir(), "theirs.key")
	call("-GW", "-p", theirs+".pub", "-s", theirs)
	ours := newKeyFile(t)
	for _, key := range []string{ours, theirs} {
		folder := release(t)
		if err := run([]string{"-key", key, folder}, io.Discard); err != nil {
			t.Fatal(err)
		}
		call("-VHm", filepath.Join(folder, "SHA256SUMS"), "-p", key+".pub")
	}
	call("-SHm", filepath.Join(release(t), "SHA256SUMS"), "-s", ours)
}
