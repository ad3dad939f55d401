package server_test

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/server"
	"github.com/postgeo/postgeo/server/internal/document"
)

// pagesForPeople are the pages that browsers show.
var pagesForPeople = []string{"/", "/docs"}

var (
	loads   = regexp.MustCompile(`(?:src|href)="([^"]*)"`)
	imports = regexp.MustCompile(`(?m)^import .* from "([^"]+)"`)
	asks    = regexp.MustCompile(`(?:fetch|getJSON)\("([^"]+)"`)
)

// TestPagesStayHere checks that pages load only from this server, that their
// policy blocks other servers, and that all their links work.
func TestPagesStayHere(t *testing.T) {
	h := newServer(t, openDB(t))
	for _, at := range pagesForPeople {
		resp := do(h, get(at))
		page := readAll(t, resp)
		csp := resp.Header.Get("Content-Security-Policy")
		if !strings.Contains(csp, "default-src 'none'") || strings.Contains(csp, "unsafe") || strings.Contains(csp, "http") {
			t.Errorf("%s has the policy %q", at, csp)
		}
		if resp.Header.Get("X-Content-Type-Options") != "nosniff" || resp.Header.Get("Referrer-Policy") != "no-referrer" {
			t.Errorf("%s has the headers %v", at, resp.Header)
		}
		if regexp.MustCompile(`<style|\sstyle=|<script>|\son[a-z]+=`).MatchString(page) {
			t.Errorf("%s has style or script inside, which its policy forbids", at)
		}
		targets := [][]string{}
		for _, m := range loads.FindAllStringSubmatch(page, -1) {
			targets = append(targets, m)
			if strings.HasSuffix(m[1], ".js") && !strings.Contains(m[1], "swagger-ui") {
				script := readAll(t, do(h, get(m[1])))
				targets = append(targets, asks.FindAllStringSubmatch(script, -1)...)
				for _, i := range imports.FindAllStringSubmatch(script, -1) {
					targets = append(targets, []string{"", strings.Replace(i[1], "./", path.Dir(m[1])+"/", 1)})
				}
			}
		}
		if len(targets) < 10 {
			t.Errorf("%s names %d addresses only", at, len(targets))
		}
		for _, m := range targets {
			if strings.HasPrefix(m[1], "#") || m[1] == "data:," {
				continue
			}
			if !strings.HasPrefix(m[1], "/") || strings.HasPrefix(m[1], "//") {
				t.Errorf("%s points elsewhere: %s", at, m[1])
				continue
			}
			if resp := do(h, get(m[1])); resp.StatusCode != http.StatusOK {
				t.Errorf("%s names %s, which has status %d", at, m[1], resp.StatusCode)
			}
		}
	}
}

// TestFilesAreKept checks that browsers can cache and revalidate the files of
// pages in every encoding.
func TestFilesAreKept(t *testing.T) {
	h := newServer(t, openDB(t))
	for _, path := range []string{"/docs/swagger-ui/swagger-ui-bundle.js", "/explorer/map.js"} {
		plain := readAll(t, do(h, get(path)))
		for _, enc := range []string{"br", "gzip"} {
			resp := do(h, with(get(path), "Accept-Encoding", enc))
			tag := resp.Header.Get("Etag")
			if resp.Header.Get("Content-Encoding") != enc || resp.Header.Get("Cache-Control") != "no-cache" || len(tag) < 10 {
				t.Errorf("%s has the headers %v", path, resp.Header)
			}
			if got := unpack(t, enc, readAll(t, resp)); got != plain {
				t.Errorf("%s differs when it is compressed with %s", path, enc)
			}
			for _, known := range []string{tag, "*", `"x", W/` + tag} {
				if same := do(h, with(get(path), "If-None-Match", known)); same.StatusCode != http.StatusNotModified || readAll(t, same) != "" {
					t.Errorf("%s of the tag %s has status %d", path, known, same.StatusCode)
				}
			}
			if other := do(h, with(get(path), "If-None-Match", `"x"`)); other.StatusCode != http.StatusOK {
				t.Errorf("%s of another tag has status %d", path, other.StatusCode)
			}
		}
	}
}

