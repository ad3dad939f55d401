// The explorer: the address of the page is its state.

import { Failure, announce, ask, fill, h, key, number, parts, query } from "./dom.js";
import { View, circle, miles, unpack } from "./geometry.js";
import { PlaceMap } from "./map.js";
import { searchBox } from "./search.js";
import * as card from "./card.js";
import * as around from "./around.js";
import { SPATIAL, callBox, calls } from "./calls.js";
import { cite, knowSources } from "./cite.js";
import { downloads } from "./export.js";

const PLACE = ["code", "area", "state", "address", "poly"];
const KEYS = [...PLACE, "tab", "mi", "field", "sort", "at"];
const US = "timezone,census,cd,cd_next,state_leg,state_leg_next,school_district,demographics,quality,likely";
const CANADA = "timezone,census,cd,cd_next";
// With a key a place opens for at most three credits, one of them for the map. Buttons
// request the rest.
const few = () => (["around", "survey", "use"].includes(state.tab) ? undefined : "timezone");
const TABS = [["facts", "Facts"], ["around", "Around"], ["survey", "Survey"], ["use", "Use it"]];
const CREDIT = "U.S. Census Bureau; Statistics Canada; GeoNames; timezone-boundary-builder (ODbL)";
const LAYERS = { cbsa: "Metro area", state_upper: "State senate district", state_lower: "State house district", federal_district: "Federal electoral district" };
const COORDINATE = /^\s*-?\d+(\.\d+)?\s*,\s*-?\d+(\.\d+)?\s*$/;
const panel = document.getElementById("panel");

let state = {};
let place = null; // what the page shows: { record, found }, { area }, { land } or { polygon }
let rows = []; // of the table
let fitted = false; // the map shows the whole outline of the code
let work = new AbortController(); // of the place
let lists = new AbortController(); // of its table
let info = null;
const setup = ask("/explorer/setup.json").then((answer) => { info = answer; knowSources(answer.sources ?? []); return answer; }).catch(() => null);

// Addresses.

const address = (s) => { const q = query(Object.fromEntries(KEYS.map((k) => [k, k === "tab" && s[k] === "facts" ? undefined : s[k]]))); return "/" + (q && "?" + q); };

function read() {
  const q = new URLSearchParams(location.search);
  const s = Object.fromEntries(KEYS.filter((k) => q.get(k)?.trim()).map((k) => [k, q.get(k).trim()]));
  s.mi = bounded(Number(s.mi) || 5);
  s.field ??= around.FIELDS[0][0];
  return s;
}

const bounded = (mi) => { const m = Math.min(around.WIDEST, Math.max(0.5, mi)); return m < 10 ? Math.round(m * 10) / 10 : Math.round(m * 2) / 2; };
// tidy leaves out what does not matter to a view.
const tidy = (s) => ({ ...s, mi: (s.code || s.address) && (["around", "survey", "use"].includes(s.tab) || s.mi !== 5) ? s.mi : undefined, field: s.tab === "survey" ? s.field : undefined });
const keep = () => history.replaceState(null, "", address(tidy(state)));

function go(to) {
  const next = address(tidy({ mi: state.mi, field: state.field, ...to, at: undefined, sort: undefined }));
  if (next !== location.pathname + location.search) history.pushState(null, "", next); // a double click is one step back
  open().then(() => document.activeElement === document.body && panel.focus({ preventScroll: true })); // what had the focus is gone
}

// link leads to an address, or to what a function returns at that time.
function link(to, attributes, ...text) {
  const now = () => (typeof to === "function" ? to() : to);
  const a = h("a", { ...attributes, onclick: (e) => {
    if (e.metaKey || e.ctrlKey || e.shiftKey) return;
    e.preventDefault();
    go(now());
  } }, ...text);
  a.renew = () => { a.href = address(tidy({ ...now(), at: undefined })); };
  a.renew();
  return a;
}

// The map and the search box.

