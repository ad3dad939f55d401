// Files of a view: its table, its outlines and its map.

import { ask, h, key, number } from "./dom.js";
import { unpack } from "./geometry.js";

export function save(name, type, ...text) {
  const url = URL.createObjectURL(new Blob(text, { type }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

// formula reports whether a spreadsheet would run a text, as --neutralize-formulas does.
function formula(text) {
  const unquoted = text.replace(/^"+/, "");
  const rest = unquoted.replace(/^["\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}]+/u, "");
  return /^[\t\r\n]/.test(unquoted) || (/^[=+\-@＝＋－＠]/.test(rest) && !/^[+-](\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(rest));
}

// csv writes rows. Text with a delimiter, quote or line break is quoted, and a formula gets
// an apostrophe, because spreadsheets open these files.
export function csv(rows, comma = ",") {
  const special = comma === "\t" ? /[\t"\r\n]/ : comma === ";" ? /[;"\r\n]/ : /[,"\r\n]/;
  const cell = (v) => {
    const text = (typeof v === "string" && formula(v) ? "'" : "") + (v ?? "");
    return special.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((r) => r.map(cell).join(comma) + "\r\n").join("");
}

// table is the header and the cells of objects.
export const table = (list) => [Object.keys(list[0] ?? {}), ...list.map(Object.values)];

// polygons groups rings: each clockwise ring is a hole of the one before.
function polygons(rings) {
  const out = [];
  for (const { points } of rings) {
    const turn = points.reduce((sum, [x, y], i) => { const [u, v] = points[(i + 1) % points.length]; return sum + x * v - u * y; }, 0);
    const closed = [...points, points[0]].map((p) => p.map((v) => Number(v.toFixed(5))));
    if (turn > 0 || !out.length) out.push([closed]);
    else out.at(-1).push(closed);
  }
  return out;
}

const FINE = 0.0005; // degrees, about 50 m
const PART = 400; // codes of a request, which costs a credit

// outlines returns the outlines of codes, also of those that the map does not show.
async function outlines(rows, progress) {
  const found = new Map();
  for (let i = 0; i < rows.length; i += PART) {
    const { areas } = await ask("/v2/outlines", null, undefined, { codes: rows.slice(i, i + PART).map((r) => r.code).join(), tolerance: FINE });
    for (const a of areas) if (a.rings) found.set(a.code, polygons(unpack(a.rings, FINE)));
    progress(found);
  }
  return found;
}

async function geojson(rows, progress) {
  const shapes = await outlines(rows, progress);
  const geometry = (r) => (shapes.has(r.code) ? { type: "MultiPolygon", coordinates: shapes.get(r.code) } : Number.isFinite(r.longitude) ? { type: "Point", coordinates: [r.longitude, r.latitude] } : null);
  return JSON.stringify({ type: "FeatureCollection", features: rows.map((r) => ({ type: "Feature", id: r.code, properties: r, geometry: geometry(r) })) });
}

// picture is what the map shows as SVG, with its legend and credit.
export async function picture(map, title, credit) {
  const { Sheet, escape } = await import("./sheet.js");
  const { frame } = await import("./paint.js");
  const { view: { width, height }, colors } = map;
  const sheet = new Sheet(width, height);
  const text = (x, y, size, fill, s) => `<text x="${x}" y="${y}" font-size="${size}" fill="${fill}">${escape(s)}</text>`;
  const out = [frame(Object.create(map, { context: { value: sheet } }))];
  const legend = document.getElementById("legend");
  if (!legend.hidden) {
    const marks = [...legend.querySelectorAll(".marks span")].map((m) => m.textContent);
    const top = height - 64;
    out.push(`<rect x="10" y="${top}" width="${Math.max(44 * marks.length, 240)}" height="54" rx="8" fill="${colors.halo}"/>`, text(22, top + 18, 12, colors.ink, legend.querySelector("p").textContent));
    marks.forEach((m, i) => {
      if (i < marks.length - 1) out.push(`<rect x="${22 + 44 * i}" y="${top + 24}" width="44" height="10" fill="${colors["s" + (i + 6 - marks.length)]}"/>`);
      out.push(text(22 + 44 * i, top + 47, 10, colors.muted, m));
    });
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height + 22}" width="${width}" height="${height + 22}" role="img" font-family="system-ui,sans-serif"><title>${escape(title)}</title><rect width="100%" height="100%" fill="${colors.paper}"/>${out.join("\n")}${text(8, height + 15, 11, colors.muted, credit)}</svg>\n`;
}

// downloads offers files of count rows, which a function returns.
export function downloads(name, count, rows, map, title, credit) {
  const said = h("span", { class: "quiet", role: "status" });
  const button = (label, note, act) => h("button", { type: "button", class: "plain", onclick: async (e) => {
    const pressed = e.currentTarget;
    pressed.disabled = true;
    said.textContent = "";
    try {
      await act();
    } catch (error) {
      said.textContent = error.message;
    }
    pressed.disabled = false;
  } }, label, h("small", {}, note));
  return h("section", {}, h("h2", {}, "Download"), h("div", { class: "row" },
    button("CSV", number(count) + (count === 1 ? " row" : " rows"), async () => save(name + ".csv", "text/csv", csv(table(await rows())))),
    button("GeoJSON", "to 50 m" + (key() ? `, ${Math.ceil(count / PART)} cr.` : ""), async () => {
      save(name + ".geojson", "application/geo+json", await geojson(await rows(), (found) => { said.textContent = `${number(found.size)} outlines …`; }));
      said.textContent = "";
    }),
    button("SVG", "this map", async () => save(name + ".svg", "image/svg+xml", await picture(map, title, credit))), said));
}
