// The same call with curl and in Go.

// shellQuote writes text as one word of a shell.
function shellQuote(text) {
  return "'" + text.replaceAll("'", "'\\''") + "'";
}

// curlLine writes a request for a shell. The key stays a variable.
export function curlLine(request, keys) {
  const parts = ["curl"];
  if (keys && request.keyed) parts.push('-H "X-Api-Key: $KEY"');
  if (request.body !== undefined) parts.push("-d " + shellQuote(request.body));
  parts.push(shellQuote(location.origin + request.path));
  return parts.join(" ");
}

// goString writes text as a Go string.
function goString(text) {
  return JSON.stringify(String(text)).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

function goValue(value) {
  if (Array.isArray(value)) return "[]string{" + value.map(goString).join(", ") + "}";
  if (typeof value === "number") return String(value);
  return goString(value);
}

// libraryLines writes the call of the library that the document names for the
// operation, or "" where it names none.
function libraryLines(operation, given) {
  const call = operation.go;
  if (!call) return "";
  const values = { ...given };
  if (typeof values.include === "string") values.include = values.include.split(",");
  const fill = (text) => text.replace(/\{(\w+)\}/g, (whole, name) => {
    if (name === "options") return options.join(", ");
    return name in values ? goValue(values[name]) : whole;
  });
  const before = [];
  const options = [];
  const done = new Set();
  for (const option of call.options || []) {
    const value = values[option.param];
    if (value === undefined || done.has(option.param)) continue;
    const given = Array.isArray(value) ? value : [String(value)];
    if (option.value !== undefined && !given.includes(option.value)) continue;
    done.add(option.param);
    if (option.before) before.push(fill(option.before));
    if (option.text) options.push(fill(option.text));
  }
  const line = fill(call.call);
  return [...before, (/Ping/.test(line) ? "err := " : "result, err := ") + line].join("\n");
}

// requestLines writes the request with net/http.
function requestLines(request, keys) {
  const body = request.body === undefined ? "nil" : "strings.NewReader(" + goString(request.body) + ")";
  const lines = [
    "req, err := http.NewRequestWithContext(ctx, " + goString(request.method) + ", " + goString(location.origin + request.path) + ", " + body + ")",
  ];
  if (keys && request.keyed) lines.push('req.Header.Set("X-Api-Key", key)');
  lines.push("resp, err := http.DefaultClient.Do(req)");
  return lines.join("\n");
}

// goLines writes a request in Go.
export function goLines(operation, request, keys) {
  return libraryLines(operation, request.values) || requestLines(request, keys);
}
