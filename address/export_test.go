package address

// A Rule is a row of a table. Weight is nil if the row accepts, excludes or
// recognizes words instead of scoring them.
type Rule struct {
	Table, Name, Example string
	Weight               *int
}

// Rules returns all rules.
func Rules() []Rule {
	var list []Rule
	for _, t := range tables() {
		for _, set := range t.sets {
			for i := range set {
				r := Rule{t.name, set[i].name, set[i].example, nil}
				if w := &set[i].weight; *w < -1 && *w > never || *w > 1 {
					r.Weight = w
				}
				list = append(list, r)
			}
		}
	}
	return list
}

// Applied returns the names of the rules that apply while an address is parsed.
func Applied(text string) map[string]bool {
	p := parser{tracing: true}
	_, _, _ = p.parse(text, nil, nil, nil)
	_, _, _ = p.parse(text, nil, ely{}, nil)
	applied := map[string]bool{}
	for _, f := range p.trace {
		applied[f.table.name+": "+f.rule.name] = true
	}
	return applied
}

// ely has two cities.
type ely struct{}

func (ely) knowsCity(name, _, _ string) bool { return name == "ELY" || name == "NORTH PINE" }

type NoMatchError = noMatchError
