"use strict";

// Starts Swagger UI on this server's own document, with everything switched
// off that would call another host, and fills the table of errors from the same
// document.

function followTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const set = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", set);
  set();
}

// failures lists status, code and an example of the message of every failed
// request in the document, each once.
function failures(contract) {
  const rows = new Map();
  const responses = contract.components.responses;
  for (const item of Object.values(contract.paths)) {
    for (const operation of [item.get, item.post].filter(Boolean)) {
      for (const [status, answer] of Object.entries(operation.responses)) {
        const response = answer.$ref ? responses[answer.$ref.split("/").at(-1)] : answer;
        for (const part of response.content["application/json"].schema.allOf ?? []) {
          for (const code of part.properties?.error?.properties.code.enum ?? []) rows.set(status + " " + code, [status, code]);
        }
      }
    }
  }
  return [...rows.values()].sort(([a, b], [c, d]) => a - c || (b < d ? -1 : 1));
}

function showFailures(contract) {
  const body = document.getElementById("codes");
  for (const [status, code] of failures(contract)) {
    const row = body.insertRow();
    row.insertCell().textContent = status;
    const name = document.createElement("code");
    name.textContent = code;
    row.insertCell().append(name);
    row.insertCell().textContent = contract.components.examples[code]?.value.error.message ?? "";
  }
}

// showContents lists the routes with their summaries.
function showContents(contract) {
  const list = document.getElementById("routes");
  for (const [path, item] of Object.entries(contract.paths)) {
    const [, first] = Object.entries(item)[0];
    const entry = document.createElement("li");
    const link = document.createElement("a");
    link.href = "#operations-" + first.tags[0] + "-" + first.operationId;
    link.textContent = path;
    entry.append(link, " " + first.summary);
    list.append(entry);
  }
}

// repair makes what Swagger UI renders usable for assistive technology: no links
// inside buttons, and names for choices.
function repair(box) {
  for (const link of box.querySelectorAll("button a[href]")) link.removeAttribute("href");
  for (const around of box.querySelectorAll("div.copy-to-clipboard[aria-label]")) around.removeAttribute("aria-label"); // its button has it
  for (const code of box.querySelectorAll(".microlight:not([tabindex]), .curl:not([tabindex])")) code.tabIndex = 0;
  const servers = box.querySelector(".scheme-container");
  servers?.setAttribute("role", "region");
  servers?.setAttribute("aria-label", "Server and key");
  for (const select of box.querySelectorAll("select:not([aria-label])")) select.setAttribute("aria-label", select.id === "servers" ? "Server" : "Value");
}

async function begin() {
  followTheme();
  const response = await fetch("/v2/openapi.json");
  if (!response.ok) throw new Error("status " + response.status);
  const contract = await response.json();
  showFailures(contract);
  showContents(contract);
  const box = document.getElementById("swagger-ui");
  new MutationObserver(() => repair(box)).observe(box, { childList: true, subtree: true });
  SwaggerUIBundle({
    spec: contract,
    dom_id: "#swagger-ui",
    deepLinking: true,
    docExpansion: "list",
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    persistAuthorization: false,
    queryConfigEnabled: false,
    validatorUrl: null,
    oauth2RedirectUrl: undefined,
    showMutatedRequest: false,
    onComplete: () => {
      document.getElementById("state").textContent = "";
      document.documentElement.dataset.ready = "true";
      if (location.hash && !location.hash.startsWith("#/")) document.querySelector(location.hash)?.scrollIntoView();
    },
  });
}

begin().catch((error) => {
  document.getElementById("state").textContent = "The document could not be read: " + error.message;
});
