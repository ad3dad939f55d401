package xlsx

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// A numberFormat is the part of a number format that codes and dates depend on.
type numberFormat struct {
	zeros      string // digits as 0 and characters between them: "00000-0000"
	date, time bool
}

// days1904 is day 0 of workbooks whose dates begin in 1904.
const days1904 = 1462

// builtIn are the number formats of dates without a code in the file (ECMA-376,
// 18.8.30).
var builtIn = map[int]string{
	14: "m/d/yyyy", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss", 22: "m/d/yyyy h:mm",
	45: "mm:ss", 47: "mm:ss.0",
}

var (
	bracketed = regexp.MustCompile(`\[[^\]]*\]|_.|\*.`)
	literal   = regexp.MustCompile(`"[^"]*"|\\.`)
)

// parseFormat reads the code of a number format for positive numbers.
func parseFormat(code string) (f numberFormat) {
	plain := literal.ReplaceAllString(bracketed.ReplaceAllString(code, ""), "")
	plain, _, _ = strings.Cut(strings.ToLower(plain), ";")
	if strings.Trim(plain, "0- ") == "" && strings.Contains(plain, "0") {
		shown := literal.ReplaceAllStringFunc(bracketed.ReplaceAllString(code, ""), func(s string) string {
			return strings.TrimPrefix(strings.Trim(s, `"`), `\`)
		})
		f.zeros, _, _ = strings.Cut(shown, ";")
		return f
	}
	if strings.Contains(plain, "general") || strings.ContainsAny(plain, "#?0") && !strings.Contains(plain, ".0") {
		return f
	}
	f.time = strings.ContainsAny(plain, "hs")
	f.date = strings.ContainsAny(plain, "yd") || strings.Contains(plain, "m") && !f.time
	return f
}

// show returns a number as the format shows it. Dates are in ISO 8601.
func (f numberFormat) show(text string, from int) string {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	const (
		exact   = 1e15
		lastDay = 2_958_466 // 9999-12-31, the last date of Excel, ends there
	)
	switch {
	case f.zeros != "" && v >= 0 && v < exact && v == math.Trunc(v):
		return withZeros(f.zeros, strconv.FormatInt(int64(v), 10))
	case (f.date || f.time) && v >= 0 && v < lastDay:
		return f.moment(v, from)
	case len(text) > 15 || strings.ContainsAny(text, "eE"): // as many digits as Excel has
		if v, err = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 15, 64), 64); err == nil && math.Abs(v) < exact && (v == 0 || math.Abs(v) > 1/exact) {
			return strconv.FormatFloat(v, 'f', -1, 64)
		}
	}
	return text
}

// moment returns a number of days as a date, time, or both.
func (f numberFormat) moment(v float64, from int) string {
	const leap = 60 // 1900-02-29, which Excel counts though it did not exist
	if from == 0 && v < leap {
		v++
	}
	const day = 24 * time.Hour
	t := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC).AddDate(0, 0, from+int(v)).Add(time.Duration(math.Round((v-math.Trunc(v))*day.Seconds())) * time.Second)
	switch {
	case f.date && f.time:
		return t.Format("2006-01-02T15:04:05")
	case f.date:
		return t.Format(time.DateOnly)
	default:
		return t.Format(time.TimeOnly)
	}
}

// withZeros puts digits in place of the zeros of a pattern, from its end. Further
// digits precede.
func withZeros(pattern, digits string) string {
	out := []byte(pattern)
	first := strings.IndexByte(pattern, '0')
	for i := len(out) - 1; i >= first && digits != ""; i-- {
		if out[i] == '0' {
			out[i], digits = digits[len(digits)-1], digits[:len(digits)-1]
		}
	}
	return string(out[:first]) + digits + string(out[first:])
}
