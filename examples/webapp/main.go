// Command webapp is a web shop's checkout page. It fills in city and state as soon
// as the code is typed, and shows the distance of the parcel. The dataset is in
// the process: the one named by POSTGEO_DATA, else the sample. So a lookup takes
// microseconds, needs no key, and works if no other server does.
//
//	go run ./examples/webapp     # then open http://127.0.0.1:8090/
package main

import (
	_ "embed"
	"encoding/json"
	"flag"
	"log/slog"
	"net/http"
	"os"
	"time"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/examples/internal/input"
	"github.com/postgeo/postgeo/radius"
)

// warehouse is the code that parcels start from.
const warehouse = "98101"

//go:embed page.html
var page []byte

func main() {
	listen := flag.String("listen", "127.0.0.1:8090", "`address` of the shop")
	flag.Parse()
	if err := run(*listen); err != nil {
		slog.Error("checkout", "error", err)
		os.Exit(1)
	}
}

func run(address string) error {
	db, err := input.Dataset()
	if err != nil {
		return err
	}
	defer db.Close()
	// Without a timeout, a client that never ends its headers holds a connection forever.
	s := &http.Server{Addr: address, Handler: newHandler(db), ReadHeaderTimeout: 5 * time.Second}
	slog.Info("checkout", "address", "http://"+address+"/")
	return s.ListenAndServe()
}

// A place holds the values that the page fills in, or an error message.
type place struct {
	City     string  `json:"city,omitzero"`
	State    string  `json:"state,omitzero"`
	Miles    float64 `json:"miles"` // 0 at the warehouse
	Shipping string  `json:"shipping,omitzero"`
	Error    string  `json:"error,omitzero"`
}

func newHandler(db *postgeo.DB) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(page) // the browser may have gone
	})
	mux.HandleFunc("GET /place", func(w http.ResponseWriter, r *http.Request) {
		p, status := find(r, db)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(p) // the browser may have gone
	})
	return mux
}

func find(r *http.Request, db *postgeo.DB) (place, int) {
	// Distance also returns the city and state of its ends, so that one call does both. The
	// context ends with the request.
	d, err := db.Distance(r.Context(), warehouse, r.FormValue("code"), radius.DistanceOptions{})
	// A typing error is shown to the customer. Any other error is logged, because its text is
	// of no use to the customer and may name files.
	if f := envelope.OfInput(err); f != nil {
		return place{Error: f.Message}, http.StatusUnprocessableEntity
	}
	if err != nil {
		slog.Error("distance", "error", err)
		return place{Error: "The code cannot be looked up now."}, http.StatusInternalServerError
	}
	p := place{City: d.To.City, State: d.To.State, Miles: float64(d.Distance.Miles), Shipping: "in two days"}
	if p.Miles > 500 {
		p.Shipping = "in five days"
	}
	return p, http.StatusOK
}
