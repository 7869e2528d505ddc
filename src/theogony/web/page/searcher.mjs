/* A worker of `searchers.mjs`: first it gets a game and its module, then positions to search. */

import { Game } from "./theogony.mjs";

const port = globalThis.postMessage ? globalThis : (await import("node:worker_threads")).parentPort;
let game = null, stopping = null;

async function answer({ about, bytes, stop, position, iterations, seed, stopped }) {
  if (stop) return stopping?.abort();
  try {
    if (about) {
      game = Game.of(about, bytes);
      return port.postMessage({ ready: true });
    }
    stopping = new AbortController();
    if (stopped) stopping.abort();
    return port.postMessage(await game.restore(position).think({ iterations, seed, signal: stopping.signal }));
  } catch (error) {
    return port.postMessage({ error: error.message });
  }
}

port.onmessage = ({ data }) => answer(data);
