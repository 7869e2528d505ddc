/* node page_python.mjs SITE GAME FILE.py EXPRESSION: what an expression comes to, as JSON, in the Python of the page of a
   game, as its worker lays it out, with the module FILE.py at hand. What the package says goes to standard error. */
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [site, game, file, expression] = process.argv.slice(2);
const read = (name) => new Uint8Array(fs.readFileSync(path.join(site, name)));
const settings = JSON.parse(fs.readFileSync(path.join(site, "settings.json"), "utf-8"));
const runtime = path.resolve(site, settings.pyodide);
const { loadPyodide } = await import(pathToFileURL(path.join(runtime, "pyodide.mjs")));
const python = await loadPyodide({ indexURL: `${runtime}/` });
python.unpackArchive(read(path.join(settings.pyodide, settings.numpy)), "wheel");
for (const name of ["common", game]) python.unpackArchive(read(`python/${name}.zip`), "zip", { extractDir: "/site" });
for (const folder of ["/kernels", "/weights"]) python.FS.mkdir(folder);
for (const { module, weights } of Object.values(settings.games[game])) {
  const names = [`kernels/${module}.wasm`, `kernels/${module}.json`, ...weights.map((name) => `weights/${name}`)];
  for (const name of names) python.FS.writeFile(`/${name}`, read(name));
}
python.FS.writeFile(`/site/${path.basename(file)}`, new Uint8Array(fs.readFileSync(file)));
console.log(python.runPython(`
import json, os, sys
from pathlib import Path
os.environ["THEOGONY_WASM"] = "/kernels"
sys.path.insert(0, "/site")
from theogony.web import players
players.use(Path("/weights"))
import ${path.basename(file, ".py")}
json.dumps(${path.basename(file, ".py")}.${expression})
`));