const map = new PlaceMap(document.getElementById("map"), {
  pick: (code) => go({ code, tab: ["around", "survey"].includes(state.tab) && !state.area ? state.tab : undefined }),
  hover: (code) => {
    for (const tr of panel.querySelectorAll("tr.hot")) tr.classList.remove("hot");
    if (code) panel.querySelector(`tr[data-code="${CSS.escape(code)}"]`)?.classList.add("hot");
  },
  tip: (a) => {
    const row = rows.find((r) => r.code === a.code);
    const share = row && around.shareOf(row);
    const away = row?.distance_miles ?? (map.circle && a.location && "about " + number(miles(map.circle.at, [a.location.lon, a.location.lat])));
    return [[a.city, a.state].filter(Boolean).join(", "), row?.shown ?? (share !== undefined && share + "% inside"), away && away + " miles away"].filter(Boolean);
  },
  moved: () => {
    const { center, scale } = map.view;
    state.at = [center[1].toFixed(4), center[0].toFixed(4), Math.log2(scale).toFixed(2)].join();
    keep();
  },
  loaded: () => {
    if (fitted || state.at || map.circle || !map.byCode.get(map.chosen)?.rings.length) return;
    fitted = true;
    const guess = map.view;
    fit();
    if (key() && !map.covered) map.show(guess, true); // what it lacks would cost another credit
  },
  fit: () => { delete state.at; keep(); fit(); },
  radius: (mi, done) => setRadius(mi, done),
  corner: (points) => go({ poly: unwrapped(points).map((p) => p.map((v) => v.toFixed(4)).join()).join(";"), tab: state.tab === "survey" ? "survey" : undefined }),
});
// unwrapped continues beyond longitude 180, as outlines do.
const unwrapped = (points) => points.map(([lon, lat]) => [lon - 360 * Math.round((lon - points[0][0]) / 360), lat]);
map.credit.textContent = CREDIT;
const hint = () => (info?.dataset.sample ? " This server has only the sample of a few hundred codes; run postgeo dataset build to get all." : "");
const finder = searchBox(document.getElementById("search"), go, hint);

// fit shows the whole place.
function fit() {
  const r = place?.record;
  const rings = (map.state ? map.ground.find((g) => g.state === map.state)?.rings : map.outline) ?? map.byCode.get(map.chosen)?.rings;
  if (map.circle) return map.fit(circle(map.circle.at, state.mi, 24), Math.min(map.view.width < 500 ? 72 : 40, map.view.height / 16)); // beside the buttons
  if (map.polygon?.length > 2) return map.fit(map.polygon);
  if (rings?.length) return map.fit(rings.flatMap((r) => r.points));
  if (r?.location) return map.fit(circle([r.location.lon, r.location.lat], Math.max(1.5, Math.sqrt(0.7 * (r.zip_info?.land_area_sq_mi ?? 10))), 12));
  return map.fit([]);
}

// look shows the part of the address, or all.
function look() {
  const at = (state.at ?? "").split(",").map(Number);
  if (at.length === 3 && at.every(Number.isFinite) && Math.abs(at[0]) <= 90 && at[2] > 5 && at[2] < 23) map.show(new View(map.view.width, map.view.height, [at[1], at[0]], 2 ** at[2]), true);
  else fit();
}

// Places.

