import { operations, showFields, fillFields, readFields, buildRequest } from "./form.js";
import { curlLine, goLines } from "./calls.js";
import { MOST_POINTS, collect, draw } from "./map.js";
import { seat, unpack } from "/explorer/geometry.js";
import { makeCombobox } from "./combobox.js";

const MOST_SHOWN = 500000; // characters of an answer that a page can take

const byId = (id) => document.getElementById(id);
const state = { setup: null, operations: [], current: null, turn: 0 };

async function getJSON(path) {
  const response = await fetch(path, { headers: { Accept: "application/json" } });
  if (!response.ok) throw new Error(path + " has status " + response.status);
  return response.json();
}

function headers(keyed) {
  const out = { Accept: "application/json" };
  const key = byId("key").value.trim();
  if (state.setup.keys && keyed && key) out["X-Api-Key"] = key;
  return out;
}

// Which operation, with what in its fields.

function choose(path, values) {
  if (state.current && state.current.path !== path) clear();
  state.current = state.operations.find((op) => op.path === path) ?? state.operations[0];
  const op = state.current;
  byId("operation").value = op.path;
  byId("about").textContent = [op.summary, ...op.description.split("\n\n")].join(" ");
  showFields(byId("fields"), op);
  const shown = values ?? examplesOf(op)[0]?.values;
  if (shown) fillFields(byId("fields"), shown);
  showExamples();
}

// usesDemo reports whether the field holds the shared key, which takes only
// some codes.
const usesDemo = () => state.setup.demo_key !== undefined && byId("key").value.trim() === state.setup.demo_key;

// examplesOf are the calls of an operation that have a result.
const examplesOf = (op) => state.setup.examples.filter((e) => e.path === op.path && (e.demo || !usesDemo()));

function showExamples() {
  const all = examplesOf(state.current);
  byId("examples").hidden = all.length === 0;
  byId("example-list").replaceChildren(...all.map((example) => {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "plain";
    button.textContent = example.label;
    button.addEventListener("click", () => {
      choose(example.path, example.values);
      send();
    });
    item.append(button);
    return item;
  }));
}

// What the answer shows.

// clear removes the answer of another operation.
function clear() {
  state.turn++;
  for (const name of ["call-part", "body-part", "map-part", "credits"]) part(name, false);
  say(["Fill in the request and send it; its answer appears here."]);
}

function part(name, shown) {
  byId(name).hidden = !shown;
}

function say(...parts) {
  byId("status").replaceChildren(...parts.map(([text, className]) => {
    const span = document.createElement("span");
    span.textContent = text;
    if (className) span.className = className;
    return span;
  }));
}

function showCredits(meta, response) {
  const credits = meta?.credits;
  const list = byId("credits");
  list.hidden = !credits;
  if (!credits) return;
  const facts = [["Credits", credits.used + (credits.source === "none" ? ", nobody is charged" : " from " + credits.source.replaceAll("_", " "))]];
  if (credits.breakdown?.calculation) facts.push(["Calculation", credits.breakdown.calculation]);
  if (credits.breakdown?.note) facts.push(["Note", credits.breakdown.note]);
  if (credits.remaining !== undefined) facts.push(["Remaining", credits.remaining.toLocaleString("en")]);
  const left = response.headers.get("X-RateLimit-Remaining");
  if (left !== null) facts.push(["This minute", left + " of " + response.headers.get("X-RateLimit-Limit") + " requests left"]);
  list.replaceChildren(...facts.flatMap(([name, text]) => {
    const dt = document.createElement("dt");
    const dd = document.createElement("dd");
    dt.textContent = name;
    dd.textContent = text;
    return [dt, dd];
  }));
}

async function showMap(answer, turn) {
  const found = collect(answer.results);
  part("map-part", true); // for its width
  const width = Math.max(280, Math.min(1000, byId("map").clientWidth));
  const codes = found.codes.slice(0, state.setup.outlines);
  const notes = [
    found.points.length >= MOST_POINTS && `The map shows the first ${MOST_POINTS.toLocaleString("en")} points.`,
    found.codes.length > codes.length && `The map outlines the first ${codes.length} of ${found.codes.length.toLocaleString("en")} areas.`,
  ].filter(Boolean).map((text) => {
    const p = document.createElement("p");
    p.className = "hint";
    p.textContent = text;
    return p;
  });
  const show = (outlines, ground) => {
    const map = draw(found, outlines, width, ground);
    part("map-part", map);
    byId("map").replaceChildren(...(map ? [map] : []), ...notes);
    return map;
  };
  if (!show([], state.ground)) return;
  try {
    const [outlines, ground] = await Promise.all([
      codes.length > 0 ? getJSON("/playground/outlines.json?codes=" + encodeURIComponent(codes.join(";"))) : [],
      state.ground ? null : getJSON("/playground/ground.json"),
    ]);
    state.ground ??= ground.land.filter((l) => l.rings?.length).map((l) => ({ state: l.state, rings: unpack(l.rings, ground.tolerance) })).map((l) => ({ ...l, seat: seat(l.rings) }));
    if (turn === state.turn) show(outlines, state.ground);
  } catch {
    // the map stands without outlines
  }
}

