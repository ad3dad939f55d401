// Elements, requests and announcements.

// h makes an element. Attributes beginning with "on" are listeners.
export function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  return fill(element, ...children);
}

// fill replaces the children of an element. Lists are flattened; false, null and
// undefined are left out.
export function fill(element, ...children) {
  element.replaceChildren(...children.flat(5).filter((c) => c !== undefined && c !== null && c !== false && c !== ""));
  return element;
}

// bar shows a share in percent. Its width is a property, because the policy of the
// page forbids style attributes.
export function bar(percent, step) {
  const inner = h("i", { class: "s" + step });
  inner.style.width = Math.max(2, Math.min(100, percent)) + "%";
  return h("span", { class: "bar", "aria-hidden": "true" }, inner);
}

export const number = (n, digits = 0) => Number(n).toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
// percent writes a share; only the whole is 100%.
export const percent = (p) => (p >= 99.95 ? "100" : p < 0.1 ? "<0.1" : p.toFixed(p < 10 || p >= 99.5 ? 1 : 0)) + "%";

// parts divides the layer of an area from its ID, which may have colons.
export const parts = (area = "") => [area.split(":", 1)[0], area.slice(area.indexOf(":") + 1)];

let pause;
export function announce(text) {
  clearTimeout(pause);
  pause = setTimeout(() => { document.getElementById("live").textContent = text; }, 250);
}

// Failure is a request without a result. Its kind is missing, refused, key, busy or
// network. wait is the number of seconds after which the server expects another try.
export class Failure extends Error {
  constructor(kind, message, wait = 0) {
    super(message);
    this.kind = kind;
    this.wait = wait;
  }
}

export const key = () => sessionStorage.getItem("postgeo-key") ?? "";
let open = 0;
let spent = 0;
// spend shows the credits that requests with a key have used since the page was loaded.
function spend(credits) {
  if (!key() || !credits) return;
  spent += credits;
  const shown = document.getElementById("spent");
  shown.hidden = false;
  shown.textContent = `${number(spent)} ${spent === 1 ? "credit" : "credits"} used`;
}
const busy = (n) => { open += n; document.documentElement.toggleAttribute("data-busy", open > 0); };

// ask returns the first result of a request, or the whole answer, or throws a Failure.
export async function ask(path, parameters, signal, body, whole) {
  const url = path + (parameters ? "?" + query(parameters) : "");
  const headers = key() ? { "X-Api-Key": key() } : {};
  let response;
  let answer;
  busy(1);
  try {
    response = await fetch(url, { signal, headers, ...(body && { method: "POST", body: JSON.stringify(body) }) });
    answer = await response.json().catch((error) => {
      if (error.name === "AbortError") throw error;
      return { error: { message: `The server answered with status ${response.status} and no result.` } };
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Failure("network", "The server did not respond. Check that it is running, then try again.");
  } finally {
    busy(-1);
  }
  spend(answer.meta?.credits?.used);
  const error = answer.error ?? answer.results?.find((r) => r.error && answer.results.length === 1)?.error;
  if (!error || (whole && answer.results)) return whole || !answer.results ? answer : answer.results[0];
  if (/NOT_FOUND/.test(error.code)) throw new Failure("missing", error.message);
  if (/^AUTH_(MISSING|INVALID|INACTIVE)_KEY$/.test(error.code)) throw new Failure("key", key() ? error.message : "This server requires an API key. Enter it here or on the start page.");
  throw new Failure(error.retryable || response.status >= 500 || response.status === 429 ? "busy" : "refused", error.message, Number(response.headers.get("Retry-After")) || 0);
}

export function query(parameters) {
  return Object.entries(parameters).filter(([, v]) => v !== undefined && v !== "").map(([k, v]) => k + "=" + encodeURIComponent(v).replaceAll("%2C", ",").replaceAll("%3A", ":")).join("&");
}
