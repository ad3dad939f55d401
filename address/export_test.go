package address

// A Rule is a row of a table.
type Rule struct {
	Name, Example string
	row           *rule
}

// Rules returns all rules.
func Rules() []Rule {
	prepare.Do(compileAll)
	var list []Rule
	for _, t := range tables() {
		for _, set := range t.sets {
			for i := range set {
				list = append(list, Rule{t.name + ": " + set[i].name, set[i].example, &set[i]})
			}
		}
	}
	return list
}

// Applies reports whether the rule applies while its example is parsed.
func (r Rule) Applies() bool {
	p := parser{applied: map[*rule]bool{}}
	_, _, _ = p.parse(r.Example, nil, nil, nil)
	_, _, _ = p.parse(r.Example, nil, ely{}, nil)
	return p.applied[r.row]
}

// ely has two cities.
type ely struct{}

func (ely) knowsCity(name, _, _ string) bool { return name == "ELY" || name == "NORTH PINE" }
