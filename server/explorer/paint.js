// What a map looks like: ground, areas, shades, marks and labels. The context is a
// canvas, or a Sheet for SVG. Package geo/svg draws the same maps; tests hold both equal.

import { Ring, circle, roundBelow } from "./geometry.js";

export const TOKENS = ["paper", "water", "land", "edge", "border", "focus", "halo", "ink", "muted", "veil", "area", "s0", "s1", "s2", "s3", "s4", "on-s4"];

export function readColors(box) {
  const style = getComputedStyle(box);
  const probe = document.createElement("i");
  box.append(probe);
  const colors = { font: style.fontFamily };
  for (const name of TOKENS) {
    probe.style.color = `var(--${name})`;
    colors[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  return colors;
}

const RADIANS = Math.PI / 180;
const all = (list) => list.flatMap((a) => a.rings);

// paint draws a map: its context and dense (pixels of the screen to one of the view),
// view and colors; bare (no land is known), near (areas are drawn, else shores and
// dots), land, shores with seats of labels, areas, layers, outlined and dots(); shades
// and weak by code, chosen and hovered; circle, inner, polygon, lines and spot; taken(),
// the boxes that labels keep free.
export function paint(map) {
  const { context: c, view, colors, near, shades } = map;
  const seen = view.box(0.05);
  const trace = ({ vectors, box }, open) => {
    if (box[0] >= -180 && box[2] <= 180 && (box[2] < seen[0] || box[0] > seen[2] || box[3] < seen[1] || box[1] > seen[3])) return;
    for (let i = 0; i < vectors.length; i += 3) {
      const [x, y] = view.place(vectors[i], vectors[i + 1], vectors[i + 2]);
      if (i) c.lineTo(x, y);
      else c.moveTo(x, y);
    }
    if (!open) c.closePath();
  };
  const path = (rings, fill, stroke, width, open) => {
    c.beginPath();
    for (const ring of rings) trace(ring, open);
    if (fill) { c.fillStyle = fill; c.fill("evenodd"); }
    if (stroke) { c.strokeStyle = stroke; c.lineWidth = width; c.stroke(); }
  };
  // around fills everything but rings.
  const around = (rings, fill) => {
    c.beginPath();
    c.rect(-8, -8, view.width + 16, view.height + 16);
    for (const ring of rings) trace(ring);
    c.fillStyle = fill;
    c.fill("evenodd");
  };
  const line = (rings, color, open, dash = []) => {
    path(rings, null, colors.halo, 4, open);
    c.setLineDash(dash);
    path(rings, null, color, 1.8, open);
    c.setLineDash([]);
  };
  c.setTransform(map.dense, 0, 0, map.dense, 0, 0);
  c.lineJoin = "round";
  c.fillStyle = map.bare || !(near || map.shores.length) ? colors.land : colors.water; // until land is known, none is sea
  c.fillRect(0, 0, view.width, view.height);
  for (const g of near ? map.land : map.shores) path(g.rings, colors.land, colors.border, near ? 1.2 : 0.8);
  if (near) {
    paintAreas(map, path, around);
    line(all(map.layers), colors.muted);
    const chosen = map.byCode.get(map.chosen);
    if (chosen) outline(map, path, chosen.rings, shades?.has(map.chosen));
    const hot = map.byCode.get(map.hovered);
    if (hot && hot !== chosen) path(hot.rings, null, colors.ink, 1.8);
  }
  if (map.outlined) outline(map, path, map.outlined, shades);
  const dots = map.dots();
  for (const d of dots.filter((d) => !d.focus)) {
    const marked = d.code && (d.code === map.hovered || d.code === map.chosen);
    dot(c, d.at, marked ? d.radius + 2 : d.radius, colors[d.step === undefined ? "muted" : "s" + d.step], marked ? colors.focus : colors.halo, marked ? 2 : 0.5, d.title);
  }
  const ring = map.polygon?.length > 1 ? always(map.polygon) : map.circle && ringOf(map.circle);
  if (ring && !map.figures && !map.drawing) around([ring], colors.veil); // it would change the colors of figures
  if (map.inner) line([ringOf(map.inner)], colors.ink, false, [5, 4]);
  if (ring) line([ring], colors.ink);
  if (map.lines) line(map.lines.map(always), colors.ink, true);
  if (map.drawing) for (const p of map.polygon ?? []) mark(c, view.pixel(p), colors, 4);
  const middle = map.circle && view.pixel(map.circle.at);
  const cross = middle && !map.spot && !dots.some((d) => d.focus && Math.hypot(d.at[0] - middle[0], d.at[1] - middle[1]) < 0.1) && middle;
  if (cross) paintCross(c, cross, colors);
  for (const d of dots) if (d.focus) mark(c, d.at, colors, d.radius, d.title);
  if (map.spot) mark(c, view.pixel(map.spot), colors, 5);
  paintLabels(map, dots, cross);
}

// always is a ring that is drawn wherever the view is.
const always = (points) => Object.assign(new Ring(points), { box: [-999, -90, 999, 90] });

const circles = new WeakMap();
function ringOf(of) {
  if (!circles.has(of)) circles.set(of, always(circle(of.at, of.miles)));
  return circles.get(of);
}

// paintAreas draws areas and their shades. Province outlines are coarse; areas are the
// land of a city, except those that reach far over water, such as V7W. These are filled
// first, and water covers them beyond the shore.
function paintAreas(map, path, around) {
  const { context: c, colors } = map;
  const shades = map.shades ?? new Map();
  const shade = (list) => {
    for (let step = 0; step < 5; step++) path(all(list.filter((a) => shades.get(a.code) === step)), colors["s" + step], colors.halo, 0.9);
    const weak = list.filter((a) => map.weak.has(a.code));
    if (weak.length) path(all(weak), c.hatch?.(colors.halo) ?? hatching(map), null, 0);
  };
  const wet = map.areas.filter((a) => a.wet);
  const dry = map.areas.filter((a) => !a.wet);
  const filled = wet.filter((a) => shades.has(a.code));
  if (filled.length) {
    shade(filled);
    around(all(map.land), colors.water);
  }
  path(all(dry.filter((a) => !shades.has(a.code))), colors.land, colors.edge, 0.8);
  path(all(wet), null, colors.edge, 0.8);
  shade(dry.filter((a) => shades.has(a.code)));
}

function outline({ colors }, path, rings, shaded) {
  if (shaded) path(rings, null, colors.halo, 5);
  path(rings, shaded ? null : colors.area, colors.focus, 2.4);
}

function dot(c, [x, y], radius, fill, stroke, width, title) {
  c.beginPath();
  c.arc(x, y, radius, 0, 7);
  c.note = title; // of a Sheet
  c.fillStyle = fill;
  c.fill();
  c.strokeStyle = stroke;
  c.lineWidth = width;
  c.stroke();
  c.note = "";
}

const mark = (c, at, colors, radius, title) => dot(c, at, radius, colors.halo, colors.focus, 1.6, title);

function paintCross(c, [x, y], colors) {
  for (const [color, width] of [[colors.halo, 4], [colors.focus, 1.6]]) {
    c.beginPath();
    for (const [u, v] of [[6, 0], [0, 6]]) { c.moveTo(x - u, y - v); c.lineTo(x + u, y + v); }
    c.strokeStyle = color;
    c.lineWidth = width;
    c.stroke();
  }
}

function hatching(map) {
  const tile = document.createElement("canvas");
  tile.width = tile.height = 7;
  const c = tile.getContext("2d");
  c.strokeStyle = map.colors.halo;
  c.lineWidth = 1.6;
  for (const d of [-7, 0, 7]) { c.moveTo(d - 1, 8); c.lineTo(d + 8, -1); }
  c.stroke();
  return map.context.createPattern(tile, "repeat");
}

const LETTER = 0.56; // usual width of a letter, in parts of its size
const MOST_LABELS = 400; // more cannot be read

// paintLabels writes labels where they have room, the most important first, and never
// over another or a box that is taken.
function paintLabels(map, dots, cross) {
  const { context: c, view, colors, near, shades } = map;
  const labels = [];
  const add = (text, at, rank, options) => text && labels.push({ text, rank, at, size: 11, wide: 0, high: 99, fill: colors.ink, ...options });
  const room = ({ wide, high }) => ({ wide: wide * view.scale * RADIANS, high: high * view.scale * RADIANS });
  for (const g of near ? [] : map.shores) if (g.seat) add(g.state, view.pixel(g.seat.at), 1, { ...room(g.seat), size: 12, fill: colors.muted });
  for (const a of near ? map.areas : []) {
    const chosen = a.code === map.chosen;
    const marked = chosen || a.code === map.hovered;
    const shaded = shades?.has(a.code);
    const style = { fill: chosen ? colors.focus : marked || shaded ? colors.ink : colors.muted, ...(marked && { size: 13, bold: true, free: true }) };
    if (!marked && !a.wet && shades?.get(a.code) === 4) Object.assign(style, { fill: colors["on-s4"], plain: true });
    if (a.seat) add(a.code, view.pixel(a.seat.at), marked ? 4 : shaded ? 3 : 2, { ...room(a.seat), ...style });
    else if (a.point && (marked || (view.scale > 60000 && !shades))) add(a.code, view.pixel(a.at), marked ? 4 : 0, { beside: marked ? 5 : 2.5, mark: true, ...style });
  }
  for (const a of near ? map.layers : []) if (a.seat) add(a.name, view.pixel(a.seat.at), 3.5, { ...room(a.seat), size: 12, bold: true });
  for (const d of dots) add(d.name, d.at, d.focus ? 4 : 0, { beside: d.radius, ...(d.focus ? { size: 13, bold: true, fill: colors.focus } : d.step === undefined && { fill: colors.muted }) });
  labels.sort((a, b) => b.rank - a.rank || b.wide - a.wide || (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
  const taken = map.taken();
  let open = cross;
  c.textBaseline = "middle";
  let written = 0;
  for (const l of labels) {
    if (written === MOST_LABELS) break;
    if (open && l.rank === 0) { // labels of areas may lie on the middle of the circle
      taken.push([open[0] - 6, open[1] - 6, open[0] + 6, open[1] + 6]);
      open = null;
    }
    const width = l.text.length * l.size * LETTER;
    if (!l.beside && !l.free && (width + 6 > l.wide || l.size > l.high)) continue;
    for (const side of l.beside ? [1, -1] : [0]) { // right or left of a point
      const x = l.at[0] + side * (l.beside + 4 || 0);
      const y = l.at[1];
      const left = x - (width * (1 - side)) / 2;
      const box = [left - 4, y - l.size * 0.7, left + width + 4, y + l.size * 0.7];
      if (box[0] < 0 || box[1] < 0 || box[2] > view.width || box[3] > view.height || taken.some((t) => t[0] < box[2] && box[0] < t[2] && t[1] < box[3] && box[1] < t[3])) continue;
      taken.push(box);
      written++;
      if (l.mark && l.free) mark(c, l.at, colors, 5);
      else if (l.mark) dot(c, l.at, 2.5, colors.muted, colors.halo, 0.5);
      c.font = `${l.bold ? 650 : 450} ${l.size}px ${colors.font}`;
      c.textAlign = ["right", "center", "left"][side + 1];
      if (!l.plain) {
        c.strokeStyle = colors.halo;
        c.lineWidth = 3;
        c.strokeText(l.text, x, y);
      }
      c.fillStyle = l.fill;
      c.fillText(l.text, x, y);
      break;
    }
  }
}

// dotRadius is the radius of points: small among areas, else as large as they can be
// without hiding each other in a circle, or in the middle of the map.
export function dotRadius({ near, circle, view }, count) {
  const across = circle ? circle.miles * view.pixelsPerMile : 150;
  return near ? 2.5 : Math.min(6, Math.max(1.5, (across * 0.8) / Math.sqrt(count)));
}

// scaleBar is the longest round number of miles within a hundred pixels.
export function scaleBar(view) {
  const miles = Math.max(0.01, roundBelow(100 / view.pixelsPerMile));
  return { miles, pixels: miles * view.pixelsPerMile };
}

// frame paints a map into a Sheet, with its scale, as an SVG element.
export function frame(map, attributes = "") {
  const { view, context: c, colors } = map;
  const { miles, pixels } = scaleBar(view);
  const right = view.width - 14;
  const y = view.height - 12;
  const taken = [...map.taken(), [right - Math.max(pixels, 40), y - 18, view.width, view.height]];
  paint(Object.create(map, { taken: { value: () => taken } }));
  c.beginPath();
  for (const [i, p] of [[right - pixels, y - 5], [right - pixels, y], [right, y], [right, y - 5]].entries()) c[i ? "lineTo" : "moveTo"](...p);
  Object.assign(c, { strokeStyle: colors.ink, lineWidth: 1.5 });
  c.stroke();
  Object.assign(c, { font: "450 11px", textAlign: "center", fillStyle: colors.ink, strokeStyle: colors.halo, lineWidth: 3 });
  for (const write of ["strokeText", "fillText"]) c[write](miles + " mi", right - pixels / 2, y - 9);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${view.width} ${view.height}" width="${view.width}" height="${view.height}"${attributes}>${c}</svg>`;
}
