/* Pieces on their way: from where they lay to where they lie, and how one would lie before it is laid. */
"use strict";

const FLIGHT = 240; // milliseconds
const SVG = "http://www.w3.org/2000/svg";

const motion = {
  /** Not where somebody wants little of it, or wants everything at once. */
  wanted: () => !matchMedia("(prefers-reduced-motion: reduce)").matches && !($("pace") && $("pace").value === "0"),

  pieces: () => new Map([...$("board").querySelectorAll("[data-piece]")].map((node) => [node.getAttribute("data-piece"), node])),

  /** Where every piece is before the picture changes; `land` is called after that. */
  start() {
    if (!this.wanted()) return null;
    this.end();
    return new Map([...this.pieces()].map(([name, node]) => [name, node.getBoundingClientRect()]));
  },

  land(from) {
    if (!from) return;
    const { top, right, bottom, left } = $("board").getBoundingClientRect(), edge = document.documentElement;
    this.sky().style.clipPath = `inset(${top}px ${edge.clientWidth - right}px ${edge.clientHeight - bottom}px ${left}px)`; // over the board alone
    for (const [name, node] of this.pieces()) {
      const old = from.get(name), now = node.getBoundingClientRect();
      if (old && old.width && now.width && Math.hypot(old.left - now.left, old.top - now.top) > 4) this.fly(node, old, now);
    }
  },

  /** A copy of a piece flies above the board, the piece itself is seen when the copy has come down. */
  fly(node, old, now) {
    const copy = node.cloneNode(true), outer = document.createElementNS(SVG, "g"), m = node.getScreenCTM();
    copy.setAttribute("transform", `matrix(${m.a} ${m.b} ${m.c} ${m.d} ${m.e} ${m.f})`);
    outer.append(copy);
    this.sky().append(outer);
    node.classList.add("away");
    const way = `translate(${old.left - now.left}px, ${old.top - now.top}px) scale(${old.width / now.width})`;
    const flight = outer.animate([{ transform: way }, { transform: "none" }], { duration: FLIGHT, easing: "ease-in-out" });
    flight.onfinish = flight.oncancel = () => { outer.remove(); node.removeAttribute("class"); };
  },

  /** A copy of what is drawn, as it lies when nothing moves and nothing is pointed at. */
  settled(copy) {
    for (const one of copy.querySelectorAll(".preview")) one.remove();
    for (const one of [copy, ...copy.querySelectorAll("[class]")]) one.classList.remove("away", "under", "fresh", "pointed");
    return copy;
  },

  /** What a copy refers to is its own. A name that comes a second time lets a browser draw anew all that refers to it, and
   *  what is pressed at that moment is not heard. */
  apart(svg, mark) {
    const own = new Set([...svg.querySelectorAll("[id]")].map((one) => { const { id } = one; one.id = `${mark}-${id}`; return id; }));
    const named = (whole, before, id) => (own.has(id) ? `${before}${mark}-${id}` : whole);
    for (const one of svg.querySelectorAll("*")) for (const { name, value } of [...one.attributes]) {
      const told = name.endsWith("href") ? value.replace(/^(#)(.+)$/, named) : value.replace(/(url\(#)([^)]+)(?=\))/g, named);
      if (told !== value) one.setAttribute(name, told);
    }
    return svg;
  },

  sky() {
    const sky = $("sky") || document.createElementNS(SVG, "svg");
    if (!sky.id) { sky.id = "sky"; sky.setAttribute("aria-hidden", "true"); document.body.append(sky); }
    return sky;
  },

  end() {
    for (const flight of $("sky") ? $("sky").getAnimations({ subtree: true }) : []) flight.cancel();
  },

  /** How pieces would lie. Of each of them the place where it is ("": there would be none), the place where it comes to,
   *  and degrees clockwise. */
  preview(lands) {
    for (const old of $("board").querySelectorAll(".preview")) old.remove();
    for (const old of $("board").querySelectorAll(".under")) old.classList.remove("under");
    const placed = (name) => $("board").querySelector(`[data-place="${CSS.escape(name)}"]`);
    const moved = (lands || []).map(([from, to, degrees]) => [from && placed(from), placed(to), degrees]);
    if (moved.some(([from, to]) => from === null || !to)) return;
    const copies = moved.map(([from, to, degrees]) => from && this.copy(from, to, degrees));
    for (const [, to] of moved) for (const one of to.children) if (!one.hasAttribute("data-frame")) one.classList.add("under");
    moved.forEach(([, to], k) => { if (copies[k]) to.append(copies[k]); });
  },

  /** What lies in a place as a small picture of its own, turned by degrees. */
  thumb(place, degrees = 0) {
    const frame = place.querySelector("[data-frame]"), size = ["width", "height"].map((side) => Number(frame.getAttribute(side)));
    const node = document.createElementNS(SVG, "svg"), inner = document.createElementNS(SVG, "g"), middle = `${size[0] / 2} ${size[1] / 2}`;
    inner.append(...[...place.children].filter((one) => !one.matches("[data-frame], .preview")).map((one) => this.settled(one.cloneNode(true))));
    if (place.closest("[data-own], [data-piece]")) node.dataset.own = "1"; // its colours mean something by night too
    inner.setAttribute("transform", `rotate(${degrees} ${middle})`);
    for (const upright of inner.querySelectorAll("[data-upright]")) upright.setAttribute("transform", `rotate(${-degrees} ${middle})`);
    node.setAttribute("viewBox", `0 0 ${size.join(" ")}`);
    node.setAttribute("class", "thumb");
    node.setAttribute("aria-hidden", "true");
    node.append(inner);
    return node;
  },

  /** What lies in a place, as it would lie in another one. */
  copy(from, to, degrees) {
    const size = (place) => place.querySelector("[data-frame]").getBBox();
    const here = size(from), there = size(to), copy = document.createElementNS(SVG, "g");
    copy.append(...[...from.children].filter((one) => !one.matches("[data-frame], .preview")).map((one) => this.settled(one.cloneNode(true))));
    copy.setAttribute("class", "preview");
    const middle = `${here.width / 2} ${here.height / 2}`;
    copy.setAttribute("transform", `scale(${there.width / here.width}) rotate(${degrees} ${middle})`);
    for (const upright of copy.querySelectorAll("[data-upright]")) upright.setAttribute("transform", `rotate(${-degrees} ${middle})`);
    return copy;
  },
};
