// The lists of a place: the codes of a circle, a polygon or an area, shaded by share,
// and one survey field as a map with its margins.

import { announce, ask, bar, fill, h, number, percent } from "./dom.js";
import { SPATIAL, modeOf } from "./calls.js";
import { table } from "./card.js";
import { cite, sourceOf } from "./cite.js";
import { step } from "./geometry.js";

export const WIDEST = 500; // miles of a circle

export const FIELDS = [
  ["economic.income.median_household_income", "Median household income", "$"],
  ["demographic.sex_and_age.total_population", "People", ""],
  ["demographic.sex_and_age.median_age", "Median age", ""],
  ["demographic.sex_and_age.age_under_18", "People under 18", "%"],
  ["social.education.bachelors_or_higher", "Bachelor's degree or higher", "%"],
  ["housing.tenure.owner_occupied", "Homes lived in by owners", "%"],
  ["housing.value.median", "Median home value", "$"],
  ["housing.rent.median", "Median rent", "$"],
];

export function slider(mi, change) {
  let now = mi;
  const range = h("input", { type: "range", min: "0.5", max: "50", step: "0.5", value: Math.min(50, mi), "aria-label": "Radius in miles", oninput: () => change(Number(range.value), false), onchange: () => change(Number(range.value), true) });
  const exact = h("input", { type: "number", id: "exact", min: "0.5", max: WIDEST, step: "any", value: mi, "aria-label": "Exact radius in miles", onchange: () => { change(Number(exact.value) || now, true); exact.value = now; } });
  return { element: h("div", { class: "slider" }, range, h("label", {}, exact, " mi")), set: (v) => { now = range.value = v; if (document.activeElement !== exact) exact.value = v; } };
}

export function fieldChoice(field, change) {
  const known = FIELDS.some(([id]) => id === field) ? FIELDS : [...FIELDS, [field, field, ""]];
  const select = h("select", { onchange: () => change(select.value) }, known.map(([id, name]) => h("option", { value: id, selected: id === field }, name)));
  return h("label", { class: "field" }, "Survey field", select);
}

// search finds the codes of the place.
export async function search({ record, area, polygon }, { code, mi }, signal) {
  if (area) return { rows: area.codes, notices: [] };
  const found = record ? await ask("/v2/radius", { code, max: mi, mode: modeOf(mi) }, signal) : await ask("/v2/inside", null, signal, { polygon, limit: 5000 });
  return { rows: found.matches, notices: found.notices ?? [] };
}

// showLegend writes a legend of steps with their bounds. kind names marks of areas that
// the map draws as points.
export function showLegend(title, marks, ...notes) {
  const box = document.getElementById("legend");
  box.hidden = !title;
  if (!title) return;
  const steps = marks.length - 1;
  fill(box, h("p", {}, title), steps > 0 && [h("div", { class: "ramp", "aria-hidden": "true" }, Array.from({ length: steps }, (_, i) => h("i", { class: "s" + (i + 5 - steps) }))), h("div", { class: "marks" }, marks.map((m) => h("span", {}, m)))], ...notes.filter(Boolean).map((n) => (n === HATCHED ? h("p", { class: "quiet hatched" }, h("i", { "aria-hidden": "true" }), n) : h("p", { class: "quiet" }, n))));
}

const HATCHED = "margin too wide to rely on";
const AS_POINTS = "Each code is a point at this scale. Zoom in for areas.";

// shareOf is the share of a match or a code of an area, in percent; undefined for a
// point.
export const shareOf = (m) => m.pct_inside ?? m.pct_of_zip ?? m.pct_of_fsa;

// spotsOf are the codes with their positions and names.
const spotsOf = ({ rows }) => new Map(rows.map((m) => [m.code, m]));

