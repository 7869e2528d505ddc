/* The list of what may be done, with a field to find an action, and keys for the first of those that are shown. */
"use strict";

const TOLD = ["card", "upgrade card", "scenario", "faction", "bonus card", "favor tile", "town tile", "tile", "achievement", "special achievement"]; // kinds whose names do not say what they do
const LARGE = 12; // from so many choices on there is a field to find one

const choices = {
  shown: "",
  words: new Map(), // texts of the actions by id
  does: new Map(), // and what they do
  what: new Map(), // what is particular to them: what the thing does that lies where they are made
  learned: false, // whether that is known
  lands: {}, // where a piece comes to lie by them, see motion.js

  /** List actions, once for every decision; `decide` is called with the id of one. */
  list(decision, own, decide, lands = {}) {
    if (this.shown === decision) return false;
    this.shown = decision;
    this.lands = lands;
    this.words = new Map(own.map(([action, text]) => [action, text]));
    this.does = new Map(own.map(([action, , does]) => [action, does]));
    this.what = new Map();
    this.learned = false;
    $("filter").value = "";
    $("filter").style.visibility = own.length < LARGE ? "hidden" : "visible"; // it keeps its room
    $("choices").replaceChildren(...own.map(([action, text]) => this.button(action, text, decide)));
    $("choices").scrollTop = 0;
    this.filter();
    return true;
  },

  button(action, text, decide) {
    return make("button", {
      type: "button", "data-action": action, title: this.does.get(action) || null, onclick: () => decide(action),
      onmouseenter: () => this.point(action, true), onmouseleave: () => this.point(action, false),
      onfocus: () => this.point(action, true), onblur: () => this.point(action, false),
    }, make("kbd", { "aria-hidden": "true" }), make("span", {}, text, this.about(action)));
  },

  /** Show where an action is made, and how a piece would lie after it. */
  point(action, on) {
    board.point(action, on);
    motion.preview(on && this.lands[action]);
  },

  /** What lies where an action is made, `said` by action, is told at its button too. */
  explain(said) {
    const fresh = this.learn();
    for (const button of $("choices").children) {
      const action = Number(button.dataset.action);
      button.title = [this.does.get(action), said.get(action)].filter(Boolean).join("\n");
      if (fresh && this.what.has(action)) button.lastChild.append(this.about(action));
    }
  },

  /** What is particular to each action, once for every list. What several of them would say tells them not apart. */
  learn() {
    if (this.learned || !words.list.length) return false;
    this.learned = true;
    const found = new Map(), often = new Map();
    for (const place of board.places()) {
      const entry = panel.entry(panel.around(place));
      if (!entry || !entry.does || !TOLD.includes(entry.kind)) continue;
      for (const action of actionsOf(place)) if (!found.has(action)) found.set(action, entry);
    }
    for (const { does } of found.values()) often.set(does, (often.get(does) || 0) + 1);
    for (const [action, { kind, name, does }] of found) {
      if (often.get(does) > 1) continue;
      const named = kind !== "upgrade card" || (this.words.get(action) || "").includes(name);
      this.what.set(action, sentence(named ? does : `${name}: ${does}`));
    }
    return true;
  },

  about(action) {
    return this.what.has(action) ? make("small", {}, ...words.signed(this.what.get(action))) : null;
  },

  /** Whether there are so many that one looks for one. */
  many() { return this.words.size >= LARGE; },

  visible: () => [...$("choices").children].filter((button) => !button.hidden),

  /** Show those that hold what is looked for. Keys 1 to 9 are for the first of these. */
  filter() {
    const wanted = $("filter").value.trim().toLowerCase();
    for (const button of $("choices").children) {
      button.hidden = !(this.words.get(Number(button.dataset.action)) || "").toLowerCase().includes(wanted);
      button.firstChild.textContent = "";
    }
    this.visible().slice(0, 9).forEach((button, k) => { button.firstChild.textContent = String(k + 1); });
  },

  /** The k-th of those that are shown, from 1 on. */
  take(k) {
    const button = this.visible()[k - 1];
    if (button) button.click();
    return Boolean(button);
  },

  /** Enter in the field: the only one that is left is taken; of several the first gets the focus. */
  enter() {
    const left = this.visible();
    if (!$("filter").value.trim() || !left.length) return;
    if (left.length === 1) left[0].click();
    else left[0].focus();
  },
};

$("filter").addEventListener("input", () => choices.filter());
$("filter").addEventListener("keydown", (event) => {
  if (event.key === "Enter") { event.preventDefault(); choices.enter(); }
  if (event.key === "Escape") { $("filter").value = ""; choices.filter(); $("question").focus(); }
});
