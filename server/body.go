package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/wording"
)

// maxFields is the maximum number of fields of an object. Requests have a few.
const maxFields = 1000

// readBody reads the body of a request, which has at most limit bytes. It reserves memory
// for a large one when so much has arrived, so that slow senders hold none.
//
// A compressed body is refused (decision D7): its size would show only when it is unpacked.
func (c *call) readBody(limit int) ([]byte, error) {
	for _, header := range c.r.Header["Content-Encoding"] {
		for encoding := range strings.SplitSeq(header, ",") {
			encoding = strings.TrimSpace(encoding)
			if encoding != "" && !strings.EqualFold(encoding, "identity") {
				return nil, &envelope.Fault{
					Code: envelope.ValidationInvalidRequest, Message: wording.BodyEncoded(encoding),
					Status: http.StatusUnsupportedMediaType,
				}
			}
		}
	}
	tooLarge := &envelope.Fault{
		Code: envelope.ValidationInvalidRequest, Message: wording.BodyTooLarge(limit),
		Status: http.StatusRequestEntityTooLarge,
	}
	size := c.r.ContentLength
	if size > int64(limit) {
		// Otherwise net/http reads up to 256 KiB of the body to use the connection again.
		c.w.Header()["Connection"] = []string{"close"}
		return nil, tooLarge
	}
	if size < 0 { // chunked: unknown
		size = int64(limit)
	}
	from := http.MaxBytesReader(c.w, c.r.Body, int64(limit))
	data := bytes.NewBuffer(make([]byte, 0, min(size, smallBody)+bytes.MinRead))
	_, err := io.CopyN(data, from, smallBody)
	if err == nil && size > smallBody {
		if err := c.admitBody(size); err != nil {
			return nil, err
		}
		data.Grow(int(size) - smallBody + bytes.MinRead)
		_, err = data.ReadFrom(from)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		if errors.As(err, new(*http.MaxBytesError)) {
			return nil, tooLarge
		}
		return nil, fmt.Errorf("%w: %w", invalidRequest(wording.BodyUnread), err)
	}
	return data.Bytes(), nil
}

// parseBody parses the top level of a JSON object and ignores its content type. It
// returns nil for an empty body or one of white space.
//
// The body is checked once as a whole and then split without copies; the parameters parse
// their own parts. json.Unmarshal into a map would copy every part and accept names that are
// given twice. The nesting is checked apart: json.Valid allows 10,000 levels, decision D7
// allows 64.
func parseBody(data []byte) (map[string]json.RawMessage, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	data = bytes.Trim(data, " \t\r\n")
	if len(data) == 0 {
		return nil, nil
	}
	if !utf8.Valid(data) {
		return nil, invalidRequest(wording.BodyMalformed("it is not UTF-8"))
	}
	if operation.Depth(data) > operation.MaxDepth {
		return nil, invalidRequest(wording.BodyMalformed(fmt.Sprintf("it is nested deeper than %d levels", operation.MaxDepth)))
	}
	if !json.Valid(data) {
		var syntax *json.SyntaxError
		if errors.As(json.Unmarshal(data, new(json.RawMessage)), &syntax) {
			return nil, invalidRequest(wording.BodyMalformed(fmt.Sprintf("the error is at byte %d", syntax.Offset)))
		}
	}
	if data[0] != '{' {
		return nil, invalidRequest(wording.BodyNotObject)
	}
	return parseObject(data)
}

// parseObject splits an object, which is valid JSON, into its fields.
func parseObject(object []byte) (map[string]json.RawMessage, error) {
	b := map[string]json.RawMessage{}
	for name, rest := nextValue(object[1:]); name != nil; name, rest = nextValue(rest) {
		if len(b) == maxFields {
			return nil, invalidRequest(wording.BodyMalformed(fmt.Sprintf("it has more than %d fields", maxFields)))
		}
		var text string
		if bytes.IndexByte(name, '\\') < 0 {
			text = string(name[1 : len(name)-1])
		} else if err := json.Unmarshal(name, &text); err != nil {
			return nil, invalidRequest(wording.BodyNotObject)
		}
		if _, again := b[text]; again {
			return nil, givenTwice(text)
		}
		b[text], rest = nextValue(rest)
	}
	return b, nil
}

// nextValue returns the next value of a list, or the next name or value of an object, and
// the text after it. The text is valid JSON, so only the ends of strings and the balance of
// brackets matter; commas and colons before a value are skipped. It returns nil at the end.
func nextValue(text []byte) (value, rest json.RawMessage) {
	text = bytes.TrimLeft(text, " \t\r\n,:")
	level, quoted := 0, false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quoted:
			switch c {
			case '\\':
				i++
			case '"':
				quoted = false
			}
		case c == '"':
			quoted = true
		case c == '{' || c == '[':
			level++
		case (c == '}' || c == ']') && level > 0:
			level--
		case level > 0:
			continue
		case c == '}' || c == ']' || c == ',' || c == ':' || c <= ' ': // after a number or a word
			if i == 0 {
				return nil, nil
			}
			return text[:i], text[i:]
		default:
			continue
		}
		if level == 0 && !quoted {
			return text[:i+1], text[i+1:]
		}
	}
	return nil, nil
}
