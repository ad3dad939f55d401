package table_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/internal/sampletest"
)

// TestExports finds the columns of addresses in the exports of other programs.
func TestExports(t *testing.T) {
	tests := []struct{ name, header, want, country string }{
		{"Salesforce report", "Account Name;Mailing Street;Mailing City;Mailing State/Province;Mailing Zip/Postal Code;Mailing Country;Email", "Mailing Street;Mailing City;Mailing State/Province;Mailing Zip/Postal Code", "Mailing Country"},
		{"Salesforce object", "Id;BillingStreet;BillingCity;BillingState;BillingPostalCode;BillingCountry;ShippingStreet;ShippingCity;ShippingState;ShippingPostalCode;ShippingCountry", "BillingStreet;BillingCity;BillingState;BillingPostalCode", "BillingCountry"},
		{"QuickBooks", "Customer;Email;Phone;Billing Address Street;Billing Address City;Billing Address State;Billing Address Zip;Billing Address Country", "Billing Address Street;Billing Address City;Billing Address State;Billing Address Zip", "Billing Address Country"},
		{"QuickBooks Desktop", "Customer;Street1;Street2;City;State;Zip", "Street1;Street2;City;State;Zip", ""},
		{"Shopify orders", "Name;Email;Shipping Name;Shipping Street;Shipping Address1;Shipping Address2;Shipping Company;Shipping City;Shipping Zip;Shipping Province;Shipping Country", "Shipping Address1;Shipping Address2;Shipping City;Shipping Province;Shipping Zip", "Shipping Country"},
		{"Shopify customers", "Email;Default Address Company;Default Address Address1;Default Address Address2;Default Address City;Default Address Province Code;Default Address Country Code;Default Address Zip", "Default Address Address1;Default Address Address2;Default Address City;Default Address Province Code;Default Address Zip", "Default Address Country Code"},
		{"Mailchimp", "Email Address;First Name;Last Name;Address;Phone Number;MEMBER_RATING;REGION;CC", "Address", ""},
		{"capitals", "CUST;ADDR1;ADDR2;CITY;ST;ZIP", "ADDR1;ADDR2;CITY;ST;ZIP", ""},
		{"Google", "Name;E-mail 1 - Value;Address 1 - Type;Address 1 - Formatted;Address 1 - Street;Address 1 - City;Address 1 - PO Box;Address 1 - Region;Address 1 - Postal Code;Address 1 - Country", "Address 1 - Street;Address 1 - City;Address 1 - Region;Address 1 - Postal Code", "Address 1 - Country"},
		{"NPI", "NPI;Provider First Line Business Mailing Address;Provider Second Line Business Mailing Address;Provider Business Mailing Address City Name;Provider Business Mailing Address State Name;Provider Business Mailing Address Postal Code;Provider Business Mailing Address Country Code (If outside U.S.);Provider Business Mailing Address Telephone Number", "Provider First Line Business Mailing Address;Provider Second Line Business Mailing Address;Provider Business Mailing Address City Name;Provider Business Mailing Address State Name;Provider Business Mailing Address Postal Code", "Provider Business Mailing Address Country Code (If outside U.S.)"},
		{"house numbers", "ID;House Number;Street Name;Unit;City;State;Zip Code", "House Number;Street Name;Unit;City;State;Zip Code", ""},
		{"registers", "NUMBER;PREDIR;STREET;STREET TYPE;UNIT;CITY;REGION;POSTCODE", "NUMBER;PREDIR;STREET;STREET TYPE;UNIT;CITY;REGION;POSTCODE", ""},
		{"WooCommerce", "billing_address_1;billing_address_2;billing_city;billing_state;billing_postcode;billing_country", "billing_address_1;billing_address_2;billing_city;billing_state;billing_postcode", "billing_country"},
		{"HubSpot", "First Name;Street Address;Street Address 2;City;State/Region;Postal Code;Country/Region", "Street Address;Street Address 2;City;State/Region;Postal Code", "Country/Region"},
		{"Dynamics", "Address 1: Street 1;Address 1: Street 2;Address 1: City;Address 1: State/Province;Address 1: ZIP/Postal Code;Address 1: Country/Region", "Address 1: Street 1;Address 1: Street 2;Address 1: City;Address 1: State/Province;Address 1: ZIP/Postal Code", "Address 1: Country/Region"},
		{"Amazon", "order-id;ship-address-1;ship-address-2;ship-city;ship-state;ship-postal-code;ship-country", "ship-address-1;ship-address-2;ship-city;ship-state;ship-postal-code", "ship-country"},
		{"Outlook", "First Name;Business Street;Business Street 2;Business City;Business State;Business Postal Code;Business Country/Region;Home Street;Home City", "Business Street;Business Street 2;Business City;Business State;Business Postal Code", "Business Country/Region"},
		{"Pipedrive", "Name;Organization - Street/road name of Address;Organization - House number of Address;Organization - City/town/village/locality of Address;Organization - State/county of Address;Organization - ZIP/Postal code of Address;Organization - Country of Address", "Organization - House number of Address;Organization - Street/road name of Address;Organization - City/town/village/locality of Address;Organization - State/county of Address;Organization - ZIP/Postal code of Address", "Organization - Country of Address"},
		{"voters", "county_id;res_street_address;res_city_desc;state_cd;zip_code", "res_street_address;res_city_desc;state_cd;zip_code", ""},
		{"mailers", "Address Line 1;Address Line 2;City Name;State Code;Zip4;ZIP Code 5", "Address Line 1;Address Line 2;City Name;State Code;ZIP Code 5", ""},
	}
	for _, tt := range tests {
		header := strings.Split(tt.header, ";")
		k, err := keysOf(t, header, table.Names{Keys: []string{"address"}})
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		country := ""
		if len(k.Country) > 0 {
			country = header[k.Country[0]]
		}
		if diff := cmp.Diff(tt.want, strings.Join(k.Names, ";")); diff != "" || k.Kind != enrich.Address || country != tt.country {
			t.Errorf("%s: country %q (-want +got):\n%s", tt.name, country, diff)
		}
	}
}

