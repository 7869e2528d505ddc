/* The picture: shown part by part, pointed at, explained, and the menu of a place where several actions are made. */
"use strict";

const HOLE = 40; // what a part may keep of the room that it has needed, in its own measure
const TOLD_HIGH = 190; // pixels that an explanation needs at most times
const FINGER = 40; // pixels: the side of a target that a finger meets

const actionsOf = (place) => place.getAttribute("data-actions").split(" ").map(Number);

/** The parts of a picture by name, still as text; a picture without parts is one part. Only what a picture shows anew
 *  is read: of a large one that is little. */
function partsOf(svg) {
  const root = /<svg\b[^>]*>/.exec(svg)[0], found = [], tag = /<(\/?)g\b[^>]*>/g;
  for (let depth = 0, region = null, one; (one = tag.exec(svg)); ) {
    if (one[1]) depth--;
    if (one[1] && region && depth === region.depth) { region.text = region.open.replace(/ transform="[^"]*"/, "") + svg.slice(region.start, tag.lastIndex); region = null; }
    if (one[1] || one[0].endsWith("/>")) continue;
    if (!region && one[0].includes("data-region=")) found.push((region = { start: tag.lastIndex, open: one[0], depth }));
    depth++;
  }
  const heads = found.map(({ open }) => `${open.slice(0, -1)}/>`).join("");
  const read = new DOMParser().parseFromString(`${root.replace(/\/>$/, ">")}${heads}</svg>`, "image/svg+xml").documentElement;
  const font = read.getAttribute("font-family"), ink = read.getAttribute("fill"), smallest = Number(read.getAttribute("data-smallest")) || TEXT, whole = `${read.getAttribute("width")} ${read.getAttribute("height")}`;
  if (!found.length) found.push({ text: svg.slice(svg.indexOf(root) + root.length, svg.lastIndexOf("</svg>")) });
  return new Map(found.map(({ text }, k) => {
    const told = (name) => read.children[k] && read.children[k].getAttribute(`data-${name}`);
    const [width, height] = (told("size") || whole).split(" ").map(Number), name = told("region") || "board";
    return [name, { name, width, height, main: told("main") !== null, passing: told("passing") !== null, pinned: told("pinned") !== null, behind: told("behind") !== null, tint: told("tint"), tally: told("tally"), beside: Number(told("beside")) || 0, brief: Number(told("brief")) || 0, text, font, ink, smallest }];
  }));
}

/** A part as a picture of its own. */
function asPicture({ text, font, ink }) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  if (font) node.setAttribute("font-family", font);
  if (ink) node.setAttribute("fill", ink);
  node.setAttribute("preserveAspectRatio", "xMinYMin meet");
  node.innerHTML = text;
  return node;
}

