// Geometry on the sphere. Vertices are unit vectors, so that moving the map needs no
// trigonometry.

const RADIANS = Math.PI / 180;
const EARTH_MILES = 3958.7613;

export function vector([lon, lat]) {
  const flat = Math.cos(lat * RADIANS);
  return [flat * Math.cos(lon * RADIANS), flat * Math.sin(lon * RADIANS), Math.sin(lat * RADIANS)];
}

function degrees([x, y, z]) {
  return [Math.atan2(y, x) / RADIANS, Math.atan2(z, Math.hypot(x, y)) / RADIANS];
}

// miles is the distance of two points.
export function miles(a, b) {
  const u = vector(a);
  const v = vector(b);
  return 2 * EARTH_MILES * Math.asin(Math.min(1, Math.hypot(u[0] - v[0], u[1] - v[1], u[2] - v[2]) / 2));
}

// along is the point at a distance from another; a bearing of 0 is north.
export function along([lon, lat], distance, bearing) {
  const d = distance / EARTH_MILES;
  const p = lat * RADIANS;
  const q = Math.asin(Math.sin(p) * Math.cos(d) + Math.cos(p) * Math.sin(d) * Math.cos(bearing));
  const turn = Math.atan2(Math.sin(bearing) * Math.sin(d) * Math.cos(p), Math.cos(d) - Math.sin(p) * Math.sin(q));
  return [lon + turn / RADIANS, q / RADIANS];
}

// circle is a ring of points at a distance.
export function circle(at, distance, corners = 96) {
  return Array.from({ length: corners }, (_, i) => along(at, distance, (2 * Math.PI * i) / corners));
}

// Ring has the corners of a ring in degrees and as vectors, and its box.
export class Ring {
  constructor(points) {
    this.points = points;
    this.vectors = new Float64Array(3 * points.length);
    this.box = [Infinity, Infinity, -Infinity, -Infinity];
    points.forEach((p, i) => {
      this.vectors.set(vector(p), 3 * i);
      this.box = grown(this.box, p);
    });
  }

  // crosses reports whether a level (axis 1) or meridian (axis 0) crosses edges, and
  // where.
  crossings(axis, at) {
    const out = [];
    const { points } = this;
    for (let i = 0, j = points.length - 1; i < points.length; j = i++) {
      const a = points[j];
      const b = points[i];
      if (a[axis] > at !== b[axis] > at) out.push(a[1 - axis] + ((at - a[axis]) / (b[axis] - a[axis])) * (b[1 - axis] - a[1 - axis]));
    }
    return out;
  }
}

export const grown = (box, [x, y]) => [Math.min(box[0], x), Math.min(box[1], y), Math.max(box[2], x), Math.max(box[3], y)];
export const joined = (rings) => rings.reduce((box, r) => grown(grown(box, r.box), r.box.slice(2)), [Infinity, Infinity, -Infinity, -Infinity]);

// unpack reads rings in steps of a tolerance, as the server sends them. Long edges
// follow their parallel.
export function unpack(rings, tolerance) {
  return (rings ?? []).map((flat) => {
    const points = [];
    let x = 0;
    let y = 0;
    for (let i = 0; i < flat.length; i += 2) {
      const long = i > 0 ? Math.floor((Math.abs(flat[i]) * tolerance) / 2) : 0;
      for (let k = 1; k <= long; k++) points.push([(x + (flat[i] * k) / (long + 1)) * tolerance, (y + (flat[i + 1] * k) / (long + 1)) * tolerance]);
      x += flat[i];
      y += flat[i + 1];
      points.push([x * tolerance, y * tolerance]);
    }
    return new Ring(points);
  });
}

export function contains(rings, [x, y]) {
  let inside = false;
  for (const ring of rings) {
    if (x < ring.box[0] || x > ring.box[2] || y < ring.box[1] || y > ring.box[3]) continue;
    for (const at of ring.crossings(1, y)) if (at > x) inside = !inside;
  }
  return inside;
}

// onLand is the share of the part of an area in a box that lies on land, by points of a
// grid. It is 1 without land. The maps of --svg use the same rule.
export function onLand(rings, land, box) {
  const whole = joined(rings);
  const [w, s, e, n] = whole.map((v, i) => (i < 2 ? Math.max(v, box[i]) : Math.min(v, box[i])));
  const shores = land.flatMap((l) => l.rings);
  let [inside, dry] = [0, 0];
  for (let i = 0.5; i < 10; i++) {
    for (let k = 0.5; k < 10; k++) {
      const p = [w + ((e - w) * i) / 10, s + ((n - s) * k) / 10];
      if (!contains(rings, p)) continue;
      inside++;
      if (contains(shores, p)) dry++;
    }
  }
  return inside && shores.length ? dry / inside : 1;
}

