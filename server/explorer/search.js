// The search box: a combobox over the server's suggestions.

import { announce, ask, h, key } from "./dom.js";

const LAYERS = { county: "county", place: "place", cbsa: "cbsa", school_district: "school", cd: "cd" };
const CANADA = { county: "census-division", place: "csd", cbsa: "cma", cd: "fed" };
const KINDS = { zip: "ZIP Code", fsa: "FSA", ca_postal: "Postal code", place: "Place", county: "County", cbsa: "Metro area", state: "State", school_district: "School district", uspscity: "Post office city", cd: "Congressional district", address: "Address", layer: "Your layer" };

// target is where a suggestion leads: the state of the page.
function target(m) {
  if (m.type === "zip" || m.type === "fsa" || m.type === "ca_postal") return { code: m.name };
  if (m.type === "uspscity") return m.associated_zips?.length ? { code: m.associated_zips[0] } : null;
  if (m.type === "state") return { state: m.state ?? m.province, name: m.name };
  if (m.type === "address") return { address: m.formatted_address ?? m.name };
  if (m.type === "layer") return { area: m.layer + ":" + m.geoid };
  const layer = (m.country === "CA" ? CANADA : LAYERS)[m.type];
  return layer && m.geoid ? { area: layer + ":" + m.geoid } : null;
}

// typed are the places that the text itself names: a coordinate or an address.
function typed(text) {
  const at = /^(-?\d+(?:\.\d+)?)[,\s]+(-?\d+(?:\.\d+)?)$/.exec(text);
  if (at && Math.abs(at[1]) <= 90 && Math.abs(at[2]) <= 180) return [{ title: `${at[1]}, ${at[2]}`, where: "the area at this point", kind: "Coordinate", to: { code: `${at[1]},${at[2]}` } }];
  if (/^\d{5}-\d{4}$/.test(text)) return [{ title: text, where: "one side of a street, a building or a box", kind: "ZIP+4", to: { code: text } }];
  if (/^\d+\s+\S+\s+\S+/.test(text)) return [{ title: text, where: "look up this address", kind: "Address", to: { address: text } }];
  return [];
}

// searchBox fills the box. hint returns what to add if nothing is found.
export function searchBox(box, go, hint) {
  const input = h("input", { id: "q", type: "search", maxlength: "200", role: "combobox", "aria-expanded": "false", "aria-autocomplete": "list", "aria-controls": "found", autocomplete: "off", spellcheck: "false", enterkeyhint: "search", placeholder: "Place, code, district, address", "aria-label": "Search places, codes, districts and addresses" });
  const list = h("ul", { id: "found", role: "listbox", "aria-label": "Suggestions", hidden: true });
  box.append(input, h("kbd", { "aria-hidden": "true" }, "/"), list);
  let items = [];
  let active = -1;
  let asked = "";
  let abort;
  let timer;

  const close = () => {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  const mark = (i) => {
    active = i;
    [...list.children].forEach((option, k) => option.setAttribute("aria-selected", String(k === i)));
    if (i < 0) return;
    input.setAttribute("aria-activedescendant", "found-" + i);
    list.children[i].scrollIntoView({ block: "nearest" });
  };
  const choose = (i) => {
    if (!items[i]) return;
    close();
    input.blur();
    go(items[i].to);
  };
  const show = (nothing) => {
    list.replaceChildren(...(items.length ? items.map((item, i) => h("li", { id: "found-" + i, role: "option", "aria-selected": "false", onpointerdown: (e) => { e.preventDefault(); choose(i); } },
      h("span", {}, h("b", {}, item.title), item.where && h("small", {}, item.where)), h("small", {}, item.kind))) : [h("li", { role: "option", "aria-disabled": "true", "aria-selected": "false" }, nothing)]));
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    mark(items.length ? 0 : -1);
    announce(items.length ? items.length + " suggestions" : nothing);
  };
  const suggest = async () => {
    asked = input.value.trim();
    abort?.abort();
    if (!asked) { close(); return; }
    abort = new AbortController();
    try {
      const { matches } = await ask("/v2/suggest", { q: asked, limit: 8 }, abort.signal);
      const found = matches.map((m) => ({ title: m.name, where: [m.city !== m.name && m.city, m.type !== "state" && (m.state_name ?? m.state ?? m.province)].filter(Boolean).join(", "), kind: m.type === "state" && m.country === "CA" ? "Province" : KINDS[m.type] ?? m.type, to: target(m) })).filter((m) => m.to);
      items = [...typed(asked), ...found].slice(0, 8);
      show(`No match for “${asked.length > 40 ? asked.slice(0, 40) + "…" : asked}”. Try a ZIP Code, a city with its state, or latitude, longitude.${hint()}`);
    } catch (error) {
      if (error.name === "AbortError") return;
      items = [];
      show(error.message);
    }
  };
  input.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(suggest, key() ? 400 : 60); });
  input.addEventListener("focus", () => input.select());
  input.addEventListener("blur", close);
  input.addEventListener("keydown", async (e) => {
    if (e.key === "ArrowDown" || e.key === "ArrowUp") {
      e.preventDefault();
      if (list.hidden) await suggest();
      else if (items.length) mark((active + (e.key === "ArrowDown" ? 1 : -1) + items.length) % items.length);
    } else if (e.key === "Enter") {
      e.preventDefault();
      clearTimeout(timer);
      if (list.hidden || asked !== input.value.trim()) await suggest();
      choose(Math.max(0, active));
    } else if (e.key === "Escape") {
      if (list.hidden) input.value = "";
      close();
    }
  });
  document.addEventListener("keydown", (e) => {
    if (e.key === "/" && !/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) { e.preventDefault(); input.focus(); }
  });
  return { set: (text) => { if (document.activeElement !== input) input.value = text; } };
}
