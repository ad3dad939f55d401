package server_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/server"
)

func ExampleServer_Handler() {
	db, err := postgeo.OpenSample()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	srv, err := server.New(db, server.Config{Links: envelope.Links{Docs: "https://example.com/docs"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	w := httptest.NewRecorder()
	srv.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v2/quick-zip?code=90210", nil))

	var answer struct{ Results []lookup.QuickRecord }
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		fmt.Println(err)
		return
	}
	place := answer.Results[0]
	fmt.Println(w.Code, place.City, place.State)
	// Output:
	// 200 Beverly Hills CA
}
