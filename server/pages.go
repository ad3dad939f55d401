package server

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"strings"
	"sync"

	"github.com/postgeo/postgeo/internal/encode"
	"github.com/postgeo/postgeo/server/internal/compress"
	"github.com/postgeo/postgeo/server/internal/document"
)

// docFiles are the pages for people and their resources. See docs/swagger-ui for its
// license.
//
//go:embed docs/index.html docs/docs.css docs/docs.js docs/swagger-ui/swagger-ui.css docs/swagger-ui/swagger-ui-bundle.js
//go:embed docs/site.css docs/changelog.txt explorer
var docFiles embed.FS

// A page is a static response outside the API: a document or a file. It requires no
// key, is free, and usually has no rate limit.
type page struct {
	contentType []string
	html        bool // it has a content security policy
	kept        bool // browsers may cache and revalidate it
	limited     bool // the rate limit of requests without a key applies
	print       func(c *call) (*printed, error)
}

// A printed page is ready to be sent. It is compressed on first use, because most servers
// never get a request for most pages.
type printed struct {
	body   []byte
	tag    []string                             // for ETag; of the uncompressed body
	packed [compress.NumEncodings]func() []byte // by compress.Encoding
}

func newPrinted(body []byte) *printed {
	sum := sha256.Sum256(body)
	p := &printed{body: body, tag: []string{`"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`}}
	for enc := range p.packed {
		p.packed[enc] = sync.OnceValue(func() []byte {
			if compress.Encoding(enc) == compress.Identity || len(body) <= compress.MinSize {
				return body
			}
			return compress.PackPage(compress.Encoding(enc), body)
		})
	}
	return p
}

// A versioned page is made once per version, such as that of the dataset. The zero value
// is ready to use.
type versioned struct {
	mu      sync.Mutex // held while the page is made
	version string
	page    *printed
}

// get returns the page of a version, whose body is that of render. The lock is held while
// it is made: callers at the same time wait for one page instead of making each their own.
// An error is not kept.
func (v *versioned) get(version string, render func() ([]byte, error)) (*printed, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.page == nil || v.version != version {
		body, err := render()
		if err != nil {
			return nil, err
		}
		v.version, v.page = version, newPrinted(body)
	}
	return v.page, nil
}

func fixed(contentType []string, text func() ([]byte, error)) *page {
	var only versioned
	return &page{contentType: contentType, print: func(*call) (*printed, error) { return only.get("", text) }}
}

// atHost returns a page of a Postman collection whose base address comes from
// the request. It is made again only for another address than the last one: a caller can
// name any host, so pages of all hosts cannot be kept.
func atHost(p *page) *page {
	var last versioned
	return &page{contentType: headerJSON, limited: true, print: func(c *call) (*printed, error) {
		same, err := p.print(c)
		if err != nil {
			return nil, err
		}
		base := url.URL{Scheme: "http", Host: c.r.Host}
		if c.r.TLS != nil || c.r.Header.Get("X-Forwarded-Proto") == "https" {
			base.Scheme = "https"
		}
		c.w.Header()["Vary"] = headerVaryScheme
		return last.get(base.String(), func() ([]byte, error) {
			return bytes.Replace(same.body, encode.AppendString(nil, document.PostmanBase), encode.AppendString(nil, base.String()), 1), nil
		})
	}}
}

func file(contentType []string, name string) *page {
	p := fixed(contentType, func() ([]byte, error) { return docFiles.ReadFile(name) })
	p.html = strings.HasSuffix(name, ".html")
	p.kept = !p.html // pages are as small as a revalidation
	return p
}

// Content types of pages.
var (
	typeHTML = []string{"text/html; charset=utf-8"}
	typeText = []string{"text/plain; charset=utf-8"}
	typeCSS  = []string{"text/css; charset=utf-8"}
	typeJS   = []string{"text/javascript; charset=utf-8"}
)

// Pages may only use this server: no script, style or request of another one, and no frame
// of another page around them, which could catch the key that a reader types.
var (
	headerCSP = []string{"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
		"img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"}
	headerNoReferrer = []string{"no-referrer"}
	headerNoCache    = []string{"no-cache"}
)

func (s *Server) pageTable() map[string]*page {
	routes := described(s.list)
	contract := fixed(headerJSON, func() ([]byte, error) {
		doc, _, err := document.OpenAPI(routes)
		if err != nil {
			return nil, err
		}
		return json.Marshal(doc)
	})
	pages := map[string]*page{
		"/v2/openapi.json":      contract,
		"/v2/swagger.json":      contract,
		"/v2/postman.json":      atHost(fixed(headerJSON, func() ([]byte, error) { return document.Postman(routes) })),
		"/llms.txt":             fixed(typeText, func() ([]byte, error) { return document.LLMs(routes), nil }),
		"/pricing.json":         fixed(headerJSON, func() ([]byte, error) { return document.Pricing(routes) }),
		"/docs":                 file(typeHTML, "docs/index.html"),
		"/changelog":            file(typeText, "docs/changelog.txt"),
		"/":                     file(typeHTML, "explorer/index.html"),
		"/explorer/setup.json":  {contentType: headerJSON, kept: true, limited: true, print: (*call).setup},
		"/explorer/ground.json": {contentType: headerJSON, kept: true, print: (*call).ground},
	}
	_ = fs.WalkDir(docFiles, ".", func(name string, _ fs.DirEntry, _ error) error { // in memory
		switch path.Ext(name) {
		case ".css":
			pages["/"+name] = file(typeCSS, name)
		case ".js":
			pages["/"+name] = file(typeJS, name)
		}
		return nil
	})
	return pages
}

func described(list []*route) []*document.Route {
	routes := make([]*document.Route, len(list))
	for i, rt := range list {
		routes[i] = &rt.Route
	}
	return routes
}

// pageRoute has the methods of pages.
var pageRoute = &route{Route: document.Route{Path: "page", Methods: readMethods}}

// matches reports whether lines of If-None-Match have a tag. Proxies that compress a page
// make its tag weak.
func matches(lines []string, tag string) bool {
	for _, line := range lines {
		for part := range strings.SplitSeq(line, ",") {
			if part = strings.TrimSpace(part); part == "*" || strings.TrimPrefix(part, "W/") == tag {
				return true
			}
		}
	}
	return false
}

func (c *call) servePage(path string, p *page) {
	c.route = path
	if !pageRoute.allows(c.r.Method) {
		c.write(c.methodNotAllowed(pageRoute))
		return
	}
	if p.limited {
		if err := c.limitKeyless(); err != nil {
			c.write(c.fail(err))
			return
		}
	}
	h := c.w.Header()
	h["X-Content-Type-Options"] = headerNoSniff
	same, err := p.print(c)
	if err != nil {
		c.write(c.fail(fmt.Errorf("server: page %s: %w", path, err)))
		return
	}
	if p.html {
		h["Content-Security-Policy"] = headerCSP
		h["Referrer-Policy"] = headerNoReferrer
	}
	if p.kept {
		h["Cache-Control"], h["Etag"] = headerNoCache, same.tag
		if matches(c.r.Header["If-None-Match"], same.tag[0]) {
			c.status = http.StatusNotModified
			c.w.WriteHeader(c.status)
			return
		}
	}
	h["Content-Type"] = p.contentType
	enc := compress.Negotiate(c.r.Header["Accept-Encoding"])
	body := same.packed[enc]()
	if enc != compress.Identity && len(body) != len(same.body) {
		h["Content-Encoding"] = enc.Header()
	}
	if err := c.sendWhole(http.StatusOK, body); err != nil {
		c.cutOff(err)
	}
}
