// A table dropped on the page: its codes are looked up in batches, and the table is
// given back with what was found.

import { ask, h, number } from "./dom.js";
import { csv, save } from "./export.js";

const BATCH = 100;
const AT_ONCE = 3; // requests
const MOST = 250000; // rows
const LARGEST = 64 << 20; // bytes
const NAMES = /^(zip|zip[ _-]?code|zip5|postal|postal[ _-]?code|postcode|post[ _-]?code|code|plz|cp)$/i;
const CODE = /^(\d{3,5}(-?\d{4})?|[A-Z]\d[A-Z]([ -]?\d[A-Z]\d)?)$/i;
const ADDED = ["code", "city", "state", "county", "county_fips", "latitude", "longitude", "timezone"];

// decode reads UTF-8, UTF-16 with its mark, or else Windows-1252.
export function decode(bytes) {
  const b = new Uint8Array(bytes);
  if (b[0] === 0xff && b[1] === 0xfe) return new TextDecoder("utf-16le").decode(b);
  if (b[0] === 0xfe && b[1] === 0xff) return new TextDecoder("utf-16be").decode(b);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(b);
  } catch {
    return new TextDecoder("windows-1252").decode(b);
  }
}

// delimiter is the most frequent of four in the first line, outside quotes.
export function delimiter(text) {
  const line = text.slice(0, text.search(/[\r\n]|$/)).replaceAll(/"[^"]*"/g, "");
  const count = (c) => line.split(c).length;
  return [",", ";", "\t", "|"].reduce((best, c) => (count(c) > count(best) ? c : best));
}

// parse reads delimited text. Fields may be quoted and have line breaks.
export function parse(text, comma = delimiter(text)) {
  const rows = [];
  let row = [];
  let i = 0;
  while (i < text.length) {
    let field = "";
    if (text[i] === '"') {
      for (;;) {
        const end = text.indexOf('"', i + 1);
        if (end < 0) { field += text.slice(i + 1); i = text.length; break; }
        field += text.slice(i + 1, end);
        i = end + 1;
        if (text[i] !== '"') break;
        field += '"';
      }
    }
    let end = i;
    while (end < text.length && text[end] !== comma && text[end] !== "\n" && text[end] !== "\r") end++;
    row.push(field + text.slice(i, end));
    i = end;
    if (text[i] === comma) {
      i++;
      if (i < text.length) continue;
      row.push("");
    }
    if (row.length > 1 || row[0] !== "") rows.push(row);
    row = [];
    while (text[i] === "\r" || text[i] === "\n") i++;
  }
  return rows;
}

// columnOf finds the column of codes by its name, or else by its first cells. It is -1
// if there is none.
export function columnOf(header, rows) {
  const named = header.findIndex((name) => NAMES.test(name.trim()));
  if (named >= 0) return named;
  const few = rows.slice(0, 200);
  const counts = header.map((_, k) => few.filter((r) => /^\d{5}|^[A-Z]\d[A-Z]/i.test((r[k] ?? "").trim()) && CODE.test((r[k] ?? "").trim())).length);
  const best = counts.indexOf(Math.max(...counts));
  return counts[best] > few.length * 0.6 ? best : -1;
}

// load reads a file. It throws an error for readers.
export async function load(file) {
  if (file.size > LARGEST) throw new Error(`${file.name} has ${number(file.size / (1 << 20))} MB; the page takes 64. Use the command: postgeo enrich ${file.name}`);
  const bytes = await file.arrayBuffer();
  const [a, b] = new Uint8Array(bytes);
  if (a === 0x50 && b === 0x4b) throw new Error(`${file.name} is a workbook. Save the sheet as CSV and drop that, or use the command: postgeo enrich ${file.name}`);
  const text = decode(bytes);
  if (text.includes("\0")) throw new Error(`${file.name} is not a text file. The page takes CSV: one row per line, columns divided by a comma, semicolon or tab.`);
  const comma = delimiter(text);
  const [header, ...rows] = parse(text, comma);
  const code = header?.find((name) => /^(\d{5}(-\d{4})?|[A-Z]\d[A-Z] ?\d[A-Z]\d)$/i.test(name.trim()));
  if (code) throw new Error(`${file.name} begins with the code ${code}. Its first row must have the names of the columns.`);
  if (!header || !rows.length) throw new Error(`${file.name} has no rows below its header.`);
  if (rows.length > MOST) throw new Error(`${file.name} has ${number(rows.length)} rows; the page takes ${number(MOST)}. Use the command: postgeo enrich ${file.name}`);
  return { name: file.name.replace(/\.\w+$/, ""), comma, header, rows, column: columnOf(header, rows) };
}

// pause waits for a number of seconds, or throws if the signal aborts.
const pause = (seconds, signal) => new Promise((done, fail) => {
  const timer = setTimeout(done, seconds * 1000);
  signal.addEventListener("abort", () => { clearTimeout(timer); fail(signal.reason); }, { once: true });
});

