// The same question for a terminal or a program.

import { h, parts } from "./dom.js";

export const SPATIAL = 250; // miles of a circle that counts codes by their areas
export const modeOf = (miles) => (miles > SPATIAL ? "centroid" : "spatial");

const { origin } = location;
const quote = (text) => "'" + String(text).replaceAll("'", "'\\''") + "'";
const text = (value) => JSON.stringify(String(value));

// Each question names its path, parameters and result, from which all forms follow.
function forms({ path, parameters, cli, go, table }, keys) {
  const url = origin + path + "?" + new URLSearchParams(parameters);
  const request = keys ? 'urllib.request.Request(url, headers={"X-Api-Key": os.environ["KEY"]})' : "url";
  const python = [`import json, ${keys ? "os, " : ""}urllib.parse, urllib.request`, "", "parameters = " + JSON.stringify(parameters, null, 4), `url = "${origin}${path}?" + urllib.parse.urlencode(parameters)`, `with urllib.request.urlopen(${request}) as response:`, '    result = json.load(response)["results"][0]', "print(json.dumps(result, indent=1))"];
  const secret = keys ? "CREATE SECRET (TYPE http, EXTRA_HTTP_HEADERS MAP {'X-Api-Key': '…'});\n" : "";
  return {
    curl: `curl ${keys ? '-H "X-Api-Key: $KEY" ' : ""}${quote(url)}`,
    CLI: cli,
    Go: go,
    Python: python.join("\n"),
    SQL: `-- DuckDB\n${secret}SELECT unnest(${table}, recursive := true)\nFROM read_json('${url.replaceAll("'", "''")}')`,
  };
}

// calls returns the forms of the requests of a view.
export function calls(state, polygon, keys) {
  const { code, mi, field } = state;
  const [layer, geoid] = parts(state.area);
  const shape = polygon && JSON.stringify(polygon);
  const parsed = `area, err := geojson.ParsePolygons([]byte(\`${shape}\`))\n`;
  const found = `found, err := db.CodesIn(ctx, ${text(layer)}, ${text(geoid)}, lookup.CodesInOptions{})`;
  const mode = modeOf(mi);
  if (state.tab === "survey") {
    const sum = (areas) => `result, err := db.ACSAggregate(ctx, radius.Areas{${areas}},\n\t[]string{${text(field)}}, acs.SeriesOptions{})`;
    const where = polygon ? { polygon: shape } : layer ? { layer, geoid } : { code, max: mi };
    return forms({ path: "/v2/figures", parameters: { field, ...where }, table: 'results[1]."values"',
      cli: polygon ? `echo ${quote(shape)} |\n  postgeo acs aggregate --polygon - --mode spatial --field ${field}`
        : layer ? `postgeo codes-in ${layer} ${quote(geoid)} -f csv --columns code | tail -n +2 |\n  postgeo acs series - --field ${field}`
          : `postgeo acs aggregate --around=${quote(code)} --radius ${mi} --mode spatial --field ${field}`,
      go: polygon ? parsed + sum("Polygon: area, Mode: radius.Spatial")
        : layer ? `${found}\nvar codes []string\nfor _, c := range found.Codes {\n\tcodes = append(codes, c.Code)\n}\nresult, err := db.ACSSeries(ctx, codes, []string{${text(field)}}, acs.SeriesOptions{})`
          : sum(`\n\tCenter: ${text(code)}, Mode: radius.Spatial,\n\tRadius: radius.Options{Max: ${mi}, Mode: radius.Spatial},\n`) }, keys);
  }
  if (polygon) {
    return forms({ path: "/v2/inside", parameters: { polygon: shape, limit: 5000 }, table: "results[1].matches",
      cli: `echo ${quote(shape)} |\n  postgeo inside -`,
      go: parsed + "result, err := db.InPolygon(ctx, area, radius.PolygonOptions{Mode: radius.Spatial})" }, keys);
  }
  if (layer) {
    return forms({ path: "/v2/area", parameters: { layer, geoid }, table: "results[1].codes", cli: `postgeo codes-in ${layer} ${quote(geoid)}`, go: found }, keys);
  }
  if (state.tab === "around") {
    return forms({ path: "/v2/radius", parameters: { code, max: mi, mode }, table: "results[1].matches", cli: `postgeo radius ${quote(code)} --max ${mi} --mode ${mode}`,
      go: `result, err := db.Radius(ctx, ${text(code)}, radius.Options{Max: ${mi}, Mode: radius.${mode[0].toUpperCase() + mode.slice(1)}})` }, keys);
  }
  if (state.address) {
    return forms({ path: "/v2/geocode", parameters: { address: state.address }, table: "results", cli: `postgeo geocode ${quote(state.address)}`,
      go: `result, err := db.Geocode(ctx, ${text(state.address)}, geocode.Options{})` }, keys);
  }
  return forms({ path: "/v2/zip", parameters: { code, include: "timezone,census,cd" }, table: "results", cli: `postgeo lookup -i timezone,census,cd -- ${quote(code)}`,
    go: `opt, _ := lookup.ParseOptions([]string{"timezone", "census", "cd"})\nresult, err := db.Lookup(ctx, ${text(code)}, opt)` }, keys);
}

let language = "curl";

// callBox shows the forms, one at a time, with a button that copies.
export function callBox(all, title = "Copy as") {
  const shown = h("pre", { tabindex: "0", role: "region", "aria-label": "The same question as code" });
  const said = h("span", { class: "quiet", role: "status" });
  const bar = h("div", { class: "segments", role: "group", "aria-label": "Language" }, Object.keys(all).map((name) => h("button", { type: "button", onclick: () => show(name) }, name)));
  const show = (name) => {
    language = name;
    shown.textContent = all[name];
    said.textContent = "";
    for (const b of bar.children) b.setAttribute("aria-pressed", String(b.textContent === name));
  };
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(all[language]);
      said.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(shown);
      said.textContent = "Selected; press Ctrl+C";
    }
  };
  show(language);
  return h("section", { class: "copy" }, h("h2", {}, title), h("div", { class: "row" }, bar, h("button", { type: "button", class: "plain", onclick: copy }, "Copy"), said), shown);
}
