package suggest_test

import (
	"context"
	"os"
	"testing"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/lookup/suggest"
	"github.com/postgeo/postgeo/lookup/suggest/relevance"
)

func ask(e *suggest.Engine) relevance.Engine {
	return func(c *relevance.Case) ([]relevance.Answer, error) {
		types, err := suggest.ParseTypes([]string{c.Parameters["include"]})
		if err != nil {
			return nil, err
		}
		r, err := e.Suggest(context.Background(), c.Query, suggest.Options{
			Include: types, State: c.Parameters["state"], Country: c.Parameters["country"], Proximity: c.Parameters["proximity"],
		})
		if err != nil {
			return nil, err
		}
		var answers []relevance.Answer
		for _, m := range r.Matches {
			answers = append(answers, answerOf(m))
		}
		return answers, nil
	}
}

func answerOf(m suggest.Match) relevance.Answer {
	a := relevance.Answer{Type: m.Type.String(), Name: m.Name, State: m.State + m.Province}
	switch m.Type {
	case suggest.ZIP, suggest.FSA, suggest.Postal:
		a.Code = m.Name
	case suggest.CBSA:
		a.Code = m.CBSACode
	}
	return a
}

func TestScratch(t *testing.T) {
	path := os.Getenv("POSTGEO_NATIONAL")
	if path == "" {
		t.Skip("no national dataset")
	}
	d, err := dataset.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	e := suggest.New(d)
	cases, _ := relevance.Load()
	half := relevance.Dev
	if os.Getenv("HALF") == "test" {
		half = relevance.Test
	}
	var some []relevance.Case
	for _, c := range cases {
		if c.Half() == half {
			some = append(some, c)
		}
	}
	if q := os.Getenv("Q"); q != "" {
		r, err := e.Suggest(context.Background(), q, suggest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range r.Matches {
			t.Log(m.Type, m.Name, m.State+m.Province, m.Reason, m.Population != nil, m.GEOID, m.County)
		}
		return
	}
	t.Log(len(some), "\n"+relevance.Score(some, ask(e)).Table(80))
}
