package cache_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/postgeo/postgeo/internal/cache"
)

// TestCache stores far more results than the cache holds. The remaining ones must
// belong to their keys.
func TestCache(t *testing.T) {
	const bytes, n = 1 << 20, 10_000
	c := cache.New[int](bytes)
	text := func(i int) string { return fmt.Sprint("text of ", i, strings.Repeat(" ", i%400)) }
	var workers sync.WaitGroup
	for w := range 4 {
		workers.Go(func() {
			for i := w; i < n; i += 2 { // two workers share each key
				c.Put(fmt.Append(nil, "key ", i), []byte(text(i)), i, 0)
			}
		})
	}
	workers.Wait()
	kept, size := 0, 0
	for i := range n {
		got, v, ok := c.Get(fmt.Append(nil, "key ", i))
		if !ok {
			continue
		}
		kept++
		size += len(got)
		if string(got) != text(i) || v != i {
			t.Fatalf("key %d has the text %q and the value %d", i, got, v)
		}
	}
	if kept == 0 || size > bytes {
		t.Errorf("%d of %d results of %d bytes remain", kept, n, size)
	}
	if _, _, ok := c.Get([]byte("key")); ok {
		t.Error("an unknown key has a result")
	}
}

// TestLarge stores values that are larger than a shard, or fill one.
func TestLarge(t *testing.T) {
	c := cache.New[[]byte](64 << 10)
	for i := range 1000 {
		c.Put([]byte(fmt.Sprint("small ", i)), nil, nil, 500)
	}
	kept := 0
	for i := range 1000 {
		if _, _, ok := c.Get([]byte(fmt.Sprint("small ", i))); ok {
			kept++
		}
	}
	if kept > 64 { // one of each shard
		t.Errorf("%d values of 500 bytes remain in 64 shards of 1 kB", kept)
	}
	c.Put([]byte("large"), nil, nil, 1<<20)
	if _, _, ok := c.Get([]byte("large")); ok {
		t.Error("a value that is larger than a shard is stored")
	}
}

// BenchmarkGet reads a hundred thousand keys from several goroutines.
func BenchmarkGet(b *testing.B) {
	const n = 100_000
	c := cache.New[int](64 << 20)
	keys := make([][]byte, n)
	for i := range keys {
		keys[i] = fmt.Appendf(nil, "%05d", i*7919%n)
		c.Put(keys[i], []byte("06037"), i, 0)
	}
	b.RunParallel(func(pb *testing.PB) {
		for i := rand.IntN(n); pb.Next(); i++ {
			if _, _, ok := c.Get(keys[i%n]); !ok {
				b.Fatal("a result is missing")
			}
		}
	})
}
