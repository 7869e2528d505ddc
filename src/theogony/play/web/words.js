/* What the game calls things: entries by kind and key, and icons for the words that have one. */
"use strict";

const SIGNED = ["good", "structure", "cult", "icon", "symbol", "card", "rune"]; // kinds whose names get their icon in sentences

const words = {
  title: "",
  rules: "",
  entries: new Map(), // by `kind:key`
  list: [],
  icons: {},
  signs: new Map(), // icons by word
  pattern: null,

  set(data) {
    this.title = data.title;
    this.rules = data.rules;
    this.icons = data.icons;
    this.list = data.entries.map(([kind, key, name, does, icon, rule]) => ({ kind, key, name, does, icon, rule }));
    this.entries = new Map(this.list.map((entry) => [`${entry.kind}:${entry.key}`, entry]));
    for (const { kind, name, icon } of this.list) {
      if (!this.icons[icon] || !SIGNED.includes(kind) || /[^\p{L} ]/u.test(name)) continue;
      for (const word of [name, `${name}s`, name.replace(/y$/, "ies")]) this.signs.set(word.toLowerCase(), icon);
    }
    const known = [...this.signs.keys()].sort((a, b) => b.length - a.length);
    this.pattern = known.length ? new RegExp(`\\b(${known.join("|")})\\b`, "gi") : null;
    document.body.dataset.words = String(this.list.length);
  },

  /** The words of the table, once; without them the page still works. */
  async fetch() {
    try { this.set(await link.ask("words")); } catch { /* the page says that the server is gone */ }
  },

  icon(name) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg"), path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    svg.setAttribute("viewBox", "0 0 24 24");
    svg.setAttribute("class", "sign");
    svg.setAttribute("aria-hidden", "true");
    path.setAttribute("d", this.icons[name]);
    path.setAttribute("fill-rule", "evenodd");
    svg.append(path);
    return svg;
  },

  /** A sentence with icons before the words that have one. */
  signed(text) {
    if (!this.pattern) return [text];
    return text.split(this.pattern).flatMap((part, k) => (k % 2 ? [make("span", { class: "signed" }, this.icon(this.signs.get(part.toLowerCase())), part)] : [part]));
  },
};
