// A table: the drawing of the own view, moves that narrow, reasons, log, history.

import { byId, drawn, fill, get, h, note, post, remember } from "./dom.js";
import { keysOf, light, meantBy, narrowed } from "./places.js";
import { lang, t, translate } from "./words.js";

const id = location.pathname.split("/")[2];
const path = (name) => `/t/${id}/${name}`;
const GROUPED = 12;

let view = null;
let seat = null;
let picked = null;
let at = null;
let chosen = [];
let move = null;
let text = "";
let zoom = 1;
let seen = null;
let loading = false;
let again = false;

const nameOf = (player) => view.names[player];
const now = () => at === null;

async function load() {
  if (loading) {
    again = true;
    return;
  }
  loading = true;
  try {
    do {
      again = false;
      const query = new URLSearchParams({ lang: lang() });
      if (seat !== null) query.set("seat", seat);
      if (at !== null) query.set("at", at);
      const fresh = await get(path(`view?${query}`));
      if (settle(fresh)) {
        again = true;
        continue;
      }
      const moved = view === null || view.version !== fresh.version || view.viewer !== fresh.viewer || view.at !== fresh.at;
      view = fresh;
      if (moved) {
        chosen = [];
        move = null;
        text = "";
      }
      render();
    } while (again);
  } catch (error) {
    note(error.message);
    if (error.status === 404) fill(byId("status"), h("b", {}, error.message));
  } finally {
    loading = false;
  }
}

// Choose the seat to look from; true if the position must be asked for again.
function settle(fresh) {
  const mine = fresh.you;
  let wanted = mine.includes(seat) ? seat : null;
  if (picked !== null && mine.includes(picked)) wanted = picked;
  else if (mine.includes(fresh.player) && now()) wanted = fresh.player;
  else if (wanted === null && mine.length) wanted = mine[0];
  if (wanted === seat) return false;
  const handOver = fresh.secrets && mine.length > 1 && seen !== wanted;
  seat = wanted;
  if (handOver) {
    cover(fresh.names[wanted], wanted);
  }
  return true;
}

// Between two people at one screen nothing of either is shown.
function cover(name, player) {
  const dialog = byId("cover");
  fill(byId("drawing"));
  fill(byId("moves"));
  fill(dialog,
    h("p", {}, `${t("Pass the device to")} `, h("b", {}, name)),
    h("button", { id: "ready", onclick: () => { seen = player; dialog.close(); document.body.classList.remove("covered"); load(); } }, `${t("I am")} ${name}`));
  document.body.classList.add("covered");
  if (!dialog.open) dialog.showModal();
}

function render() {
  if (byId("cover").open) return;
  seen = seat;
  byId("title").textContent = view.name || view.title;
  document.title = `${view.player !== null && view.you.includes(view.player) ? "● " : ""}${view.title}`;
  remember(id, view.name || view.title);
  renderSeats();
  renderDrawing();
  renderStatus();
  renderMoves();
  renderHistory();
  renderActions();
  renderLog();
  byId("question").placeholder = view.moves.length ? `${t("A move, for example: ")}${view.moves[0].text}` : "";
}

function renderSeats() {
  fill(byId("who"), view.seats.map((one, player) => {
    const score = view.scores[player] === undefined ? "" : ` ${view.scores[player]}`;
    const kind = one.kind === "person" ? "" : ` (${one.kind})`;
    const marks = `${player === view.player ? " turn" : ""}${player === seat ? " me" : ""}`;
    const label = `${nameOf(player)}${kind}${score}`;
    const title = score && !view.over ? t("Score if the game ended now") : "";
    if (!one.you || view.you.length < 2) return h("span", { class: `seat${marks}`, title }, label);
    return h("button", { class: `seat${marks}`, title, onclick: () => { picked = player; load(); } }, label);
  }));
}

function renderDrawing() {
  const svg = drawn(view.drawing);
  svg.addEventListener("click", (event) => {
    const element = event.target.closest("[data-place]");
    if (element) touched(element);
  });
  const box = byId("drawing");
  const [left, top] = [box.scrollLeft, box.scrollTop];
  fill(box, svg);
  scale();
  box.scrollTo(left, top);
}

