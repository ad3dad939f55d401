// The card of a place: identity, people, time, districts, schools and areas.

import { cite, sourceOf } from "./cite.js";
import { bar, h, number, percent } from "./dom.js";

const fact = (name, ...value) => h("div", {}, h("dt", {}, name), h("dd", {}, value));
const KINDS = { ZIP: "ZIP Code", "ZIP+4": "ZIP+4", FSA: "Forward sortation area", Postal: "Postal code" };
const PRECISE = { point: "at its building", interpolated: "interpolated along its street", intersection: "at its intersection", street: "in the middle of its street", zip: "in the middle of its ZIP Code", city: "in the middle of its city" };

// head names a place. found is the result of an address, point a coordinate.
export function head(r, found, point) {
  const kind = [KINDS[r.code_type] ?? r.code_type, r.classification_name !== "General" && r.classification_name].filter(Boolean).join(" · ");
  const where = [r.city, r.state_name].filter(Boolean).join(", ");
  if (found || point) {
    const near = found && `Located ${PRECISE[found.precision] ?? found.precision}${found.radius_m ? `, within ${found.radius_m < 1000 ? number(found.radius_m) + " m" : number(found.radius_m / 1609.344, 1) + " mi"}` : ""}.`;
    return h("header", {}, h("p", { class: "kicker" }, found ? "Address" : "Point"), h("h1", {}, !found ? point : ["zip", "city"].includes(found.precision) ? found.typed : found.formatted_address),
      h("p", { class: "where" }, found && !["zip", "city"].includes(found.precision) ? `in ${r.code}` : `in ${r.code} ${where}`, h("span", {}, [near, r.county].filter(Boolean).join(" "))));
  }
  return h("header", {}, h("p", { class: "kicker" }, kind), h("h1", { class: "code" }, r.code), h("p", { class: "where" }, where, r.county && h("span", {}, r.county)));
}

function clock(zone) {
  const time = h("time");
  const tick = () => {
    const part = (options) => new Intl.DateTimeFormat("en-US", { timeZone: zone.iana_name, ...options }).formatToParts(new Date());
    const text = (options) => part(options).map((p) => p.value).join("");
    const name = part({ timeZoneName: "short" }).find((p) => p.type === "timeZoneName").value;
    time.replaceChildren(text({ hour: "numeric", minute: "2-digit" }), h("small", {}, `${text({ weekday: "long" })}, ${name}`));
  };
  tick();
  const timer = setInterval(() => (time.isConnected ? tick() : clearInterval(timer)), 5000);
  return time;
}

