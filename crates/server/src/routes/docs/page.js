// Shows every path of the OpenAPI description with a form to try it.
"use strict";

// What the person chose in the app holds here too.
const chosen = (() => {
  try { return JSON.parse(localStorage.getItem("tengen.settings")) || {}; } catch { return {}; }
})();
const language = chosen.language || (navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en");
const words = {
  en: { secret: "Secret for requests that need one", loading: "Loading…", failed: "The description could not be loaded.", send: "Send", body: "Body (JSON)", answer: "Answer", socket: "A WebSocket: open it from a program." },
  zh: { secret: "需要密钥的请求所用的密钥", loading: "正在载入……", failed: "无法载入接口描述。", send: "发送", body: "正文（JSON）", answer: "回答", socket: "这是 WebSocket，请在程序中打开。" },
}[language === "zh" ? "zh" : "en"];
document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
if (chosen.theme) document.documentElement.dataset.theme = chosen.theme;
for (const part of document.querySelectorAll("[data-text]")) part.textContent = words[part.dataset.text];

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

// Paragraphs with `code` and **bold**: all that the description uses of Markdown.
function prose(text) {
  return text.trim().split(/\n\n+/).map((paragraph) => {
    const made = element("p");
    for (const [, code, bold, plain] of paragraph.matchAll(/`([^`]*)`|\*\*([^*]*)\*\*|([^`*]+|[`*])/g)) {
      made.append(code !== undefined ? element("code", code) : bold !== undefined ? element("b", bold) : plain);
    }
    return made;
  });
}

function field(label, input) {
  const made = element("label");
  made.className = "field";
  made.append(element("span", label), input);
  return made;
}

function form(server, path, method, operation, schemas) {
  const box = element("details");
  const summary = element("summary");
  const about = element("span", operation.summary || operation.description || "");
  about.lang = "en";
  summary.append(element("b", method.toUpperCase()), element("code", path), about);
  const form = element("div");
  form.className = "try";
  box.append(summary, form);
  if (path.endsWith("/ws") || path === "/analysis") {
    form.append(element("span", words.socket));
    return box;
  }
  const fields = (operation.parameters || []).map((parameter) => {
    const input = element("input");
    form.append(field(`${parameter.name} (${parameter.in})`, input));
    return [parameter, input];
  });
  const content = operation.requestBody && operation.requestBody.content["application/json"];
  const body = element("textarea");
  if (content) {
    body.value = JSON.stringify(example(content.schema, schemas), null, 2);
    body.spellcheck = false;
    const label = field(words.body, body);
    label.classList.add("wide");
    form.append(label);
  }
  const answer = element("pre");
  answer.className = "answer";
  answer.tabIndex = 0;
  answer.setAttribute("role", "region");
  answer.setAttribute("aria-label", words.answer);
  const button = element("button", words.send);
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
  form.append(button, answer);
  return box;
}

(async () => {
  const paths = document.getElementById("paths");
  let description;
  try {
    description = await (await fetch("/api/v1/openapi.json")).json();
  } catch {
    paths.replaceChildren(element("p", words.failed));
    return;
  }
  document.getElementById("about").replaceChildren(...prose(description.info.description));
  paths.replaceChildren();
  const server = description.servers[0].url;
  const groups = new Map();
  for (const [path, methods] of Object.entries(description.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const tag = (operation.tags || [""])[0];
      if (!groups.has(tag)) groups.set(tag, []);
      groups.get(tag).push(form(server, path, method, operation, description.components.schemas));
    }
  }
  for (const [tag, forms] of groups) {
    const title = element("h2", tag);
    title.lang = "en";
    paths.append(title, ...forms);
  }
})();
