// Fields for the parameters of an operation, made from its description.

// operations lists what can be asked for: of a path that takes GET and POST
// the GET, which says the same.
export function operations(contract) {
  const out = [];
  for (const [path, item] of Object.entries(contract.paths)) {
    const method = item.get ? "GET" : "POST";
    const op = item.get || item.post;
    if (!op) continue;
    const media = op.requestBody && op.requestBody.content["application/json"];
    out.push({
      path, method,
      tag: (op.tags || [""])[0],
      summary: op.summary,
      description: op.description || "",
      keyed: op.security.length > 0,
      params: (op.parameters || []).filter((p) => (p.in === "query" || p.in === "path") && p.name !== "debug"),
      body: media ? JSON.stringify(media.example ?? {}, null, 2) : undefined,
      go: op["x-go"],
    });
  }
  return out;
}

function element(name, attributes = {}, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) e.setAttribute(key, value === true ? "" : value);
  }
  e.append(...children);
  return e;
}

// variants are the schemas that a value may meet.
function variants(schema) {
  return schema.anyOf || schema.oneOf || [schema];
}

// firstExample is what a required field begins with.
function firstExample(p) {
  return p.required && p.schema.examples ? String(p.schema.examples[0]) : "";
}

// flagField is a set of boxes for the flags of a list, and a field for others.
function flagField(p) {
  const known = (p.schema.items.examples || []).map(String);
  const set = element("fieldset", { "data-param": p.name }, element("legend", {}, p.name));
  const boxes = element("div", { class: "flags" });
  for (const flag of known) {
    boxes.append(element("label", {}, element("input", { type: "checkbox", value: flag }), flag));
  }
  const other = element("input", {
    id: "field-" + p.name, type: "text", maxlength: 4000, spellcheck: "false", autocapitalize: "off",
    "aria-describedby": "hint-" + p.name,
  });
  const label = element("label", { for: other.id, class: "hint" }, "Others, divided by commas");
  set.append(boxes, label, other, element("p", { class: "hint", id: "hint-" + p.name }, p.description || ""));
  return set;
}

// oneField is a field for one value: a choice where the description lists all
// there are.
function oneField(p) {
  const id = "field-" + p.name;
  const kinds = variants(p.schema);
  const common = { id, "data-param": p.name, required: p.required, "aria-describedby": "hint-" + p.name };
  const label = element("label", { for: id, class: p.required ? "required" : undefined }, p.name);
  const standard = p.schema.default === undefined ? "" : " Default: " + p.schema.default + ".";
  const hint = element("p", { class: "hint", id: "hint-" + p.name }, (p.description || "") + standard);
  let input;
  let list;
  if (kinds.length === 1 && p.schema.enum) {
    input = element("select", common);
    if (!p.required && p.schema.default === undefined) input.append(element("option", { value: "" }, "—"));
    for (const value of p.schema.enum) {
      input.append(element("option", { value, selected: value === p.schema.default }, value));
    }
  } else {
    const numeric = kinds.length === 1 && ["number", "integer"].includes(p.schema.type);
    input = element("input", {
      ...common, type: "text", inputmode: numeric ? "decimal" : undefined,
      maxlength: p.schema.maxLength, spellcheck: "false", autocapitalize: "off", autocomplete: "off",
    });
    const choices = kinds.flatMap((k) => k.enum || []);
    if (choices.length > 0) {
      list = element("datalist", { id: id + "-choices" }, ...choices.map((value) => element("option", { value })));
      input.setAttribute("list", list.id);
    }
    input.value = firstExample(p);
  }
  const out = element("div", {}, label, input, hint);
  if (list) out.append(list);
  return out;
}

// showFields fills the form for an operation.
export function showFields(container, operation) {
  container.replaceChildren();
  for (const p of operation.params) {
    container.append(p.schema.type === "array" ? flagField(p) : oneField(p));
  }
  if (operation.body !== undefined) {
    container.append(
      element("label", { for: "field-body", class: "required" }, "Body"),
      element("textarea", { id: "field-body", spellcheck: "false", autocapitalize: "off", required: true, "aria-describedby": "hint-body" }, operation.body),
      element("p", { class: "hint", id: "hint-body" }, "A JSON object."),
    );
  }
}

// fillFields puts values into the form; fields without one become empty.
export function fillFields(container, values) {
  for (const field of container.querySelectorAll("[data-param]")) {
    const value = values[field.dataset.param];
    if (field.tagName === "FIELDSET") {
      const flags = new Set(Array.isArray(value) ? value : String(value ?? "").split(",").map((f) => f.trim()).filter(Boolean));
      for (const box of field.querySelectorAll("input[type=checkbox]")) box.checked = flags.delete(box.value);
      field.querySelector("input[type=text]").value = [...flags].join(",");
    } else if (field.tagName === "SELECT") {
      field.value = value ?? field.querySelector("[selected]")?.value ?? field.options[0].value;
    } else {
      field.value = value ?? "";
    }
  }
  const body = container.querySelector("#field-body");
  if (body && values.body) body.value = values.body;
}

// readFields returns the values of the form that are not empty: numbers where
// a number was written into a field for one.
export function readFields(container, operation) {
  const values = {};
  for (const field of container.querySelectorAll("[data-param]")) {
    const p = operation.params.find((param) => param.name === field.dataset.param);
    if (field.tagName === "FIELDSET") {
      const flags = [...field.querySelectorAll("input:checked")].map((box) => box.value);
      flags.push(...field.querySelector("input[type=text]").value.split(",").map((f) => f.trim()).filter(Boolean));
      if (flags.length > 0) values[p.name] = flags;
      continue;
    }
    const text = field.value.trim();
    if (text === "" || (field.tagName === "SELECT" && text === p.schema.default)) continue;
    const numeric = variants(p.schema).some((k) => k.type === "number" || k.type === "integer");
    values[p.name] = numeric && Number.isFinite(Number(text)) ? Number(text) : text;
  }
  return values;
}

// buildRequest makes the request of an operation with values.
export function buildRequest(operation, values, bodyText) {
  const inPath = new Set(operation.params.filter((p) => p.in === "path").map((p) => p.name));
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name] ?? ""));
  const request = { method: operation.method, path, keyed: operation.keyed, values };
  if (operation.body !== undefined) {
    request.values = JSON.parse(bodyText);
    request.body = JSON.stringify(request.values);
    return request;
  }
  const query = Object.entries(values).filter(([name]) => !inPath.has(name)).map(([name, value]) =>
    encodeURIComponent(name) + "=" + encodeURIComponent(Array.isArray(value) ? value.join(",") : value).replaceAll("%2C", ","));
  if (query.length > 0) request.path += "?" + query.join("&");
  return request;
}
