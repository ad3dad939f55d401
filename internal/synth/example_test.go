package synth_test

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/synth"
)

func ExampleNew() {
	c, err := synth.New(synth.Options{Seed: 1, ZIPs: 400})
	if err != nil {
		fmt.Println(err)
		return
	}
	var zips, states synth.Area
	for _, z := range c.ZIPs {
		zips = zips.Plus(z.Area)
	}
	for _, s := range c.States {
		if s.Country == store.US {
			states = states.Plus(s.Area)
		}
	}
	fmt.Println("the areas of the ZIPs add up to those of the states:", zips == states)
	// Output: the areas of the ZIPs add up to those of the states: true
}

func ExampleNational() {
	o := synth.National(1)
	fmt.Println(o.ZIPs, o.FSAs, o.PostalCodes)
	// Output: 41000 1650 890000
}

func ExampleFromFacts() {
	c, err := synth.FromFacts(synth.Facts{
		Label:    "sample",
		Counties: []synth.CountyFact{{FIPS: "26163", Name: "Wayne County", Zone: "America/Detroit"}},
		CensusDivisions: []synth.CensusDivision{
			{UID: "3537", Name: "Essex", Type: "CTY"},
		},
		Regions: []synth.RegionFact{{
			Name: "detroit_windsor",
			ZIPs: []synth.ZIPFact{{
				Code: 48226, City: "Detroit", County: "26163", Place: "Detroit", Point: geo.MustLatLng(42.332, -83.05),
				Class: store.General, HasArea: true, AreaCodes: []uint16{313},
			}},
			FSAs: []synth.FSAFact{{
				Code: fsa("N9A"), City: "Windsor", Municipality: "Windsor", Division: "3537", Point: geo.MustLatLng(42.315, -83.025), HasArea: true,
			}},
		}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.ZIPs[0].Code, c.ZIPs[0].City, c.Counties[0].Name, c.FSAs[0].Code, c.FSAs[0].City)
	// Output: 48226 Detroit Wayne County N9A Windsor
}

func fsa(s string) dataset.FSA {
	f, _ := dataset.ParseFSA(s)
	return f
}

func ExampleCountry_WriteMirror() {
	c, err := synth.New(synth.Options{Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	dir, err := os.MkdirTemp("", "mirror-*")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	if err := c.WriteMirror(context.Background(), dir); err != nil {
		fmt.Println(err)
		return
	}
	_, err = os.Stat(dir + "/download.geonames.org/export/zip/US.zip")
	fmt.Println("GeoNames' file is there:", err == nil)
	// Output: GeoNames' file is there: true
}

func ExampleCountry_WriteZIP4() {
	c, err := synth.New(synth.Options{Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	n, err := c.WriteZIP4(context.Background(), io.Discard, synth.ZIP4Options{Records: 10_000})
	fmt.Println(n, err)
	// Output: 10000 <nil>
}
