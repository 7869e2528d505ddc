/* The way to the table, which a worker of this page holds: takes the place of the link to a server.
   Uses `refresh`, `changed` and `draw` of play.js. */
"use strict";

const address = new URLSearchParams(location.search);
const seats = address.get("seats") || document.querySelector("meta[name=seats]").content;
const place = `theogony ${document.querySelector("meta[name=game]").content} ${seats}`; // where the game is kept

/** The record of the game in this browser, which may keep nothing; of two tabs with one game the first keeps it. */
const kept = {
  first: true,
  get() { try { return localStorage.getItem(place); } catch { return null; } },
  set(record) { try { if (this.first) localStorage.setItem(place, record); return true; } catch { return false; } },

  /** Keep the game for oneself as long as this tab is open. */
  hold() {
    const wait = setTimeout(() => { this.first = false; say("This game is open in another tab, which keeps it: what is played here is lost with this tab."); }, 1000);
    if (navigator.locks) navigator.locks.request(place, () => { clearTimeout(wait); return new Promise(() => {}); });
    else clearTimeout(wait);
  },

  /** A record that cannot be read, as of another version, is not lost with the game that begins in its place. */
  aside(why) {
    const address = URL.createObjectURL(new Blob([this.get() || ""], { type: "application/jsonl" }));
    return [`${why}.`, make("a", { id: "unread", href: address, download: "unread.jsonl" }, "Save the record that was kept")];
  },
};

/** Between two people of one screen the board is covered, until the next one sits there and asks for it. */
const handover = {
  you: null, // who sits there

  to({ you, seats }) {
    if (you === null || you === this.you) return;
    this.you = you;
    if (seats.filter((name) => name === "human").length < 2 || localStorage.getItem("covered") === "no") return;
    $("handover").firstChild.textContent = `Player ${you + 1} is next`;
    if (!$("handover").open) $("handover").showModal();
  },

  /** Where nothing is hidden, or nobody looks, that is one click too many. */
  never() { localStorage.setItem("covered", "no"); $("handover").close(); $("coveron").checked = false; },
};
document.body.append(make("dialog", { id: "handover", "aria-label": "who is next", oncancel: (event) => event.preventDefault() }, make("h2", {}),
  make("p", {}, "Pass the screen on: what it shows now is for this player only."),
  make("p", { class: "line" }, make("button", { id: "uncover", type: "button", autofocus: "", onclick: () => $("handover").close() }, "Show the board"),
    make("button", { id: "nevercover", type: "button", onclick: () => handover.never() }, "Never cover it"))));