// facts shows a record. survey is the number of people of the survey, if there is one, or
// null if the record was requested without people;
// forms returns the calls behind a number that needs a flag of /v2/zip.
export function facts(r, link, survey, forms) {
  const zone = r.timezone?.zones?.[0];
  const census = r.census?.current ?? {};
  const us = r.country === "US";
  const eras = (family, show) => ["current", "next"].filter((era) => family?.[era]).map((era) => show(family[era], era));
  const when = (v, era) => [era === "next" && "next", v.congress ? v.congress + "th Congress" : v.vintage ?? v.year].filter(Boolean).join(" · ");
  // shares lists areas with the share of the code in each.
  const shares = (title, areas, flag, about, layer, name = (a) => a.name, note = "") => {
    if (!areas?.length) return null;
    const share = (a) => a.pct_of_zip ?? a.pct_of_fsa;
    const row = (a) => h("li", {}, layer ? link({ area: layer + ":" + (a.geoid ?? a.fips ?? a.leaid) }, {}, name(a)) : h("span", {}, name(a), a.approximate && h("small", {}, " approximate")),
      share(a) !== undefined && [bar(share(a), 3), cite(percent(share(a)), () => ({ title: name(a), note: `${share(a)}% of the area of ${r.code} lies in it${a.pct_of_people === undefined ? "" : `, with ${a.pct_of_people}% of its people`}.`, source: about?.source, edition: about?.vintage, forms: forms(flag) }))]);
    return h("section", {}, h("h2", {}, title, note && h("small", {}, note)), h("ul", { class: "shares" }, areas.slice(0, 4).map(row)),
      areas.length > 4 && h("details", {}, h("summary", {}, `${areas.length - 4} more`), h("ul", { class: "shares" }, areas.slice(4).map(row))));
  };
  const tile = (name, value, unit, flag, about, note) => fact(name, cite(value, () => ({ title: `${name}, ${r.code}`, note, ...about(), forms: forms(flag) })), h("small", {}, unit));
  const people = r.demographics?.population?.total;
  const statcan = () => sourceOf("statcan-98100019");
  const sources = [...new Set(Object.values(r).flatMap((f) => Object.values(f?.current ? f : {})).map((v) => v?.source && `${v.source}${v.vintage && !v.source.includes(v.vintage) ? ", " + v.vintage : ""}`).filter(Boolean))];
  const notices = (r.notices ?? []).filter((n) => n.code !== "ENRICHMENT_UNAVAILABLE");
  const more = [
    r.metro?.msa_name && fact("Metro area", link({ area: "cbsa:" + r.metro.msa }, {}, r.metro.msa_name)),
    r.likely?.cd?.length && fact("Likely district", r.likely.cd.map((a) => `${a.name.replace("Congressional ", "")} (${percent(100 * a.p)})`).join(", ")),
    r.area_codes?.length && fact("Area codes", r.area_codes.join(" · ")),
    zone && fact("Time zone", zone.iana_name.replaceAll("_", " ")),
    r.location && fact("Point", `${r.location.lat.toFixed(4)}, ${r.location.lon.toFixed(4)}`),
    sources.length > 0 && fact("Sources", h("ul", {}, sources.map((s) => h("li", {}, s)))),
    notices.length > 0 && fact("Notes", h("ul", {}, notices.map((n) => h("li", {}, n.message)))),
  ];
  return [
    h("dl", { class: "tiles" },
      zone && fact("Time now", clock(zone)),
      survey ? survey
        : people !== undefined ? tile("People", number(people), sourceOf("acs-b01003").edition ?? "estimate", "demographics", () => sourceOf("acs-b01003"), "Total population; the estimate of the survey.")
          : r.postal_info?.fsa_population !== undefined ? tile("People", number(r.postal_info.fsa_population), "2021 Census", "", statcan)
            : survey === null ? "" : fact("People", h("span", { class: "quiet" }, "—"), h("small", {}, r.classification === "P" ? "boxes only" : "not in this dataset")),
      r.zip_info?.land_area_sq_mi !== undefined && tile("Land", number(r.zip_info.land_area_sq_mi, r.zip_info.land_area_sq_mi < 100 ? 1 : 0), "square miles", "", () => sourceOf("gazetteer-zcta")),
      r.demographics?.business && tile("Jobs", number(r.demographics.business.employees), [`${number(r.demographics.business.establishments)} employers`, r.quality?.business_year].filter(Boolean).join(", "), "demographics", () => sourceOf("zbp")),
      r.postal_info?.fsa_dwellings !== undefined && tile("Dwellings", number(r.postal_info.fsa_dwellings), "2021 Census", "", statcan),
      r.elevation && tile("Elevation", number(r.elevation.ft), "feet", "", () => sourceOf("elevation-zcta"))),
    us && r.zip_info?.land_area_sq_mi === undefined && h("p", { class: "quiet gap" }, !r.location ? "This code has neither a point nor an area in the dataset." : r.classification === "P" ? "Boxes at one point: this code has no area of its own." : "This code has a point and no area of its own."),
    eras(r.congressional_district, (v, era) => shares("Congress", v.districts, era === "next" ? "cd_next" : "cd", v, era === "current" && "cd", (d) => `${d.state} ${d.district_number ? "District " + d.district_number : "at large"}`, when(v, era))),
    eras(r.state_legislative, (v, era) => [shares("State senate", v.upper, "state_leg", v, era === "current" && "sldu", undefined, when(v, era)), shares("State house", v.lower, "state_leg", v, era === "current" && "sldl", undefined, when(v, era))]),
    eras(r.federal_electoral_district, (v, era) => shares("Federal electoral districts", v.districts, "cd", v, era === "current" && "fed", undefined, [era === "next" && "next", v.year].filter(Boolean).join(" · "))),
    eras(r.school_district, (v) => shares("Schools", v.districts?.map((d) => ({ ...d, geoid: d.leaid ?? d.geoid })), "school_district", v, "school", undefined, v.school_year)),
    shares("Places", census.place, "census", census, "place"),
    shares("Counties", census.county, "census", census, "county"),
    shares("Census divisions", census.census_division, "census", census, "census-division"),
    shares("Census tracts", census.tract, "census", census, "tract"),
    more.some(Boolean) && h("section", {}, h("h2", {}, "More"), h("dl", { class: "facts" }, more)),
  ];
}

// tabs links the views of a place; state returns the address of the page at that time.
export function tabs(state, shown, link, names) {
  return h("nav", { class: "tabs", "aria-label": "Views of this place" }, names.map(([id, text]) => link(() => ({ ...state(), tab: id }), { "aria-current": shown === id ? "page" : null }, text)));
}

const LONGEST = 2100; // rows

const MOST = 100; // rows at first

// table shows rows in the order of a column. A row and its area light up together.
export function table({ caption, columns, rows, sort, onsort, hover }) {
  const body = h("tbody");
  const add = (list) => body.append(...list.map((r) => h("tr", { "data-code": r.code, onpointerenter: () => hover(r.code), onpointerleave: () => hover(""), onfocusin: () => hover(r.code), onfocusout: () => hover("") },
    columns.map((c, i) => h(i ? "td" : "th", { class: c.class, scope: i ? null : "row" }, c.cell(r))))));
  const column = columns.find((c) => c.id === sort.replace(/^-/, "")) ?? columns[0];
  const down = sort.startsWith("-");
  const sorted = rows.toSorted((a, b) => {
    const [x, y] = [column.value(a), column.value(b)];
    const order = typeof x === "string" ? x.localeCompare(y) : (Number.isFinite(x) ? x : -1e99) - (Number.isFinite(y) ? y : -1e99) || 0;
    return down ? -order : order;
  });
  const total = rows.length;
  add(sorted.slice(0, MOST));
  return [h("table", {}, h("caption", { class: "unseen" }, caption), h("thead", {}, h("tr", {}, columns.map((c) => h("th", { scope: "col", class: c.class, "aria-sort": c === column ? (down ? "descending" : "ascending") : null },
    h("button", { type: "button", "data-sort": c.id, onclick: () => onsort(c === column && !down ? "-" + c.id : c.id) }, c.name, c === column && h("span", { "aria-hidden": "true" }, down ? " ↓" : " ↑")))))), body),
  total > MOST && h("button", { type: "button", class: "plain wide", onclick: (e) => {
    e.target.remove();
    add(sorted.slice(MOST, LONGEST));
  } }, total > LONGEST ? `Show the first ${number(LONGEST)} of ${number(total)}` : `Show all ${number(total)}`)];
}
