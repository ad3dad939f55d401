// The map of an answer: its points, circles, lines and boxes, and the outlines that the
// server has of them, drawn as the explorer's map.

import { MILE, Ring, View, along, circle, degrees, seat, step, vector } from "/explorer/geometry.js";
import { TOKENS, dotRadius, frame } from "/explorer/paint.js";
import { Sheet, escape } from "/explorer/sheet.js";

const MARGIN = 34; // pixels around the shapes
const GROUND_MILES = 250; // the outlines of states are too coarse for maps of less
const MOST_LETTERS = 28;
export const MOST_POINTS = 4000;

const COLORS = Object.fromEntries(TOKENS.map((name) => [name, `var(--${name})`]));

function pointOf(v) {
  const at = v && typeof v === "object" ? [v.lon ?? v.longitude, v.lat ?? v.latitude] : [];
  return at.length && at.every(Number.isFinite) ? at : null;
}

// areaOf is the code whose area a code has: postal codes have that of their forward
// sortation area.
export const areaOf = (code) => (/^[A-Z]\d[A-Z] /.test(code) ? code.slice(0, 3) : code);

// collect finds what can be drawn in the results of an answer.
export function collect(results) {
  const shapes = { points: [], circles: [], lines: [], boxes: [], codes: [], shares: new Map() };
  const visit = (node) => {
    if (!node || typeof node !== "object" || shapes.points.length >= MOST_POINTS) return;
    if (Array.isArray(node)) {
      node.forEach(visit);
      return;
    }
    const at = pointOf(node.location);
    if (at) {
      const code = node.code ?? "";
      const name = String(code || node.name || node.formatted_address || node.city || "");
      const title = node.formatted_address ? name : [name, node.city, node.state].filter((part, i, all) => part && all.indexOf(part) === i).join(", ");
      shapes.points.push({ at, code: areaOf(code), name, title, center: node.input_type !== undefined });
      if (code && node.country) shapes.codes.push(areaOf(code));
      if (node.pct_inside !== undefined) shapes.shares.set(areaOf(code), step(node.pct_inside));
      if (node.radius_m > 0) shapes.circles.push({ at, miles: node.radius_m / MILE, label: node.radius_m + " m" });
    }
    const center = pointOf(node.search?.center?.location);
    if (center) {
      shapes.circles.push({ at: center, miles: node.search.max });
      if (node.search.min > 0) shapes.circles.push({ at: center, miles: node.search.min, hole: true });
    }
    const ends = [pointOf(node.from?.location), pointOf(node.to?.location)];
    if (ends.every(Boolean)) shapes.lines.push(ends);
    const box = node.bbox;
    if (box && [box.min_lat, box.max_lat, box.min_lon, box.max_lon].every(Number.isFinite)) shapes.boxes.push(box);
    for (const [key, value] of Object.entries(node)) {
      if (key !== "location" && key !== "bbox" && key !== "timezone") visit(value);
    }
  };
  visit(results);
  shapes.codes = [...new Set(shapes.codes)];
  return shapes;
}

// greatCircle is the shortest way between two points.
function greatCircle([from, to]) {
  const a = vector(from);
  const b = vector(to);
  const angle = 2 * Math.asin(Math.min(1, Math.hypot(...a.map((v, i) => v - b[i])) / 2));
  if (angle < 1e-9) return [from, to];
  return Array.from({ length: 65 }, (_, i) => degrees(a.map((v, k) => v * Math.sin((1 - i / 64) * angle) + b[k] * Math.sin((i / 64) * angle))));
}

function boxRing({ min_lon: w, min_lat: s, max_lon, max_lat: n }) {
  const e = max_lon < w ? max_lon + 360 : max_lon;
  const corners = [[w, s], [e, s], [e, n], [w, n]];
  return new Ring(corners.flatMap((c, i) => Array.from({ length: 8 }, (_, k) => c.map((v, axis) => v + ((corners[(i + 1) % 4][axis] - v) * k) / 8))));
}

const lengthOf = (circle) => circle.label ?? circle.miles + " miles";