// showShares lists codes by their share inside and shades the map.
export function showShares(box, { found, what, state, map, link, resort, forms }) {
  const { rows, notices } = found;
  const areas = rows.filter((m) => shareOf(m) !== undefined);
  const whole = areas.filter((m) => shareOf(m) >= 99.95).length;
  const points = rows.length - areas.length;
  const byPoint = state.mi > SPATIAL && rows[0]?.distance_miles !== undefined;
  map.set({ shades: new Map((byPoint ? rows : areas).map((m) => [m.code, byPoint ? 3 : step(shareOf(m))])), spots: spotsOf(found), weak: new Set(), figures: false });
  const dots = map.wide && AS_POINTS;
  if (byPoint) showLegend("Codes with their point inside", [], dots);
  else showLegend("Share of each area inside", ["0", "20", "40", "60", "80", "100%"], dots);
  const us = rows[0]?.country !== "CA" && !/^[A-Z]/.test(rows[0]?.code ?? "");
  const outlines = us ? sourceOf("zip-polygons", "cb-zctas") : sourceOf("statcan-lfsa");
  const places = us ? sourceOf("geonames-us") : sourceOf("geonames-ca");
  const one = (n, text, texts = text + "s") => `${number(n)} ${n === 1 ? text : texts}`;
  const count = byPoint ? `${one(rows.length, "code has its", "codes have their")} point in ${what}; circles wider than ${SPATIAL} miles go by points.`
    : `${one(areas.length, "area touches", "areas touch")} ${what}, ${whole === 0 ? "none lies" : whole === 1 ? "1 lies" : number(whole) + " lie"} wholly inside` + (points ? `; ${one(points, "code has", "codes have")} a point and no area.` : ".");
  fill(box, h("p", { class: "sum" }, rows.length ? count : `No code touches ${what}.`, notices.map((n) => " " + n.message)),
    rows.length > 0 && table({
      caption: "Codes of " + what, rows, sort: state.sort ?? (rows[0].distance_miles === undefined ? "code" : "mi"), hover: (code) => map.hover(code), onsort: resort,
      columns: [
        { id: "code", name: "Code", value: (m) => m.code, cell: (m) => link({ code: m.code, tab: state.code && state.tab, mi: state.mi }, {}, m.code) },
        { id: "place", name: "Place", value: (m) => m.city ?? "", cell: (m) => m.city },
        ...(rows[0].distance_miles === undefined ? [] : [{ id: "mi", name: "Miles", class: "num", value: (m) => m.distance_miles, cell: (m) => cite(m.distance_miles.toFixed(1), () => ({ title: `Distance of ${m.code}`, note: `${m.distance_miles} miles, a geodesic between the points of both.`, ...places, forms })) }]),
        ...(byPoint ? [] : [{ id: "share", name: "Inside", class: "num share", value: shareOf, cell: (m) => (shareOf(m) === undefined ? h("span", { class: "quiet" }, "point") : [bar(shareOf(m), step(shareOf(m))), cite(percent(shareOf(m)), () => ({ title: `Share of ${m.code} inside`, note: `${shareOf(m)}% of its area${m.area_sq_mi ?? m.intersection_sq_mi ? ", " + (m.area_sq_mi ?? m.intersection_sq_mi) + " square miles," : ""} lies in ${what}.`, ...outlines, forms }))]) }]),
      ],
    }));
  announce(`${byPoint ? rows.length + " codes lie in" : areas.length + " areas touch"} ${what}`);
}

// unitOf distinguishes money, shares and plain numbers.
function unitOf(field, kind) {
  const known = FIELDS.find(([id]) => id === field);
  if (known) return known[2];
  return kind === "percent_only" ? "%" : /income|earnings|value|rent|cost/.test(field) && kind === "median" ? "$" : "";
}

function format(unit, v) {
  if (v === null || v === undefined) return "—";
  if (typeof v === "string") return v;
  return unit === "$" ? "$" + number(v) : number(v, Number.isInteger(v) ? 0 : 1) + unit;
}

// short writes a bound of a legend: $62k rather than $62,000.
function short(unit, v) {
  if (typeof v !== "number") return format(unit, v);
  return (unit === "$" ? "$" : "") + new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 3 }).format(v) + (unit === "%" ? "%" : "");
}

// quintiles are the rounded bounds of up to five groups of about equal size.
function quintiles(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const unit = 10 ** Math.max(-1, Math.floor(Math.log10(Math.max(1e-9, sorted.at(-1) - sorted[0] || 1))) - 1);
  const bounds = [1, 2, 3, 4].map((i) => Number((Math.round(sorted[Math.floor((i * sorted.length) / 5)] / unit) * unit).toPrecision(12)));
  return bounds.filter((b, i) => (i === 0 || b > bounds[i - 1]) && b > sorted[0]);
}

