// Charts as SVG: shares with intervals, and how numbers are spread.

const SVG = "http://www.w3.org/2000/svg";
const COLOURS = ["#0072b2", "#d5500b", "#009e73", "#e69f00", "#cc79a7", "#56b4e9"];
const WIDTH = 560;

function s(tag, attributes, text) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

function picture(height, parts, told) {
  const svg = s("svg", { viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "font-size": 13 });
  svg.append(s("title", {}, told), ...parts);
  return svg;
}

export const colour = (k) => COLOURS[k % COLOURS.length];

// One row for each name and series: a bar, a whisker for its interval, and the number.
export function bars(names, series, most, shown) {
  const parts = [];
  let y = 4;
  const room = WIDTH - 190;
  // Scores may be negative: bars begin at zero, wherever that is.
  const least = Math.min(0, ...series.flatMap((one) => one.intervals.map(([low]) => low)));
  const x = (v) => 110 + (room * (v - least)) / (most - least);
  names.forEach((name, row) => {
    parts.push(s("text", { x: 0, y: y + 15, fill: "#2b2a27" }, name));
    series.forEach((one, k) => {
      const value = one.values[row];
      const [low, high] = one.intervals[row];
      parts.push(
        s("rect", { x: Math.min(x(0), x(value)), y: y + 3, width: Math.abs(x(value) - x(0)), height: 14, fill: colour(k), opacity: 0.8 }),
        s("line", { x1: x(low), x2: x(high), y1: y + 10, y2: y + 10, stroke: "#2b2a27", "stroke-width": 2 }),
        s("line", { x1: x(low), x2: x(low), y1: y + 6, y2: y + 14, stroke: "#2b2a27" }),
        s("line", { x1: x(high), x2: x(high), y1: y + 6, y2: y + 14, stroke: "#2b2a27" }),
        s("text", { x: x(Math.max(high, value)) + 6, y: y + 15, fill: "#6b675f" }, `${shown(value)}`));
      y += 21;
    });
    y += 6;
  });
  return picture(y, parts, names.join(", "));
}

// How often each number came up, in at most so many columns; several series as lines.
export function histogram(series, columns = 40) {
  const all = series.flatMap((one) => one.counts.map(([value]) => value));
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const step = Math.max(1, Math.ceil((high - low + 1) / columns));
  const bins = Math.floor((high - low) / step) + 1;
  const shares = series.map(({ counts }) => {
    const found = Array(bins).fill(0);
    const total = counts.reduce((sum, [, n]) => sum + n, 0);
    for (const [value, n] of counts) found[Math.floor((value - low) / step)] += n / total;
    return found;
  });
  const most = Math.max(...shares.flat());
  const [height, base] = [190, 160];
  const x = (k) => 8 + ((WIDTH - 16) * k) / bins;
  const parts = [s("line", { x1: 8, x2: WIDTH - 8, y1: base, y2: base, stroke: "#d9d2c3" })];
  shares.forEach((found, k) => {
    let d = `M ${x(0)} ${base}`;
    found.forEach((share, bin) => {
      const y = base - (base - 12) * (share / most);
      d += ` L ${x(bin)} ${y} L ${x(bin + 1)} ${y}`;
    });
    d += ` L ${x(bins)} ${base}`;
    parts.push(s("path", { d, fill: colour(k), "fill-opacity": 0.18, stroke: colour(k), "stroke-width": 2 }));
  });
  parts.push(
    s("text", { x: 8, y: base + 20, fill: "#6b675f" }, `${low}`),
    s("text", { x: WIDTH - 8, y: base + 20, fill: "#6b675f", "text-anchor": "end" }, `${high}`));
  return picture(height, parts, series.map((one) => one.name).join(", "));
}

export function legend(names) {
  const box = document.createElement("p");
  names.forEach((name, k) => {
    const svg = s("svg", { viewBox: "0 0 12 12", width: 12, height: 12 });
    svg.append(s("rect", { width: 12, height: 12, fill: colour(k) }));
    svg.setAttribute("class", "swatch");
    box.append(svg, ` ${name}   `);
  });
  return box;
}