async function open() {
  const before = state;
  state = read();
  lists.abort();
  if (place && PLACE.every((k) => state[k] === before[k])) return showTab();
  work.abort();
  work = new AbortController();
  const { signal } = work;
  place = null;
  rows = [];
  fitted = false;
  map.cancel();
  map.set({ chosen: "", state: "", shades: null, spots: null, weak: new Set(), outline: null, circle: null, polygon: null, spot: null, figures: false });
  around.showLegend();
  const wait = setTimeout(() => !signal.aborted && fill(panel, h("div", { class: "skeleton", role: "status", "aria-label": "Loading" }, h("i"), h("i"), h("i"), h("i"))), 150);
  const what = state.code ?? state.area ?? state.state ?? state.address ?? (state.poly && "Polygon") ?? "";
  try {
    if (state.code) await openCode(signal);
    else if (state.area) await openArea(signal);
    else if (state.state) await openState(signal);
    else if (state.address) await openAddress(signal);
    else if (state.poly) openPolygon();
    else openHome();
    if (!place || place.land) return look(); // the panel is complete
    await setup;
    if (!signal.aborted) showTab(true);
  } catch (error) {
    if (error.name === "AbortError" || signal.aborted) return;
    await openFailure(error, what, signal);
    if (!(error instanceof Failure)) throw error;
  } finally {
    clearTimeout(wait);
    if (!signal.aborted) {
      document.documentElement.dataset.ready = "true";
      performance.mark("ready");
    }
  }
}

function entitle(text, typed = text) {
  document.title = text ? text + " · postgeo" : "postgeo";
  finder.set(typed);
  announce(text);
}

const allOf = (code) => (/^\s*[a-z]/i.test(code) ? CANADA : US);
const recordOf = (code, include, signal) => ask("/v2/zip", { code, include: key() ? include : allOf(code) }, signal);
// areaCode is the code of the area of a record.
const areaCode = (r) => (r.country === "CA" ? r.code.slice(0, 3) : r.code.slice(0, 5));
// center is what a circle lies around.
const center = () => (place.found ? `${place.found.location.lat},${place.found.location.lon}` : COORDINATE.test(state.code ?? "") ? state.code : place.record.code);

async function openCode(signal) {
  const point = COORDINATE.test(state.code) ? state.code.split(",").map(Number) : null;
  const record = await recordOf(state.code, point ? undefined : few(), signal);
  place = { record, point: point?.join(", ") };
  map.set({ chosen: areaCode(record), spot: point?.toReversed() ?? (["Postal", "ZIP+4"].includes(record.code_type) && record.location ? [record.location.lon, record.location.lat] : null) });
  entitle(point ? place.point : [record.code, record.city].filter(Boolean).join(", "));
}

async function openArea(signal) {
  const [layer, geoid] = parts(state.area);
  const tolerance = /^(cd|fed|er|census.division)$/.test(layer) ? 0.001 : 0.0002; // the first may have the coast of the Arctic
  const area = await ask("/v2/area", { layer, geoid, tolerance }, signal);
  place = { area };
  map.set({ outline: unpack(area.rings, area.tolerance) });
  entitle([area.area.name ?? geoid, area.area.state].filter(Boolean).join(", "));
}

async function openState(signal) {
  const [list, found] = await Promise.all([map.loadGround(), ask("/v2/suggest", { q: state.state, include: "state", limit: 10 }, signal)]);
  signal.throwIfAborted();
  const match = found.matches.find((m) => (m.state ?? m.province) === state.state);
  if (!match && !list.some((g) => g.state === state.state)) throw new Failure("missing", `The dataset has no state or province ${state.state}.`);
  place = { land: state.state };
  map.set({ state: state.state });
  const name = match?.name ?? state.state;
  entitle(name);
  fill(panel, h("p", { class: "kicker" }, match?.country === "CA" ? "Province or territory" : "State"), h("h1", {}, name),
    h("p", { class: "where" }, state.state, match?.fips && h("span", {}, "FIPS " + match.fips)),
    match?.population && h("dl", { class: "tiles gap" }, h("div", {}, h("dt", {}, "People"), h("dd", {}, number(match.population)))),
    !list.some((g) => g.state === state.state) && h("p", { class: "quiet gap" }, "This dataset has no outline of it."),
    h("p", { class: "gap" }, "Click the map twice to reach its codes, or search for a place in it."));
}

