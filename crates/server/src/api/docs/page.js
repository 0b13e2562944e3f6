// Shows every path of the OpenAPI description with a form to try it.
"use strict";

const element = (name, text) => {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  return made;
};

// An example of a schema: enough to start from.
function example(schema, all, depth = 0) {
  if (!schema || depth > 6) return null;
  if (schema.$ref) return example(all[schema.$ref.split("/").pop()], all, depth + 1);
  if (schema.example !== undefined) return schema.example;
  if (schema.default !== undefined) return schema.default;
  const first = (schema.oneOf || schema.anyOf || []).find((one) => one.type !== "null");
  if (first) return example(first, all, depth + 1);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((one) => example(one, all, depth + 1)));
  if (schema.enum) return schema.enum[0];
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== "null") : schema.type;
  if (type === "array") return [];
  if (type === "integer" || type === "number") return schema.minimum || 0;
  if (type === "boolean") return false;
  if (type === "string") return "";
  const made = {};
  for (const key of schema.required || []) made[key] = example((schema.properties || {})[key], all, depth + 1);
  return made;
}

function form(server, path, method, operation, schemas) {
  const box = element("details");
  const summary = element("summary");
  summary.append(element("b", method.toUpperCase()), element("code", path), " ", operation.summary || operation.description || "");
  box.append(summary);
  const fields = [];
  for (const parameter of operation.parameters || []) {
    const label = element("label", `${parameter.name} (${parameter.in}) `);
    const input = element("input");
    label.append(input);
    const line = element("p");
    line.append(label);
    box.append(line);
    fields.push([parameter, input]);
  }
  const content = operation.requestBody && operation.requestBody.content["application/json"];
  const body = element("textarea");
  if (content) {
    body.value = JSON.stringify(example(content.schema, schemas), null, 2);
    body.setAttribute("aria-label", "body");
    box.append(body);
  }
  const answer = element("pre");
  answer.className = "answer";
  if (path.endsWith("/ws") || path === "/analysis") {
    box.append(element("p", "A WebSocket: open it from a program."));
    return box;
  }
  const button = element("button", "Send");
  button.addEventListener("click", async () => {
    let address = server + path;
    const query = new URLSearchParams();
    for (const [parameter, input] of fields) {
      if (parameter.in === "path") address = address.replace(`{${parameter.name}}`, encodeURIComponent(input.value));
      else if (input.value) query.set(parameter.name, input.value);
    }
    if (query.size) address += `?${query}`;
    const secret = document.getElementById("secret").value;
    const headers = secret ? { Authorization: `Bearer ${secret}` } : {};
    if (content) headers["Content-Type"] = "application/json";
    try {
      const response = await fetch(address, { method: method.toUpperCase(), headers, body: content ? body.value : undefined });
      const text = await response.text();
      let shown = text;
      try { shown = JSON.stringify(JSON.parse(text), null, 2); } catch { /* not JSON */ }
      answer.textContent = `${response.status} ${response.statusText}\n${shown}`;
    } catch (error) {
      answer.textContent = String(error);
    }
  });
  box.append(button, answer);
  return box;
}

(async () => {
  const description = await (await fetch("/api/v1/openapi.json")).json();
  document.getElementById("about").textContent = description.info.description;
  const paths = document.getElementById("paths");
  paths.replaceChildren();
  const server = description.servers[0].url;
  for (const [path, methods] of Object.entries(description.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      paths.append(form(server, path, method, operation, description.components.schemas));
    }
  }
})();
