package table_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/enrich/table"
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