const link = {
  here: true, // whether there is a table
  get together() { return Boolean(game) && game.seats.filter((name) => name === "human").length > 1; }, // several people, one screen
  away: "This page cannot go on",
  seated: true,
  busy: Promise.resolve(),
  worker: null,
  start: null, // called when the worker listens
  asked: new Map(), // by number: who waits for the answer
  number: 0,

  async ask(path, message) {
    const [name, query] = path.split("?");
    await listens;
    const body = message ? JSON.stringify({ window: "page", ...message }) : "";
    const { status, data } = await new Promise((done) => {
      this.asked.set(++this.number, done);
      this.worker.postMessage({ id: this.number, path: name, query: Object.fromEntries(new URLSearchParams(query)), body });
    });
    if (status >= 400) throw Object.assign(new Error(data.error), { status });
    if (data && data.you !== undefined && data.seats) handover.to(data);
    return data;
  },

  /** Do things one after another; what is refused is said, and the page asks how it stands. */
  inTurn(work) {
    this.busy = this.busy.then(work).catch((error) => {
      say(error.message);
      if (error.status) return refresh().catch(() => {});
    });
    return this.busy;
  },

  stand(here) {
    if (here === this.here) return;
    this.here = here;
    draw();
  },

  /** The table cannot be made, or goes no further. */
  fail(why) {
    $("gone").replaceChildren(make("b", {}, "This page cannot go on. "), `${why}${/[.?!]$/.test(why) ? "" : "."} What was played is kept in this browser.`);
    $("gone").hidden = false;
    this.stand(false);
  },

  /** Let what this page and its worker have loaded answer without a network as well; a browser may keep nothing. */
  async stay(loaded) {
    const { serviceWorker } = navigator;
    if (!serviceWorker) return;
    serviceWorker.addEventListener("message", ({ data }) => {
      document.body.dataset.offline = data.kept;
      $("knows").append(" This page can be opened without a network as well.");
    }, { once: true });
    await serviceWorker.register("offline.js");
    const index = new DOMParser().parseFromString(await (await fetch("index.html")).text(), "text/html");
    const pictures = [...index.images].map((one) => one.getAttribute("src"));
    const own = performance.getEntriesByType("resource").map((one) => one.name);
    const more = [location.href, ...["index.html", "worker.mjs", "searcher.mjs", "searchers.mjs", ...pictures].map((name) => new URL(name, location.href).href)];
    (await serviceWorker.ready).active.postMessage({ keep: [...new Set([...own, ...loaded, ...more])].filter((address) => /^https?:/.test(address)) });
  },

  heard({ id, status, data, event, record, said, failed, unread, python, helpers, loaded }) {
    if (failed) this.fail(failed);
    if (unread) said = kept.aside(said);
    if (said) say(...[].concat(said));
    if (python) document.body.dataset.python = python;
    if (helpers) document.body.dataset.helpers = helpers;
    if (record && !kept.set(record)) say("This browser keeps nothing: the game is lost with this tab.");
    if (event) changed(JSON.parse(event));
    if (loaded) this.stay(loaded).catch(() => {});
    if (id) { this.asked.get(id)({ status, data }); this.asked.delete(id); }
  },

  async sit() {
    const drawn = $("board").querySelector("svg"); // by the build, shown in parts as all pictures are until the table answers
    if (drawn && !board.shown) board.show(new XMLSerializer().serializeToString(drawn));
    if (typeof early === "undefined") return this.fail("early.js is missing or damaged");
    if (early.failed) return this.fail(early.failed);
    kept.hold();
    this.worker = early.worker;
    this.worker.onmessage = ({ data }) => this.heard(data);
    this.worker.onerror = (error) => this.fail(error.message || "worker.mjs is missing or damaged");
    const seed = /^\d{1,15}$/.test(address.get("seed") || "") ? Number(address.get("seed")) : null;
    const game = document.querySelector("meta[name=game]").content;
    this.worker.postMessage({ start: { game, seats, seed, kept: address.has("new") ? null : kept.get() } });
    this.start();
    return this.inTurn(async () => { await this.ask("sit", {}); await refresh(); performance.mark("ready"); });
  },
};

const listens = new Promise((done) => { link.start = done; });

/** A text of the table as a file, or in a tab. */
async function file(name, type) {
  return URL.createObjectURL(new Blob([await link.ask(name)], { type }));
}

$("replay").addEventListener("click", async (event) => {
  event.preventDefault();
  window.open(await file("replay", "text/html"), "_blank", "noopener");
});
$("replay").after(" · ", make("a", {
  id: "record", href: "#", onclick: async (event) => {
    event.preventDefault();
    make("a", { href: await file("record", "application/jsonl"), download: "game.jsonl" }).click();
  },
}, "The record"), " · ", make("a", { id: "anew", href: `?${new URLSearchParams({ seats, new: "1" })}` }, "A new game"), " · ", make("a", { href: "index.html" }, "Other games and players"));
$("called").parentNode.hidden = true; // nobody elsewhere would read a name
$("replay").parentNode.after(make("p", { id: "knows", class: "quiet" }, "Everybody plays at this screen: it shows what the person may know whose turn it is, and the whole game, with all that is hidden, is in the memory of this browser."));
const covers = make("input", { id: "coveron", type: "checkbox", onchange: () => localStorage.setItem("covered", covers.checked ? "yes" : "no") });
covers.checked = localStorage.getItem("covered") !== "no";
if (seats.split(",").filter((name) => name === "human").length > 1) $("replay").parentNode.before(make("label", { class: "line" }, covers, " cover the board between two people"));
