// A CSV dropped on the page: its codes are looked up in batches, and the table is
// given back with what was found.

import { ask, h, number } from "./dom.js";
import { csv, save } from "./export.js";

const BATCH = 100;
const MOST = 20000; // rows
const NAMES = /^(zip|zip[ _]?code|postal|postal[ _]?code|postcode|code)$/i;

// parse reads comma or tab separated text.
export function parse(text) {
  const comma = text.split("\n", 1)[0].includes("\t") ? "\t" : ",";
  const rows = [[""]];
  let quoted = false;
  for (let i = text.charCodeAt(0) === 0xfeff ? 1 : 0; i < text.length; i++) {
    const c = text[i];
    const row = rows.at(-1);
    if (quoted && c === '"' && text[i + 1] === '"') row[row.length - 1] += text[i++];
    else if (c === '"') quoted = !quoted;
    else if (quoted || !/[,\t\r\n]/.test(c) || (c !== comma && c !== "\n" && c !== "\r")) row[row.length - 1] += c;
    else if (c === comma) row.push("");
    else if (c === "\n") rows.push([""]);
  }
  return rows.filter((r) => r.length > 1 || r[0] !== "");
}

export async function enrich(file, progress) {
  const [header, ...rows] = parse(await file.text());
  const at = header?.findIndex((name) => NAMES.test(name.trim())) ?? -1;
  if (at < 0) throw new Error(`${file.name} has no column named zip, postal_code or code. Rename the column of codes, then drop the file again.`);
  if (rows.length > MOST) throw new Error(`${file.name} has ${number(rows.length)} rows; the page takes ${number(MOST)}. Use: postgeo enrich ${file.name}`);
  // Spreadsheets drop leading zeros.
  const codes = rows.map((r) => { const v = (r[at] ?? "").trim(); return /^\d{3,4}$/.test(v) ? v.padStart(5, "0") : v; });
  const found = new Map();
  const wanted = [...new Set(codes.filter(Boolean))];
  for (let i = 0; i < wanted.length; i += BATCH) {
    const part = wanted.slice(i, i + BATCH);
    const { results } = await ask("/v2/quick-zip/batch", null, undefined, { codes: part, include: ["timezone"] }, true);
    results.forEach((r, k) => found.set(part[k], r));
    progress(Math.min(wanted.length, i + BATCH), wanted.length);
  }
  const missed = [];
  const out = rows.map((r, i) => {
    const f = found.get(codes[i]);
    const row = Object.fromEntries(header.map((name, k) => [name, r[k] ?? ""]));
    if (!f || f.success === false) missed.push({ row: i + 2, code: codes[i], reason: f?.error?.message ?? "no code" });
    return { ...row, postgeo_code: f?.code, postgeo_city: f?.city, postgeo_state: f?.state, postgeo_county: f?.county, postgeo_county_fips: f?.county_fips, postgeo_latitude: f?.location?.lat, postgeo_longitude: f?.location?.lon, postgeo_timezone: f?.timezone?.iana_name ?? f?.timezone?.zones?.[0]?.iana_name };
  });
  return { name: file.name.replace(/\.\w+$/, ""), rows: out, missed };
}

// result shows what became of a file.
export function result({ name, rows, missed }) {
  return [h("p", { class: "kicker" }, "Enriched table"), h("h1", {}, name), h("p", {}, `${number(rows.length - missed.length)} of ${number(rows.length)} rows have a code of the dataset. City, state, county, point and time zone were added.`),
    h("p", {}, h("button", { type: "button", class: "primary", onclick: () => save(name + "-enriched.csv", "text/csv", csv(rows)) }, "Download the table")),
    missed.length > 0 && h("section", {}, h("h2", {}, `${number(missed.length)} rows without a match`), h("table", {}, h("thead", {}, h("tr", {}, ["Row", "Code", "Reason"].map((n) => h("th", { scope: "col" }, n)))), h("tbody", {}, missed.slice(0, 200).map((m) => h("tr", {}, h("td", {}, m.row), h("td", {}, m.code), h("td", {}, m.reason))))), missed.length > 200 && h("p", { class: "quiet" }, "The first 200 are listed."))];
}
