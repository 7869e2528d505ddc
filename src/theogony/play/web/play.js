/* The page to play at: what has happened, what is due, and what one decides. */
"use strict";

const HELD = 500; // milliseconds: a finger that stays longer does not decide

let game = null; // the latest news, with all moves
let coming = []; // frames that wait to be shown
let shown = null; // the frame on the board
let looking = null; // a number while an earlier position is looked at
let timer = null;
let hinted = null; // the decision for which a hint was asked
let reckoned = null; // the end for which its course was asked
let stopped = null; // the decision for which a search was stopped
let begun = null; // the decision that was begun
let streamed = null; // the decision of which the stream told last
let focused = null; // where one decided: a place of the board, or the list

const FORCED = 250; // milliseconds until a forced move is made
const pace = $("pace");
pace.value = localStorage.getItem("pace") || "400";
if (!pace.value) pace.value = "400";
pace.addEventListener("change", () => localStorage.setItem("pace", pace.value));
$("forced").checked = localStorage.getItem("forced") === "yes";
$("forced").addEventListener("change", () => { localStorage.setItem("forced", $("forced").checked ? "yes" : "no"); draw(); });

// -------------------------------------------------------------------------------------------- what has happened

const known = () => ({ ...(game ? { epoch: game.epoch, after: game.now } : { epoch: "none", after: -1 }), frames: pace.value === "0" ? 1 : 40 });
const refresh = async () => take(await link.ask(`news?${new URLSearchParams(known())}`));

/** The stream says that something has changed. What is on its way already may tell of it. */
function changed(told) {
  const { decision, coming: soon, ...more } = told, behind = () => !game || streamed !== game.decision;
  const other = game && Object.keys(more).some((name) => JSON.stringify(more[name]) !== JSON.stringify(game[name]));
  streamed = decision;
  if (game && soon && soon !== game.coming) { game.coming = soon; draw(); } // that all is there is told by the news
  const names = ({ called }) => JSON.stringify(called.filter((_, seat) => seat !== game.you)), renamed = other && names(more) !== names(game);
  if (other) { Object.assign(game, more); draw(); }
  if (renamed) link.inTurn(async () => take(await link.ask("news?epoch=none&after=-1&frames=1"), true)); // all is told anew
  if (behind()) link.inTurn(async () => { if (behind()) await refresh(); });
}

function take(news, anew = false) {
  link.stand(true);
  const fresh = anew || !game || game.epoch !== news.epoch;
  const moves = fresh || news.first === 0 ? [] : game.moves.slice(0, news.first - 1);
  if (!fresh && news.now < game.now) return;
  board.own = news.you === null ? null : `seat ${news.you}`;
  people.names = people.of(news.names, news.called, news.you);
  moves.push(...people.named(news.moves));
  log.fill(moves, fresh ? 0 : Math.min(news.first ? news.first - 1 : 0, moves.length), look);
  game = { ...news, moves };
  const latest = coming.length ? coming[coming.length - 1].ply : shown && !fresh ? shown.ply : -1;
  const frames = people.named(fresh ? news.frames : news.frames.filter((frame) => frame.ply > latest));
  coming = fresh ? frames : [...coming, ...frames];
  if (fresh) { shown = null; looking = null; sound.last = null; panel.hide(); }
  if (!shown && coming.length) coming = coming.slice(-1);
  run();
}

/** Show the frames that wait, one after another. */
function run() {
  if (timer !== null || looking !== null) return;
  const step = () => {
    timer = null;
    if (looking !== null) return;
    if (coming.length) {
      if (coming.length > 30 || pace.value === "0") coming = coming.slice(-1);
      shown = coming.shift();
      tell(shown);
      sound.shown(shown, game.you);
      if (coming.length) timer = setTimeout(step, Number(pace.value) / (coming.length > 8 ? 4 : 1));
    }
    draw();
  };
  step();
}

/** Moves of others are said to those who do not see them. */
function tell(frame) {
  if (frame.move && frame.move.seat !== game.you) $("told").textContent = `${names()[frame.move.seat]}: ${frame.move.text}`;
}

/** The name of a turn: how many decisions there were until another seat's last one, or, for who plays alone, until a
 *  round or scene began; the end is one of its own. */
