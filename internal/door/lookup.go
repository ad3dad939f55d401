package door

// A Selection lists the values that a caller reads from a record besides its identity,
// families and tables. Others may be missing, and so may the notices about coordinates.
type Selection struct {
	// Details are the members of a record that describe its code, such as its
	// elevation and its metro.
	Details bool
	// Aliases are the other names of its place.
	Aliases bool
	// Census lists members of a lookup.CensusPeriod with areas, by their names in JSON.
	Census []string
	// Outside indicates that a coordinate outside the areas of all codes has a record
	// too, if it has a time zone or a family with areas. The record has no identity, and a
	// notice with the code of the error.
	Outside bool
}

// A Same identifies the areas around a coordinate, which decide its values.
// Coordinates with equal keys have equal records, but for the coordinate itself in
// errors.
type Same struct {
	Zone  bool   // the time zone of the coordinate is needed
	Code  bool   // the code around the coordinate is needed, not only its state
	Key   []byte // the numbers of areas are appended
	Known bool   // false if the values may depend on more
}