async function openAddress(signal) {
  const found = await ask("/v2/geocode", { address: state.address, include: key() ? undefined : "cd,likely" }, signal);
  if (found.precision === "city" && /\d/.test(state.address)) throw new Failure("missing", `Of this address, the dataset has only the city: ${found.city}, ${found.state}.`);
  const { lat, lon } = found.location;
  const record = await recordOf(found.zip && (found.precision === "zip" || key()) ? found.zip : `${lat},${lon}`, undefined, signal);
  record.likely = found.likely; // of the address, not of the point
  place = { record, found: { ...found, typed: state.address } };
  map.set({ chosen: areaCode(record), spot: [lon, lat] });
  entitle(found.formatted_address, state.address);
}

function openPolygon() {
  const points = state.poly.split(";").filter(Boolean).map((p) => p.split(",").map(Number));
  if (points.length < 3 || points.some((p) => p.length !== 2 || !p.every(Number.isFinite) || Math.abs(p[0]) > 360 || Math.abs(p[1]) > 90)) throw new Failure("refused", "A polygon needs at least three corners as longitude,latitude;…");
  place = { polygon: { type: "Polygon", coordinates: [[...points, points[0]]] } };
  map.set({ polygon: points });
  entitle("Polygon", "");
}

function openHome() {
  entitle("", "");
  showHome();
  if (!info) setup.then(() => info && panel.querySelector(".try.start") && showHome());
}

function keyField() {
  const input = h("input", { type: "password", value: key(), maxlength: "64", autocomplete: "off", onchange: () => sessionStorage.setItem("postgeo-key", input.value.trim()) });
  return h("form", { class: "field", onsubmit: (e) => { e.preventDefault(); input.dispatchEvent(new Event("change")); open(); } },
    h("label", {}, key() ? "API key, in use until you close the tab" : "API key of this server, kept until you close the tab", input),
    h("p", {}, "A place costs up to 3 credits, a list of suggestions 1, a move of the map up to 1."), h("button", { type: "submit", class: "plain" }, "Use this key"));
}

function showHome() {
  const survey = info?.survey;
  const tries = [[{ code: "90210" }, "90210", "Beverly Hills, California"], [{ code: "10001", tab: "around", mi: 3 }, "3 miles around 10001", "New York City"], [{ area: "county:06037" }, "Los Angeles County", "its ZIP Codes"], [{ code: "M5V" }, "M5V", "Toronto, Ontario"], ...(survey ? [[{ code: "98101", tab: "survey", mi: 5 }, "Income around 98101", "Seattle, Washington"]] : [])];
  const file = h("input", { type: "file", accept: ".csv,.tsv,.txt,text/csv", hidden: true, id: "file", onchange: () => file.files[0] && upload(file.files[0]) });
  fill(panel, h("h1", {}, "ZIP Codes and postal areas of the United States and Canada, on one map"), h("p", { class: "quiet" }, "Search for a place, or click the map to come closer."),
    info?.keys && keyField(),
    h("ul", { class: "try start" }, tries.map(([to, title, where]) => h("li", {}, link(to, {}, h("b", {}, title), h("span", {}, where))))),
    h("p", { class: "row" }, h("button", { type: "button", class: "plain", onclick: () => file.click() }, "Enrich a CSV of codes"), file, h("small", {}, "or drop it on the page")),
    info && h("dl", { class: "facts gap" }, ...[["Dataset", info.dataset.sample ? "Sample: a few hundred codes, partly invented" : `${info.dataset.version}, built ${info.dataset.built}`], ["Sources", `${info.dataset.sources} files`], ["Survey", survey ? `American Community Survey ${survey}` : "not in this dataset"]].map(([name, text]) => h("div", {}, h("dt", {}, name), h("dd", {}, text)))),
    h("p", { class: "keys quiet gap" }, h("kbd", {}, "/"), " search ", h("kbd", {}, "+"), " ", h("kbd", {}, "−"), " zoom ", h("kbd", {}, "0"), " fit"));
}

