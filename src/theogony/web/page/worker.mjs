/* Python in a thread of its own: the table of this page, its kernels and its players.
   A page sends {id, path, query, body} and gets {id, status, data}; it hears {event}, {record}, {said} and {failed}. */

const tell = (told) => postMessage(told);
const get = async (address) => {
  const answer = await fetch(address).catch(() => { throw Error(`${address} cannot be fetched: is there a network?`); });
  if (!answer.ok) throw Error(`${address} is missing (${answer.status})`);
  return answer.arrayBuffer();
};

let desk = null;
let begin;
const begun = new Promise((done) => { begin = done; });

async function start({ game, seats, seed, kept, settings }) {
  const base = new URL(settings.pyodide, location.href).href;
  const here = settings.games[game];
  const files = [`${base}${settings.numpy}`, "python.zip", ...here.modules.flatMap((name) => [`kernels/${name}.wasm`, `kernels/${name}.json`])];
  const weights = here.weights.filter((name) => name.includes(`-${seats.split(",").length}p.`));
  const fetched = Promise.all([...files, ...weights.map((name) => `weights/${name}`)].map(get));
  fetched.catch(() => {});
  const { loadPyodide } = await import(`${base}pyodide.mjs`);
  const python = await loadPyodide({ indexURL: base });
  const [numpy, source, ...rest] = await fetched;
  python.unpackArchive(numpy, "wheel");
  python.unpackArchive(source, "zip", { extractDir: "/site" });
  for (const folder of ["/kernels", "/weights"]) python.FS.mkdir(folder);
  const names = [...files.slice(2), ...weights.map((name) => `weights/${name}`)];
  names.forEach((name, k) => python.FS.writeFile(`/${name}`, new Uint8Array(rest[k])));
  python.globals.set("ASKED", python.toPy([game, seats, seed, kept]));
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
  if (desk.said) tell({ said: desk.said });
}

const words = (error) => String(error.message || error).trim().split("\n").pop();

/** The record, for the page to keep, and the news that something has changed. */
function changed() {
  tell({ record: JSON.parse(desk.answer("record", "{}", ""))[1], event: desk.event() });
}

let playing = false;
async function bots() {
  if (playing) return;
  playing = true;
  while (desk.play_bot()) {
    changed();
    await new Promise((done) => setTimeout(done));
  }
  playing = false;
}

let prepared = false;
async function afterwards(path) {
  if (path === "play" || path === "undo") changed();
  await bots();
  if (!prepared && path === "news") {
    prepared = true;
    setTimeout(() => { desk.prepare_hints(); tell({ event: desk.event() }); }, 300);
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
