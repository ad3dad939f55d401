"use strict";

const byId = (id) => document.getElementById(id);
const links = [...document.querySelectorAll(".examples a")];
let latest = 0;

function shellQuote(text) {
  return "'" + text.replaceAll("'", "'\\''") + "'";
}

// The field for the API key; there is none where no key is asked.
const keyField = byId("key");

function showCalls(path, goLine) {
  const header = keyField ? '-H "X-Api-Key: $KEY" ' : "";
  byId("curl").textContent = "curl " + header + shellQuote(location.origin + path);
  byId("go").textContent = goLine;
  byId("calls").hidden = false;
}

async function show(path, goLine) {
  const turn = ++latest;
  showCalls(path, goLine);
  byId("status").textContent = "Asking " + path + " …";
  const began = performance.now();
  let status, text;
  try {
    const headers = { Accept: "application/json" };
    if (keyField && keyField.value.trim()) headers["X-Api-Key"] = keyField.value.trim();
    const response = await fetch(path, { headers });
    status = response.status;
    text = JSON.stringify(await response.json(), null, 2);
  } catch (error) {
    status = "no answer";
    text = String(error);
  }
  if (turn !== latest) return;
  const ms = Math.round(performance.now() - began);
  byId("status").textContent = "Status " + status + " after " + ms + " ms: " + path;
  byId("body").textContent = text;
  byId("body").hidden = false;
}

function choose(link) {
  for (const other of links) other.removeAttribute("aria-current");
  link.setAttribute("aria-current", "true");
  show(link.getAttribute("href"), link.dataset.go);
}

for (const link of links) {
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    choose(link);
    const answer = byId("answer");
    if (answer.getBoundingClientRect().top > innerHeight) answer.scrollIntoView();
  });
}

document.querySelector("form").addEventListener("submit", (event) => {
  event.preventDefault();
  const code = byId("code").value;
  show("/v2/quick-zip?" + new URLSearchParams({ code }),
    "db.QuickLookup(ctx, " + JSON.stringify(code) + ", postgeo.QuickLookupOptions{})");
});

for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(byId(button.dataset.copy).textContent);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Select and copy";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
}

if (links.length > 0 && !keyField) choose(links[0]);