// mixed is a table whose rows have different keys.
const mixed = `id,zip,postal,lat,lon,street,city,state
1,90210,,,,,,
2,,K1A 0B1,,,,,
3,,,40.75,-73.99,,,
4,,,,,350 5th Ave,New York,NY 10118
5,,,,,,,
6,99999,,34.1,-118.4,,,
7,10001,M5V 3L9,34.1,-118.4,350 5th Ave,New York,NY 10118
8,,,34.1,,,Boston,MA
9,,,34.1,,350 5th Ave,New York,NY 10118
`

func mixedJob() job {
	return job{
		names: table.Names{Keys: []string{"zip", "code=postal", "lat,lon", "street,city,state"}, TryNext: true},
		add:   []string{"code", "home=city", "address.confidence"},
	}
}

// TestSeveralKeys checks which key each row of a mixed table uses.
func TestSeveralKeys(t *testing.T) {
	const head = "id,zip,postal,lat,lon,street,city,state,code,home,address.confidence,postgeo_status,postgeo_reason\n"
	sixth := `6,99999,,34.1,-118.4,,,,90210,Beverly Hills,,matched,`
	want := head + `1,90210,,,,,,,90210,Beverly Hills,,matched,
2,,K1A 0B1,,,,,,K1A 0B1,Ottawa,,matched,
3,,,40.75,-73.99,,,,10001,New York,,matched,
4,,,,,350 5th Ave,New York,NY 10118,10118-8059,New York,medium,matched,PARTIAL_MATCH; SECONDARY_NEEDED
5,,,,,,,,,,,empty,
` + sixth + `
7,10001,M5V 3L9,34.1,-118.4,350 5th Ave,New York,NY 10118,10001,New York,,matched,
8,,,34.1,,,Boston,MA,,,,invalid,"VALIDATION_INVALID_COORDINATES: Invalid coordinates: '34.1,'. Expected latitude,longitude in decimal degrees, latitude -90 to 90 and longitude -180 to 180."
9,,,34.1,,350 5th Ave,New York,NY 10118,10118-8059,New York,medium,matched,PARTIAL_MATCH; SECONDARY_NEEDED
`
	got, _, err := mixedJob().stream(t, mixed)
	check(t, err)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

// TestNameKeys checks which keys texts name.
func TestNameKeys(t *testing.T) {
	header := strings.Split("id,ZIP,lat,lon,address,city,state,Breite,L\u00e4nge", ",")
	tests := []struct {
		keys []string
		want string // kinds and columns, or a part of the error
	}{
		{[]string{"zip"}, "code ZIP"},
		{[]string{"zip", "lat,lon"}, "code ZIP; coordinates lat lon"},
		{[]string{"lat, lon", "id"}, "coordinates lat lon; code id"},
		{[]string{"coordinates", "code", "address"}, "coordinates lat lon; code ZIP; address address city state ZIP"},
		{[]string{"address=address", "#2"}, "address address; code ZIP"},
		{[]string{"street=address,zip=ZIP"}, "address address ZIP"},
		{[]string{"address=street=address,city=city"}, "address address city"},
		{[]string{"coordinates=Breite,L\u00e4nge", "city,state"}, "coordinates Breite L\u00e4nge; city city state"},
		{[]string{"city=id", "code=id"}, "city id; code id"},
		{[]string{"city"}, "city city state"},
		{[]string{"Breite,L\u00e4nge"}, "do not define its kind"},
		{[]string{"coordinates=lat"}, "has 1 columns"},
		{[]string{"code=ZIP,id"}, "has 2 columns"},
		{[]string{"zip", "none"}, `there is no column "none"`},
		{[]string{""}, `there is no column ""`},
	}
	for _, tt := range tests {
		keys, err := keysOf(t, header, table.Names{Keys: tt.keys, TryNext: true})
		if err != nil {
			if !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%q: %v, want %q", tt.keys, err, tt.want)
			}
			continue
		}
		var got []string
		for _, k := range append([]table.Keys{keys}, keys.Next...) {
			got = append(got, string(k.Kind)+" "+strings.Join(k.Names, " "))
		}
		if diff := cmp.Diff(tt.want, strings.Join(got, "; ")); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.keys, diff)
		}
	}
	if k, err := keysOf(t, []string{"City", "Region", "ST"}, table.Names{Keys: []string{"city"}}); err != nil || k.Names[1] != "ST" {
		t.Errorf("the state of a city is in %q, %v", k.Names, err)
	}
	if _, err := keysOf(t, header, table.Names{Keys: []string{"zip", "lat,lon"}}); err == nil || !strings.Contains(err.Error(), "--try-next") {
		t.Errorf("two keys without TryNext: %v", err)
	}
}

