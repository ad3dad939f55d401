// A field that suggests places while one types: the combobox pattern of the
// WAI-ARIA Authoring Practices, with a list that the arrow keys walk.

const MOST = 8;
const WAIT_MS = 15; // after the last key, so that fast typing asks once

function element(name, attributes = {}, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  e.append(...children);
  return e;
}

// codeOf is what the operations take for a suggested place: a code where it is
// one, else its coordinate.
export function codeOf(match) {
  if (["zip", "fsa", "ca_postal"].includes(match.type)) return match.code ?? match.name;
  return match.location ? match.location.lat + "," + match.location.lon : undefined;
}

const KINDS = {
  zip: "ZIP", place: "place", county: "county", cbsa: "metro area", fsa: "FSA", state: "state",
  school_district: "school district", ca_postal: "postal code", uspscity: "USPS city",
};

// makeCombobox fills container. ask(text, limit, signal) returns the answer of
// the suggest route, choose(code, match) is called with what was picked.
export function makeCombobox(container, { ask, choose }) {
  const input = element("input", {
    id: "place", type: "text", role: "combobox", "aria-expanded": "false", "aria-controls": "place-options", "aria-autocomplete": "list",
    autocomplete: "off", spellcheck: "false", maxlength: "200", "aria-describedby": "place-hint",
  });
  const list = element("ul", { id: "place-options", class: "options", role: "listbox", "aria-label": "Places" });
  const told = element("p", { class: "unseen", role: "status" });
  list.hidden = true;
  container.append(
    element("label", { for: "place" }, "Find a place"), input, list, told,
    element("p", { class: "hint", id: "place-hint" }, "A city, county, metro area, ZIP or postal code; it fills in the request below."),
  );
  container.hidden = false;

  let matches = [];
  let active = -1;
  let timer = 0;
  let asking = null;
  const seen = new Map();

  const mark = (i) => {
    active = i;
    [...list.children].forEach((option, k) => option.setAttribute("aria-selected", String(k === i)));
    if (i < 0) {
      input.removeAttribute("aria-activedescendant");
    } else {
      input.setAttribute("aria-activedescendant", list.children[i].id);
      list.children[i].scrollIntoView({ block: "nearest" });
    }
  };
  const close = () => {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    mark(-1);
  };
  const show = (found) => {
    matches = found.filter((m) => codeOf(m) !== undefined);
    list.replaceChildren(...matches.map((m, i) => {
      const where = [m.city, m.state ?? m.province].filter((part) => part && part !== m.name).join(", ");
      const option = element("li", { id: "place-option-" + i, role: "option", "aria-selected": "false" },
        element("span", {}, m.name + (where ? ", " + where : "")), element("span", { class: "kind" }, KINDS[m.type] ?? m.type));
      option.addEventListener("pointerdown", (event) => event.preventDefault()); // the field keeps the focus
      option.addEventListener("click", () => pick(i));
      return option;
    }));
    told.textContent = matches.length === 0 ? "No places" : matches.length === 1 ? "1 place" : matches.length + " places";
    if (matches.length === 0) {
      close();
      return;
    }
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    mark(-1);
  };
  const pick = (i) => {
    const match = matches[i];
    input.value = match.name;
    close();
    choose(codeOf(match), match);
  };
  const suggest = async () => {
    const text = input.value.trim();
    asking?.abort();
    if (text === "") {
      close();
      return;
    }
    if (!seen.has(text)) {
      asking = new AbortController();
      try {
        const answer = await ask(text, MOST, asking.signal);
        if (!answer.results?.[0]?.matches) {
          told.textContent = answer.error?.message ?? "No places";
          close();
          return;
        }
        seen.set(text, answer.results[0].matches);
      } catch {
        return; // overtaken by the next letter, or the server is away
      }
    }
    if (input.value.trim() === text) show(seen.get(text));
  };

  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(suggest, WAIT_MS);
  });
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    const open = !list.hidden;
    switch (event.key) {
      case "ArrowDown":
      case "ArrowUp": {
        event.preventDefault();
        if (!open) {
          suggest();
          return;
        }
        const step = event.key === "ArrowDown" ? 1 : -1;
        const n = matches.length + 1; // beyond the ends is the field itself
        mark(((active + 1 + step + n) % n) - 1);
        return;
      }
      case "Enter":
        if (open && active >= 0) {
          event.preventDefault();
          pick(active);
        }
        return;
      case "Escape":
        if (open) {
          event.preventDefault();
          close();
        } else {
          input.value = "";
        }
        return;
      default:
    }
  });
}
