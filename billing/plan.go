package billing

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/postgeo/postgeo/internal/enum"
)

// A Plan is the plan of an account. The zero Plan has no rights.
type Plan uint8

// The plans, from the smallest.
const (
	Free         Plan = iota + 1 // daily free credits
	Restricted                   // Free under review: a lower rate
	Developer                    // the smallest paid plan
	Professional                 //
	Business                     // the largest plan with a price
	Enterprise                   // agreed one by one
)

// Plans lists all plans in their order.
func Plans() []Plan {
	return []Plan{Free, Restricted, Developer, Professional, Business, Enterprise}
}

// Limits are the limits of a plan.
type Limits struct {
	RatePerMinute  int  // per key, in six segments of ten seconds
	DailyCredits   int  // free credits a day, 00:00 to 24:00 UTC; 0: none
	MonthlyCredits int  // credits per billing period; 0: none, or agreed with the account
	CentroidMiles  int  // largest radius in centroid mode
	SpatialMiles   int  // largest radius in spatial mode
	Suggestions    int  // maximum suggestions per call
	Keys           int  // maximum usable keys
	Batch          bool // batch routes may be called
}

// Limits of callers without a plan and of test, demo and free keys.
const (
	DemoRatePerMinute  = 5  // requests with the demo key, per address
	TestRadiusMiles    = 10 // radius with a test key, in either mode
	freeSuggestions    = 15 // suggestions of free, test and demo keys
	freeCentroidMiles  = 100
	freeSpatialMiles   = 50
	paidCentroidMiles  = 500
	paidSpatialMiles   = 250
	paidSuggestions    = 500
	dailyFreeCredits   = 2_500
	developerCredits   = 100_000
	professionalCredit = 350_000
	businessCredits    = 1_500_000
)

var planLimits = [...]Limits{
	Free:         {RatePerMinute: 60, DailyCredits: dailyFreeCredits, CentroidMiles: freeCentroidMiles, SpatialMiles: freeSpatialMiles, Suggestions: freeSuggestions, Keys: 2},
	Restricted:   {RatePerMinute: 20, DailyCredits: dailyFreeCredits, CentroidMiles: freeCentroidMiles, SpatialMiles: freeSpatialMiles, Suggestions: freeSuggestions, Keys: 2},
	Developer:    {RatePerMinute: 300, MonthlyCredits: developerCredits, CentroidMiles: paidCentroidMiles, SpatialMiles: paidSpatialMiles, Suggestions: paidSuggestions, Keys: 5, Batch: true},
	Professional: {RatePerMinute: 300, MonthlyCredits: professionalCredit, CentroidMiles: paidCentroidMiles, SpatialMiles: paidSpatialMiles, Suggestions: paidSuggestions, Keys: 10, Batch: true},
	Business:     {RatePerMinute: 600, MonthlyCredits: businessCredits, CentroidMiles: paidCentroidMiles, SpatialMiles: paidSpatialMiles, Suggestions: paidSuggestions, Keys: 25, Batch: true},
	Enterprise:   {RatePerMinute: 1_800, CentroidMiles: paidCentroidMiles, SpatialMiles: paidSpatialMiles, Suggestions: paidSuggestions, Keys: 100, Batch: true},
}

// Limits returns the limits of the plan, all zero for an invalid plan.
func (p Plan) Limits() Limits {
	if int(p) >= len(planLimits) {
		return Limits{}
	}
	return planLimits[p]
}

// Paid reports whether the plan is a subscription.
func (p Plan) Paid() bool { return p >= Developer && p <= Enterprise }

var planNames = enum.Names[Plan]{Free: "free", Restricted: "restricted", Developer: "developer", Professional: "professional", Business: "business", Enterprise: "enterprise"}

// String returns the plan's name, e.g. "developer", or "none" for an invalid plan.
func (p Plan) String() string { return cmp.Or(planNames.Of(p), "none") }

// ParsePlan reads a plan's name.
func ParsePlan(s string) (Plan, error) {
	if p, ok := planNames.Find(s); ok {
		return p, nil
	}
	return 0, fmt.Errorf("billing: %q is not a plan; expected one of %s", s, strings.Join(planNames[1:], ", "))
}

// packSizes are the packs on offer.
var packSizes = [...]int{25_000, 65_000, 150_000, 300_000, 2_000_000}

// PackSizes returns the credits of the packs on offer, ascending.
func PackSizes() []int { return append([]int(nil), packSizes[:]...) }

// A Period is a span of time from Start to before End, in UTC.
type Period struct{ Start, End time.Time }

// Day returns the day that holds t: 00:00 UTC to the next 00:00 UTC.
func Day(t time.Time) Period {
	y, m, d := t.UTC().Date()
	start := time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	return Period{start, start.AddDate(0, 0, 1)}
}

// Month returns the billing period around t of a subscription that began at
// anchor. Periods begin at the anchor's time and day of the month. In shorter
// months they begin on the last day: after January 31 follow February 28 or 29 and
// March 31. Before the anchor, Month returns the first period.
func Month(anchor, t time.Time) Period {
	anchor, t = anchor.UTC(), t.UTC()
	n := (t.Year()-anchor.Year())*12 + int(t.Month()-anchor.Month())
	if t.Before(monthsAfter(anchor, n)) {
		n--
	}
	n = max(n, 0)
	return Period{monthsAfter(anchor, n), monthsAfter(anchor, n+1)}
}

// monthsAfter returns the anniversary n months after the anchor.
func monthsAfter(anchor time.Time, n int) time.Time {
	first := time.Date(anchor.Year(), anchor.Month()+time.Month(n), 1, 0, 0, 0, 0, time.UTC)
	last := first.AddDate(0, 1, -1).Day()
	h, m, s := anchor.Clock()
	return time.Date(first.Year(), first.Month(), min(anchor.Day(), last), h, m, s, anchor.Nanosecond(), time.UTC)
}
