package minisign

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
)

const (
	keyAlgorithm = "Ed"
	sumAlgorithm = "B2"
	comment      = "untrusted comment: "
	idSize       = 8
	// kdfSize is how many bytes a secret key has for its password.
	kdfSize = 32 + 8 + 8
)

// A PublicKey verifies signatures.
type PublicKey struct {
	id  [idSize]byte
	key ed25519.PublicKey
}

// A SecretKey signs files.
type SecretKey struct {
	id  [idSize]byte
	key ed25519.PrivateKey
}

// NewKey makes a key from random bytes.
func NewKey(random io.Reader) (SecretKey, error) {
	var k SecretKey
	_, private, err := ed25519.GenerateKey(random)
	if err == nil {
		_, err = io.ReadFull(random, k.id[:])
	}
	if err != nil {
		return SecretKey{}, fmt.Errorf("minisign: make a key: %w", err)
	}
	k.key = private
	return k, nil
}

// Public returns the key that verifies signatures.
func (k SecretKey) Public() PublicKey {
	return PublicKey{k.id, k.key.Public().(ed25519.PublicKey)}
}

// String returns a text without the secret, for messages.
func (k SecretKey) String() string { return "minisign secret key " + k.Public().ID() }

// Text returns the contents of a file of the key. It has no password.
func (k SecretKey) Text() string {
	sum := k.sum()
	text := bytes.Join([][]byte{[]byte(keyAlgorithm), {0, 0}, []byte(sumAlgorithm), make([]byte, kdfSize), k.id[:], k.key, sum[:32]}, nil)
	return comment + "minisign secret key without a password\n" + base64.StdEncoding.EncodeToString(text) + "\n"
}

func (k SecretKey) sum() [digestSize]byte {
	text := bytes.Join([][]byte{[]byte(keyAlgorithm), k.id[:], k.key}, nil)
	sum, _ := blake2b(bytes.NewReader(text)) // a reader of memory does not fail
	return sum
}

// String returns the contents of a file of the key.
func (k PublicKey) String() string {
	return comment + "minisign public key " + k.ID() + "\n" + base64.StdEncoding.EncodeToString(k.bytes()) + "\n"
}

func (k PublicKey) bytes() []byte {
	return bytes.Join([][]byte{[]byte(keyAlgorithm), k.id[:], k.key}, nil)
}

// ID returns the number that signatures name the key by, in hexadecimal.
func (k PublicKey) ID() string { return fmt.Sprintf("%016X", binary.LittleEndian.Uint64(k.id[:])) }

// ParsePublicKey reads the contents of a file, or the base64 text alone.
func ParsePublicKey(text string) (PublicKey, error) {
	data, err := keyText(text)
	if err != nil || len(data) != 2+idSize+ed25519.PublicKeySize || string(data[:2]) != keyAlgorithm {
		return PublicKey{}, errors.New("minisign: not a public key of minisign")
	}
	return PublicKey{[idSize]byte(data[2:]), data[2+idSize:]}, nil
}

// ParseSecretKey reads the contents of a file. Keys with a password are not
// supported.
func ParseSecretKey(text string) (SecretKey, error) {
	const head = 2 + 2 + 2 + kdfSize
	data, err := keyText(text)
	if err != nil || len(data) != head+idSize+ed25519.PrivateKeySize+32 || string(data[:2]) != keyAlgorithm || string(data[4:6]) != sumAlgorithm {
		return SecretKey{}, errors.New("minisign: not a secret key of minisign")
	}
	if data[2] != 0 || data[3] != 0 {
		return SecretKey{}, errors.New("minisign: the secret key has a password; sign with the program minisign (minisign -Sm FILE)")
	}
	data = data[head:]
	k := SecretKey{[idSize]byte(data), bytes.Clone(data[idSize : idSize+ed25519.PrivateKeySize])}
	want := k.sum()
	if sum := data[idSize+ed25519.PrivateKeySize:]; !bytes.Equal(sum, make([]byte, 32)) && !bytes.Equal(sum, want[:32]) {
		return SecretKey{}, errors.New("minisign: the secret key is damaged")
	}
	if !bytes.Equal(ed25519.NewKeyFromSeed(k.key.Seed()), k.key) {
		return SecretKey{}, errors.New("minisign: the secret key is damaged")
	}
	return k, nil
}

// keyText decodes the last line that is not empty.
func keyText(text string) ([]byte, error) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return base64.StdEncoding.DecodeString(strings.TrimSpace(lines[len(lines)-1]))
}