function scale() {
  const svg = byId("drawing").querySelector("svg");
  if (!svg) return;
  const [, , width] = svg.getAttribute("viewBox").split(" ").map(Number);
  const room = byId("drawing").clientWidth - 2;
  // On a phone a wide drawing is not shrunk beyond reading: it is moved instead.
  const base = Math.min(width, Math.max(room, Math.min(width, 760)));
  svg.setAttribute("width", Math.round(base * zoom));
  svg.removeAttribute("height");
}

function touched(element) {
  const keys = keysOf(element);
  if (!now() || seat === null || view.player !== seat) return;
  const other = meantBy(byId("drawing").querySelector("svg"), element, view.player);
  if (other && !view.moves.some((one) => one.args.includes(other))) return;
  const known = chosen.findIndex((other) => other.join() === keys.join());
  const before = narrowed(view.moves, chosen, text);
  if (known >= 0) {
    if (move) return play();
    chosen.splice(known, 1);
    move = null;
  } else if (narrowed(view.moves, [...chosen, keys], text).length) {
    chosen.push(keys);
  } else if (narrowed(view.moves, [keys], text).length) {
    chosen = [keys];
  } else {
    const action = element.dataset.action;
    const own = before.filter((one) => one.name === action);
    if (own.length === 1) return select(own[0]);
    return askAbout(keys);
  }
  const left = narrowed(view.moves, chosen, text);
  move = null;
  renderMoves();
  if (left.length === 1) select(left[0]);
}

async function askAbout(keys) {
  try {
    const { reasons } = await post(path("explain"), { seat, place: keys[0] });
    byId("why").open = true;
    fill(byId("reasons"), reasons.length ? reasonList(reasons) : h("p", { class: "muted" }, t("Nothing can be done with this now.")));
  } catch (error) {
    note(error.message);
  }
}

const reasonList = (reasons) =>
  h("ul", { class: "reasons" }, reasons.map((reason) =>
    h("li", {},
      h("span", { class: reason.holds ? "yes" : "no" }, reason.holds ? "✓ " : "✗ "),
      reason.option ? `${reason.option.replaceAll("_", " ")}: ` : "",
      reason.told,
      reason.cite ? h("span", { class: "cite" }, ` ${reason.cite}`) : "")));

// The kinds of moves that are possible, by the words with which all moves of a kind begin.
function kinds(moves) {
  const found = new Map();
  for (const one of moves) {
    const words = one.shown.split(" ");
    const before = found.get(one.name) || words;
    const same = before.findIndex((word, k) => word !== words[k]);
    // The dots stay behind the words of a kind that has several moves.
    found.set(one.name, same < 0 ? before : [...before.slice(0, same), "…"]);
  }
  return [...found].map(([name, words]) => (words[0] === "…" ? name.replaceAll("_", " ") : words.join(" "))).join(", ");
}

// What is to be decided, as a sentence: the prompt without who decides.
function asked(mine) {
  const moves = mine && now() && view.player === seat ? view.moves.length + view.more : 0;
  const what = moves ? kinds(view.moves) : view.prompt.replace(/^[^:]*: /, "").replaceAll("_", " ");
  const sentence = moves > 1 ? "Choose one of the moves" : moves === 1 ? "Only one move is possible" : "What is decided";
  return `${t(sentence)}: ${what}${/[.?!…]$/.test(what) ? "" : "."}`;
}

function renderStatus() {
  const box = byId("status");
  const mine = view.you.includes(view.player);
  box.className = view.problem ? "bad" : view.over ? "over" : mine ? "yours" : "";
  if (view.problem) return fill(box, h("b", {}, view.problem));
  if (view.over) {
    const winners = view.winners.map(nameOf).join(", ");
    const scores = view.scores.map((score, p) => `${nameOf(p)} ${score}`).join(" · ");
    return fill(box, h("b", {}, `${t("The game is over")}: ${winners || "—"} ${t("won")}`), h("span", {}, scores));
  }
  const who = view.seats[view.player];
  const head = mine ? `${t("Your turn")}: ${nameOf(view.player)}` : `${nameOf(view.player)} ${who.kind === "person" ? t("decides") : t("thinks …")}`;
  const role = seat === null ? t("You watch") : view.you.length > 1 ? "" : `${t("You are")} ${nameOf(seat)}`;
  fill(box, h("b", {}, head), h("span", {}, asked(mine)),
    role ? h("div", { class: "muted" }, role) : null);
}

