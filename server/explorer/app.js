// The explorer: the address of the page is its state.

import { Failure, announce, ask, fill, h, parts, query } from "./dom.js";
import { View, circle, unpack } from "./geometry.js";
import { PlaceMap } from "./map.js";
import { searchBox } from "./search.js";
import * as card from "./card.js";
import * as around from "./around.js";
import { callBox, calls, downloads } from "./export.js";
import { enrich, result } from "./upload.js";

const KEYS = ["code", "area", "state", "address", "poly", "tab", "mi", "field", "sort", "at"];
const US = "timezone,census,cd,cd_next,state_leg,state_leg_next,school_district,demographics";
const CANADA = "timezone,census,cd,cd_next";
const TABS = [["facts", "Facts"], ["around", "Around"], ["survey", "Survey"], ["use", "Use it"]];
const panel = document.getElementById("panel");

let state = {};
let place = null; // what the page shows: { record }, { area } or { polygon }
let rows = []; // of the table
let work = new AbortController();
const setup = ask("/playground/setup.json").catch(() => null);
const ground = ask("/playground/ground.json").then(({ tolerance, land }) => land.filter((l) => l.rings.length).map((l) => ({ state: l.state, rings: unpack(l.rings, tolerance) })));

// Addresses.

const address = (s) => { const q = query(Object.fromEntries(KEYS.map((k) => [k, k === "tab" && s[k] === "facts" ? undefined : s[k]]))); return "/" + (q && "?" + q); };

function read() {
  const q = new URLSearchParams(location.search);
  const s = Object.fromEntries(KEYS.filter((k) => q.get(k)).map((k) => [k, q.get(k)]));
  s.mi = bounded(Number(s.mi) || 5);
  s.field ??= around.FIELDS[0][0];
  return s;
}

const bounded = (mi) => { const m = Math.min(250, Math.max(0.5, mi)); return m < 10 ? Math.round(m * 10) / 10 : Math.round(m * 2) / 2; };
// tidy leaves out what does not matter to a view.
const tidy = (s) => ({ ...s, mi: s.code && ["around", "survey", "use"].includes(s.tab) ? s.mi : undefined, field: s.tab === "survey" ? s.field : undefined });
const keep = () => history.replaceState(null, "", address(tidy(state)));

function go(to) {
  history.pushState(null, "", address(tidy({ mi: state.mi, field: state.field, ...to, at: undefined, sort: undefined })));
  open();
}

const link = (to, attributes, ...text) => h("a", { ...attributes, href: address(tidy({ ...to, at: undefined })), onclick: (e) => {
  if (e.metaKey || e.ctrlKey || e.shiftKey) return;
  e.preventDefault();
  go(to);
} }, ...text);

// The map and the search box.

const map = new PlaceMap(document.getElementById("map"), {
  pick: (code) => go({ code, tab: state.tab === "use" ? undefined : state.tab }),
  hover: (code) => {
    for (const tr of panel.querySelectorAll("tr.hot")) tr.classList.remove("hot");
    if (code) panel.querySelector(`tr[data-code="${CSS.escape(code)}"]`)?.classList.add("hot");
  },
  tip: (a) => {
    const row = rows.find((r) => r.code === a.code);
    const lines = [[a.city, a.state].filter(Boolean).join(", ")];
    if (row?.value !== undefined) lines.push(`${row.value} ± ${row.moe}`);
    else if (row && around.shareOf(row) !== undefined) lines.push(around.shareOf(row) + "% inside");
    return lines;
  },
  moved: () => {
    const { center, scale } = map.view;
    state.at = [center[1].toFixed(4), center[0].toFixed(4), Math.log2(scale).toFixed(2)].join();
    keep();
  },
  loaded: () => {},
  fit: () => fit(),
  radius: (mi, done) => setRadius(mi, done),
  corner: (points, done) => done && go({ poly: points.map((p) => p.map((v) => v.toFixed(4)).join()).join(";"), tab: state.tab === "survey" ? "survey" : undefined }),
});
const finder = searchBox(document.getElementById("search"), go);

// fit shows the whole place.
function fit() {
  const r = place?.record;
  if (map.circle) return map.fit(circle(map.circle.at, state.mi, 24), map.view.width < 500 ? 72 : 40); // beside the buttons
  if (map.outline) return map.fit(PlaceMap.frameOf(map.outline));
  if (map.polygon?.length > 2) return map.fit(map.polygon);
  if (r) return map.fit(circle([r.location.lon, r.location.lat], Math.max(1.5, Math.sqrt((r.zip_info?.land_area_sq_mi ?? 20) / 2)), 12), 30);
  return map.fit([]);
}

