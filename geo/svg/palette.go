package svg

// A theme holds the colors of a map for light or for dark screens.
type theme struct {
	ground   string // the paper
	sea      string // the empty frame
	backdrop string // areas that lie around
	edge     string // between areas
	found    string // areas without a value
	ink      string // texts, circles and points
	faint    string // lesser texts
	focus    string // emphasis
	ramp     [steps]string
}

// steps is the number of colors for values.
const steps = 5

// strongStep is the first step that is nearer to the ink than to the ground.
const strongStep = 3

// The two themes. Each ramp is one hue in steps of lightness; the more, the
// more it stands out from the ground. The orange of focus differs from blue
// with any color vision.
var (
	light = theme{
		ground: "#ffffff", sea: "#f3f5f7", backdrop: "#e4e7ea", edge: "#ffffff", found: "#7fb0d9",
		ink: "#1b2733", faint: "#55626f", focus: "#c2410c",
		ramp: [steps]string{"#d3e5f5", "#a3cae9", "#699fd0", "#3474b1", "#0c4580"},
	}
	dark = theme{
		ground: "#12181f", sea: "#1a222b", backdrop: "#2b3641", edge: "#12181f", found: "#3f77ab",
		ink: "#e8eef4", faint: "#a7b4c1", focus: "#fb923c",
		ramp: [steps]string{"#1f3f5f", "#2d6190", "#4787bf", "#7db3e0", "#c3e0f7"},
	}
)

// step returns the color of a value from 0 to 100.
func step(percent float64) int { return min(int(percent*steps/100), steps-1) }

// textStyle is the part of a style sheet that all documents have.
const textStyle = "text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;font-size:12px}\n" +
	".title{font-size:17px;font-weight:600}\n" +
	".small{font-size:11px}\n"

// appendStyle appends the style sheet. Colors are written out for each theme,
// because many programs that show SVG do not know CSS variables.
func appendStyle(dst []byte) []byte {
	dst = append(dst, "<style>\n"+textStyle+
		".label{font-size:11px;text-anchor:middle}\n"+
		".beside{text-anchor:start}\n"+
		".label,.beside{paint-order:stroke;stroke-width:2.5px;stroke-linejoin:round}\n"+
		".end{text-anchor:end}\n"+
		".tick{text-anchor:middle}\n"+
		".area{stroke-width:.7px;stroke-linejoin:round;fill-rule:evenodd}\n"+
		".outline{fill:none;stroke-width:2px;stroke-linejoin:round}\n"+
		".circle{fill:none;stroke-width:1.6px}\n"+
		".halo{fill:none;stroke-width:4px;stroke-opacity:.65}\n"+
		".inner{stroke-dasharray:5 4}\n"+
		".point{stroke-width:1px}\n"+
		".cross,.bar{fill:none;stroke-width:1.6px}\n"...)
	return appendThemes(dst, appendTheme)
}

// appendThemes appends the rules of both themes, and ends a style sheet.
func appendThemes(dst []byte, rules func([]byte, *theme) []byte) []byte {
	dst = rules(dst, &light)
	dst = append(dst, "@media (prefers-color-scheme:dark){\n"...)
	dst = rules(dst, &dark)
	return append(dst, "}\n</style>\n"...)
}

func appendRule(dst []byte, selector, property, color string, more ...string) []byte {
	dst = append(dst, selector+"{"+property+":"+color...)
	for i := 0; i+1 < len(more); i += 2 {
		dst = append(dst, ";"+more[i]+":"+more[i+1]...)
	}
	return append(dst, "}\n"...)
}

func appendTheme(dst []byte, t *theme) []byte {
	rule := func(selector, property, color string, more ...string) {
		dst = appendRule(dst, selector, property, color, more...)
	}
	rule(".ground", "fill", t.ground)
	rule(".sea", "fill", t.sea)
	rule("text", "fill", t.ink)
	rule(".small", "fill", t.faint)
	rule(".label,.beside,.halo", "stroke", t.ground)
	rule(".beside", "fill", t.ink)
	rule(".strong", "fill", t.ground, "stroke", t.ramp[steps-1])
	rule(".area", "stroke", t.edge)
	rule(".backdrop", "fill", t.backdrop)
	rule(".found", "fill", t.found)
	for i, color := range t.ramp {
		rule(".s"+string('0'+rune(i)), "fill", color)
	}
	rule(".outline,.cross", "stroke", t.focus)
	rule(".circle,.bar", "stroke", t.ink)
	rule(".point", "fill", t.ink, "stroke", t.ground)
	rule(".point.focus", "fill", t.focus)
	rule(".point.backdrop", "fill", t.faint)
	return dst
}
