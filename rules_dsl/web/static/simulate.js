// Many games at once: what they come to, and how a variant changes that.

import { compared } from "./balance.js";
import { bars, histogram, legend } from "./charts.js";
import { byId, fill, get, h, note, post } from "./dom.js";
import { follow, stop } from "./jobs.js";
import { t, translate } from "./words.js";

// Games in which every move is looked at, which takes longer than counting results.
const MOST_COMPARED = 200;

let games = [];
let job = null;

const options = (values, shown = (x) => x) => values.map((value) => h("option", { value: `${value}` }, `${shown(value)}`));

function form() {
  const game = h("select", { id: "game" }, games.map((one) => h("option", { value: one.name, selected: `#${one.name}` === location.hash }, one.title)));
  const players = h("select", { id: "players" });
  const versus = h("select", { id: "versus" });
  const policy = h("select", { id: "policy" }, options(["random", "greedy"], t));
  const count = h("input", { id: "count", type: "number", min: "2", max: "100000", value: "1000" });
  const refresh = () => {
    const one = games.find((other) => other.name === game.value);
    const [low, high] = one.players;
    fill(players, options(Array.from({ length: high - low + 1 }, (_, k) => low + k)));
    fill(versus, h("option", { value: "" }, t("nothing")), one.variants.map((variant) => h("option", { value: variant.name }, variant.title)));
  };
  game.addEventListener("change", refresh);
  refresh();
  const field = (name, input) => h("label", {}, t(name), input);
  fill(byId("form"), field("Game", game), field("Players", players), field("Compare with", versus), field("Policy", policy), field("Number of games", count),
    h("button", { id: "run", onclick: run }, t("Run")));
}

// Ask for work and follow it to its end.
async function done(what, more) {
  const request = { game: byId("game").value, players: Number(byId("players").value),
    games: Number(byId("count").value), policy: byId("policy").value, ...more };
  ({ job } = await post(`/api/${what}`, request));
  const told = await follow(job, ({ progress }) => {
    if (progress.total) {
      byId("bar").max = progress.total;
      byId("bar").value = progress.done;
    }
  });
  if (told.state !== "done") throw new Error(told.message || t("stopped"));
  return told.result;
}

async function run() {
  byId("run").disabled = true;
  byId("progress").hidden = false;
  fill(byId("charts"));
  try {
    const versus = byId("versus");
    const results = [await done("simulations", {})];
    if (versus.value) {
      const variants = [versus.value];
      results.push(await done("simulations", { variants }));
      show(results, [results[0].title, versus.selectedOptions[0].textContent]);
      byId("charts").append(...compared(await done("comparisons", { variants, games: Math.min(Number(byId("count").value), MOST_COMPARED) })));
    } else show(results, [results[0].title]);
  } catch (error) {
    note(error.message);
  }
  byId("run").disabled = false;
  byId("progress").hidden = true;
}

const chart = (title, ...parts) => h("div", { class: "chart" }, h("h2", {}, t(title)), parts);

function show(results, titles) {
  const { names } = results[0];
  const series = (values, intervals) => results.map((r) => ({ values: r[values], intervals: r[intervals] }));
  const mean = Math.max(...results.flatMap((r) => r.score_intervals.map(([, high]) => high)), 1);
  const share = Math.max(...results.flatMap((r) => r.share_intervals.map(([, high]) => high)));
  const key = titles.length > 1 ? legend(titles) : null;
  const seats = (r) => r.scores.map((counts, seat) => ({ name: names[seat], counts }));
  fill(byId("charts"),
    chart("Share of wins", bars(names, series("win_share", "share_intervals"), share, (v) => `${(100 * v).toFixed(1)} %`), key),
    chart("Mean score", bars(names, series("mean_scores", "score_intervals"), mean, (v) => v.toFixed(2)), key && legend(titles)),
    chart("Length of a game", histogram(results.map((r, k) => ({ name: titles[k], counts: r.length_counts }))), h("span", { class: "muted" }, t("decisions")), key && legend(titles)),
    results.map((r, k) => chart("Scores", histogram(seats(r)), legend(names), h("span", { class: "muted" }, titles[k]))));
}

async function main() {
  translate();
  ({ games } = await get("/api/games"));
  games.sort((a, b) => b.variants.length - a.variants.length || a.title.localeCompare(b.title));
  form();
  byId("stop").addEventListener("click", () => job && stop(job));
}

main().catch((error) => note(error.message));
