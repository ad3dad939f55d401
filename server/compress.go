package server

import (
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
)

// minCompressed is the size in bytes from which a body is worth compressing:
// below it the answer is one packet either way.
const minCompressed = 1400

// An encoding is a content encoding of answers.
type encoding uint8

const (
	identity encoding = iota
	gzipped
	brotlied
)

// Levels that compress JSON to a seventh or less at a small multiple of the
// cost of encoding it. Higher ones take five times as long for a fifth less.
const (
	brotliLevel = 4
	gzipLevel   = gzip.BestSpeed
)

// A compressor is what the two encoders have in common.
type compressor interface {
	io.WriteCloser
	Reset(w io.Writer)
}

var (
	brotliPool = sync.Pool{New: func() any { return brotli.NewWriterLevel(nil, brotliLevel) }}
	gzipPool   = sync.Pool{New: func() any {
		w, err := gzip.NewWriterLevel(nil, gzipLevel)
		if err != nil {
			panic(err) // the level is a constant of this file
		}
		return w
	}}
)

func (e encoding) header() []string {
	if e == brotlied {
		return encodingBrotli
	}
	return encodingGzip
}

// pool returns the compressors of the encoding.
func (e encoding) pool() *sync.Pool {
	if e == brotlied {
		return &brotliPool
	}
	return &gzipPool
}

// negotiate chooses the encoding of an answer from the lines of
// Accept-Encoding: the one with the highest weight, Brotli before gzip where
// they are equal. What refuses everything, identity too, gets identity: an
// answer in the wrong encoding says more than none.
func negotiate(lines []string) encoding {
	weights := weigh(lines)
	best, top := identity, max(weights[identity], 0)
	if gz := weights[gzipped]; gz > 0 && gz >= top {
		best, top = gzipped, gz
	}
	if br := weights[brotlied]; br > 0 && br >= top {
		best = brotlied
	}
	return best
}

// takesGzip reports whether gzip is at least as welcome as no encoding.
func takesGzip(lines []string) bool {
	weights := weigh(lines)
	return weights[gzipped] > 0 && weights[gzipped] >= weights[identity]
}

// unset is the weight of an encoding that nothing is said of.
const unset = -1

// weigh returns the weights of the encodings.
func weigh(lines []string) [brotlied + 1]float64 {
	weights := [...]float64{identity: unset, gzipped: unset, brotlied: unset}
	rest := float64(unset)
	for _, line := range lines {
		for part := range strings.SplitSeq(line, ",") {
			name, params, _ := strings.Cut(part, ";")
			q, ok := weight(params)
			if !ok {
				continue
			}
			switch name = strings.TrimSpace(name); {
			case strings.EqualFold(name, "br"):
				weights[brotlied] = q
			case strings.EqualFold(name, "gzip"), strings.EqualFold(name, "x-gzip"):
				weights[gzipped] = q
			case strings.EqualFold(name, "identity"):
				weights[identity] = q
			case name == "*":
				rest = q
			}
		}
	}
	for i := range weights {
		if weights[i] == unset && encoding(i) != identity {
			weights[i] = rest
		}
	}
	return weights
}

// weight reads the q parameter of an element of Accept-Encoding; without one
// the weight is 1. An element that is malformed does not count.
func weight(params string) (float64, bool) {
	for p := range strings.SplitSeq(params, ";") {
		name, value, ok := strings.Cut(p, "=")
		if !ok || !strings.EqualFold(strings.TrimSpace(name), "q") {
			continue
		}
		q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		return q, err == nil && q >= 0 && q <= 1
	}
	return 1, true
}
