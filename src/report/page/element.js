// SPDX-License-Identifier: Apache-2.0
// What the page is made of. Text comes from logs and is hostile: it becomes text nodes and attributes of
// known names, never markup.

const LONGEST_TEXT = 300;

// Control characters, and the marks that turn the direction of what follows, shown as what they are.
function clean(value) {
  return String(value ?? "").replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069\ufeff]/g, "\ufffd");
}

function cut(value, most = LONGEST_TEXT) {
  const text = clean(String(value ?? "").slice(0, 4 * most));
  const points = Array.from(text);
  return points.length > most || String(value ?? "").length > 4 * most ? points.slice(0, most).join("") + " \u2026" : text;
}

// The beginning and the end.
function cutMiddle(value, most) {
  const points = Array.from(cut(value, 1000));
  if (points.length <= most) return points.join("");
  const first = Math.ceil((most - 1) / 2);
  return `${points.slice(0, first).join("")}\u2026${points.slice(points.length - (most - 1 - first)).join("")}`;
}

// A clause as a sentence of its own.
function sentence(text) {
  const shown = clean(text);
  return shown ? shown[0].toUpperCase() + shown.slice(1) + (/[.!?]$/.test(shown) ? "" : ".") : "";
}

// An element; attributes that begin with "on" are listeners, children are nodes or text.
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key === "style") Object.assign(made.style, value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity))
    if (child !== null && child !== undefined && child !== false)
      made.append(child instanceof Node ? child : String(child));
  return made;
}

// A name from a log: its own direction, and no longer than a line or two.
function name(value, most = 80) {
  const shown = cut(value, most);
  return element("bdi", { title: shown === clean(value) ? null : cut(value, 1000) }, shown);
}

function copyable(command) {
  const button = element("button", {
    type: "button",
    "aria-label": "copy the command",
    onclick: async () => {
      try {
        await navigator.clipboard.writeText(command);
        button.textContent = "copied";
      } catch {
        getSelection().selectAllChildren(button.previousSibling); // a page opened from a file may not copy
        button.textContent = "selected";
      }
    },
  }, "copy");
  return element("div", { class: "copy" }, element("code", {}, clean(command)), button);
}
