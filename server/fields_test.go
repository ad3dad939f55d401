package server_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/openapi"
	"github.com/postgeo/postgeo/server"
)

// fieldReference is the documentation's list of what answers have.
const fieldReference = "../docs/fields.md"

var anchor = regexp.MustCompile(`\]\(#([a-z]+)\)`)

// answers are the results that the reference begins with, each followed by
// the parts that it has and those before have not.
var answers = []struct{ schema, heading string }{
	{"LookupQuickRecord", "Quick record: `/v2/quick-zip`"},
	{"LookupRecord", "Full record: `/v2/zip`"},
	{"RadiusResult", "Search: `/v2/radius`"},
	{"RadiusDistanceResult", "Distance: `/v2/distance`"},
	{"AddressMatch", "Address: `/v2/address`"},
	{"GeocodeResult", "Position: `/v2/geocode`"},
	{"GeocodeNearest", "Nearest address: `/v2/reverse`"},
	{"OperationOutlinesResult", "Outlines: `/v2/outlines`"},
	{"OperationAreaOfResult", "Area: `/v2/area`"},
	{"RadiusPolygonResult", "Inside a polygon: `/v2/inside`"},
	{"OperationFiguresResult", "Survey field: `/v2/figures`"},
	{"SuggestResult", "Suggestions: `/v2/suggest`"},
	{"Health", "Health: `/v2/health`"},
	{"Meta", "Metadata of every response: `meta`"},
	{"Error", "Errors"},
}

// The reference of fields follows from the types. -update writes it.
func TestFieldReference(t *testing.T) {
	doc, err := server.PlainDocument(newServer(t, openDB(t)))
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(fieldReference)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- generated: fields -->\n", "<!-- end -->"
	head, rest, ok := strings.Cut(string(data), begin)
	was, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no generated part", fieldReference)
	}
	want := fieldTables(t, doc.Components.Schemas)
	headings := strings.ToLower(want)
	for _, m := range anchor.FindAllStringSubmatch(want, -1) {
		if !strings.Contains(headings, "\n### "+m[1]+"\n") {
			t.Errorf("%s would link to %s, which has no table", fieldReference, m[1])
		}
	}
	if *update {
		if err := os.WriteFile(fieldReference, []byte(head+begin+want+end+tail), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, was); diff != "" {
		t.Errorf("%s is out of date (-types +file); rewrite it with -update:\n%s", fieldReference, diff)
	}
}

// Every field of responses and of request bodies has a description in the reference
// and in the OpenAPI document.
func TestFieldsHaveMeaning(t *testing.T) {
	doc, err := server.PlainDocument(newServer(t, openDB(t)))
	if err != nil {
		t.Fatal(err)
	}
	fields := 0
	for _, part := range doc.Components.Schemas {
		for _, p := range part.Value.Properties {
			fields++
			if meaning(p.Value, doc.Components.Schemas) == "" {
				t.Errorf("%s.%s says nothing of what it means; write a comment at the field", part.Name, p.Name)
			}
		}
	}
	if fields < 500 {
		t.Errorf("only %d fields were looked at", fields)
	}
}

// fieldTables writes a table for each response and for each part that several
// fields share. The fields of other parts follow the field that holds them.
func fieldTables(t *testing.T, schemas openapi.Map[*openapi.Schema]) string {
	f := fieldWriter{t: t, schemas: schemas, uses: map[string]int{}}
	for _, a := range answers {
		f.uses[a.schema]++
		f.count(a.schema)
	}
	written := map[string]bool{}
	for _, a := range answers {
		fmt.Fprintf(&f.out, "\n## %s\n", a.heading)
		for f.queue = []string{a.schema}; len(f.queue) > 0; {
			name := f.queue[0]
			f.queue = f.queue[1:]
			if written[name] || len(f.schema(name).Properties) == 0 || survey(name) {
				continue
			}
			written[name] = true
			if name != a.schema {
				fmt.Fprintf(&f.out, "\n### %s\n", name)
			}
			f.out.WriteString("\n| field | type | meaning |\n|---|---|---|\n")
			f.rows("", name)
		}
	}
	return f.out.String() + "\n"
}

