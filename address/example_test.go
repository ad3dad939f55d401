package address_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/fault"
)

func ExampleParse() {
	p, err := address.Parse("Jane Doe, 5515-A N.W. 3rd Str Apt. 4, Ely MN 557311234")
	if err != nil {
		fmt.Println(err)
		return
	}
	a := p.Best()
	fmt.Println(a.Recipient)
	fmt.Println(a.Number, a.Line(), a.Secondary)
	fmt.Println(a.City, a.State, a.ZIP, a.Plus4)
	// Output:
	// JANE DOE
	// 5515-A NW 3RD ST APT 4
	// ELY MN 55731 1234
}

func ExampleMatcher_Match() {
	var ref address.Memory
	ref.AddZIP(55731, dataset.General, "area", []address.City{{Name: "ELY", State: "MN", Mailing: true, Preferred: true}})
	ref.AddRecord(address.Record{ZIP4Record: dataset.ZIP4Record{
		ZIP: 55731, Low: 1234, High: 1234, RecordType: 'S', PreDir: "E", Street: "SHERIDAN", Suffix: "ST", AddrLow: "100", AddrHigh: "198", OddEven: 'E', State: "MN",
	}})
	ref.Seal()
	m := address.NewMatcher(&ref)
	match, err := m.Match(context.Background(), "140 sheridan street, ely mn")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(match.Data.FormattedAddress, match.Data.Confidence)
	for _, n := range match.Notices {
		fmt.Println(n.Code)
	}
	_, err = m.Match(context.Background(), "141 sheridan street, ely mn")
	fmt.Println(errors.Is(err, fault.ErrNotFound))
	// Output:
	// 140 E SHERIDAN ST, ELY MN 55731-1234 medium
	// MATCHED
	// STREET_CORRECTED
	// true
}

func ExampleClean() {
	fmt.Println(address.Clean("  100 Calle José Martí;\tApt. 4 "))
	// Output: 100 CALLE JOSE MARTI, APT. 4
}

func ExampleParseInclude() {
	inc, unknown := address.ParseInclude([]string{"coordinates, CD,acs-tract-social_2023,timezone"})
	fmt.Println(inc.Flags(), unknown)
	// Output: [coordinates cd acs_tract_social_2023] [timezone]
}
