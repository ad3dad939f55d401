// The same question for a terminal or a program, and files to take along.

import { h, parts } from "./dom.js";

const origin = location.origin;

// Each question names its path, parameters and result, from which all forms follow.
function forms({ path, parameters, cli, go, table }) {
  const url = origin + path + "?" + new URLSearchParams(parameters);
  const python = ["import json, urllib.parse, urllib.request", "", "parameters = " + JSON.stringify(parameters, null, 4), `url = "${origin}${path}?" + urllib.parse.urlencode(parameters)`, "with urllib.request.urlopen(url) as response:", '    result = json.load(response)["results"][0]', "print(json.dumps(result, indent=1))"];
  return {
    curl: "curl '" + url.replaceAll("'", "'\\''") + "'",
    CLI: cli,
    Go: go,
    Python: python.join("\n"),
    SQL: `-- DuckDB\nSELECT unnest(${table}, recursive := true)\nFROM read_json('${url.replaceAll("'", "''")}')`,
  };
}

const quote = (text) => "'" + String(text).replaceAll("'", "'\\''") + "'";

export function calls(state, polygon) {
  const { code, mi, field } = state;
  const [layer, geoid] = parts(state.area);
  if (state.tab === "survey") {
    const where = polygon ? { polygon: JSON.stringify(polygon) } : layer ? { layer, geoid } : { code, max: mi };
    return forms({ path: "/v2/figures", parameters: { field, ...where }, table: 'results[1]."values"',
      cli: polygon ? `echo ${quote(JSON.stringify(polygon))} | postgeo acs aggregate --polygon - --mode spatial --field ${field}` : layer ? `postgeo codes-in ${layer} ${geoid} # then: postgeo acs aggregate --codes … --field ${field}` : `postgeo acs aggregate --around ${quote(code)} --radius ${mi} --mode spatial --field ${field}`,
      go: polygon || layer ? `lines, err := db.ACSSeries(ctx, codes, []string{"${field}"}, postgeo.ACSSeriesOptions{})` : `sum, err := db.ACSAggregate(ctx, postgeo.ACSAreas{\n\tCenter: "${code}", Mode: postgeo.Spatial,\n\tRadius: postgeo.RadiusOptions{Max: ${mi}, Mode: postgeo.Spatial},\n}, []string{"${field}"}, postgeo.ACSSeriesOptions{})` });
  }
  if (polygon) {
    return forms({ path: "/v2/inside", parameters: { polygon: JSON.stringify(polygon), limit: 5000 }, table: "results[1].matches",
      cli: `echo ${quote(JSON.stringify(polygon))} | postgeo inside -`,
      go: `area, err := geojson.ParsePolygons([]byte(\`${JSON.stringify(polygon)}\`))\n…\nresult, err := db.InPolygon(ctx, area, postgeo.PolygonOptions{Mode: postgeo.Spatial})` });
  }
  if (layer) {
    return forms({ path: "/v2/area", parameters: { layer, geoid }, table: "results[1].codes", cli: `postgeo codes-in ${layer} ${geoid}`,
      go: `layer, _ := postgeo.ParseLayer("${layer}")\ncodes, err := db.CodesIn(ctx, layer, "${geoid}", postgeo.CodesInOptions{})` });
  }
  if (state.tab === "around") {
    return forms({ path: "/v2/radius", parameters: { code, max: mi, mode: "spatial" }, table: "results[1].matches", cli: `postgeo radius ${quote(code)} --max ${mi} --mode spatial`,
      go: `result, err := db.Radius(ctx, "${code}", postgeo.RadiusOptions{Max: ${mi}, Mode: postgeo.Spatial})` });
  }
  return forms({ path: "/v2/zip", parameters: { code, include: "timezone,census,cd" }, table: "results", cli: `postgeo lookup ${quote(code)} -i timezone,census,cd`,
    go: `include, _ := postgeo.ParseInclude([]string{"timezone", "census", "cd"})\nresult, err := db.Lookup(ctx, "${code}", postgeo.LookupOptions{Include: include})` });
}

let language = "curl";

