package command

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/message"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/envelope/fault"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/plain"
)

// A Param is a flag or an argument: a field of the options of a command.
type Param struct {
	Name        string
	Short       string // one letter
	Help        string
	Placeholder string
	Default     string
	Enum        []string

	flag     bool
	optional bool
	path     bool
	terms    []string
	whole    bool // commas belong to the values
	group    string
	xor      string
	join     string
	index    []int // of the field
	typ      reflect.Type
	value    *operation.Param // parses values
}

// IsBool reports whether the flag has no value.
func (p *Param) IsBool() bool { return p.typ == nil || p.typ.Kind() == reflect.Bool }

// isList reports whether the flag may be repeated, or the argument takes all
// that follow.
func (p *Param) isList() bool { return p.typ != nil && p.typ.Kind() == reflect.Slice }

// paramsOf reads the tags of a struct. Fields without help are not parameters.
func paramsOf(t reflect.Type) []*Param {
	var params []*Param
	for i := range t.NumField() {
		field := t.Field(i)
		if field.Anonymous {
			for _, p := range paramsOf(field.Type) {
				p.index = append([]int{i}, p.index...)
				if group := field.Tag.Get("group"); group != "" {
					p.group = group
				}
				params = append(params, p)
			}
			continue
		}
		tag := field.Tag
		help, ok := tag.Lookup("help")
		if !ok {
			continue
		}
		_, arg := tag.Lookup("arg")
		_, optional := tag.Lookup("optional")
		_, required := tag.Lookup("required")
		p := &Param{
			Name: FlagName(field), Short: tag.Get("short"), Help: help, Placeholder: tag.Get("placeholder"), Default: tag.Get("default"),
			flag: !arg, optional: optional || !arg && !required, path: tag.Get("type") == "path", terms: strings.Fields(tag.Get("terms")), whole: tag.Get("whole") != "",
			group: tag.Get("group"), xor: tag.Get("xor"), join: tag.Get("join"), index: []int{i}, typ: field.Type, value: operation.ParamOf(field),
		}
		if p.value.List {
			p.Help = strings.TrimSpace(help + " Known: " + strings.Join(p.value.Values, ", ") + ".")
		}
		if list := tag.Get("enum"); list != "" {
			p.Enum = strings.Split(list, ",")
		}
		params = append(params, p)
	}
	return params
}

// usage returns the parameter as the first line of the help has it.
func (p *Param) usage() string {
	if p.flag {
		return p.flagText()
	}
	text := "<" + p.Name + ">"
	if p.isList() {
		text += " ..."
	}
	return text
}

func (p *Param) flagText() string {
	text := "--" + p.Name
	if p.IsBool() {
		return text
	}
	text += "=" + p.Placeholder
	if p.isList() && !p.whole && !strings.Contains(p.Placeholder, ",") {
		text += ",..."
	}
	return text
}

// shown returns how errors name the parameter.
func (p *Param) shown() string {
	if p.flag {
		return "--" + p.Name
	}
	return "<" + p.Name + ">"
}

// helpText returns the help, with the default unless the help includes it.
func (p *Param) helpText() string {
	if p.Default == "" || strings.Contains(strings.ToLower(p.Help), "default") {
		return p.Help
	}
	fallback := p.Default
	if fallback == "-" {
		fallback = "standard output"
	}
	return p.Help + " Default: " + fallback + "."
}

// set reads a value into the field of the options. A list gets one more value
// for each part between commas, unless commas belong to its values.
func (p *Param) set(options reflect.Value, text string) error {
	field := options.FieldByIndex(p.index)
	if flags, ok := field.Interface().(envelope.Flags); ok {
		field.Set(reflect.ValueOf(envelope.ParseFlags(append(slices.Clip(flags), text)...)))
		return nil
	}
	if p.isList() {
		text, terms := p.cutTerms(text)
		parts := []string{text}
		if p.flag && !p.whole {
			parts = splitList(text)
		}
		for _, part := range parts {
			value := reflect.New(field.Type().Elem()).Elem()
			if err := p.parse(p.value.Entry, value, part); err != nil {
				return err
			}
			field.Set(reflect.Append(field, value))
		}
		if last := field.Index(field.Len() - 1); terms != "" {
			last.SetString(last.String() + terms)
		}
		return nil
	}
	return p.parse(p.value, field, text)
}

var durationType = reflect.TypeFor[time.Duration]()

