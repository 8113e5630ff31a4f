// Two games side by side: bars with intervals, and a table of what differs beyond chance.

import { bars, legend } from "./charts.js";
import { h } from "./dom.js";
import { t } from "./words.js";

// Rows of a section that are drawn; the table has all of them.
const MOST_BARS = 12;

const number = (value, share) => (share ? `${(100 * value).toFixed(1)} %` : value.toFixed(2));
const interval = (one, share) => `${number(one.value, share)} [${number(one.low, share)}, ${number(one.high, share)}]`;

function section(one, titles) {
  const drawn = one.rows.slice(0, MOST_BARS);
  const share = drawn[0].is_share;
  const series = ["one", "two"].map((side) => ({
    values: drawn.map((row) => row[side].value),
    intervals: drawn.map((row) => [row[side].low, row[side].high]),
  }));
  const most = Math.max(1e-9, ...series.flatMap((each) => each.intervals.map(([, high]) => high)));
  return h("div", { class: "chart balance" }, h("h2", {}, t(one.title)),
    bars(drawn.map((row) => row.name), series, most, (value) => number(value, share)), legend(titles),
    h("div", { class: "scroll" }, h("table", {},
      h("thead", {}, h("tr", {}, ["", ...titles, t("difference")].map((word) => h("th", {}, word)))),
      h("tbody", {}, one.rows.map((row) => h("tr", { class: row.differs ? "differs" : "" }, h("td", {}, row.name),
        [row.one, row.two, row.difference].map((each) => h("td", {}, interval(each, row.is_share)))))))));
}

export const compared = (found) => [
  h("p", { class: "muted" }, `${found.games} ${t("games")} · ${found.policy} · ${t("Intervals are 95 % intervals; what differs beyond them is bold.")}`),
  ...found.sections.map((one) => section(one, found.titles)),
];
