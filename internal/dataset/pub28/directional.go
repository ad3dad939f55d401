package pub28

import "strings"

var directionals = map[string]string{
	"N": "N", "NORTH": "N", "NO": "N", "NRTH": "N",
	"S": "S", "SOUTH": "S", "SO": "S", "STH": "S",
	"E": "E", "EAST": "E", "W": "W", "WEST": "W",
	"NE": "NE", "NORTHEAST": "NE", "NW": "NW", "NORTHWEST": "NW",
	"SE": "SE", "SOUTHEAST": "SE", "SW": "SW", "SOUTHWEST": "SW",
	"NORTE": "N", "SUR": "S", "ESTE": "E", "OESTE": "W",
}

// Directional returns the abbreviation of a direction: N, S, E, W, NE, NW, SE
// or SW, of its English and Spanish words and of itself.
func Directional(word string) (abbr string, ok bool) {
	abbr, ok = directionals[word]
	return abbr, ok
}

var directionNames = map[string]string{
	"N": "NORTH", "S": "SOUTH", "E": "EAST", "W": "WEST",
	"NE": "NORTHEAST", "NW": "NORTHWEST", "SE": "SOUTHEAST", "SW": "SOUTHWEST",
}

// Agree reports whether two abbreviated directions are equal, or one is more
// exact than the other (N and NE). Neither N and S nor N and E agree.
func Agree(a, b string) bool {
	return a == b || a != "" && b != "" && (strings.Contains(a, b) || strings.Contains(b, a))
}
