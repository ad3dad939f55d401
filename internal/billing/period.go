package billing

import "time"

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
