/* The way to the server: one request after another, and a stream that says when something has changed.
   Uses `refresh`, `changed` and `draw` of play.js. */
"use strict";

const page = location.pathname.replace(/[^/]*$/, "");
const windowName = sessionStorage.getItem("window") || crypto.getRandomValues(new Uint32Array(4)).join("-");
sessionStorage.setItem("window", windowName);

const link = {
  here: true, // whether the server answers
  away: "The server does not answer (not connected)",
  seated: true, // whether this window has the seat
  busy: Promise.resolve(),
  events: null,
  tries: 0,

  async ask(path, message, signal) {
    const sent = message ? { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ window: windowName, ...message }) } : {};
    const answer = await fetch(page + path, { ...sent, signal });
    const data = await answer.json();
    if (!answer.ok) throw Object.assign(new Error(data.error || answer.statusText), { status: answer.status, taken: data.taken });
    return data;
  },

  /** Do things one after another; what is refused is said, and the page fetches how it stands. */
  inTurn(work) {
    this.busy = this.busy.then(work).catch((error) => {
      if (error.taken) return this.lose(error.message);
      if (!error.status) return this.stand(false);
      say(error.message);
      return refresh().catch(() => {});
    });
    return this.busy;
  },

  /** Whether the server answers has changed, or not. */
  stand(here) {
    if (here === this.here) return;
    this.here = here;
    $("gone").hidden = here;
    if (game && game.resume) $("resume").replaceChildren(make("code", {}, game.resume));
    draw();
  },

  /** Another window has the seat. */
  lose(why) {
    this.seated = false;
    say(why, make("button", { type: "button", onclick: () => this.sit(true) }, "take the seat over"));
    draw();
  },

  sit(over) {
    return this.inTurn(async () => {
      await this.ask("sit", { take: Boolean(over), name: $("called").value.slice(0, 24) });
      this.seated = true;
      say("");
      this.listen();
      await refresh();
    });
  },

  listen() {
    if (this.events) this.events.close();
    const events = this.events = new EventSource(`${page}events?${new URLSearchParams({ window: windowName })}`);
    events.onopen = () => { this.tries = 0; this.stand(true); if (game) this.inTurn(refresh); };
    events.onmessage = (event) => changed(JSON.parse(event.data));
    events.addEventListener("taken", () => { events.close(); this.lose("This seat was taken over by another window."); });
    events.onerror = () => {
      this.stand(false);
      if (events.readyState === EventSource.CLOSED) setTimeout(() => this.sit(false), Math.min(5000, 500 * 2 ** this.tries++));
    };
  },
};
