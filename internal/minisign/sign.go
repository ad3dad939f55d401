package minisign

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"
)

const (
	hashedAlgorithm = "ED"
	trusted         = "trusted comment: "
	// Extension is the end of the name of a signature file.
	Extension = ".minisig"
)

// ErrSignature indicates that a signature is not of the file or not by the key.
var ErrSignature = errors.New("minisign: the signature does not match")

// Sign returns the signature file of a file. The comment is one line, which is
// signed too.
func (k SecretKey) Sign(file io.Reader, text string) (string, error) {
	if strings.ContainsAny(text, "\r\n") {
		return "", errors.New("minisign: the comment has several lines")
	}
	digest, err := blake2b(file)
	if err != nil {
		return "", fmt.Errorf("minisign: read the file: %w", err)
	}
	signature := ed25519.Sign(k.key, digest[:])
	line := bytes.Join([][]byte{[]byte(hashedAlgorithm), k.id[:], signature}, nil)
	all := ed25519.Sign(k.key, append(signature, text...))
	encode := base64.StdEncoding.EncodeToString
	return comment + "signature from minisign secret key\n" + encode(line) + "\n" + trusted + text + "\n" + encode(all) + "\n", nil
}

// Verify returns the trusted comment of a signature file if the file was signed by
// the key and neither was changed. Otherwise the error matches [ErrSignature] or
// reports a malformed signature.
func (k PublicKey) Verify(file io.Reader, signature string) (text string, err error) {
	lines := strings.Split(strings.ReplaceAll(strings.TrimSuffix(signature, "\n"), "\r\n", "\n"), "\n")
	const count = 4
	if len(lines) != count || !strings.HasPrefix(lines[0], comment) || !strings.HasPrefix(lines[2], trusted) {
		return "", errors.New("minisign: not a signature file of minisign")
	}
	line, err := base64.StdEncoding.DecodeString(lines[1])
	all, errAll := base64.StdEncoding.DecodeString(lines[3])
	switch {
	case errors.Join(err, errAll) != nil || len(line) != 2+idSize+ed25519.SignatureSize || len(all) != ed25519.SignatureSize:
		return "", errors.New("minisign: the signature file is damaged")
	case string(line[:2]) != hashedAlgorithm:
		return "", fmt.Errorf("minisign: signatures of the kind %q are not supported; expected %q", line[:2], hashedAlgorithm)
	case [idSize]byte(line[2:]) != k.id:
		return "", fmt.Errorf("%w: it is by the key %s, not by %s", ErrSignature, PublicKey{id: [idSize]byte(line[2:])}.ID(), k.ID())
	}
	digest, err := blake2b(file)
	if err != nil {
		return "", fmt.Errorf("minisign: read the file: %w", err)
	}
	text = strings.TrimPrefix(lines[2], trusted)
	if line = line[2+idSize:]; !ed25519.Verify(k.key, digest[:], line) {
		return "", fmt.Errorf("%w: the file was changed", ErrSignature)
	}
	if !ed25519.Verify(k.key, append(line, text...), all) {
		return "", fmt.Errorf("%w: the comment was changed", ErrSignature)
	}
	return text, nil
}
