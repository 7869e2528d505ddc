/* A whole game between a search and random play, with the rules as WebAssembly: in Node, and in a page alike.

     theogony web orbis --out web
     node examples/browser_game.mjs web orbis
*/
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [folder, name] = process.argv.slice(2);
const { Game } = await import(pathToFileURL(path.resolve(folder, "theogony.mjs")));

// In a page: const game = await Game.load(`games/${name}-2p.json`);
const about = JSON.parse(fs.readFileSync(path.join(folder, "games", `${name}-2p.json`), "utf8"));
const game = Game.of(about, new Uint8Array(fs.readFileSync(path.join(folder, "games", about.module))));

/** An agent gets what its seat sees, and says an action: an ONNX network would get these arrays. */
function random(observation, mask) {
  const legal = [...mask.keys()].filter((action) => mask[action]);
  return legal[Math.floor(Math.random() * legal.length)];
}

game.reset(7);
let decisions = 0;
while (!game.over) {
  const searches = game.actor === 0;
  const action = searches ? game.search({ iterations: 64, seed: decisions }).action : random(game.observe(), game.mask());
  if (decisions < 6) console.log(`player ${game.actor}: ${game.text(action)}`);
  game.apply(action);
  decisions += 1;
}
console.log(`${game.title}: ${decisions} decisions, scores ${game.scores().join(" : ")}, rewards ${game.rewards().join(" : ")}`);
