/* The panel: the card, tile or place under the pointer, under the finger or in the focus, large, with all that it does. */
"use strict";

const LEGIBLE = 8.5; // pixels: a picture with smaller text is not shown large

const panel = {
  at: null, // what it shows
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

  show(found, x) {
    const entry = this.entry(found);
    if (!entry) return this.hide();
    if (this.at === found) return;
    this.at = found;
    const holder = found.closest("[data-now]"), now = holder && (holder === found || holder.contains(found)) ? holder.dataset.now : "";
    const node = $("panel") || document.body.appendChild(make("div", { id: "panel", role: "status" }));
    const drawn = found.dataset.drawn && this.drawn(found);
    node.replaceChildren(...[drawn || this.large(found), make("div", {},
      make("p", { class: "quiet" }, `${entry.kind}${entry.rule ? ` · ${entry.rule}` : ""}`),
      make("h3", {}, entry.icon && words.icons[entry.icon] ? words.icon(entry.icon) : null, entry.name),
      entry.does ? make("p", {}, ...words.signed(sentence(entry.does))) : null,
      now ? make("p", { class: "at" }, ...words.signed(sentence(now))) : null)].filter(Boolean));
    node.classList.toggle("right", this.left(x === null ? found.getBoundingClientRect().left : x));
    this.aside();
  },

  /** The thing as a picture of its own, which is fetched once; until then there is none. */
  drawn(found) {
    const name = found.dataset.drawn, svg = this.pictures.get(name);
    if (svg === undefined) {
      this.pictures.set(name, null);
      this.fetch(name).then((text) => { this.pictures.set(name, text); if (text && this.at === found) { this.at = null; this.show(found, null); } }).catch(() => this.pictures.delete(name));
    }
    if (!svg) return null;
    const node = make("div", { class: "drawn", "aria-hidden": "true" });
    node.innerHTML = svg;
    return node;
  },

  /** What a move concerns, and what it would bring: below what is shown, or beside its button. */
  tell(action, lines, beside) {
    const place = beside && board.places().find((one) => actionsOf(one).includes(action));
    if (beside) { this.hide(); this.show(this.around(place), null); }
    this.brings(choices.words.get(action), lines);
    if (!$("panel")) return;
    if (beside) { this.at = beside; $("panel").classList.toggle("right", !place || this.left(place.getBoundingClientRect().left)); }
    this.aside();
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

  /** Whether a point lies in the left half of the board: what lies there is told on the right. */
  left(x) {
    const box = $("board").getBoundingClientRect();
    return x < box.left + box.width / 2;
  },

  /** It lies above the board, never above the rest of the page. */
  aside() {
    const box = $("board").getBoundingClientRect();
    $("panel").style.setProperty("--from", `${Math.round(box.left)}px`);
    $("panel").style.setProperty("--to", `${Math.round(window.innerWidth - box.right)}px`);
  },

  hide() {
    this.at = null;
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
      if (at.right < r.left || at.left > r.right || at.bottom < r.top || at.top > r.bottom) copies[k].remove();
    });
    for (const inner of svg.querySelectorAll("[data-place], [data-frame], title")) {
      if (inner.dataset.place !== undefined) for (const name of ["data-place", "data-actions", "data-changed", "tabindex", "role", "aria-label", "class"]) inner.removeAttribute(name);
      else inner.remove();
    }
    motion.settled(svg);
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

const sentence = (text) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;

$("board").addEventListener("pointerover", (event) => panel.show(panel.around(event.target), event.clientX));
$("board").addEventListener("pointerleave", (event) => { if (event.pointerType !== "touch") panel.hide(); });
$("board").addEventListener("focusin", (event) => { if (event.target.matches(":focus-visible")) panel.show(panel.around(event.target), null); });
$("board").addEventListener("focusout", () => panel.hide());
document.addEventListener("keydown", (event) => { if (event.key === "Escape") panel.hide(); });
document.addEventListener("pointerdown", (event) => { if (!(event.target.closest && event.target.closest("#board"))) panel.hide(); });