function renderMoves() {
  const news = view.events.length ? h("div", {}, h("span", {}, `${t("Last move")}:`), h("ul", {}, view.events.slice(0, 14).map((line) => h("li", {}, line)))) : "";
  fill(byId("news"), news);
  const svg = byId("drawing").querySelector("svg");
  if (!now() || view.player === null || view.player !== seat) {
    if (svg) light(svg, [], [], view.player);
    return fill(byId("moves"));
  }
  const left = narrowed(view.moves, chosen, text);
  if (svg) light(svg, left.length ? left : view.moves, chosen, view.player);
  const filter = h("input", { id: "filter", value: text, placeholder: t("Narrow the list …"), "aria-label": t("Narrow the list …"),
    oninput: (event) => { text = event.target.value; move = null; renderMoves(); byId("filter").focus(); byId("filter").setSelectionRange(text.length, text.length); } });
  fill(byId("moves"),
    h("h2", {}, `${t("Moves")} (${left.length}${view.more ? ` + ${view.more}` : ""})`),
    h("div", { id: "narrow" }, chosen.map((keys) => h("span", { class: "chip" }, keys[0].replaceAll("_", " "))), filter,
      chosen.length || text ? h("button", { class: "quiet", onclick: () => { chosen = []; text = ""; move = null; renderMoves(); } }, t("Clear")) : null),
    moveList(left),
    move ? h("div", { id: "chosen" }, h("b", {}, move.shown), effectsOf(move), h("button", { id: "play", onclick: play }, t("Play"))) : null,
    view.closed.length ? closedOptions() : null);
}

function moveList(left) {
  const names = new Set(left.map((one) => one.name));
  const items = [];
  let group = null;
  for (const one of left) {
    if (names.size > 1 && left.length > GROUPED && one.name !== group) {
      group = one.name;
      items.push(h("li", { class: "group" }, group.replaceAll("_", " ")));
    }
    items.push(h("li", {}, h("button", { class: move && move.code === one.code ? "chosen" : "",
      onclick: () => (move && move.code === one.code ? play() : select(one)) }, one.shown)));
  }
  return h("ul", { class: "moves" }, items);
}

const closedOptions = () =>
  h("details", { class: "closed" }, h("summary", {}, `${t("Not possible now")}: ${view.closed.map((one) => one.name.replaceAll("_", " ")).join(", ")}`),
    view.closed.map((one) => h("div", {}, h("b", {}, one.name.replaceAll("_", " ")), " ",
      one.reasons.length ? reasonList(one.reasons) : h("span", { class: "cite" }, one.cites.join("; ")))));

// What a move would do; nothing until the server has said so.
function effectsOf(one) {
  const box = h("div", { id: "effects" });
  if (one.effects === null) box.append(h("p", { class: "muted" }, t("Nothing that can be told beforehand.")));
  else if (one.effects && !one.effects.length) box.append(h("p", { class: "muted" }, t("Nothing on the table changes.")));
  else if (one.effects) box.append(h("span", { class: "muted" }, `${t("What it does")}:`), h("ul", {}, one.effects.slice(0, 12).map((line) => h("li", {}, line))));
  return box;
}

async function select(one) {
  const list = byId("moves").querySelector(".moves");
  const top = list ? list.scrollTop : 0;
  move = one;
  renderMoves();
  byId("moves").querySelector(".moves").scrollTop = top;
  try {
    const { events } = await post(path("preview"), { seat, code: one.code, lang: lang() });
    one.effects = events;
    if (move === one && byId("effects")) byId("effects").replaceWith(effectsOf(one));
  } catch (error) {
    note(error.message);
  }
}

async function play() {
  if (!move) return;
  const code = move.code;
  move = null;
  try {
    await post(path("move"), { seat, code, version: view.version });
    picked = null;
  } catch (error) {
    note([error.message, ...error.reasons.filter((r) => !r.holds).map((r) => `${r.text} ${r.cite}`)].join(" · "));
  }
  load();
}

