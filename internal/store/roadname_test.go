package store_test

import (
	"testing"

	"github.com/postgeo/postgeo/internal/store"
)

// TestCanadian divides names of both languages, and writes them in French.
func TestCanadian(t *testing.T) {
	name := func(name, suffix, direction string) store.RoadName {
		return store.RoadName{Name: name, Suffix: suffix, PostDir: direction}
	}
	for _, c := range []struct {
		text   string
		want   store.RoadName
		quebec string
	}{
		{"rue Saint-Zotique Ouest", name("SAINT ZOTIQUE", "RUE", "W"), "RUE SAINT ZOTIQUE O"},
		{"Saint-zotique RUE O", name("SAINT ZOTIQUE", "RUE", "W"), "RUE SAINT ZOTIQUE O"},
		{"Saint-Zotique Street West", name("SAINT ZOTIQUE", "ST", "W"), "SAINT ZOTIQUE ST W"},
		{"boul. René-Lévesque E", name("RENE LEVESQUE", "BLVD", "E"), "BOUL RENE LEVESQUE E"},
		{"René-Lévesque Blvd East", name("RENE LEVESQUE", "BLVD", "E"), "BOUL RENE LEVESQUE E"},
		{"av. du Parc", name("DU PARC", "AVE", ""), "AV DU PARC"},
		{"rue du Nord", name("DU NORD", "RUE", ""), "RUE DU NORD"},
		{"Principal CH", name("PRINCIPAL", "CH", ""), "CH PRINCIPAL"},
		{"1re AVE", name("1RE", "AVE", ""), "1RE AV"},
		{"10e Avenue Ouest", name("10E", "AVE", "W"), "10E AV O"},
		{"6 HWY", name("HIGHWAY 6", "", ""), "HIGHWAY 6"},
		{"138 RTE", name("ROUTE 138", "", ""), "ROUTE 138"},
		{"Route 138", name("ROUTE 138", "", ""), "ROUTE 138"},
		{"E 22ND AVE", name("22ND", "AVE", "E"), "22ND AV E"},
		{"Avenue Road", name("AVENUE", "RD", ""), "AVENUE RD"},
		{"Elm Close NW", name("ELM", "CLOSE", "NW"), "ELM CLOSE NW"},
		{"Place Ville-Marie", name("VILLE MARIE", "PL", ""), "PLACE VILLE MARIE"},
		{"Broadway", name("BROADWAY", "", ""), "BROADWAY"},
		{"Rue", name("RUE", "", ""), "RUE"},
	} {
		got := store.CanadianRoadName(c.text)
		if got != c.want {
			t.Errorf("%s: %+v, want %+v", c.text, got, c.want)
		}
		if french := got.French(true); french != c.quebec {
			t.Errorf("%s in Quebec: %s, want %s", c.text, french, c.quebec)
		}
		if again := store.CanadianRoadName(got.String()); again != got {
			t.Errorf("%s: %+v, and of its own text %+v", c.text, got, again)
		}
	}
	if got := store.CanadianRoadName("Main St").French(false) + ", " + store.CanadianRoadName("rue Main").French(false) + ", " + store.CanadianRoadName("5th Ave W").French(false); got != "MAIN ST, RUE MAIN, 5TH AVE W" {
		t.Errorf("outside of Quebec: %s", got)
	}
	for _, pair := range [][2]string{{"", "ST"}, {"RUE", "RD"}, {"AVE", "ST"}} {
		if store.SameKind(pair[0], pair[1]) || store.SameKind(pair[1], pair[0]) {
			t.Errorf("%v mean the same", pair)
		}
	}
	if !store.SameKind("RUE", "ST") || !store.SameKind("RD", "CH") || !store.SameKind("AVE", "AVE") {
		t.Error("RUE and ST, RD and CH, AVE and AVE don't mean the same")
	}
}
