// What the map looks like: ground, areas, shades, marks and labels.

import { Ring, circle } from "./geometry.js";

const TOKENS = ["water", "land", "edge", "border", "focus", "halo", "ink", "muted", "veil", "area", "s0", "s1", "s2", "s3", "s4", "on-s4"];

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

export function paint(map) {
  const { context: c, view, colors, wide } = map;
  const seen = view.box(0.05);
  const path = (rings, fill, stroke, width) => {
    c.beginPath();
    for (const { vectors, box } of rings) {
      if (box[2] < seen[0] || box[0] > seen[2] || box[3] < seen[1] || box[1] > seen[3]) continue;
      for (let i = 0; i < vectors.length; i += 3) {
        const [x, y] = view.place(vectors[i], vectors[i + 1], vectors[i + 2]);
        if (i) c.lineTo(x, y);
        else c.moveTo(x, y);
      }
      c.closePath();
    }
    if (fill) { c.fillStyle = fill; c.fill("evenodd"); }
    if (stroke) { c.strokeStyle = stroke; c.lineWidth = width; c.stroke(); }
  };
  c.setTransform(map.dense, 0, 0, map.dense, 0, 0);
  c.lineJoin = "round";
  c.fillStyle = colors.water;
  c.fillRect(0, 0, view.width, view.height);
  const near = !wide && map.loaded;
  for (const g of near ? [] : map.shores) path(g.rings, colors.land, colors.border, wide ? 0.8 : 1.1);
  if (near) paintNear(map, path);
  const { outlined } = map;
  if (outlined) path(outlined, map.shades ? null : colors.area, colors.focus, 2.2);
  for (const d of map.dots()) {
    c.beginPath();
    c.arc(...d.at, d.code === map.hovered ? d.radius + 2 : d.radius, 0, 7);
    c.fillStyle = colors["s" + d.step];
    c.fill();
    c.strokeStyle = d.code === map.hovered || d.code === map.chosen ? colors.focus : colors.halo;
    c.lineWidth = d.code === map.hovered || d.code === map.chosen ? 2 : 0.5;
    c.stroke();
  }
  const ring = map.polygon?.length > 1 ? map.polygon : map.circle && circle(map.circle.at, map.circle.miles);
  if (ring) paintRing(map, ring, path);
  paintLabels(map, near);
}

function paintNear(map, path) {
  const { context: c, colors, shades } = map;
  const all = (list) => list.flatMap((a) => a.rings);
  path(all(map.land), colors.land, colors.border, 1.2);
  // Province outlines are coarse; areas are the land of a city, except those that reach
  // far over water, such as V7W. Their figures are drawn on land only.
  path(all(map.areas.filter((a) => !a.wet)), colors.land, colors.edge, 0.8);
  path(all(map.areas.filter((a) => a.wet)), null, colors.edge, 0.8);
  if (shades) {
    const weak = map.areas.filter((a) => map.weak.has(a.code));
    for (const wet of [true, false]) {
      c.save();
      if (wet) {
        path(all(map.land));
        c.clip("evenodd");
      }
      for (let step = 0; step < 5; step++) path(all(map.areas.filter((a) => a.wet === wet && shades.get(a.code) === step)), colors["s" + step], colors.halo, 0.9);
      if (weak.length) path(all(weak.filter((a) => a.wet === wet)), hatching(map), null, 0);
      c.restore();
    }
  }
  path(all(map.layers), null, colors.halo, 4);
  path(all(map.layers), null, colors.muted, 1.8);
  const chosen = map.byCode.get(map.chosen);
  if (chosen) {
    if (shades) path(chosen.rings, null, colors.halo, 5);
    path(chosen.rings, shades ? null : colors.area, colors.focus, 2.4);
  }
  const hot = map.byCode.get(map.hovered);
  if (hot && hot !== chosen) path(hot.rings, null, colors.ink, 1.8);
}

function paintRing(map, points, path) {
  const { context: c, view, colors } = map;
  const ring = new Ring(points);
  if (!map.figures && !map.drawing) { // a veil would change the colors of figures
    c.beginPath();
    c.rect(0, 0, view.width, view.height);
    points.forEach((p, i) => (i ? c.lineTo(...view.pixel(p)) : c.moveTo(...view.pixel(p))));
    c.closePath();
    c.fillStyle = colors.veil;
    c.fill("evenodd");
  }
  ring.box = [-1e9, -1e9, 1e9, 1e9];
  path([ring], null, colors.halo, 4);
  path([ring], null, colors.ink, 1.8);
  if (map.drawing) for (const p of points) mark(c, view.pixel(p), 4, colors);
}

