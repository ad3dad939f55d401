package survey

import (
	"github.com/postgeo/postgeo/internal/dataset/build/internal/catalog"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/plan"
)

// Write returns the step that writes the tables of the survey.
func Write() plan.Step {
	return plan.Step{Name: "write: survey", Sources: []string{catalog.ACS}, Do: &writer{}}
}

// Extend returns the steps that extend a dataset.
func Extend() []plan.Step {
	return []plan.Step{
		{Name: "survey: heads", Sources: []string{catalog.ACS}, Do: &heads{}},
		{Name: "write", Sources: []string{catalog.ACS}, Do: &extension{}},
	}
}

// Steps returns the steps that read the survey.
func Steps() []plan.Step {
	return []plan.Step{
		{Name: "survey: heads", Sources: []string{catalog.ACS}, Do: &heads{}},
		{Name: "survey: population", Sources: []string{catalog.People, catalog.People2023, catalog.Housing, catalog.Housing2023, catalog.ACS}, Do: &population{}},
	}
}