const board = {
  shown: "",
  turn: null, // the name of the one that is shown
  whole: [], // the parts as they were drawn, whatever the window
  said: null, // what is said of the places of actions in this picture, by action
  own: null, // the part of the seat that one has
  parts: new Map(), // by name: width, and the greatest height so far
  slots: new Map(), // where each part is shown
  drawn: new Map(), // what was drawn of it last

  /** Show a picture. What was not in the last one appears softly. The name of a turn changes when somebody else has
   *  decided: then parts that have become smaller leave no holes. Within a turn all keep their room. */
  show(svg, turn = null) {
    if (svg === this.shown) return;
    this.shown = svg;
    this.said = null;
    const found = partsOf(svg);
    this.state(found.get("head"));
    this.tally([...found.values()]);
    found.delete("head");
    this.whole = [...found.values()].map(({ name, main, width, smallest, beside }) => ({ name, main, width, smallest, beside }));
    layout.shape(this.whole);
    const marked = this.parts.size && new Set([...$("board").querySelectorAll("[data-changed]")].map((place) => place.dataset.place));
    const from = motion.start();
    const anew = turn !== null && turn !== this.turn;
    if (anew) this.turn = turn;
    if (anew && layout.fitted && $("board").scrollHeight > $("board").clientHeight + HOLE) layout.scaled = null; // all that was in sight has grown
    const held = $("board").contains(document.activeElement) && document.activeElement.dataset.place;
    if (anew) this.loosen(found);
    for (const part of found.values()) this.keep(part, marked);
    for (const [name, slot] of this.slots) {
      if (!found.has(name) && (this.parts.get(name).passing || (anew && !this.parts.get(name).main))) { this.forget(name); continue; }
      slot.classList.toggle("empty", !found.has(name)); // it keeps its room, so that nothing below it moves
      if (found.has(name)) continue;
      slot.firstElementChild.replaceChildren();
      this.drawn.delete(name);
    }
    this.arrange();
    this.inHand();
    closeMenu();
    if (held) this.hold(held);
    if (panel.beside && !panel.beside.isConnected) panel.hide();
    motion.land(from);
  },

  /** What is in hand, which a phone shows below the own seat. */
  inHand() {
    const place = $("board").querySelector('[data-place="hand"]'), piece = place && place.querySelector("[data-piece]");
    if (!$("held")) return;
    $("held").hidden = !piece;
    $("held").replaceChildren(...(piece ? ["In hand", motion.thumb(place)] : []));
  },

  /** Show the same picture in a window of another kind, which has its parts in other sizes. */
  again() {
    const svg = this.shown;
    this.shown = "";
    for (const kept of [this.parts, this.drawn, this.slots]) kept.clear();
    if (svg) this.show(svg);
    if (typeof draw === "function") draw(); // a table says again what can be done where
  },

  /** The focus stays on the place on which it was in the last picture, if that can still be clicked. */
  hold(name) {
    const place = this.named(name);
    if (place) place.setAttribute("tabindex", "0");
    (place || $("question") || $("board")).focus({ preventScroll: true });
  },

  /** What the picture says at its head: how the game stands, and the last decision. */
  state(head) {
    const said = head ? [...asPicture(head).querySelectorAll("text")].slice(1).map((line) => line.textContent) : [];
    $("board").setAttribute("aria-description", said.join(". "));
    $("state").replaceChildren(...said.filter(Boolean).map((line) => make("span", {}, line)));
  },

  /** The points of all, whose seats may be out of sight. */
  tally(parts) {
    const told = ({ name, tally }) => make("span", {}, swatch(Number(name.slice(5))), make("span", { class: "who" }, `${name === this.own ? "You" : this.label(name)}: `), make("b", {}, tally.split(" ")[0], make("span", { class: "who" }, ` ${tally.split(" ").slice(1).join(" ")}`)));
    if ($("tally")) $("tally").replaceChildren(...parts.filter(({ tally }) => tally).map(told));
  },

  /** Parts that need much less room than they have had get what they need. */
  loosen(found) {
    for (const [name, part] of this.parts) {
      const need = found.has(name) && this.drawn.get(name) === found.get(name).text ? part.own : 0;
      if (part.height - need <= HOLE) continue;
      part.height = need;
      this.drawn.delete(name);
    }
  },

  /** A part goes to its slot. The room of the highest one so far is kept: nothing moves while one decides. */
  keep(part, marked) {
    const { name, text } = part;
    if (this.drawn.get(name) === text) return; // as it was: nothing is read, laid out or painted again
    this.drawn.set(name, text);
    const node = (part.node = asPicture(part));
    layout.fold(part);
    layout.shorten(part);
    if (marked) this.freshen(node, marked);
    const old = this.parts.get(name), height = Math.max(old ? old.height : 0, part.height);
    this.parts.set(name, { name, width: part.width, height, own: part.height, main: part.main, passing: part.passing, behind: part.behind, smallest: part.smallest, beside: part.beside, brief: part.brief });
    if (part.tint) document.body.style.setProperty(`--seat-${name.slice(5)}`, part.tint);
    node.setAttribute("viewBox", `0 0 ${part.width} ${height}`);
    node.setAttribute("role", "graphics-document");
    node.setAttribute("aria-label", this.label(name));
    const slot = this.slots.get(name) || make("div", { class: "slot", "data-slot": name });
    slot.classList.toggle("pinned", part.pinned);
    this.slots.set(name, slot);
    if (slot.firstElementChild) node.style.cssText = slot.firstElementChild.style.cssText;
    slot.replaceChildren(node);
  },

  /** A part that does not come again. */
  forget(name) {
    for (const kept of [this.parts, this.slots, this.drawn]) kept.delete(name);
  },

  /** A part for those who hear the page. */
  label: (name) => name.replace(/^seat (\d+)/, (_, seat) => (name === board.own ? "You" : people.names[seat] || `Player ${Number(seat) + 1}`)),

  /** Open a part of which the top alone is shown, or close it again. */
  open(name) {
    layout.opened.has(name) ? layout.opened.delete(name) : layout.opened.add(name);
    layout.key = null; // the slots are new
    this.again();
  },

  /** Boards come first, then the own seat, then the rest; beside them seats come before what lies in supply. */
  arrange() {
    const rank = (part) => (part.main ? 0 : part.passing && layout.least ? 0.5 : part.name === this.own ? 1 : part.behind && layout.columns ? 3 : 2);
    const parts = [...this.parts.values()];
    parts.sort((a, b) => rank(a) - rank(b));
    layout.arrange(parts, (name) => this.slots.get(name));
    for (const [name, slot] of this.slots) slot.classList.toggle("own", name === this.own);
  },

  /** What was marked as changed in the last picture already does not appear again. */
  freshen(node, marked) {
    for (const place of node.querySelectorAll("[data-changed]")) {
      if (!marked.has(place.dataset.place)) place.classList.add("fresh");
    }
  },

  places: () => [...$("board").querySelectorAll("[data-actions]")],

  /** What a finger may mean at a point: the place under it, and small ones that would lie there if they were as large
   *  as a finger. */
  meant(under, x, y) {
    const near = (place) => {
      const box = place.getBoundingClientRect(), u = Math.max(FINGER - box.width, 0) / 2, v = Math.max(FINGER - box.height, 0) / 2;
      return (u || v) && x >= box.left - u && x <= box.right + u && y >= box.top - v && y <= box.bottom + v;
    };
    return [...new Set([under, ...this.places().filter(near)])].filter(Boolean);
  },

  /** Point at the places of an action. */
  point(action, on) {
    for (const place of this.places()) {
      if (actionsOf(place).includes(action)) place.classList.toggle("pointed", on);
    }
  },

  /** Mark the places of the action that a hint puts first, until the next picture. */
  advise(action) {
    for (const place of this.places()) place.classList.toggle("hinted", actionsOf(place).includes(action));
  },

  /** One place is reached by Tab, the others from there by arrows. */
  focus(place) {
    for (const other of this.places()) other.setAttribute("tabindex", other === place ? "0" : "-1");
    place.focus({ preventScroll: true });
    place.scrollIntoView({ block: "nearest", inline: "nearest" });
  },

  /** Places that can be clicked are reached by keys as well, and say what is done there and what lies there.
   *  `words` and `does` are texts of the actions by id, and what they do. Returns what lies there by action. */
  explain(words, does) {
    if (this.said) return this.said;
    const said = this.said = new Map();
    for (const place of this.places()) {
      const actions = actionsOf(place), told = actions.map((action) => words.get(action)).filter(Boolean);
      const meant = [...new Set(actions.map((action) => does.get(action)).filter(Boolean))];
      const own = place.tip ??= this.tip(place);
      place.setAttribute("tabindex", said.size ? "-1" : "0");
      place.setAttribute("role", "button");
      place.setAttribute("aria-label", [told.join(", "), ...meant, own].filter(Boolean).map((one) => one.replace(/\.$/, "")).join(". "));
      if (place.told) place.told.remove();
      const title = place.told = document.createElementNS("http://www.w3.org/2000/svg", "title");
      const more = told.length > 6 ? [`and ${told.length - 6} more`] : [];
      title.textContent = [...told.slice(0, 6), ...more, ...meant, own].filter(Boolean).join("\n");
      place.prepend(title);
      for (const action of actions) if (!said.get(action)) said.set(action, own);
    }
    return said;
  },

  /** What the game itself says of a place. It is taken out of the picture, for what is said of the place to hold it. */
  tip(place) {
    const titles = [...place.querySelectorAll("title")].filter((title) => title.closest("[data-place]") === place);
    const own = titles.find((title) => title.parentNode === place) || titles[0];
    if (!own) return "";
    own.remove();
    return own.textContent.trim();
  },

  /** The place of this name, where it can be clicked. */
  named: (name) => board.places().find((place) => place.dataset.place === name) || null,
};

