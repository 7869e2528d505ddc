/* One script for both pages: the one to play at (play.html) and replay pages (replay.html). */
"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const LARGE = 12; // from so many choices on there is a field to find one
  const percent = (x) => (x === null || x === undefined ? "" : `${(100 * x).toFixed(x > 0.995 || x < 0.1 ? 1 : 0)} %`);

  /** An element with attributes, text and children. */
  function make(tag, attributes = {}, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value);
    }
    node.append(...children.filter((child) => child !== null && child !== undefined));
    return node;
  }

  const swatch = (seat) => make("i", { class: `dot seat-${seat % 5}` });

  // -------------------------------------------------------------------------------------------- the board

  const board = {
    shown: "",

    /** Show a picture. What was not in the last one appears softly. */
    show(svg) {
      if (svg === this.shown) return;
      this.shown = svg;
      const read = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
      const node = document.importNode(read, true);
      const old = $("board").querySelector("svg");
      if (old) this.freshen(old, node);
      if (!node.getAttribute("viewBox")) node.setAttribute("viewBox", `0 0 ${node.getAttribute("width")} ${node.getAttribute("height")}`);
      node.removeAttribute("width");
      node.removeAttribute("height");
      if (old) old.replaceWith(node);
      else $("board").append(node);
      closeMenu();
    },

    freshen(old, node) {
      const known = new Set([...old.querySelectorAll("[data-place]")].map((place) => place.outerHTML));
      for (const place of node.querySelectorAll("[data-changed]")) {
        if (!known.has(place.outerHTML)) place.classList.add("fresh");
      }
    },

    /** Point at the places of an action. */
    point(action, on) {
      for (const place of $("board").querySelectorAll("[data-actions]")) {
        const here = place.getAttribute("data-actions").split(" ").includes(String(action));
        if (here) place.classList.toggle("pointed", on);
      }
    },
  };

  function closeMenu() {
    const menu = $("menu");
    if (menu) menu.remove();
  }

  /** Charts: lines over the decisions, one a seat. `values[k][seat]` may be null. */
  function chart(label, values, colours, at, go, low, high) {
    const width = 300, height = 100, last = Math.max(1, values.length - 1);
    const known = values.flat().filter((value) => value !== null);
    if (!known.length) return null;
    const floor = low ?? Math.min(...known), top = high ?? Math.max(...known, floor + 1);
    const x = (k) => (width * k) / last, y = (v) => height - (height * (v - floor)) / (top - floor || 1);
    const NS = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(NS, "svg");
    svg.setAttribute("viewBox", `0 -4 ${width} ${height + 8}`);
    svg.setAttribute("preserveAspectRatio", "none");
    const path = (points, stroke, more) => {
      const line = document.createElementNS(NS, "polyline");
      line.setAttribute("points", points);
      line.setAttribute("fill", "none");
      line.setAttribute("style", `stroke:${stroke};stroke-width:2;vector-effect:non-scaling-stroke;${more || ""}`);
      svg.append(line);
      return line;
    };
    path(`0,${height} ${width},${height}`, "var(--line)");
    if (low === 0 && high === 1) path(`0,${height / 2} ${width},${height / 2}`, "var(--line)", "stroke-dasharray:4 4");
    for (let seat = 0; seat < colours; seat++) {
      const points = values.map((row, k) => (row[seat] === null ? null : `${x(k)},${y(row[seat])}`));
      path(points.filter(Boolean).join(" "), `var(--seat-${seat % 5})`);
    }
    const cursor = path("", "var(--glow)");
    svg.addEventListener("click", (event) => {
      const box = svg.getBoundingClientRect();
      go(Math.round((last * (event.clientX - box.left)) / box.width));
    });
    const caption = make("figcaption", {}, label);
    const figure = make("figure", {}, caption, svg);
    figure.move = (k, names) => {
      cursor.setAttribute("points", `${x(k)},-4 ${x(k)},${height + 4}`);
      const row = values[Math.min(k, values.length - 1)];
      const told = names.map((name, seat) => make("span", {}, swatch(seat), row[seat] === null ? "–" : low === 0 && high === 1 ? percent(row[seat]) : String(row[seat])));
      caption.replaceChildren(label, ...told);
    };
    figure.move(at, []);
    return figure;
  }

  /** The end of a game. */
  function showResult(result, names) {
    $("result").hidden = !result;
    if (!result) return;
    const head = result.cut_off ? "The game was cut off" : result.cooperative ? (result.won ? "Won together" : "Lost together") : `${winners(result, names)} won`;
    const order = names.map((_, seat) => seat).sort((a, b) => result.places[a] - result.places[b] || a - b);
    const rows = order.map((seat) =>
      make("tr", {}, make("td", {}, result.cooperative ? "" : `${result.places[seat]}.`), make("td", {}, swatch(seat), names[seat]), make("td", {}, String(result.scores[seat]))));
    const reasons = result.reasons.length ? make("details", {}, make("summary", {}, "where the points come from"), ...order.map((seat) => reason(seat, names, result.reasons[seat]))) : null;
    $("result").replaceChildren(make("h2", {}, head), make("table", {}, ...rows), ...(reasons ? [reasons] : []));
  }

  const winners = (result, names) => names.filter((_, seat) => result.places[seat] === 1).join(" and ");

  function reason(seat, names, reasons) {
    const list = make("dl", {});
    for (const [name, value] of Object.entries(reasons)) {
      const told = value !== null && typeof value === "object" ? JSON.stringify(value).replace(/["{}[\]]/g, " ").replace(/\s+/g, " ") : String(value);
      list.append(make("dt", {}, name.replaceAll("_", " ")), make("dd", {}, told.length > 400 ? `${told.slice(0, 400)} …` : told));
    }
    return make("div", {}, make("b", {}, names[seat]), list);
  }

  /** An alternative with a bar for its share. */
  function option(one, onclick) {
    const bar = make("span", { class: "bar" });
    bar.style.setProperty("--share", `${100 * one.share}%`);
    return make(onclick ? "button" : "div", { class: `option${one.played ? " played" : ""}`, type: onclick ? "button" : null, onclick: onclick || (() => {}) },
      make("span", {}, one.played ? `${one.text} ✓` : one.text), make("span", { class: "quiet" }, percent(one.share)), make("span", {}, percent(one.odds)), bar);
  }

  /** The list of decisions: `moves[k - 1]` led to k. */
  const log = {
    fill(moves, from, go, note) {
      const list = $("log");
      while (list.children.length > from) list.lastChild.remove();
      for (let k = from; k < moves.length; k++) {
        const move = moves[k];
        list.append(make("li", { onclick: () => go(k + 1), "data-ply": k + 1 },
          make("b", { class: `seat-${move.seat % 5}` }, `P${move.seat}`), make("span", {}, move.text), note ? note(k) : null));
      }
    },
    mark(k) {
      const list = $("log");
      for (const item of list.querySelectorAll(".now")) item.classList.remove("now");
      const item = list.children[k - 1];
      if (!item) return;
      item.classList.add("now");
      list.scrollTop = Math.max(0, item.offsetTop - list.offsetTop - list.clientHeight / 2);
    },
  };

  // -------------------------------------------------------------------------------------------- playing

  function play() {
    const page = location.pathname.replace(/[^/]*$/, "");
    const windowName = sessionStorage.getItem("window") || crypto.getRandomValues(new Uint32Array(4)).join("-");
    sessionStorage.setItem("window", windowName);
    let game = null; // the latest news, with all moves
    let frames = []; // that wait to be shown
    let shown = null; // the frame on the board
    let looking = null; // a number while an earlier position is looked at
    let busy = Promise.resolve();
    let timer = null, events = null, tries = 0;

    const pace = $("pace");
    pace.value = localStorage.getItem("pace") || "400";
    if (!pace.value) pace.value = "400";
    pace.addEventListener("change", () => localStorage.setItem("pace", pace.value));

    async function ask(path, message) {
      const sent = message ? { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ window: windowName, ...message }) } : {};
      const answer = await fetch(page + path, sent);
      const data = await answer.json();
      if (!answer.ok) throw Object.assign(new Error(data.error || answer.statusText), { status: answer.status, taken: data.taken });
      return data;
    }

    /** Do things one after another; what is refused is said, and the page fetches how it stands. */
    function inTurn(work) {
      busy = busy.then(work).catch((error) => {
        say(error.status ? error.message : "The server does not answer; everything so far is saved. Trying again …", error.taken);
        if (error.status && !error.taken) return refresh().catch(() => {});
      });
      return busy;
    }

    const known = () => (game ? { epoch: game.epoch, after: game.now } : { epoch: "none", after: -1 });
    const refresh = async () => take(await ask(`news?${new URLSearchParams(known())}`));

    function take(news) {
      const fresh = !game || game.epoch !== news.epoch;
      const moves = fresh || news.first === 0 ? [] : game.moves.slice(0, news.first - 1);
      if (!fresh && news.now < game.now) return;
      moves.push(...news.moves);
      log.fill(moves, fresh ? 0 : Math.min(news.first ? news.first - 1 : 0, moves.length), look);
      game = { ...news, moves };
      const latest = frames.length ? frames[frames.length - 1].ply : shown && !fresh ? shown.ply : -1;
      frames = fresh ? news.frames : [...frames, ...news.frames.filter((frame) => frame.ply > latest)];
      if (fresh) { shown = null; looking = null; }
      if (!shown && frames.length) frames = frames.slice(-1);
      run();
    }

    /** Show the frames that wait, one after another. */
    function run() {
      if (timer !== null || looking !== null) return;
      const step = () => {
        timer = null;
        if (looking !== null) return;
        if (frames.length) {
          if (frames.length > 30 || pace.value === "0") frames = frames.slice(-1);
          shown = frames.shift();
          if (frames.length) timer = setTimeout(step, Number(pace.value) / (frames.length > 8 ? 4 : 1));
        }
        draw();
      };
      step();
    }

    const current = () => shown && game && !frames.length && looking === null && shown.ply === game.now;
    const mine = () => current() && game.you !== null && shown.actor === game.you && !shown.over;

    function draw() {
      if (!game || !shown) return;
      if (looking === null) board.show(shown.svg);
      const ply = looking === null ? shown.ply : looking;
      $("title").textContent = game.title;
      document.title = `${mine() ? "● " : ""}${game.title} – Theogony`;
      $("turn").textContent = turn();
      $("turn").classList.toggle("mine", Boolean(mine()));
      $("asked").classList.toggle("mine", Boolean(mine()));
      $("board").classList.toggle("waiting", !mine() && !shown.over);
      $("past").hidden = looking === null;
      $("past").replaceChildren(`After decision ${ply} of ${game.now}.`, make("button", { type: "button", onclick: () => present() }, "back to now"));
      log.mark(ply);
      showResult(frames.length ? null : game.result, names());
      if (game.trouble) say(game.trouble);
      choices();
      document.body.dataset.decision = current() ? game.decision : "";
      document.body.dataset.ready = mine() ? "mine" : current() && shown.over ? "over" : "wait";
    }

    const names = () => game.seats.map((name, seat) => (seat === game.you ? `You (Player ${seat})` : `Player ${seat}, ${name}`));

    function turn() {
      if (game.result && !frames.length) return "The game is over.";
      if (mine()) return "Your turn: what will you do?";
      const seat = shown.actor;
      if (seat === game.you) return "…";
      return game.seats[seat] === "human" ? `Player ${seat} decides${(game.here || []).includes(seat) ? "" : " (not here now)"} …` : `Player ${seat} (${game.seats[seat]}) thinks …`;
    }

    function choices() {
      const list = $("choices"), own = mine() ? shown.choices : [];
      $("question").textContent = mine() ? "Your move" : game.you === null ? "You look on" : shown.over ? "The end" : "Wait for the others";
      $("filter").hidden = own.length < LARGE;
      if (list.dataset.decision !== `${game.decision} ${own.length}`) {
        list.dataset.decision = `${game.decision} ${own.length}`;
        $("filter").value = "";
        $("advice").hidden = true;
        list.replaceChildren(...own.map(([action, text], k) => choice(action, text, k < 9 ? k + 1 : null)));
        if (mine()) keys();
      }
      $("hint").disabled = !mine();
      $("undo").disabled = !(game.undo && current());
      $("undo").hidden = $("hint").hidden = game.you === null;
    }

    function choice(action, text, key) {
      return make("button", { type: "button", "data-action": action, onclick: () => decide(action), onmouseenter: () => board.point(action, true), onmouseleave: () => board.point(action, false) },
        key ? make("kbd", {}, String(key)) : null, text);
    }

    /** Places that can be clicked can also be reached by Tab, and say what they do. */
    function keys() {
      const text = new Map(shown.choices.map(([action, words]) => [String(action), words]));
      for (const place of $("board").querySelectorAll("[data-actions]")) {
        const told = place.getAttribute("data-actions").split(" ").map((action) => text.get(action)).filter(Boolean);
        place.setAttribute("tabindex", "0");
        place.setAttribute("role", "button");
        place.setAttribute("aria-label", told.join(", "));
        const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
        title.textContent = told.slice(0, 8).join("\n");
        place.prepend(title);
      }
    }

    function decide(action) {
      if (!mine()) return;
      closeMenu();
      const decision = game.decision;
      document.body.dataset.ready = "sent";
      for (const button of $("choices").children) button.disabled = true;
      inTurn(async () => {
        say("");
        take(await ask("play", { decision, action, ...known() }));
      });
    }

    function clicked(place, x, y) {
      if (!mine()) return;
      const ids = place.getAttribute("data-actions").split(" ").map(Number);
      const own = shown.choices.filter(([action]) => ids.includes(action));
      if (own.length === 1) return decide(own[0][0]);
      closeMenu();
      const menu = make("div", { id: "menu", role: "menu" }, ...own.map(([action, text]) => choice(action, text)));
      document.body.append(menu);
      menu.style.left = `${Math.min(x, window.innerWidth - menu.offsetWidth - 12) + window.scrollX}px`;
      menu.style.top = `${Math.min(y, window.innerHeight - menu.offsetHeight - 12) + window.scrollY}px`;
      menu.firstChild.focus();
    }

    $("board").addEventListener("click", (event) => {
      const place = event.target.closest("[data-actions]");
      if (place) clicked(place, event.clientX, event.clientY);
      else closeMenu();
    });
    $("board").addEventListener("keydown", (event) => {
      const place = event.target.closest && event.target.closest("[data-actions]");
      if (!place || (event.key !== "Enter" && event.key !== " ")) return;
      const box = place.getBoundingClientRect();
      event.preventDefault();
      clicked(place, box.left + box.width / 2, box.top + box.height / 2);
    });
    $("filter").addEventListener("input", () => {
      const wanted = $("filter").value.toLowerCase();
      for (const button of $("choices").children) button.hidden = !button.textContent.toLowerCase().includes(wanted);
    });

    $("undo").addEventListener("click", () => {
      if ($("undo").disabled) return;
      const decision = game.decision;
      inTurn(async () => { say(""); take(await ask("undo", { decision })); });
    });

    $("hint").addEventListener("click", () => {
      if (!mine()) return;
      const decision = game.decision;
      $("hint").disabled = true;
      $("advice").hidden = false;
      $("advice").replaceChildren(make("p", { class: "quiet" }, "The search looks at it …"));
      inTurn(async () => {
        const advice = await ask("hint", { decision });
        if (!mine() || game.decision !== decision) return;
        $("hint").disabled = false;
        $("advice").replaceChildren(make("p", { class: "quiet" }, "A search would do (share of its visits, odds that you win):"),
          ...advice.options.map((one) => option(one, () => decide(one.action))));
      });
    });

    function look(ply) {
      if (!game || ply < 0 || ply > game.now) return;
      if (ply === game.now) return present();
      looking = ply;
      inTurn(async () => {
        const frame = await ask(`frame?ply=${ply}`);
        if (looking === ply) { board.show(frame.svg); draw(); }
      });
    }

    function present() {
      looking = null;
      if (frames.length) frames = frames.slice(-1);
      run();
      draw();
    }

    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") { closeMenu(); if (looking !== null) present(); return; }
      if (!game || /INPUT|SELECT|TEXTAREA/.test(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
      const at = looking === null ? game.now : looking;
      if (event.key === "ArrowLeft") look(at - 1);
      else if (event.key === "ArrowRight") look(at + 1);
      else if (event.key === "Home") look(0);
      else if (event.key === "End") present();
      else if (event.key === "h") $("hint").click();
      else if (event.key === "u") $("undo").click();
      else if (/^[1-9]$/.test(event.key) && mine() && $("choices").children[event.key - 1]) $("choices").children[event.key - 1].click();
      else return;
      event.preventDefault();
    });

    function say(text, taken) {
      $("notice").hidden = !text;
      const over = make("button", { type: "button", onclick: () => sit(true) }, "take the seat over");
      $("notice").replaceChildren(text || "", ...(taken ? [" ", over] : []));
    }

    const sit = (over) => inTurn(async () => {
      await ask("sit", { take: Boolean(over) });
      say("");
      listen();
      await refresh();
    });

    function listen() {
      if (events) events.close();
      events = new EventSource(`${page}events?${new URLSearchParams({ window: windowName })}`);
      events.onopen = () => { tries = 0; $("link").textContent = ""; if (game) { say(""); inTurn(refresh); } };
      events.onmessage = (event) => {
        const told = JSON.parse(event.data);
        if (game) game.here = told.here;
        if (!game || told.decision !== game.decision) inTurn(refresh);
        else { game.trouble = told.trouble; draw(); }
      };
      events.addEventListener("taken", () => { events.close(); say("This seat was taken over by another window.", true); });
      events.onerror = () => {
        $("link").textContent = "not connected, trying again";
        if (events.readyState === EventSource.CLOSED) setTimeout(() => sit(false), Math.min(5000, 500 * 2 ** tries++));
      };
    }

    sit(false);
  }

  // -------------------------------------------------------------------------------------------- replaying

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

  async function replay() {
    const data = await unpack($("data").textContent);
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
      board.show(picture(at));
      $("slider").value = at;
      $("count").textContent = `${at} of ${last}`;
      log.mark(at);
      const actor = data.actors[at];
      $("turn").textContent = at === last && data.result ? "The game is over." : `${data.seats[actor]} decides`;
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
      $("advice").replaceChildren(make("p", { class: "quiet" }, `${said} (${data.analysis.by}: share, odds)`), ...(entry ? entry.options.map((one) => option(one)) : []));
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
        make("li", { onclick: () => go(k) }, `${data.moves[view][k + 1].text} `, make("span", { class: "quiet" }, `${data.seats[entry.seat]}, decision ${k + 1}: −${percent(entry.loss)}, better: ${entry.options[0].text}`))));
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
      if (/SELECT/.test(event.target.tagName)) return;
      const key = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", " ": "run" }[event.key];
      if (!key) return;
      event.preventDefault();
      steps[key]();
    });

    const said = { all: "all eyes", public: "the public" };
    $("view").replaceChildren(...data.views.map((who, k) => make("option", { value: k }, said[who] || `${data.seats[who]}${data.seats[who].startsWith("Player") ? "" : ` (player ${who})`}`)));
    $("view").disabled = data.views.length === 1;
    $("view").addEventListener("change", () => { view = Number($("view").value); show(); });

    function show() {
      log.fill(data.moves[view].slice(1), 0, go, loss);
      mistakes();
      go(at);
    }

    const charts = [chart("score", data.scores, data.seats.length, 0, go)];
    if (decisions.some((entry) => entry && entry.odds !== null)) charts.push(chart("odds", odds(), data.seats.length, 0, go, 0, 1));
    const legend = make("p", { class: "legend" }, ...data.seats.map((name, seat) => make("span", {}, swatch(seat), name)));
    $("charts").replaceChildren(legend, ...charts.filter(Boolean));
    show();
    const asked = Number(new URLSearchParams(location.hash.slice(1)).get("ply"));
    if (asked) go(asked);
  }

  if (document.body.dataset.page === "play") play();
  else replay().catch((error) => { document.body.prepend(make("p", { class: "note" }, `This page needs a browser of 2023 or later: ${error.message}`)); });
})();
