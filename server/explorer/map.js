// The map: a canvas that is drawn anew for every frame, with its buttons, the handle
// of the circle and the corners of a polygon.

import { View, along, contains, miles, overWater, seat, unpack } from "./geometry.js";
import { ask, h, number } from "./dom.js";
import { dotRadius, paint, readColors, scaleBar } from "./paint.js";

const WIDEST = 7; // degrees of latitude that show areas
const NEAREST = 2; // the same around a wide circle, whose codes are points before
const WIDE_CIRCLE = 60; // miles
const COAST = 13; // degrees of latitude that show shores finer than the ground
const NATION = [[-125, 25], [-66, 25], [-96, 61], [-55, 50], [-160, 19], [-168, 65], [-141, 70]]; // with Hawaii and Alaska

function drawing(path) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("aria-hidden", "true");
  svg.append(document.createElementNS(svg.namespaceURI, "path"));
  svg.firstChild.setAttribute("d", path);
  return svg;
}

// placed adds the place of a label to an area.
const placed = (area) => ({ ...area, seat: area.rings.length ? seat(area.rings) : null });

export class PlaceMap {
  // Events: pick(code), hover(code), radius(miles, done), corner(points), moved(), loaded(), fit(), tip(area).
  constructor(box, events) {
    Object.assign(this, { box, events, ground: [], areas: [], land: [], layers: [], byCode: new Map(), shades: null, weak: new Set(), chosen: "", state: "", outline: null, circle: null, polygon: null, drawing: false, hovered: "", spot: null, spots: null });
    this.canvas = h("canvas", { tabindex: "0", role: "application", "aria-label": "Map. Arrow keys move it, plus and minus zoom, 0 fits the place, Enter opens the area in the middle." });
    this.handle = h("button", { type: "button", class: "handle", role: "slider", "aria-label": "Radius", "aria-valuemin": "0.5", "aria-valuemax": "500", hidden: true });
    this.tip = h("div", { class: "tip", hidden: true });
    this.note = h("p", { class: "map-note", role: "status", hidden: true });
    this.scale = h("div", { class: "scale" }, h("span"));
    const middle = () => [this.view.width / 2, this.view.height / 2];
    const button = (label, icon, act) => h("button", { type: "button", "aria-label": label, title: label, onclick: act }, drawing(icon));
    this.drawButton = button("Draw a polygon", "M3 6l8-3 6 5-4 8-8-1z", () => this.draw(!this.drawing));
    this.credit = h("p", { class: "credit" });
    box.append(this.canvas, this.handle, this.tip, this.note, h("div", { class: "foot" }, this.credit, this.scale), h("div", { class: "zoom" },
      button("Zoom in", "M10 4v12M4 10h12", () => this.show(this.view.zoomed(1.7, middle()))), button("Zoom out", "M4 10h12", () => this.show(this.view.zoomed(1 / 1.7, middle()))), button("Fit the place", "M4 8V4h4M12 4h4v4M16 12v4h-4M8 16H4v-4", () => events.fit()), this.drawButton));
    this.context = this.canvas.getContext("2d");
    this.view = View.fit(800, 600, NATION, 20);
    new ResizeObserver(() => this.resize()).observe(box);
    this.resize(true);
    this.listenPointer();
    this.listenKeys();
    this.theme();
  }

  theme() {
    this.colors = readColors(this.box);
    this.redraw();
  }

  // loadGround returns the ground, which is loaded once.
  loadGround() {
    this.grounding ??= ask("/explorer/ground.json").then(({ tolerance, land }) => {
      const ground = land.filter((l) => l.rings?.length).map((l) => placed({ state: l.state, rings: unpack(l.rings, tolerance) }));
      this.set({ ground, bare: ground.length === 0 });
      return ground;
    }, (error) => { this.grounding = undefined; throw error; });
    return this.grounding;
  }

  resize(first) {
    const { clientWidth: width, clientHeight: height } = this.box;
    if (!width || !height) return;
    this.dense = Math.min(2, devicePixelRatio || 1);
    this.canvas.width = width * this.dense;
    this.canvas.height = height * this.dense;
    this.view = first ? View.fit(width, height, NATION, 20) : new View(width, height, this.view.center, this.view.scale);
    if (this.colors) this.paint();
    if (this.shown) this.settle(true);
  }

  set(values) {
    Object.assign(this, values);
    this.redraw();
  }

  show(view, silent) {
    this.view = view;
    this.shown = true;
    this.redraw();
    if (!silent && this.wide) this.loadGround().catch(() => {});
    this.settle(silent);
  }

