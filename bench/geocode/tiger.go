package main

import _ "embed" // the statements

// Statements of the geocoder of PostGIS. Its tables have one state, county and place
// around all ranges; ZIP Codes separate them.
var (
	//go:embed tables.sql
	tigerSource string
	//go:embed load.sql
	tigerTables string
	//go:embed lookup.sql
	tigerLookups string
)
