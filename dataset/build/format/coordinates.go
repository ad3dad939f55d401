package format

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/paulmach/orb"
)

// coordinates reads the coordinates member of a GeoJSON geometry, which is
// JSON already. It is stricter than decoding into arrays: a position must have
// two numbers at least and lie on the map, a ring must be closed. Its methods
// return a reason when the text is refused.
type coordinates struct {
	b  []byte
	at int
}

func (c *coordinates) multi() ([][]orb.Ring, string) {
	return array(c, c.polygon)
}

func (c *coordinates) polygon() ([]orb.Ring, string) {
	rings, reason := array(c, c.ring)
	if reason == "" && len(rings) == 0 {
		return nil, "polygon without rings"
	}
	return rings, reason
}

func (c *coordinates) ring() (orb.Ring, string) {
	points, reason := array(c, c.position)
	if reason == "" && (len(points) < 4 || points[0] != points[len(points)-1]) {
		reason = fmt.Sprintf("ring of %d points is not closed or has no area", len(points))
	}
	return points, reason
}

// position reads [longitude, latitude] and skips further numbers.
func (c *coordinates) position() (p orb.Point, reason string) {
	if c.next() != '[' {
		return p, c.expected("an array")
	}
	for i := 0; ; i++ {
		c.at++ // the bracket or comma
		c.next()
		v, reason := c.number()
		if reason != "" {
			return p, reason
		}
		if i < len(p) {
			p[i] = v
		}
		switch end := c.next(); {
		case end == ',':
			continue
		case end != ']':
			return p, c.expected("a number")
		case i == 0:
			return p, "position of one number, expected longitude and latitude"
		}
		c.at++
		if !(p[0] >= -180 && p[0] <= 180 && p[1] >= -90 && p[1] <= 90) {
			return p, fmt.Sprintf("position %v, %v is not a longitude and latitude in degrees", p[0], p[1])
		}
		return p, ""
	}
}

func (c *coordinates) expected(what string) string {
	at := min(c.at, len(c.b))
	return fmt.Sprintf("coordinates hold %s, expected %s", excerpt(string(c.b[at:min(len(c.b), at+20)])), what)
}

func (c *coordinates) number() (float64, string) {
	from := c.at
	for c.at < len(c.b) && strings.IndexByte("+-.0123456789eE", c.b[c.at]) >= 0 {
		c.at++
	}
	v, err := strconv.ParseFloat(string(c.b[from:c.at]), 64)
	if err != nil {
		c.at = from
		return 0, c.expected("a number")
	}
	return v, ""
}

func (c *coordinates) next() byte {
	for c.at < len(c.b) && strings.IndexByte(" \t\r\n", c.b[c.at]) >= 0 {
		c.at++
	}
	if c.at >= len(c.b) {
		return 0
	}
	return c.b[c.at]
}

// array reads a JSON array of elements.
func array[T any](c *coordinates, element func() (T, string)) ([]T, string) {
	if c.next() != '[' {
		return nil, c.expected("an array")
	}
	c.at++
	var all []T
	if c.next() == ']' {
		c.at++
		return nil, ""
	}
	for {
		c.next()
		v, reason := element()
		if reason != "" {
			return nil, reason
		}
		all = append(all, v)
		end := c.next()
		c.at++
		if end == ']' {
			return all, ""
		}
		if end != ',' {
			return nil, "coordinates are malformed"
		}
	}
}
