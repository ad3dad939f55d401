package svg

// A canvas is a document while it is written.
type canvas struct {
	out []byte
}

func (c *canvas) add(parts ...string) {
	for _, p := range parts {
		c.out = append(c.out, p...)
	}
}

// begin opens a document of a size in pixels, with its title if it has one.
func (c *canvas) begin(width, height float64, title string) {
	c.add(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 `, px(width), " ", px(height), `" width="`, px(width), `" height="`, px(height), `" role="img">`, "\n")
	if title != "" {
		c.title("title", title, maxTitle)
		c.add("\n")
	}
}

// title writes an element that names its parent.
func (c *canvas) title(element, text string, limit int) {
	c.add("<", element, ">")
	c.out = appendText(c.out, text, limit)
	c.add("</", element, ">")
}

// text writes a line of text.
func (c *canvas) text(class string, x, y float64, s string) {
	c.add(`<text`)
	if class != "" {
		c.add(` class="`, class, `"`)
	}
	c.add(` x="`, px(x), `" y="`, px(y), `">`)
	c.out = appendEscaped(c.out, s)
	c.add("</text>\n")
}

// lines writes small lines of text below each other.
func (c *canvas) lines(x, y float64, lines []string) {
	for i, line := range lines {
		c.text("small", x, y+float64(i)*smallLine, line)
	}
}

// place returns the attributes of a rectangle.
func place(x, y, width, height float64) string {
	return `x="` + px(x) + `" y="` + px(y) + `" width="` + px(width) + `" height="` + px(height) + `"`
}

// px writes a length in pixels, to a tenth.
func px(v float64) string { return string(appendTenth(nil, tenths(v))) }
