// The author's page: a text with colours and errors, and what follows from its rules.

import { coloured, setKeywords } from "./colours.js";
import { byId, drawn, fill, get, h, note, post, remember } from "./dom.js";
import { caret, describe } from "./hover.js";
import { compared as balanced } from "./balance.js";
import { follow, stop } from "./jobs.js";
import { lang, t, translate } from "./words.js";

const id = location.pathname.split("/")[2];
const path = (name) => `/api/drafts/${id}/${name}`;
// A pause in typing after which the text is sent, in milliseconds.
const PAUSE = 150;
const MOST_COMPLETIONS = 10;
const BALANCE_GAMES = 200;

const area = byId("text");
let version = 0;
let errors = [];
let words = [];
let timer = 0;
let job = null;
let working = false;
let checked = null;

// ---- the text -------------------------------------------------------------------------------------

function paint() {
  fill(byId("colours"), coloured(area.value, errors));
  follow_scroll();
}

function follow_scroll() {
  byId("colours").scrollTop = area.scrollTop;
  byId("colours").scrollLeft = area.scrollLeft;
}

function changed() {
  version += 1;
  paint();
  fill(byId("completions"));
  state(t("checking …"), "");
  clearTimeout(timer);
  timer = setTimeout(check, PAUSE);
}

function state(text, mark) {
  byId("state").textContent = text;
  byId("state").className = mark;
}

async function check() {
  const sent = version;
  try {
    const found = await post(path("check"), { text: area.value, version: sent });
    if (found.version !== version) return;
    errors = found.errors;
    showSymbols(found.symbols);
    complete();
    checked = errors.length ? null : found;
    showErrors();
    if (checked) showPlayers(checked.players);
  } catch (error) {
    if (sent === version) state(error.message, "bad");
  }
}

function showErrors() {
  paint();
  const n = errors.length;
  state(n ? `${n} ✗` : t("No errors."), n ? "bad" : "good");
  allow();
  fill(byId("errors"), errors.slice(0, 30).map((error) =>
    h("li", {}, h("button", { onclick: () => jump(error) },
      h("b", {}, `${error.file || ""}${error.line ? `${error.file ? ":" : ""}${error.line}:${error.column} ` : ""}`), error.message,
      error.hint ? h("span", { class: "hint" }, error.hint) : null,
      error.notes.map((line) => h("span", { class: "hint" }, line)),
      h("span", { class: "hint" }, error.code)))));
}

// What works on the rules waits until they have no errors and the work before is done.
function allow() {
  for (const name of ["verify", "examples", "compare", "balance", "play"]) byId(name).disabled = errors.length > 0 || working;
}

function jump(error) {
  if (error.file || !error.line) return;
  const lines = area.value.split("\n");
  const start = lines.slice(0, error.line - 1).join("\n").length + (error.line > 1 ? 1 : 0) + error.column - 1;
  area.focus();
  area.setSelectionRange(start, start + Math.max(1, error.end_line === error.line ? error.end_column - error.column : 1));
  area.scrollTop = Math.max(0, (error.line - 5) * 21);
}

function showPlayers([low, high]) {
  const select = byId("players");
  const before = select.value;
  const counts = Array.from({ length: high - low + 1 }, (_, k) => `${low + k}`);
  fill(select, counts.map((count) => h("option", { value: count, selected: count === before }, count)));
  byId("counts").hidden = false;
}

// ---- completion -----------------------------------------------------------------------------------

function prefix() {
  const before = area.value.slice(0, area.selectionStart);
  return (before.match(/[A-Za-z_]\w*$/) || [""])[0];
}

async function complete() {
  const typed = prefix();
  if (typed.length < 2) return fill(byId("completions"));
  const sent = version;
  let known = words.filter((word) => word.startsWith(typed) && word !== typed).map((text) => ({ text, detail: "" }));
  try {
    const found = await post(path("complete"), caret(area));
    // The server may still have the text before the last keys: then the words of the language do.
    if (found.typed === typed) known = found.proposals;
  } catch (error) {
    note(error.message);
  }
  if (sent !== version) return;
  fill(byId("completions"), known.slice(0, MOST_COMPLETIONS).map(({ text, detail }) =>
    h("button", { class: "quiet", title: detail, onclick: () => put(text.slice(typed.length)) }, text)));
}

