/* Python in a thread of its own: the table of this page, its kernels and its players.
   A page sends {start} and then {id, path, query, body}, which gets {id, status, data}; it hears {event}, {record},
   {said}, {failed}, {helpers}: how many grow trees, {python}: "new", or "kept" where it woke as this browser has
   kept it, and {loaded}: what this worker has fetched. */

const tell = (told) => postMessage(told);
/** What an error says; of one in Python the last line, without its kind. */
const words = (error) => String(error.message || error).trim().split("\n").pop().replace(/^[\w.]+(Error|BadZipFile): /, "");
const get = async (address) => {
  const answer = await fetch(address).catch(() => { throw Error(`${address} cannot be fetched: is there a network?`); });
  if (!answer.ok) throw Error(`${address} is missing (${answer.status})`);
  return answer.arrayBuffer();
};
const whole = (name, work) => {
  try { return work(); } catch (error) { throw Error(`${name} is damaged: ${words(error)}`); }
};

// ---------------------------------------------------------------------------------------- Python, as it starts

const KEPT = "theogony python 1"; // the browser's cache of what Python's memory is like when it has started
const EARLY = "import base64, concurrent.futures.thread, ctypes, dataclasses, datetime, hashlib, html, numbers, pickle, platform, secrets, shutil";
let unkept = null; // the address and the memory of a Python that is to be kept

/** What this browser has kept at an address; nothing where it keeps nothing. */
async function kept(address) {
  try {
    const found = await (await caches.open(KEPT)).match(address);
    const memory = found && new Uint8Array(await found.arrayBuffer());
    return memory && memory.length === Number(found.headers.get("x-size")) ? memory : undefined; // Pyodide waits for ever on half of one
  } catch { return undefined; }
}

/** Keep the memory of Python for the next time; the browser may have no room for it. */
async function keep() {
  const { address, memory } = unkept || {};
  unkept = null;
  if (memory) await (await caches.open(KEPT)).put(address, new Response(memory, { headers: { "x-size": String(memory.length) } }));
}

/** What the package says to whoever waits, as that its rules are interpreted. */
const stderr = (line) => { if (line.startsWith("theogony: ")) tell({ said: line.slice(10) }); };

/** What this folder holds, and where Python comes from. */
const told = get("settings.json").then((text) => {
  const settings = whole("settings.json", () => JSON.parse(new TextDecoder().decode(text)));
  return { settings, base: new URL(settings.pyodide, location.href).href };
});

/** Python as it was kept, which takes a quarter of the time, or else from the beginning. */
async function wake() {
  const { base } = await told;
  const { loadPyodide, version } = await import(`${base}pyodide.mjs`);
  const address = `${base}memory-${version}`, memory = await kept(address);
  try {
    if (memory) return { python: await started(() => loadPyodide({ indexURL: base, stderr, _loadSnapshot: memory })), woken: "kept" };
  } catch { await caches.delete(KEPT); }
  const python = await started(() => loadPyodide({ indexURL: base, stderr, _makeSnapshot: Boolean(self.caches) }));
  python.runPython(EARLY);
  try { unkept = self.caches && { address, memory: python.makeMemorySnapshot() }; } catch { /* it starts from the beginning again */ }
  return { python, woken: "new" };
}

/** Pyodide as it starts. By itself it waits for ever where its WebAssembly cannot be read. */
function started(loading) {
  return new Promise((done, fail) => {
    const usual = WebAssembly.instantiateStreaming;
    WebAssembly.instantiateStreaming = (...given) => usual.apply(WebAssembly, given).catch((error) => { fail(error); throw error; });
    loading().then(done, fail).finally(() => { WebAssembly.instantiateStreaming = usual; });
  });
}

/** Which of the files that Python starts from is missing or another one than it was, for who reads that it cannot start. */
async function culprit(error) {
  const { settings, base } = await told; // where this fails, that is said
  for (const [name, digest] of Object.entries(settings.runtime)) {
    const content = await get(`${base}${name}`);
    const found = digest && self.crypto?.subtle ? await crypto.subtle.digest("SHA-256", content) : null;
    if (found && digest !== [...new Uint8Array(found)].map((byte) => byte.toString(16).padStart(2, "0")).join("")) throw Error(`${base}${name} is damaged`);
  }
  throw Error(`Python cannot be started: ${words(error)}`);
}

const woken = wake().catch(culprit);
woken.catch(() => {}); // it is said when a page asks for its table

// ---------------------------------------------------------------------------------------- helpers