// TestSwaggerUIIsTheRelease checks that the files of Swagger UI equal the
// release.
func TestSwaggerUIIsTheRelease(t *testing.T) {
	const dir = "docs/swagger-ui"
	sums, err := os.Open(filepath.Join(dir, "SHA256SUMS"))
	check(t, err)
	defer sums.Close()
	listed := map[string]bool{"SHA256SUMS": true, "README.md": true}
	for lines := bufio.NewScanner(sums); lines.Scan(); {
		want, name, ok := strings.Cut(lines.Text(), "  ")
		if !ok {
			t.Fatalf("SHA256SUMS has the line %q", lines.Text())
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		check(t, err)
		if got := fmt.Sprintf("%x", sha256.Sum256(data)); got != want {
			t.Errorf("%s has the checksum %s, want %s", name, got, want)
		}
		listed[name] = true
	}
	files, err := os.ReadDir(dir)
	check(t, err)
	for _, f := range files {
		if !listed[f.Name()] {
			t.Errorf("%s has no checksum", f.Name())
		}
	}
	if len(files) != len(listed) || len(files) != 7 {
		t.Errorf("%d files, %d listed", len(files), len(listed))
	}
}

// TestSetup checks what the map page learns about the dataset.
func TestSetup(t *testing.T) {
	db := sampletest.Open(t)
	for _, keys := range []bool{false, true} {
		var set []func(*server.Config)
		if keys {
			set = append(set, withAccounts(t, rich()))
		}
		var got struct {
			Dataset struct {
				Version, Built string
				Sample         bool
			}
			Keys    bool
			Survey  int
			Sources []struct{ ID, Title string }
		}
		check(t, json.Unmarshal([]byte(readAll(t, do(newServer(t, db, set...), get("/explorer/setup.json")))), &got))
		if info := db.Info(); got.Dataset.Version != info.Version || !got.Dataset.Sample || got.Keys != keys || got.Survey < 2024 || len(got.Sources) != len(info.Sources) || got.Sources[0].Title == "" {
			t.Errorf("keys %t: setup %+v", keys, got)
		}
	}
}

// TestGround checks that the outlines of states are made once per dataset.
func TestGround(t *testing.T) {
	db := sampletest.Open(t)
	h := newServer(t, db)
	first := do(h, get("/explorer/ground.json"))
	var ground struct {
		Tolerance float64
		Land      []struct {
			State string
			Rings [][]int
		}
	}
	check(t, json.Unmarshal([]byte(readAll(t, first)), &ground))
	if len(ground.Land) < 3 || ground.Tolerance == 0 {
		t.Errorf("%d states in steps of %v", len(ground.Land), ground.Tolerance)
	}
	for _, s := range ground.Land {
		for _, r := range s.Rings {
			if len(s.State) != 2 || len(r) < 6 || len(r)%2 != 0 {
				t.Errorf("state %q has the ring %v", s.State, r)
			}
		}
	}
	tag := first.Header.Get("Etag")
	if again := do(h, with(get("/explorer/ground.json"), "If-None-Match", tag)); tag == "" || again.StatusCode != http.StatusNotModified {
		t.Errorf("asked again with the tag %q: status %d", tag, again.StatusCode)
	}
	check(t, db.Swap(t.Context(), testFile))
	if got := readAll(t, do(h, with(get("/explorer/ground.json"), "If-None-Match", tag))); got != `{"tolerance":0.02,"land":[]}` {
		t.Errorf("after another dataset without outlines of states: %.100s", got)
	}
}

// TestDemoAddressesMatchTheSample checks that the addresses of demo keys and of
// the document are in the sample.
func TestDemoAddressesMatchTheSample(t *testing.T) {
	db := sampletest.Open(t)
	for _, a := range append(document.DemoAddresses, server.AddressExample) {
		if _, err := db.MatchAddress(t.Context(), a, address.Options{}); err != nil {
			t.Errorf("%q: %v", a, err)
		}
	}
}