function showSymbols(symbols) {
  fill(byId("symbols"), h("option", { value: "" }, t("Go to …")),
    symbols.map((one) => h("option", { value: `${one.line}` }, `${one.kind} ${one.name}`)));
  byId("symbols").hidden = symbols.length === 0;
}

function put(text) {
  area.focus();
  const at = area.selectionStart;
  area.setRangeText(text, at, area.selectionEnd, "end");
  changed();
}

function keys(event) {
  if (event.key === "Tab" && !event.shiftKey) {
    event.preventDefault();
    const first = byId("completions").querySelector("button");
    if (first) first.click();
    else put("    ");
  } else if (event.key === "Enter") {
    event.preventDefault();
    const before = area.value.slice(0, area.selectionStart).split("\n").pop();
    put(`\n${before.match(/^ */)[0]}`);
  }
}

async function layout() {
  try {
    const { text } = await post(path("format"), { text: area.value });
    if (text !== area.value) {
      area.value = text;
      changed();
    }
  } catch (error) {
    note(error.message);
  }
}

function download() {
  const url = URL.createObjectURL(new Blob([area.value], { type: "text/plain" }));
  h("a", { href: url, download: "house.rules" }).click();
  setTimeout(() => URL.revokeObjectURL(url), 5000);
}

// ---- long work ------------------------------------------------------------------------------------

async function work(request, show) {
  // One piece of work at a time, from the click on: the answers of two would overwrite each other.
  working = true;
  allow();
  byId("stepper").hidden = true;
  byId("results").after(byId("stepper"));
  fill(byId("results"));
  try {
    await check();
    if (!errors.length) await worked(request, show);
  } catch (error) {
    note(error.message);
  }
  working = false;
  allow();
}

async function worked(request, show) {
  ({ job } = await post(path("jobs"), { players: Number(byId("players").value) || null, ...request }));
  byId("progress").hidden = false;
  byId("stop").hidden = false;
  const told = await follow(job, progress);
  job = null;
  byId("stop").hidden = true;
  byId("progress").hidden = true;
  if (told.state === "done") show(told.result);
  else fill(byId("results"), h("div", { class: "result UNKNOWN", "data-state": told.state }, told.state === "stopped" ? t("stopped") : told.message));
}

function progress({ state: doing, progress: far }) {
  const bar = byId("bar");
  if (far.total) {
    bar.max = far.total;
    bar.value = far.done;
  } else bar.removeAttribute("value");
  const count = far.total ? ` ${far.done}/${far.total}` : "";
  const open = far.failed ? ` · ${far.failed} ✗` : "";
  byId("doing").textContent = doing === "waiting" ? t("waiting for room …") : `${far.what || ""}${count}${open}`;
}

function verified(report) {
  const bound = report.bound ? ` ${t("A game has at most")} ${report.bound} ${t("decisions")}.` : "";
  const total = Object.values(report.counts).reduce((sum, row) => sum + (row.PROVED || 0), 0);
  fill(byId("results"),
    h("div", { class: `result ${report.ok ? "PROVED" : "REFUTED"}`, id: "verdict", "data-ok": `${report.ok}` },
      h("h3", {}, report.ok ? t("Everything is proved.") : t("Not everything is proved.")),
      `${total} PROVED · ${report.players} ${t("players")} · ${report.seconds} s.${bound}`),
    report.results.map(resultCard),
    report.conditional.length ? h("details", {}, h("summary", {}, `${report.conditional.length} ${t("rest on what is not proved")}`),
      h("ul", {}, report.conditional.map((one) => h("li", {}, `${one.obligation} ${one.subject}: PROVED, given ${one.given.join(", ")}`)))) : null,
    h("details", {}, h("summary", {}, `${t("What is proved")} (${report.proved.length})`),
      h("ul", {}, report.proved.slice(0, 400).map((one) => h("li", {}, `${one.obligation} ${one.subject}`, one.cite ? h("span", { class: "cite" }, ` ${one.cite}`) : null)))),
    h("details", {}, h("summary", {}, t("The whole report")), h("pre", { class: "report" }, report.text)));
}

function resultCard(result) {
  return h("div", { class: `result ${result.waived ? "" : result.status}` },
    h("h3", {}, `${result.status}  ${result.sentence}`),
    h("pre", {}, result.lines.map((line) => line.replace(/^ {2}/, "")).join("\n")),
    result.waived ? h("div", { class: "muted" }, result.waived) : null,
    result.record ? h("button", { class: "step", onclick: (event) => stepThrough(result, event.target.closest(".result")) }, t("Step through the game")) : null);
}

