package server_test

import (
	"testing"

	"github.com/postgeo/postgeo/internal/sampletest"
)

// TestAreasOfSample compares an area of the sample, and the figures of a circle, a
// polygon and an area.
func TestAreasOfSample(t *testing.T) {
	db := sampletest.Open(t)
	const field = "&field=economic.income.median_household_income"
	for name, target := range map[string]string{
		"figures":         "/v2/figures?code=90210&max=3" + field,
		"figures-polygon": "/v2/figures?polygon=%7B%22type%22%3A%22Polygon%22%2C%22coordinates%22%3A%5B%5B%5B-118.45%2C34%5D%2C%5B-118.38%2C34%5D%2C%5B-118.38%2C34.15%5D%2C%5B-118.45%2C34%5D%5D%5D%7D" + field,
		"figures-area":    "/v2/figures?layer=county&geoid=06037" + field,
		"area":            "/v2/area?layer=county&geoid=06037&tolerance=0.05",
		"area-missing":    "/v2/area?layer=county&geoid=99999",
		"figures-canada":  "/v2/figures?code=M5V&max=2" + field,
		"figures-unknown": "/v2/figures?code=99999&max=2" + field,
	} {
		t.Run(name, func(t *testing.T) { golden(t, name, dump(t, do(newServer(t, db), get(target)))) })
	}
}
