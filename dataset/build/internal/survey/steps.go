package survey

import (
	"github.com/postgeo/postgeo/dataset/build/internal/catalogue"
	"github.com/postgeo/postgeo/dataset/build/internal/plan"
)

// Write returns the step that writes the tables of the survey.
func Write() plan.Step {
	return plan.Step{Name: "write: survey", Sources: []string{catalogue.ACS}, Do: &writer{}}
}

// Extend returns the steps that extend a dataset.
func Extend() []plan.Step {
	return []plan.Step{
		{Name: "survey: heads", Sources: []string{catalogue.ACS}, Do: &heads{}},
		{Name: "write", Sources: []string{catalogue.ACS}, Do: &extension{}},
	}
}

// Steps returns the steps that read the survey.
func Steps() []plan.Step {
	return []plan.Step{
		{Name: "survey: heads", Sources: []string{catalogue.ACS}, Do: &heads{}},
		{Name: "survey: population", Sources: []string{catalogue.People, catalogue.People2023, catalogue.Housing, catalogue.Housing2023, catalogue.ACS}, Do: &population{}},
	}
}
