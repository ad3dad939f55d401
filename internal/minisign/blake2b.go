package minisign

import (
	"encoding/binary"
	"errors"
	"io"
	"math/bits"
)

const (
	digestSize = 64  // bytes
	blockSize  = 128 // bytes
	rounds     = 12
)

// iv are the initial values of RFC 7693, section 2.6.
var iv = [8]uint64{
	0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
	0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
}

// sigma are the orders of words in rounds, RFC 7693, section 2.7. Round 10 is like
// round 0.
var sigma = [10][16]byte{
	{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
	{14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
	{11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
	{7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
	{9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
	{2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
	{12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
	{13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
	{6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
	{10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
}

// blake2b returns the BLAKE2b digest of 64 bytes without a key (RFC 7693).
func blake2b(r io.Reader) (digest [digestSize]byte, err error) {
	h := iv
	h[0] ^= 0x01010000 ^ digestSize
	var block, next [blockSize]byte
	size := uint64(0)
	n, err := io.ReadFull(r, block[:])
	for err == nil { // the last block is compressed in another way
		var more int
		if more, err = io.ReadFull(r, next[:]); more == 0 {
			break
		}
		size += blockSize
		compress(&h, &block, size, false)
		block, n = next, more
	}
	if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return digest, err
	}
	clear(block[n:])
	compress(&h, &block, size+uint64(n), true)
	for i, w := range h {
		binary.LittleEndian.PutUint64(digest[8*i:], w)
	}
	return digest, nil
}

// compress is the function F of RFC 7693, section 3.2.
func compress(h *[8]uint64, block *[blockSize]byte, size uint64, last bool) {
	var m, v [16]uint64
	for i := range m {
		m[i] = binary.LittleEndian.Uint64(block[8*i:])
	}
	copy(v[:8], h[:])
	copy(v[8:], iv[:])
	v[12] ^= size
	if last {
		v[14] = ^v[14]
	}
	mix := func(a, b, c, d int, x, y uint64) {
		v[a] += v[b] + x
		v[d] = bits.RotateLeft64(v[d]^v[a], -32)
		v[c] += v[d]
		v[b] = bits.RotateLeft64(v[b]^v[c], -24)
		v[a] += v[b] + y
		v[d] = bits.RotateLeft64(v[d]^v[a], -16)
		v[c] += v[d]
		v[b] = bits.RotateLeft64(v[b]^v[c], -63)
	}
	for round := range rounds {
		s := &sigma[round%len(sigma)]
		mix(0, 4, 8, 12, m[s[0]], m[s[1]])
		mix(1, 5, 9, 13, m[s[2]], m[s[3]])
		mix(2, 6, 10, 14, m[s[4]], m[s[5]])
		mix(3, 7, 11, 15, m[s[6]], m[s[7]])
		mix(0, 5, 10, 15, m[s[8]], m[s[9]])
		mix(1, 6, 11, 12, m[s[10]], m[s[11]])
		mix(2, 7, 8, 13, m[s[12]], m[s[13]])
		mix(3, 4, 9, 14, m[s[14]], m[s[15]])
	}
	for i := range h {
		h[i] ^= v[i] ^ v[i+8]
	}
}