// sentence describes the map to those who do not see it.
function sentence({ points, circles, lines }, areas) {
  const parts = [];
  if (points.length > 0) parts.push(points.length === 1 ? "the point of " + (points[0].title || "the answer") : points.length + " points");
  for (const c of circles) parts.push((c.hole ? "without " : "a circle of ") + lengthOf(c));
  if (lines.length > 0) parts.push(lines.length === 1 ? "the line between them" : lines.length + " lines");
  if (areas.length > 0) parts.push(areas.length === 1 ? "an outline" : areas.length + " outlines");
  return "Map with " + parts.join(", ") + ".";
}

// touching are the areas that touch a circle. The area that a code belongs to may lie
// elsewhere, if its location is wrong.
function touching(areas, of) {
  if (!of) return areas;
  const view = new View(0, 0, of.at, 1);
  const radius = Math.hypot(...view.pixel(along(of.at, of.miles, 0)));
  return areas.filter((a) => a.rings.some((ring) => {
    const corners = ring.points.map((p) => view.pixel(p));
    let inside = false;
    const near = corners.some(([x, y], i) => {
      const [u, v] = corners[(i + 1) % corners.length];
      if (y > 0 !== v > 0 && x - (y / (v - y)) * (u - x) > 0) inside = !inside;
      const length = (u - x) ** 2 + (v - y) ** 2;
      const t = length && Math.max(0, Math.min(1, -(x * (u - x) + y * (v - y)) / length));
      return Math.hypot(x + t * (u - x), y + t * (v - y)) <= radius;
    });
    return near || inside;
  }));
}

// draw returns the map of shapes and outlines (a list of {code, polygons}, rings of [lon,
// lat]) for a place of a width in pixels, on the ground of the states' outlines; null if
// there is nothing to draw.
export function draw(found, outlines, width, ground = []) {
  const { points, circles } = found;
  const few = points.length < 3; // which have names, rather than their areas
  const [outer, ...others] = circles.filter((c) => !c.hole);
  const areas = touching(outlines.map((o) => ({ code: o.code, rings: o.polygons.flat().map((r) => new Ring(r)) })), outer?.label ? null : outer).map((a) => ({ ...a, seat: few ? null : seat(a.rings) }));
  const lines = [...found.lines.map(greatCircle), ...others.map((c) => circle(c.at, c.miles, 241))];
  const boxes = found.boxes.map(boxRing);
  const circled = outer && !outer.label;
  const all = [...points.map((p) => p.at), ...(circled ? [] : areas.flatMap((a) => a.rings)).concat(boxes).flatMap((r) => r.points), ...lines.flat(), ...(outer ? circle(outer.at, outer.miles) : [])];
  if (all.length === 0) return null;
  const height = Math.round(Math.min(0.65 * width, 540));
  const least = outer?.label ? 0.25 : 2; // miles that a map shows at the least
  const view = View.fit(width, height, all, MARGIN, ((width - 2 * MARGIN) / least) * (6371e3 / MILE));
  const land = width / view.pixelsPerMile > GROUND_MILES ? ground : [];
  const near = areas.length + boxes.length > 0;
  const byCode = new Map(areas.map((a) => [a.code, a]));
  const center = points.find((p) => p.center);
  const map = {
    context: new Sheet(width, height), dense: 1, view, colors: COLORS, bare: land.length === 0, near, land, shores: land,
    areas, byCode, layers: boxes.map((ring) => ({ rings: [ring] })), hovered: "", weak: new Set(), chosen: circled ? center?.code : "",
    shades: circled ? new Map(areas.map((a) => [a.code, found.shares.get(a.code) ?? 3])) : null, outlined: circled ? null : areas.flatMap((a) => a.rings),
    circle: outer, inner: circles.find((c) => c.hole), polygon: null, lines, spot: null, taken: () => [],
    dots: () => points.filter((p) => p === center || (few || !byCode.has(p.code)) && p.name !== center?.name).map((p) => ({
      at: view.pixel(p.at), title: p.title, focus: p.center || few, step: 3, radius: p.center || few ? 5 : dotRadius({ near, circle: circled && outer, view }, points.length),
      name: !few && p.name === p.code && byCode.has(p.code) ? "" : p.name.length > MOST_LETTERS ? p.name.slice(0, MOST_LETTERS - 1) + "…" : p.name,
    })),
  };
  const text = frame(map, ` class="map" role="img" aria-label="${escape(sentence(found, areas))}"`);
  return document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
}