// settle shows the part of the address, or all.
function look() {
  const at = (state.at ?? "").split(",").map(Number);
  if (at.length === 3 && at.every(Number.isFinite)) map.show(new View(map.view.width, map.view.height, [at[1], at[0]], 2 ** at[2]), true);
  else fit();
}

// Places.

async function open() {
  const before = state;
  state = read();
  if (place && ["code", "area", "state", "address", "poly"].every((k) => state[k] === before[k])) return showTab();
  work.abort();
  work = new AbortController();
  place = null;
  rows = [];
  map.set({ chosen: "", shades: null, weak: new Set(), outline: null, circle: null, polygon: null, spot: null, figures: false });
  around.showLegend();
  const wait = setTimeout(() => fill(panel, h("p", { class: "loading", role: "status" }, "Loading …")), 150);
  const what = state.code ?? state.area ?? state.state ?? state.address ?? "";
  try {
    if (state.code) await openCode(work.signal);
    else if (state.area) await openArea(work.signal);
    else if (state.state) await openState();
    else if (state.address) await openAddress(work.signal);
    else if (state.poly) openPolygon();
    else openHome();
  } catch (error) {
    if (error.name === "AbortError") return;
    if (!(error instanceof Failure)) throw error;
    await openFailure(error, what);
  } finally {
    clearTimeout(wait);
    document.documentElement.dataset.ready = "true";
    performance.mark("ready");
  }
}

function entitle(text, typed = text) {
  document.title = text ? text + " · postgeo" : "postgeo";
  finder.set(typed);
  announce(text);
}

async function openCode(signal) {
  const canadian = /^[a-z]/i.test(state.code);
  const record = await ask("/v2/zip", { code: state.code, include: canadian ? CANADA : US }, signal);
  place = { record };
  const at = [record.location.lon, record.location.lat];
  map.set({ chosen: record.code_type === "Postal" ? record.code.slice(0, 3) : record.code.slice(0, 5), spot: state.code.includes(",") ? state.code.split(",").map(Number).reverse() : record.code_type === "Postal" ? at : null });
  entitle([record.code, record.city].filter(Boolean).join(", "));
  showTab();
}

async function openArea(signal) {
  const [layer, geoid] = parts(state.area);
  const area = await ask("/v2/area", { layer, geoid }, signal);
  place = { area };
  map.set({ outline: unpack(area.rings, area.tolerance) });
  entitle([area.area.name ?? geoid, area.area.state].filter(Boolean).join(", "));
  showTab();
}

async function openState() {
  const found = (await ground).find((g) => g.state === state.state);
  if (!found) throw new Failure("missing", `The dataset has no outline of ${state.state}.`);
  place = { land: found };
  map.set({ outline: found.rings });
  entitle(state.state);
  fill(panel, h("p", { class: "kicker" }, "State or province"), h("h1", {}, state.state), h("p", {}, "Click the map or search to reach its codes."), h("p", {}, link({}, {}, "Back to the start")));
  look();
}

async function openAddress(signal) {
  const found = await ask("/v2/geocode", { address: state.address }, signal);
  history.replaceState(null, "", address({ code: `${found.location.lat},${found.location.lon}` }));
  open();
}

function openPolygon() {
  const points = state.poly.split(";").map((p) => p.split(",").map(Number));
  if (points.length < 3 || points.some((p) => p.length !== 2 || !p.every(Number.isFinite))) throw new Failure("refused", "A polygon needs at least three corners as longitude,latitude;…");
  place = { polygon: { type: "Polygon", coordinates: [[...points, points[0]]] } };
  map.set({ polygon: points });
  entitle("Polygon", "");
  showTab();
}

function openHome() {
  entitle("", "");
  showHome(null);
  look();
  setup.then((info) => { if (info && panel.querySelector(".try.start")) showHome(info); });
}

