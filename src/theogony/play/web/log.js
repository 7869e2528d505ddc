/* The log: every decision and what came of it, a line each; a click shows the picture of that moment. */
"use strict";

/** `moves[k - 1]` led to the position after k decisions. */
const log = {
  own: null, // the last decision of one's own from which on everything is new

  fill(moves, from, go, note) {
    const list = $("log");
    this.unmark();
    while (list.children.length > from) list.lastChild.remove();
    for (let k = from; k < moves.length; k++) {
      const move = moves[k];
      const story = (move.story || []).map((line) => make("span", { class: "story" }, ...words.signed(line)));
      list.append(make("li", { onclick: () => go(k + 1), "data-ply": k + 1, "data-seat": move.seat },
        make("b", {}, swatch(move.seat), `P${move.seat}`), make("span", { class: "told" }, make("span", {}, move.text), ...story), note ? note(k) : null));
    }
  },

  mark(k) {
    const list = $("log");
    for (const item of list.querySelectorAll(".now")) item.classList.remove("now");
    const item = list.children[k - 1];
    if (!item) return;
    item.classList.add("now");
    list.scrollTop = Math.max(0, item.offsetTop - list.offsetTop - list.clientHeight / 2);
  },

  unmark() {
    for (const item of $("log").querySelectorAll(".since")) { item.classList.remove("since"); item.removeAttribute("data-head"); }
  },

  /** All that happened since a seat decided last stands out, and is shown from its beginning. */
  since(seat) {
    const list = $("log"), items = [...list.children];
    let first = items.length;
    while (first > 0 && Number(items[first - 1].dataset.seat) !== seat) first--;
    const fresh = items.slice(first);
    this.unmark();
    if (!fresh.length) return;
    for (const item of fresh) item.classList.add("since");
    fresh[0].dataset.head = first ? "Since your last move" : "So far";
    list.scrollTop = Math.max(0, fresh[0].offsetTop - list.offsetTop);
  },
};
