/* The page to step through a game that was played. */
"use strict";

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(stream).text());
}

/** The picture of a difference, see pack.py. */
function rebuild(base, told) {
  const picture = [];
  let at = 0;
  for (let k = 0; k < told.length; ) {
    if (told[k] >= 0) { picture.push(told[k]); k += 1; }
    else {
      const start = at + told[k + 1];
      at = start - told[k];
      for (let i = start; i < at; i++) picture.push(base[i]);
      k += 2;
    }
  }
  return picture;
}

layout.begin();

async function replay() {
  const data = await unpack($("data").textContent);
  words.set(data.words);
  panel.fetch = async (name) => data.drawn[name] || null;
  people.names = data.seats;
  const last = data.actors.length - 1;
  const first = []; // the pictures of the first viewer, made as they are needed
  let at = 0, view = 0, timer = null;

  function picture(k) {
    for (let i = first.length; i <= k; i++) first.push(rebuild(i ? first[i - 1] : [], data.frames[0][i]));
    const pieces = view === 0 ? first[k] : rebuild(first[k], data.frames[view][k]);
    return pieces.map((number) => data.pieces[number]).join("");
  }

  const decisions = data.analysis ? data.analysis.decisions : [];
  const loss = (k) => (decisions[k] && decisions[k].loss >= 0.02 ? make("span", { class: "loss", title: "odds lost" }, `−${percent(decisions[k].loss)}`) : null);

  function go(k) {
    at = Math.max(0, Math.min(last, k));
    board.show(people.draw(picture(at)));
    $("slider").value = at;
    $("count").textContent = `${at} of ${last}`;
    log.mark(at);
    const actor = data.actors[at];
    $("turn").textContent = at === last && data.result ? "The game is over." : `${data.seats[actor]} ${data.seats[actor] === "You" ? "decide" : "decides"}`;
    for (const figure of $("charts").querySelectorAll("figure")) figure.move(at, data.seats);
    showResult(at === last ? data.result : null, data.seats);
    decision();
    document.body.dataset.ply = at;
  }

  function decision() {
    const entry = decisions[at];
    $("analysis").hidden = !data.analysis;
    if (!data.analysis) return;
    const said = entry ? `${data.seats[entry.seat]}${entry.odds === null ? "" : `: odds ${percent(entry.odds)}`}` : at === last ? "The game ends here." : "Nothing to choose here.";
    const told = entry && entry.odds !== null ? "its share of the search, and the odds to win" : "how much it is preferred"; // of each action
    $("advice").replaceChildren(make("p", { class: "quiet" }, entry ? `${said}. By ${data.analysis.by}, of each action: ${told}.` : said), ...(entry ? entry.options.map((one) => option(one)) : []));
  }

  /** Odds after each decision: those of the last time that the seat decided. */
  function odds() {
    const now = data.seats.map(() => null), rows = [];
    for (let k = 0; k <= last; k++) {
      const entry = decisions[k];
      if (entry && entry.odds !== null) {
        now[entry.seat] = entry.odds;
        if (data.together) now.fill(entry.odds);
        else if (now.length === 2) now[1 - entry.seat] = 1 - entry.odds;
      }
      rows.push([...now]);
    }
    if (data.result && rows.length && !data.result.cut_off) {
      const won = data.result.places.map((place) => (place === 1 ? 1 : 0)), all = won.reduce((a, b) => a + b, 0);
      rows[last] = data.together ? won.map(() => (data.result.won ? 1 : 0)) : won.map((w) => w / all);
    }
    return rows;
  }

  function mistakes() {
    const found = decisions.map((entry, k) => [entry, k]).filter(([entry]) => entry && entry.loss >= 0.01);
    found.sort((a, b) => b[0].loss - a[0].loss);
    $("mistakes").hidden = !found.length;
    $("mistakes").querySelector("ol").replaceChildren(...found.slice(0, 10).map(([entry, k]) =>
      make("li", {}, make("button", { type: "button", onclick: () => go(k) }, `${data.moves[view][k + 1].text} `, make("span", { class: "quiet" }, `${data.seats[entry.seat]}, decision ${k + 1}: −${percent(entry.loss)}, better: ${entry.options[0].text}`)))));
  }

  function run() {
    if (timer !== null) { clearInterval(timer); timer = null; $("run").textContent = "▶ run"; return; }
    if (at === last) go(0);
    $("run").textContent = "⏸ stop";
    timer = setInterval(() => { if (at === last) run(); else go(at + 1); }, Number($("pace").value));
  }

  const steps = { first: () => go(0), back: () => go(at - 1), on: () => go(at + 1), last: () => go(last), run };
  for (const button of document.querySelectorAll("[data-go]")) button.addEventListener("click", steps[button.dataset.go]);
  $("slider").max = last;
  $("slider").addEventListener("input", () => go(Number($("slider").value)));
  $("pace").addEventListener("change", () => { if (timer !== null) { run(); run(); } });
  document.addEventListener("keydown", (event) => {
    if (/SELECT/.test(event.target.tagName) || (event.key === " " && event.target.closest("button"))) return;
    if (layout.keys[event.key]) layout.keys[event.key]();
    const key = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", " ": "run" }[event.key];
    if (!key) return;
    event.preventDefault();
    steps[key]();
  });

  const said = { all: "all eyes", public: "the public" };
  $("view").replaceChildren(...data.views.map((who, k) => make("option", { value: k }, said[who] || data.seats[who])));
  $("view").disabled = data.views.length === 1;
  $("view").addEventListener("change", () => { view = Number($("view").value); show(); });

  function show() {
    log.fill(people.named(data.moves[view].slice(1)), 0, go, loss);
    mistakes();
    go(at);
  }

  const charts = [chart("score", data.scores, data.seats.length, 0, go)];
  if (decisions.some((entry) => entry && entry.odds !== null)) charts.push(chart("odds", odds(), data.seats.length, 0, go, 0, 1));
  const legend = make("p", { class: "legend" }, ...data.seats.map((name, seat) => make("span", {}, swatch(seat), name)));
  $("charts").replaceChildren(legend, ...charts.filter(Boolean));
  for (const { tint, name } of partsOf(picture(last)).values()) if (tint) document.body.style.setProperty(`--seat-${name.slice(5)}`, tint);
  show();
  const asked = Number(new URLSearchParams(location.hash.slice(1)).get("ply"));
  if (asked) go(asked);
}

replay().catch((error) => { document.body.prepend(make("p", { class: "note" }, `This page needs a browser of 2023 or later: ${error.message}`)); });
