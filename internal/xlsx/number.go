package xlsx

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Cells are read as they are shown where that decides the value: 601 in the format 00000 is
// the code 00601, and 45292 in a format of dates is 2024-01-01. Currencies, percentages and
// rounding are left out, because a table needs the number and not its look.

// A numberFormat is the part of a number format that codes and dates depend on.
type numberFormat struct {
	zeros      string // digits as 0 and characters between them: "00000-0000"
	date, time bool
}

// days1904 is day 0 of workbooks whose dates begin in 1904.
const days1904 = 1462

// builtIn are the number formats of dates without a code in the file (ECMA-376,
// 18.8.30). 46 is missing: it shows an elapsed time, which can exceed a day.
var builtIn = map[int]string{
	14: "m/d/yyyy", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss", 22: "m/d/yyyy h:mm",
	45: "mm:ss", 47: "mm:ss.0",
}

// Of the code of a format, only letters and digits outside of these count.
var (
	// colors and locales ([Red], [$-409]), a space as wide as a character (_x), and a repeated
	// one (*x)
	bracketed = regexp.MustCompile(`\[[^\]]*\]|_.|\*.`)
	// texts
	literal = regexp.MustCompile(`"[^"]*"|\\.`)
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
	// Digits make a format of numbers, but seconds can have decimals, too: mm:ss.0
	if strings.Contains(plain, "general") || strings.ContainsAny(plain, "#?0") && !strings.Contains(plain, ".0") {
		return f
	}
	f.time = strings.ContainsAny(plain, "hs")
	// m is a month, or beside hours and seconds a minute
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
		exact   = 1e15      // Excel has 15 digits
		lastDay = 2_958_466 // 9999-12-31, the last date of Excel, ends there
	)
	switch {
	case f.zeros != "" && v >= 0 && v < exact && v == math.Trunc(v):
		return withZeros(f.zeros, strconv.FormatInt(int64(v), 10))
	case (f.date || f.time) && v >= 0 && v < lastDay:
		return f.moment(v, from)
	// Files have all 17 digits of a float. Excel shows 15 of them: 0.3, not
	// 0.30000000000000004.
	case len(text) > 15 || strings.ContainsAny(text, "eE"):
		if v, err = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 15, 64), 64); err == nil && math.Abs(v) < exact && (v == 0 || math.Abs(v) > 1/exact) {
			return strconv.FormatFloat(v, 'f', -1, 64)
		}
	}
	return text
}

// moment returns a number of days as a date, time, or both.
func (f numberFormat) moment(v float64, from int) string {
	// Excel counts 1900-02-29, which did not exist. Day 0 as 1899-12-30 is right after it,
	// and a day early before it.
	const leap = 60
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