// keysOf finds the keys of a table that has only a header.
func keysOf(t *testing.T, header []string, n table.Names) (table.Keys, error) {
	t.Helper()
	s, err := table.Read(strings.NewReader(strings.Join(header, "\t")+"\n"), table.Input{Format: table.TSV})
	check(t, err)
	return s.FindKeys(n)
}

// TestNamesOfCodes finds codes by the names of their columns.
func TestNamesOfCodes(t *testing.T) {
	for _, name := range []string{
		"Billing Zip/Postal Code", "MailingPostalCode", "ZIP_CD", "Customer Zip", "zip_code_5", "Shipping Zip", "Postal/ZIP Code", "ZIPCODE", "BillToZip", "ship-zip5",
		"PATIENT_ZIP", "Home ZCTA", "fsa of customer",
	} {
		if k, err := keysOf(t, []string{name}, table.Names{}); err != nil || k.Kind != enrich.Code {
			t.Errorf("%q is not the name of codes", name)
		}
	}
	for _, name := range []string{"zip_type", "Postal State", "zipfile", "is_zip_valid", "zipper", "unzipped", "ZIP count", `""`, "postage", "zip_lat"} {
		if _, err := keysOf(t, []string{name}, table.Names{}); err == nil {
			t.Errorf("%q is the name of codes", name)
		}
	}
}

// TestGuess finds columns of codes by their names and values together.
func TestGuess(t *testing.T) {
	for text, want := range map[string]string{
		"Code,Ship To Zip\nA-1,90210\nB-2,10001\n":           "Ship To Zip", // values decide
		"zip,Billing Zip\nyes,90210\nno,10001\n":             "Billing Zip",
		"Postal,Billing Zip\n,90210\n,10001\n":               "Billing Zip",
		"Billing Zip,zip\n90210,10001\n":                     "zip", // else the usual name
		"Billing Zip,Code\n90210,10001\n":                    "Code",
		"zip4,zip5\n1234,90210\n":                            "zip5",
		"zip,note\nnone,1\nnone,2\n":                         "zip", // the only one
		"Zip Type,Customer Zip\nStandard,=\"00501\"\n":       "Customer Zip",
		"Customer Zip,Shipping Zip,id\n90210,,1\n,,2\n":      "Customer Zip",
		"id,Dest Zip;Ship Zip\n1,'02139\n2,9.021E+04\n":      "Dest Zip;Ship Zip",
		"customer_zip,customer_zip_type\n90210,1\n10001,2\n": "customer_zip",
	} {
		s, err := table.Read(strings.NewReader(text), table.Input{})
		check(t, err)
		keys, err := s.FindKeys(table.Names{})
		if err != nil || len(keys.Names) != 1 || keys.Names[0] != want {
			t.Errorf("%q: columns %q, %v; want %q", text, keys.Names, err, want)
		}
	}
}

// TestPlaces reads the keys and cells of a list of places.
func TestPlaces(t *testing.T) {
	text := `{"id":1,"note":"x","at":{"zip":"99999"}}` + "\n" + `{"id":2,"note":"a, b","at":{"zip":90210}}` + "\n"
	src, err := table.Read(strings.NewReader(text), table.Input{})
	check(t, err)
	defer src.Close()
	keys, err := src.FindKeys(table.Names{Code: "at.zip"})
	check(t, err)
	var got []string
	for p, err := range src.Places(keys) {
		got = append(got, fmt.Sprint(p, err))
	}
	want := []string{`{99999 [1 x {"zip":"99999"}]} <nil>`, `{90210 [2 a, b {"zip":90210}]} <nil>`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A list that its format does not allow says where.
func TestBrokenListOfPlaces(t *testing.T) {
	src, err := table.Read(strings.NewReader("id,zip\n1,90210\n2\n"), table.Input{})
	check(t, err)
	defer src.Close()
	keys, err := src.FindKeys(table.Names{})
	check(t, err)
	_, err = enrich.NewPlaces(t.Context(), sampletest.Shared(t), src.Header(), src.Places(keys), enrich.PlaceOptions{Kind: keys.Kind})
	var row *table.Error
	if !errors.As(err, &row) || row.Line != 3 {
		t.Errorf("error %v, want an Error of line 3", err)
	}
}
