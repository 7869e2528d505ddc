/* The end of a game: who won, by what, where the points come from, the winner's board, and where the game turned. */
"use strict";

const joined = (names) => (names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names[0] || "Nobody");
const SHORT = 12; // rows of an account beneath which the course of the game has room
let ended = ""; // the result that is shown

function outcome(result, names) {
  if (result.cut_off) return "The game was cut off";
  if (result.cooperative) return `${names.length === 1 ? names[0] : names.includes("You") ? "Your team" : "The team"} ${result.won ? "won" : "lost"}`;
  return `${joined(names.filter((_, seat) => result.places[seat] === 1))} won`;
}

/** Whether this is the table of somebody who has played, not only looked on. */
const played = () => document.body.dataset.page === "play" && Boolean(game) && game.you !== null;

/** What the buttons beside the board do, where the result lies above them: at its top, where nothing moves them. */
function further() {
  const of = (id, text) => make("button", { type: "button", onclick: () => { whole(false); $(id).click(); } }, text);
  return [Object.keys(game.opponents || {}).length ? of("rematch", "Play again") : null, of("review", "See it from the start")];
}

/** Show how a game has ended. To who has played that fills the window by itself, once. */
function showResult(result, names) {
  const now = result ? JSON.stringify([result, names]) : "", first = !ended;
  if (now === ended) return;
  ended = now;
  $("result").hidden = !result;
  if (!result) { $("result").classList.remove("whole"); return; }
  const order = names.map((_, seat) => seat).sort((a, b) => result.places[a] - result.places[b] || a - b);
  const rows = order.map((seat) => make("tr", {},
    make("td", {}, result.cooperative ? "" : `${result.places[seat]}.`), make("td", {}, swatch(seat), names[seat]), make("td", {}, result.counted[seat])));
  const wider = make("button", { type: "button", class: "wider", "aria-pressed": "false", onclick: () => whole(!$("result").classList.contains("whole")) }, "Larger");
  const course = make("div", { id: "course" }), short = result.rows.length <= SHORT;
  $("result").replaceChildren(make("div", { class: "top" }, make("h2", {}, outcome(result, names)), ...(played() ? further() : []), wider),
    make("div", {}, ...(result.decided ? [make("p", { class: "decided" }, result.decided)] : []),
      make("table", {}, ...rows), ...(result.rows.length ? [account(result.rows, names, order)] : []), short ? course : null),
    make("div", { class: "ending" }, boards(result, names, order), short ? null : course));
  whole(first ? played() : $("result").classList.contains("whole"));
}

/** The result over the whole window, where a column for each seat has room; or back beside the board. */
function whole(on) {
  const button = $("result").querySelector(".wider");
  $("result").classList.toggle("whole", on);
  panel.hide();
  motion.end();
  button.replaceChildren(...(on ? ["See the board", make("span", { class: "key" }, " (Esc)")] : ["Larger"]));
  button.setAttribute("aria-pressed", String(on));
}

document.addEventListener("keydown", (event) => { if (event.key === "Escape" && $("result").classList.contains("whole")) whole(false); });

/** The winner's area and one's own, beside each other where they are not wide. */
function boards(result, names, order) {
  const parts = partsOf(board.shown), you = names.indexOf("You"), first = result.cooperative && you >= 0 ? you : order[0];
  const both = [...new Set([first, you >= 0 ? you : first])].map((seat) => boardOf(parts.get(`seat ${seat}`), seat, seat === you ? "Your board" : `The board of ${names[seat]}`)).filter(Boolean);
  const wide = both.some((one) => ((box) => box.width > 1.3 * box.height)(one.lastChild.viewBox.baseVal));
  return make("div", { class: `boards${both.length > 1 ? (wide ? " below" : " beside") : ""}` }, ...both);
}

/** The area of a seat as it stands at the end, to be looked at. */
function boardOf(part, seat, title) {
  const svg = part && asPicture(part); // whole, also where the board shows its top alone
  if (!svg) return null;
  const own = { ...part, node: svg }, room = window.innerWidth * (window.innerWidth > 900 ? 0.44 : 0.9); // pixels of a column
  folded(own, Math.floor((room * own.smallest) / LEAST)); // so that its texts can be read
  svg.setAttribute("viewBox", `0 0 ${own.width} ${own.height}`);
  for (const node of [svg, ...svg.querySelectorAll("*")]) {
    for (const { name } of [...node.attributes]) if (name.startsWith("data-") || ["tabindex", "role", "style"].includes(name)) if (!["data-own", "data-piece"].includes(name)) node.removeAttribute(name); // those tell what is dark by night
  }
  return make("figure", {}, make("figcaption", { class: "quiet" }, title), motion.apart(svg, `end-${seat}`));
}

/** A table with a line for each reason and a column for each seat. */
function account(rows, names, order) {
  const head = make("tr", {}, make("th", {}), ...order.map((seat) => make("th", { scope: "col", title: names[seat] }, swatch(seat), names[seat])));
  const lines = rows.map(([label, cells]) => make("tr", {}, make("th", { scope: "row" }, label), ...order.map((seat) => make("td", {}, cells[seat]))));
  return make("details", { open: "" }, make("summary", {}, "details"), make("div", { class: "wide" }, make("table", { class: "account" }, head, ...lines)));
}

/** Where the game turned, as a search sees it that knows what the seat knew: what it expected at each of its decisions,
 *  and those after which it expected clearly more or less. What became of it stands at the end. */
function showCourse({ measure, seat, points, turns, end }, count, go) {
  const told = EXPECTED[measure][0], gained = (before, after) => (measure === "place" ? before > after : after > before), seats = names().length, rows = Array.from({ length: count + 1 }, () => names().map(() => null));
  let known = null, next = 0;
  rows.forEach((row, k) => { while (next < points.length && points[next][0] <= k) known = points[next++][1]; row[seat] = known; });
  if (end !== null && end !== undefined) rows[count][seat] = end;
  const values = rows.map((row) => row[seat]).filter((value) => value !== null);
  const figure = chart(COUNTS[measure], rows, seats, count, go, ...ENDS[measure](values, seats));
  $("course").replaceChildren(...(figure ? [make("h3", {}, "Where the game turned"), figure] : []),
    make("ol", {}, ...turns.map(([ply, text, before, after]) => make("li", {}, make("button", { type: "button", onclick: () => go(ply) }, `${text} `, make("span", { class: "quiet" }, `decision ${ply}: ${told(before, 0)} → ${told(after, 0)} `, make("b", {}, gained(before, after) ? "better" : "worse")))))));
}
