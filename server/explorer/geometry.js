// Geometry of maps. Vertices are unit vectors on the authalic sphere of WGS84, so that
// moving the map needs no trigonometry. Package geo/svg has the same rules; tests hold
// both equal.

const RADIANS = Math.PI / 180;
const MAJOR = 6378137; // of the ellipsoid, in meters
const F = 1 / 298.257223563;
const E2 = F * (2 - F);
const E = Math.sqrt(E2);
export const MILE = 1609.344; // meters

// q is Snyder's (3-12) for the sine of a latitude.
const q = (sine) => (1 - E2) * (sine / (1 - E2 * sine * sine) + Math.atanh(E * sine) / E);
const POLE = q(1);
const EARTH_MILES = (MAJOR * Math.sqrt(POLE / 2)) / MILE; // radius of the authalic sphere

export function vector([lon, lat]) {
  const sine = q(Math.sin(lat * RADIANS)) / POLE;
  const flat = Math.sqrt(Math.max(0, (1 - sine) * (1 + sine)));
  return [flat * Math.cos(lon * RADIANS), flat * Math.sin(lon * RADIANS), sine];
}

export function degrees([x, y, z]) {
  const b = Math.atan2(z, Math.hypot(x, y)); // Snyder (3-18)
  const lat = b + E2 * (1 / 3 + E2 * (31 / 180 + (E2 * 517) / 5040)) * Math.sin(2 * b) + E2 * E2 * (23 / 360 + (E2 * 251) / 3780) * Math.sin(4 * b) + ((E2 ** 3 * 761) / 45360) * Math.sin(6 * b);
  return [Math.atan2(y, x) / RADIANS, lat / RADIANS];
}

// miles is the distance of two points on the sphere, to half a percent.
export function miles(a, b) {
  const u = vector(a);
  const v = vector(b);
  return 2 * EARTH_MILES * Math.asin(Math.min(1, Math.hypot(u[0] - v[0], u[1] - v[1], u[2] - v[2]) / 2));
}

// along is the point at a distance in miles from another on the ellipsoid (Vincenty
// 1975); a bearing of 0 is north.
export function along([lon, lat], distance, bearing) {
  const { sin, cos, atan2 } = Math;
  const u = Math.atan((1 - F) * Math.tan(lat * RADIANS));
  const start = atan2(Math.tan(u), cos(bearing));
  const sine = cos(u) * sin(bearing);
  const square = 1 - sine * sine;
  const k = (square * E2) / (1 - E2);
  const big = 1 + (k / 16384) * (4096 + k * (k * (320 - 175 * k) - 768));
  const small = (k / 1024) * (256 + k * (k * (74 - 47 * k) - 128));
  const first = (distance * MILE) / (MAJOR * (1 - F) * big);
  let s = first;
  let m;
  for (let i = 0; i < 6; i++) {
    m = cos(2 * start + s);
    s = first + small * sin(s) * (m + (small / 4) * (cos(s) * (2 * m * m - 1) - (small / 6) * m * (4 * sin(s) ** 2 - 3) * (4 * m * m - 3)));
  }
  m = cos(2 * start + s);
  const across = sin(u) * sin(s) - cos(u) * cos(s) * cos(bearing);
  const north = atan2(sin(u) * cos(s) + cos(u) * sin(s) * cos(bearing), (1 - F) * Math.hypot(sine, across));
  const c = (F / 16) * square * (4 + F * (4 - 3 * square));
  const east = atan2(sin(s) * sin(bearing), cos(u) * cos(s) - sin(u) * sin(s) * cos(bearing)) - (1 - c) * F * sine * (s + c * sin(s) * (m + c * cos(s) * (2 * m * m - 1)));
  return [lon + east / RADIANS, north / RADIANS];
}

