// Where a number comes from: its source, edition and the call that returns it.

import { callBox } from "./calls.js";
import { fill, h } from "./dom.js";

let sources = new Map();

// knowSources takes the sources of the dataset.
export function knowSources(list) {
  sources = new Map(list.map((s) => [s.id, s]));
}

// sourceOf names the first of several sources that the dataset has.
export function sourceOf(...ids) {
  const s = sources.get(ids.find((id) => sources.has(id)));
  return s ? { source: s.title, edition: s.vintage } : {};
}

const close = h("button", { type: "button", class: "plain", "aria-label": "Close" }, "×");
const dialog = h("dialog", { id: "source", "aria-labelledby": "source-title", onclick: (e) => e.target === dialog && dialog.close() });
close.addEventListener("click", () => dialog.close());
document.body.append(dialog);

// cite makes a button of a number. The function about returns title, note, source,
// edition and the forms of the call when it is pressed.
export function cite(shown, about) {
  return h("button", { type: "button", class: "cite", "aria-haspopup": "dialog", onclick: () => {
    const { title, note, source, edition, forms } = about();
    fill(dialog, h("header", {}, h("h2", { id: "source-title" }, title), close),
      h("p", { class: "number" }, shown),
      note && h("p", { class: "quiet" }, note),
      h("dl", { class: "facts" }, [["Source", source ?? "not recorded in this dataset"], ["Edition", edition]].filter(([, v]) => v).map(([name, v]) => h("div", {}, h("dt", {}, name), h("dd", {}, v)))),
      callBox(forms, "The call that returns it"));
    dialog.showModal();
  } }, shown);
}
