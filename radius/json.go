package radius

import (
	"strconv"

	"github.com/postgeo/postgeo/envelope"
)

// AppendJSON implements [envelope.Appender].
func (r *DistanceResult) AppendJSON(dst []byte) ([]byte, error) {
	if r == nil {
		return append(dst, "null"...), nil
	}
	dst, err := envelope.AppendItem(append(dst, '{'), &r.Item)
	if err != nil {
		return dst, err
	}
	dst = r.From.append(append(dst, `,"from":`...))
	dst = r.To.append(append(dst, `,"to":`...))
	dst = append(dst, `,"distance":{"miles":`...)
	dst = strconv.AppendFloat(dst, float64(r.Distance.Miles), 'f', -1, 64)
	dst = append(dst, `,"km":`...)
	dst = strconv.AppendFloat(dst, float64(r.Distance.Km), 'f', -1, 64)
	dst = append(dst, `},"bearing":`...)
	dst = strconv.AppendFloat(dst, r.Bearing, 'f', -1, 64)
	return append(dst, '}'), nil
}

func (e *End) append(dst []byte) []byte {
	dst = append(dst, '{')
	for _, m := range [...]struct{ key, value string }{
		{`"country":`, e.Country},
		{`"code":`, e.Code},
		{`"code_type":`, e.CodeType.String()},
		{`"city":`, e.City},
		{`"state":`, e.State},
		{`"county":`, e.County},
	} {
		if m.value != "" {
			dst = envelope.AppendString(append(dst, m.key...), m.value)
			dst = append(dst, ',')
		}
	}
	dst = append(dst, `"location":`...)
	dst = e.Location.AppendJSON(dst)
	if e.Timezone != nil {
		dst = append(dst, `,"timezone":`...)
		dst, _ = e.Timezone.AppendJSON(dst)
	}
	dst = append(dst, `,"input_type":`...)
	dst = envelope.AppendString(dst, string(e.InputType))
	return append(dst, '}')
}
