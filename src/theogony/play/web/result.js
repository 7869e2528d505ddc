/* The end of a game: who won, by what, and where the points come from. */
"use strict";

const joined = (names) => (names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names[0] || "Nobody");

function outcome(result, names) {
  if (result.cut_off) return "The game was cut off";
  if (result.cooperative) return result.won ? "Won together" : "Lost together";
  return `${joined(names.filter((_, seat) => result.places[seat] === 1))} won`;
}

function showResult(result, names) {
  $("result").hidden = !result;
  if (!result) return;
  const order = names.map((_, seat) => seat).sort((a, b) => result.places[a] - result.places[b] || a - b);
  const rows = order.map((seat) => make("tr", {},
    make("td", {}, result.cooperative ? "" : `${result.places[seat]}.`), make("td", {}, swatch(seat), names[seat]), make("td", {}, result.counted[seat])));
  $("result").replaceChildren(make("h2", {}, outcome(result, names)), ...(result.decided ? [make("p", { class: "decided" }, result.decided)] : []),
    make("table", {}, ...rows), ...(result.rows.length ? [account(result.rows, names, order)] : []));
}

/** A table with a line for each reason and a column for each seat. */
function account(rows, names, order) {
  const head = make("tr", {}, make("th", {}), ...order.map((seat) => make("th", { scope: "col", title: names[seat] }, swatch(seat), names[seat])));
  const lines = rows.map(([label, cells]) => make("tr", {}, make("th", { scope: "row" }, label), ...order.map((seat) => make("td", {}, cells[seat]))));
  return make("details", { open: "" }, make("summary", {}, "where it comes from"), make("div", { class: "wide" }, make("table", { class: "account" }, head, ...lines)));
}
