package plan_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
	"github.com/postgeo/postgeo/internal/source/fetch"
)

// Tables of the steps below.
type (
	Codes  struct{ names []string }
	Zones  struct{ of map[string]string }
	Output struct{ text string }
)

func (*Codes) Parts() []string { return []string{"point", "zone"} }

type readCodes struct {
	*plan.Env
	Codes *Codes `writes:"rows"`
}

type placeCodes struct {
	*plan.Env
	Codes *Codes `writes:"point"`
}

type decideZones struct {
	*plan.Env
	Codes *Codes `reads:"point" writes:"zone"`
	Zones *Zones `writes:"rows"`
}

type agreeZones struct {
	*plan.Env
	Zones *Zones
	Codes *Codes `reads:"zone" writes:"zone"`
}

type write struct {
	*plan.Env
	Codes  *Codes `reads:"*"`
	Zones  *Zones
	Output *Output `reads:"rows" writes:"rows"`
}

func (b *readCodes) Run(context.Context) error {
	b.Codes.names = append(b.Codes.names, "90210")
	return nil
}
func (b *placeCodes) Run(context.Context) error { return nil }
func (b *decideZones) Run(context.Context) error {
	b.Zones.of = map[string]string{b.Codes.names[0]: "America/Los_Angeles"}
	return nil
}
func (b *agreeZones) Run(context.Context) error { return nil }
func (b *write) Run(context.Context) error {
	b.Output.text = b.Codes.names[0] + " " + b.Zones.of[b.Codes.names[0]]
	return nil
}

func good() []plan.Step {
	return []plan.Step{ // in no good order
		{Name: "agreement", Do: &agreeZones{}},
		{Name: "zones", Do: &decideZones{}},
		{Name: "write", Do: &write{}},
		{Name: "points", Do: &placeCodes{}},
		{Name: "codes", Do: &readCodes{}},
	}
}

func TestRun(t *testing.T) {
	var ran []string
	out := &Output{}
	b := plan.New(nil)
	b.Progress = func(step string) { ran = append(ran, step) }
	b.Give(out)
	if err := b.Run(t.Context(), good()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"codes", "points", "zones", "agreement", "write"}, ran); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
	if out.text != "90210 America/Los_Angeles" {
		t.Errorf("output %q", out.text)
	}
	if n := len(b.Timings()); n != 5 {
		t.Errorf("%d timings, want 5", n)
	}
}

// Bad steps for the table below.
type (
	secondZones struct {
		*plan.Env
		Codes *Codes
		Zones *Zones `writes:"rows"`
	}
	strangePart struct {
		*plan.Env
		Codes *Codes `reads:"county"`
	}
	circular struct {
		*plan.Env
		Codes *Codes `reads:"zone" writes:"point"`
	}
	useless struct {
		*plan.Env
		Unused *Unused `writes:"rows"`
	}
	Unused struct{}
)

func (b *secondZones) Run(context.Context) error { return nil }
func (b *strangePart) Run(context.Context) error { return nil }
func (b *circular) Run(context.Context) error    { return nil }
func (b *useless) Run(context.Context) error     { return nil }

// TestOrderRefuses plants bad steps into a good list.
func TestOrderRefuses(t *testing.T) {
	without := func(name string) []plan.Step {
		var list []plan.Step
		for _, s := range good() {
			if s.Name != name {
				list = append(list, s)
			}
		}
		return list
	}
	tests := map[string]struct {
		steps []plan.Step
		want  string
	}{
		"read and not written": {without("points"), `step "zones" reads Codes.point, which no step writes`},
		"written twice":        {append(good(), plan.Step{Name: "second", Do: &secondZones{}}), `steps "zones" and "second" write Zones; the later one must read it too`},
		"an unknown part":      {append(good(), plan.Step{Name: "strange", Do: &strangePart{}}), `step "strange": Codes has no part "county"`},
		"a cycle":              {append(without("points"), plan.Step{Name: "circular", Do: &circular{}}), `steps need each other's tables: agreement, zones, write, circular`},
		"listed twice":         {append(good(), plan.Step{Name: "codes", Do: &placeCodes{}}), `step "codes" is listed twice`},
		"written and not read": {append(good(), plan.Step{Name: "useless", Do: &useless{}}), `step "useless" writes Unused, which no step reads`},
		"a table from no step": {good()[:1], `step "agreement" reads Codes, which no step writes`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b := plan.New(nil)
			b.Give(&Output{})
			err := b.Run(t.Context(), tt.steps)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

type curious struct {
	*plan.Env
	Codes *Codes `writes:"rows"`
}

func (b *curious) Run(context.Context) error {
	b.Has("secret")
	return nil
}

func TestUndeclaredSource(t *testing.T) {
	steps := []plan.Step{{Name: "curious", Sources: []string{"open"}, Do: &curious{}}, {Name: "points", Do: &placeCodes{}}}
	b := plan.New(nil)
	b.Give(&Output{})
	b.Add(&fetch.File{Source: fetch.Source{ID: "secret"}})
	if err := b.Run(t.Context(), append(good()[:3], steps...)); err == nil || !strings.Contains(err.Error(), "no step reads the source secret") {
		t.Errorf("error %v, want one about the source that no step reads", err)
	}
	defer func() {
		if r, _ := recover().(string); !strings.Contains(r, `step "curious" uses the source secret without declaring it`) {
			t.Errorf("panic %q", r)
		}
	}()
	b = plan.New(nil)
	b.Give(&Output{})
	_ = b.Run(t.Context(), append(good()[:3], steps...))
	t.Error("a step used a source that it does not declare")
}