async function openFailure(error, what, signal) {
  const titles = { missing: "Not found", network: "No connection", busy: "Not possible now", refused: "Not possible", key: "Key required" };
  let close = [];
  if (error.kind === "missing" && state.code && !COORDINATE.test(state.code)) close = (await ask("/v2/suggest", { q: state.code.slice(0, 3), limit: 4, include: "zip,fsa" }, signal).catch(() => ({ matches: [] }))).matches;
  if (signal.aborted) return;
  entitle(what.slice(0, 100), what.slice(0, 200));
  fill(panel, h("p", { class: "kicker bad" }, titles[error.kind] ?? "Not possible"), h("h1", {}, what.length > 100 ? what.slice(0, 100) + " …" : what || "postgeo"), h("p", { role: "alert" }, error instanceof Failure ? error.message + (error.kind === "missing" ? hint() : "") : "The page could not show this. Reload it, or report the address of the page."),
    error.kind === "key" && keyField(),
    close.length > 0 && h("section", {}, h("h2", {}, "Close to it"), h("ul", { class: "try" }, close.map((m) => h("li", {}, link({ code: m.name }, {}, h("b", {}, m.name), h("span", {}, [m.city, m.state].filter(Boolean).join(", "))))))),
    ["busy", "network"].includes(error.kind) && h("button", { type: "button", class: "primary", onclick: open }, "Try again"));
  look();
  announce(error.message);
}

// Views of a place.

let radius = null;

// price is the number of credits of a list. That of an area came with the area.
const price = (survey) => (place.area ? 0 : place.polygon ? 1 : Math.ceil(state.mi / (state.mi > SPATIAL ? 100 : 50))) + (survey ? 1 : 0);
const credits = (n) => `${n} ${n === 1 ? "credit" : "credits"}`;
const prices = () => h("p", { id: "price", class: "quiet" }, `${price() ? `Codes cost ${credits(price())}` : "Codes are free"}${canSurvey() ? `, figures ${credits(price(true))}` : ""}, a move of the map up to 1.`);

function heading() {
  const { record, found, point, area, polygon } = place;
  if (record) return card.head(record, found, point);
  if (area) return h("header", {}, h("p", { class: "kicker" }, LAYERS[area.area.layer] ?? area.area.layer.replaceAll("_", " ")), h("h1", {}, area.area.name ?? area.area.geoid), h("p", { class: "where" }, [area.area.state, area.area.geoid].filter(Boolean).join(" · "), h("span", {}, [area.area.source, area.area.vintage].filter(Boolean).join(", "))));
  return h("header", {}, h("p", { class: "kicker" }, "Polygon"), h("h1", {}, polygon.coordinates[0].length - 1 + " corners"));
}

// showTab shows the view of the address. opened means that the place was opened just now.
function showTab(opened) {
  if (!place || place.land) return look();
  const { record } = place;
  const names = (record ? (record.location ? TABS : TABS.slice(0, 1)) : TABS.slice(1).map(([id, name]) => (id === "around" ? [id, "Codes"] : [id, name]))).filter(([id]) => id !== "survey" || canSurvey());
  if (!names.some(([id]) => id === state.tab)) delete state.tab;
  const tab = state.tab ?? names[0][0];
  const listed = tab !== "facts";
  const spot = (place.found ?? record)?.location;
  radius = record && listed ? around.slider(state.mi, setRadius) : null;
  map.set({ circle: radius ? { at: [spot.lon, spot.lat], miles: state.mi, code: center() } : null, shades: null, spots: null, weak: new Set(), figures: false });
  rows = [];
  around.showLegend();
  const body = h("div", { id: "body" });
  const focused = document.activeElement?.closest?.(".tabs") && document.activeElement.textContent;
  fill(panel, heading(), card.tabs(() => state, tab, link, names), key() && names.length > 1 && prices(), h("div", {}, radius?.element, tab === "survey" && around.fieldChoice(state.field, (field) => { state.field = field; delete state.sort; keep(); list(); })), body);
  if (focused) [...panel.querySelectorAll(".tabs a")].find((a) => a.textContent === focused)?.focus();
  panel.scrollTop = 0;
  look();
  const cost = listed && key() ? price(tab === "survey") : 0;
  if (!listed) showFacts(body, record);
  else if (opened && cost > (place.found || place.point ? 0 : 1)) fill(body, h("button", { type: "button", class: "primary", onclick: () => list() }, `Show ${tab === "survey" ? "the figures" : "the codes"} for ${credits(cost)}`));
  else list();
}

