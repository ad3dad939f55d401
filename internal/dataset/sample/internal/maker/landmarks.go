package maker

import (
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/dataset/synth"
)

// landmarks are city halls, stations, museums and the like, so that an address
// that comes to a newcomer's mind may match. Number, street and ZIP Code are
// real; ranges, add-ons and units of the sample are invented.
var landmarks = []synth.Landmark{
	{ZIP: 2108, Number: 24, Street: "BEACON", Suffix: "ST", Location: geo.MustLatLng(42.3588, -71.0638)},
	{ZIP: 6103, Number: 550, Street: "MAIN", Suffix: "ST", Location: geo.MustLatLng(41.7630, -72.6736)},
	{ZIP: 7030, Number: 94, Street: "WASHINGTON", Suffix: "ST", Location: geo.MustLatLng(40.7379, -74.0309)},
	{ZIP: 10001, Number: 421, Street: "8TH", Suffix: "AVE", Location: geo.MustLatLng(40.7512, -73.9959)},
	{ZIP: 10118, Number: 350, Street: "5TH", Suffix: "AVE", Building: "EMPIRE STATE BUILDING", Location: geo.MustLatLng(40.7484, -73.9857)},
	{ZIP: 11201, Number: 209, Street: "JORALEMON", Suffix: "ST", Location: geo.MustLatLng(40.6927, -73.9903)},
	{ZIP: 19103, Number: 1901, Street: "VINE", Suffix: "ST", Location: geo.MustLatLng(39.9592, -75.1710)},
	{ZIP: 20500, Number: 1600, Street: "PENNSYLVANIA", Suffix: "AVE", PostDir: "NW", Location: geo.MustLatLng(38.8977, -77.0365)},
	{ZIP: 22314, Number: 301, Street: "KING", Suffix: "ST", Location: geo.MustLatLng(38.8048, -77.0432)},
	{ZIP: 30303, Number: 55, Street: "TRINITY", Suffix: "AVE", PostDir: "SW", Location: geo.MustLatLng(33.7486, -84.3905)},
	{ZIP: 33139, Number: 1700, Street: "CONVENTION CENTER", Suffix: "DR", Location: geo.MustLatLng(25.7922, -80.1355)},
	{ZIP: 48226, Number: 2, Street: "WOODWARD", Suffix: "AVE", Building: "COLEMAN A YOUNG MUNICIPAL CENTER", Location: geo.MustLatLng(42.3293, -83.0442)},
	{ZIP: 60601, Number: 200, PreDir: "E", Street: "RANDOLPH", Suffix: "ST", Building: "AON CENTER", Location: geo.MustLatLng(41.8853, -87.6216)},
	{ZIP: 60601, Number: 100, PreDir: "W", Street: "RANDOLPH", Suffix: "ST", Location: geo.MustLatLng(41.8854, -87.6316)},
	{ZIP: 70112, Number: 1300, Street: "PERDIDO", Suffix: "ST", Location: geo.MustLatLng(29.9527, -90.0776)},
	{ZIP: 77002, Number: 901, Street: "BAGBY", Suffix: "ST", Location: geo.MustLatLng(29.7602, -95.3694)},
	{ZIP: 78701, Number: 1100, Street: "CONGRESS", Suffix: "AVE", Location: geo.MustLatLng(30.2747, -97.7404)},
	{ZIP: 78701, Number: 301, PreDir: "W", Street: "2ND", Suffix: "ST", Location: geo.MustLatLng(30.2649, -97.7473)},
	{ZIP: 80202, Number: 1701, Street: "WYNKOOP", Suffix: "ST", Location: geo.MustLatLng(39.7533, -105.0003)},
	{ZIP: 85004, Number: 1625, PreDir: "N", Street: "CENTRAL", Suffix: "AVE", Location: geo.MustLatLng(33.4673, -112.0733)},
	{ZIP: 89101, Number: 495, PreDir: "S", Street: "MAIN", Suffix: "ST", Location: geo.MustLatLng(36.1672, -115.1486)},
	{ZIP: 90012, Number: 200, PreDir: "N", Street: "SPRING", Suffix: "ST", Location: geo.MustLatLng(34.0537, -118.2430)},
	{ZIP: 90012, Number: 800, PreDir: "N", Street: "ALAMEDA", Suffix: "ST", Location: geo.MustLatLng(34.0560, -118.2368)},
	{ZIP: 90210, Number: 455, PreDir: "N", Street: "REXFORD", Suffix: "DR", Location: geo.MustLatLng(34.0730, -118.4003)},
	{ZIP: 90401, Number: 1685, Street: "MAIN", Suffix: "ST", Location: geo.MustLatLng(34.0116, -118.4914)},
	{ZIP: 94105, Number: 415, Street: "MISSION", Suffix: "ST", Building: "SALESFORCE TOWER", Location: geo.MustLatLng(37.7898, -122.3972)},
	{ZIP: 96813, Number: 530, PreDir: "S", Street: "KING", Suffix: "ST", Location: geo.MustLatLng(21.3045, -157.8556)},
	{ZIP: 97204, Number: 1221, PreDir: "SW", Street: "4TH", Suffix: "AVE", Location: geo.MustLatLng(45.5152, -122.6793)},
	{ZIP: 98101, Number: 85, Street: "PIKE", Suffix: "ST", Location: geo.MustLatLng(47.6097, -122.3420)},
	{ZIP: 99501, Number: 632, PreDir: "W", Street: "6TH", Suffix: "AVE", Location: geo.MustLatLng(61.2167, -149.8937)},
}
