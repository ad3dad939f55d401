package geocode

import (
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/internal/store"
)

// canadian gives the street of a reading the form of the dataset.
func canadian(a *address.Address) {
	if a.Kind == address.Street && a.Street != "" {
		n := store.CanadianRoadName(a.Line())
		a.PreDirectional, a.PreType, a.Street, a.Suffix, a.PostDirectional = n.PreDir, "", n.Name, n.Suffix, n.PostDir
	}
}

// streetOf returns the name of a street as its province writes it.
func streetOf(n *store.RoadName, a store.RoadArea, state string) string {
	if _, ok := a.FSA(); ok {
		return n.French(state == "QC")
	}
	return n.String()
}