// canSurvey reports whether the dataset may have survey figures of the place.
const canSurvey = () => (!info || info.survey) && !(place.record?.country === "CA") && !(place.area && /^(census_|federal_|metro_area|economic|population_c|consolidated|designated|dissem)/.test(place.area.area.layer));

async function showFacts(body, record) {
  const { signal } = work;
  const forms = (include) => { const all = calls({ code: center() }, null, info?.keys); return include ? Object.fromEntries(Object.entries(all).map(([name, text]) => [name, text.replaceAll("timezone,census,cd", include).replaceAll("timezone%2Ccensus%2Ccd", include).replace('"timezone", "census", "cd"', `"${include}"`)])) : all; };
  const show = (survey) => fill(body, card.facts(record, link, survey, forms), key() && !place.all && moreButton(), callBox(calls(place.found ? { address: state.address } : { code: center() }, null, info?.keys)));
  show(key() && !place.all ? null : undefined); // not requested
  if (key() || !info?.survey || record.country !== "US") return;
  const code = areaCode(record);
  const people = await ask("/v2/figures", { field: around.FIELDS[1][0], code, max: 0.1 }, signal).catch(() => null);
  const own = people?.values.find((v) => v.code === code);
  if (!own || signal.aborted || !body.isConnected) return;
  const margin = own.moe === null ? "no margin" : `± ${number(own.moe)}`;
  show(h("div", {}, h("dt", {}, "People"), h("dd", {}, cite(number(own.est), () => ({ title: `People, ${code}`, note: `${margin} at 90 % confidence.`, source: `American Community Survey, ${people.label.replaceAll("!!", " › ")}`, edition: people.vintage, forms: calls({ tab: "survey", code, mi: 0.1, field: around.FIELDS[1][0] }, null, info.keys) })), h("small", {}, `${margin}, ACS ${people.vintage}`))));
}

// moreButton requests what a place does not show at first, because each family costs a credit.
function moreButton() {
  const code = center();
  return h("button", { type: "button", class: "plain gap", onclick: async (e) => {
    e.target.disabled = true;
    const { signal } = work;
    try {
      const record = await ask("/v2/zip", { code, include: allOf(areaCode(place.record)) }, signal);
      if (!signal.aborted) { place = { ...place, record, all: true }; showTab(); }
    } catch (error) {
      if (signal.aborted) return;
      announce(error.message);
      e.target.replaceWith(h("p", { class: "bad gap", role: "alert" }, error.message));
    }
  } }, `Show all areas, at up to ${allOf(areaCode(place.record)).split(",").length + (COORDINATE.test(code) ? 2 : 1)} credits`);
}

let asking = false;
let again = false;

// list requests the codes or figures of the place. While the circle is dragged, one
// request is in flight; the latest one follows. Anything else ends it.
async function list(dragged) {
  if (asking && dragged && !lists.signal.aborted) { again = true; return; }
  lists.abort();
  lists = new AbortController();
  const { signal } = lists;
  asking = true;
  again = false;
  const box = document.getElementById("body");
  const wait = box.firstChild ? 0 : setTimeout(() => !box.firstChild && !signal.aborted && fill(box, h("p", { class: "loading" }, "Loading …")), 150);
  try {
    await showList(box, signal);
  } catch (error) {
    if (error.name === "AbortError" || signal.aborted) return;
    map.set({ shades: null, spots: null, weak: new Set(), figures: false });
    around.showLegend();
    fill(box, h("p", { class: "bad gap", role: "alert" }, error instanceof Failure ? error.message : "The page could not show this."), ["busy", "network"].includes(error.kind) && h("button", { type: "button", class: "primary", onclick: () => { map.settle(true); list(); } }, "Try again"));
    if (!(error instanceof Failure)) throw error;
  } finally {
    clearTimeout(wait);
    if (!signal.aborted) asking = false;
  }
  if (again) list(true);
}

