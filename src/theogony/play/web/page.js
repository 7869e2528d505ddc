/* What all pages use: elements, seats, alternatives with their bars. The scripts of a page share one scope. */
"use strict";

const $ = (id) => document.getElementById(id);
const percent = (x) => (x === null || x === undefined ? "" : `${(100 * x).toFixed(x > 0.995 || x < 0.1 ? 1 : 0)} %`);

/** An element with attributes, text and children. */
function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

const swatch = (seat) => make("i", { class: "sign" }, make("i", { class: `dot seat-${seat % 5}` }));

/** An alternative of an analysed decision, with a bar for its share. */
function option(one) {
  const bar = make("span", { class: "bar" });
  bar.style.setProperty("--share", `${100 * one.share}%`);
  return make("div", { class: `option${one.played ? " played" : ""}` },
    make("span", {}, one.played ? `${one.text} ✓` : one.text), make("span", { class: "quiet" }, percent(one.share)), make("span", {}, percent(one.odds)), bar);
}
