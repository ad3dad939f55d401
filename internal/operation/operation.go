package operation

import (
	"cmp"
	"context"
	"encoding"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/notice"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// An Operation describes an operation for all front ends: HTTP, the command line, MCP, the C
// library and the client. The input struct of an operation is the only list of its
// parameters, and Run the only call. When each front end called the library in its own way,
// options were lost: the client dropped as_of and plan.
//
// The types of inputs and results are erased (any and reflect.Type), so that front ends
// can walk a list of operations. New keeps the real types in closures, and the compiler
// checks that Run, the input and the part of the library agree.
type Operation struct {
	Name    string // of the MCP tool
	Summary string // in the imperative, such as "Find …"
	Detail  string // adds to the summary
	Price   string // in credits, in words; "" if it is not part of the HTTP contract
	Path    string // of the HTTP route
	Batch   string // path of the route for several inputs
	Command string // of the command line
	Absent  string // reason for an empty Path, Command or Batch

	Params   []*Param        // nil means those of the input
	Failures []envelope.Code // of inputs that are valid
	Heavy    bool            // its work does not follow from its price
	Input    reflect.Type
	Result   reflect.Type

	RunBare func(ctx context.Context, db, in any) (any, error) // Run without the notice of ignored flags
	Copy    func(in any) any                                   // returns a copy of an input, a pointer like in
}

// defined are the operations of this package, in the order in which their variables are
// initialized: by files and lines, after those that they refer to.
var defined []*Operation

// All returns the operations of this package.
func All() []*Operation { return defined }

// define is New for the operations that front ends offer.
func define[In, Of, Out any](run func(in *In, ctx context.Context, db Of) (Out, error), o Operation) *Operation {
	d := New(run, o)
	defined = append(defined, d)
	return d
}

// New completes the description of an operation. run is the method of its input; Of is
// the part of the library that it uses, [DB] or an interface of its own.
func New[In, Of, Out any](run func(in *In, ctx context.Context, db Of) (Out, error), o Operation) *Operation {
	o.Input, o.Result = reflect.TypeFor[In](), reflect.TypeFor[Out]()
	if o.Params == nil {
		o.Params = Params(o.Input)
	}
	o.RunBare = func(ctx context.Context, db, in any) (any, error) {
		of, ok := db.(Of)
		if !ok { // a library of another kind, such as a server.DB of a user
			return nil, &envelope.Failure{Op: o.Name, Kind: envelope.KindUnavailable, Lacks: "data of " + o.Name}
		}
		return run(in.(*In), ctx, of)
	}
	o.Copy = func(in any) any {
		other := *in.(*In)
		return &other
	}
	return &o
}

// Run runs the operation with the library, a postgeo.DB; in is a pointer to its input. The
// error matches [envelope.ErrUnavailable] if db lacks the method of the operation. A
// notice of the result names ignored flags.
func (o *Operation) Run(ctx context.Context, db, in any) (any, error) {
	out, err := o.RunBare(ctx, db, in)
	// After it: Run may be the first to parse the flags. The server calls RunBare and puts
	// the notice into meta, once for a batch.
	if f, ok := in.(interface{ Ignored() []envelope.Notice }); ok && err == nil {
		if list := f.Ignored(); list != nil {
			notices := reflect.ValueOf(out).Elem().FieldByName("Notices")
			notices.Set(reflect.AppendSlice(notices, reflect.ValueOf(list)))
		}
	}
	return out, err
}

// Find returns the operation of a list with a name, or nil.
func Find(list []*Operation, name string) *Operation {
	for _, o := range list {
		if o.Name == name {
			return o
		}
	}
	return nil
}

// Param returns the parameter with a name. It panics if there is none.
func (o *Operation) Param(name string) *Param {
	for _, p := range o.Params {
		if p.Name == name {
			return p
		}
	}
	panic("operation: " + o.Name + " has no parameter " + name) // names are constant
}

// Title returns the name in words, such as "Quick lookup".
func (o *Operation) Title() string {
	words := strings.ReplaceAll(o.Name, "_", " ")
	return strings.ToUpper(words[:1]) + words[1:]
}

// Description returns the summary and the detail.
func (o *Operation) Description() string { return strings.TrimSpace(o.Summary + " " + o.Detail) }

// A Flagged input has flags, which may be unknown.
type Flagged struct {
	Unknown []string `json:"-"` // by Check and Run
}

// Ignored returns the notice of unknown flags, if there are any.
func (f *Flagged) Ignored() []envelope.Notice { return Ignored(f.Unknown) }

// Ignored returns the notice of unknown flags, if there are any.
func Ignored(unknown []string) []envelope.Notice {
	if len(unknown) == 0 {
		return nil
	}
	return []envelope.Notice{notice.UnknownEnrichments(unknown)}
}

// Set parses the text of a single value into the parameter's field of an input.
func (p *Param) Set(in reflect.Value, text string) error {
	return p.Parse(in.FieldByIndex(p.Index), text)
}

// Parse parses the text of a single value into a field. It trims spaces around
// numbers and times. The error matches [envelope.ErrInvalidParam]; its operation is
// empty unless the field's type parses the text.
func (p *Param) Parse(field reflect.Value, text string) error {
	if field.Kind() == reflect.Pointer {
		value := reflect.New(field.Type().Elem())
		if err := p.Parse(value.Elem(), text); err != nil {
			return err
		}
		field.Set(value)
		return nil
	}
	if p.Kind == Time {
		at, err := ParseTime(strings.TrimSpace(text))
		if err != nil {
			return p.invalid(text, ExpectedTime)
		}
		field.Set(reflect.ValueOf(at))
		return nil
	}
	if d, ok := field.Addr().Interface().(*time.Duration); ok {
		var err error
		if *d, err = time.ParseDuration(text); err != nil || !p.inRange(d.Seconds()) {
			return p.invalid(text, cmp.Or(p.Range, "a duration such as 30s or 24h"))
		}
		return nil
	}
	if field.Type() == flagType {
		field.Set(reflect.ValueOf(envelope.ParseFlags(text)))
		return nil
	}
	if u, ok := field.Addr().Interface().(encoding.TextUnmarshaler); ok {
		return u.UnmarshalText([]byte(strings.TrimSpace(text)))
	}
	switch p.Kind {
	case Integer:
		// 32 bits even if only least is given: pageOf adds a limit to an offset.
		bits := strconv.IntSize
		if !p.unbounded() {
			bits = 32
		}
		v, err := strconv.ParseInt(strings.TrimSpace(text), 10, bits)
		if err != nil || !p.inRange(float64(v)) {
			return p.invalid(text, p.expected("a whole number"))
		}
		field.SetInt(v)
	case Number:
		v, ok := ParseNumber(strings.TrimSpace(text))
		if !ok || !p.inRange(v) {
			return p.invalid(text, p.expected("a number"))
		}
		field.SetFloat(v)
	case Bool:
		v, err := strconv.ParseBool(text)
		if err != nil {
			return p.invalid(text, "true or false")
		}
		field.SetBool(v)
	default:
		if op, known := choices(field.Type()); known != nil {
			text = strings.TrimSpace(text)
			if text != "" && !slices.Contains(known, text) {
				last := len(known) - 1
				return envelope.In(op, p.Name, p.invalid(text, strings.Join(known[:last], ", ")+" or "+known[last]))
			}
		}
		field.SetString(text)
	}
	return nil
}

// choices returns the values of a type that names them, and the operation of its
// errors. The list is nil for other types.
func choices(t reflect.Type) (op string, known []string) {
	switch t {
	case reflect.TypeFor[radius.Mode]():
		return "radius", []string{string(radius.Centroid), string(radius.Spatial)}
	case reflect.TypeFor[lookup.Weight]():
		return "crosswalk", []string{string(lookup.WeightArea), string(lookup.WeightPeople), string(lookup.WeightHousing)}
	default:
		return "", nil
	}
}

// ExpectedTime describes the values of a time.
const ExpectedTime = "a time in RFC 3339 form, such as 2027-01-31T12:00:00Z"

// ParseTime reads a time in RFC 3339 form, or a day at 00:00 UTC. Its year in UTC is
// 0 to 9999, which JSON can hold.
func ParseTime(text string) (time.Time, error) {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		t, err = time.Parse(time.RFC3339, text)
	}
	if year := t.UTC().Year(); err == nil && (year < 0 || year > 9999) {
		err = fmt.Errorf("operation: year %d in UTC", year)
	}
	return t, err
}

