/* The panel: the card, tile or place under the pointer, under the finger or in the focus, large, with all that it does. */
"use strict";

const panel = {
  at: null, // what it shows

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
    node.replaceChildren(...[this.large(found), make("div", {},
      make("p", { class: "quiet" }, `${entry.kind}${entry.rule ? ` · ${entry.rule}` : ""}`),
      make("h3", {}, entry.icon && words.icons[entry.icon] ? words.icon(entry.icon) : null, entry.name),
      entry.does ? make("p", {}, ...words.signed(sentence(entry.does))) : null,
      now ? make("p", { class: "at" }, ...words.signed(sentence(now))) : null)].filter(Boolean));
    node.classList.toggle("right", this.left(x === null ? found.getBoundingClientRect().left : x));
    this.aside();
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

  /** The thing itself, drawn large. */
  large(found) {
    let box;
    try { box = found.getBBox(); } catch { return null; }
    if (box.width < 4 || box.height < 4 || box.width > 420) return null;
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg"), copy = found.cloneNode(true);
    for (const attribute of ["transform", "data-place", "data-actions", "data-word", "data-now", "data-changed", "tabindex", "role", "aria-label", "class"]) copy.removeAttribute(attribute);
    for (const inner of copy.querySelectorAll("[data-place], [data-actions], title")) {
      if (inner.tagName === "title") inner.remove();
      else for (const attribute of ["data-place", "data-actions", "tabindex", "role", "aria-label"]) inner.removeAttribute(attribute);
    }
    svg.setAttribute("viewBox", `${box.x - 3} ${box.y - 3} ${box.width + 6} ${box.height + 6}`);
    svg.setAttribute("font-family", '"DejaVu Sans", sans-serif');
    svg.setAttribute("aria-hidden", "true");
    svg.append(copy);
    return svg;
  },
};

const sentence = (text) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;

$("board").addEventListener("pointerover", (event) => panel.show(panel.around(event.target), event.clientX));
$("board").addEventListener("pointerleave", (event) => { if (event.pointerType !== "touch") panel.hide(); });
$("board").addEventListener("focusin", (event) => { if (event.target.matches(":focus-visible")) panel.show(panel.around(event.target), null); });
$("board").addEventListener("focusout", () => panel.hide());
document.addEventListener("keydown", (event) => { if (event.key === "Escape") panel.hide(); });
document.addEventListener("pointerdown", (event) => { if (!(event.target.closest && event.target.closest("#board"))) panel.hide(); });
