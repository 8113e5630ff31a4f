// The lobby: games to play, to read, to vary; the tables of this browser.

import { byId, fill, forget, get, h, myTables, note, post, remember } from "./dom.js";
import { t, translate } from "./words.js";

const KINDS = ["me", "link", "random", "greedy", "mcts"];
const SHOWN = {
  me: "me", link: "a friend, by link", random: "bot: random", greedy: "bot: greedy", mcts: "bot: mcts",
};

function showTables() {
  const rows = myTables().map((table) =>
    h("div", { class: "row" },
      h("a", { href: `/t/${table.id}` }, table.title),
      h("span", { class: "muted" }, new Date(table.at).toLocaleString()),
      h("span", { class: "spacer" }),
      h("button", { class: "link", onclick: () => { forget(table.id); showTables(); } }, t("Forget"))),
  );
  fill(byId("tables"), rows.length ? rows : h("p", { class: "muted" }, t("Nothing yet: start a game below.")));
}

async function start(game, request) {
  try {
    const table = await post("/api/tables", { game: game.name, ...request });
    remember(table.id, request.name || game.title);
    location.href = `/t/${table.id}${request.seats.includes("link") ? "#invite" : ""}`;
  } catch (error) {
    note(error.message);
  }
}

function againstBots(game) {
  const players = game.players[0];
  const seats = ["me", ...Array(players - 1).fill("greedy")];
  return start(game, { players, seats, name: game.title });
}

function seatRows(box, game, players) {
  fill(box, h("legend", {}, t("Seats")), Array.from({ length: players }, (_, seat) =>
    h("label", { class: "pair" }, h("span", {}, `${seat + 1}`),
      h("select", { name: "seat" }, KINDS.map((kind) =>
        h("option", { value: kind, selected: kind === (seat ? "greedy" : "me") }, t(SHOWN[kind])))))));
}

function setUp(game) {
  const dialog = byId("setup");
  const [low, high] = game.players;
  const seats = h("fieldset", {});
  const players = h("select", { onchange: () => seatRows(seats, game, Number(players.value)) },
    Array.from({ length: high - low + 1 }, (_, k) => h("option", { value: `${low + k}` }, `${low + k}`)));
  const options = game.options.map((option) =>
    h("label", { class: "pair", title: option.text }, h("span", {}, option.text || option.name),
      h("select", { name: option.name, class: "option" }, option.choices.map((choice) =>
        h("option", { value: JSON.stringify(choice), selected: choice === option.default }, `${choice}`.replaceAll("_", " "))))));
  const variants = game.variants.map((variant) =>
    h("label", { class: "tick" }, h("input", { type: "checkbox", value: variant.name, class: "variant" }), variant.title));
  const form = h("form", { method: "dialog" },
    h("h2", {}, game.title),
    h("label", { class: "pair" }, h("span", {}, t("Players")), players),
    seats,
    options.length ? h("fieldset", { class: "scroll" }, h("legend", {}, t("Options")), options) : null,
    variants.length ? h("fieldset", { class: "scroll" }, h("legend", {}, t("Variants")), variants) : null,
    h("div", { class: "buttons" },
      h("button", { class: "quiet", type: "button", onclick: () => dialog.close() }, "✕"),
      h("button", { type: "button", id: "begin", onclick: () => begin(game, form, Number(players.value)) }, t("Start the game"))));
  seatRows(seats, game, low);
  fill(dialog, form);
  dialog.showModal();
}

function begin(game, form, players) {
  const chosen = (selector) => [...form.querySelectorAll(selector)];
  const options = Object.fromEntries(
    chosen("select.option").map((select) => [select.name, JSON.parse(select.value)])
      .filter(([name, value]) => value !== game.options.find((o) => o.name === name).default));
  const variants = chosen("input.variant:checked").map((box) => box.value);
  const seats = chosen("select[name=seat]").map((select) => select.value);
  return start(game, { players, seats, options, variants, name: [game.title, ...variants].join(" + ") });
}

async function vary(game) {
  try {
    const draft = await post("/api/drafts", { game: game.name });
    location.href = `/a/${draft.id}`;
  } catch (error) {
    note(error.message);
  }
}

function card(game) {
  const [low, high] = game.players;
  const count = low === high ? `${low}` : `${low}–${high}`;
  return h("article", { class: "game", id: `game-${game.name}` },
    h("img", { src: `/api/games/${game.name}/picture.svg`, alt: "", loading: "lazy" }),
    h("div", { class: "body" },
      h("h2", {}, game.title),
      h("span", { class: "muted" }, `${t("Players")}: ${count}${game.variants.length ? ` · ${t("Variants")}: ${game.variants.length}` : ""}`),
      h("div", { class: "buttons" },
        h("button", { class: "bots", onclick: () => againstBots(game) }, t("Play against bots")),
        h("button", { class: "quiet more", onclick: () => setUp(game) }, t("Set up a table"))),
      h("div", { class: "links" },
        h("a", { href: `/rules/${game.name}` }, t("Read the rules")),
        h("button", { class: "link vary", onclick: () => vary(game) }, t("Write a house rule")),
        h("a", { href: `/simulate#${game.name}` }, t("Simulate")))));
}

async function openRecord(file) {
  try {
    const table = await post("/api/open", { record: await file.text(), name: file.name });
    remember(table.id, file.name);
    location.href = `/t/${table.id}`;
  } catch (error) {
    note(error.message);
  }
}

async function main() {
  translate();
  showTables();
  byId("open").addEventListener("change", (event) => openRecord(event.target.files[0]));
  const { texts } = await get("/api/texts");
  if (texts.length) {
    byId("texts").hidden = false;
    fill(byId("texts"), h("h1", {}, t("Your rule files")),
      texts.map((text) => h("p", {}, h("a", { href: `/a/${text.id}` }, text.name))));
  }
  const { games } = await get("/api/games");
  // The large games first.
  games.sort((a, b) => b.variants.length - a.variants.length || a.title.localeCompare(b.title));
  fill(byId("games"), games.map(card));
}

main();
