// The rules of a game as a book: sections, texts, cites, and the source of every declaration.

import { byId, drawn, fill, get, h, note, post } from "./dom.js";
import { follow, stop } from "./jobs.js";
import { lang, t, translate } from "./words.js";

let job = null;
const name = location.pathname.split("/")[2];

function entry(one) {
  return h("div", { class: "entry" },
    h("h3", {}, one.text || one.name.replaceAll("_", " "), h("span", { class: "proof", "data-rule": one.name })),
    one.text && one.text !== one.name ? h("p", { class: "muted" }, one.name.replaceAll("_", " ")) : null,
    one.cites.length ? h("p", { class: "cite" }, [...new Set(one.cites)].join("; ")) : null,
    one.needs.length ? h("ul", { class: "needs" }, one.needs.map((need) => h("li", {}, h("code", {}, need.condition), need.refusal ? h("span", { class: "muted" }, ` — ${t("else")}: “${need.refusal}”`) : null, need.cite ? h("span", { class: "muted" }, ` ${need.cite}`) : null))) : null,
    one.provisional ? h("p", { class: "muted" }, t("provisional")) : null,
    one.source ? h("details", {}, h("summary", {}, t("as it stands in the rules")), h("pre", {}, one.source)) : null);
}

// What stands between backquotes is written as in the rules.
const inline = (text) => text.split("`").map((part, k) => (k % 2 ? h("code", {}, part) : part));

function block(one) {
  switch (one.kind) {
    case "Paragraph": return h("p", {}, inline(one.text));
    case "Items": return h("ul", {}, one.items.map((item) => h("li", {}, inline(item))));
    case "Grid": return h("div", { class: "scroll" }, h("table", {},
      h("thead", {}, h("tr", {}, one.head.map((cell) => h("th", {}, inline(cell))))),
      h("tbody", {}, one.rows.map((row) => h("tr", {}, row.map((cell) => h("td", {}, inline(cell))))))));
    case "Figure": return h("figure", {}, drawn(one.svg), h("figcaption", { class: "muted" }, one.caption));
    case "Heading": return h("h3", {}, inline(one.text), one.mark ? h("span", { class: "muted" }, ` ${one.mark}`) : null);
    default: throw new Error(one.kind);
  }
}

// The kept verdicts, at the rules that they are about.
async function showProofs() {
  const found = await get(`/api/games/${name}/proofs`);
  for (const mark of document.querySelectorAll(".proof")) {
    const verdict = found.rules[mark.dataset.rule];
    mark.textContent = verdict ? verdict.status : "";
    mark.title = verdict ? verdict.obligations.join(", ") : "";
    mark.className = `proof ${verdict ? verdict.status : ""}`;
  }
  byId("proved").textContent = found.players.length
    ? `${t("Verified for")} ${found.players.join(", ")} ${t("players")}.`
    : t("Not verified on this machine yet.");
}

async function verify() {
  byId("verify").disabled = true;
  byId("stop").hidden = false;
  try {
    ({ job } = await post(`/api/games/${name}/verify`, { players: Number(byId("players").value) }));
    const told = await follow(job, ({ progress: far }) => {
      if (far.total) byId("proved").textContent = `${far.what || ""} ${far.done}/${far.total}`;
    });
    if (told.state !== "done") note(told.message || t("stopped"));
  } catch (error) {
    note(error.message);
  }
  byId("verify").disabled = false;
  byId("stop").hidden = true;
  await showProofs();
}

function proofBar([low, high]) {
  const counts = Array.from({ length: high - low + 1 }, (_, k) => `${low + k}`);
  return h("p", { id: "proofs" },
    h("span", { id: "proved" }), " ",
    h("label", {}, `${t("Players")} `, h("select", { id: "players" }, counts.map((n) => h("option", { value: n }, n)))), " ",
    h("button", { id: "verify", class: "quiet", onclick: verify }, t("Verify")), " ",
    h("button", { id: "stop", class: "danger", hidden: true, onclick: () => job && stop(job) }, t("Stop")));
}

async function main() {
  translate();
  const book = await get(`/api/games/${name}/rules?lang=${lang()}`);
  byId("title").textContent = book.title;
  document.title = book.title;
  fill(byId("contents"), book.chapters.map((chapter, k) => h("a", { href: `#chapter-${k}` }, chapter.title)), h("hr"), book.sections.map((section) => h("a", { href: `#${section.kind}` }, `${section.kind} (${section.entries.length})`)), h("a", { href: "#rulebook" }, t("The rulebook, heading by heading")));
  fill(byId("book"), h("h1", {}, book.title),
    book.chapters.map((chapter, k) => h("section", { id: `chapter-${k}` }, h("h2", {}, chapter.title), chapter.blocks.map(block))),
    h("h1", {}, t("Every declaration")), proofBar(book.players), book.sections.map((section) =>
    h("section", { id: section.kind }, h("h2", {}, section.kind), section.entries.map(entry))),
    h("section", { id: "rulebook" }, h("h2", {}, t("The rulebook, heading by heading")), book.coverage.map((one) =>
      h("p", {}, h("b", {}, one.heading), ": ", one.cited_by.length ? one.cited_by.map((by) => by.name.replaceAll("_", " ")).join(", ") : h("span", { class: "muted" }, one.reason || "—")))));
  await showProofs();
}

main().catch((error) => note(error.message));
