package server_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// A browser is a headless Chromium, controlled through its DevTools protocol
// over a pair of pipes.
type browser struct {
	t      *testing.T
	to     *os.File
	mu     sync.Mutex
	last   int
	calls  map[int]chan reply
	events func(session, method string, params json.RawMessage)
}

type reply struct {
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
}

// browserPatience bounds the wait for one answer of the browser; it fails a
// test only when the browser is stuck.
const browserPatience = 60 * time.Second

// startBrowser starts Chromium, or skips the test if it is disabled or not
// installed.
func startBrowser(t *testing.T) *browser {
	t.Helper()
	if os.Getenv("POSTGEO_BROWSER") == "" {
		t.Skip("POSTGEO_BROWSER is not set; `make browser` runs the tests that need Chromium")
	}
	var program string
	for _, name := range []string{os.Getenv("POSTGEO_BROWSER"), "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			program = path
			break
		}
	}
	if program == "" {
		t.Skip("no Chromium here: install the package chromium, or set POSTGEO_BROWSER to the program")
	}
	profile := t.TempDir()
	toRead, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	from, fromWrite, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--disable-extensions", "--disable-background-networking", "--disable-component-update", "--remote-debugging-pipe",
		"--user-data-dir="+filepath.Join(profile, "profile"))
	cmd.ExtraFiles = []*os.File{toRead, fromWrite} // descriptors 3 and 4
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	toRead.Close()
	fromWrite.Close()
	b := &browser{t: t, to: to, calls: map[int]chan reply{}}
	go b.read(from)
	t.Cleanup(func() {
		b.call("", "Browser.close", nil)
		to.Close()
		if err := cmd.Wait(); err != nil && t.Failed() {
			t.Logf("the browser ended with %v: %s", err, stderr.Bytes())
		}
		from.Close()
	})
	return b
}

// read takes messages, each ended by a zero byte.
func (b *browser) read(from *os.File) {
	r := bufio.NewReader(from)
	for {
		data, err := r.ReadBytes(0)
		if err != nil {
			return
		}
		var m struct {
			ID      int             `json:"id"`
			Session string          `json:"sessionId"`
			Method  string          `json:"method"`
			Params  json.RawMessage `json:"params"`
			reply
		}
		if json.Unmarshal(data[:len(data)-1], &m) != nil {
			return
		}
		b.mu.Lock()
		call, events := b.calls[m.ID], b.events
		delete(b.calls, m.ID)
		b.mu.Unlock()
		if m.ID != 0 && call != nil {
			call <- m.reply
		} else if m.Method != "" && events != nil {
			events(m.Session, m.Method, m.Params)
		}
	}
}

// call sends a command and returns its result.
func (b *browser) call(session, method string, params any) json.RawMessage {
	b.t.Helper()
	b.mu.Lock()
	b.last++
	id, answer := b.last, make(chan reply, 1)
	b.calls[id] = answer
	b.mu.Unlock()
	if params == nil {
		params = struct{}{}
	}
	data, err := json.Marshal(map[string]any{"id": id, "sessionId": session, "method": method, "params": params})
	if session == "" {
		data, err = json.Marshal(map[string]any{"id": id, "method": method, "params": params})
	}
	if err == nil {
		_, err = b.to.Write(append(data, 0))
	}
	if err != nil {
		b.t.Fatalf("%s: %v", method, err)
	}
	select {
	case r := <-answer:
		if r.Error != nil {
			b.t.Fatalf("%s: %s", method, r.Error.Message)
		}
		return r.Result
	case <-time.After(browserPatience):
		b.t.Fatalf("%s: no answer of the browser", method)
		return nil
	}
}

// A tab is one page, with its requests and complaints.
type tab struct {
	b       *browser
	session string

	mu          sync.Mutex
	requests    []string
	complains   []string
	addresses   map[string]string // by the identifier of a request
	transferred map[string]int    // bytes of responses, by address
}

// A screen is the size and the color scheme of a page.
type screen struct {
	name          string
	width, height int
	phone, dark   bool
}

// open shows a page and waits until its script is ready.
func (b *browser) open(t *testing.T, url string, s screen) *tab {
	t.Helper()
	b.t = t
	var target struct {
		TargetID string `json:"targetId"`
	}
	if err := json.Unmarshal(b.call("", "Target.createTarget", map[string]any{"url": "about:blank"}), &target); err != nil {
		t.Fatal(err)
	}
	var attached struct {
		SessionID string `json:"sessionId"`
	}
	if err := json.Unmarshal(b.call("", "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}), &attached); err != nil {
		t.Fatal(err)
	}
	tb := &tab{b: b, session: attached.SessionID}
	b.mu.Lock()
	b.events = tb.event
	b.mu.Unlock()
	for _, domain := range []string{"Network", "Page", "Runtime", "Log", "Audits"} {
		tb.call(domain+".enable", nil)
	}
	scheme := "light"
	if s.dark {
		scheme = "dark"
	}
	tb.call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{
		{"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": "reduce"},
	}})
	tb.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": s.width, "height": s.height, "deviceScaleFactor": 1, "mobile": s.phone})
	tb.call("Page.navigate", map[string]any{"url": url})
	tb.await("document.documentElement?.dataset.ready === 'true'")
	t.Cleanup(func() { b.call("", "Target.closeTarget", map[string]any{"targetId": target.TargetID}) })
	return tb
}

