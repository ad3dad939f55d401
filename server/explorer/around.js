// The lists of a place: the codes of a circle, a polygon or an area, shaded by share,
// and one survey field as a map with its margins.

import { announce, bar, fill, h, number, percent } from "./dom.js";
import { table } from "./card.js";

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

const step = (p) => Math.min(4, Math.floor(p / 20));

export function slider(mi, change) {
  const range = h("input", { type: "range", min: "0.5", max: "50", step: "0.5", value: Math.min(50, mi), "aria-label": "Radius in miles", oninput: () => change(Number(range.value), false), onchange: () => change(Number(range.value), true) });
  const exact = h("input", { type: "number", min: "0.5", max: "250", step: "0.5", value: mi, "aria-label": "Exact radius in miles", onchange: () => change(Number(exact.value) || 5, true) });
  return { element: h("div", { class: "slider" }, range, h("label", {}, exact, " mi")), set: (v) => { range.value = v; if (document.activeElement !== exact) exact.value = v; } };
}

export function fieldChoice(field, change) {
  const known = FIELDS.some(([id]) => id === field) ? FIELDS : [...FIELDS, [field, field, ""]];
  const select = h("select", { onchange: () => change(select.value) }, known.map(([id, name]) => h("option", { value: id, selected: id === field }, name)));
  return h("label", { class: "field" }, "Survey field", select);
}

// showLegend writes a legend of steps with their bounds.
export function showLegend(title, marks, ...notes) {
  const box = document.getElementById("legend");
  box.hidden = !title;
  if (!title) return;
  const steps = marks.length - 1;
  fill(box, h("p", {}, title), h("div", { class: "ramp", "aria-hidden": "true" }, Array.from({ length: steps }, (_, i) => h("i", { class: "s" + (i + 5 - steps) }))), h("div", { class: "marks" }, marks.map((m) => h("span", {}, m))), ...notes.filter(Boolean).map((n) => h("p", { class: "quiet" }, n)));
}

// shareOf is the share of a match or a code of an area, in percent; undefined for a
// point.
export const shareOf = (m) => m.pct_inside ?? m.pct_of_zip ?? m.pct_of_fsa;

// showShares lists codes by their share inside and shades the map.
export function showShares(box, { rows, what, sum, state, map, link, resort }) {
  const areas = rows.filter((m) => shareOf(m) !== undefined);
  const whole = areas.filter((m) => shareOf(m) >= 99.95).length;
  const points = rows.length - areas.length;
  map.set({ shades: new Map(areas.map((m) => [m.code, step(shareOf(m))])), weak: new Set(), figures: false });
  showLegend("Share of each area inside", ["0", "20", "40", "60", "80", "100%"]);
  fill(box, h("p", { class: "sum" }, `${number(areas.length)} areas touch ${what}, ${number(whole)} lie wholly inside` + (points ? `; ${number(points)} codes have a point and no area.` : "."), sum && " " + sum),
    ...table({
      caption: "Codes of " + what, rows, sort: state.sort ?? "mi", hover: (code) => map.hover(code), onsort: resort,
      columns: [
        { id: "code", name: "Code", value: (m) => m.code, cell: (m) => link({ code: m.code, tab: state.code && state.tab, mi: state.mi }, {}, m.code) },
        { id: "place", name: "Place", value: (m) => m.city ?? "", cell: (m) => m.city },
        ...(rows[0]?.distance_miles === undefined ? [] : [{ id: "mi", name: "Miles", class: "num", value: (m) => m.distance_miles, cell: (m) => m.distance_miles.toFixed(1) }]),
        { id: "share", name: "Inside", class: "num", value: shareOf, cell: (m) => (shareOf(m) === undefined ? h("span", { class: "quiet" }, "point") : [bar(shareOf(m), step(shareOf(m))), percent(shareOf(m))]) },
      ],
    }));
  announce(`${areas.length} areas touch ${what}`);
}

// unitOf tells money, shares and plain numbers apart.
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

