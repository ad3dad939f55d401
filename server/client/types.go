// Code generated from api/names.txt by "go test ./api -update"; DO NOT EDIT.

package client

import (
	"github.com/postgeo/postgeo/envelope"
)

// A BatchMeta counts the items of a batch.
//
//	type BatchMeta struct {
//		Requested int // items of the request
//		Succeeded int // successful items
//		Failed    int // failed items
//	}
type BatchMeta = envelope.Batch

// A Breakdown explains a cost.
//
//	type Breakdown struct {
//		Base        int         // credits of the look-up itself
//		Enrichments Enrichments // credits of each enrichment that was delivered
//		Calculation string      // e.g. "2 base x (1 + 1 timezone) = 4"
//		Note        string      // explains the sum
//	}
type Breakdown = envelope.Breakdown

// A Code is one of the contract's error and notice codes.
type Code = envelope.Code

// A CreditSource is a source of credits.
//
//	type CreditSource string
type CreditSource = envelope.CreditSource

// Credits are the cost of a request and their source.
//
//	type Credits struct {
//		Used      int          // cost of the response
//		Source    CreditSource // source of the credits
//		Remaining *int         // nil if nothing is counted
//		Breakdown Breakdown
//	}
type Credits = envelope.Credits

// A DatabaseHealth is the state of the dataset.
//
//	type DatabaseHealth struct {
//		Connected bool  // whether the dataset responds
//		LatencyMS int64 // milliseconds, rounded down
//	}
type DatabaseHealth = envelope.DatabaseHealth

// A Debug describes the processing of a request (decision D24).
//
//	type Debug struct {
//		StagesMS   Stages // milliseconds of each stage of the work
//		Candidates int    // results considered
//		Dataset    string // version of the dataset
//	}
type Debug = envelope.Debug

// Enrichments are the credits of each charged flag. Nil is written as the
// empty object.
//
//	type Enrichments map[string]int
type Enrichments = envelope.Enrichments

// A Health is the state of the server.
//
//	type Health struct {
//		Status               HealthStatus // of the whole server
//		Database             DatabaseHealth
//		Version              string // [Version]
//		CoordObfuscatorReady bool   // the dataset's spatial index is loaded
//	}
type Health = envelope.Health

// A HealthStatus is the state of the service, checked at every call.
//
//	type HealthStatus string
type HealthStatus = envelope.HealthStatus

// An Input repeats the input of an item, as given.
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

// A Meta describes the request. Every response has one.
//
//	type Meta struct {
//		RequestID string // ULID, also in the header X-Request-Id
//		Version   string // [Version]
//		TimingMS  int64  // processing time, milliseconds rounded down
//		Credits   Credits
//		Notices   []Notice   // about the request as a whole
//		Batch     *BatchMeta // batch routes only
//		RateLimit *RateLimit // rate-limit errors only
//		Debug     *Debug     // keys with the debug scope only
//	}
type Meta = envelope.Meta

// A Notice describes a property of a result that is not an error.
//
//	type Notice struct {
//		Code    Code        // one of the contract's notice codes
//		Message string      // a message for people
//		Class   NoticeClass // the subject of the notice
//		URL     string      // page with details; with FREE_TIER_LIMIT_CAPPED only
//	}
type Notice = envelope.Notice

// A NoticeClass groups notices.
//
//	type NoticeClass string
type NoticeClass = envelope.Class

// A RadiusMax is the requested outer limit of a radius search: a number of miles
// or the name of an automatic rule.
//
//	type RadiusMax struct {
//		Miles float64 // above 0; ignored when Auto is set
//		Auto  string  // "auto", "auto-commute" or ""
//	}
type RadiusMax = envelope.RadiusMax

// A RateLimit is the limit that a refused request exceeded.
//
//	type RateLimit struct {
//		Limit      int    // requests in the window
//		Window     string // "minute"
//		RetryAfter int    // seconds
//	}
type RateLimit = envelope.RateLimit

// A Stage is one stage of the processing.
//
//	type Stage struct {
//		Name string
//		MS   float64 // milliseconds
//	}
type Stage = envelope.Stage

// Stages are the times of the stages of the processing, in order. They are written
// as one object.
//
//	type Stages []Stage
type Stages = envelope.Stages