async function send() {
  const op = state.current;
  const turn = ++state.turn;
  let request;
  try {
    const values = readFields(byId("fields"), op);
    request = buildRequest(op, values, byId("field-body")?.value);
    const shared = new URLSearchParams({ op: op.path });
    for (const [name, value] of Object.entries(values)) shared.set(name, Array.isArray(value) ? value.join(",") : value);
    history.replaceState(null, "", "/console?" + shared);
  } catch (error) {
    say(["The body is not valid JSON: " + error.message, "bad"]);
    return;
  }
  say(["Asking …"]);
  byId("curl").textContent = curlLine(request, state.setup.keys);
  byId("go").textContent = goLines(op, request, state.setup.keys);
  part("call-part", true);

  const began = performance.now();
  let response, answer;
  try {
    const sent = headers(op.keyed);
    if (request.body !== undefined) sent["Content-Type"] = "application/json";
    response = await fetch(request.path, { method: request.method, headers: sent, body: request.body });
    answer = await response.json();
  } catch (error) {
    if (turn === state.turn) say(["No answer: " + error.message, "bad"]);
    return;
  }
  if (turn !== state.turn) return;
  const ms = Math.round(performance.now() - began);
  const failed = answer.error ?? answer.results?.find((r) => !r.success)?.error;
  say(["Status " + response.status, response.ok ? "good" : "bad"], [ms + " ms"], ...(failed ? [[failed.code + ": " + failed.message, "bad"]] : []));
  showCredits(answer.meta, response);
  const text = JSON.stringify(answer, null, 2);
  byId("body").textContent = text.length > MOST_SHOWN ? text.slice(0, MOST_SHOWN) + "\n… " + (text.length - MOST_SHOWN).toLocaleString("en") + " more characters" : text;
  part("body-part", true);
  await showMap(answer, turn);
}

// The beginning.

function showSetup(setup) {
  const age = Math.max(0, Math.floor((Date.now() - Date.parse(setup.dataset.built)) / 86400000));
  byId("dataset").textContent = "Dataset " + setup.dataset.version + ", " + age + (age === 1 ? " day" : " days") + " old" + (setup.dataset.sample ? "." : ", made from " + setup.dataset.sources + " sources.");
  part("sample", setup.dataset.sample);
  part("key-field", setup.keys);
  if (!setup.keys) return;
  byId("account-text").textContent = "This server asks for a key. Whoever runs it makes accounts and keys with the commands “postgeo account create” and “postgeo key create”; " +
    "what a plan has and what a request costs is told by the price list.";
  if (setup.demo_key) {
    byId("key").value = setup.demo_key;
    byId("key-hint").textContent = "The shared demo key is filled in. It takes these codes, a few times a minute: " + setup.demo_codes.join(", ") + ".";
  } else {
    byId("key-hint").textContent = "It stays on this page and is sent to this server alone.";
  }
}

function showOperations() {
  const select = byId("operation");
  const groups = new Map();
  for (const op of state.operations) {
    if (!groups.has(op.tag)) {
      const group = document.createElement("optgroup");
      group.label = op.tag;
      groups.set(op.tag, group);
    }
    const option = document.createElement("option");
    option.value = op.path;
    option.textContent = op.method + " " + op.path;
    groups.get(op.tag).append(option);
  }
  select.replaceChildren(...groups.values());
  select.disabled = false;
  byId("send").disabled = false;
}

function showFinder() {
  const suggest = state.operations.find((op) => op.path === "/v2/suggest");
  if (!suggest) return;
  makeCombobox(byId("finder"), {
    ask: async (text, limit, signal) => {
      const response = await fetch(suggest.path + "?" + new URLSearchParams({ q: text, limit }), { headers: headers(true), signal });
      return response.json();
    },
    choose: (code) => {
      const names = state.current.params.map((p) => p.name);
      if (!names.includes("code") && !names.includes("from")) choose("/v2/zip");
      const values = readFields(byId("fields"), state.current);
      const target = state.current.params.some((p) => p.name === "code") ? "code" : byId("place").dataset.end === "to" ? "to" : "from";
      byId("place").dataset.end = target === "from" ? "to" : "from";
      fillFields(byId("fields"), { ...values, [target]: code });
    },
  });
}

async function begin() {
  const [setup, contract] = await Promise.all([getJSON("/playground/setup.json"), getJSON("/v2/openapi.json")]);
  state.setup = setup;
  state.operations = operations(contract);
  showSetup(setup);
  showOperations();
  showFinder();

  const shared = Object.fromEntries(new URLSearchParams(location.search));
  const given = Object.keys(shared).some((name) => name !== "op");
  choose(shared.op, given ? shared : undefined);
  byId("operation").addEventListener("change", () => choose(byId("operation").value));
  byId("key").addEventListener("input", showExamples);
  byId("form").addEventListener("submit", (event) => {
    event.preventDefault();
    send().then(() => {
      const { top, bottom } = byId("status").getBoundingClientRect();
      if (top < 0 || bottom > innerHeight * 0.8) byId("answer").scrollIntoView();
    });
  });
  for (const button of document.querySelectorAll("[data-copy]")) {
    const words = button.firstChild;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(byId(button.dataset.copy).textContent);
        words.textContent = "Copied";
      } catch {
        words.textContent = "Select and copy";
      }
      setTimeout(() => { words.textContent = "Copy"; }, 1500);
    });
  }
  document.documentElement.dataset.ready = "true";
  if (!setup.keys || (setup.demo_key && !shared.op)) {
    if (!shared.op) choose("/v2/radius");
    if (!setup.keys && byId("form").checkValidity()) send();
  }
}

begin().catch((error) => say(["The page could not be made ready: " + error.message, "bad"]));
