package acs_test

import (
	"context"
	"fmt"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/internal/sample"
	"github.com/postgeo/postgeo/internal/store/sqlite"
)

func ExampleReader_ZCTA() {
	d, err := sqlite.OpenFS(sample.FS(), sample.Name)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer d.Close()
	r := acs.NewReader(d)
	tags := []acs.Tag{{Profile: acs.Economic, Year: 2011}, {Profile: acs.Economic}}
	res, err := r.ZCTA(context.Background(), "10001", tags, acs.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	droveAlone := acs.MustField("economic.commuting.drove_alone")
	for i := range res.Years {
		b := &res.Years[i]
		alone := b.Metric(droveAlone)
		fmt.Println(b.Key(), b.GeoID, alone.Column(), alone.Percent.IsNumber())
	}
	// Output:
	// current 860Z200US10001 DP03_0019E true
	// 2011 8600000US10001 DP03_0019E true
}