function turn({ ply, actor, over }) {
  const begins = ({ story }) => game.seats.length === 1 && (story || []).some((line) => /\bbegins\b/.test(line));
  let k = ply;
  while (k > 0 && game.moves[k - 1].seat === actor && !begins(game.moves[k - 1])) k--;
  return `${game.epoch} ${k}${over ? " over" : ""}`;
}

/** Whether the last position is the one that was shown last. */
const latest = () => Boolean(shown && game && !coming.length && shown.ply === game.now);
/** Whether the decision is this seat's, perhaps while something else is looked at. */
const due = () => latest() && game.you !== null && shown.actor === game.you && !shown.over;
const mine = () => due() && looking === null && link.here && link.seated && !game.coming;

// -------------------------------------------------------------------------------------------- what is shown

function draw() {
  headlined();
  $("stop").hidden = !(game && game.hurry && latest() && looking === null && stopped !== game.decision && link.here && link.seated);
  $("asked").inert = !link.here || !link.seated || Boolean(game && game.coming);
  if (!game || !shown) return;
  if (looking === null) board.show(shown.svg, turn(shown));
  const ply = looking === null ? shown.ply : looking;
  const [title, more] = game.title.split(/(?=: )/);
  $("title").replaceChildren(title, ...(more ? [make("span", {}, more)] : []));
  document.title = `${mine() ? "● " : ""}${game.title} – Theogony`;
  for (const id of ["turn", "asked"]) $(id).classList.toggle("mine", mine());
  $("board").classList.toggle("waiting", !mine() && !shown.over);
  $("now").classList.toggle("off", looking === null);
  log.mark(ply);
  if (mine()) log.since(game.you);
  guide.explain(shown, mine());
  fold.draw(game.you !== null && !shown.over);
  showResult(coming.length ? null : game.result, names());
  if (game.result && !coming.length) turns();
  if (game.trouble) say(game.trouble);
  talk.draw();
  ask();
  document.body.dataset.decision = latest() && looking === null ? game.decision : "";
  if (latest() && shown.over && begun !== game.decision) { begun = game.decision; if (document.body.dataset.shape === "phone") openTab("choices"); }
  document.body.dataset.ready = mine() ? (forced() ? "forced" : "mine") : latest() && looking === null && shown.over ? "over" : "wait";
}

const names = () => people.names;

/** The headline, on a phone with the sentence of the guide. */
function headlined() {
  const told = guide.on() && mine() ? shown.advice : "";
  $("turn").replaceChildren(headline(), ...(told ? [make("span", { class: "advised" }, ` ${told}`)] : []));
  document.body.classList.toggle("guided", guide.on());
}

function headline() {
  if (!link.here) return link.away;
  if (!link.seated) return "This seat is open in another window";
  if (game && game.coming) return game.coming;
  if (!game || !shown) return "The game is being fetched …";
  if (looking !== null) return `After decision ${looking} of ${game.now}${due() ? ". It is your turn" : ""}`;
  if (game.result && !coming.length) return "The game is over.";
  if (due()) return `${link.together ? `Player ${game.you + 1}, your turn.` : "Your turn."} ${shown.asked || "What will you do?"}`;
  const seat = shown.actor;
  if (seat === game.you) return "…";
  return game.seats[seat] === "human" ? `${names()[seat]} decides${(game.here || []).includes(seat) ? "" : " (not here now)"} …` : `${names()[seat]} thinks …`;
}

function question() {
  if (looking !== null) return "Looking back";
  return due() ? "Your move" : shown.over ? "The end" : game.you === null ? "You look on" : "Wait for the others";
}