// invalid returns the error of a value out of range.
func (p *Param) invalid(given, expected string) error {
	return &envelope.Failure{Kind: envelope.KindInvalidParam, Param: p.Name, Input: given, Range: expected}
}

func (p *Param) inRange(v float64) bool {
	return (p.unbounded() || v >= p.Least) && (p.Most == 0 || v <= p.Most)
}

// unbounded reports whether a number has no bounds. A number with neither tag
// least nor most is unbounded if its range is not in words either.
func (p *Param) unbounded() bool { return p.Least == 0 && p.Most == 0 && p.Range == "" }

// expected describes the accepted numbers.
func (p *Param) expected(kind string) string {
	switch {
	case p.Range != "":
		return p.Range
	case p.unbounded():
		return kind
	case p.Most == 0:
		return kind + " of at least " + decimal(p.Least)
	default:
		return kind + " from " + decimal(p.Least) + " to " + decimal(p.Most)
	}
}

// decimal returns a number without an exponent.
func decimal(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// ParseNumber reads a finite decimal number. The characters are checked because
// strconv.ParseFloat also reads NaN, Inf, hexadecimal numbers and underscores.
func ParseNumber(s string) (float64, bool) {
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && c != '.' && c != '-' && c != '+' && c != 'e' && c != 'E' {
			return 0, false
		}
	}
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil && !math.IsInf(v, 0)
}
