/* The list of what may be done, with a field to find an action, and keys for the first of those that are shown. */
"use strict";

const LARGE = 12; // from so many choices on there is a field to find one

const choices = {
  shown: "",
  words: new Map(), // texts of the actions by id
  does: new Map(), // and what they do
  lands: {}, // where a piece comes to lie by them, see motion.js

  /** List actions, once for every decision; `decide` is called with the id of one. */
  list(decision, own, decide, lands = {}) {
    if (this.shown === decision) return false;
    this.shown = decision;
    this.lands = lands;
    this.words = new Map(own.map(([action, text]) => [action, text]));
    this.does = new Map(own.map(([action, , does]) => [action, does]));
    $("filter").value = "";
    $("filter").hidden = false;
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
    }, make("kbd", { "aria-hidden": "true" }), make("span", {}, text));
  },

  /** Show where an action is made, and how a piece would lie after it. */
  point(action, on) {
    board.point(action, on);
    motion.preview(on && this.lands[action]);
  },

  /** What lies where an action is made, `said` by action, is told at its button too. */
  explain(said) {
    for (const button of $("choices").children) {
      const action = Number(button.dataset.action);
      button.title = [this.does.get(action), said.get(action)].filter(Boolean).join("\n");
    }
  },

  visible: () => [...$("choices").children].filter((button) => !button.hidden),

  /** Show those that hold what is looked for. Keys 1 to 9 are for the first of these. */
  filter() {
    const wanted = $("filter").value.trim().toLowerCase();
    for (const button of $("choices").children) {
      button.hidden = !button.lastChild.textContent.toLowerCase().includes(wanted);
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
