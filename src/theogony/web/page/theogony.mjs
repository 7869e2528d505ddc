/* Games of Theogony in any JavaScript: rules and search as WebAssembly, without Python. Types: theogony.d.ts. */

export { Searchers } from "./searchers.mjs";

const RESULT = 64, ERROR = 128, STACK = 1 << 20, PAGE = 65536, LINE = 64;
const CHUNK = 8, BREATH = 8; // simulations between two looks at the clock, milliseconds between two at the page

/** The bytes that a position-independent module wants: the first number of its section `dylink.0`. */
function dataSize(bytes) {
  const text = "dylink.0", at = bytes.findIndex((_, k) => [...text].every((c, j) => bytes[k + j] === c.charCodeAt(0))) + text.length;
  if (bytes[at] !== 1) throw new Error("this is no module of Theogony");
  for (let k = at + 2, size = 0, shift = 0; ; k++, shift += 7) {
    size |= (bytes[k] & 127) << shift;
    if (bytes[k] < 128) return size;
  }
}

/** Let a page, or a worker, do what has come meanwhile. Timers would wait for four milliseconds. */
function others() {
  return new Promise((go) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => { port1.close(); go(); };
    port2.postMessage(0);
  });
}

const fromBase64 = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

/** A number of half precision. */
function fromHalf(bits) {
  const exponent = (bits >> 10) & 31, rest = bits & 1023, sign = bits & 0x8000 ? -1 : 1;
  if (exponent === 31) return rest ? NaN : sign * Infinity;
  return sign * (exponent ? (1 + rest / 1024) * 2 ** (exponent - 15) : rest * 2 ** -24);
}

