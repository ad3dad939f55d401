package lookup

import (
	"time"

	"github.com/postgeo/postgeo/internal/store"
)

var NewReader = newReader

func (r *Reader) TimeZone(id store.ZoneID, at time.Time) *TimeZone { return r.zone(id, at) }

func (r *Reader) Dataset() *store.Dataset { return r.data }

// ThresholdOf is tested by itself.
var ThresholdOf = thresholdOf

func (c Code) Normalizes(s string) bool { return c.normalizes(s) }

var FSACode = fsaCode

var FlagOf = flagOf

func NewZone(loc *time.Location, at time.Time) Zone {
	z, _, _ := zoneAt(loc, at)
	return z
}

var ZIP4Code = zip4Code

var ZIPCode = zipCode

var Full, Quick = (*Reader).full, (*Reader).quick

// PostalCode is codeOfPostal.
var PostalCode = codeOfPostal
