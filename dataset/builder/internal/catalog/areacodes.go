package catalog

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// An AreaCode is a row of the table of area codes of the United States that share
// an area. The table states facts of the North American Numbering Plan, from the
// planning letters of its administrator and the orders of state commissions.
type AreaCode struct {
	Code     uint16
	Overlays []uint16 // the codes that had the area before; nil if the code has an area of its own
	Counties []string // FIPS codes of the counties that are the area; nil if it does not follow counties
	Since    string   // day or year of service
}

//go:embed area_codes.csv
var areaCodes string

// AreaCodes returns the table.
func AreaCodes() ([]AreaCode, error) {
	rows, err := csv.NewReader(strings.NewReader(areaCodes)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("area_codes.csv: %w", err)
	}
	var list []AreaCode
	for _, r := range rows[1:] {
		c := AreaCode{Counties: strings.Fields(r[2]), Since: r[3]}
		for _, text := range slices.Concat(strings.Fields(r[1]), r[:1]) {
			code, err := strconv.ParseUint(text, 10, 16)
			if err != nil {
				return nil, fmt.Errorf("area_codes.csv: %w", err)
			}
			c.Overlays = append(c.Overlays, uint16(code))
		}
		last := len(c.Overlays) - 1
		c.Code, c.Overlays = c.Overlays[last], c.Overlays[:last]
		list = append(list, c)
	}
	return list, nil
}
