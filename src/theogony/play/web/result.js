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
  $("result").classList.remove("whole");
  if (!result) return;
  const order = names.map((_, seat) => seat).sort((a, b) => result.places[a] - result.places[b] || a - b);
  const rows = order.map((seat) => make("tr", {},
    make("td", {}, result.cooperative ? "" : `${result.places[seat]}.`), make("td", {}, swatch(seat), names[seat]), make("td", {}, result.counted[seat])));
  const wider = make("button", { type: "button", class: "wider", "aria-pressed": "false", onclick: () => whole(!$("result").classList.contains("whole")) }, "Larger");
  $("result").replaceChildren(wider, make("h2", {}, outcome(result, names)), ...(result.decided ? [make("p", { class: "decided" }, result.decided)] : []),
    make("table", {}, ...rows), ...(result.rows.length ? [account(result.rows, names, order)] : []));
}

/** The result over the whole window, where a column for each seat has room; or back beside the board. */
function whole(on) {
  const button = $("result").querySelector(".wider");
  $("result").classList.toggle("whole", on);
  button.textContent = on ? "Smaller" : "Larger";
  button.setAttribute("aria-pressed", String(on));
}

document.addEventListener("keydown", (event) => { if (event.key === "Escape" && $("result").classList.contains("whole")) whole(false); });

/** A table with a line for each reason and a column for each seat. */
function account(rows, names, order) {
  const head = make("tr", {}, make("th", {}), ...order.map((seat) => make("th", { scope: "col", title: names[seat] }, swatch(seat), names[seat])));
  const lines = rows.map(([label, cells]) => make("tr", {}, make("th", { scope: "row" }, label), ...order.map((seat) => make("td", {}, cells[seat]))));
  return make("details", { open: "" }, make("summary", {}, "where it comes from"), make("div", { class: "wide" }, make("table", { class: "account" }, head, ...lines)));
}
