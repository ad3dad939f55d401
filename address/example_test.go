package address_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/envelope"
)

func ExampleParse() {
	p, err := address.Parse("Jane Doe, 5515-A N.W. 3rd Str Apt. 4, Ely MN 557311234")
	if err != nil {
		log.Fatal(err)
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

func ExampleParseOptions() {
	opt, unknown := address.ParseOptions([]string{"coordinates, CD,acs-tract-social_2023,timezone"})
	fmt.Println(opt.Flags(), unknown)
	// Output: [coordinates cd acs_tract_social_2023] [timezone]
}

func ExampleAddress_Reading() {
	readings, err := address.Parse("5515-A N.W. 3rd Str Apt. 4, Ely MN 557311234")
	if err != nil {
		log.Fatal(err)
	}
	c := readings[0].Reading().Components
	fmt.Println(c.Number, c.PreDirectional, c.Street, c.Suffix, c.SecondaryType, c.SecondaryNumber)
	fmt.Println(c.City, c.State, c.ZIP, c.Plus4)
	// Output:
	// 5515-A NW 3RD ST APT 4
	// ELY MN 55731 1234
}

func Example() {
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	opt, unknown := address.ParseOptions([]string{"coordinates,cd,weather"})
	fmt.Println(opt.Enrichments(), unknown)
	m, err := db.MatchAddress(context.Background(), "1100 congres ave austin tx 78701", opt)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Data.FormattedAddress, m.Data.Confidence)
	fmt.Println(m.Data.Delivered, m.Data.Unavailable)
	// Output:
	// [cd] [weather]
	// 1100 CONGRESS AVE, AUSTIN TX 78701-8023 medium
	// [cd] []
}

func ExampleCheck() {
	fmt.Println(address.Check("350 5th Ave, New York, NY"))
	err := address.Check("5th")
	var length *envelope.Failure
	fmt.Println(errors.As(err, &length), err)
	// Output:
	// <nil>
	// true postgeo: match: address has fewer than 9 characters
}

func ExampleUnmatched() {
	fmt.Println(address.Unmatched(&envelope.Failure{Kind: envelope.KindNotFound, Thing: envelope.ThingAddress}))
	fmt.Println(address.Unmatched(address.Check("5th")))
	// Output:
	// true
	// false
}

func ExampleFields_String() {
	fields := address.Fields{Street: "350 5th Ave", City: "New York", State: "NY", ZIP: "10118"}
	fmt.Println(fields.String())
	// Output: 350 5th Ave, New York, NY 10118
}
