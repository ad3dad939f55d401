package plan

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"unsafe"
)

// An encoder writes tables with everything that they lead to, unexported fields
// too, always in the same bytes. The first error remains.
type encoder struct {
	w    io.Writer
	seen map[place]uint64 // pointers by their number
	// hash accepts functions and leaves them out, and the numbers of lines, which
	// only reports name.
	hash bool
	err  error
}

// A place is the target of a pointer.
type place struct {
	at unsafe.Pointer
	of reflect.Type
}

// A table is encoded as numbers, lengths before contents, and marks of pointers.
const (
	isNil uint64 = iota
	isNew
	isSeen // and later ones: the number of the pointer
)

func newEncoder(w io.Writer, hash bool) *encoder {
	return &encoder{w: w, seen: map[place]uint64{}, hash: hash}
}

func (e *encoder) bytes(b []byte) {
	if e.err == nil {
		_, e.err = e.w.Write(b)
	}
}

func (e *encoder) uint(n uint64) {
	var b [binary.MaxVarintLen64]byte
	e.bytes(b[:binary.PutUvarint(b[:], n)])
}

func (e *encoder) text(s string) {
	e.uint(uint64(len(s)))
	if e.err == nil {
		_, e.err = io.WriteString(e.w, s)
	}
}

func (e *encoder) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		e.uint(map[bool]uint64{true: 1}[v.Bool()])
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		e.uint(uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		e.uint(v.Uint())
	case reflect.Float32, reflect.Float64:
		e.uint(math.Float64bits(v.Float()))
	case reflect.String:
		e.text(v.String())
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); !e.hash || !onlyReported(f) {
				e.value(v.Field(i))
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			e.value(v.Index(i))
		}
	case reflect.Slice:
		e.slice(v)
	case reflect.Map:
		e.mapped(v)
	case reflect.Pointer:
		e.pointer(v)
	case reflect.Interface:
		if !e.hash || v.IsNil() {
			e.err = errors.Join(e.err, fmt.Errorf("a %s cannot be kept", v.Type()))
			return
		}
		e.value(v.Elem())
	default:
		if !v.IsNil() && !(e.hash && v.Kind() == reflect.Func) {
			e.err = errors.Join(e.err, fmt.Errorf("a %s cannot be kept", v.Type()))
		}
	}
}

// onlyReported reports whether a field has no effect on the dataset: the line of a
// row, and outlines that are laid out on demand.
func onlyReported(f reflect.StructField) bool {
	return f.Name == "Line" && f.Type.Kind() == reflect.Int || f.Name == "laidOut"
}

func (e *encoder) slice(v reflect.Value) {
	if v.IsNil() {
		e.uint(0)
		return
	}
	e.uint(uint64(v.Len()) + 1)
	if size := plainSize(v.Type().Elem()); size > 0 && v.Len() > 0 {
		e.bytes(unsafe.Slice((*byte)(v.UnsafePointer()), v.Len()*size))
		return
	}
	for i := range v.Len() {
		e.value(v.Index(i))
	}
}

func (e *encoder) mapped(v reflect.Value) {
	if v.IsNil() {
		e.uint(0)
		return
	}
	e.uint(uint64(v.Len()) + 1)
	type entry struct {
		key   []byte
		value reflect.Value
	}
	entries := make([]entry, 0, v.Len())
	for it := v.MapRange(); it.Next(); {
		var key bytes.Buffer
		k := newEncoder(&key, e.hash)
		k.value(it.Key())
		e.err = errors.Join(e.err, k.err)
		entries = append(entries, entry{key.Bytes(), it.Value()})
	}
	slices.SortFunc(entries, func(a, b entry) int { return bytes.Compare(a.key, b.key) })
	for _, n := range entries {
		e.bytes(n.key)
		e.value(n.value)
	}
}

func (e *encoder) pointer(v reflect.Value) {
	if v.IsNil() {
		e.uint(isNil)
		return
	}
	at := place{v.UnsafePointer(), v.Type()}
	if n, seen := e.seen[at]; seen {
		e.uint(isSeen + n)
		return
	}
	e.seen[at] = uint64(len(e.seen))
	e.uint(isNew)
	e.value(v.Elem())
}

// plainSize returns the size of values whose memory has no pointers and no gaps, 0
// for others.
func plainSize(t reflect.Type) int {
	size := 0
	switch t.Kind() {
	case reflect.Uint8, reflect.Int8, reflect.Uint16, reflect.Int16, reflect.Uint32, reflect.Int32, reflect.Uint64, reflect.Int64, reflect.Int, reflect.Float32, reflect.Float64:
		size = int(t.Size())
	case reflect.Array:
		size = plainSize(t.Elem()) * t.Len()
	case reflect.Struct:
		for i := range t.NumField() {
			of := plainSize(t.Field(i).Type)
			if of == 0 || strings.EqualFold(t.Field(i).Name, "line") {
				return 0
			}
			size += of
		}
	default:
	}
	if size != int(t.Size()) {
		return 0
	}
	return size
}

// A decoder reads the bytes of an encoder.
type decoder struct {
	r    *bufio.Reader
	seen []reflect.Value
	err  error
}

func (d *decoder) uint() uint64 {
	n, err := binary.ReadUvarint(d.r)
	if d.err == nil {
		d.err = err
	}
	return n
}

func (d *decoder) bytes(b []byte) {
	if d.err == nil {
		_, d.err = io.ReadFull(d.r, b)
	}
}

// value reads into an addressable value.
func (d *decoder) value(v reflect.Value) {
	if d.err != nil {
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(d.uint() != 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(d.uint()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(d.uint())
	case reflect.Float32, reflect.Float64:
		v.SetFloat(math.Float64frombits(d.uint()))
	case reflect.String:
		b := make([]byte, d.uint())
		d.bytes(b)
		v.SetString(string(b))
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Field(i)
			d.value(reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem()) // unexported ones, too
		}
	case reflect.Array:
		for i := range v.Len() {
			d.value(v.Index(i))
		}
	case reflect.Slice:
		d.slice(v)
	case reflect.Map:
		d.mapped(v)
	case reflect.Pointer:
		d.pointer(v)
	default: // nil
	}
}

func (d *decoder) slice(v reflect.Value) {
	n := int(d.uint()) - 1
	if n < 0 || d.err != nil {
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), n, n))
	if size := plainSize(v.Type().Elem()); size > 0 && n > 0 {
		d.bytes(unsafe.Slice((*byte)(v.UnsafePointer()), n*size))
		return
	}
	for i := range n {
		d.value(v.Index(i))
	}
}

func (d *decoder) mapped(v reflect.Value) {
	n := int(d.uint()) - 1
	if n < 0 || d.err != nil {
		return
	}
	v.Set(reflect.MakeMapWithSize(v.Type(), n))
	for range n {
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		d.value(key)
		d.value(value)
		if d.err != nil {
			return
		}
		v.SetMapIndex(key, value)
	}
}

func (d *decoder) pointer(v reflect.Value) {
	switch n := d.uint(); {
	case d.err != nil || n == isNil:
	case n == isNew:
		v.Set(reflect.New(v.Type().Elem()))
		d.seen = append(d.seen, v)
		d.value(v.Elem())
	case int(n-isSeen) < len(d.seen):
		v.Set(d.seen[n-isSeen])
	default:
		d.err = errors.New("a pointer leads nowhere")
	}
}
