// A map of an answer: its points, circles, lines and boxes, and the outlines
// that the server has of them. Everything is projected so that distances and
// directions from the middle of the map are true (azimuthal equidistant), on a
// sphere: the map shows, it does not measure.

const SVG = "http://www.w3.org/2000/svg";
const MARGIN = 34; // pixels around what is drawn
const EARTH_MILES = 3958.8;
const METERS_OF_MILE = 1609.344;
const GROUND_MILES = 250; // the outlines of states are too coarse for maps of less
export const MOST_POINTS = 4000;
const MOST_LABELS = 40;

const radians = (degrees) => (degrees * Math.PI) / 180;
const degrees = (angle) => (angle * 180) / Math.PI;

function isPoint(v) {
  return v && typeof v === "object" && Number.isFinite(latOf(v)) && Number.isFinite(lonOf(v));
}
const latOf = (v) => v.lat ?? v.latitude;
const lonOf = (v) => v.lon ?? v.longitude;
const pointOf = (v) => ({ lat: latOf(v), lon: lonOf(v) });

// collect finds what can be drawn in the results of an answer.
export function collect(results) {
  const shapes = { points: [], circles: [], lines: [], boxes: [], codes: [] };
  const visit = (node) => {
    if (!node || typeof node !== "object" || shapes.points.length >= MOST_POINTS) return;
    if (Array.isArray(node)) {
      node.forEach(visit);
      return;
    }
    if (isPoint(node.location)) {
      const code = node.code ?? "";
      const name = String(code || node.name || node.formatted_address || node.city || "");
      const title = node.formatted_address ? name : [name, node.city, node.state].filter((part, i, all) => part && all.indexOf(part) === i).join(", ");
      shapes.points.push({ ...pointOf(node.location), name, title, center: node.input_type !== undefined });
      if (code && node.country) shapes.codes.push(code);
      if (node.radius_m > 0) shapes.circles.push({ ...pointOf(node.location), miles: node.radius_m / METERS_OF_MILE, label: node.radius_m + " m" });
    }
    if (node.search && node.search.center && isPoint(node.search.center.location)) {
      const at = pointOf(node.search.center.location);
      shapes.circles.push({ ...at, miles: node.search.max });
      if (node.search.min > 0) shapes.circles.push({ ...at, miles: node.search.min, hole: true });
    }
    if (node.from && node.to && isPoint(node.from.location) && isPoint(node.to.location)) {
      shapes.lines.push([pointOf(node.from.location), pointOf(node.to.location)]);
    }
    const box = node.bbox;
    if (box && [box.min_lat, box.max_lat, box.min_lon, box.max_lon].every(Number.isFinite)) shapes.boxes.push(box);
    for (const [key, value] of Object.entries(node)) {
      if (key !== "location" && key !== "bbox" && key !== "timezone") visit(value);
    }
  };
  visit(results);
  return shapes;
}

// destination is the point at a distance and a bearing from another.
function destination(at, miles, bearing) {
  const d = miles / EARTH_MILES;
  const lat = radians(at.lat);
  const lat2 = Math.asin(Math.sin(lat) * Math.cos(d) + Math.cos(lat) * Math.sin(d) * Math.cos(bearing));
  const lon2 = radians(at.lon) + Math.atan2(Math.sin(bearing) * Math.sin(d) * Math.cos(lat), Math.cos(d) - Math.sin(lat) * Math.sin(lat2));
  return { lat: degrees(lat2), lon: degrees(lon2) };
}

function circlePoints({ lat, lon, miles }) {
  return Array.from({ length: 97 }, (_, i) => destination({ lat, lon }, miles, (i / 48) * Math.PI));
}

const vector = ({ lat, lon }) => {
  const c = Math.cos(radians(lat));
  return [c * Math.cos(radians(lon)), c * Math.sin(radians(lon)), Math.sin(radians(lat))];
};
const ofVector = ([x, y, z]) => ({ lat: degrees(Math.atan2(z, Math.hypot(x, y))), lon: degrees(Math.atan2(y, x)) });

// greatCircle is the shortest way between two points.
function greatCircle([from, to]) {
  const a = vector(from);
  const b = vector(to);
  const angle = Math.acos(Math.min(1, Math.max(-1, a[0] * b[0] + a[1] * b[1] + a[2] * b[2])));
  if (angle < 1e-9) return [from, to];
  return Array.from({ length: 65 }, (_, i) => {
    const t = i / 64;
    const p = Math.sin((1 - t) * angle) / Math.sin(angle);
    const q = Math.sin(t * angle) / Math.sin(angle);
    return ofVector(a.map((_, k) => p * a[k] + q * b[k]));
  });
}

function boxPoints(b) {
  const east = b.max_lon < b.min_lon ? b.max_lon + 360 : b.max_lon;
  const side = (from, to) => Array.from({ length: 9 }, (_, i) => ({
    lat: from.lat + ((to.lat - from.lat) * i) / 8, lon: from.lon + ((to.lon - from.lon) * i) / 8,
  }));
  const corners = [{ lat: b.min_lat, lon: b.min_lon }, { lat: b.min_lat, lon: east }, { lat: b.max_lat, lon: east }, { lat: b.max_lat, lon: b.min_lon }];
  return corners.flatMap((c, i) => side(c, corners[(i + 1) % 4]));
}