async function showList(box, signal) {
  const { record, area, polygon } = place;
  const tab = state.tab ?? "around";
  const what = record ? "the circle" : area ? area.area.name ?? "the area" : "the polygon";
  const { mi } = state;
  if (tab === "survey" && record && mi > SPATIAL) { fill(box, h("p", { class: "sum" }, `Figures are summed by the share of each area inside, for circles of up to ${SPATIAL} miles.`)); map.set({ shades: null, spots: null }); around.showLegend(); return; }
  const [layer, geoid] = parts(state.area);
  const [found, answer] = await Promise.all([
    around.search(place, { ...state, code: record && center() }, signal),
    tab === "survey" && ask("/v2/figures", null, signal, { field: state.field, ...(record ? { code: center(), max: mi } : area ? { layer, geoid } : { polygon }) }),
  ]);
  if (signal.aborted) return;
  const redraw = (draw) => (sort) => {
    state.sort = sort;
    keep();
    draw();
    panel.querySelector(`[data-sort="${sort.replace("-", "")}"]`)?.focus();
  };
  const forms = calls({ ...state, code: record && center(), tab: tab === "use" && record ? "around" : tab }, polygon, info?.keys);
  const name = (record ? `${center()}-${mi}-miles` : state.area ?? "polygon").replaceAll(/[^\w.-]+/g, "-");
  const files = (title, count, flat) => downloads(title, count, flat, map, document.title, CREDIT);
  if (tab === "survey") {
    const flat = () => {
      const places = new Map(found.rows.map((m) => [m.code, m]));
      return answer.values.map((v) => ({ code: v.code, city: places.get(v.code)?.city, state: places.get(v.code)?.state, latitude: places.get(v.code)?.location?.lat, longitude: places.get(v.code)?.location?.lon, pct_inside: v.pct_inside, field: answer.field, vintage: answer.vintage, estimate: v.est, moe: v.moe, ...("pct" in v ? { pct: v.pct, pct_moe: v.pct_moe } : {}) }));
    };
    const draw = () => {
      rows = around.showFigures(box, { answer, what, state, map, link, found, forms, resort: redraw(draw) });
      if (answer.values.length) box.append(files(name + "-" + answer.field.split(".").at(-1), answer.values.length, flat));
      box.append(callBox(forms));
    };
    draw();
    return;
  }
  const flat = () => found.rows.map((m) => ({ code: m.code, city: m.city, state: m.state, latitude: m.location?.lat, longitude: m.location?.lon, miles: m.distance_miles, pct_inside: around.shareOf(m) }));
  const draw = () => {
    rows = found.rows;
    around.showShares(box, { found, what, state, map, link, forms, resort: redraw(draw) });
    if (tab === "use") fill(box, callBox(forms), files(name, rows.length, flat));
    else box.append(callBox(forms));
  };
  draw();
}

function setRadius(mi, done) {
  state.mi = bounded(mi);
  radius?.set(state.mi);
  map.set({ circle: { ...map.circle, miles: state.mi } });
  if (done) {
    delete state.at;
    keep();
    for (const a of panel.querySelectorAll(".tabs a")) a.renew();
    const pixels = map.view.pixelsPerMile * state.mi;
    if (pixels > Math.min(map.view.width, map.view.height) * 0.5 || pixels < 40) fit();
  }
  map.settle(true);
  document.getElementById("price")?.replaceWith(prices());
  if (done || !key()) list(!done); // each request costs credits
}

