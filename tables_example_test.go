package postgeo_test

import (
	"context"
	"fmt"

	"github.com/postgeo/postgeo"
)

// The sample has no tables of users.
func ExampleDB_Tables() {
	db, err := postgeo.OpenSample()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	tables, err := db.Tables(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(tables))
	// Output: 0
}