// quintiles are the rounded bounds of up to five groups of about equal size.
function quintiles(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const unit = 10 ** Math.max(-1, Math.floor(Math.log10(Math.max(1e-9, sorted.at(-1) - sorted[0] || 1))) - 1);
  const bounds = [1, 2, 3, 4].map((i) => Math.round(sorted[Math.floor((i * sorted.length) / 5)] / unit) * unit);
  return bounds.filter((b, i) => (i === 0 || b > bounds[i - 1]) && b > sorted[0]);
}

// showFigures lists a survey field and shades the map by it. It returns the rows.
export function showFigures(box, { answer, state, map, link, resort, cities }) {
  const unit = unitOf(answer.field, answer.kind);
  const numeric = (v) => (typeof v === "number" ? v : Number.parseFloat(v));
  const rows = answer.values.map((v) => {
    const share = unit === "%" && v.pct !== undefined && v.pct !== null;
    const value = share ? v.pct : v.est;
    const moe = share ? v.pct_moe : v.moe;
    return { code: v.code, city: cities.get(v.code) ?? "", pct_inside: v.pct_inside, value, moe, weak: v.reliability === "low" || (numeric(value) > 0 && numeric(moe) / 1.645 / numeric(value) > 0.3) };
  });
  const { missing } = answer;
  const gaps = [missing.canada && `${number(missing.canada)} Canadian codes are outside the survey`, missing.no_area && `${number(missing.no_area)} codes have no area`, missing.no_figure && `${number(missing.no_figure)} have no published figure`].filter(Boolean).join("; ");
  if (!rows.length) {
    map.set({ shades: null, weak: new Set(), figures: false });
    showLegend();
    fill(box, h("p", { class: "sum" }, "No figure lies inside. " + (gaps && gaps + ".")));
    return rows;
  }
  const bounds = quintiles(rows.map((r) => numeric(r.value)));
  const stepOf = (v) => bounds.filter((b) => numeric(v) >= b).length + 4 - bounds.length;
  map.set({ shades: new Map(rows.map((r) => [r.code, stepOf(r.value)])), weak: new Set(rows.filter((r) => r.weak).map((r) => r.code)), figures: true });
  const all = rows.map((r) => numeric(r.value));
  showLegend(`${FIELDS.find(([id]) => id === answer.field)?.[1] ?? answer.label}, ${answer.vintage}`, [Math.min(...all), ...bounds, Math.max(...all)].map((v) => format(unit, v)), rows.some((r) => r.weak) && "Hatched: the margin is too wide to rely on the figure.");
  const { total } = answer;
  const whole = total && (unit === "%" && total.pct !== undefined ? [total.pct, total.pct_moe] : [total.est, total.moe]);
  fill(box, 
    total && h("dl", { class: "tiles" }, h("div", {}, h("dt", {}, "All together"), h("dd", {}, format(unit, whole[0]), h("small", {}, `± ${format(unit, whole[1])} at 90 %`)))),
    h("p", { class: "sum" }, `${number(rows.length)} ZIP Codes, each by its share inside.`, gaps && ` ${gaps}.`, h("small", {}, ` American Community Survey ${answer.vintage}, ${answer.label.split("!!").at(-1)}.`)),
    ...table({
      caption: answer.label, rows, sort: state.sort ?? "-value", hover: (code) => map.hover(code), onsort: resort,
      columns: [
        { id: "code", name: "Code", value: (r) => r.code, cell: (r) => link({ code: r.code }, {}, r.code) },
        { id: "place", name: "Place", value: (r) => r.city, cell: (r) => r.city },
        { id: "value", name: "Value", class: "num", value: (r) => numeric(r.value), cell: (r) => format(unit, r.value) },
        { id: "moe", name: "±", class: "num", value: (r) => numeric(r.moe), cell: (r) => [format(unit, r.moe), r.weak && h("span", { title: "The margin is too wide to rely on the figure" }, " !")] },
      ],
    }));
  announce(`${rows.length} figures`);
  return rows;
}
