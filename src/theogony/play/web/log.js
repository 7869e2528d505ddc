/* The log: every decision and what came of it, a line each; clicked, or by Enter, it shows the picture of
 * that moment. Tab comes to one line, from there arrows go up and down. */
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
      const before = k ? moves[k - 1].seat : null;
      const story = (move.story || []).map((line) => make("span", { class: "story" }, ...words.signed(line)));
      const who = make("b", {}, swatch(move.seat), make("span", { class: move.seat === before ? "unseen" : null }, people.names[move.seat], ": "));
      list.append(make("li", { "data-ply": k + 1, "data-seat": move.seat },
        make("button", { type: "button", tabindex: -1, onclick: () => go(k + 1) },
          make("span", { class: "told" }, make("span", {}, who, move.text), ...story), note ? note(k) : null)));
    }
    if (!this.stop()) this.stopAt(list.lastElementChild);
  },

  mark(k) {
    const list = $("log");
    for (const item of list.querySelectorAll(".now")) { item.classList.remove("now"); item.firstElementChild.removeAttribute("aria-current"); }
    const item = list.children[k - 1];
    if (!item) return;
    item.classList.add("now");
    item.firstElementChild.setAttribute("aria-current", "true");
    if (!list.contains(document.activeElement)) this.stopAt(item);
    list.scrollTop = Math.max(0, item.offsetTop - list.offsetTop - list.clientHeight / 2);
  },

  /** The line to which Tab comes. */
  stop: () => $("log").querySelector("[tabindex='0']"),

  stopAt(item) {
    if (!item) return;
    if (this.stop()) this.stop().setAttribute("tabindex", "-1");
    item.firstElementChild.setAttribute("tabindex", "0");
  },

  /** To the next line up or down. */
  step(item, by) {
    const next = by < 0 ? item.previousElementSibling : item.nextElementSibling;
    if (!next) return;
    this.stopAt(next);
    next.firstElementChild.focus();
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

/** Beside a decision the log is folded to its last two lines, so that the list of actions has the room; a click opens it. */
const fold = {
  open: null, // until it is asked for: a replay page may keep nothing

  draw(beside) {
    this.open ??= localStorage.getItem("log") === "open";
    const folded = beside && !this.open;
    $("unfold").hidden = !beside;
    $("unfold").textContent = folded ? "▴" : "▾";
    $("unfold").setAttribute("aria-expanded", String(!folded));
    if ($("past").classList.contains("folded") === folded) return;
    $("past").classList.toggle("folded", folded);
    const list = $("log"), item = list.querySelector(".since, .now");
    if (!folded && item) list.scrollTop = Math.max(0, item.offsetTop - list.offsetTop);
  },

  turn() {
    this.open = !this.open;
    localStorage.setItem("log", this.open ? "open" : "folded");
    this.draw(true);
  },
};

if ($("unfold")) $("unfold").addEventListener("click", () => fold.turn());
$("log").addEventListener("focusin", (event) => { // for who comes by keys all lines are there
  if ($("log").closest(".folded") && event.target.matches(":focus-visible")) fold.turn();
});
$("log").addEventListener("click", (event) => { // what is folded opens first
  if (!event.isTrusted || document.body.dataset.shape !== "beside" || !$("log").closest(".folded")) return;
  event.stopPropagation();
  fold.turn();
}, true);

$("log").addEventListener("keydown", (event) => {
  const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (!by) return;
  event.preventDefault();
  log.step(event.target.closest("li"), by);
});
