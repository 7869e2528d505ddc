/* The panel: the card, tile or place under the pointer, under the finger or in the focus, large, with all that it does. */
"use strict";

const NEAR = 8; // pixels between the panel and what it explains
const LEGIBLE = 8.5; // pixels: a picture with smaller text is not shown large

const panel = {
  at: null, // what it shows
  beside: null, // what it stands beside
  pictures: new Map(), // of things by name, as text; null while one is fetched, or where there is none
  fetch: (name) => link.ask(`drawn?${new URLSearchParams({ name })}`),

  /** The nearest thing with words around an element of the picture. */
  around(element) {
    if (!element) return null;
    const place = element.closest && element.closest("#board [data-word]");
    if (place) return place;
    const outer = element.closest && element.closest("#board [data-place]");
    return outer ? [...outer.querySelectorAll("[data-word]")].find((one) => one.closest("[data-place]") === outer) || null : null;
  },

  entry: (found) => (found && words.entries.get(found.dataset.word)) || null,

  show(found) {
    const entry = this.entry(found);
    if (!entry) return this.hide();
    if (this.at === found) return;
    this.at = this.beside = found;
    const holder = found.closest("[data-now]"), now = holder && (holder === found || holder.contains(found)) ? holder.dataset.now : "";
    const node = $("panel") || document.body.appendChild(make("div", { id: "panel", role: "status" }));
    const drawn = found.dataset.drawn && this.drawn(found);
    node.replaceChildren(...[drawn || this.large(found), make("div", {},
      make("p", { class: "quiet" }, `${entry.kind}${entry.rule ? ` · ${entry.rule}` : ""}`),
      make("h3", {}, entry.icon && words.icons[entry.icon] ? words.icon(entry.icon) : null, entry.name),
      entry.does ? make("p", {}, ...words.signed(sentence(entry.does))) : null,
      now ? make("p", { class: "at" }, ...words.signed(sentence(now))) : null)].filter(Boolean));
    this.aside();
  },

  /** The thing as a picture of its own, which is fetched once; until then there is none. */
  drawn(found) {
    const name = found.dataset.drawn, svg = this.pictures.get(name);
    if (svg === undefined) {
      this.pictures.set(name, null);
      this.fetch(name).then((text) => { this.pictures.set(name, text); if (text && this.at === found) { this.at = null; this.show(found); } }).catch(() => this.pictures.delete(name));
    }
    if (!svg) return null;
    const node = make("div", { class: "drawn", "aria-hidden": "true" });
    node.innerHTML = svg;
    motion.apart(node, "drawn");
    return node;
  },

  /** What a move concerns, and what it would bring: below what is shown, or beside its button. */
  tell(action, lines, beside) {
    const place = beside && board.places().find((one) => actionsOf(one).includes(action));
    if (beside) { this.hide(); this.show(this.around(place)); this.beside ||= place || beside; }
    this.brings(choices.words.get(action), lines);
    if (beside && $("panel")) this.at = beside;
  },

  brings(title, lines) {
    if (!lines.length) return;
    this.below(make("p", { class: "quiet" }, `would bring: ${title}`), ...lines.map((line) => make("p", {}, ...words.signed(line))));
  },

  /** More, below what is shown or alone. */
  below(...said) {
    const told = make("div", { class: "brings" }, ...said);
    const node = $("panel") || document.body.appendChild(make("div", { id: "panel", role: "status" }));
    for (const old of node.querySelectorAll(".brings")) old.remove();
    (node.querySelector("div") || node).append(told);
    this.aside();
  },

  /** It stands above the board, never above the rest of the page, beside what it explains: on the side where it fits
   *  and hides the least of what can be done. Where it fits on none it is in a corner. */
  aside() {
    const node = $("panel");
    if (!node) return;
    const pane = $("board").getBoundingClientRect(), whole = { left: pane.left, top: pane.top, right: pane.right, bottom: low() };
    const of = this.beside && this.beside.isConnected ? this.beside.getBoundingClientRect() : { left: pane.left, right: pane.left, top: pane.bottom, bottom: pane.bottom };
    node.style.maxHeight = `${Math.floor(whole.bottom - whole.top)}px`;
    if (window.innerWidth < PHONE) return this.sheet(node, of, whole);
    node.classList.toggle("broad", false);
    if (node.offsetHeight > 0.5 * pane.height) node.classList.add("broad");
    const [wide, high] = [node.offsetWidth, node.offsetHeight], menu = $("menu") && $("menu").getBoundingClientRect();
    const legal = board.places().filter((place) => !place.contains(this.beside) && !(this.beside && this.beside.contains(place))).map((place) => place.getBoundingClientRect());
    const within = (at, from, to) => Math.max(from, Math.min(at, to)), lefts = [of.left, of.right - wide], tops = [of.top, of.bottom - high, (of.top + of.bottom - high) / 2];
    const spots = [...[of.right + NEAR, of.left - NEAR - wide].flatMap((x) => tops.map((y) => [x, within(y, whole.top, whole.bottom - high)])),
      ...[of.bottom + NEAR, of.top - NEAR - high].flatMap((y) => lefts.map((x) => [within(x, whole.left, whole.right - wide), y])),
      ...[whole.left, whole.right - wide].flatMap((x) => [whole.top, whole.bottom - high].map((y) => [x, y]))];
    const cost = ([x, y], k) => {
      const box = { left: x, top: y, right: x + wide, bottom: y + high }, outside = x < whole.left - 1 || y < whole.top - 1 || box.right > whole.right + 1 || box.bottom > whole.bottom + 1;
      return (outside ? 1e9 : 0) + 100 * shared(box, of) + (menu ? 100 * shared(box, menu) : 0) + legal.reduce((sum, one) => sum + shared(box, one), 0) + (k < 10 ? k : 1e7);
    };
    const costs = spots.map(cost), [x, y] = spots[costs.indexOf(Math.min(...costs))];
    Object.assign(node.style, { left: `${Math.round(x)}px`, top: `${Math.round(y)}px` });
  },

  /** On a phone it is a sheet below the thing or above it, where there is more room, and what can be done with the thing
   *  stands below it. */
  sheet(node, of, whole) {
    const menu = $("menu"), more = menu ? menu.offsetHeight + 6 : 0;
    const under = whole.bottom - of.bottom - 6, over = of.top - whole.top - 6, below = under >= Math.min(over, node.offsetHeight + more);
    node.style.maxHeight = `${Math.max(90, Math.floor((below ? under : over) - more))}px`;
    const top = below ? whole.bottom - node.offsetHeight - more : whole.top;
    Object.assign(node.style, { left: "", top: `${Math.round(top)}px` });
    if (menu) Object.assign(menu.style, { left: ".7rem", right: ".7rem", top: `${Math.round(top + node.offsetHeight + 6)}px` });
  },

  hide() {
    this.at = this.beside = null;
    if ($("panel")) $("panel").remove();
  },

  /** The thing itself, drawn large, with what lies on it: what stands on a space of a map is drawn after all spaces.
   *  What is wide stands above its words; what could not be read there is left to them. */
  large(found) {
    const part = found.ownerSVGElement;
    let box, scale;
    try { box = found.getBBox(); scale = part.getScreenCTM().inverse().multiply(found.getScreenCTM()); } catch { return null; }
    const [wide, high] = [box.width * Math.hypot(scale.a, scale.b), box.height * Math.hypot(scale.c, scale.d)];
    if (wide < 4 || high < 4 || wide > 420 || !this.tells(found, part)) return null;
    const corners = [[box.x, box.y], [box.x + box.width, box.y + box.height]].map(([x, y]) => new DOMPoint(x, y).matrixTransform(scale));
    const [left, top] = ["x", "y"].map((axis) => Math.min(...corners.map((one) => one[axis])) - 3);
    const across = wide > 1.7 * high, room = across ? Math.min(1.3 * wide, 340) : 150;
    const small = Math.min(...[...found.querySelectorAll("text")].map((one) => Number(one.getAttribute("font-size")) * Math.hypot(one.getCTM().a, one.getCTM().b) / Math.hypot(part.getCTM().a, part.getCTM().b)));
    if (small * room / wide < LEGIBLE) return null;
    const svg = part.cloneNode(true), shapes = "text, path, use, rect, circle, polygon, line", r = found.getBoundingClientRect();
    const copies = svg.querySelectorAll(shapes);
    part.querySelectorAll(shapes).forEach((one, k) => { // what lies elsewhere
      const at = one.getBoundingClientRect();
      if (!one.closest("defs") && (at.right < r.left || at.left > r.right || at.bottom < r.top || at.top > r.bottom)) copies[k].remove();
    });
    for (const inner of svg.querySelectorAll("[data-place], [data-frame], title")) {
      if (inner.dataset.place !== undefined) for (const name of ["data-place", "data-actions", "data-changed", "tabindex", "role", "aria-label", "class"]) inner.removeAttribute(name);
      else inner.remove();
    }
    motion.apart(motion.settled(svg), "large");
    for (const name of ["style", "role", "aria-label"]) svg.removeAttribute(name);
    svg.setAttribute("viewBox", `${left} ${top} ${wide + 6} ${high + 6}`);
    svg.setAttribute("aria-hidden", "true");
    if (across) svg.setAttribute("class", "across");
    if (across) svg.style.width = `${room}px`;
    return svg;
  },

  /** Whether the thing is seen: a card that others cover looks out by a strip only, and a frame without anything is none. */
  tells(found, part) {
    const drawn = [...found.querySelectorAll("text, path, use, polygon, circle, rect")].filter((one) => !one.hasAttribute("data-frame"));
    if (drawn.length < 2 && !part.querySelector("[data-own]")) return false;
    const r = found.getBoundingClientRect(), top = document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2);
    return !top || !part.contains(top) || found.contains(top) || top.contains(found) || !top.closest("[data-word]");
  },
};

/** How much two boxes share. */
const shared = (a, b) => Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) * Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));

const sentence = (text) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;

$("board").addEventListener("pointerover", (event) => panel.show(panel.around(event.target)));
$("board").addEventListener("pointerleave", (event) => { if (event.pointerType !== "touch") panel.hide(); });
$("board").addEventListener("focusin", (event) => { if (event.target.matches(":focus-visible")) panel.show(panel.around(event.target)); });
$("board").addEventListener("scroll", () => { if (window.innerWidth >= PHONE) panel.aside(); });
$("board").addEventListener("focusout", () => { if (!$("menu")) panel.hide(); });
document.addEventListener("keydown", (event) => { if (event.key === "Escape") panel.hide(); });
document.addEventListener("pointerdown", (event) => { if (!(event.target.closest && event.target.closest("#board"))) panel.hide(); });