// ---- a counterexample, move by move ---------------------------------------------------------------

async function stepThrough(result, card) {
  let table;
  try {
    table = await post(path("tables"), { record: result.record, name: `${result.obligation} ${result.subject}` });
  } catch (error) {
    return note(error.message);
  }
  const box = byId("stepper");
  box.hidden = false;
  card.after(box);
  const picture = h("div", { class: "picture" });
  const words_ = h("div", { id: "step-text" });
  let at = 0;
  let last = 0;
  const show = async () => {
    const asked = at;
    const view = await get(`/t/${table.id}/view?at=${asked}&lang=${lang()}`);
    if (asked !== at) return; // a later click was answered first
    last = view.last;
    fill(picture, drawn(view.drawing));
    const log = view.log[view.log.length - 1];
    fill(words_, h("b", {}, `${view.at}/${view.last} `), log && at ? log.text : "—");
  };
  const go = (to) => { at = Math.max(0, Math.min(last, to)); return show(); };
  // The buttons appear with the first position: before it nobody knows how far they lead.
  await show();
  fill(box,
    h("div", { class: "bar" },
      h("button", { class: "quiet", onclick: () => go(at - 1) }, "◀"),
      h("button", { class: "quiet", id: "step-forth", onclick: () => go(at + 1) }, "▶"),
      h("a", { class: "button", id: "as-table", href: `/t/${table.id}` }, t("Open as a table"))),
    words_, picture);
  box.scrollIntoView({ behavior: "smooth", block: "nearest" });
}

function compared(found) {
  fill(byId("results"), found.changes.length ? found.changes.map((change) =>
    h("div", { class: "result" }, h("h3", {}, `${change.how} ${change.what} ${change.name}`),
      change.before || change.after ? h("div", {}, `${change.before || "—"} → ${change.after || "—"}`) : null,
      change.equivalent ? h("div", {}, "equivalent: PROVED") : null,
      change.witness ? h("pre", {}, change.witness) : null)) : h("div", { class: "result PROVED" }, t("The same rules as the base: nothing differs.")));
}

async function examples() {
  await check();
  if (errors.length) return;
  try {
    const found = (await post(path("examples"))).examples;
    fill(byId("results"), found.length ? found.map((one) =>
      h("div", { class: `result ${one.ok ? "PROVED" : "REFUTED"}` }, h("h3", {}, one.title),
        `${one.ok ? t("holds") : t("does not hold")} · ${one.players} ${t("players")}`,
        one.message ? h("pre", {}, one.message) : null,
        one.cites.length ? h("div", { class: "cite" }, one.cites.join("; ")) : null)) : h("p", { class: "muted" }, t("No examples here.")));
  } catch (error) {
    note(error.message);
  }
}

async function play() {
  await check();
  if (errors.length) return;
  const players = Number(byId("players").value);
  try {
    const seats = ["me", ...Array(players - 1).fill("greedy")];
    const name = [checked.title, ...checked.variants].join(" + ");
    const table = await post(path("tables"), { players, seats, name });
    remember(table.id, name);
    location.href = `/t/${table.id}`;
  } catch (error) {
    note(error.message);
  }
}

async function main() {
  translate();
  const [draft, language] = await Promise.all([get(`/api/drafts/${id}`), get("/api/keywords")]);
  words = language.keywords;
  setKeywords(words);
  byId("title").textContent = draft.of;
  area.value = draft.text;
  area.addEventListener("input", changed);
  area.addEventListener("scroll", follow_scroll);
  area.addEventListener("keydown", keys);
  byId("format").addEventListener("click", layout);
  byId("download").addEventListener("click", download);
  byId("verify").addEventListener("click", () => work({ do: "verify" }, verified));
  byId("compare").addEventListener("click", () => work({ do: "compare" }, compared));
  byId("stop").addEventListener("click", () => job && stop(job));
  byId("examples").addEventListener("click", examples);
  byId("play").addEventListener("click", play);
  byId("balance").addEventListener("click", () => work({ do: "balance", games: BALANCE_GAMES }, (found) => fill(byId("results"), balanced(found))));
  byId("symbols").addEventListener("change", (event) => {
    const line = Number(event.target.value);
    if (line) jump({ line, column: 1, end_line: line, end_column: 1 });
    event.target.value = "";
  });
  describe(area, byId("about"), (place) => post(path("hover"), place));
  paint();
  check();
}

main().catch((error) => note(error.message));
