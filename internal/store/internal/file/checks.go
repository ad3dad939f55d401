package file

import (
	"database/sql/driver"
	"fmt"
)

// checks are queries without rows in a sound file, each with a sentence about its rows. They
// hold what the constraints of the schema cannot: facts about several rows or tables. Finish
// runs them before a file gets its name, and Verify again.
var checks = []struct{ sentence, sql string }{
	{"A row refers to no row of another table", `SELECT "table" || ' to ' || coalesce(parent, '') FROM pragma_foreign_key_check`},
	{"The outline of a ZIP Code belongs to none", "SELECT key FROM outline_key WHERE outline = 'zip' AND key NOT IN (SELECT zip FROM zip)"},
	{"The outline of a forward sortation area belongs to none", "SELECT key FROM outline_key WHERE outline = 'fsa' AND key NOT IN (SELECT fsa FROM fsa)"},
	{"The outline of a state belongs to none", "SELECT key FROM outline_key WHERE outline = 'state' AND key NOT IN (SELECT state FROM state)"},
	{"The outline of a county belongs to none", "SELECT key FROM outline_key WHERE outline = 'county' AND key NOT IN (SELECT county FROM county)"},
	{"The outline of a time zone belongs to none", "SELECT key FROM outline_key WHERE outline = 'zone' AND CAST(key AS INTEGER) NOT IN (SELECT id FROM zone)"},
	{"Overlaps belong to no code", "SELECT code FROM code_outline WHERE code NOT IN (SELECT zip FROM zip) AND code NOT IN (SELECT fsa FROM fsa)"},
	{"A layer has other areas than it lists", `SELECT layer.layer FROM layer LEFT JOIN area ON area.layer = layer.id GROUP BY layer.id
		HAVING count(area.id) <> areas OR min(area.id) <> first_area OR max(area.id) <> first_area + areas - 1`},
	{"Areas of a layer are not in the order of their codes", `SELECT geoid FROM (SELECT geoid, lag(geoid) OVER (PARTITION BY layer ORDER BY id) AS before FROM area) WHERE before >= geoid`},
	{"A code without an outline shares more than its point", "SELECT code FROM overlap JOIN code_outline USING (code) WHERE code_outline.outline = 0 AND shared <> 0"},
	{"Census areas of a postal code are missing", "SELECT postal_code FROM postal_code WHERE place > 0 AND place NOT IN (SELECT place FROM census_area)"},
	{"Streets have other pages than they list", "SELECT zip FROM street_zip z WHERE pages <> (SELECT count(*) FROM zip4 p WHERE p.id BETWEEN CAST(zip AS INTEGER) * 10000 AND CAST(zip AS INTEGER) * 10000 + 9999)"},
	{"Roads have other pages than they list", "SELECT code FROM road_area a WHERE pages <> (SELECT count(*) FROM road r WHERE r.id BETWEEN a.id * 100000 AND a.id * 100000 + 99999)"},
}

// Check calls found with the sentence and the first row of each check that fails.
func (c *Connection) Check(found func(sentence, row string) error) error {
	for _, x := range checks {
		first, broken := "", false
		err := c.Query(x.sql+" LIMIT 1", func(v []driver.Value) error {
			first, broken = fmt.Sprint(v[0]), true
			return nil
		})
		if err == nil && broken {
			err = found(x.sentence, first)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
