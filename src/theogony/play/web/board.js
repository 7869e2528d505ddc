/* The picture: shown, pointed at, explained, and the menu of a place where several actions are made. */
"use strict";

const actionsOf = (place) => place.getAttribute("data-actions").split(" ").map(Number);

const board = {
  shown: "",
  said: null, // what is said of the places of actions in this picture, by action
  tallest: 0,

  /** Show a picture. What was not in the last one appears softly. */
  show(svg) {
    if (svg === this.shown) return;
    this.shown = svg;
    this.said = null;
    const read = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
    const node = document.importNode(read, true);
    const old = $("board").querySelector("svg");
    if (old) this.freshen(old, node);
    this.fit(node);
    if (old) old.replaceWith(node);
    else $("board").append(node);
    closeMenu();
  },

  /** The room of the highest picture so far is kept, so that nothing is drawn smaller or larger while one decides. */
  fit(node) {
    const width = Number(node.getAttribute("width")), height = Number(node.getAttribute("height"));
    this.tallest = Math.max(this.tallest, height);
    node.setAttribute("viewBox", `0 0 ${width} ${this.tallest}`);
    node.setAttribute("preserveAspectRatio", "xMidYMin meet");
    node.removeAttribute("width");
    node.removeAttribute("height");
  },

  freshen(old, node) {
    const known = new Set([...old.querySelectorAll("[data-place]")].map((place) => place.outerHTML));
    for (const place of node.querySelectorAll("[data-changed]")) {
      if (!known.has(place.outerHTML)) place.classList.add("fresh");
    }
  },

  places: () => [...$("board").querySelectorAll("[data-actions]")],

  /** Point at the places of an action. */
  point(action, on) {
    for (const place of this.places()) {
      if (actionsOf(place).includes(action)) place.classList.toggle("pointed", on);
    }
  },

  /** Places that can be clicked are reached by Tab as well, and say what is done there and what lies there.
   *  `words` and `does` are texts of the actions by id, and what they do. Returns what lies there by action. */
  explain(words, does) {
    if (this.said) return this.said;
    const said = this.said = new Map();
    for (const place of this.places()) {
      const actions = actionsOf(place), told = actions.map((action) => words.get(action)).filter(Boolean);
      const meant = [...new Set(actions.map((action) => does.get(action)).filter(Boolean))];
      const own = this.tip(place);
      place.setAttribute("tabindex", "0");
      place.setAttribute("role", "button");
      place.setAttribute("aria-label", [told.join(", "), ...meant, own].filter(Boolean).join(". "));
      const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
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

function closeMenu() {
  const menu = $("menu");
  if (menu) menu.remove();
}

/** The actions of one place, to choose from. */
function openMenu(buttons, x, y) {
  closeMenu();
  const menu = make("div", { id: "menu", role: "menu" }, ...buttons);
  document.body.append(menu);
  menu.style.left = `${Math.max(0, Math.min(x, window.innerWidth - menu.offsetWidth - 12)) + window.scrollX}px`;
  menu.style.top = `${Math.max(0, Math.min(y, window.innerHeight - menu.offsetHeight - 12)) + window.scrollY}px`;
  menu.firstChild.focus();
}