// seat is the place of a label: the middle of the roomiest of several levels, with its
// room in degrees of longitude and latitude.
export function seat(rings) {
  const large = rings.reduce((a, r) => (r.box[2] - r.box[0] > a.box[2] - a.box[0] ? r : a));
  const [, south, , north] = large.box;
  let best = { at: large.points[0], wide: 0, high: 0 };
  const rank = (s) => Math.min(s.wide, 3 * s.high) + s.high / 4; // of equal widths the highest
  for (let i = 1; i < 8; i++) {
    const y = south + ((north - south) * i) / 8 + 1e-7;
    const xs = rings.flatMap((r) => r.crossings(1, y)).sort((a, b) => a - b);
    for (let k = 0; k + 1 < xs.length; k += 2) {
      const x = (xs[k] + xs[k + 1]) / 2;
      const wide = xs[k + 1] - xs[k];
      if (wide + (north - south) / 4 <= rank(best)) continue;
      const high = 2 * Math.min(...rings.flatMap((r) => r.crossings(0, x)).map((v) => Math.abs(v - y)));
      if (rank({ wide, high }) > rank(best)) best = { at: [x, y], wide, high };
    }
  }
  return best;
}

// View is a Lambert azimuthal equal-area projection about the middle of a screen;
// scale is pixels per radian. The maps of --svg use the same projection.
export class View {
  constructor(width, height, center, scale) {
    Object.assign(this, { width, height, center, scale });
    const [lon, lat] = [center[0] * RADIANS, center[1] * RADIANS];
    this.up = vector(center);
    this.east = [-Math.sin(lon), Math.cos(lon), 0];
    this.north = [-Math.sin(lat) * Math.cos(lon), -Math.sin(lat) * Math.sin(lon), Math.cos(lat)];
  }

  place(x, y, z) {
    const { up, east, north } = this;
    const f = this.scale * Math.sqrt(2 / Math.max(0.05, 1 + x * up[0] + y * up[1] + z * up[2]));
    return [this.width / 2 + f * (x * east[0] + y * east[1]), this.height / 2 - f * (x * north[0] + y * north[1] + z * north[2])];
  }

  pixel(point) {
    return this.place(...vector(point));
  }

  point([px, py]) {
    const x = (px - this.width / 2) / this.scale;
    const y = (this.height / 2 - py) / this.scale;
    const q = Math.min(3.9, x * x + y * y);
    const f = Math.sqrt(1 - q / 4);
    return degrees([0, 1, 2].map((i) => this.up[i] * (1 - q / 2) + f * (this.east[i] * x + this.north[i] * y)));
  }

  moved(dx, dy) {
    return new View(this.width, this.height, this.point([this.width / 2 - dx, this.height / 2 - dy]), this.scale);
  }

  zoomed(factor, at) {
    const fixed = this.point(at);
    const next = new View(this.width, this.height, this.center, Math.min(4e6, Math.max(220, this.scale * factor)));
    const [x, y] = next.pixel(fixed);
    return next.moved(at[0] - x, at[1] - y);
  }

  // box is the visible range in degrees, with a margin as a share of the screen.
  box(margin = 0) {
    let out = [Infinity, Infinity, -Infinity, -Infinity];
    for (let i = 0; i <= 6; i++) {
      for (const j of [0, 3, 6]) {
        const [u, v] = [(i / 6) * (1 + 2 * margin) - margin, (j / 6) * (1 + 2 * margin) - margin];
        out = grown(grown(out, this.point([u * this.width, v * this.height])), this.point([v * this.width, u * this.height]));
      }
    }
    return out;
  }

  get pixelsPerMile() {
    return this.scale / EARTH_MILES;
  }

  // fit shows all points with a margin in pixels.
  static fit(width, height, points, margin) {
    const [west, south, east, north] = points.reduce(grown, [Infinity, Infinity, -Infinity, -Infinity]);
    let view = new View(width, height, [(west + east) / 2, (south + north) / 2], 1000);
    for (let turn = 0; turn < 3; turn++) {
      const [l, t, r, b] = points.map((p) => view.pixel(p)).reduce(grown, [Infinity, Infinity, -Infinity, -Infinity]);
      const factor = Math.min(Math.max(40, width - 2 * margin) / Math.max(1e-6, r - l), Math.max(40, height - 2 * margin) / Math.max(1e-6, b - t));
      view = new View(width, height, view.point([(l + r) / 2, (t + b) / 2]), Math.min(1.5e6, view.scale * factor));
    }
    return view;
  }
}