/** What may be done now. */
function ask() {
  const own = due() ? shown.choices : [];
  $("question").textContent = question();
  if (choices.list(`${game.decision} ${own.length}`, turn(shown), own, decide, shown)) $("advice").hidden = true;
  const about = looking !== null ? (own.length ? "You look at an earlier position. Go back to now to use these actions." : "You look at an earlier position.") : own.length ? shown.about || shown.asked.replace(/( \(only one way\))?\.$/, "") : "";
  $("about").hidden = choices.many() && looking === null; // the field stands in its room
  for (const name of ["about", "effect"]) if ($(name).title !== about) { $(name).title = about; $(name).replaceChildren(...words.signed(about)); }
  const whole = !$("about").hidden && $("about").scrollHeight <= $("about").clientHeight + 1;
  $("effect").hidden = !own.length || !shown.about || looking !== null || whole; // below the list, in full: the list stays where it is
  $("filter").hidden = !choices.many() || looking !== null;
  $("choices").inert = looking !== null; // they are of the present position
  $("only").replaceChildren(...(mine() && lone() ? [choices.button(...own[0].slice(0, 2), decide)] : []));
  $("count").textContent = own.length ? `(${own.length})` : "";
  if (mine()) {
    for (const button of $("choices").children) button.disabled = false;
    choices.explain(board.explain(choices.told(), choices.does));
    refocus();
    begin(own);
  }
  $("hint").disabled = !mine() || hinted === game.decision;
  $("undo").disabled = !(game.undo && latest() && looking === null);
  $("undo").hidden = game.you === null;
  $("review").hidden = game.you !== null && !shown.over;
  document.body.classList.toggle("watching", game.you === null);
  $("hint").hidden = game.you === null || game.hints === "none" || Boolean(shown.over);
  $("preparing").style.visibility = game.hints === "preparing" && !$("hint").hidden ? "visible" : "hidden";
}

/** Whether there is only one thing to do, which is to be done without asking. */
const forced = () => $("forced").checked && shown.choices.length === 1;

/** Whether there is only one thing to do, and no place to do it. */
const lone = () => shown.choices.length === 1 && !board.places().length;

/** Once for every decision: what is forced is played where that is wanted, and what can be clicked comes into sight. */
function begin(own) {
  if (begun === game.decision) return;
  begun = game.decision;
  if (forced()) { setTimeout(() => { if (mine() && forced() && begun === game.decision) { guide.asking = own[0][0]; decide(own[0][0]); } }, FORCED); return; }
  if (document.body.dataset.shape === "phone") {
    const placed = board.places().length > 0;
    if (!placed && !lone()) openTab("choices");
    else if (placed && document.body.dataset.tab === "choices") openTab("board"); // one sees where
  }
  layout.aim();
}

/** One goes on where the decision was made; otherwise the focus would be lost with the old list. */
function refocus() {
  if (focused === null || (document.activeElement !== document.body && document.activeElement !== $("question"))) return;
  const place = focused.place && board.named(focused.place);
  if (place) board.focus(place);
  else $("question").focus({ preventScroll: true });
  focused = null;
}

function say(text, button) {
  $("notice").hidden = !text;
  $("notice").replaceChildren(text || "", ...(button ? [" ", button] : []));
}

// -------------------------------------------------------------------------------------------- what one does

function decide(action) {
  if (!mine() || !guide.confirmed(action)) return;
  const place = document.activeElement && document.activeElement.closest("[data-place]");
  focused = { place: place ? place.dataset.place : null };
  $("question").focus({ preventScroll: true });
  closeMenu();
  panel.hide(); // what it told is over, also where a finger leaves no pointer behind
  const decision = game.decision;
  guide.still();
  document.body.dataset.ready = "sent";
  for (const button of $("choices").children) button.disabled = true;
  link.inTurn(async () => {
    say("");
    take(await link.ask("play", { decision, action, ...known() }));
  });
}

/** What is done at places that were clicked. A finger reads first what a thing does, and decides by its button or by a
 *  second tap on it. */
function clicked(places, x, y, finger = false) {
  if (!mine()) return;
  const ids = places.flatMap(actionsOf);
  const own = shown.choices.filter(([action]) => ids.includes(action));
  const again = $("menu") && $("menu").of === places[0], seen = (action) => choices.what.has(action) || choices.lands[action];
  if (own.length === 1 && (again || !finger || !seen(own[0][0]))) decide(own[0][0]);
  else if (again && own.length > 1 && own.every(([action]) => choices.lands[action])) turnOn(); // a piece that would lie here is turned
  else openMenu(own.map(([action, text]) => choices.button(action, text, decide)), x, y, places[0]);
}

/** The next action of the menu is shown, and has the focus: Enter or a tap on it takes it. */
function turnOn() {
  const buttons = [...$("menu").children], next = (buttons.findIndex((one) => one.classList.contains("pointed")) + 1) % buttons.length;
  buttons.forEach((one, k) => one.classList.toggle("pointed", k === next));
  buttons[next].focus({ focusVisible: true });
  choices.point(Number(buttons[next].dataset.action), true);
}