func (p *Param) parse(as *operation.Param, field reflect.Value, text string) error {
	switch {
	case field.Type() == durationType:
		d, err := time.ParseDuration(text)
		if err != nil {
			return p.invalid(text, message.ADuration)
		}
		field.SetInt(int64(d))
		return nil
	case p.path:
		text = expandPath(text)
	}
	err := as.Parse(field, text)
	switch e := fault.As(err); {
	case err == nil:
		return nil
	case as.Kind == operation.Time:
		return p.invalid(text, message.DayOrTime)
	case e != nil && (e.Op == "" || e.Op == "radius" && e.Param == "Max"):
		return p.invalid(text, Expected(e))
	}
	return err
}

// cutTerms divides a value before its first term, such as ",license=".
func (p *Param) cutTerms(text string) (value, terms string) {
	end := len(text)
	for _, name := range p.terms {
		if at := strings.Index(text, ","+name+"="); at >= 0 {
			end = min(end, at)
		}
	}
	return text[:end], text[end:]
}

// splitList divides a list at its commas. `\,` is a comma within a value.
func splitList(text string) []string {
	const comma = "\x00"
	parts := strings.Split(strings.ReplaceAll(text, `\,`, comma), ",")
	for i := range parts {
		parts[i] = strings.ReplaceAll(parts[i], comma, ",")
	}
	return parts
}

func (p *Param) invalid(given, expected string) error {
	return Usage(message.InvalidValue, p.shown(), given, expected)
}

func (p *Param) check(options reflect.Value) error {
	if len(p.Enum) == 0 {
		return nil
	}
	given := options.FieldByIndex(p.index).String()
	var listed []string
	for _, e := range p.Enum {
		if e == given {
			return nil
		}
		if e != automatic {
			listed = append(listed, e)
		}
	}
	return p.invalid(given, choice(listed))
}

// choice writes "a, b or c".
func choice(list []string) string {
	if len(list) == 1 {
		return list[0]
	}
	return strings.Join(list[:len(list)-1], ", ") + " or " + list[len(list)-1]
}

// expandPath makes a file name absolute. "-" is a standard stream.
func expandPath(name string) string {
	if name == "-" || name == "" || filepath.IsAbs(name) {
		return name
	}
	if rest, ok := strings.CutPrefix(name, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	if absolute, err := filepath.Abs(name); err == nil {
		return absolute
	}
	return name
}

// FlagName returns the name of the flag of a field.
func FlagName(field reflect.StructField) string {
	for _, tag := range [...]string{"flag", "name"} {
		if name := field.Tag.Get(tag); name != "" {
			return name
		}
	}
	return strings.ReplaceAll(operation.ParamOf(field).Name, "_", "-")
}

// CheckOutput refuses an output without a name, one that a command also reads,
// under any name, and a folder, device or pipe. "-" is a standard stream. Inputs that
// are "" are skipped.
func CheckOutput(env *Env, output string, inputs ...string) error {
	var out fs.FileInfo
	var err error
	if output == "" {
		return Usage(message.OutputWithoutName)
	}
	if output == "-" {
		if out = streamInfo(env.Stdout); out == nil || !out.Mode().IsRegular() {
			return nil
		}
	} else if out, err = os.Stat(output); errors.Is(err, fs.ErrNotExist) {
		if folder := filepath.Dir(output); !isFolder(folder) {
			return Usage(message.NoOutputFolder, folder)
		}
		return nil
	} else if err != nil {
		return err
	}
	switch {
	case output == "-" || out.Mode().IsRegular():
	case out.IsDir():
		return Usage(message.FileIsFolder, output)
	default:
		return Usage(message.OutputIsDevice, output)
	}
	if stdout := streamInfo(env.Stdout); output != "-" && stdout != nil && os.SameFile(stdout, out) {
		return Usage(message.OutputIsStdout, output)
	}
	for _, input := range inputs {
		in := streamInfo(env.Stdin)
		if input != "-" {
			if in, err = os.Stat(input); err != nil {
				continue // the reader reports it
			}
		}
		if in == nil || !os.SameFile(in, out) {
			continue
		}
		if output == "-" {
			return Usage(message.StdoutIsInput, input)
		}
		return Usage(message.OutputIsInput, output)
	}
	return nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// streamInfo describes a standard stream; nil if it is not a file.
func streamInfo(stream any) fs.FileInfo {
	if w, ok := stream.(*plain.Writer); ok {
		stream = plain.Raw(w)
	}
	f, ok := stream.(*os.File)
	if !ok {
		return nil
	}
	info, err := f.Stat()
	if err != nil {
		return nil
	}
	return info
}