// middle is the direction in which the points lie on the average.
function middle(points) {
  const sum = [0, 0, 0];
  for (const p of points) vector(p).forEach((v, i) => { sum[i] += v; });
  return ofVector(sum);
}

// projection returns miles east and south of the center.
function projection(center) {
  const lat0 = radians(center.lat);
  const sin0 = Math.sin(lat0);
  const cos0 = Math.cos(lat0);
  return ({ lat, lon }) => {
    const f = radians(lat);
    const dl = radians(lon - center.lon);
    const cosc = sin0 * Math.sin(f) + cos0 * Math.cos(f) * Math.cos(dl);
    const c = Math.acos(Math.min(1, Math.max(-1, cosc)));
    const k = c < 1e-9 ? EARTH_MILES : (EARTH_MILES * c) / Math.sin(c);
    return [k * Math.cos(f) * Math.sin(dl), -k * (cos0 * Math.sin(f) - sin0 * Math.cos(f) * Math.cos(dl))];
  };
}

function svg(name, attributes = {}, text) {
  const e = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  if (text !== undefined) e.textContent = text;
  return e;
}

const STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20];

// grid draws lines of latitude and longitude.
function grid(add, at, center, miles, { width, height }) {
  const step = STEPS.find((s) => s * 69 * 5 >= miles) ?? 30;
  const reach = Math.min(80, (miles / 69) * 1.2 + step);
  const cos = Math.max(0.15, Math.cos(radians(center.lat)));
  const range = (around, span) => {
    const out = [];
    for (let v = Math.ceil((around - span) / step); v * step <= around + span; v++) out.push(Number((v * step).toFixed(2)));
    return out;
  };
  const lats = range(center.lat, reach).filter((v) => Math.abs(v) < 89);
  const lons = range(center.lon, Math.min(175, reach / cos));
  const along = (n, f) => path(Array.from({ length: n }, (_, i) => at(f(i / (n - 1)))));
  for (const lat of lats) {
    add(svg("path", { class: "grid", d: along(25, (t) => ({ lat, lon: lons[0] + t * (lons.at(-1) - lons[0]) })) }));
  }
  for (const lon of lons) {
    add(svg("path", { class: "grid", d: along(25, (t) => ({ lat: lats[0] + t * (lats.at(-1) - lats[0]), lon })) }));
  }
  for (const lat of lats) {
    const [, y] = at({ lat, lon: center.lon });
    if (y > 12 && y < height - 20) add(svg("text", { class: "grid-text", x: 4, y: y - 3 }, Math.abs(lat) + "°" + (lat < 0 ? "S" : "N")));
  }
  for (const lon of lons) {
    const [x] = at({ lat: center.lat, lon });
    const shown = ((lon + 540) % 360) - 180;
    if (x > 40 && x < width - 40) add(svg("text", { class: "grid-text", x: x + 3, y: height - 5 }, Number(Math.abs(shown).toFixed(2)) + "°" + (shown < 0 ? "W" : "E")));
  }
}

const path = (points, closed) => "M" + points.map(([x, y]) => x.toFixed(1) + "," + y.toFixed(1)).join("L") + (closed ? "Z" : "");

// scaleBar shows a round number of miles.
function scaleBar(add, perMile, { width }) {
  const miles = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000].findLast((m) => m * perMile <= width / 5) ?? 0.05;
  const x = width - 14;
  const y = 22;
  const from = x - miles * perMile;
  add(svg("path", { class: "scale", d: `M${from.toFixed(1)},${y - 5}V${y}H${x}V${y - 5}` }));
  add(svg("text", { x: ((from + x) / 2).toFixed(1), y: y - 7, "text-anchor": "middle" }, miles + " mi"));
}

const lengthOf = (circle) => circle.label ?? circle.miles + " miles";

// sentence tells what the map shows to those who do not see it.
function sentence(shapes) {
  const parts = [];
  if (shapes.points.length > 0) parts.push(shapes.points.length === 1 ? "the point of " + (shapes.points[0].title || "the answer") : shapes.points.length + " points");
  for (const c of shapes.circles) parts.push((c.hole ? "without " : "a circle of ") + lengthOf(c));
  if (shapes.lines.length > 0) parts.push(shapes.lines.length === 1 ? "the line between them" : shapes.lines.length + " lines");
  if (shapes.areas.length > 0) parts.push(shapes.areas.length === 1 ? "an outline" : shapes.areas.length + " outlines");
  return "Map with " + parts.join(", ") + ".";
}

// touching are the areas that touch a circle. The area that a code belongs to may lie
// elsewhere, if its location is wrong.
function touching(areas, circle) {
  if (!circle) return areas;
  const project = projection(circle);
  return areas.filter((a) => a.polygons.some(([outer]) => {
    const corners = outer.map(([lon, lat]) => project({ lat, lon }));
    let inside = false;
    const near = corners.some(([x, y], i) => {
      const [u, v] = corners[(i + 1) % corners.length];
      if (y > 0 !== v > 0 && x + ((0 - y) / (v - y)) * (u - x) > 0) inside = !inside;
      const length = (u - x) ** 2 + (v - y) ** 2;
      const along = length && Math.max(0, Math.min(1, -(x * (u - x) + y * (v - y)) / length));
      return Math.hypot(x + along * (u - x), y + along * (v - y)) <= circle.miles;
    });
    return near || inside;
  }));
}

