/* What people at separate windows agree on: names, taking back, new games. Everything is said to the table by link.js. */
"use strict";

const wanted = () => ({ decision: game.decision });

const talk = {
  shown: "",
  asked: null, // the decision at which this seat asked the others for something that is open

  /** The wish of a seat, with what one may answer; and who may be asked to a new game. */
  draw() {
    const wish = game.wish, own = game.you !== null;
    const key = JSON.stringify([wish, game.opponents, game.seats, game.you]);
    $("rematch").hidden = !own || !game.result || !Object.keys(game.opponents).length;
    if (key === this.shown) return;
    this.shown = key;
    $("wish").hidden = !wish;
    const due = game.decision === streamed ? streamed : null; // null: what was agreed on is on its way
    if (!wish && this.asked !== null && this.asked === due) say("The others did not agree.");
    this.asked = wish && own && wish.seat === game.you ? game.decision : null;
    if (wish) $("wish").replaceChildren(this.said(wish), ...(own ? this.answers(wish) : []));
    $("new").hidden = !own || !Object.keys(game.opponents).length;
    $("opponents").replaceChildren(...game.seats.map((name, seat) => (name === "human" ? null : this.opponent(name, seat))).filter(Boolean));
  },

  said(wish) {
    const who = names()[wish.seat], others = wish.seats.filter((name) => name !== "human");
    const what = wish.kind === "undo" ? `take back ${wish.seat === game.you ? "your" : "their"} last decision` : `play anew${others.length ? ` against ${joined(others)}` : ""}`;
    return `${who} would like to ${what}. `;
  },

  answers(wish) {
    const answer = (agreed, text) => make("button", { type: "button", onclick: () => { this.asked = null; tableAsked("answer", { ...wanted(), agreed }); } }, text);
    if (wish.seat === game.you) return ["The others are asked. ", answer(false, "Never mind")];
    return wish.agreed.includes(game.you) ? ["You agree."] : [answer(true, "I agree"), " ", answer(false, "No")];
  },

  /** Somebody to play against in a seat, by name and strength. */
  opponent(name, seat) {
    const known = Object.entries(game.opponents);
    const all = known.some(([other]) => other === name) ? known : [[name, "as now"], ...known];
    const options = all.map(([other, about]) => make("option", { value: other, selected: other === name ? "" : null }, `${about} (${other})`));
    return make("label", {}, `Player ${seat + 1}`, make("select", { "data-seat": seat }, ...options));
  },

  again() {
    const seats = [...game.seats];
    for (const chosen of $("opponents").querySelectorAll("select")) seats[Number(chosen.dataset.seat)] = chosen.value;
    $("menus").close();
    return tableAsked("again", { ...wanted(), seats });
  },
};

/** Say something to the table, and see what came of it. */
function tableAsked(path, message) {
  return link.inTurn(async () => { say(""); take(await link.ask(path, message)); });
}

$("new").addEventListener("submit", (event) => { event.preventDefault(); talk.again(); });
$("rematch").addEventListener("click", () => talk.again());
$("called").value = localStorage.getItem("called") || "";
$("called").addEventListener("change", () => { localStorage.setItem("called", $("called").value); link.sit(false); });
