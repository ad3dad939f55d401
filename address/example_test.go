package address_test

import (
	"fmt"

	"github.com/postgeo/postgeo/address"
)

func ExampleParse() {
	p, err := address.Parse("Jane Doe, 5515-A N.W. 3rd Str Apt. 4, Ely MN 557311234")
	if err != nil {
		fmt.Println(err)
		return
	}
	a := &p[0]
	fmt.Println(a.Recipient)
	fmt.Println(a.Number, a.Line(), a.Secondary)
	fmt.Println(a.City, a.State, a.ZIP, a.Plus4)
	// Output:
	// JANE DOE
	// 5515-A NW 3RD ST APT 4
	// ELY MN 55731 1234
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
