package server_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/internal/openapi"
	"github.com/postgeo/postgeo/server"
)

// contractOnce is the document that every answer of these tests is held
// against.
var contractOnce = sync.OnceValues(func() (*openapi3.T, error) {
	db, err := postgeo.Open(testFile)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	s, err := server.New(db, server.Config{})
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(do(s, get("/v2/openapi.json")).Body)
	if err != nil {
		return nil, err
	}
	doc, err := openapi3.NewLoader().LoadFromData(body)
	if err != nil {
		return nil, fmt.Errorf("reading the document: %w", err)
	}
	return doc, nil
})

func contract(t testing.TB) *openapi3.T {
	t.Helper()
	doc, err := contractOnce()
	check(t, err)
	return doc
}

// unwritten are headers that the document omits: those of HTTP and of browsers.
var unwritten = []string{
	"Content-Type", "Content-Length", "Content-Encoding", "Vary", "Connection", "Allow", "Date",
	"Access-Control-Allow-Origin", "Access-Control-Expose-Headers",
}

// keepsContract returns how a response differs from the document.
func keepsContract(doc *openapi3.T, r *http.Request, status int, header http.Header, body []byte) error {
	if r.Method == http.MethodOptions || r.Method == http.MethodHead || header.Get("Content-Type") != "application/json; charset=utf-8" || isDocument(r.URL.EscapedPath()) {
		return nil
	}
	if enc := header.Get("Content-Encoding"); enc != "" {
		return nil // the same answer, as other tests hold
	}
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		return err
	}
	item := doc.Paths.Value(r.URL.EscapedPath())
	if item == nil || item.GetOperation(r.Method) == nil {
		return meetsAt("/components/schemas/FailedResponse", value)
	}
	op := item.GetOperation(r.Method)
	answer := op.Responses.Value(strconv.Itoa(status))
	if answer == nil {
		return fmt.Errorf("status %d is not in the document", status)
	}
	var errs []error
	for name, h := range answer.Value.Headers {
		if _, ok := header[http.CanonicalHeaderKey(name)]; h.Value.Required && !ok {
			errs = append(errs, fmt.Errorf("header %s is missing", name))
		}
		if v := header.Get(name); v != "" {
			var value any = v
			if n, err := strconv.ParseFloat(v, 64); err == nil && h.Value.Schema.Value.Type.Includes("integer") {
				value = n
			}
			if err := h.Value.Schema.Value.VisitJSON(value); err != nil {
				errs = append(errs, fmt.Errorf("header %s: %w", name, err))
			}
		}
	}
	for name := range header {
		if known := slices.ContainsFunc(unwritten, func(u string) bool { return u == name }); known {
			continue
		}
		found := false
		for told := range answer.Value.Headers {
			found = found || http.CanonicalHeaderKey(told) == name
		}
		if !found {
			errs = append(errs, fmt.Errorf("header %s is not in the document", name))
		}
	}
	at, shared := strings.CutPrefix(answer.Ref, "#")
	if !shared {
		at = operationAt(r) + "/responses/" + strconv.Itoa(status)
	}
	return errors.Join(append(errs, meetsAt(at+"/content/application~1json/schema", value))...)
}

// asksByContract returns how a successful request differs from the document.
// The document is stricter than the server: it has no unknown parameters and no
// other body shapes.
func asksByContract(doc *openapi3.T, r *http.Request, status int, body string) error {
	item := doc.Paths.Value(r.URL.Path)
	if status != http.StatusOK || item == nil || item.GetOperation(r.Method) == nil || strings.Contains(body, `"success":false`) {
		return nil
	}
	op := item.GetOperation(r.Method)
	for name := range r.URL.Query() {
		known := name == "key" || op.Parameters.GetByInAndName("query", name) != nil
		if r.Method == http.MethodPost && op.RequestBody != nil {
			known = known || op.RequestBody.Value.Content.Get("application/json").Schema.Value.Properties[name] != nil || name == "debug"
		}
		if !known {
			return fmt.Errorf("parameter %s is not in the document", name)
		}
	}
	if r.Method != http.MethodPost || r.GetBody == nil {
		return nil
	}
	sent, err := r.GetBody()
	if err != nil {
		return err
	}
	var value any
	if err := json.NewDecoder(sent).Decode(&value); err != nil {
		return err
	}
	if err := meetsAt(operationAt(r)+"/requestBody/content/application~1json/schema", value); err != nil {
		return fmt.Errorf("request body: %w", err)
	}
	return nil
}

func isDocument(path string) bool {
	return !strings.HasPrefix(path, "/v2/") && !strings.HasPrefix(path, "/v3/") || strings.HasSuffix(path, ".json")
}

// operationAt is where the document has the operation of a request.
func operationAt(r *http.Request) string {
	return "/paths/" + strings.NewReplacer("/", "~1", "{", "%7B", "}", "%7D").Replace(r.URL.EscapedPath()) + "/" + strings.ToLower(r.Method)
}

