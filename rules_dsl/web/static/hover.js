// What the name under the pointer or the caret is: declaration, label, range, cites, verdicts.

import { fill, h } from "./dom.js";

// Milliseconds that the pointer rests before anything is asked.
const REST = 250;

// The inline marks of the text: `code`, **bold**, *cite*.
const inline = (text) =>
  text.split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*]+\*)/).filter(Boolean).map((part) => {
    if (part.startsWith("`")) return h("code", {}, part.slice(1, -1));
    if (part.startsWith("**")) return h("b", {}, part.slice(2, -2));
    return part.startsWith("*") ? h("span", { class: "cite" }, part.slice(1, -1)) : part;
  });

export function described(text) {
  return text.split("\n\n").map((part) => {
    if (part === "---") return h("hr");
    const code = part.match(/^```rules\n([^]*)\n```$/);
    return code ? h("pre", {}, code[1]) : h("p", {}, inline(part));
  });
}

// The line and column of a text area below a point of the page, both from 1.
function placeAt(area, event) {
  const style = getComputedStyle(area);
  const canvas = document.createElement("canvas").getContext("2d");
  canvas.font = `${style.fontSize} ${style.fontFamily}`;
  const wide = canvas.measureText("M".repeat(100)).width / 100;
  const box = area.getBoundingClientRect();
  const x = event.clientX - box.left + area.scrollLeft - parseFloat(style.paddingLeft);
  const y = event.clientY - box.top + area.scrollTop - parseFloat(style.paddingTop);
  return { line: Math.floor(y / parseFloat(style.lineHeight)) + 1, column: Math.floor(x / wide) + 1 };
}

export function caret(area) {
  const lines = area.value.slice(0, area.selectionStart).split("\n");
  return { line: lines.length, column: lines[lines.length - 1].length + 1 };
}

const wordAt = (area, { line, column }) => /\w/.test((area.value.split("\n")[line - 1] || "")[column - 1] || "");

// Shows in `box` what `ask` tells of a place, while the pointer rests on it or after a click.
export function describe(area, box, ask) {
  let timer = 0;
  let asked = 0;
  const hide = () => {
    clearTimeout(timer);
    asked += 1;
    box.hidden = true;
  };
  const show = async (place) => {
    const own = (asked += 1);
    if (!wordAt(area, place)) return hide();
    const { text } = await ask(place);
    if (own !== asked) return; // the pointer is elsewhere by now
    box.hidden = !text;
    fill(box, described(text));
  };
  area.addEventListener("mousemove", (event) => {
    clearTimeout(timer);
    timer = setTimeout(() => show(placeAt(area, event)), REST);
  });
  area.addEventListener("click", () => show(caret(area)));
  area.addEventListener("input", hide);
  area.addEventListener("keydown", (event) => event.key === "Escape" && hide());
}
