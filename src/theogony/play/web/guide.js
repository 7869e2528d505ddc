/* What teaches: introduction, rules and glossary beside the board, and a guide through the first game. */
"use strict";

const FEW = 3; // decisions after which nobody is new
const KINDS = { action: "Moves", phase: "Decisions", piece: "Pieces" }; // other kinds are called by their own name

const guide = {
  tab: "introduction",
  pictures: null, // those of the introduction, once they were asked for

  on: () => $("guideon").checked,

  /** Introduction, rules and glossary in a window of their own, opened by a button or by `r`. */
  open(tab) {
    this.tab = tab || this.tab;
    if (!$("book").open) $("book").showModal();
    this.fill();
  },

  fill() {
    for (const one of $("book").querySelectorAll("[data-tab]")) one.setAttribute("aria-pressed", String(one.dataset.tab === this.tab));
    $("bookfilter").hidden = this.tab !== "glossary";
    $("bookpage").scrollTop = 0;
    if (this.tab === "introduction") this.introduce();
    else $("bookpage").replaceChildren(...(this.tab === "rules" ? markdown(words.rules) : this.glossary($("bookfilter").value)));
  },

  /** Pictures with a sentence each, cut to what the sentence is about. */
  async introduce() {
    const page = $("bookpage");
    if (!this.pictures) {
      page.replaceChildren(make("p", { class: "quiet" }, "The pictures are being drawn …"));
      this.pictures = link.ask("introduction").catch(() => { this.pictures = null; return []; });
    }
    const pictures = await this.pictures;
    if (this.tab !== "introduction") return;
    if (!pictures.length) return this.open("rules");
    page.replaceChildren(...pictures.map(({ svg, says }) => {
      const figure = make("figure", {}, make("div", {}), make("figcaption", {}, ...words.signed(says)));
      figure.firstChild.innerHTML = svg;
      return figure;
    }));
    if (!this.on()) page.append(make("p", { class: "line" }, make("button", { type: "button", onclick: () => { this.wanted(true); $("book").close(); } }, "Explain every decision of my first game")));
    pictures.forEach(({ show }, k) => cut(page.children[k].querySelector("svg"), show));
  },

  /** All entries that say something, by kind; with a field to find one. */
  glossary(wanted) {
    const sought = wanted.trim().toLowerCase(), kinds = new Map();
    for (const entry of words.list) {
      if (!entry.does || entry.kind === "place" || !`${entry.name} ${entry.does} ${entry.kind}`.toLowerCase().includes(sought)) continue;
      kinds.set(entry.kind, [...(kinds.get(entry.kind) || []), entry]);
    }
    return [...kinds].flatMap(([kind, entries]) => [
      make("h3", {}, KINDS[kind] || `${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}`),
      make("dl", {}, ...entries.flatMap(({ name, does, icon, rule }) => [
        make("dt", {}, words.icons[icon] ? words.icon(icon) : null, name, rule ? make("span", { class: "quiet" }, ` ${rule}`) : null),
        make("dd", {}, ...words.signed(sentence(does)))])),
    ]);
  },

  /** The guide explains the decision at hand: what is asked, and what each kind of move does. */
  explain(shown, own) {
    if (looking !== null) return; // nothing moves while one looks back
    const decided = game.moves.filter(({ seat }) => seat === game.you).length;
    this.greet(decided);
    $("welcome").hidden = !own || !$("newcomer").hidden || localStorage.getItem("guide") !== null || decided >= FEW; // one question at a time
    $("guidance").hidden = !(this.on() && own && shown.guide);
    if ($("guidance").hidden) return;
    $("guidance").replaceChildren(...shown.advice ? [make("p", { class: "advice" }, ...words.signed(shown.advice))] : [],
      make("ul", {}, ...shown.guide.map((line) => make("li", {}, ...words.signed(line)))));
  },

  /** Who has never been here is offered the introduction above the board, until it was opened or closed, or a few
   *  decisions were made. */
  greet(decided) {
    if (localStorage.getItem("met") === null && (decided >= FEW || localStorage.getItem("guide") !== null)) this.met();
    const hidden = game.you === null || localStorage.getItem("met") !== null;
    if ($("newcomer").hidden === hidden) return;
    $("newcomer").hidden = hidden;
    layout.anew();
  },

  met() {
    localStorage.setItem("met", "yes");
    $("newcomer").hidden = true;
  },

  /** Whether one wants the guide is asked once. */
  wanted(yes) {
    if ($("guideon").checked === yes) localStorage.setItem("guide", yes ? "on" : "off");
    else $("guideon").click();
    draw();
  },

  asking: null, // the action whose confirmation is asked

  /** Whether a move may be made at once: where moves are confirmed, it is made at the second time. */
  confirmed(action) {
    if (!$("confirmon").checked || this.asking === action) { this.asking = null; say(""); return true; }
    this.asking = action;
    closeMenu();
    say(`“${choices.words.get(action)}”${game.undo ? "" : " cannot be taken back"}. Play it?`, make("button", { type: "button", onclick: () => decide(action) }, "Play it"));
    return false;
  },

  waiting: null,
  asked: null, // ends what was asked of the server

  /** What a move would cost and bring, told in the panel. */
  preview(action, beside) {
    this.still();
    if (!mine() || document.body.dataset.ready === "sent") return;
    const decision = game.decision, asked = this.asked = new AbortController();
    this.waiting = setTimeout(async () => {
      const lines = await link.ask(`preview?${new URLSearchParams({ decision, action })}`, null, asked.signal).catch(() => []);
      if (!asked.signal.aborted && mine() && decision === game.decision) panel.tell(action, people.named(lines), beside);
    }, 180);
  },

  /** What was to be told of a move is not wanted any more: the decision is made, or the pointer has gone. */
  still() {
    clearTimeout(this.waiting);
    if (this.asked) this.asked.abort();
    this.asked = null;
  },
};

