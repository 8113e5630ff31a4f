// The rules of a game as a book: sections, texts, cites, and the source of every declaration.

import { byId, fill, get, h, note } from "./dom.js";
import { t, translate } from "./words.js";

const name = location.pathname.split("/")[2];

function entry(one) {
  return h("div", { class: "entry" },
    h("h3", {}, one.text || one.name.replaceAll("_", " ")),
    one.text && one.text !== one.name ? h("p", { class: "muted" }, one.name.replaceAll("_", " ")) : null,
    one.cites.length ? h("p", { class: "cite" }, [...new Set(one.cites)].join("; ")) : null,
    one.needs.length ? h("ul", { class: "needs" }, one.needs.map((need) => h("li", {}, h("code", {}, need.condition), need.refusal ? h("span", { class: "muted" }, ` — ${t("else")}: “${need.refusal}”`) : null, need.cite ? h("span", { class: "muted" }, ` ${need.cite}`) : null))) : null,
    one.provisional ? h("p", { class: "muted" }, t("provisional")) : null,
    one.source ? h("details", {}, h("summary", {}, t("as it stands in the rules")), h("pre", {}, one.source)) : null);
}

async function main() {
  translate();
  const book = await get(`/api/games/${name}/rules`);
  byId("title").textContent = book.title;
  document.title = book.title;
  fill(byId("contents"), book.sections.map((section) => h("a", { href: `#${section.kind}` }, `${section.kind} (${section.entries.length})`)), h("a", { href: "#rulebook" }, t("The rulebook, heading by heading")));
  fill(byId("book"), h("h1", {}, book.title), book.sections.map((section) =>
    h("section", { id: section.kind }, h("h2", {}, section.kind), section.entries.map(entry))),
    h("section", { id: "rulebook" }, h("h2", {}, t("The rulebook, heading by heading")), book.coverage.map((one) =>
      h("p", {}, h("b", {}, one.heading), ": ", one.cited_by.length ? one.cited_by.map((by) => by.name.replaceAll("_", " ")).join(", ") : h("span", { class: "muted" }, one.reason || "—")))));
}

main().catch((error) => note(error.message));
