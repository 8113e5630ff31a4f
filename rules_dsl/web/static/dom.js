// Small helpers: elements, requests, and words in the reader's language.

export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else if (name in element && name !== "list" && typeof value !== "string") element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

export function fill(target, ...children) {
  target.replaceChildren(...children.flat().filter((child) => child !== null));
}

export const byId = (id) => document.getElementById(id);

export class Failure extends Error {
  constructor(status, data) {
    super(data.error || `error ${status}`);
    this.status = status;
    this.reasons = data.reasons || [];
  }
}

async function answer(response) {
  if (response.status === 204) return {};
  let data = {};
  try {
    data = await response.json();
  } catch {
    // The status says enough.
  }
  if (!response.ok) throw new Failure(response.status, data);
  return data;
}

export const get = async (path) => answer(await fetch(path));

export const post = async (path, data = {}) =>
  answer(
    await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(data),
    }),
  );

// A drawing arrives as text and is parsed as an image, never as part of the page.
export function drawn(text) {
  const svg = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (svg.nodeName !== "svg") return h("p", {}, "?");
  for (const bad of svg.querySelectorAll("script, foreignObject, style")) bad.remove();
  return document.importNode(svg, true);
}

let noteTimer = 0;
export function note(text) {
  const box = byId("note");
  box.textContent = text;
  box.hidden = false;
  clearTimeout(noteTimer);
  noteTimer = setTimeout(() => (box.hidden = true), 6000);
}

export const myTables = () => JSON.parse(localStorage.getItem("tables") || "[]");

export function remember(id, title) {
  const others = myTables().filter((table) => table.id !== id);
  const all = [{ id, title, at: Date.now() }, ...others].slice(0, 40);
  localStorage.setItem("tables", JSON.stringify(all));
}

export function forget(id) {
  localStorage.setItem("tables", JSON.stringify(myTables().filter((table) => table.id !== id)));
}
