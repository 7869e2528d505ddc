/* Several searches of one decision at once, each in a worker with a module of its own; their visits are votes. */

import { ranked } from "./theogony.mjs";

const MOST = 8, APART = 0x9e3779b97f4a7c15n; // workers by default, and between the seeds of two of them

/** A worker of a page or of Node, as `post`, `hear` and `end`. */
async function worker() {
  const place = new URL("./searcher.mjs", import.meta.url);
  if (globalThis.Worker) {
    const made = new Worker(place, { type: "module" });
    return {
      post: (message) => made.postMessage(message), end: () => made.terminate(),
      hear(answer, fail) { made.onmessage = ({ data }) => answer(data); made.onerror = (event) => fail(new Error(event.message || `${place} cannot be run`)); },
    };
  }
  const { Worker: Thread } = await import("node:worker_threads");
  const made = new Thread(place);
  return {
    post: (message) => made.postMessage(message), end: () => made.terminate(),
    hear(answer, fail) { made.removeAllListeners("message").removeAllListeners("error").on("message", answer).on("error", fail); },
  };
}

export class Searchers {
  /** As many workers for the games of one module; by default one less than the machine has processors. */
  static async start(game, count = Math.max(1, Math.min(MOST, (globalThis.navigator?.hardwareConcurrency ?? 2) - 1))) {
    if (!Number.isInteger(count) || count < 1) throw new RangeError(`count=${count}: at least one worker was expected`);
    const made = new Searchers(await Promise.all(Array.from({ length: count }, worker)));
    const { about, source: bytes, learnt } = game.core;
    try {
      await made.ask(() => ({ about, bytes, learnt }));
    } catch (error) {
      made.close();
      throw error;
    }
    return made;
  }

  constructor(workers) { this.workers = workers; this.busy = false; }
  get count() { return this.workers.length; }

  /** Ask every worker, and wait for all answers. */
  ask(message) {
    return Promise.all(this.workers.map((one, k) => new Promise((done, fail) => {
      one.hear((answer) => (answer.error ? fail(new Error(answer.error)) : done(answer)), fail);
      one.post(message(k));
    })));
  }

  /** Search a decision in all workers, so many simulations in each; `signal` ends it early, with what was found. */
  async search(game, { iterations = 64, seed = 1, signal } = {}) {
    if (this.busy) throw new Error("these workers are searching already");
    const position = game.position(), stop = () => this.workers.forEach((one) => one.post({ stop: true }));
    this.busy = true;
    try {
      const asked = { position, iterations, stopped: signal?.aborted };
      const answers = this.ask((k) => ({ ...asked, seed: BigInt(seed) + BigInt(k) * APART }));
      signal?.addEventListener("abort", stop, { once: true });
      const found = await answers;
      return ranked(votes(found), game.way().halving ? found.map(({ action }) => action) : []);
    } finally {
      this.busy = false;
      signal?.removeEventListener("abort", stop);
    }
  }

  /** End all workers. */
  close() { for (const one of this.workers) one.end(); this.workers = []; }
}

/** Visits and sums of rewards of each action, added up. */
function votes(answers) {
  const found = new Map();
  for (const { action, visits, value } of answers.flatMap(({ options }) => options)) {
    const sum = found.get(action) ?? { action, visits: 0, total: 0 };
    found.set(action, { action, visits: sum.visits + visits, total: sum.total + value * visits });
  }
  return [...found.values()];
}
