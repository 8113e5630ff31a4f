// Colours for rule text: a small lexer that goes line by line.

const VALUES = new Set(["true", "false", "none"]);
const TOKEN =
  /#[^\n]*|"(?:\\.|[^"\\\n])*"?|\[(?=[A-Z]\w* +["\d])(?:"[^"\n]*"|[^\]"\n])*\]?|[A-Za-z_]\w*|\d+|\s+|./gy;

let keywords = new Set();
export const setKeywords = (words) => (keywords = new Set(words));

function kind(token) {
  if (token[0] === "#") return "c";
  if (token[0] === '"') return "s";
  if (token[0] === "[" && token.length > 1) return "d";
  if (/^\d/.test(token)) return "n";
  if (VALUES.has(token)) return "n";
  if (keywords.has(token)) return "k";
  if (/^[A-Z]/.test(token)) return "y";
  return "";
}

// The pieces of a line: text, class, and the column at which it begins.
export function pieces(line) {
  const found = [];
  TOKEN.lastIndex = 0;
  let match = TOKEN.exec(line);
  while (match && match[0]) {
    found.push({ text: match[0], kind: kind(match[0]), column: match.index + 1 });
    match = TOKEN.exec(line);
  }
  return found;
}

// A coloured copy of a text; what errors mark is underlined.
export function coloured(text, errors) {
  const rows = document.createDocumentFragment();
  text.split("\n").forEach((line, number) => {
    const marks = errors.filter((e) => !e.file && e.line <= number + 1 && number + 1 <= Math.max(e.line, e.end_line));
    for (const piece of pieces(line)) {
      const end = piece.column + piece.text.length;
      const wrong = marks.some((e) => {
        const from = e.line === number + 1 ? e.column : 1;
        const to = e.end_line === number + 1 ? Math.max(e.end_column, from + 1) : Infinity;
        return piece.column < to && end > from;
      });
      const span = document.createElement("span");
      span.className = `${piece.kind}${wrong ? " w" : ""}`.trim();
      span.textContent = piece.text;
      if (wrong) span.title = marks.map((e) => e.message).join("\n");
      rows.append(span);
    }
    rows.append("\n");
  });
  return rows;
}
