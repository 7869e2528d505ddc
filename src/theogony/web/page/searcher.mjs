/* A worker of `searchers.mjs` and of the pages: first it gets a game and its module, then positions to search. */

import { Game } from "./theogony.mjs";

const port = globalThis.postMessage ? globalThis : (await import("node:worker_threads")).parentPort;
let game = null, stopping = null;

/** A tree for a position that was drawn already, for the table of a page: see `web/wide.py`. */
async function grown({ state, seat, rng, nodes, ...way }) {
  game.core.hold(nodes);
  game.restore({ state, legalNow: new Int8Array(0), status: seat });
  return game.grow(rng, way, stopping.signal, () => ({ children: game.children(), stayed: way.halving ? game.stayed() : null }));
}

async function answer({ about, bytes, learnt, stop, grow, position, iterations, seed, stopped }) {
  if (stop) return stopping?.abort();
  try {
    if (about) {
      game = Game.of(about, bytes);
      if (learnt) game.learn(learnt);
      return port.postMessage({ ready: true });
    }
    stopping = new AbortController();
    if (stopped) stopping.abort();
    if (grow) return port.postMessage(await grown(grow));
    return port.postMessage(await game.restore(position).think({ iterations, seed, signal: stopping.signal }));
  } catch (error) {
    return port.postMessage({ error: error.message });
  }
}

port.onmessage = ({ data }) => answer(data);