function mark(c, [x, y], radius, colors) {
  c.beginPath();
  c.arc(x, y, radius, 0, 7);
  c.fillStyle = colors.halo;
  c.fill();
  c.strokeStyle = colors.focus;
  c.lineWidth = 1.6;
  c.stroke();
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

// paintLabels writes labels where they have room, the most important first, and never
// over another, a button, the legend, the scale or the handle.
function paintLabels(map, near) {
  const { context: c, view, colors } = map;
  const perDegree = view.scale / 57.3;
  const labels = [];
  const add = (text, at, rank, options) => labels.push({ text, rank, at: view.pixel(at), ...options });
  const room = (s) => ({ wide: s.wide * perDegree * Math.cos((s.at[1] * Math.PI) / 180), high: s.high * perDegree });
  if (!near) for (const g of map.ground) add(g.state, g.seat.at, 1, { ...room(g.seat), size: 12, fill: colors.muted });
  if (near) {
    for (const a of map.areas) {
      const marked = a.code === map.chosen || a.code === map.hovered;
      const fill = a.code === map.chosen ? colors.focus : marked || map.shades?.has(a.code) ? colors.ink : colors.muted;
      const style = { size: marked ? 13 : 11, bold: marked, fill, strong: map.shades?.get(a.code) === 4 && !marked && !a.wet };
      if (a.seat) add(a.code, a.seat.at, marked ? 4 : map.shades?.has(a.code) ? 3 : 2, { ...room(a.seat), ...(marked && { wide: 1e9, high: 99 }), ...style });
      else if (a.point && (marked || (view.scale > 60000 && !map.shades))) add(a.code, a.at, marked ? 4 : 0, { wide: 1e9, high: 99, dot: true, ...style });
    }
  }
  if (near) for (const a of map.layers) if (a.seat) add(a.name, a.seat.at, 3.5, { ...room(a.seat), size: 12, bold: true, fill: colors.ink });
  labels.sort((a, b) => b.rank - a.rank || b.wide - a.wide);
  const taken = [[view.width - 60, 0, view.width, 190], [0, view.height - 22, view.width, view.height]];
  const legend = document.getElementById("legend");
  if (!legend.hidden) {
    const [a, b] = [map.canvas.getBoundingClientRect(), legend.getBoundingClientRect()];
    taken.push([b.left - a.left, b.top - a.top, b.right - a.left, b.bottom - a.top]);
  }
  if (map.circle && !map.handle.hidden) {
    const [x, y] = view.pixel(circle(map.circle.at, map.circle.miles, 4)[1]);
    taken.push([x - 26, y - 16, x + 26, y + 40]);
  }
  c.textBaseline = "middle";
  map.labels = [];
  for (const l of labels.slice(0, 800)) {
    c.font = `${l.bold ? 650 : 450} ${l.size}px ${colors.font}`;
    const width = c.measureText(l.text).width;
    if (width + 6 > l.wide || l.size > l.high) continue;
    const x = l.dot ? l.at[0] + 8 : l.at[0] - width / 2;
    const box = [x - 4, l.at[1] - l.size * 0.7, x + width + 4, l.at[1] + l.size * 0.7];
    if (box[0] < 0 || box[1] < 0 || box[2] > view.width || box[3] > view.height || taken.some((t) => t[0] < box[2] && box[0] < t[2] && t[1] < box[3] && box[1] < t[3])) continue;
    taken.push(box);
    if (l.dot) mark(c, l.at, l.bold ? 4 : 2.5, colors);
    if (!l.strong) {
      c.strokeStyle = colors.halo;
      c.lineWidth = 3;
      c.strokeText(l.text, x, l.at[1]);
    }
    const color = l.strong ? colors["on-s4"] : l.fill;
    map.labels.push({ ...l, x, color });
    c.fillStyle = color;
    c.fillText(l.text, x, l.at[1]);
  }
  if (map.spot) mark(c, view.pixel(map.spot), 6, colors);
}
