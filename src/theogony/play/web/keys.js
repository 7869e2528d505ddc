/* Keys, tabs of a small window, the menu with options. */
"use strict";

const KEYS = [
  ["Tab", "from part to part: board, actions, log"],
  ["Arrows", "on the board: from place to place; in the list or the log: from line to line; elsewhere ← and → look back and forth"],
  ["Enter, Space", "decide what has the focus; show the moment of a line of the log"],
  ["1 to 9", "take one of the first actions of the list, or open a kind of them, in which the next number counts; Escape goes back"],
  ["/", "find an action; Enter takes the only one that is left"],
  ["b", "to the board"],
  ["h", "hint: what a search would do"],
  ["u", "take back"],
  ["s", "stop the search of another player: it plays the best it has found"],
  ["Home, End", "to the start; back to now"],
  ["+, −, 0, w", "size of the board: larger, smaller, to read, all of it"],
  ["r", "rules and glossary"],
  ["?", "this list"],
];
const AIM = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The place that lies next to another in a direction. */
function beside(place, [dx, dy]) {
  const middle = (one) => { const box = one.getBoundingClientRect(); return [box.left + box.width / 2, box.top + box.height / 2]; };
  const [x, y] = middle(place);
  let best = null, least = Infinity;
  for (const other of board.places()) {
    const [u, v] = middle(other), along = (u - x) * dx + (v - y) * dy, across = Math.abs((u - x) * dy) + Math.abs((v - y) * dx);
    if (other !== place && along > 1 && along + 2 * across < least) { best = other; least = along + 2 * across; }
  }
  return best;
}

const looked = () => (looking === null ? game.now : looking);
const pressed = {
  ArrowLeft: () => look(looked() - 1),
  ArrowRight: () => look(looked() + 1),
  Home: () => look(0),
  End: () => present(),
  h: () => $("hint").click(),
  u: () => $("undo").click(),
  s: () => $("stop").click(),
  b: () => { openTab("board"); const place = board.places().find((one) => one.tabIndex === 0); if (place) place.focus(); },
  "/": () => { openTab("choices"); $("filter").focus(); },
  r: () => guide.open(),
  "?": () => openMenus(),
  ...layout.keys,
};

document.addEventListener("keydown", (event) => {
  const dialog = document.querySelector("dialog[open]");
  if (event.key === "Escape" && !dialog) { if (!$("menu") && looking === null) choices.back(); closeMenu(); if (looking !== null) present(); return; }
  if (!game || dialog || event.ctrlKey || event.metaKey || event.altKey) return;
  if (/SELECT|TEXTAREA/.test(event.target.tagName) || event.target.type === "search") return;
  const place = event.target.closest && event.target.closest("[data-actions]"), menu = event.target.closest("#menu");
  const listed = event.target.closest("#choices button"), down = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (listed && down) choices.step(listed, down);
  else if (AIM[event.key] && (place || menu)) along(place, menu, event.key);
  else if (/^[1-9]$/.test(event.key) && mine()) choices.take(Number(event.key));
  else if (pressed[event.key]) pressed[event.key]();
  else return;
  event.preventDefault();
});

/** From place to place, or through the menu of one. */
function along(place, menu, key) {
  if (menu) {
    const buttons = [...menu.children], k = buttons.indexOf(document.activeElement) + (key === "ArrowUp" || key === "ArrowLeft" ? -1 : 1);
    buttons[(k + buttons.length) % buttons.length].focus();
    return;
  }
  const next = beside(place, AIM[key]);
  if (next) board.focus(next);
}

// -------------------------------------------------------------------------------------------- tabs and menu

function openTab(name) {
  const before = document.body.dataset.tab;
  document.body.dataset.tab = name;
  for (const tab of $("tabs").children) tab.setAttribute("aria-pressed", String(tab.dataset.tab === name));
  if (name === before || document.body.dataset.shape !== "phone") return;
  if (name === "board") layout.aim();
  else layout.back();
}
for (const tab of $("tabs").children) tab.addEventListener("click", () => openTab(tab.dataset.tab));

function openMenus() {
  if (!$("menus").open) $("menus").showModal();
}
$("more").addEventListener("click", openMenus);
$("close").addEventListener("click", () => $("menus").close());
$("keys").replaceChildren(...KEYS.flatMap(([key, does]) => [make("dt", {}, key), make("dd", {}, does)]));
layout.begin();
window.addEventListener("resize", () => { if (!board.said) draw(); }); // the picture is another one on a phone
