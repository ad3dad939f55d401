// A Sheet has the methods of a canvas and writes SVG. What lies beyond its frame, and
// vertices closer than half a pixel, are left out.

export const escape = (s) => String(s).replace(/[<>&"]/g, (c) => `&#${c.charCodeAt(0)};`);
const tenth = (v) => Math.round(v * 10);
const px = (v) => String(tenth(v) / 10).replace(/^(-?)0\./, "$1.");

export class Sheet {
  lineWidth = 1;
  dash = "";
  marks = []; // elements
  patterns = new Map();

  constructor(width, height) {
    Object.assign(this, { width, height });
  }

  setTransform() {}
  setLineDash(lengths) { this.dash = lengths.join(" "); }
  beginPath() { this.shape = ""; this.pen = []; }
  moveTo(x, y) { this.#lift(); this.pen = [[x, y]]; }
  lineTo(x, y) { this.pen.push([x, y]); }
  closePath() { this.#lift("z"); }
  arc(x, y, r) { this.shape = `circle cx="${px(x)}" cy="${px(y)}" r="${px(r)}"`; }

  rect(x, y, w, h) {
    this.moveTo(x, y);
    for (const p of [[x + w, y], [x + w, y + h], [x, y + h]]) this.lineTo(...p);
    this.closePath();
  }

  fillRect(...box) { this.beginPath(); this.rect(...box); this.fill(); }
  fill() { this.#mark({ fill: this.fillStyle }); }

  // stroke shares the element of a fill of the same path.
  stroke() {
    this.#lift();
    const last = this.marks.at(-1);
    const line = { stroke: this.strokeStyle, "stroke-width": this.lineWidth, "stroke-dasharray": this.dash };
    if (last?.shape === this.shape && !last.stroke) Object.assign(last, line);
    else this.#mark({ fill: "none", ...line });
  }

  strokeText() { this.halo = { stroke: this.strokeStyle, "stroke-width": this.lineWidth, "paint-order": "stroke" }; }

  fillText(text, x, y) {
    const [weight, size] = this.font.match(/\d+/g);
    this.marks.push({ shape: `text x="${px(x)}" y="${px(y + size * 0.35)}"`, "font-size": size, "font-weight": weight === "450" ? "" : weight, "text-anchor": { center: "middle", right: "end" }[this.textAlign], fill: this.fillStyle, ...this.halo, text });
    this.halo = null;
  }

  // hatch is a pattern whose id is its content, so that equal ones do not clash.
  hatch(color) {
    const id = "hatch" + color.replaceAll(/\W+/g, "-");
    this.patterns.set(id, `<pattern id="${id}" width="7" height="7" patternUnits="userSpaceOnUse"><path d="M-1 8L8-1M-1 1L1-1M6 8L8 6" stroke="${escape(color)}" stroke-width="1.6"/></pattern>`);
    return `url(#${id})`;
  }

  // #lift ends a line. Vertices between two others beyond the same side are not seen.
  #lift(end = "") {
    const { width, height } = this;
    const side = ([x, y]) => (x < -8 ? 1 : x > width + 8 ? 2 : 0) | (y < -8 ? 4 : y > height + 8 ? 8 : 0);
    const kept = [];
    this.pen.forEach((p, i, all) => {
      const last = kept.at(-1);
      const next = all[i + 1] ?? (end && all[0]);
      if (last && next && (side(last) & side(p) & side(next) || (i < all.length - 1 && Math.hypot(p[0] - last[0], p[1] - last[1]) < 0.5))) return;
      kept.push(p);
    });
    this.pen = [];
    if (kept.length < 2 || kept.reduce((all, p) => all & side(p), 15)) return;
    let at = kept[0].map(tenth);
    this.shape = (this.shape || 'path d="') + `M${at[0] / 10} ${at[1] / 10}l` + kept.slice(1).map((p) => {
      const to = p.map(tenth);
      const [x, y] = to.map((v, i) => String((v - at[i]) / 10).replace(/^(-?)0\./, "$1."));
      at = to;
      return x + (y.startsWith("-") ? y : " " + y);
    }).join(" ").replaceAll(" -", "-") + end;
  }

  #mark(style) {
    this.#lift();
    if (this.shape) this.marks.push({ shape: this.shape, ...style, title: this.note });
  }

  toString() {
    const write = ({ shape, title, text, ...style }) => {
      const [name] = shape.split(" ", 1);
      const attributes = Object.entries({ ...style, ...(name === "path" && { "fill-rule": "evenodd", "stroke-linejoin": "round" }) }).filter(([, v]) => v).map(([k, v]) => ` ${k}="${escape(v)}"`).join("");
      const inside = title ? `<title>${escape(title)}</title>` : escape(text ?? "");
      return `<${shape}${name === "path" ? '"' : ""}${attributes}${inside ? `>${inside}</${name}>` : "/>"}`;
    };
    return [...this.patterns.values(), ...this.marks.map(write)].join("\n");
  }
}