/** The menu of a place goes; the focus returns to where it was opened. */
function closeMenu() {
  const menu = $("menu");
  if (!menu) return;
  const inside = menu.contains(document.activeElement);
  motion.preview(null);
  menu.remove();
  if (inside && menu.opener && menu.opener.isConnected) menu.opener.focus({ preventScroll: true });
}

/** On a phone a menu lies at the end of the board, or above its place; the board moves at once where neither has room for
 *  the menu and what is told of it. */
function lay(menu, of) {
  const pane = $("board"), top = pane.getBoundingClientRect().top, need = menu.offsetHeight + TOLD_HIGH, box = () => of.getBoundingClientRect();
  if (low() - box().bottom < need && box().top - top < need) pane.scrollTop += box().top - top - 6;
  const under = box().bottom < low() - menu.offsetHeight;
  Object.assign(menu.style, { left: ".7rem", right: ".7rem", top: `${under ? low() - menu.offsetHeight : Math.max(0, box().top - menu.offsetHeight - 8)}px` });
}

/** Where the board ends. */
const low = () => Math.min($("board").getBoundingClientRect().bottom, window.innerHeight - 6);

/** The actions of one place, to choose from: beside the place or below it, where there is room, so that it stays in sight. */
function openMenu(buttons, x, y, of) {
  closeMenu();
  const place = of.getBoundingClientRect();
  const menu = make("div", { id: "menu", role: "group", "aria-label": "actions of this place" }, ...buttons);
  Object.assign(menu, { of, opener: document.activeElement });
  document.body.append(menu);
  const last = window.innerWidth - menu.offsetWidth - 12, sides = [place.right + 8, place.left - menu.offsetWidth - 8];
  const found = sides.find((side) => side >= 0 && side <= last), beside = found ?? x, down = found === undefined ? Math.max(y, place.bottom + 8) : y;
  menu.style.left = `${Math.max(0, Math.min(beside, last)) + window.scrollX}px`;
  menu.style.top = `${Math.max(0, Math.min(down, window.innerHeight - menu.offsetHeight - 12)) + window.scrollY}px`;
  if (window.innerWidth < PHONE) lay(menu, of);
  panel.aside(); // it makes room for the menu
  menu.firstChild.classList.add("pointed");
  menu.firstChild.focus();
  menu.addEventListener("focusin", (event) => { for (const one of menu.children) one.classList.toggle("pointed", one === event.target); });
  menu.addEventListener("mouseleave", () => motion.preview(null));
}
