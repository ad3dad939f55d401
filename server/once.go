package server

import (
	"crypto/sha256"
	"io"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/wording"
	"github.com/postgeo/postgeo/server/internal/document"
)

// onceKey returns the Idempotency-Key of a request, or "" (decision D76).
func (c *call) onceKey() (string, error) {
	values := c.r.Header[document.OnceHeader]
	switch {
	case len(values) == 0:
		return "", nil
	case len(values) > 1:
		return "", givenTwice(document.OnceHeader)
	}
	key := values[0]
	valid := len(key) > 0 && len(key) <= document.MaxOnceKey
	for i := 0; valid && i < len(key); i++ {
		valid = key[i] >= ' ' && key[i] <= '~'
	}
	if !valid {
		return "", &envelope.Fault{Code: envelope.ValidationInvalidParam, Message: wording.InvalidParam(document.OnceHeader, "1 to 255 printable ASCII characters")}
	}
	return key, nil
}

// setOnce sets the identity of a request with a key and a body, if it is charged. Digests
// are stored instead of the texts: their size is fixed, and a body may have addresses of
// people. Accounts are separate, so that the key of one means nothing to another.
func (c *call) setOnce(key string, body []byte) {
	if key == "" || c.caller == nil || !charged(c.caller) {
		return
	}
	request := sha256.New()
	for _, part := range []string{c.r.Method, c.path(), c.r.URL.RawQuery} { // no part has a line break
		_, _ = io.WriteString(request, part+"\n") // a hash does not fail
	}
	_, _ = request.Write(body)
	name := sha256.Sum256([]byte(key))
	c.charge.Once = new(billing.Once)
	copy(c.charge.Once.Key[:], name[:])
	copy(c.charge.Once.Request[:], request.Sum(nil))
}