// codesOf returns the codes of rows. Spreadsheets drop leading zeros.
const codesOf = ({ rows, column }) => rows.map((r) => { const v = (r[column] ?? "").trim(); return /^\d{3,4}$/.test(v) ? v.padStart(5, "0") : v; });
const distinct = (codes) => [...new Set(codes.filter((c) => CODE.test(c)))];

// cost is the number of credits of a table at most: 2 a code with its time zone, 4 a ZIP+4.
export const cost = (table) => distinct(codesOf(table)).reduce((sum, c) => sum + (/^\d{5}-?\d{4}$/.test(c) ? 4 : 2), 0);

// enrich looks the codes of a column up. It repeats requests that the server refuses
// for the moment.
export async function enrich({ name, comma, header, rows, column }, progress, signal) {
  const codes = codesOf({ rows, column });
  const found = new Map();
  const wanted = distinct(codes);
  let next = 0;
  const work = async () => {
    while (next < wanted.length) {
      const part = wanted.slice(next, next += BATCH);
      for (let tries = 1; ; tries++) {
        try {
          const { results } = await ask("/v2/quick-zip/batch", null, signal, { codes: part, include: ["timezone"] }, true);
          results.forEach((r, k) => found.set(part[k], r));
          break;
        } catch (error) {
          if (!["busy", "network"].includes(error.kind) || tries === 5) throw error;
          await pause(Math.min(60, error.wait || 2 ** tries / 4), signal);
        }
      }
      progress(found.size, wanted.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const missed = [];
  const out = rows.map((r, i) => {
    const f = found.get(codes[i]);
    if (!f || f.success === false) {
      missed.push({ row: i + 2, code: codes[i], reason: f?.error?.message ?? (codes[i] ? "Not a ZIP Code or postal code." : "No code.") });
      return [...header.map((_, k) => r[k] ?? ""), ...ADDED.map(() => "")];
    }
    return [...header.map((_, k) => r[k] ?? ""), f.code, f.city, f.state, f.county, f.county_fips, f.location?.lat, f.location?.lon, f.timezone?.iana_name ?? f.timezone?.zones?.[0]?.iana_name];
  });
  return { name, comma, header, column, missed, table: [[...header, ...ADDED.map((n) => "postgeo_" + n)], ...out] };
}

// choice lets the reader name the column of codes.
export function choice({ name, header, rows }, choose) {
  const select = h("select", {}, header.map((title, k) => h("option", { value: k }, `${title || "column " + (k + 1)} (${rows[0][k] ?? ""})`)));
  return [h("p", { class: "kicker" }, "Table"), h("h1", {}, name), h("p", {}, "No column is named zip, postal_code or code, and none looks like codes. Which one has them?"),
    h("label", { class: "field" }, "Column of codes", select), h("button", { type: "button", class: "primary", onclick: () => choose(Number(select.value)) }, "Look its codes up")];
}

const cells = (label, head, list) => h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, h("table", {}, h("thead", {}, h("tr", {}, head.map((n) => h("th", { scope: "col" }, n)))), h("tbody", {}, list.map((r) => h("tr", {}, r.map((v) => h("td", {}, v === undefined ? "" : String(v))))))));

// result shows what became of a file.
export function result({ name, comma, header, column, missed, table }) {
  const rows = table.length - 1;
  const mark = "\ufeff"; // spreadsheets take text without it for Windows-1252
  const lines = () => [["row", "code", "reason"], ...missed.map((m) => [m.row, m.code, m.reason])];
  return [h("p", { class: "kicker" }, "Enriched table"), h("h1", {}, name), h("p", {}, `${number(rows - missed.length)} of ${number(rows)} rows have a code of the dataset in column ${header[column] || column + 1}. City, state, county, point and time zone were added.`),
    h("p", { class: "row" }, h("button", { type: "button", class: "primary", onclick: () => save(name + "-enriched.csv", "text/csv", mark, csv(table, comma)) }, "Download the table"),
      missed.length > 0 && h("button", { type: "button", class: "plain", onclick: () => save(name + "-unmatched.csv", "text/csv", mark, csv(lines(), comma)) }, "Unmatched rows")),
    h("section", {}, h("h2", {}, "First rows"), cells("First rows", table[0].slice(header.length), table.slice(1, 6).map((r) => r.slice(header.length)))),
    missed.length > 0 && h("section", {}, h("h2", {}, `${number(missed.length)} ${missed.length === 1 ? "row" : "rows"} without a match`), cells("Rows without a match", ["Row", "Code", "Reason"], missed.slice(0, 200).map((m) => [m.row, m.code, m.reason])), missed.length > 200 && h("p", { class: "quiet" }, "The first 200 are listed; the file has all."))];
}
