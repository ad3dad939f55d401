package table

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/postgeo/postgeo/enrich"
)

const (
	day     = 24 * time.Hour
	instant = "2006-01-02T15:04:05.999999999" // without a zone, unless the column is in UTC
)

// Values are converted for keys and for output in other formats; Parquet keeps its own.
// Numbers that neither an Int nor a Float holds exactly, unsigned ones of 64 bits and
// decimals, become JSON of their digits.

// value converts a value: dates and times to the form of RFC 3339, decimals to their
// digits, binary data to hexadecimal.
//
// A logical type is ignored if its physical type does not allow it, because a damaged file
// can hold any type.
func (l *leaf) value(v parquet.Value) enrich.Value {
	whole, bytes := l.kind == parquet.Int32 || l.kind == parquet.Int64, l.kind == parquet.ByteArray || l.kind == parquet.FixedLenByteArray
	switch t := l.logical.(type) {
	case *format.DateType:
		if l.kind == parquet.Int32 {
			return enrich.ValueOf(time.Unix(0, 0).UTC().AddDate(0, 0, int(v.Int32())).Format(time.DateOnly))
		}
	case *format.TimeType:
		if unit := unitOf(t.Unit); whole && integer(v) >= 0 && integer(v) <= int64(day/unit) {
			return enrich.ValueOf(time.Time{}.Add(time.Duration(integer(v)) * unit).Format("15:04:05.999999999"))
		}
	case *format.TimestampType:
		if l.kind == parquet.Int64 {
			layout := instant
			if t.IsAdjustedToUTC {
				layout += "Z"
			}
			unit := int64(unitOf(t.Unit))
			second := int64(time.Second) / unit
			return enrich.ValueOf(time.Unix(v.Int64()/second, v.Int64()%second*unit).UTC().Format(layout))
		}
	case *format.DecimalType:
		if whole || bytes {
			return decimal(v, int(t.Scale))
		}
	case *format.UUIDType:
		if bytes {
			if b := v.ByteArray(); len(b) == 16 {
				return enrich.ValueOf(fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:]))
			}
		}
	case *format.IntType:
		switch {
		case t.IsSigned:
		case l.kind == parquet.Int32:
			return enrich.ValueOf(json.RawMessage(strconv.FormatUint(uint64(v.Uint32()), 10)))
		case l.kind == parquet.Int64: // may be larger than an Int
			return enrich.ValueOf(json.RawMessage(strconv.FormatUint(v.Uint64(), 10)))
		}
	}
	return physical(v)
}

func unitOf(u format.TimeUnit) time.Duration {
	switch u.Value.(type) {
	case *format.MilliSeconds:
		return time.Millisecond
	case *format.MicroSeconds:
		return time.Microsecond
	default:
		return time.Nanosecond
	}
}

func integer(v parquet.Value) int64 {
	if v.Kind() == parquet.Int32 {
		return int64(v.Int32())
	}
	return v.Int64()
}

func physical(v parquet.Value) enrich.Value {
	switch v.Kind() {
	case parquet.Boolean:
		return enrich.ValueOf(v.Boolean())
	case parquet.Int32, parquet.Int64:
		return enrich.ValueOf(integer(v))
	case parquet.Int96: // time stamps of old writers: nanoseconds of the day, and the Julian day
		const epoch = 2440588 // Julian day of 1970-01-01
		i := v.Int96()
		at := time.Unix(0, 0).UTC().AddDate(0, 0, int(int32(i[2]))-epoch).Add(time.Duration(int64(i[1])<<32 | int64(i[0])))
		return enrich.ValueOf(at.Format(instant))
	case parquet.Float: // the shortest decimal: 34.09, not 34.09000015258789
		short, err := strconv.ParseFloat(strconv.FormatFloat(float64(v.Float()), 'g', -1, 32), 64)
		if err != nil {
			return enrich.Value{}
		}
		return enrich.ValueOf(short)
	case parquet.Double:
		return enrich.ValueOf(v.Double())
	default:
		return enrich.ValueOf(string(appendBinary(nil, v.ByteArray())))
	}
}

// appendBinary appends a text, or other data in hexadecimal.
func appendBinary(dst, data []byte) []byte {
	if utf8.Valid(data) {
		return append(dst, data...)
	}
	return hex.AppendEncode(dst, data)
}

// decimal writes a number without its point as one with it. It ignores sizes and scales
// that no number has.
func decimal(v parquet.Value, scale int) enrich.Value {
	const mostBytes, mostDigits = 64, 100 // bound the arithmetic; 76 digits take 32 bytes
	var n big.Int
	if v.Kind() == parquet.Int32 || v.Kind() == parquet.Int64 {
		n.SetInt64(integer(v))
	} else { // two's complement, the highest byte first
		b := v.ByteArray()
		if len(b) > mostBytes {
			return enrich.ValueOf(hex.EncodeToString(b))
		}
		if n.SetBytes(b); len(b) > 0 && b[0]&0x80 != 0 {
			n.Sub(&n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
		}
	}
	if scale <= 0 || scale > mostDigits {
		return enrich.ValueOf(json.RawMessage(n.String()))
	}
	one := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)
	return enrich.ValueOf(json.RawMessage(new(big.Rat).SetFrac(&n, one).FloatString(scale)))
}