type fieldWriter struct {
	t       *testing.T
	schemas openapi.Map[*openapi.Schema]
	uses    map[string]int // fields that refer to a part
	queue   []string       // parts without a table so far
	out     strings.Builder
}

func (f *fieldWriter) schema(name string) *openapi.Schema {
	f.t.Helper()
	schema, ok := f.schemas.Get(name)
	if !ok {
		f.t.Fatalf("schema %s is missing", name)
	}
	return schema
}

// count adds the references of a part's fields to uses.
func (f *fieldWriter) count(name string) {
	for _, p := range f.schema(name).Properties {
		_, parts := kindOf(p.Value, f.schemas)
		for _, part := range parts {
			if f.uses[part]++; f.uses[part] == 1 {
				f.count(part)
			}
		}
	}
}

// rows writes the fields of a part, with the path to it before each.
func (f *fieldWriter) rows(path, name string) {
	schema := f.schema(name)
	for _, p := range schema.Properties {
		kind, parts := kindOf(p.Value, f.schemas)
		inner := path + p.Name + "."
		within := len(parts) == 1 && f.uses[parts[0]] == 1
		if within {
			link := "[" + parts[0] + "](#" + strings.ToLower(parts[0]) + ")"
			if kind == "list of "+link {
				inner = path + p.Name + "[]."
			}
			kind = strings.Replace(kind, link, "object", 1)
		}
		if !slices.Contains(schema.Required, p.Name) {
			kind += ", optional"
		}
		fmt.Fprintf(&f.out, "| `%s%s` | %s | %s |\n", path, p.Name, kind, meaning(p.Value, f.schemas))
		if within {
			f.rows(inner, parts[0])
		} else {
			f.queue = append(f.queue, parts...)
		}
	}
}

// survey reports whether a part is a profile of the American Community Survey,
// which has a separate list.
func survey(name string) bool {
	return strings.HasPrefix(name, "Acs") && strings.HasSuffix(name, "Profile")
}

// kindOf returns the type of a value and its parts. A part without fields is
// described by its contents.
func kindOf(s *openapi.Schema, schemas openapi.Map[*openapi.Schema]) (kind string, parts []string) {
	name, ref := strings.CutPrefix(s.Ref, "#/components/schemas/")
	of, _ := schemas.Get(name)
	switch {
	case ref && of != nil && len(of.Properties) == 0:
		return kindOf(of, schemas)
	case ref && survey(name):
		return "[" + name + "](acs.md#which-fields-are-served)", nil
	case ref:
		return "[" + name + "](#" + strings.ToLower(name) + ")", []string{name}
	case len(s.AnyOf) > 0 || len(s.OneOf) > 0 || len(s.AllOf) > 0:
		var kinds []string
		for _, of := range slices.Concat(s.AllOf, s.AnyOf, s.OneOf) {
			k, p := kindOf(of, schemas)
			kinds, parts = append(kinds, k), append(parts, p...)
		}
		return strings.Join(kinds, " or "), parts
	case s.Items != nil:
		k, p := kindOf(s.Items, schemas)
		return "list of " + k, p
	case s.Additional != nil && s.Additional.Of != nil:
		k, p := kindOf(s.Additional.Of, schemas)
		return "object of " + k, p
	case len(s.Properties) > 0:
		var members []string
		for _, p := range s.Properties {
			members = append(members, "`"+p.Name+"`")
		}
		return "object of " + strings.Join(members, ", "), nil
	case len(s.Enum) > 0 && len(s.Enum) <= 6:
		return "`" + strings.Join(s.Enum, "`, `") + "`", nil
	case len(s.Type) > 0:
		return strings.Join(s.Type, " or "), nil
	case s.Const != nil:
		return "boolean", nil
	}
	return "any", nil
}

// meaning is the comment of a field or of its type.
func meaning(s *openapi.Schema, schemas openapi.Map[*openapi.Schema]) string {
	text := s.Description
	if of, ok := schemas.Get(strings.TrimPrefix(s.Ref, "#/components/schemas/")); ok && text == "" {
		text = of.Description
	}
	for _, part := range s.AllOf {
		if text == "" {
			text = meaning(part, schemas)
		}
	}
	return strings.NewReplacer("\n", " ", "|", "\\|").Replace(text)
}
