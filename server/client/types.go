package client

import (
	"github.com/postgeo/postgeo/internal/envelope"
)

// The comments of these types repeat their declarations in the package that defines
// them. "go test ./api -update" writes them.

// Code is a code of the HTTP contract, such as "NOT_FOUND_ZIP".
type Code = envelope.Code

// Input identifies an item of a batch.
//
//	type Input struct {
//		Index   *int       // position in a batch of radius searches, from 0
//		Code    string     // code or coordinate, as given
//		Max     *RadiusMax // radius as given; batch of radius searches only
//		From    string     // start of a distance, as given
//		To      string     // end of a distance, as given
//		Address string     // address, as given
//	}
type Input = envelope.Input

// Meta is the metadata of a response.
//
//	type Meta struct {
//		RequestID string // ULID, also in the header X-Request-Id
//		Version   string // [Version]
//		TimingMS  int64  // processing time, milliseconds rounded down
//		Credits   Credits
//		Notices   []Notice   // about the request as a whole
//		Batch     *Batch     // batch routes only
//		RateLimit *RateLimit // rate-limit errors only
//		Debug     *Debug     // keys with the debug scope only
//	}
type Meta = envelope.Meta

// Credits is the charge of a request.
//
//	type Credits struct {
//		Used      int          // cost of the response
//		Source    CreditSource // source of the credits
//		Remaining *int         // nil if nothing is counted
//		Breakdown Breakdown
//	}
type Credits = envelope.Credits

// Notice is a remark about a result.
//
//	type Notice struct {
//		Code    Code   // one of the contract's notice codes
//		Message string // a message for people
//		Class   Class  // the subject of the notice
//		URL     string // page with details; with FREE_TIER_LIMIT_CAPPED only
//	}
type Notice = envelope.Notice

// Health is the state of the service.
//
//	type Health struct {
//		Status               HealthStatus // of the whole server
//		Database             DatabaseHealth
//		Version              string // [Version]
//		CoordObfuscatorReady bool   // the dataset's spatial index is loaded
//	}
type Health = envelope.Health
