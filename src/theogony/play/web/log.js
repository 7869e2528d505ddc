/* The list of decisions. */
"use strict";

/** The list of decisions: `moves[k - 1]` led to k. */
const log = {
  fill(moves, from, go, note) {
    const list = $("log");
    while (list.children.length > from) list.lastChild.remove();
    for (let k = from; k < moves.length; k++) {
      const move = moves[k];
      list.append(make("li", { onclick: () => go(k + 1), "data-ply": k + 1 },
        make("b", {}, swatch(move.seat), `P${move.seat}`), make("span", {}, move.text), note ? note(k) : null));
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
};
