package lookup

// localeNames are the names that the National Center for Education Statistics gives
// urban-centric locales.
var localeNames = map[string]string{
	"11": "City, large", "12": "City, midsize", "13": "City, small",
	"21": "Suburb, large", "22": "Suburb, midsize", "23": "Suburb, small",
	"31": "Town, fringe", "32": "Town, distant", "33": "Town, remote",
	"41": "Rural, fringe", "42": "Rural, distant", "43": "Rural, remote",
}