// circle is a ring of points at a distance.
export function circle(at, distance, corners = 240) {
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
// follow their parallel: pieces are straight to half the tolerance.
export function unpack(rings, tolerance) {
  return (rings ?? []).map((flat) => {
    const points = [];
    let x = 0;
    let y = 0;
    for (let i = 0; i < flat.length; i += 2) {
      const long = i > 0 ? Math.floor((Math.max(Math.abs(flat[i]), Math.abs(flat[i + 1])) * Math.sqrt(tolerance)) / 20) : 0;
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

// overWater reports whether less than 0.7 of the part of an area in a box lies on land,
// by points of a grid. Shores are coarse, and areas often end at the quay.
export function overWater(rings, shores, box = [-540, -90, 540, 90]) {
  const [w, s, e, n] = joined(rings).map((v, i) => (i < 2 ? Math.max(v, box[i]) : Math.min(v, box[i])));
  let [inside, dry] = [0, 0];
  for (let i = 0.5; i < 12; i++) {
    for (let k = 0.5; k < 12; k++) {
      const p = [w + ((e - w) * i) / 12, s + ((n - s) * k) / 12];
      if (!contains(rings, p)) continue;
      inside++;
      if (contains(shores, p)) dry++;
    }
  }
  return shores.length > 0 && dry < 0.7 * inside;
}

// seat is the place of a label: the middle of the roomiest of several levels, with its
// room in degrees of latitude.
export function seat(rings) {
  const large = rings.reduce((a, r) => (r.box[2] - r.box[0] > a.box[2] - a.box[0] ? r : a));
  const [, south, , north] = large.box;
  const flat = Math.cos(((south + north) / 2) * RADIANS);
  let best = { at: large.points[0], wide: 0, high: 0 };
  const rank = (s) => Math.min(s.wide, 3 * s.high) + s.high / 4; // of equal widths the highest
  for (let i = 1; i < 8; i++) {
    const y = south + ((north - south) * i) / 8 + 1e-7;
    const xs = rings.flatMap((r) => r.crossings(1, y)).sort((a, b) => a - b);
    for (let k = 0; k + 1 < xs.length; k += 2) {
      const x = (xs[k] + xs[k + 1]) / 2;
      const wide = (xs[k + 1] - xs[k]) * flat;
      if (wide + (north - south) / 4 <= rank(best)) continue;
      const high = 2 * Math.min(...rings.flatMap((r) => r.crossings(0, x)).map((v) => Math.abs(v - y)));
      if (rank({ wide, high }) > rank(best)) best = { at: [x, y], wide, high };
    }
  }
  return best;
}

// step is the color of a share in percent.
export const step = (percent) => Math.min(4, Math.floor((percent * 5) / 100));

// roundBelow is the largest of 1, 2 or 5 times a power of ten that is at most v.
export function roundBelow(v) {
  const power = Math.floor(Math.log10(v));
  return ["1e" + (power + 1), "5e" + power, "2e" + power, "1e" + power, "5e" + (power - 1)].map(Number).find((n) => n <= v);
}

// View is a Lambert azimuthal equal-area projection about the middle of a screen,
// stretched so that directions are true there; scale is pixels per radian.
export class View {
  constructor(width, height, center, scale) {
    Object.assign(this, { width, height, center, scale });
    const [lon, lat] = [center[0] * RADIANS, center[1] * RADIANS];
    this.up = vector(center);
    const [, , sine] = this.up;
    const flat = Math.sqrt(Math.max(0, 1 - sine * sine));
    const stretch = flat > 1e-6 ? (MAJOR * Math.cos(lat)) / (Math.sqrt(1 - E2 * Math.sin(lat) ** 2) * EARTH_MILES * MILE * flat) : 1;
    this.stretch = stretch;
    this.east = [-Math.sin(lon) * stretch, Math.cos(lon) * stretch, 0];
    this.north = [(-sine * Math.cos(lon)) / stretch, (-sine * Math.sin(lon)) / stretch, flat / stretch];
  }

  place(x, y, z) {
    const { up, east, north } = this;
    const f = this.scale * Math.sqrt(2 / Math.max(1e-9, 1 + x * up[0] + y * up[1] + z * up[2]));
    return [this.width / 2 + f * (x * east[0] + y * east[1]), this.height / 2 - f * (x * north[0] + y * north[1] + z * north[2])];
  }

  pixel(point) {
    return this.place(...vector(point));
  }

  point([px, py]) {
    const t = this.stretch;
    const x = (px - this.width / 2) / this.scale / t;
    const y = ((this.height / 2 - py) / this.scale) * t;
    const q = Math.min(3.9, x * x + y * y);
    const f = Math.sqrt(1 - q / 4);
    return degrees([0, 1, 2].map((i) => this.up[i] * (1 - q / 2) + f * ((this.east[i] / t) * x + this.north[i] * t * y)));
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

  // fit shows all points with a margin in pixels, at a scale of at most most.
  static fit(width, height, points, margin, most = 1.5e6) {
    const middle = points.map(vector).reduce((sum, v) => sum.map((c, i) => c + v[i]));
    let view = new View(width, height, degrees(middle), 1000);
    for (let turn = 0; turn < 3; turn++) {
      const [l, t, r, b] = points.map((p) => view.pixel(p)).reduce(grown, [Infinity, Infinity, -Infinity, -Infinity]);
      const factor = Math.min(Math.max(40, width - 2 * margin) / Math.max(1e-6, r - l), Math.max(40, height - 2 * margin) / Math.max(1e-6, b - t));
      view = new View(width, height, view.point([(l + r) / 2, (t + b) / 2]), Math.min(most, view.scale * factor));
    }
    return view;
  }
}
