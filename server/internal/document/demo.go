package document

// TestRadiusMiles is the largest radius with a test key, in either mode.
const TestRadiusMiles = 10

// DemoCodes are the codes that demo and test keys may look up, in canonical form
// (decision D31).
var DemoCodes = []string{
	"90210", "10001", "10118", "32504", "00601", "96950", "33139", "60601", "98101", "30301", "K1A", "K1A 0B1", "M5V",
}

// DemoAddresses are the addresses that demo and test keys may match: one of the sample
// for each kind of record. Letter case and spaces are ignored.
var DemoAddresses = []string{
	"100 E Oak Blvd, New York, NY 10001",
	"101 N Aspen Dr, New York, NY 10118",
	"101 N Aspen Dr Ste 101, New York, NY 10118",
	"PO Box 5, New York, NY 10001",
	"General Delivery, New York, NY 10001",
}