func (tb *tab) call(method string, params any) json.RawMessage {
	tb.b.t.Helper()
	return tb.b.call(tb.session, method, params)
}

// event keeps the addresses of requests, and what the console and the policy
// complain of.
func (tb *tab) event(session, method string, params json.RawMessage) {
	if session != tb.session {
		return
	}
	tb.mu.Lock()
	defer tb.mu.Unlock()
	var p struct {
		Type    string `json:"type"`
		Request struct {
			URL string `json:"url"`
		} `json:"request"`
		RequestID   string  `json:"requestId"`
		Transferred float64 `json:"encodedDataLength"`

		URL   string `json:"url"`
		Entry struct {
			Level string `json:"level"`
			Text  string `json:"text"`
			URL   string `json:"url"`
		} `json:"entry"`
		Issue struct {
			Code string `json:"code"`
		} `json:"issue"`
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	switch {
	case method == "Network.requestWillBeSent":
		tb.requests = append(tb.requests, p.Request.URL)
		if tb.addresses == nil {
			tb.addresses = map[string]string{}
		}
		tb.addresses[p.RequestID] = p.Request.URL
	case method == "Network.loadingFinished":
		if tb.transferred == nil {
			tb.transferred = map[string]int{}
		}
		tb.transferred[tb.addresses[p.RequestID]] += int(p.Transferred)
	case method == "Network.webSocketCreated":
		tb.requests = append(tb.requests, p.URL)
	case method == "Log.entryAdded" && p.Entry.Level == "error":
		tb.complains = append(tb.complains, p.Entry.Text+" "+p.Entry.URL)
	case method == "Runtime.exceptionThrown",
		method == "Runtime.consoleAPICalled" && (p.Type == "error" || p.Type == "assert"),
		method == "Audits.issueAdded" && p.Issue.Code == "ContentSecurityPolicyIssue":
		tb.complains = append(tb.complains, method+" "+string(params))
	}
}

// eval returns the value of an expression, as JSON would write it.
func (tb *tab) eval(expression string, into any) {
	tb.b.t.Helper()
	var r struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		Exception *struct {
			Text string `json:"text"`
		} `json:"exceptionDetails"`
	}
	raw := tb.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true})
	err := json.Unmarshal(raw, &r)
	if err == nil && r.Exception != nil {
		err = errors.New(r.Exception.Text + ": " + string(raw))
	}
	if err == nil && into != nil {
		err = json.Unmarshal(r.Result.Value, into)
	}
	if err != nil {
		tb.b.t.Fatalf("%s: %v", expression, err)
	}
}

// text returns an expression as text, after "await " what it promises.
func (tb *tab) text(expression string) (s string) {
	tb.b.t.Helper()
	if rest, ok := strings.CutPrefix(expression, "await "); ok {
		tb.eval("("+rest+").then(String)", &s)
		return s
	}
	tb.eval("String("+expression+")", &s)
	return s
}

// await waits until an expression is true.
func (tb *tab) await(expression string) {
	tb.b.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), browserPatience)
	defer cancel()
	for ctx.Err() == nil {
		var ok bool
		tb.eval("Boolean("+expression+")", &ok)
		if ok {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	tb.mu.Lock()
	defer tb.mu.Unlock()
	tb.b.t.Fatalf("%s never became true; the page complains: %q", expression, tb.complains)
}

// press presses and releases a key, e.g. "Tab" or "ArrowDown".
func (tb *tab) press(key string, code int) {
	tb.b.t.Helper()
	text := map[string]string{"Enter": "\r"}[key]
	for _, kind := range []string{"keyDown", "keyUp"} {
		params := map[string]any{"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code}
		if kind == "keyDown" && text != "" {
			params["text"] = text
		}
		tb.call("Input.dispatchKeyEvent", params)
	}
}

func (tb *tab) tabKey() { tb.press("Tab", 9) }
func (tb *tab) enter()  { tb.press("Enter", 13) }
func (tb *tab) down()   { tb.press("ArrowDown", 40) }

// write types text where the focus is.
func (tb *tab) write(text string) {
	tb.b.t.Helper()
	tb.call("Input.insertText", map[string]any{"text": text})
}

// focus walks on with the Tab key until an element has the focus.
func (tb *tab) focus(id string) {
	tb.b.t.Helper()
	for range 80 {
		if tb.text("document.activeElement.id") == id {
			return
		}
		tb.tabKey()
	}
	tb.b.t.Fatalf("the Tab key does not lead to #%s", id)
}
