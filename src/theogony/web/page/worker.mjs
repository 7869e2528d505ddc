/* Python in a thread of its own: the table of this page, its kernels and its players.
   A page sends {start} and then {id, path, query, body}, which gets {id, status, data}; it hears {event}, {record},
   {said}, {failed}, and {python}: "new", or "kept" where it woke as this browser has kept it. */

const tell = (told) => postMessage(told);
const words = (error) => String(error.message || error).trim().split("\n").pop();
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
  const { loadPyodide, version } = await import(`${base}pyodide.mjs`).catch(() => { throw Error(`${base}pyodide.mjs cannot be fetched: is there a network?`); });
  const address = `${base}memory-${version}`, memory = await kept(address);
  try {
    if (memory) return { python: await loadPyodide({ indexURL: base, stderr, _loadSnapshot: memory }), woken: "kept" };
  } catch { await caches.delete(KEPT); }
  const python = await loadPyodide({ indexURL: base, stderr, _makeSnapshot: Boolean(self.caches) }).catch((error) => { throw Error(`Python cannot be started: ${words(error)}`); });
  python.runPython(EARLY);
  try { unkept = self.caches && { address, memory: python.makeMemorySnapshot() }; } catch { /* it starts from the beginning again */ }
  return { python, woken: "new" };
}

const woken = wake();
woken.catch(() => {}); // it is said when a page asks for its table

// ---------------------------------------------------------------------------------------- the table

let desk = null;
let begin;
const begun = new Promise((done) => { begin = done; });

/** The files that a game needs: NumPy, the package, modules, and weights for so many seats. */
async function fetched(game, seats) {
  const { settings, base } = await told;
  const { modules, weights } = settings.games[game];
  const names = modules.flatMap((name) => [`kernels/${name}.wasm`, `kernels/${name}.json`]);
  names.push(...weights.filter((name) => name.includes(`-${seats}p.`)).map((name) => `weights/${name}`));
  const [numpy, source, ...rest] = await Promise.all([`${base}${settings.numpy}`, "python.zip", ...names].map(get));
  return { wheel: settings.numpy, numpy, source, files: names.map((name, k) => [name, new Uint8Array(rest[k])]) };
}

async function start({ game, seats, seed, kept: record }) {
  const [{ python, woken: how }, { wheel, numpy, source, files }] = await Promise.all([woken, fetched(game, seats.split(",").length)]);
  whole(wheel, () => python.unpackArchive(numpy, "wheel"));
  whole("python.zip", () => python.unpackArchive(source, "zip", { extractDir: "/site" }));
  for (const folder of ["/kernels", "/weights"]) python.FS.mkdir(folder);
  for (const [name, content] of files) python.FS.writeFile(`/${name}`, content);
  python.globals.set("ASKED", python.toPy([game, seats, seed ?? undefined, record ?? ""]));
  python.runPython(`
import os, sys
from pathlib import Path
os.environ["THEOGONY_WASM"] = "/kernels"
sys.path.insert(0, "/site")
from theogony.web import players
from theogony.web.desk import Desk
players.use(Path("/weights"))
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
    setTimeout(() => { desk.prepare_hints(); tell({ event: desk.event() }); keep().catch(() => {}); }, 300);
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