/** Cut a picture to what is to be looked at, with a margin: `region map`, or places by how their names begin. */
function cut(svg, show) {
  const shown = [...svg.querySelectorAll("[data-region], [data-place]")].filter(({ dataset: { region, place } }) =>
    show.some((name) => name === `region ${region}` || name === place || (place || "").startsWith(`${name} `)));
  if (!shown.length) return;
  const inside = svg.getScreenCTM().inverse(), boxes = shown.map((one) => one.getBoundingClientRect());
  const left = Math.min(...boxes.map((box) => box.left)), right = Math.max(...boxes.map((box) => box.right));
  const top = Math.min(...boxes.map((box) => box.top)), bottom = Math.max(...boxes.map((box) => box.bottom));
  const edge = 10, first = new DOMPoint(left, top).matrixTransform(inside), last = new DOMPoint(right, bottom).matrixTransform(inside);
  svg.setAttribute("viewBox", `${first.x - edge} ${first.y - edge} ${last.x - first.x + 2 * edge} ${last.y - first.y + 2 * edge}`);
  for (const size of ["width", "height"]) svg.removeAttribute(size);
}

/** Rules in Markdown as nodes: headings, paragraphs, lists, tables, bold, italics, code, and lines that stay as they are. */
function markdown(text) {
  return text.split(/^(```[^]*?^```)$/m).flatMap((part) => (part.startsWith("```") ? [make("pre", { class: "wide" }, part.split("\n").slice(1, -1).join("\n"))] : blocks(part)));
}

function blocks(text) {
  return text.split(/\n{2,}/).filter((block) => block.trim()).flatMap((block) => {
    const lines = block.split("\n");
    if (/^#+ /.test(block)) return [make("h3", {}, lines[0].replace(/^#+ /, "")), ...(lines.length > 1 ? blocks(lines.slice(1).join("\n")) : [])];
    if (/^\|/.test(block)) return [make("div", { class: "wide" }, table(lines))];
    if (/^\* /m.test(block)) {
      const first = lines.findIndex((line) => /^\* /.test(line));
      const items = lines.slice(first).join("\n").split(/^\* /m).slice(1);
      return [...(first ? [make("p", {}, ...inline(lines.slice(0, first).join(" ")))] : []),
        make("ul", {}, ...items.map((item) => make("li", {}, ...inline(item.replace(/\s+/g, " ")))))];
    }
    return [make("p", {}, ...inline(lines.join(" ")))];
  });
}

function table(lines) {
  const rows = lines.filter((line) => !/^\|[ :|-]+$/.test(line)).map((line) => line.replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim()));
  return make("table", {}, ...rows.map((row, k) => make("tr", {}, ...row.map((cell) => make(k ? "td" : "th", {}, ...inline(cell))))));
}

/** Bold, italics, code and the ends of lines within a paragraph or a cell. */
function inline(text) {
  return text.split(/(\*\*[^*]+\*\*|`[^`]+`|\*[^*\s][^*]*\*|<br>)/).filter(Boolean).map((part) => {
    if (part === "<br>") return make("br", {});
    if (part.startsWith("**")) return make("b", {}, part.slice(2, -2));
    if (part.startsWith("`")) return make("code", {}, part.slice(1, -1));
    return part.startsWith("*") && part.length > 2 ? make("i", {}, part.slice(1, -1)) : part;
  });
}

$("rules").addEventListener("click", () => guide.open());
$("howto").addEventListener("click", () => { guide.met(); draw(); guide.open("introduction"); });
$("nothanks").addEventListener("click", () => { guide.met(); draw(); });
$("guideyes").addEventListener("click", () => guide.wanted(true));
$("guideno").addEventListener("click", () => guide.wanted(false));
for (const one of $("book").querySelectorAll("[data-tab]")) one.addEventListener("click", () => guide.open(one.dataset.tab));
$("bookfilter").addEventListener("input", () => guide.fill());
for (const kind of ["pointerover", "focusin"]) {
  document.addEventListener(kind, (event) => { // in the list, and in the menu of a place with several moves
    const button = event.target.closest && event.target.closest("#choices [data-action], #menu [data-action]");
    if (button) guide.preview(Number(button.dataset.action), button);
  });
  $("board").addEventListener(kind, (event) => {
    const place = event.target.closest("[data-actions]"), actions = place ? actionsOf(place) : [];
    if (actions.length === 1) guide.preview(actions[0], null);
    else guide.still();
    if (!$("menu")) motion.preview(actions.length === 1 && mine() && choices.lands[actions[0]]);
  });
}
for (const kind of ["pointerleave", "focusout"]) $("board").addEventListener(kind, () => { if (!$("menu")) motion.preview(null); });
for (const kind of ["pointerleave", "focusout"]) $("choices").addEventListener(kind, () => { guide.still(); panel.hide(); });
for (const name of ["guide", "confirm", "sound", "flat"]) { // choices that are kept for the next game
  const box = $(`${name}on`);
  box.checked = localStorage.getItem(name) === "on";
  box.addEventListener("change", () => { localStorage.setItem(name, box.checked ? "on" : "off"); guide.asking = null; if (name === "flat") choices.shown = ""; draw(); });
}
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && $("book").open) $("book").close();
});