// draw returns the map of shapes and outlines (a list of {code, polygons},
// rings of [lon, lat]) for a place of a width in pixels, on the ground of the
// states' outlines; null where there is nothing to draw.
export function draw(found, outlines, width, ground = []) {
  const areas = touching(outlines, found.circles.find((c) => !c.hole && !c.label));
  const size = { width, height: Math.round(Math.min(0.65 * width, 540)) };
  const shapes = { ...found, areas };
  const rings = areas.flatMap((a) => a.polygons.map((rings) => ({ code: a.code, rings: rings.map((r) => r.map(([lon, lat]) => ({ lat, lon }))) })));
  const curves = [
    ...rings.map((r) => ({ kind: "area", title: r.code, parts: r.rings })),
    ...shapes.circles.map((c) => ({ kind: c.hole ? "hole" : "ring", title: lengthOf(c), parts: [circlePoints(c)] })),
    ...shapes.boxes.map((b) => ({ kind: "area", title: "", parts: [boxPoints(b)] })),
  ];
  const lines = shapes.lines.map(greatCircle);
  const all = [...shapes.points, ...curves.flatMap((c) => c.parts.flat()), ...lines.flat()];
  if (all.length === 0) return null;

  const center = shapes.circles.length > 0 ? shapes.circles[0] : middle(all);
  const project = projection(center);
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const p of all) {
    const [x, y] = project(p);
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  const least = shapes.circles.some((c) => c.label) ? 0.25 : 2; // miles that a map shows at the least
  const wide = Math.max(right - left, least);
  const high = Math.max(bottom - top, least);
  const perMile = Math.min((size.width - 2 * MARGIN) / wide, (size.height - 2 * MARGIN) / high);
  const cx = (left + right) / 2;
  const cy = (top + bottom) / 2;
  const at = (p) => {
    const [x, y] = project(p);
    return [size.width / 2 + (x - cx) * perMile, size.height / 2 + (y - cy) * perMile];
  };

  const map = svg("svg", { class: "map", viewBox: `0 0 ${size.width} ${size.height}`, role: "img", "aria-label": sentence(shapes) });
  const add = (e, title) => {
    if (title) e.append(svg("title", {}, title));
    map.append(e);
  };
  if (size.width / perMile > GROUND_MILES) {
    for (const state of ground) {
      const rings = state.polygons.flat().map((r) => r.map(([lon, lat]) => at({ lat, lon })));
      const seen = rings.some((r) => r.some(([x, y]) => x > 0 && x < size.width && y > 0 && y < size.height));
      if (seen) add(svg("path", { class: "ground", "fill-rule": "evenodd", d: rings.map((r) => path(r, true)).join("") }));
    }
  }
  grid(add, at, center, size.width / perMile, size);
  for (const c of curves) {
    add(svg("path", { class: c.kind, "fill-rule": "evenodd", d: c.parts.map((p) => path(p.map(at), true)).join("") }), c.title);
  }
  for (const line of lines) add(svg("path", { class: "line", d: path(line.map(at)) }));
  for (const p of shapes.points.toSorted((a, b) => a.center - b.center)) { // the center lies on top
    const [x, y] = at(p);
    add(svg("circle", { class: p.center ? "center" : "point", cx: x.toFixed(1), cy: y.toFixed(1), r: p.center ? 6 : shapes.points.length > 200 ? 3 : 5 }), p.title);
  }
  label(add, at, shapes.points, size, lines.length > 0 ? 12 : 0);
  scaleBar(add, perMile, size);
  return map;
}

// label writes the names of points where there is room, so many pixels above
// the middle, and never over another name or point. The center always has its name.
function label(add, at, points, size, above) {
  const taken = [];
  const dots = points.map(at);
  const order = [...points.slice(0, 400).keys()].toSorted((a, b) => (points[b].center ?? 0) - (points[a].center ?? 0));
  for (const i of order) {
    const p = points[i];
    if (!p.name || taken.length >= MOST_LABELS) continue;
    const name = p.name.length > 28 ? p.name.slice(0, 27) + "…" : p.name;
    const [px, py] = dots[i];
    const width = name.length * 8; // in the widest usual type
    const x = px + 9 + width > size.width ? px - 9 - width : px + 9;
    const box = [x, py - 8 - above, x + width, py + 8 - above];
    const covers = (t) => t[0] < box[2] && box[0] < t[2] && t[1] < box[3] && box[1] < t[3];
    if (taken.some(covers) || !p.center && dots.some(([a, b], k) => k !== i && covers([a - 4, b - 4, a + 4, b + 4]))) continue;
    taken.push(box);
    add(svg("text", { x: x.toFixed(1), y: (py + 4 - above).toFixed(1) }, name));
  }
}
