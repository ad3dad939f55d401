package table

import (
	"encoding/hex"
	"math/big"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/postgeo/postgeo/enrich"
)

// formatOf returns the converter of a column's values: dates and times in the
// form of RFC 3339, decimals with their digits, binary data in hexadecimal.
//
// A logical type is ignored if its physical type does not allow it, because a
// damaged file can hold any type.
func formatOf(node parquet.Node) func(parquet.Value) enrich.Value {
	lt := node.Type().LogicalType()
	if lt == nil {
		return physical
	}
	kind := node.Type().Kind()
	whole := kind == parquet.Int32 || kind == parquet.Int64
	bytes := kind == parquet.ByteArray || kind == parquet.FixedLenByteArray
	switch t := lt.Value.(type) {
	case *format.DateType:
		if kind == parquet.Int32 {
			return date
		}
	case *format.TimeType:
		if whole {
			return func(v parquet.Value) enrich.Value { return timeOfDay(v, t) }
		}
	case *format.TimestampType:
		if kind == parquet.Int64 {
			return timestamp(t)
		}
	case *format.DecimalType:
		if whole || bytes {
			return func(v parquet.Value) enrich.Value { return decimal(v, int(t.Scale)) }
		}
	case *format.UUIDType:
		if bytes {
			return func(v parquet.Value) enrich.Value { return uuid(v.ByteArray()) }
		}
	case *format.IntType:
		if whole && !t.IsSigned {
			return unsigned
		}
	}
	return physical
}

func date(v parquet.Value) enrich.Value {
	return enrich.StringValue(time.Unix(0, 0).UTC().AddDate(0, 0, int(v.Int32())).Format(time.DateOnly))
}

func timeOfDay(v parquet.Value, t *format.TimeType) enrich.Value {
	unit, n := time.Nanosecond, v.Int64()
	if v.Kind() == parquet.Int32 {
		n = int64(v.Int32())
	}
	switch t.Unit.Value.(type) {
	case *format.MilliSeconds:
		unit = time.Millisecond
	case *format.MicroSeconds:
		unit = time.Microsecond
	}
	if n < 0 || n > int64(24*time.Hour/unit) {
		return enrich.IntValue(n)
	}
	return enrich.StringValue(time.Time{}.Add(time.Duration(n) * unit).Format("15:04:05.999999999"))
}

// unsigned reads a whole number that may be larger than an Int.
func unsigned(v parquet.Value) enrich.Value {
	n := v.Uint64()
	if v.Kind() == parquet.Int32 {
		n = uint64(v.Uint32())
	}
	return enrich.JSONValue(strconv.FormatUint(n, 10))
}

// single reads a number of single precision as its shortest decimal: 34.09, not
// 34.09000015258789.
func single(f float32) enrich.Value {
	const bits = 32
	short, err := strconv.ParseFloat(strconv.FormatFloat(float64(f), 'g', -1, bits), 64)
	if err != nil {
		return enrich.Value{}
	}
	return enrich.FloatValue(short)
}

func physical(v parquet.Value) enrich.Value {
	switch v.Kind() {
	case parquet.Boolean:
		return enrich.BoolValue(v.Boolean())
	case parquet.Int32:
		return enrich.IntValue(int64(v.Int32()))
	case parquet.Int64:
		return enrich.IntValue(v.Int64())
	case parquet.Int96:
		return int96Time(v)
	case parquet.Float:
		return single(v.Float())
	case parquet.Double:
		return enrich.FloatValue(v.Double())
	default:
		return enrich.StringValue(string(appendBinary(nil, v.ByteArray())))
	}
}

// appendBinary appends a text, or other data in hexadecimal.
func appendBinary(dst, data []byte) []byte {
	if utf8.Valid(data) {
		return append(dst, data...)
	}
	return hex.AppendEncode(dst, data)
}

func timestamp(t *format.TimestampType) func(parquet.Value) enrich.Value {
	layout := "2006-01-02T15:04:05.999999999"
	if t.IsAdjustedToUTC {
		layout += "Z"
	}
	return func(v parquet.Value) enrich.Value {
		var at time.Time
		switch t.Unit.Value.(type) {
		case *format.MilliSeconds:
			at = time.UnixMilli(v.Int64())
		case *format.MicroSeconds:
			at = time.UnixMicro(v.Int64())
		default:
			const nanos = 1e9
			at = time.Unix(v.Int64()/nanos, v.Int64()%nanos)
		}
		return enrich.StringValue(at.UTC().Format(layout))
	}
}

// int96Time reads the time stamps of old writers: nanoseconds of the day, and
// the Julian day.
func int96Time(v parquet.Value) enrich.Value {
	const epoch = 2440588 // Julian day of 1970-01-01
	i := v.Int96()
	nanos := int64(i[1])<<32 | int64(i[0])
	at := time.Unix(0, 0).UTC().AddDate(0, 0, int(int32(i[2]))-epoch).Add(time.Duration(nanos))
	return enrich.StringValue(at.Format("2006-01-02T15:04:05.999999999"))
}

// decimal writes a number without its point as one with it.
func decimal(v parquet.Value, scale int) enrich.Value {
	var n big.Int
	switch v.Kind() {
	case parquet.Int32:
		n.SetInt64(int64(v.Int32()))
	case parquet.Int64:
		n.SetInt64(v.Int64())
	default: // two's complement, the highest byte first
		b := v.ByteArray()
		const most = 64 // bytes of a number that are believed
		if len(b) > most {
			return enrich.StringValue(hex.EncodeToString(b))
		}
		n.SetBytes(b)
		if len(b) > 0 && b[0]&0x80 != 0 {
			n.Sub(&n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
		}
	}
	const most = 100 // digits behind the point that are believed
	if scale <= 0 || scale > most {
		return enrich.JSONValue(n.String())
	}
	digits := new(big.Int).Abs(&n).String()
	if len(digits) <= scale {
		digits = strings.Repeat("0", scale-len(digits)+1) + digits
	}
	text := digits[:len(digits)-scale] + "." + digits[len(digits)-scale:]
	if n.Sign() < 0 {
		text = "-" + text
	}
	return enrich.JSONValue(text)
}

func uuid(b []byte) enrich.Value {
	const size = 16
	s := hex.EncodeToString(b)
	if len(b) != size {
		return enrich.StringValue(s)
	}
	return enrich.StringValue(s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:])
}
