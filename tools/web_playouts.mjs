/* Random games as V8 plays them: node web_playouts.mjs GAME.json MODULE.wasm

   Prints decisions a second of the processor, of the best of many calls: V8 optimizes code between two calls. */
import fs from "node:fs";
import { Game } from "../src/theogony/web/page/theogony.mjs";

const [about, module] = process.argv.slice(2).map((path) => fs.readFileSync(path));
const { core } = Game.of(JSON.parse(about), new Uint8Array(module));
const spent = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1e6; };

let best = 0;
for (const end = spent() + 3; spent() < end;) {
  const started = spent(), decisions = core.call("playouts", { seed: 12345n, games: 100 });
  best = Math.max(best, decisions / (spent() - started));
}
console.log(best);
