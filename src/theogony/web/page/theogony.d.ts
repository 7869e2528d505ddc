/** Games of Theogony as WebAssembly. Positions of one `Game.load` share a module; they are cheap to clone. */
export interface Option {
  action: number;
  visits: number;
  /** Mean reward of the seat that decides. */
  value: number;
}

export interface SearchResult {
  /** The most visited action; by a learnt value that which sequential halving has left. */
  action: number;
  /** All visited actions, the most visited first. */
  options: Option[];
}

export interface SearchOptions {
  /** 1 to 1000, by default 64. */
  iterations?: number;
  seed?: number | bigint;
}

export interface StoppableOptions extends SearchOptions {
  /** When it is aborted, the search ends within some 10 milliseconds, with what was found until then. */
  signal?: AbortSignal;
}

/** A position as a message can hold it. */
export interface Position {
  state: Uint8Array;
  legalNow: Int8Array;
  status: number;
}

/** The actions `first`, `first + 1` ... of a kind, and which entries of an observation each of them is about. */
export interface Rows {
  first: number;
  /** By name where a column begins in a row, and where it ends. */
  columns: Record<string, [number, number]>;
  /** One row after the other: places in the observation, -1 for nothing. */
  places: Int16Array;
}

export class Game {
  /**
   * A game that `theogony web` has written: `Game.load("games/orbis-2p.json")`, beside this file. With `learnt` its
   * searches go by what the reference player has learnt, as by `learn`.
   */
  static load(address: string, options?: { learnt?: boolean }): Promise<Game>;
  /** The same from what was read already: the JSON file and the module. */
  static of(about: object, module: Uint8Array): Game;
  readonly players: number;
  readonly title: string;
  /** The seat that decides. */
  readonly actor: number;
  /** 0 running, 1 ended by the rules, 2 cut off. */
  readonly over: number;
  /** A new game; the seed deals as it does in Python. */
  reset(seed?: number | bigint): this;
  /** Ids of the legal actions, ascending. */
  legal(): number[];
  /** The same as 0 and 1, of length (actions,). */
  mask(): Int8Array;
  /** An action in words. */
  text(action: number): string;
  /** One decision. Throws RangeError when it is not legal. */
  apply(action: number): this;
  /** What a seat may know, float32 of length (observation,); by default the seat that decides. */
  observe(seat?: number): Float32Array;
  /** By kind of action which entries of an observation its actions are about: `game.action_rows` of Python. */
  readonly rows: Record<string, Rows>;
  /** An independent copy. */
  clone(): Game;
  /** Draw anew in place what a seat cannot know. */
  resample(seat: number, seed: number | bigint): this;
  /** Printed scores of all seats. */
  scores(): number[];
  /** Final rewards of all seats: "outcome", "rank", "margin", in some games "progress". */
  rewards(kind?: string): number[];
  /**
   * Searches go by a learnt value from now on, those of all positions of this module: the content of the file that
   * `weights` in the game's JSON file names. Then `search` is the player `mcts:64@reference`. Throws where they do not fit.
   */
  learn(weights: Uint8Array): this;
  /** Information-set Monte Carlo tree search, 1 to 1000 simulations, fair: it sees what the seat knows. */
  search(options?: SearchOptions): SearchResult;
  /**
   * The same search in steps, so that a page lives meanwhile and can stop it. It comes to the same as `search`.
   * Rejects while another search of the same module is running.
   */
  think(options?: StoppableOptions): Promise<SearchResult>;
  /** All of the position; `restore` takes it, in another worker too. */
  position(): Position;
  restore(position: Position): this;
}

/** Workers that search a decision at once, each with a module of its own: `const all = await Searchers.start(game)`. */
export class Searchers {
  /** For games of the module of `game`; by default one less than the machine has processors, at most 8. */
  static start(game: Game, count?: number): Promise<Searchers>;
  readonly count: number;
  /** `iterations` simulations in each worker, from seeds of their own; visits of all are added up. */
  search(game: Game, options?: StoppableOptions): Promise<SearchResult>;
  /** End the workers. */
  close(): void;
}