// showFigures lists a survey field and shades the map by it. It returns the rows.
export function showFigures(box, { answer, what, state, map, link, resort, found, forms }) {
  const places = spotsOf(found);
  const unit = unitOf(answer.field, answer.kind);
  const numeric = (v) => (typeof v === "number" ? v : Number.parseFloat(String(v).replaceAll(",", ""))); // 250,000+
  const rows = answer.values.map((v) => {
    const share = unit === "%" && v.pct !== undefined && v.pct !== null;
    const value = share ? v.pct : v.est;
    const moe = share ? v.pct_moe : v.moe;
    return { code: v.code, city: places.get(v.code)?.city ?? "", pct_inside: v.pct_inside, value, moe, shown: format(unit, value) + (moe === null || moe === undefined ? "" : ` ± ${format(unit, moe)}`), weak: v.reliability === "low" || (numeric(value) > 0 && numeric(moe) / 1.645 / numeric(value) > 0.3) };
  });
  const { missing } = answer;
  const codesOf = (n) => `${number(n)} ${n === 1 ? "code has" : "codes have"}`;
  const gaps = [missing.canada && `${number(missing.canada)} Canadian ${missing.canada === 1 ? "code lies" : "codes lie"} outside the survey`, missing.no_area && `${codesOf(missing.no_area)} no area`, missing.no_figure && `${codesOf(missing.no_figure)} no figure in this dataset`].filter(Boolean).join("; ");
  if (!rows.length) {
    map.set({ shades: null, spots: null, weak: new Set(), figures: false });
    showLegend();
    fill(box, h("p", { class: "sum" }, `No figure lies in ${what}. ` + (gaps && gaps + ".")));
    return rows;
  }
  const all = rows.map((r) => numeric(r.value)).filter(Number.isFinite);
  const bounds = quintiles(all);
  const stepOf = (v) => bounds.filter((b) => numeric(v) >= b).length + 4 - bounds.length;
  map.set({ shades: new Map(rows.map((r) => [r.code, stepOf(r.value)])), spots: places, weak: new Set(rows.filter((r) => r.weak).map((r) => r.code)), figures: true });
  const name = FIELDS.find(([id]) => id === answer.field)?.[1] ?? answer.label.split("!!").at(-1);
  const low = rows.filter((r) => r.weak).length;
  showLegend(`${name}, ${answer.vintage}`, all.every((v) => v === all[0]) ? [short(unit, all[0]), ""] : [Math.min(...all), ...bounds, Math.max(...all)].map((v) => short(unit, v)), low > 0 && HATCHED, map.wide && AS_POINTS);
  const { total } = answer;
  const whole = total && (unit === "%" && total.pct !== undefined ? [total.pct, total.pct_moe] : [total.est, total.moe]);
  const about = (title, note) => () => ({ title, note, source: `American Community Survey, ${answer.label.replaceAll("!!", " › ")}`, edition: answer.vintage, forms });
  const none = (moe) => moe === null || moe === undefined;
  const margin = (moe) => (none(moe) ? "no margin published" : `± ${format(unit, moe)}`);
  const sure = (moe, more) => (none(moe) ? "No margin was published" : `± ${format(unit, moe)} at 90 % confidence${more}`) + ".";
  fill(box,
    total && h("dl", { class: "tiles" }, h("div", {}, h("dt", {}, "All together"), h("dd", {}, cite(format(unit, whole[0]), about(`${name}, ${what}`, `${sure(whole[1], total.moe_basis === "upper_bound" ? ", an upper bound" : "")} Each ZIP Code counts by its share inside.`)), h("small", {}, margin(whole[1]))))),
    h("p", { class: "sum" }, `${rows.length === 1 ? "1 ZIP Code" : number(rows.length) + " ZIP Codes, each"} by its share inside.`, low > 0 && ` ${number(low)} ${low === 1 ? "has a margin" : "have margins"} too wide to rely on.`, gaps && ` ${gaps}.`),
    table({
      caption: name, rows, sort: state.sort ?? "-value", hover: (code) => map.hover(code), onsort: resort,
      columns: [
        { id: "code", name: "Code", value: (r) => r.code, cell: (r) => link({ code: r.code }, {}, r.code) },
        { id: "place", name: "Place", value: (r) => r.city, cell: (r) => r.city },
        { id: "value", name: "Estimate", class: "num", value: (r) => numeric(r.value), cell: (r) => [h("i", { class: "chip s" + stepOf(r.value), "aria-hidden": "true" }), cite(format(unit, r.value), about(`${name}, ${r.code}`, sure(r.moe, r.weak ? ", too wide to rely on" : "")))] },
        { id: "moe", name: "± 90 %", class: "num", value: (r) => numeric(r.moe), cell: (r) => [format(unit, r.moe), r.weak && h("span", { class: "bad", title: "The margin is too wide to rely on the figure" }, " !")] },
      ],
    }));
  announce(`${rows.length} figures`);
  return rows;
}