function renderHistory() {
  const slider = byId("slider");
  slider.max = view.last;
  slider.value = view.at;
  const where = `${t("position")} ${view.at} ${t("of")} ${view.last}`;
  fill(byId("where"), now() ? where : h("button", { class: "link", id: "return", onclick: () => go(null) }, `${view.at}/${view.last} · ${t("Back to now")}`));
}

function go(position) {
  at = position === null || position >= view.last ? null : Math.max(0, position);
  load();
}

function renderActions() {
  const act = (name, request, then) => async () => {
    try {
      then(await post(path(name), request()));
    } catch (error) {
      note(error.message);
    }
  };
  fill(byId("actions"),
    seat !== null ? h("button", { id: "undo", class: "quiet", disabled: !view.undo, onclick: act("undo", () => ({ seat, version: view.version }), load) }, t("Undo")) : null,
    h("button", { id: "fork", class: "quiet", onclick: act("fork", () => ({ seat, at: view.at }), (table) => { remember(table.id, `${view.title} (fork)`); location.href = `/t/${table.id}`; }) }, t("Fork")),
    h("button", { id: "save", class: "quiet", onclick: save }, t("Save")),
    view.you.length ? h("button", { id: "invite", class: "quiet", onclick: invite }, t("Invite")) : null);
}

async function save() {
  try {
    const query = seat === null ? "" : `?seat=${seat}`;
    const record = await get(path(`record${query}`));
    const url = URL.createObjectURL(new Blob([JSON.stringify(record, null, 1)], { type: "application/json" }));
    h("a", { href: url, download: `${view.game}.json` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 5000);
  } catch (error) {
    note(error.message);
  }
}

async function invite() {
  try {
    const { invitations } = await get(path("invitations"));
    const links = invitations.map((one) => {
      const link = `${location.origin}/t/${id}#seat=${one.token}`;
      const field = h("input", { value: link, readonly: "", "data-seat": one.seat, onclick: () => field.select() });
      return h("div", { class: "pair" }, h("span", {}, one.name), field,
        h("button", { class: "quiet", onclick: () => navigator.clipboard?.writeText(link) }, t("Copy")));
    });
    byId("links").hidden = false;
    fill(byId("links"), h("b", {}, t("Links for the other seats")), links,
      h("p", { class: "muted" }, t("Everybody who has a link plays that seat; without one they watch.")));
  } catch (error) {
    note(error.message);
  }
}

function renderLog() {
  const log = byId("log");
  const bottom = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
  fill(log, view.log.map((entry, k) => h("li", { class: k === view.log.length - 1 ? "now" : "" }, entry.text,
    entry.cites.length ? h("span", { class: "cite" }, ` ${entry.cites.join("; ")}`) : null)));
  if (bottom) log.scrollTop = log.scrollHeight;
}

async function sit() {
  const token = new URLSearchParams(location.hash.slice(1)).get("seat");
  const inviting = location.hash === "#invite";
  if (location.hash) history.replaceState(null, "", location.pathname);
  if (token) {
    try {
      const taken = await post(path("sit"), { token });
      seat = taken.seat;
    } catch (error) {
      note(error.message);
    }
  }
  return inviting;
}

async function main() {
  translate();
  const inviting = await sit();
  await load();
  if (inviting) invite();
  const events = new EventSource(path("events"));
  events.onmessage = (event) => {
    if (!view || JSON.parse(event.data).version !== view.version) load();
  };
  byId("slider").addEventListener("input", (event) => go(Number(event.target.value)));
  byId("back").addEventListener("click", () => go(view.at - 1));
  byId("forth").addEventListener("click", () => go(view.at + 1));
  byId("larger").addEventListener("click", () => { zoom = Math.min(4, zoom * 1.25); scale(); });
  byId("smaller").addEventListener("click", () => { zoom = Math.max(0.4, zoom / 1.25); scale(); });
  byId("fit").addEventListener("click", () => { zoom = 1; scale(); });
  addEventListener("resize", scale);
  byId("ask").addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const { reasons } = await post(path("explain"), { seat, move: byId("question").value });
      fill(byId("reasons"), reasons.length ? reasonList(reasons) : h("p", { class: "muted" }, "✓"));
    } catch (error) {
      note(error.message);
    }
  });
}

main();