/** Workers that grow trees of a search while Python grows another: see wide.py. */
const helpers = {
  known: null, // fetches the game, its module and what was learnt
  all: new Set(), // those that have begun
  free: [],
  told: [], // what Python has not heard yet
  asked: 0, // changes when nobody waits any more for what was asked

  start(count) {
    const most = Math.min(count, 7, (navigator.hardwareConcurrency || 1) - 1);
    while (this.all.size < most && self.Worker) this.hire();
  },

  hire() {
    const one = { worker: new Worker("searcher.mjs", { type: "module" }), tree: null, asked: 0 };
    const answered = (answer) => {
      if (one.tree !== null && one.asked === this.asked) this.told.push({ tree: one.tree, ...answer });
      one.tree = null;
      if (!answer.error) this.free.push(one);
      tell({ helpers: this.free.length });
    };
    this.all.add(one);
    one.worker.onmessage = ({ data }) => answered(data);
    one.worker.onerror = (event) => answered({ error: event.message || "searcher.mjs cannot be run" });
    this.known().then((game) => one.worker.postMessage(game)).catch(() => {}); // then Python grows all trees itself
  },

  ask(question) {
    const one = this.free.pop();
    if (!one) return false;
    const { tree, state, ...grow } = JSON.parse(question);
    Object.assign(one, { tree, asked: this.asked });
    one.worker.postMessage({ grow: { ...grow, state: Uint8Array.from(atob(state), (c) => c.charCodeAt(0)) } });
    return true;
  },

  answers() { return JSON.stringify(this.told.splice(0)); },

  stop() {
    this.asked += 1;
    this.told = [];
    for (const one of this.all) if (one.tree !== null) one.worker.postMessage({ stop: true });
  },
};

/** What a helper must know, of files that were fetched and one more. */
async function known(game, seats, files) {
  const [[, bytes]] = files.filter(([name]) => name.endsWith(".wasm")), learnt = files.find(([name]) => name.endsWith(".npy"))?.[1];
  return { about: JSON.parse(new TextDecoder().decode(await get(`games/${game}-${seats}p.json`))), bytes, learnt };
}

// ---------------------------------------------------------------------------------------- the table

let desk = null;
let begin;
const begun = new Promise((done) => { begin = done; });

/** The files that a game needs: NumPy, the package, modules, and weights for so many seats. */
async function fetched(game, seats) {
  const { settings, base } = await told;
  const { module, weights } = settings.games[game][seats] || { weights: [] }; // none: Python says for how many it is
  const names = [...(module ? [`kernels/${module}.wasm`, `kernels/${module}.json`] : []), ...weights.map((name) => `weights/${name}`)];
  const sources = ["python/common.zip", `python/${game}.zip`];
  const [numpy, common, own, ...rest] = await Promise.all([`${base}${settings.numpy}`, ...sources, ...names].map(get));
  const archives = [[settings.numpy, numpy, "wheel"], [sources[0], common, "zip"], [sources[1], own, "zip"]];
  return { archives, files: names.map((name, k) => [name, new Uint8Array(rest[k])]) };
}

async function start({ game, seats, seed, kept: record }) {
  const beside = fetched(game, seats.split(",").length);
  beside.catch(() => {}); // where nothing can be fetched, it is Python's first file that is named
  const { python, woken: how } = await woken, { archives, files } = await beside;
  for (const [name, content, kind] of archives) whole(name, () => python.unpackArchive(content, kind, kind === "zip" ? { extractDir: "/site" } : {}));
  for (const folder of ["/kernels", "/weights"]) python.FS.mkdir(folder);
  for (const [name, content] of files) python.FS.writeFile(`/${name}`, content);
  helpers.known = () => known(game, seats.split(",").length, files);
  python.globals.set("HELPERS", helpers);
  python.globals.set("ASKED", python.toPy([game, seats, seed ?? undefined, record ?? ""]));
  python.runPython(`
import os, sys
from pathlib import Path
os.environ["THEOGONY_WASM"] = "/kernels"
sys.path.insert(0, "/site")
from theogony.web import players
from theogony.web.desk import Desk
players.use(Path("/weights"), HELPERS)
game, seats, seed, kept = ASKED
DESK = Desk(game, seats, seed, Path("/record.jsonl"), kept or "")
`);
  desk = python.globals.get("DESK");
  tell({ python: how, said: desk.said, unread: Boolean(desk.said) });
}

/** The record, for the page to keep, and the news that something has changed. */
function changed() {
  tell({ record: JSON.parse(desk.answer("record", "{}", ""))[1], event: desk.event() });
}

let playing = false;
async function bots() {
  if (playing) return;
  playing = true;
  for (let stands; (stands = desk.think());) {
    if (stands === "decided") changed();
    await new Promise((done) => setTimeout(done)); // messages are answered between two pieces of a search
  }
  playing = false;
}

let prepared = false;
async function afterwards(path) {
  if (path === "play" || path === "undo") changed();
  await bots();
  if (!prepared && path === "news") {
    prepared = true;
    setTimeout(() => {
      desk.prepare_hints();
      tell({ event: desk.event(), loaded: performance.getEntriesByType("resource").map((one) => one.name) });
      keep().catch(() => {});
    }, 300);
  }
}

onmessage = async ({ data }) => {
  if (data.start) {
    start(data.start).then(begin, (error) => tell({ failed: words(error) }));
    return;
  }
  await begun;
  try {
    const [status, found] = JSON.parse(desk.answer(data.path, JSON.stringify(data.query), data.body || ""));
    tell({ id: data.id, status, data: found });
    setTimeout(() => afterwards(data.path).catch((error) => tell({ failed: words(error) })));
  } catch (error) {
    tell({ id: data.id, status: 500, data: { error: words(error) } });
  }
};