function showHome(info) {
  const survey = info?.survey;
  const tries = [[{ code: "90210" }, "90210", "Beverly Hills, California"], [{ code: "10001", tab: "around", mi: 3 }, "3 miles around 10001", "New York"], [{ area: "county:06037" }, "Los Angeles County", "its ZIP Codes"], [{ code: "M5V" }, "M5V", "Toronto, Ontario"], ...(survey ? [[{ code: "90210", tab: "survey", mi: 10 }, "Income around 90210", "survey map"]] : [])];
  const file = h("input", { type: "file", accept: ".csv,.tsv,text/csv", hidden: true, id: "file", onchange: () => file.files[0] && upload(file.files[0]) });
  const key = h("input", { type: "password", value: sessionStorage.getItem("postgeo-key") ?? "", maxlength: "64", autocomplete: "off", onchange: () => sessionStorage.setItem("postgeo-key", key.value.trim()) });
  fill(panel, h("h1", {}, "ZIP Codes and postal areas of the United States and Canada on one map"), h("p", { class: "quiet" }, "Search for a place, or click the map."),
    info?.keys && h("label", { class: "field" }, "API key of this server", key),
    h("ul", { class: "try start" }, tries.map(([to, title, where]) => h("li", {}, link(to, {}, h("b", {}, title), h("span", {}, where))))),
    h("p", {}, h("button", { type: "button", class: "plain", onclick: () => file.click() }, "Enrich a CSV of codes"), file, h("small", {}, " or drop it on the page")),
    info && h("dl", { class: "facts" }, ...[["Dataset", info.dataset.sample ? "Sample: a few hundred codes, partly invented" : `${info.dataset.version}, built ${info.dataset.built}`], ["Sources", `${info.dataset.sources} files`], ["Survey", survey ? `American Community Survey ${survey}` : "not in this dataset"]].map(([name, text]) => h("div", {}, h("dt", {}, name), h("dd", {}, text)))),
    h("p", { class: "keys quiet" }, h("kbd", {}, "/"), " search  ", h("kbd", {}, "+"), " ", h("kbd", {}, "−"), " zoom  ", h("kbd", {}, "0"), " fit"));
}

async function openFailure(error, what) {
  const titles = { missing: "Not found", network: "No connection", busy: "Not possible now", refused: "Not possible" };
  let close = [];
  if (error.kind === "missing" && state.code) close = (await ask("/v2/suggest", { q: state.code.slice(0, 3), limit: 4, include: "zip,fsa" }).catch(() => ({ matches: [] }))).matches;
  entitle(what);
  fill(panel, h("p", { class: "kicker bad" }, titles[error.kind]), h("h1", {}, what || "postgeo"), h("p", {}, error.message),
    close.length > 0 && h("section", {}, h("h2", {}, "Close to it"), h("ul", { class: "try" }, close.map((m) => h("li", {}, link({ code: m.name }, {}, h("b", {}, m.name), h("span", {}, [m.city, m.state].filter(Boolean).join(", "))))))),
    ["busy", "network"].includes(error.kind) && h("button", { type: "button", class: "primary", onclick: open }, "Try again"));
  announce(error.message);
}

// Views of a place.

let radius = null;

function heading() {
  const { record, area, polygon } = place;
  if (record) return card.head(record);
  if (area) return h("header", {}, h("p", { class: "kicker" }, area.area.layer.replaceAll("_", " ")), h("h1", {}, area.area.name ?? area.area.geoid), h("p", { class: "where" }, [area.area.state, area.area.geoid].filter(Boolean).join(" · "), h("span", {}, [area.area.source, area.area.vintage].filter(Boolean).join(", "))));
  return h("header", {}, h("p", { class: "kicker" }, "Polygon"), h("h1", {}, polygon.coordinates[0].length - 1 + " corners"));
}

function showTab() {
  if (!place || place.land) return;
  const { record, area, polygon } = place;
  const names = record ? TABS : TABS.slice(1).map(([id, name]) => (id === "around" ? [id, "Codes"] : [id, name]));
  const tab = names.some(([id]) => id === state.tab) ? state.tab : names[0][0];
  const listed = tab !== "facts";
  const at = record && [record.location.lon, record.location.lat];
  radius = record && listed ? around.slider(state.mi, setRadius) : null;
  map.set({ circle: radius ? { at, miles: state.mi } : null, shades: null, weak: new Set(), figures: false });
  around.showLegend();
  const body = h("div", { id: "body" });
  const focused = document.activeElement?.closest?.(".tabs") && document.activeElement.textContent;
  fill(panel, heading(), card.tabs({ ...state, tab }, link, names), h("div", {}, radius?.element, tab === "survey" && around.fieldChoice(state.field, (field) => { state.field = field; keep(); list(); })), body);
  if (focused) [...panel.querySelectorAll(".tabs a")].find((a) => a.textContent === focused)?.focus();
  panel.scrollTop = 0;
  look();
  if (tab === "facts") {
    showFacts(body, record);
    return;
  }
  body.append(h("p", { class: "loading" }, "Loading …"));
  list(tab);
}