let downAt = 0; // when a finger or button came down
$("board").addEventListener("pointerdown", (event) => { downAt = event.timeStamp; });

$("board").addEventListener("click", (event) => {
  if (event.pointerType === "touch" && event.timeStamp - downAt > HELD) return; // who holds on looks at what lies there
  const place = event.target.closest("[data-actions]"), { clientX: x, clientY: y } = event;
  const finger = event.pointerType === "touch" || document.body.dataset.shape === "phone";
  const places = finger ? board.meant(place, x, y) : place ? [place] : [];
  const open = Boolean($("menu")), on = event.target.closest("[data-place], [data-word]");
  const slot = event.target.closest(".slot"), part = slot && board.parts.get(slot.dataset.slot);
  if (places.length > 1 && part && part.main && layout.near(x, y)) return;
  if (places.length) clicked(places, x, y, finger);
  else closeMenu();
  if (!places.length && part && part.brief && layout.columns) return board.open(part.name);
  if (!places.length && !open && on && idle()) { panel.beside ||= on; panel.below(make("p", {}, idle())); }
});

/** Why a click on a thing decides nothing. */
function idle() {
  if (!game || !shown || game.you === null || !link.here || !link.seated) return "";
  if (looking !== null) return "This is an earlier position. Back to now (End) goes on.";
  if (!due()) return shown.over ? "" : "It is not your turn.";
  return board.places().length ? "Nothing can be done here now: click a dotted place, or choose in the list." : "Nothing can be done here now: choose in the list.";
}
$("board").addEventListener("keydown", (event) => {
  const place = event.target.closest && event.target.closest("[data-actions]");
  if (!place || (event.key !== "Enter" && event.key !== " ")) return;
  const box = place.getBoundingClientRect();
  event.preventDefault();
  clicked([place], box.left + box.width / 2, box.top + box.height / 2);
});

$("undo").addEventListener("click", () => {
  if (!game || $("undo").disabled) return;
  guide.still();
  link.inTurn(async () => {
    say("");
    do take(await link.ask("undo", { decision: game.decision })); // what was forced is taken back with what led to it
    while ($("forced").checked && game.undo && !game.wish && shown && shown.choices.length === 1);
  });
});

$("stop").addEventListener("click", () => {
  if ($("stop").hidden) return;
  stopped = game.decision;
  draw();
  link.inTurn(() => link.ask("hurry", { decision: stopped }));
});

/** A hint may take a while where rules are still compiled, so one may decide meanwhile. */
async function hint() {
  if (!mine() || $("hint").disabled) return;
  const decision = game.decision;
  const show = (...said) => { if (game.decision === decision) $("advice").replaceChildren(...said); };
  hinted = decision;
  $("advice").hidden = false;
  draw();
  show(make("p", { class: "quiet" }, game.hints === "preparing" ? "The search is being prepared, once; the hint comes then …" : "The search looks at it …"));
  try {
    const advice = people.named(await link.ask("hint", { decision }));
    if (game.decision === decision) {
      $("advice").replaceChildren(advised(advice));
      board.advise(advice.options[0]?.action);
    }
  } catch (error) {
    show(make("p", { class: "quiet" }, error.message));
  }
  if (hinted === decision) hinted = null;
  draw();
}

/** Where the game has turned, asked once for every end of a game. */
async function turns() {
  if (reckoned === game.decision || game.you === null || game.hints === "none") return;
  reckoned = game.decision;
  try {
    const course = people.named(await link.ask("course"));
    if (game.result) showCourse(course, game.now, (ply) => { whole(false); look(ply); });
  } catch { /* the result stands without it */ }
}

$("hint").addEventListener("click", hint);
$("review").addEventListener("click", () => $("replay").click());

function look(ply) {
  if (!game || ply < 0 || ply > game.now) return;
  if (ply === game.now) { present(); return; }
  looking = ply;
  link.inTurn(async () => {
    const frame = await link.ask(`frame?ply=${ply}`);
    if (looking === ply) { board.show(people.draw(frame.svg)); draw(); }
  });
}

function present() {
  looking = null;
  if (coming.length) coming = coming.slice(-1);
  run();
  draw();
}

$("now").addEventListener("click", present);

words.fetch().then(draw);
link.sit(false);
