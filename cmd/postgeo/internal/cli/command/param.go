package command

import (
	"cmp"
	"errors"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/operation"
)

// A param is a flag or an argument: a field of the options of a command. It is the
// pflag.Value of a flag.
type param struct {
	*operation.Param
	name   string // of the flag or argument
	tag    reflect.StructTag
	enum   []string
	arg    bool
	given  bool   // by the user, not by default
	raw    string // as given; see Set
	needed bool
	field  reflect.Value // of the options of the command, set in place
}

// params are the parameters of a command, arguments in their order.
type params []*param

// likely is a value of --include with a flag of its own (decision D81).
const likely = "likely"

// bind adds the flags of options to a command, and describes its arguments.
func bind(c *cobra.Command, options reflect.Value) params {
	var list params
	var help, flags strings.Builder
	c.Flags().SortFlags = false
	for _, about := range operation.Params(options.Type()) {
		field := options.Type().FieldByIndex(about.Index)
		p := &param{Param: about, name: flagName(field.Tag, about.Name), tag: field.Tag, field: options.FieldByIndex(about.Index)}
		_, p.arg = p.tag.Lookup("arg")
		_, optional := p.tag.Lookup("optional")
		_, required := p.tag.Lookup("required")
		p.needed = p.arg && !optional || !p.arg && required
		if text := p.tag.Get("enum"); text != "" {
			p.enum = strings.Split(text, ",")
		}
		list = append(list, p)
		if p.arg {
			c.Use += " " + p.usage()
			if help.Len() == 0 {
				help.WriteString("\n\nArguments:")
			}
			help.WriteString("\n  " + p.usage() + "  " + p.text())
			if c.ValidArgs == nil {
				c.ValidArgs = p.choices()
			}
			continue
		}
		f := c.Flags().VarPF(p, p.name, p.tag.Get("short"), p.text())
		f.DefValue = "" // the text has it
		if p.boolean() {
			f.NoOptDefVal = "true"
		}
		if p.needed {
			_ = c.MarkFlagRequired(p.name)
			flags.WriteString(" --" + p.name + " " + p.Type())
		}
		if values := p.choices(); len(values) > 0 {
			_ = c.RegisterFlagCompletionFunc(p.name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
		}
		if p.name == "include" && slices.Contains(p.Values, likely) {
			c.Flags().BoolFunc(likely, "Add the probability of each area of --include; the same as -i likely.", func(text string) error {
				if on, err := strconv.ParseBool(text); !on {
					return err
				}
				return p.Set(likely)
			})
		}
	}
	c.Use += flags.String()
	c.Long += help.String()
	return list
}

// choices lists values for completion.
func (p *param) choices() []string {
	return slices.DeleteFunc(slices.Concat(p.enum, p.Values), func(s string) bool { return s == automatic })
}

// text returns the help, with the known values of a list and the default.
func (p *param) text() string {
	text := p.Help
	if p.List {
		text = strings.TrimSpace(text + " Known: " + strings.Join(p.Values, ", ") + ".")
	}
	if p.Default == "" || strings.Contains(strings.ToLower(text), "default") {
		return text
	}
	fallback := p.Default
	if fallback == "-" {
		fallback = "standard output"
	}
	return text + " Default: " + fallback + "."
}

// boolean reports whether the flag has no value.
func (p *param) boolean() bool { return p.field.Kind() == reflect.Bool }

// repeated reports whether the flag may be repeated, or the argument takes all
// that follow.
func (p *param) repeated() bool { return p.Kind == operation.Items || p.List }

// whole reports whether commas belong to the values of a list.
func (p *param) whole() bool { return p.tag.Get("whole") != "" }

// String implements pflag.Value.
func (p *param) String() string { return "" }

// Type implements pflag.Value: the name of the value in the help.
func (p *param) Type() string {
	if p.boolean() {
		return "bool"
	}
	text := p.tag.Get("placeholder")
	if p.repeated() && !p.whole() && !strings.Contains(text, ",") {
		text += ",..."
	}
	return text
}

// usage returns the argument as the help has it.
func (p *param) usage() string {
	text := "<" + p.name + ">"
	if p.repeated() {
		text += " ..."
	}
	if !p.needed {
		text = "[" + text + "]"
	}
	return text
}

// shown returns how errors name the parameter.
func (p *param) shown() string {
	if p.arg {
		return "<" + p.name + ">"
	}
	return "--" + p.name
}

// Set implements pflag.Value. A list gets one more value for each part between
// commas, unless commas belong to its values.
func (p *param) Set(text string) error {
	text = strings.TrimPrefix(text, mark)
	if p.given && strings.Contains(p.Type(), ",") && !p.repeated() { // a list as one value
		text = p.raw + "," + text
	}
	p.given, p.raw = true, text
	if flags, ok := p.field.Interface().(envelope.Flags); ok {
		p.field.Set(reflect.ValueOf(envelope.ParseFlags(append(slices.Clip(flags), text)...)))
		return nil
	}
	if !p.repeated() {
		return p.parse(p.Param, p.field, text)
	}
	parts := []string{text}
	if !p.arg && !p.whole() {
		parts = splitList(text)
	}
	for _, part := range parts {
		value := reflect.New(p.field.Type().Elem()).Elem()
		if err := p.parse(p.Entry, value, part); err != nil {
			return err
		}
		p.field.Set(reflect.Append(p.field, value))
	}
	return nil
}

func (p *param) parse(as *operation.Param, field reflect.Value, text string) error {
	if len(p.enum) > 0 && !slices.Contains(p.enum, text) {
		return p.invalid(text, listed(p.choices(), " or "))
	}
	err := as.Parse(field, text)
	var usage *UsageError
	switch e := envelope.AsFailure(err); {
	case err == nil:
		return nil
	case errors.As(err, &usage):
		return Usage("%s: %s", p.shown(), usage.Reason)
	case as.Kind == operation.Time:
		return p.invalid(text, `a day (2027-01-31) or a time (2027-01-31T12:00:00Z)`)
	case e != nil && e.Range != "":
		return p.invalid(text, Expected(e))
	}
	return err
}

func (p *param) invalid(given, expected string) error {
	return Usage(InvalidValue, p.shown(), given, expected)
}

// fill sets the arguments, and the defaults of parameters that are not given.
func (list params) fill(c *cobra.Command, words []string) error {
	words = unmarked(words)
	var args params
	for _, p := range list {
		if p.arg {
			args = append(args, p)
		}
	}
	for i, p := range args { // the first that joins sees all words that follow
		if how := p.tag.Get("join"); how != "" && i < len(words) {
			words = slices.Concat(words[:i], JoinWords(how, words[i:]))
			break
		}
	}
	path := c.CommandPath()
	switch n := len(args); {
	case len(words) > n && n == 0:
		return UsageOf(path, `unexpected argument %q: '%s' has no arguments`, words[0], path)
	case len(words) > n && !args[n-1].repeated():
		var takes []string
		for _, p := range args {
			takes = append(takes, p.usage())
		}
		return UsageOf(path, `unexpected argument %q: '%s' takes only %s; quote text that contains spaces`, words[n], path, strings.Join(takes, " "))
	}
	for i, word := range words {
		if err := args[min(i, len(args)-1)].Set(word); err != nil {
			return flagError(c, err)
		}
	}
	for _, p := range list {
		switch {
		case p.given, p.Default == "0": // which the zero value is already
		case p.Default != "":
			if err := p.Set(p.Default); err != nil {
				return err
			}
			p.given = false // Set takes it for the user's
		case p.arg && p.needed:
			return UsageOf(path, `missing argument %s`, p.usage())
		}
	}
	return nil
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

// Given returns the text of a flag that is set.
func (e *Env) Given(flag string) (string, bool) {
	for _, p := range e.params {
		if p.name == flag && p.given {
			return p.raw, true
		}
	}
	return "", false
}

func flagName(tag reflect.StructTag, name string) string {
	return cmp.Or(tag.Get("flag"), tag.Get("name"), strings.ReplaceAll(name, "_", "-"))
}