  fit(points, margin = Math.min(60, this.view.width / 8, this.view.height / 9)) {
    this.show(View.fit(this.view.width, this.view.height, points.length ? points : NATION, margin), true);
  }

  get wide() {
    const [, south, , north] = this.view.box();
    return north - south > (this.circle?.miles > WIDE_CIRCLE ? NEAREST : WIDEST);
  }

  // step is the tolerance that suits the screen, in degrees.
  get step() {
    const [, s, , n] = this.view.box(0.02);
    return Math.min(0.05, Math.max(1e-5, 2 ** Math.ceil(Math.log2(((n - s > 1.5 ? 1.1 : 0.6) / this.view.scale) * 57.3))));
  }

  // covered reports whether what was loaded fills the screen finely enough.
  get covered() {
    const [w, s, e, n] = this.view.box(0.02);
    const { tolerance, box } = (this.wide ? this.coast : this.loaded) ?? {};
    return tolerance <= this.step * 2 && tolerance >= this.step / 4 && w >= box[0] && s >= box[1] && e <= box[2] && n <= box[3];
  }

  get near() {
    return !this.wide && Boolean(this.loaded);
  }

  // shores are the land of a wide view: finer than the ground where that was loaded.
  get shores() {
    const [w, s, e, n] = this.view.box();
    const { box = [0, 0, 0, 0], land, tolerance } = this.coast ?? {};
    if (w >= box[0] && s >= box[1] && e <= box[2] && n <= box[3] && tolerance * this.view.scale < 230) return land;
    return this.ground.length ? this.ground : land ?? this.land; // until the ground is loaded
  }

  // outlined is the outline of the place, if it is not a code.
  get outlined() {
    if (!this.state) return this.outline;
    return (this.near ? this.land : this.shores).find((l) => l.state === this.state)?.rings;
  }

  // dots are the shaded codes whose areas are not drawn.
  dots() {
    if (!this.shades || !this.spots || !this.wide) return [];
    const radius = dotRadius(this, this.shades.size);
    return [...this.shades].flatMap(([code, step]) => {
      const { location } = this.spots.get(code) ?? {};
      return location ? [{ code, step, radius, at: this.view.pixel([location.lon, location.lat]) }] : [];
    });
  }

  redraw() {
    this.frame ??= requestAnimationFrame(() => { this.frame = undefined; this.paint(); });
  }

  paint() {
    paint(this);
    this.position();
  }