// callBox shows the forms, one at a time, with a button that copies.
export function callBox(all) {
  const text = h("pre", { tabindex: "0", role: "region", "aria-label": "The same question" });
  const said = h("span", { class: "quiet", role: "status" });
  const bar = h("div", { class: "segments", role: "group", "aria-label": "Language" }, Object.keys(all).map((name) => h("button", { type: "button", onclick: () => show(name) }, name)));
  const show = (name) => {
    language = name;
    text.textContent = all[name];
    said.textContent = "";
    for (const b of bar.children) b.setAttribute("aria-pressed", String(b.textContent === name));
  };
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(all[language]);
      said.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(text);
      said.textContent = "Selected; press Ctrl+C";
    }
  };
  show(language);
  return h("section", {}, h("h2", {}, "Copy as"), h("div", { class: "row" }, bar, h("button", { type: "button", class: "plain", onclick: copy }, "Copy"), said), text);
}

export function save(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 5000);
}

const cell = (v) => (/[",\r\n]/.test(v ?? "") ? `"${String(v).replaceAll('"', '""')}"` : String(v ?? ""));
export const csv = (rows) => (rows.length ? [Object.keys(rows[0]), ...rows.map(Object.values)].map((r) => r.map(cell).join()).join("\r\n") + "\r\n" : "");

function feature(row, area) {
  const geometry = !area ? null : area.rings.length ? { type: "MultiPolygon", coordinates: polygons(area.rings) } : { type: "Point", coordinates: area.at };
  return { type: "Feature", id: row.code, properties: row, geometry };
}

// polygons groups rings: each clockwise ring is a hole of the one before.
function polygons(rings) {
  const out = [];
  for (const { points } of rings) {
    const turn = points.reduce((sum, [x, y], i) => { const [u, v] = points[(i + 1) % points.length]; return sum + x * v - u * y; }, 0);
    const closed = [...points, points[0]];
    if (turn > 0 || !out.length) out.push([closed]);
    else out.at(-1).push(closed);
  }
  return out;
}

// svg draws what the map shows, with its colors and credit.
function svg(map, title, credit) {
  const { view, colors } = map;
  const escape = (s) => s.replace(/[<>&"]/g, (c) => `&#${c.charCodeAt(0)};`);
  const path = (rings, fill, stroke, width) => (rings.length ? `<path d="${rings.map((r) => "M" + r.points.map((p) => view.pixel(p).map((v) => v.toFixed(1)).join()).join("L") + "Z").join("")}" fill="${fill}" stroke="${stroke}" stroke-width="${width}" fill-rule="evenodd"/>` : "");
  const parts = (map.wide || !map.loaded ? map.ground : map.land).map((l) => path(l.rings, colors.land, colors.border, 1));
  for (const a of map.wide ? [] : map.areas) {
    const step = map.shades?.get(a.code);
    parts.push(path(a.rings, step === undefined ? "none" : colors["s" + step], step === undefined ? colors.edge : colors.halo, 0.8));
  }
  parts.push(path(map.byCode.get(map.chosen)?.rings ?? [], "none", colors.focus, 2.2), path(map.outline ?? [], "none", colors.focus, 2.2));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${view.width} ${view.height + 22}" role="img"><title>${escape(title)}</title><rect width="100%" height="100%" fill="${colors.water}"/>${parts.join("")}<text x="8" y="${view.height + 15}" font-family="system-ui,sans-serif" font-size="11" fill="${colors.muted}">${escape(credit)}</text></svg>\n`;
}

export function downloads(name, rows, map, title, credit) {
  const button = (label, note, act) => h("button", { type: "button", class: "plain", onclick: act }, label, h("small", {}, note));
  return h("section", {}, h("h2", {}, "Download"), h("div", { class: "row" },
    button("CSV", rows.length + (rows.length === 1 ? " row" : " rows"), () => save(name + ".csv", "text/csv", csv(rows))),
    button("GeoJSON", "simplified", () => save(name + ".geojson", "application/geo+json", JSON.stringify({ type: "FeatureCollection", features: rows.map((r) => feature(r, map.byCode.get(r.code))) }))),
    button("SVG", "this map", () => save(name + ".svg", "image/svg+xml", svg(map, title, credit)))));
}
