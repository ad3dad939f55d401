// Package minisign signs files and verifies signatures in the format of the program
// minisign: Ed25519 over the BLAKE2b digest of the file ("ED").
//
// # Usage
//
//	key, err := minisign.ParsePublicKey(text)
//	comment, err := key.Verify(file, signature)
//
// # Errors
//
// Errors that match [ErrSignature] mean that a file is not the one that was signed.
// Other errors mean that a key or signature is malformed.
package minisign