  // settle loads what the screen lacks when it has come to rest.
  settle(silent) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (!silent) this.events.moved();
      this.load();
    }, this.loaded ? 140 : 0);
  }

  async load() {
    const { wide } = this;
    const [w, s, e, n] = this.view.box(0.02);
    if (wide && (n - s > COAST || e - w > 19)) {
      this.loadGround().catch(() => this.tell("The map could not be loaded."));
      return;
    }
    if (this.covered) {
      if (this.failed) this.tell("");
      return;
    }
    const tolerance = this.step;
    const [west, south, east, north] = this.view.box(n - s > 1 ? 0.03 : 0.2); // many areas lie beyond a wide view
    const lat = (v) => Math.min(89, Math.max(-89, v)).toFixed(3);
    const half = Math.min(9.9, (east - west) / 2);
    const middle = (west + east) / 2;
    const lon = (v) => (((v + 540) % 360) - 180).toFixed(3);
    const box = [lon(middle - half), lat(south), lon(middle + half), lat(north)].join();
    const parameters = { box, tolerance, ...(wide ? { limit: 0 } : { include: "layers" }) }; // of wide views only the land
    const loading = JSON.stringify(parameters);
    if (this.loading === loading) return;
    this.loading = loading;
    this.abort?.abort();
    this.abort = new AbortController();
    try {
      const got = await ask("/v2/outlines", parameters, this.abort.signal);
      const land = got.land.map((l) => ({ state: l.state, rings: unpack(l.rings, tolerance) }));
      if (wide) {
        this.coast = { tolerance, box: [middle - half, south, middle + half, north], land: land.map(placed) };
        this.loading = undefined;
        this.redraw();
        return;
      }
      this.loaded = { tolerance, box: [middle - half, south, middle + half, north] };
      this.areas = got.areas.map((a) => placed({ code: a.code, city: a.city, state: a.state, at: [a.location.lon, a.location.lat], point: !a.has_area, rings: unpack(a.rings, tolerance) }));
      this.land = land;
      for (const a of this.areas) a.wet = /^[A-Z]/.test(a.code) && a.rings.length > 0 && overWater(a.rings, land.flatMap((l) => l.rings), this.loaded.box); // others end at the shore
      this.layers = (got.layers ?? []).map((a) => placed({ ...a, rings: unpack(a.rings, tolerance) }));
      this.byCode = new Map(this.areas.map((a) => [a.code, a]));
      if (!land.length) this.loadGround().catch(() => {}); // the dataset may have none
      this.tell(got.more ? `The ${number(this.areas.length)} areas nearest to the middle are drawn; ${number(got.more)} more lie in view. Zoom in to see them.` : "");
      this.events.loaded();
      requestAnimationFrame(() => performance.mark("map"));
    } catch (error) {
      if (error.name === "AbortError") return;
      this.loading = undefined;
      this.tell("Areas could not be loaded. " + error.message, true);
    }
    this.loading = undefined;
    this.redraw();
  }

  // taken are the boxes of the buttons, the scale, the legend and the handle.
  taken() {
    const { view } = this;
    const out = [[view.width - 60, 0, view.width, 190], [0, view.height - 22, view.width, view.height]];
    const legend = document.getElementById("legend");
    if (!legend.hidden) {
      const [a, b] = [this.canvas.getBoundingClientRect(), legend.getBoundingClientRect()];
      out.push([b.left - a.left, b.top - a.top, b.right - a.left, b.bottom - a.top]);
    }
    if (this.circle && !this.handle.hidden) {
      const [x, y] = view.pixel(along(this.circle.at, this.circle.miles, Math.PI / 2));
      out.push([x - 26, y - 16, x + 26, y + 40]);
    }
    return out;
  }

  tell(text, failed) {
    this.failed = failed;
    this.note.hidden = !text;
    this.note.textContent = text;
  }

  // position moves the handle and the scale bar.
  position() {
    const { view, circle } = this;
    const bar = scaleBar(view);
    this.scale.firstChild.style.width = bar.pixels + "px";
    this.scale.dataset.text = bar.miles + " mi";
    this.handle.hidden = !circle;
    if (!circle) return;
    const [x, y] = view.pixel(along(circle.at, circle.miles, Math.PI / 2));
    this.handle.style.transform = `translate(${x.toFixed(1)}px,${y.toFixed(1)}px)`;
    this.handle.hidden = x < 0 || y < 0 || x > view.width || y > view.height;
    this.handle.setAttribute("aria-valuenow", circle.miles);
    this.handle.setAttribute("aria-valuetext", circle.miles + " miles");
    this.handle.dataset.text = circle.miles + " mi";
  }

  under(pixel) {
    if (this.wide) {
      const near = this.dots().map((d) => ({ ...d, away: Math.hypot(d.at[0] - pixel[0], d.at[1] - pixel[1]) })).filter((d) => d.away < Math.max(5, d.radius + 1));
      const [best] = near.sort((a, b) => a.away - b.away);
      return best ? { ...this.spots.get(best.code), code: best.code } : null;
    }
    const p = this.view.point(pixel);
    return this.areas.find((a) => a.rings.length && contains(a.rings, p)) ?? null;
  }

  // draw begins or ends drawing a polygon.
  draw(on) {
    this.drawing = on;
    this.drawButton.setAttribute("aria-pressed", String(on));
    this.box.classList.toggle("drawing", on);
    if (on) {
      this.hover("");
      this.before = { polygon: this.polygon, circle: this.circle };
      this.set({ polygon: [], circle: null });
      this.canvas.focus({ preventScroll: true });
    } else if (this.polygon?.length > 2) this.events.corner(this.polygon);
    else this.cancel();
    if (on) this.tell("Click the corners of a polygon, or press Enter for a corner in the middle. Click the first corner, or press the button again, to close it. Backspace takes a corner back; Escape cancels.");
    else this.tell("");
  }

  // cancel ends drawing and shows what was there before.
  cancel() {
    this.drawing = false;
    this.drawButton.setAttribute("aria-pressed", "false");
    this.box.classList.remove("drawing");
    this.tell("");
    if (this.before) this.set(this.before);
    this.before = null;
  }

  corner(pixel) {
    const first = this.polygon[0] && this.view.pixel(this.polygon[0]);
    if (this.polygon.length > 2 && Math.hypot(first[0] - pixel[0], first[1] - pixel[1]) < 14) {
      this.draw(false);
      return;
    }
    this.set({ polygon: [...this.polygon, this.view.point(pixel)] });
  }

  listenPointer() {
    const { canvas, handle } = this;
    const fingers = new Map();
    const at = (e) => { const r = canvas.getBoundingClientRect(); return [e.clientX - r.left, e.clientY - r.top]; };
    let way = 0;
    let span = 0;
    canvas.addEventListener("pointerdown", (e) => {
      canvas.setPointerCapture(e.pointerId);
      fingers.set(e.pointerId, at(e));
      way = span = 0;
    });
    canvas.addEventListener("pointermove", (e) => {
      const p = at(e);
      const before = fingers.get(e.pointerId);
      if (!before) {
        if (!this.drawing) this.hover(this.under(p)?.code ?? "", p);
        return;
      }
      way += Math.hypot(p[0] - before[0], p[1] - before[1]);
      if (way < 5) return;
      fingers.set(e.pointerId, p);
      if (fingers.size === 1) this.show(this.view.moved(p[0] - before[0], p[1] - before[1]));
      else {
        const [a, b] = [...fingers.values()];
        const now = Math.hypot(a[0] - b[0], a[1] - b[1]);
        if (span) this.show(this.view.zoomed(now / span, [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]));
        span = now;
      }
    });
    const lift = (e) => {
      if (!fingers.delete(e.pointerId) || way >= 5 || e.type === "pointercancel") return;
      const p = at(e);
      if (this.drawing) this.corner(p);
      else if (this.under(p)) this.events.pick(this.under(p).code);
      else if (this.wide) this.show(this.view.zoomed(3, p));
    };
    canvas.addEventListener("pointerup", lift);
    canvas.addEventListener("pointercancel", lift);
    canvas.addEventListener("pointerleave", () => this.hover(""));
    canvas.addEventListener("wheel", (e) => {
      e.preventDefault();
      this.show(this.view.zoomed(Math.exp(-e.deltaY * (e.deltaMode ? 0.05 : 0.002)), at(e)));
    }, { passive: false });
    const drag = (e, done) => handle.hasPointerCapture(e.pointerId) && this.events.radius(miles(this.circle.at, this.view.point(at(e))), done);
    handle.addEventListener("pointerdown", (e) => { e.preventDefault(); handle.focus(); handle.setPointerCapture(e.pointerId); });
    handle.addEventListener("pointermove", (e) => drag(e, false));
    handle.addEventListener("pointerup", (e) => drag(e, true));
  }

  listenKeys() {
    const moves = { ArrowLeft: [80, 0], ArrowRight: [-80, 0], ArrowUp: [0, 80], ArrowDown: [0, -80] };
    this.canvas.addEventListener("keydown", (e) => {
      if (e.altKey || e.ctrlKey || e.metaKey) return;
      const middle = [this.view.width / 2, this.view.height / 2];
      if (moves[e.key]) this.show(this.view.moved(...moves[e.key]));
      else if (e.key === "+" || e.key === "=") this.show(this.view.zoomed(1.5, middle));
      else if (e.key === "-") this.show(this.view.zoomed(1 / 1.5, middle));
      else if (e.key === "0") this.events.fit();
      else if (e.key === "Enter" && this.drawing) this.corner(middle);
      else if (e.key === "Enter" && this.under(middle)) this.events.pick(this.under(middle).code);
      else if (e.key === "Backspace" && this.drawing) this.set({ polygon: this.polygon.slice(0, -1) });
      else if (e.key === "Escape" && this.drawing) this.cancel();
      else return;
      e.preventDefault();
    });
    const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 5, PageDown: -5 };
    this.handle.addEventListener("keydown", (e) => {
      if (!steps[e.key]) return;
      e.preventDefault();
      const { miles: now } = this.circle;
      this.events.radius(now + steps[e.key] * (now < 5 || (now === 5 && steps[e.key] < 0) ? 0.5 : 1), true);
    });
  }

  hover(code, pixel) {
    if (code !== this.hovered) {
      this.hovered = code;
      this.events.hover(code);
      this.redraw();
    }
    const area = pixel && (this.byCode.get(code) ?? this.spots?.get(code));
    this.tip.hidden = !area;
    if (!area) return;
    this.tip.replaceChildren(h("b", {}, code), ...this.events.tip(area).map((line) => h("span", {}, line)));
    const left = pixel[0] > this.view.width - 190;
    this.tip.style.transform = `translate(${pixel[0] + (left ? -14 : 14)}px,${pixel[1] + 16}px)` + (left ? " translateX(-100%)" : "");
  }
}