// A compiled document holds its schemas ready, for the thousands of answers
// that the tests get.
type compiled struct {
	mu       sync.Mutex
	compiler *jsonschema.Compiler
	schemas  map[string]*jsonschema.Schema
}

const contractURL = "https://example.com/openapi.json"

var compiledOnce = sync.OnceValues(func() (*compiled, error) {
	doc, err := contractOnce()
	if err != nil {
		return nil, err
	}
	text, err := doc.MarshalJSON()
	if err != nil {
		return nil, err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	c := &compiled{compiler: jsonschema.NewCompiler(), schemas: map[string]*jsonschema.Schema{}}
	c.compiler.DefaultDraft(jsonschema.Draft2020)
	return c, c.compiler.AddResource(contractURL, value)
})

// meetsAt holds a value against the schema at a place of the document.
func meetsAt(pointer string, value any) error {
	c, err := compiledOnce()
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	schema, ok := c.schemas[pointer]
	if !ok {
		if schema, err = c.compiler.Compile(contractURL + "#" + pointer); err != nil {
			return err
		}
		c.schemas[pointer] = schema
	}
	return schema.Validate(value)
}

// heldToContract checks an answer that a test has read.
func heldToContract(t testing.TB, resp *http.Response, body []byte) {
	t.Helper()
	if resp.Request == nil {
		return
	}
	if err := keepsContract(contract(t), resp.Request, resp.StatusCode, resp.Header, body); err != nil {
		t.Errorf("%s %s does not keep to /v2/openapi.json: %v\n%.2000s", resp.Request.Method, resp.Request.URL.Path, err, body)
	}
}

// TestDocumentIsValid checks that the document is OpenAPI 3.1, examples
// included, and that nothing in it is left open.
func TestDocumentIsValid(t *testing.T) {
	doc := contract(t)
	if doc.OpenAPI != "3.1.0" {
		t.Errorf("openapi is %q", doc.OpenAPI)
	}
	if err := doc.Validate(t.Context(), openapi3.EnableExamplesValidation()); err != nil {
		t.Error(err)
	}
	for _, name := range server.OpaqueTypes() {
		t.Errorf("type %s writes its own JSON, and nothing says how: give it a schema in internal/shapes", name)
	}
}

// TestDocumentShowsEveryRoute checks that each route has operations with
// summary, price, an example of its answer and of its request.
func TestDocumentShowsEveryRoute(t *testing.T) {
	doc := contract(t)
	for _, path := range server.RoutePaths(newServer(t, openDB(t))) {
		item := doc.Paths.Value(path)
		if item == nil {
			t.Errorf("%s is not in the document", path)
			continue
		}
		for method, op := range item.Operations() {
			if op.Summary == "" || strings.Contains(op.Description, "Credits: \n") || strings.HasSuffix(op.Description, ": ") {
				t.Errorf("%s %s: summary %q, description %q", method, path, op.Summary, op.Description)
			}
			if op.Responses.Value("200").Value.Content.Get("application/json").Example == nil {
				t.Errorf("%s %s has no example: make a golden answer testdata/%s.golden", method, path, goldenName(path))
			}
			if method == http.MethodPost && op.RequestBody.Value.Content.Get("application/json").Example == nil {
				t.Errorf("%s %s has no example of a body", method, path)
			}
			for _, p := range op.Parameters {
				if p.Value.Description == "" {
					t.Errorf("%s %s: parameter %s has no description", method, path, p.Value.Name)
				}
			}
		}
	}
}

// goldenName is the file that shows the answer of a path: /v2/zip/batch is
// zip-batch.
func goldenName(path string) string {
	return strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(path, "/v2/"), "/{name}"), "/", "-")
}

// Every field of responses and of request bodies has a description in the OpenAPI
// document.
func TestFieldsHaveMeaning(t *testing.T) {
	_, schemas, err := server.PlainDocument(newServer(t, openDB(t)))
	check(t, err)
	fields := 0
	for _, part := range schemas {
		for _, p := range part.Value.Properties {
			fields++
			if meaning(p.Value, schemas) == "" {
				t.Errorf("%s.%s says nothing of what it means; write a comment at the field", part.Name, p.Name)
			}
		}
	}
	if fields < 500 {
		t.Errorf("only %d fields were looked at", fields)
	}
}

// meaning is the comment of a field or of its type.
func meaning(s *openapi.Schema, schemas openapi.Map[*openapi.Schema]) string {
	text := s.Description
	if of, ok := schemas.Get(strings.TrimPrefix(s.Ref, "#/components/schemas/")); ok && text == "" {
		text = of.Description
	}
	for _, part := range s.AllOf {
		if text == "" {
			text = meaning(part, schemas)
		}
	}
	return strings.NewReplacer("\n", " ", "|", "\\|").Replace(text)
}

// TestShapesWithoutLayers checks that the responses of every route for a dataset with one ZIP
// Code and no layers match the document. More requests are in testdata/answers.txt.
func TestShapesWithoutLayers(t *testing.T) {
	s := newServer(t, openStreetless(t))
	for _, rt := range server.Routes(s) {
		readAll(t, do(s, good(rt))) // holds the answer to the document
	}
}
