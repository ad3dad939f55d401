// The card of a place: identity, people, time, districts, schools and areas.

import { bar, h, number, percent } from "./dom.js";

const fact = (name, ...value) => h("div", {}, h("dt", {}, name), h("dd", {}, value));

export function head(r) {
  const kinds = { ZIP: "ZIP Code", "ZIP+4": "ZIP+4", FSA: "Forward sortation area", Postal: "Postal code" };
  const kind = [kinds[r.code_type] ?? r.code_type, r.classification_name !== "General" && r.classification_name].filter(Boolean).join(" · ");
  return h("header", {}, h("p", { class: "kicker" }, kind), h("h1", { class: "code" }, r.code),
    h("p", { class: "where" }, [r.city, r.state_name].filter(Boolean).join(", "), r.county && h("span", {}, r.county)));
}

function clock(zone) {
  const time = h("time");
  const tick = () => {
    const part = (options) => new Intl.DateTimeFormat("en-US", { timeZone: zone.iana_name, ...options }).format(new Date());
    time.textContent = part({ weekday: "short", hour: "numeric", minute: "2-digit", timeZoneName: "short" });
  };
  tick();
  const timer = setInterval(() => (time.isConnected ? tick() : clearInterval(timer)), 5000);
  return time;
}

// shares lists areas with the share of the code in each.
function shares(title, areas, link, layer, note, name = (a) => a.name) {
  if (!areas?.length) return null;
  const share = (a) => a.pct_of_zip ?? a.pct_of_fsa;
  const row = (a) => h("li", {}, layer ? link({ area: layer + ":" + (a.geoid ?? a.fips ?? a.leaid) }, {}, name(a)) : h("span", {}, name(a)),
    share(a) !== undefined && [bar(share(a), 3), h("span", { class: "share" }, percent(share(a)))]);
  return h("section", {}, h("h2", {}, title, note && h("small", {}, note)), h("ul", { class: "shares" }, areas.slice(0, 4).map(row)),
    areas.length > 4 && h("details", {}, h("summary", {}, `${areas.length - 4} more`), h("ul", { class: "shares" }, areas.slice(4).map(row))));
}

export function facts(r, link, survey) {
  const zone = r.timezone?.zones?.[0];
  const census = r.census?.current ?? {};
  const eras = (family, show) => ["current", "next"].filter((era) => family?.[era]).map((era) => show(family[era], era));
  const when = (v, era) => [era === "next" && "next", v.congress ? v.congress + "th Congress" : v.vintage ?? v.year].filter(Boolean).join(" · ");
  const people = r.postal_info?.fsa_population ?? survey?.people;
  const sources = [...new Set(Object.values(r).flatMap((f) => Object.values(f?.current ? f : {})).map((v) => v?.source && `${v.source}${v.vintage ? ", " + v.vintage : ""}`).filter(Boolean))];
  return [
    h("dl", { class: "tiles" },
      zone && fact("Time now", clock(zone), h("small", {}, zone.iana_name.replaceAll("_", " "))),
      people !== undefined ? fact("People", number(people), h("small", {}, survey?.vintage ? `± ${number(survey.margin ?? 0)} · ACS ${survey.vintage}` : "2021 Census")) : fact("People", "—", h("small", {}, "no survey in this dataset")),
      r.zip_info?.land_area_sq_mi !== undefined && fact("Land", number(r.zip_info.land_area_sq_mi, 1), h("small", {}, "square miles")),
      r.demographics?.business && fact("Jobs", number(r.demographics.business.employees), h("small", {}, `${number(r.demographics.business.establishments)} employers, ${r.demographics.business.year}`)),
      r.postal_info?.fsa_dwellings !== undefined && fact("Dwellings", number(r.postal_info.fsa_dwellings), h("small", {}, "2021 Census"))),
    r.country === "US" && r.zip_info?.land_area_sq_mi === undefined && h("p", { class: "quiet" }, "This code has a point, and no area of its own."),
    eras(r.congressional_district, (v, era) => shares("Congress", v.districts, link, era === "current" && "cd", when(v, era), (d) => `${d.state} ${d.district_number ? "District " + d.district_number : "at large"}`)),
    eras(r.state_legislative, (v, era) => [shares("State senate", v.upper, link, era === "current" && "sldu", when(v, era)), shares("State house", v.lower, link, era === "current" && "sldl", when(v, era))]),
    eras(r.federal_electoral_district, (v, era) => shares("Federal electoral districts", v.districts, link, era === "current" && "fed", String(v.year ?? ""))),
    eras(r.school_district, (v) => shares("Schools", v.districts?.map((d) => ({ ...d, geoid: d.leaid ?? d.geoid })), link, "school", v.school_year)),
    shares("Places", census.place, link, "place"),
    shares("Counties", census.county, link, "county"),
    shares("Census divisions", census.census_division, link, "census-division"),
    shares("Census tracts", census.tract, link, "tract"),
    h("section", {}, h("h2", {}, "More"), h("dl", { class: "facts" },
      r.metro?.msa_name && fact("Metro area", link({ area: "cbsa:" + r.metro.msa }, {}, r.metro.msa_name)),
      r.area_codes?.length && fact("Area codes", r.area_codes.join(" · ")),
      fact("Point", `${r.location.lat.toFixed(4)}, ${r.location.lon.toFixed(4)}`),
      sources.length > 0 && fact("Sources", h("ul", {}, sources.map((s) => h("li", {}, s)))),
      r.notices?.length > 0 && fact("Notices", h("ul", {}, r.notices.map((n) => h("li", {}, n.message)))))),
  ];
}

export function tabs(state, link, names) {
  return h("nav", { class: "tabs", "aria-label": "Views of this place" }, names.map(([id, text]) => link({ ...state, tab: id }, { "aria-current": (state.tab ?? "facts") === id ? "page" : null }, text)));
}

// table shows rows in the order of a column. A row and its area light up together.
export function table({ caption, columns, rows, sort, onsort, hover, most = 100 }) {
  const body = h("tbody");
  const add = (list) => body.append(...list.map((r) => h("tr", { "data-code": r.code, onpointerenter: () => hover(r.code), onpointerleave: () => hover(""), onfocusin: () => hover(r.code), onfocusout: () => hover("") },
    columns.map((c, i) => h(i ? "td" : "th", { class: c.class, scope: i ? null : "row" }, c.cell(r))))));
  const column = columns.find((c) => c.id === sort.replace(/^-/, "")) ?? columns[0];
  const down = sort.startsWith("-");
  const sorted = rows.toSorted((a, b) => {
    const [x, y] = [column.value(a), column.value(b)];
    const order = typeof x === "string" ? x.localeCompare(y) : (x ?? -1) - (y ?? -1);
    return down ? -order : order;
  });
  add(sorted.slice(0, most));
  return [h("table", {}, h("caption", { class: "unseen" }, caption), h("thead", {}, h("tr", {}, columns.map((c) => h("th", { scope: "col", class: c.class, "aria-sort": c === column ? (down ? "descending" : "ascending") : null },
    h("button", { type: "button", "data-sort": c.id, onclick: () => onsort(c === column && !down ? "-" + c.id : c.id) }, c.name, c === column && h("span", { "aria-hidden": "true" }, down ? " ↓" : " ↑")))))), body),
  sorted.length > most && h("button", { type: "button", class: "plain", onclick: (e) => { e.target.remove(); add(sorted.slice(most)); } }, `Show all ${number(sorted.length)}`)];
}