async function showFacts(body, record) {
  const call = callBox(calls({ code: record.code }));
  const show = (survey) => fill(body, card.facts(record, link, survey), call);
  show();
  const info = await setup;
  if (!info?.survey || record.country !== "US") return;
  const people = await ask("/v2/figures", { field: around.FIELDS[1][0], code: record.code.slice(0, 5), max: 0.1 }, work.signal).catch(() => null);
  const own = people?.values.find((v) => v.code === record.code.slice(0, 5));
  if (own && body.isConnected) show({ people: own.est, margin: own.moe, vintage: people.vintage });
}

let asking = false;
let again = false;

// list asks for the codes or figures of the place. One request is in flight; the
// latest one follows.
async function list(tab = state.tab) {
  if (asking) { again = true; return; }
  asking = true;
  const of = place;
  const box = document.getElementById("body");
  try {
    await showList(tab, box);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (of === place) fill(box, h("p", { class: "bad", role: "alert" }, error.message));
  } finally {
    asking = false;
  }
  if (again) { again = false; if (place && (radius || of !== place)) list(); }
}

async function showList(tab, box) {
  const of = place;
  const { record, area, polygon } = of;
  const what = record ? "the circle" : area ? "the area" : "the polygon";
  const codes = record ? (await ask("/v2/radius", { code: record.code, max: state.mi, mode: "spatial" })).matches : area ? area.codes : (await ask("/v2/inside", null, undefined, { polygon, limit: 5000 })).matches;
  const redraw = (draw) => (sort) => { state.sort = sort; keep(); draw(); panel.querySelector(`[data-sort="${sort.replace("-", "")}"]`)?.focus(); };
  const sources = () => [callBox(calls({ ...state, code: record?.code ?? state.code, tab: tab === "use" && record ? "around" : tab }, polygon))];
  if (of !== place || !box.isConnected) return;
  if (tab === "survey") {
    const [layer, geoid] = parts(state.area);
    const answer = await ask("/v2/figures", null, undefined, { field: state.field, ...(record ? { code: record.code, max: state.mi } : area ? { layer, geoid } : { polygon }) });
    if (of !== place || !box.isConnected) return;
    const cities = new Map(codes.map((m) => [m.code, m.city]));
    const draw = () => { rows = around.showFigures(box, { answer, state, map, link, cities, resort: redraw(draw) }); box.append(...sources()); };
    draw();
    return;
  }
  rows = codes;
  const draw = () => {
    around.showShares(box, { rows: codes, what, state, map, link, resort: redraw(draw) });
    if (tab !== "use") box.append(...sources());
    else {
      const flat = codes.map((m) => ({ code: m.code, city: m.city, state: m.state, latitude: m.location?.lat, longitude: m.location?.lon, miles: m.distance_miles, pct_inside: around.shareOf(m) }));
      fill(box, ...sources(), downloads((record?.code ?? state.area ?? "polygon").replaceAll(/\W+/g, "-"), flat, map, document.title, "postgeo; U.S. Census Bureau, Statistics Canada"));
    }
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
    const pixels = map.view.pixelsPerMile * state.mi;
    if (pixels > Math.min(map.view.width, map.view.height) * 0.5 || pixels < 40) fit();
  }
  list();
}

// A CSV on the page.

async function upload(file) {
  history.pushState(null, "", "/");
  state = read();
  place = null;
  const status = h("p", { class: "loading", role: "status" }, "Reading " + file.name + " …");
  fill(panel, h("h1", {}, "Enriching " + file.name), status);
  try {
    fill(panel, result(await enrich(file, (n, all) => { status.textContent = `${n} of ${all} codes looked up`; })));
  } catch (error) {
    fill(panel, h("p", { class: "kicker bad" }, "Not possible"), h("h1", {}, file.name), h("p", { role: "alert" }, error.message));
  }
}

addEventListener("dragover", (e) => { e.preventDefault(); panel.classList.add("drop"); });
addEventListener("dragleave", () => panel.classList.remove("drop"));
addEventListener("drop", (e) => {
  e.preventDefault();
  panel.classList.remove("drop");
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

document.querySelector("[data-to=home]").addEventListener("click", (e) => { e.preventDefault(); go({}); });
addEventListener("popstate", open);
ground.then((list) => map.setGround(list)).catch(() => {});
open();