// A CSV on the page.

async function upload(file) {
  const tables = import("./upload.js"); // few visitors have one
  history.pushState(null, "", "/");
  work.abort();
  lists.abort();
  work = new AbortController();
  const { signal } = work;
  state = read();
  place = null;
  around.showLegend();
  map.set({ chosen: "", state: "", shades: null, spots: null, weak: new Set(), outline: null, circle: null, polygon: null, spot: null });
  const status = h("p", { class: "loading", role: "status" }, "Reading …");
  const bar = h("progress", { max: "1", "aria-label": "Codes looked up" });
  fill(panel, h("p", { class: "kicker" }, "Table"), h("h1", {}, file.name), bar, status, h("button", { type: "button", class: "plain", onclick: () => go({}) }, "Cancel"));
  const fail = (error) => {
    if (signal.aborted) return;
    fill(panel, h("p", { class: "kicker bad" }, "Not possible"), h("h1", {}, file.name), h("p", { role: "alert" }, error.message), h("p", { class: "gap" }, link({}, {}, "Back to the start")));
  };
  const run = async (table) => {
    try {
      fill(panel, h("p", { class: "kicker" }, "Table"), h("h1", {}, file.name), bar, status, h("button", { type: "button", class: "plain", onclick: () => go({}) }, "Cancel"));
      const { cost, enrich, result } = await tables;
      if (key() && table.agreed !== cost(table)) {
        fill(panel, h("p", { class: "kicker" }, "Table"), h("h1", {}, file.name), h("button", { type: "button", class: "primary", onclick: () => run({ ...table, agreed: cost(table) }) }, `Look its codes up for up to ${number(cost(table))} credits`));
        return;
      }
      const done = await enrich(table, (n, all) => { bar.value = n / all; status.textContent = `${number(n)} of ${number(all)} codes looked up`; }, signal);
      if (!signal.aborted) { fill(panel, result(done)); announce("The table is ready"); }
    } catch (error) { fail(error); }
  };
  try {
    const { choice, load } = await tables;
    const table = await load(file);
    if (signal.aborted) return;
    if (table.column >= 0) await run(table);
    else fill(panel, choice(table, (column) => run({ ...table, column })));
  } catch (error) { fail(error); }
}

const hasFile = (e) => e.dataTransfer?.types.includes("Files");
addEventListener("dragover", (e) => { if (hasFile(e)) { e.preventDefault(); document.body.classList.add("drop"); } });
addEventListener("dragleave", (e) => { if (!e.relatedTarget) document.body.classList.remove("drop"); });
addEventListener("drop", (e) => {
  if (!hasFile(e)) return;
  e.preventDefault();
  document.body.classList.remove("drop");
  if (e.dataTransfer.files[0]) upload(e.dataTransfer.files[0]);
});

// The theme.

const themes = { "": ["◐", "as the system"], light: ["☀", "light"], dark: ["☾", "dark"] };
const themeButton = document.getElementById("theme");
function setTheme(name) {
  document.documentElement.dataset.theme = name;
  [themeButton.textContent] = themes[name];
  themeButton.setAttribute("aria-label", "Theme: " + themes[name][1]);
  localStorage.setItem("postgeo-theme", name);
  map.theme();
}
themeButton.addEventListener("click", () => setTheme({ "": "light", light: "dark", dark: "" }[document.documentElement.dataset.theme ?? ""]));
setTheme(themes[localStorage.getItem("postgeo-theme")] ? localStorage.getItem("postgeo-theme") : "");
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => map.theme());

document.querySelector("[data-to=home]").addEventListener("click", (e) => {
  if (e.metaKey || e.ctrlKey || e.shiftKey) return;
  e.preventDefault();
  go({});
});
addEventListener("popstate", open);
open();
