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

	"github.com/postgeo/postgeo/internal/envelope"
	"github.com/postgeo/postgeo/internal/wording"
)

// maxDepth is the maximum nesting of objects and lists in a body.
const maxDepth = 64

// A body is the top level of a JSON object. Nil means that there is no body.
type body map[string]json.RawMessage

// readBody parses the body of a request as JSON and ignores its content type. It
// returns nil for an empty body or one of white space.
func readBody(w http.ResponseWriter, r *http.Request, limit int) (body, error) {
	for _, header := range r.Header["Content-Encoding"] {
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
	if r.ContentLength > int64(limit) {
		w.Header()["Connection"] = []string{"close"}
		return nil, tooLarge
	}
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, int64(limit)))
	if err != nil {
		var large *http.MaxBytesError
		if errors.As(err, &large) {
			return nil, tooLarge
		}
		return nil, fmt.Errorf("%w: %w", invalidRequest(wording.BodyUnread), err)
	}
	return parseBody(data)
}

// parseBody parses the top level of a JSON object.
func parseBody(data []byte) (body, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	data = bytes.Trim(data, " \t\r\n")
	if len(data) == 0 {
		return nil, nil
	}
	if !utf8.Valid(data) {
		return nil, invalidRequest(wording.BodyMalformed("it is not UTF-8"))
	}
	levels, members := measure(data)
	if levels > maxDepth {
		return nil, invalidRequest(wording.BodyMalformed(fmt.Sprintf("it is nested deeper than %d levels", maxDepth)))
	}
	var b body
	err := json.Unmarshal(data, &b)
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return nil, invalidRequest(wording.BodyMalformed(fmt.Sprintf("the error is at byte %d", syntax.Offset)))
	case err != nil, b == nil: // another kind of value, or null
		return nil, invalidRequest(wording.BodyNotObject)
	}
	return b, b.checkNames(data, members)
}

// checkNames returns an error if a name is repeated in object, the source of b. The
// argument members is the number of its members.
func (b body) checkNames(object []byte, members int) error {
	if members == len(b) {
		return nil
	}
	seen := make(map[string]bool, len(b))
	dec := json.NewDecoder(bytes.NewReader(object))
	_, _ = dec.Token() // the text is valid JSON
	for dec.More() {
		t, _ := dec.Token()
		name, _ := t.(string)
		if seen[name] {
			return repeated(name)
		}
		seen[name] = true
		var v json.RawMessage
		if dec.Decode(&v) != nil {
			break
		}
	}
	return nil
}

// measure returns the depth of JSON text and the number of members of the outermost
// object.
func measure(data []byte) (deepest, members int) {
	level, quoted := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			level++
			deepest = max(deepest, level)
		case c == '}' || c == ']':
			level--
		case c == ':' && level == 1:
			members++
		}
	}
	return deepest, members
}

// get returns the value of a field. It returns false if the field is missing or
// null.
func (b body) get(name string) (json.RawMessage, bool) {
	raw, ok := b[name]
	if !ok || string(raw) == "null" {
		return nil, false
	}
	return raw, true
}
