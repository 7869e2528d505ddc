/* The list of what may be done, with a field to find an action, and keys for the first of those that are shown. */
"use strict";

const TOLD = ["card", "upgrade card", "scenario", "faction", "bonus card", "favor tile", "town tile", "tile", "achievement", "special achievement", "god"]; // kinds whose names do not say what they do
const TILE = /^(piece:tile$|tile:)/; // what is shown small at its action; texts of others would be too small to read
const LARGE = 12; // from so many choices on there is a field to find one, and moves of one kind stand together
const CLOSED = 20; // from so many on their kinds are closed at first
const ALIKE = 3; // moves that make a kind of their own

const choices = {
  shown: "",
  turn: "", // the turn of the decision that is shown
  words: new Map(), // texts of the actions by id
  does: new Map(), // and what they do
  notes: new Map(), // and what they cost or bring there and then
  what: new Map(), // what is particular to them: what the thing does that lies where they are made
  learned: false, // whether that is known
  lands: {}, // where a piece comes to lie by them, see motion.js
  open: new Set(), // names of kinds that are open
  counted: null, // the kind in which keys 1 to 9 count; null: in all that is shown

  /** List actions, once for every decision; `decide` is called with the id of one. Within a turn kinds stay open. */
  list(decision, turn, own, decide, { lands = {}, kinds = [] } = {}) {
    if (this.shown === decision) return false;
    const same = turn === this.turn;
    Object.assign(this, { shown: decision, turn, lands, what: new Map(), learned: false });
    this.words = new Map(own.map(([action, text]) => [action, text]));
    this.does = new Map(own.map(([action, , does]) => [action, does]));
    this.notes = new Map(own.filter((one) => one[3]).map(([action, , , note]) => [action, note]));
    $("filter").value = "";
    const parts = this.grouped(own.map(([action, text]) => this.button(action, text, decide)), kinds);
    const closed = own.length >= CLOSED, names = parts.heads.map(({ dataset }) => dataset.kind);
    this.counted = same && names.includes(this.counted) ? this.counted : null;
    this.open = new Set(closed ? (same ? names.filter((name) => this.open.has(name)) : []) : names);
    $("choices").replaceChildren(...parts.all);
    $("choices").scrollTop = 0;
    this.filter();
    return true;
  },

  /** Buttons with a head above many of one kind; what is alone of its kind comes first, what ends a turn last. */
  grouped(buttons, kinds) {
    const alone = [], many = [], last = [], heads = [];
    let from = 0;
    for (const [name, does, number, ends] of kinds) {
      const these = buttons.slice(from, (from += number));
      if (number < ALIKE || buttons.length < LARGE || kinds.length < 2 || $("flaton").checked) { (ends ? last : alone).push(...these); continue; }
      for (const button of these) button.dataset.of = name;
      heads.push(this.head(name, does, number));
      (ends ? last : many).push(heads.at(-1), ...these);
    }
    return { all: kinds.length ? [...alone, ...many, ...last] : buttons, heads };
  },

  /** The head of a kind, which opens and closes it. */
  head(name, does, number) {
    return make("button", { type: "button", class: "kind", "data-kind": name, title: does ? sentence(does) : null, onclick: () => this.toggle(name) },
      make("kbd", { "aria-hidden": "true" }), make("span", {}, `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`), make("span", { class: "number" }, String(number)));
  },

  /** Open a kind, and close the others of a long list; or close it. Keys 1 to 9 count within the one that was opened. */
  toggle(name) {
    const on = !this.open.has(name);
    if (on && this.words.size >= CLOSED) this.open.clear();
    if (on) this.open.add(name);
    else this.open.delete(name);
    this.counted = on ? name : null;
    this.filter();
    const head = on && this.all().find((one) => one.dataset.kind === name);
    if (head) $("choices").scrollTop = head.offsetTop - $("choices").offsetTop;
  },

  /** Close what a key has opened; false where there is nothing. */
  back() {
    if (this.counted === null) return false;
    if (this.words.size >= CLOSED) this.open.clear();
    this.counted = null;
    this.filter();
    return true;
  },

  button(action, text, decide) {
    const note = this.notes.get(action);
    return make("button", {
      type: "button", "data-action": action, title: this.does.get(action) || null, onclick: () => decide(action),
      onmouseenter: () => this.point(action, true), onmouseleave: () => this.point(action, false),
      onfocus: () => this.point(action, true), onblur: () => this.point(action, false),
    }, make("kbd", { "aria-hidden": "true" }), this.turned(action), make("span", {}, text,
      note ? make("em", { class: note.startsWith("careful") ? "careful" : null }, ...words.signed(note)) : null, this.about(action)));
  },

  /** Actions come first in the order in which a search likes them, with what it expects of each and what that leads to. */
  advise(options) {
    for (const told of $("choices").querySelectorAll(".worth, .leads")) told.remove();
    const buttons = new Map(this.moves().map((button) => [Number(button.dataset.action), button]));
    const liked = options.filter(({ action }) => buttons.has(action)).map(({ action, worth, leads }) => {
      const button = buttons.get(action), words = button.lastChild;
      delete button.dataset.of;
      words.insertBefore(make("em", { class: "worth" }, worth), words.children[0] || null);
      if (leads) words.append(make("small", { class: "leads" }, leads));
      return button;
    });
    const focused = document.activeElement;
    $("choices").prepend(...liked);
    if ($("choices").contains(focused)) focused.focus(); // what moves loses it
    $("choices").scrollTop = 0;
    $("filter").value = "";
    this.counted = null;
    this.filter();
  },

  /** The tile that an action lays, as it would lie, that it pushes into the hand, or takes; null where there is none. */
  turned(action) {
    const lands = this.lands[action] || [], turns = Object.values(this.lands).some((moved) => moved[0] && moved[0][2]);
    const [from, , degrees] = lands.find(([, to]) => to === "hand") || (lands.length === 1 && turns ? lands[0] : []);
    if (!from) return lands.length ? null : this.tile(action);
    const place = $("board").querySelector(`[data-place="${CSS.escape(from)}"]`);
    return place && place.querySelector("[data-piece]") && motion.thumb(place, degrees);
  },

  /** The tile that lies where an action is made. */
  tile(action) {
    const found = board.places().find((place) => actionsOf(place).includes(action)), tile = found && panel.around(found);
    return tile && TILE.test(tile.dataset.word) && tile.closest("[data-place]") === found ? motion.thumb(found) : null;
  },

  /** Texts of the actions with what they cost or bring, by id. */
  told() { return new Map([...this.words].map(([action, text]) => [action, this.notes.has(action) ? `${text} (${this.notes.get(action)})` : text])); },

  /** Show where an action is made, and how a piece would lie after it. */
  point(action, on) {
    board.point(action, on);
    motion.preview(on && this.lands[action]);
  },

  /** What lies where an action is made, `said` by action, is told at its button too. */
  explain(said) {
    const fresh = this.learn();
    for (const button of this.moves()) {
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

  all: () => [...$("choices").children],
  moves() { return this.all().filter((button) => button.dataset.action); },
  visible() { return this.all().filter((button) => !button.hidden); },

  /** Show those that hold what is looked for, without their heads; else what is open. Keys 1 to 9 are for the first of these. */
  filter() {
    const wanted = $("filter").value.trim().toLowerCase();
    for (const button of this.all()) {
      const { action, of, kind } = button.dataset;
      if (kind) button.setAttribute("aria-expanded", String(this.open.has(kind)));
      const found = action && (this.words.get(Number(action)) || "").toLowerCase().includes(wanted);
      button.hidden = wanted ? !found : Boolean(of) && !this.open.has(of);
      button.firstChild.textContent = "";
    }
    this.numbered().slice(0, 9).forEach((button, k) => { button.firstChild.textContent = String(k + 1); });
  },

  /** What keys are for: the moves that are shown and kinds that are closed, or the moves of the kind that was opened. */
  numbered() {
    const shown = this.visible().filter(({ dataset }) => !dataset.kind || !this.open.has(dataset.kind));
    return this.counted !== null && !$("filter").value.trim() ? shown.filter(({ dataset }) => dataset.of === this.counted) : shown;
  },

  /** The k-th of those that have a key, from 1 on. */
  take(k) {
    const button = this.numbered()[k - 1];
    if (button) button.click();
    return Boolean(button);
  },

  /** From one to the next that is shown. */
  step(from, by) {
    const shown = this.visible();
    shown[(shown.indexOf(from) + by + shown.length) % shown.length].focus();
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