/** A file of the folder. */
async function there(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address} is missing (${answer.status})`);
  return answer;
}

/** The numbers in a file of NumPy, in single or half precision. */
function fromNumpy(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 10 || view.getUint32(0) !== 0x934e554d) throw new Error("these are no learnt weights");
  const start = 10 + view.getUint16(8, true), kind = /'<f([24])'/.exec(new TextDecoder().decode(bytes.subarray(10, start)));
  if (!kind) throw new Error("learnt weights are numbers of single or half precision");
  const size = Number(kind[1]), at = (k) => start + k * size;
  return Float32Array.from({ length: (bytes.length - start) / size }, (_, k) => (size === 2 ? fromHalf(view.getUint16(at(k), true)) : view.getFloat32(at(k), true)));
}

/** A module with the arrays that its kernels work on; all positions of a game share one. */
class Core {
  constructor(about, bytes) {
    this.about = about;
    this.source = bytes;
    this.learnt = null; // the file of a learnt value that searches go by
    this.nodes = about.nodes; // that the tree has room for
    this.searching = false; // a search in steps, whose tree no other may overwrite
    this.memory = new WebAssembly.Memory({ initial: (2 * STACK) / PAGE });
    this.top = 1024 + STACK;
    const base = this.room(dataSize(bytes)), fixed = (value) => new WebAssembly.Global({ value: "i32" }, value);
    const env = {
      memory: this.memory, __memory_base: fixed(base), __table_base: fixed(0),
      __stack_pointer: new WebAssembly.Global({ value: "i32", mutable: true }, 1024 + STACK),
    };
    this.kernels = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env }).exports;
    this.kernels.__wasm_apply_data_relocs?.();
    this.places = about.arrays.map(({ bytes: size }) => this.room(size));
    about.arrays.forEach(({ content }, k) => { if (content) this.bytes(this.places[k], about.arrays[k].bytes).set(fromBase64(content)); });
  }

  room(size) {
    const at = Math.ceil(this.top / LINE) * LINE, missing = at + size - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE));
    this.top = at + size;
    return at;
  }

  /** Let the tree have room for so many nodes. */
  hold(nodes) {
    if (nodes <= this.nodes) return;
    this.places[this.about.roles.nodes] = this.room(nodes * this.about.node.bytes);
    this.nodes = nodes;
  }

  bytes(at, size) { return new Uint8Array(this.memory.buffer, at, size); }
  place(role) { return this.places[this.about.roles[role]]; }
  view(Kind, role, length) { return new Kind(this.memory.buffer, this.place(role), length); }

  /** Call a kernel; what it returns is an integer where it returns anything. */
  call(name, given = {}) {
    const values = this.about.calls[name].map((value) => {
      if (typeof value === "object") return value.array === undefined ? 0 : this.places[value.array];
      return typeof value === "string" ? given[value] : value;
    });
    const kinds = this.about.kinds[name];
    const status = this.kernels[name](RESULT, ERROR, ...values.map((v, k) => (kinds[k] === "i" ? BigInt(v) : Number(v))));
    if (status) throw new Error(`${name} failed with status ${status}`);
    return Number(new DataView(this.memory.buffer).getBigInt64(RESULT, true));
  }
}

export class Game {
  /** Load a game that `theogony web` has written: `Game.load("games/orbis-2p.json")`; with `learnt` its searches go by
      what the reference player has learnt. */
  static async load(address, { learnt = false } = {}) {
    const here = new URL(address, import.meta.url), about = await (await there(here)).json();
    if (learnt && !about.weights) throw new Error(`${here.pathname.split("/").pop()} has no learnt value`);
    const get = async (name) => new Uint8Array(await (await there(new URL(name, here))).arrayBuffer());
    const [module, weights] = await Promise.all([get(about.module), learnt ? get(about.weights) : null]);
    const game = Game.of(about, module);
    return learnt ? game.learn(weights) : game;
  }

  /** The same from what was read already. */
  static of(about, bytes) { return new Game(new Core(about, bytes)).reset(0); }

  constructor(core) { this.core = core; }

  get players() { return this.core.about.players; }
  get title() { return this.core.about.title; }
  get actor() { return this.status & 255; }
  /** 0 running, 1 ended by the rules, 2 cut off. */
  get over() { return this.status >> 8; }

  reset(seed = 0) {
    this.status = this.core.call("start", { seed: BigInt.asIntN(64, BigInt(seed)) });
    return this.take(0);
  }

  /** Keep row k of the positions, and the mask that was written with it. */
  take(k) {
    const size = this.core.about.stateBytes;
    this.state = this.core.bytes(this.core.place("states") + k * size, size).slice();
    this.legalNow = this.core.view(Int8Array, "mask", this.core.about.actions.length).slice();
    return this;
  }

  /** Put this position where kernels look for it. */
  put() { this.core.bytes(this.core.place("states"), this.state.length).set(this.state); }

  mask() { return this.legalNow.slice(); }
  legal() { return [...this.legalNow.keys()].filter((action) => this.legalNow[action]); }
  text(action) { return this.core.about.actions[action]; }

  apply(action) {
    if (!this.legalNow[action]) throw new RangeError(`action ${action} is not legal; legal: ${this.legal().slice(0, 12).join(", ")}`);
    this.put();
    this.core.view(Int8Array, "mask", this.legalNow.length).set(this.legalNow);
    this.status = this.core.call("step", { action });
    return this.take(1);
  }

  /** What a seat may know, as floats. */
  observe(seat = this.actor) {
    this.seated(seat);
    this.put();
    this.core.call("view", { seat });
    const { zeros, scales } = this.core.about, codes = this.core.view(Uint8Array, "codes", zeros.length);
    return Float32Array.from(codes, (code, k) => (code - zeros[k]) / scales[k]);
  }

  /** By kind of action which entries of `observe` each of its actions is about. */
  get rows() {
    const unpacked = ([kind, { places, ...about }]) => [kind, { ...about, places: new Int16Array(fromBase64(places).buffer) }];
    return this.core.rows ??= Object.fromEntries(Object.entries(this.core.about.rows).map(unpacked));
  }

  clone() { return new Game(this.core).restore(this); }

  /** Replace what a seat cannot know by a drawn alternative. */
  resample(seat, seed) {
    this.seated(seat);
    this.put();
    this.random(seed);
    this.core.call("resample", { seat });
    this.core.call("show");
    return this.take(0);
  }

  scores() { return this.seats("score"); }
  rewards(kind = this.core.about.usualReward) {
    const reward = this.core.about.rewards.indexOf(kind);
    if (reward < 0) throw new RangeError(`reward ${kind}: expected one of ${this.core.about.rewards.join(", ")}`);
    return this.seats("rewards", { reward });
  }

  seats(name, given) {
    this.put();
    this.core.call(name, given);
    return [...this.core.view(Float64Array, "out", this.players)];
  }

  seated(seat) {
    if (!Number.isInteger(seat) || seat < 0 || seat >= this.players) throw new RangeError(`seat ${seat} is not 0 to ${this.players - 1}`);
  }

  /** All of the position, as a message to a worker may hold it; `restore` takes it. */
  position() { return { state: this.state.slice(), legalNow: this.legalNow.slice(), status: this.status }; }
  restore({ state, legalNow, status }) { return Object.assign(this, { state: state.slice(), legalNow: legalNow.slice(), status }); }

  /** Let searches go by a learnt value from now on, of all positions of this module: the content of a file in weights/. */
  learn(bytes) {
    const { core } = this, learnt = fromNumpy(bytes);
    if (learnt.length !== core.about.floats) throw new Error(`these weights are ${learnt.length} numbers, and ${core.about.title} with ${this.players} players wants ${core.about.floats}`);
    core.view(Float32Array, "net", learnt.length).set(learnt);
    core.learnt = bytes;
    return this;
  }

  /** How a search thinks, by what was learnt where something was. */
  way() { return this.core.learnt ? this.core.about.ways.learnt : this.core.about.ways.own; }

  /** Search the decision that is due, in deals that its seat holds possible. */
  search({ iterations = 64, seed = 1 } = {}) {
    const root = this.root(iterations, seed), way = this.way();
    for (const _ of root.pieces(seed, { ...way, iterations })) { /* all of them */ }
    return root.found(way);
  }

  /** The same search in steps, between which the page lives: it comes to the same, and `signal` ends it early. */
  async think({ iterations = 64, seed = 1, signal } = {}) {
    const root = this.root(iterations, seed), way = this.way();
    return root.grow(seed, { ...way, iterations }, signal, () => root.found(way));
  }

  /** Grow a tree for this position, which is searched as it is; `read` reads it before another search may begin. */
  async grow(seed, way, signal, read) {
    const { core } = this;
    core.searching = true;
    try {
      let until = performance.now() + BREATH;
      for (const _ of this.pieces(seed, way)) {
        if (signal?.aborted) break;
        if (performance.now() < until) continue;
        await others();
        until = performance.now() + BREATH;
      }
      return read();
    } finally {
      core.searching = false;
    }
  }

  /** A search in pieces of a few simulations, however many others use the module between them. */
  *pieces(seed, { iterations, halving, learnt, how, prior = [] }) {
    const { core } = this, given = { seat: this.actor, nodes: core.nodes, floats: learnt ? core.about.floats : 0, priors: prior.length, ...how };
    const number = (role) => core.view(BigUint64Array, role, 1);
    let rng = BigInt.asUintN(64, BigInt(seed)), spent = 0, deal = 0;
    const call = (name, more) => {
      this.put();
      core.view(Float64Array, "prior", prior.length).set(prior);
      number("rng")[0] = rng;
      const found = core.call(name, { ...given, ...more });
      rng = number("rng")[0];
      return found;
    };
    call("begin");
    if (!halving) {
      for (let some; spent < iterations; spent += some) {
        some = Math.min(iterations - spent, CHUNK);
        call("iterate", { iterations: some });
        yield;
      }
      return;
    }
    number("deals")[0] = rng;
    let left = Math.min(call("candidates"), Math.max(iterations >> 1, 1));
    for (const base = number("deals")[0]; left > 1; left = (left + 1) >> 1) {
      const alive = () => core.view(BigInt64Array, "alive", left), order = alive().slice();
      const each = Math.max(Math.floor((iterations - spent) / ((31 - Math.clz32(left)) * left)), 1);
      for (let done = 0, visits; done < each; done += visits) { // all pieces of a round go through the actions in one order
        visits = Math.min(each - done, Math.max(Math.floor(CHUNK / left), 1));
        alive().set(order);
        call("compare", { left, first: deal, visits, base });
        deal += visits;
        spent += visits * left;
        yield;
      }
    }
  }

  /** The position as the seat that decides may imagine it. Throws where no search can begin. */
  root(iterations, seed) {
    if (this.over) throw new RangeError("the game is over");
    if (!(iterations >= 1 && iterations <= 1000)) throw new RangeError(`iterations=${iterations}: 1 to 1000 were expected`);
    if (this.core.searching) throw new Error("another search of this module is running; load the game once more to search beside it");
    return this.clone().resample(this.actor, BigInt(seed) ^ 0x5bd1e995n);
  }

  random(seed) { this.core.view(BigUint64Array, "rng", 1)[0] = BigInt.asUintN(64, BigInt(seed)); }

  /** What the last search has found. */
  found({ halving }) { return ranked(this.children(), halving ? [this.stayed()] : []); }

  /** The action that sequential halving has left. */
  stayed() {
    const { node } = this.core.about, first = Number(this.core.view(BigInt64Array, "alive", 1)[0]);
    return new DataView(this.core.memory.buffer, this.core.place("nodes")).getInt32(first * node.bytes + node.action, true);
  }

  /** The actions at the root of the last search. */
  children() {
    const { node } = this.core.about, nodes = new DataView(this.core.memory.buffer, this.core.place("nodes"));
    const found = [], of = (k, field) => nodes.getInt32(k * node.bytes + node[field], true);
    for (let k = of(0, "child"); k >= 0; k = of(k, "next")) {
      found.push({ action: of(k, "action"), visits: of(k, "visits"), total: nodes.getFloat64(k * node.bytes + node.total, true) });
    }
    return found;
  }
}

/** What a search has found, of actions with their visits and sums of rewards; `stayed` are those that halving has left. */
export function ranked(children, stayed = []) {
  const mean = ({ visits, total }) => total / Math.max(visits, 1);
  const found = children.filter(({ visits }) => visits > 0).sort((a, b) => b.visits - a.visits || b.total - a.total);
  const [best = found[0]] = children.filter(({ action }) => stayed.includes(action)).sort((a, b) => mean(b) - mean(a));
  return { action: best.action, options: found.map(({ action, visits, total }) => ({ action, visits, value: total / visits })) };
}
