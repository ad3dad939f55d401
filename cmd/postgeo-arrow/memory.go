package main

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow/memory"
)

// mostMemory is the maximum size of the buffers of a batch in bytes, uncompressed.
const mostMemory = 1 << 30

// A bounded allocator panics at too much memory, which run returns as an error.
type bounded struct {
	memory.Allocator
	used int
}

func (b *bounded) Allocate(size int) []byte { return b.Reallocate(size, nil) }

func (b *bounded) Reallocate(size int, from []byte) []byte {
	if b.used += size - len(from); b.used > mostMemory {
		panic(fmt.Sprintf("an Arrow batch needs more than %d bytes", mostMemory))
	}
	return b.Allocator.Reallocate(size, from)
}

func (b *bounded) Free(list []byte) {
	b.used -= len(list)
	b.Allocator.Free(list)
}
