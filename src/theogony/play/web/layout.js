/* How the parts of a picture share the room: boards first, the own seat next to them, everything as large as fits. */
"use strict";

const GAP = 10, EDGE = 3, APART = 5; // between parts and around them, in pixels; between boxes that stand in rows
const TRIED = [1.5, 1.3, 1.15, 1, 0.9, 0.8, 0.7, 0.6, 0.5]; // scales for which an arrangement is tried
const NEXT = 14; // pixels that are seen around what comes into sight
const NEARER = 2.2; // times as large a phone shows a board where a finger has tapped on small places
const LARGEST = 1.6; // a part is not drawn larger than so many times its own size, unless one zooms
const MORE = 1.25; // times as large as in its own column a part may be drawn that goes beneath the own seat
const HIGHER = 1.35; // than the highest column beside it a column may become, by what is put beneath it
const PHONE = 640, LYING = 1000, TEXT = 11.5, LEAST = 11.27, FOLDED = 11.03, CLOSE = 9.1, LEAST_PHONE = 0.8; // sides of windows, and how wide a low one is at most; the smallest text of a picture, how small it may become in pixels, where it stands in rows, and where that lets one see all at once

/** Rows of columns of parts `{name, width, height}` for a room of so many pixels. A part goes beneath others that are as
 *  wide where that column stays in sight or becomes not much higher than the rest of its row, else beside the last ones,
 *  else into a new row. */
function packed(parts, room, high) {
  const rows = [];
  const fits = (part, column, row) => row.length > 1 && part.width <= 1.02 * column.width &&
    column.height + GAP + part.height <= Math.max(high, HIGHER * Math.max(...row.map((other) => (other === column ? 0 : other.height))));
  for (const part of parts) {
    const row = rows.at(-1) || [];
    const wide = row.reduce((sum, column) => sum + column.width + GAP, 0);
    const under = rows.flatMap((one) => one.filter((column) => fits(part, column, one)))[0];
    if (under) { under.parts.push(part); under.height += GAP + part.height; }
    else {
      const column = { parts: [part], width: part.width, height: part.height };
      if (row.length && wide + part.width <= room) row.push(column);
      else rows.push([column]);
    }
  }
  return rows;
}

/** One row of so many columns at most: what is not the first of a column goes beneath parts as wide, where that column is
 *  the shortest. */
function beneath(parts, most) {
  const row = [];
  for (const part of parts) {
    const alike = row.filter(({ width }) => Math.abs(width - part.width) <= 0.02 * width).sort((a, b) => a.height - b.height)[0];
    if (alike && row.length >= most) { alike.parts.push(part); alike.height += GAP + part.height; }
    else row.push({ parts: [part], width: part.width, height: part.height });
  }
  return row;
}

/** Rows of columns of the names of parts. */
const named = (rows) => rows.map((row) => row.map((column) => column.parts.map((part) => part.name)));

/** A part that is too wide for a window stands in rows: its boxes in their order, on a ground that is as large as they
 *  need. What lies at the top of a seat, its name, keeps its room. */
function folded(part, most) {
  for (const key of document.body.dataset.shape === "phone" ? part.node.querySelectorAll("[data-box]:has(> [data-key])") : []) key.remove(); // what explains signs: a phone has the glossary
  const boxes = [...part.node.querySelectorAll("[data-box]")].map((box) => [box, ...box.dataset.box.split(" ").map(Number)]);
  if (part.width <= most || !boxes.length) return;
  const home = part.node.firstElementChild, grounds = part.node.querySelectorAll(`rect[width="${part.width}"]`);
  const named = part.name.startsWith("seat") && grounds.length, edge = named ? 10 : 0, start = named ? 44 : 0;
  const room = Math.max(most, ...boxes.map(([, width]) => width + 2 * edge));
  let x = edge, y = start, row = 0, wide = 0;
  for (const [box, width, height] of boxes) {
    if (x > edge && (x + width > room - edge || box.dataset.row)) { x = edge; y += row + APART; row = 0; }
    box.setAttribute("transform", `translate(${x} ${y})`);
    if (!box.parentNode.closest("[data-place]")) home.append(box); // in the order in which they are drawn
    wide = Math.max(wide, x + width + edge);
    x += width + APART;
    row = Math.max(row, height);
  }
  part.width = wide > (named && layout.least ? 0.7 : part.main ? 0.8 : 1) * room ? wide : room; // a board in rows is drawn as large as it can be
  part.height = y + row + edge;
  for (const ground of grounds) { ground.setAttribute("width", part.width); ground.setAttribute("height", part.height); }
}

/** The board with the own seat beneath it, what may stand beside them in a second column, and the rest in rows below. */
function inColumns(parts, room, high) {
  const column = (of) => ({ parts: of, width: Math.max(...of.map((part) => part.width)), height: of.reduce((sum, part) => sum + part.height + GAP, -GAP) });
  const first = parts.filter((part) => part.main || part.name === board.own), second = parts.filter((part) => part.beside && !first.includes(part));
  const rest = parts.filter((part) => !first.includes(part) && !second.includes(part));
  const [left, right] = [column(first).width, column(second).width];
  const tall = (of, wide, beneath) => of.reduce((sum, part) => sum + part.height * Math.min(wide / part.width, part.beside ? beneath : LARGEST) + GAP, 0);
  // Which parts of the second column go beneath the own seat, as bits of a number: the last ones, where all is seen so, else
  // those with which the higher column is the lowest.
  const moved = (k) => second.filter((_, at) => (k >> at) & 1);
  const tallest = (k) => Math.max(tall([...first, ...moved(k)], left, MORE), tall(second.filter((_, at) => !((k >> at) & 1)), right, LARGEST));
  const last = second.map((_, at) => (1 << second.length) - (1 << (second.length - at))), fits = (k) => (tallest(k) * (room - GAP)) / (left + right) <= high;
  const ways = last.some(fits) ? last : Array.from({ length: (1 << second.length) - 1 }, (_, k) => k);
  const best = ways.reduce((one, other) => (tallest(other) < tallest(one) ? other : one));
  first.push(...moved(best));
  second.splice(0, second.length, ...second.filter((part) => !first.includes(part)));
  return [[column(first), column(second)], ...packed(rest, room, high)];
}

const layout = {
  zoom: 1,
  least: 0, // how small a part may be drawn in this window for its texts to be read; 0 where all fit
  columns: false, // whether the board and the own seat have a column, and what belongs to them another
  opened: new Set(), // names of parts that are shown whole
  shaped: "", // the shape of the window and its width
  room: 0, // pixels that a row may be wide
  high: 0, // pixels of the board that are in sight
  fitted: false, // whether all rows are drawn so small that they are in sight
  scales: [], // how large each row is drawn
  widths: [], // of the two columns, where there are such
  rows: [], // of columns of names of parts, as they are arranged
  aimed: false, // whether what can be done was brought into sight, and nobody has moved anything since
  window: 0, // the width of the window for which everything is arranged

  /** The shape of the window: the rest of the page lies beside the board, beneath it, or behind tabs where it is narrow or low. */
  shape(parts) {
    if (!parts.length) return;
    const widest = Math.max(0, ...parts.filter((part) => part.main || part.name === board.own).map((part) => part.width));
    const wide = window.innerWidth, low = window.innerHeight < PHONE && wide < LYING, aside = Math.min(26 * 15, Math.max(17 * 15, 0.2 * wide)) + 3 * GAP;
    const shape = wide < PHONE || low ? "phone" : (wide - aside) / (widest || 1) >= LEAST / parts[0].smallest ? "beside" : "beneath";
    if (document.body.dataset.shape !== shape) { document.body.dataset.shape = shape; this.window = 0; } // the board has another room
    const second = Math.max(0, ...parts.map((part) => (part.main || part.name === board.own ? 0 : part.beside)));
    this.columns = shape === "beside" && second > 0 && (wide - aside - GAP) / (widest + second) >= CLOSE / parts[0].smallest;
    this.shaped = `${shape}${this.columns ? " columns" : ""} ${$("board").clientWidth}`;
    this.least = { phone: LEAST_PHONE, beneath: FOLDED / parts[0].smallest, beside: 0 }[shape];
  },

  /** Whether the window is low and has tabs for that: what fits stands side by side, and is as high as the window. */
  lying: () => document.body.dataset.shape === "phone" && window.innerWidth >= PHONE,

  /** What a window shows in rows that is narrower than the part. */
  fold(part) {
    if (this.least) folded(part, Math.floor(($("board").clientWidth - 2 * EDGE) / this.least));
    else if (this.columns && part.beside) folded(part, part.beside);
  },

  /** Of a rival's part the top alone is shown where there are columns, as long as nothing can be done below. */
  shorten(part) {
    if (!this.columns || !part.brief || part.height <= part.brief || this.opened.has(part.name)) return;
    const below = [...part.node.querySelectorAll("[data-box]")].filter((box) => {
      const at = /translate\(\S+[ ,]([\d.-]+)/.exec(box.getAttribute("transform") || "");
      return at && Number(at[1]) + Number(box.dataset.box.split(" ")[1]) > part.brief + 2;
    });
    if (below.some((box) => box.querySelector("[data-actions]"))) return;
    for (const box of below) box.remove();
    for (const ground of part.node.querySelectorAll("rect")) if (Number(ground.getAttribute("height")) > part.brief) ground.setAttribute("height", part.brief);
    part.height = part.brief;
  },

  /** Give every part its place and its size. */
  arrange(parts, slot) {
    if (this.window !== window.innerWidth) { // asked for only when it may be new
      this.room = $("board").clientWidth - 2 * EDGE;
      this.high = $("board").clientHeight;
    }
    const room = this.room, phone = document.body.dataset.shape === "phone";
    const key = JSON.stringify([room, this.high, parts.map((part) => [part.name, part.width])]);
    if (key !== this.key) { // parts that grow stay where they are
      this.key = key;
      this.fitted = false;
      this.rows = document.body.dataset.shape === "beside" && !this.columns ? this.best(parts) : named((this.columns ? inColumns : packed)(parts, this.lying() ? room / this.least : room, this.high));
      $("board").replaceChildren(...this.rows.map((row) => make("div", { class: "row" },
        ...row.map((column) => make("div", { class: "column" }, ...column.map(slot))))));
    }
    this.window = window.innerWidth;
    const known = new Map(parts.map((part) => [part.name, part]));
    if (key !== this.scaled) { this.scaled = key; this.scales = this.scaling(known, phone, this.rows, this.fitted); this.widths = this.columns ? this.shares(known) : []; }
    this.rows.forEach((row, k) => {
      const widths = k === 0 ? this.widths : [];
      row.forEach((column, j) => {
        for (const name of column) this.size(slot(name).firstElementChild, known.get(name), this.zoomed(known.get(name)) * (widths[j] ? this.wide(known.get(name), widths, j) : this.scales[k]));
      });
    });
    if (this.least) this.reachable();
  },

  /** Of several arrangements the one that hides the least and is drawn the largest. */
  best(parts) {
    const known = new Map(parts.map((part) => [part.name, part])), first = ({ main, name }) => main || name === board.own;
    const all = parts.reduce((sum, { width, height }) => sum + width * height, 0), tried = new Map();
    const ways = [...TRIED.map((scale) => packed(parts, this.room / scale, this.high / scale)), ...[2, 3, 4, 5, 6].map((most) => [beneath(parts, most)])];
    for (const way of ways) for (const fitted of [false, true]) {
      const rows = named(way), scales = this.scaling(known, false, rows, fitted);
      let top = 0, hidden = 0, size = Infinity;
      rows.forEach((row, k) => {
        hidden += 9 * Math.max(0, this.read(row, known) - scales[k]); // what cannot be read is hidden as well
        for (const column of row) {
          let end = top;
          for (const part of column.map((name) => known.get(name))) {
            end += part.height * scales[k] + GAP;
            const below = Math.max(0, (end - this.high) / scales[k]) / part.height; // a part of which half is seen is not seen
            hidden += (first(part) ? 6 : part.behind ? 0.3 : 1) * part.width * part.height * Math.min(1, 2 * below) / all;
            if (first(part)) size = Math.min(size, scales[k]);
          }
        }
        top += this.tall(row, known) * scales[k] + GAP;
      });
      tried.set(2.5 * hidden - size, { rows, fitted });
    }
    const found = tried.get(Math.min(...tried.keys()));
    this.fitted = found.fitted;
    return found.rows;
  },

  /** How high a row is before it is scaled. */
  tall: (row, known) => Math.max(...row.map((column) => column.reduce((sum, name) => sum + known.get(name).height, GAP * (column.length - 1)))),

  /** How small a row may be drawn for its texts to be read. */
  read: (row, known) => LEAST / Math.min(...row.flat().map((name) => known.get(name).smallest)),

  /** How much larger a part is drawn than fits: where a phone has gone near to places of the board, the board alone. */
  zoomed: (part) => (layout.zoom === layout.closer && !part.main ? 1 : layout.zoom),

  /** How large a part of one of two columns is drawn. */
  wide: (part, widths, j) => Math.min(LARGEST, widths[j] / part.width, j === 0 && part.beside ? (MORE * widths[1]) / part.width : LARGEST),

  /** How wide two columns are: the own seat has its column's width, and is drawn as large as what stands beside it; no
   *  wider than lets all be seen, or the columns alone, as far as texts can be read so. */
  shares(known) {
    const [row, ...rest] = this.rows, part = (name) => known.get(name);
    const own = (part(board.own) || part(row[0][0])).width, second = Math.max(0, ...row[1].map((name) => part(name).width));
    const room = this.room - GAP, first = second ? (room * own) / (own + second) : room, widths = [first, room - first];
    const scales = row.map((column, j) => column.map((name) => this.wide(part(name), widths, j)));
    const high = Math.max(...row.map((column, j) => column.reduce((sum, name, i) => sum + part(name).height * scales[j][i], 0)));
    const gaps = GAP * Math.max(...row.map((column) => column.length)), below = rest.reduce((sum, one, k) => sum + this.tall(one, known) * this.scales[k + 1] + GAP, 0);
    const text = Math.min(...row.flatMap((column, j) => column.map((name, i) => part(name).smallest * scales[j][i])));
    const least = Math.min(1, (text < FOLDED ? CLOSE : FOLDED) / text), shares = [below, 0].map((rows) => (this.high - gaps - rows) / high);
    const smaller = shares.find((share) => share >= least) || least; // what does not fit is as small as can be read
    return smaller < 1 ? widths.map((width) => width * smaller) : widths;
  },

  /** How large every row is drawn: as wide as the room, but so that the own seat comes into sight, or all rows where they
   *  are `fitted`, as long as texts can be read. */
  scaling(known, phone, rows, fitted) {
    const tall = (row) => this.tall(row, known), read = (row) => this.read(row, known);
    const scales = rows.map((row) => {
      const wide = row.reduce((sum, column) => sum + Math.max(...column.map((name) => known.get(name).width)), 0);
      const fits = Math.min(LARGEST, (this.room - GAP * (row.length - 1)) / wide);
      if (this.lying()) return Math.min(fits, Math.max(this.least, this.high / tall(row)));
      return phone && row.flat().every((name) => known.get(name).main) ? fits : fits < 0.9 * this.least ? this.least : fits; // a phone shows a whole board first
    });
    for (let k = 0; fitted && k < 4; k++) {
      const over = (this.high - GAP * rows.length) / rows.reduce((sum, row, i) => sum + tall(row) * scales[i], 0);
      rows.forEach((row, i) => { scales[i] = Math.max(Math.min(read(row), scales[i]), scales[i] * Math.min(1, over)); });
    }
    const own = rows.findIndex((row) => row.flat().includes(board.own)) + 1;
    for (let k = 0; !phone && own > 1 && k < own; k++) {
      const over = rows.slice(0, own).reduce((sum, row, i) => sum + tall(row) * scales[i] + GAP, 0) - this.high;
      if (over > 0) scales[k] = Math.min(scales[k], Math.max(read(rows[k]), scales[k] - over / tall(rows[k])));
    }
    return scales;
  },

  /** Rows that a phone pans can be panned by keys as well. */
  reachable() {
    for (const row of $("board").children) {
      const told = { tabindex: "0", role: "group", "aria-label": "wider than the window" }, wide = row.scrollWidth > row.clientWidth;
      for (const [name, value] of Object.entries(told)) wide ? row.setAttribute(name, value) : row.removeAttribute(name);
    }
  },

  /** The width is a whole number of pixels and the height has room to spare, so that the scale is the same for ever. */
  size(svg, part, scale) {
    const width = Math.floor(part.width * scale);
    svg.style.width = `${width}px`;
    svg.style.height = `${Math.ceil((part.height * width) / part.width)}px`;
  },

  /** Draw everything larger or smaller around a point of the window. */
  zoomTo(zoom, x, y) {
    const pane = $("board"), box = pane.getBoundingClientRect(), old = this.zoom;
    this.zoom = Math.min(5, Math.max(0.25, zoom));
    pane.classList.toggle("zoomed", this.zoom > 1);
    board.arrange();
    const [u, v] = [(x ?? box.left + box.width / 2) - box.left, (y ?? box.top + box.height / 2) - box.top];
    pane.scrollLeft = (pane.scrollLeft + u) * (this.zoom / old) - u;
    pane.scrollTop = (pane.scrollTop + v) * (this.zoom / old) - v;
  },

  /** A phone goes nearer to a point of a board where a finger may mean several small places. */
  near(x, y) {
    if (document.body.dataset.shape !== "phone" || this.zoom !== 1) return false;
    this.zoomTo((this.closer = NEARER), x, y);
    return true;
  },

  /** The whole board again, where a tap had come near to it. */
  back() {
    if (this.closer && this.zoom === this.closer) this.zoomTo(1);
    this.closer = 0;
  },

  /** What can be done comes into sight. A window may still be finding its sizes, so this is done again then, until
   *  somebody does something. */
  aim() {
    const places = [...board.places(), ...$("board").querySelectorAll("[data-asked]")]; // with what the decision is about
    this.aimed = true;
    this.back();
    this.bring(places);
  },

  /** Scroll as little from the top as brings all places into sight: on a phone with the whole parts in which they are
   *  where those fit; elsewhere, and beneath what is pinned, those of boards and of the own seat, as the list has the rest. Where places are too far apart, a phone shows as many as can be seen at once, as its list lies behind
   *  a tab; else from the first one on. */
  bring(places) {
    const pane = $("board"), at = pane.getBoundingClientRect();
    let all = places.filter((place) => place.getClientRects().length);
    const phone = document.body.dataset.shape === "phone", pinned = this.pinned(), high = pane.clientHeight - pinned;
    const span = (nodes, near, far, from) => { const boxes = nodes.map((node) => node.getBoundingClientRect()); return [Math.min(...boxes.map((box) => box[near])) - from, Math.max(...boxes.map((box) => box[far])) - from]; };
    if (!phone || pinned) {
      const near = all.filter((place) => { const part = board.parts.get(place.closest(".slot").dataset.slot); return part && (part.main || part.name === board.own); });
      if (near.length || (pinned && !phone)) all = near;
    }
    if (!all.length) { if (this.zoom === 1) pane.scrollTop = 0; return; }
    const from = at.top + pinned - pane.scrollTop; // where the first pixel below what is pinned is, before anything is moved
    const [top, bottom] = span(all, "top", "bottom", from), [, end] = span(all.map((place) => place.closest(".slot")), "top", "bottom", from);
    const whole = phone && end - top + 2 * NEXT <= high, start = () => {
      if (bottom + EDGE <= high) return 0;
      if (bottom - top + 2 * NEXT <= high) return (whole ? end : bottom + NEXT) - high;
      return phone ? this.most(all, from, high) : top - NEXT;
    };
    if (this.zoom === 1 || top < pane.scrollTop || bottom > pane.scrollTop + high) pane.scrollTop = start();
    const [left, right] = span(all, "left", "right", at.left);
    if (left < 0 || right > at.width) all[0].scrollIntoView({ block: "nearest", inline: "nearest" });
  },

  /** How much of the top of the board is covered by what stays there. */
  pinned() {
    const row = $("board").querySelector(".row:has(.pinned)");
    return row && getComputedStyle(row).position === "sticky" ? row.offsetHeight + GAP : 0;
  },

  /** How far to scroll for as many places as can be seen at once, those of boards and of the own seat twice as much as
   *  others; not at all, or no further than to the first ones, where that shows as much. */
  most(places, from, high) {
    const spans = places.map((place) => {
      const box = place.getBoundingClientRect(), part = board.parts.get(place.closest(".slot").dataset.slot);
      return [box.top - from, box.bottom - from, !place.dataset.actions ? 0.5 : part.main || part.name === board.own ? 2 : 1];
    });
    const seen = (start) => spans.reduce((sum, [top, bottom, worth]) => sum + (top >= start && bottom <= start + high ? worth : 0), 0);
    return [0, ...spans.map(([top]) => top - NEXT).sort((a, b) => a - b)].reduce((best, start) => (seen(start) > seen(best) ? start : best));
  },

  /** So small that all of it is seen. The gaps between parts keep their size, so it takes more than one step. */
  whole() {
    const pane = $("board");
    this.zoomTo(1);
    for (let k = 0; k < 6 && pane.scrollHeight > pane.clientHeight; k++) this.zoomTo((this.zoom * pane.clientHeight) / pane.scrollHeight);
  },

  /** What a key does: + and - zoom, 0 goes back to the size at which texts are read, 9 shows all of it. */
  keys: { "+": () => layout.zoomTo(layout.zoom * 1.25), "=": () => layout.zoomTo(layout.zoom * 1.25),
    "-": () => layout.zoomTo(layout.zoom / 1.25), 0: () => layout.zoomTo(1), w: () => layout.whole() },

  /** Buttons, wheel, pinch, and dragging the picture. */
  begin() {
    const button = (sign, label, key) => make("button", { type: "button", title: `${label} (${key})`, "aria-label": label, onclick: () => this.keys[key]() }, sign);
    const steps = [button("+", "larger", "+"), button("−", "smaller", "-"), button("1:1", "size to read", "0"), button("▣", "the whole board", "w")];
    ($("bar") || $("film")).prepend(make("div", { id: "zoom", role: "group", "aria-label": "size of the board" },
      make("button", { type: "button", title: "larger, smaller, all of it" }, "Zoom"), make("div", { class: "steps" }, ...steps)));
    const pane = $("board"), points = new Map();
    pane.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.zoomTo(this.zoom * Math.exp(-event.deltaY / 300), event.clientX, event.clientY);
    }, { passive: false });
    pane.addEventListener("touchmove", (event) => { if (event.touches.length > 1) event.preventDefault(); }, { passive: false });
    const at = () => [pane.scrollLeft, pane.scrollTop];
    let from = at(); // where the board was when it was pressed
    pane.addEventListener("pointerdown", (event) => { from = at(); points.set(event.pointerId, [event.clientX, event.clientY]); });
    pane.addEventListener("click", (event) => { // what has moved the board decides nothing
      if (event.detail && at().some((one, k) => Math.abs(one - from[k]) > 4)) event.stopPropagation();
    }, true);
    for (const name of ["pointerup", "pointercancel", "pointerleave"]) pane.addEventListener(name, (event) => points.delete(event.pointerId));
    pane.addEventListener("pointermove", (event) => this.moved(event, points));
    const anew = () => this.anew();
    for (const kind of ["pointerdown", "wheel", "keydown"]) document.addEventListener(kind, () => { this.aimed = false; }, true);
    new ResizeObserver(anew).observe(pane);
    window.addEventListener("resize", anew);
  },

  /** The board has another room: everything is arranged for it. */
  anew() {
    const before = this.shaped;
    this.window = 0;
    this.shape(board.whole);
    if (this.shaped === before || (!this.least && before.startsWith("beside") && before.includes("columns") === this.columns)) board.arrange();
    else board.again();
    if (this.aimed) this.aim();
  },

  /** Two fingers pinch; the mouse drags. */
  moved(event, points) {
    const last = points.get(event.pointerId);
    if (!last) return;
    const [x, y] = [event.clientX, event.clientY], others = [...points].filter(([id]) => id !== event.pointerId);
    if (others.length) {
      const [u, v] = others[0][1], apart = (point) => Math.hypot(point[0] - u, point[1] - v) || 1;
      this.zoomTo((this.zoom * apart([x, y])) / apart(last), (x + u) / 2, (y + v) / 2);
    } else if (event.pointerType === "mouse" && event.buttons === 1) {
      $("board").scrollBy(last[0] - x, last[1] - y);
    }
    points.set(event.pointerId, [x, y]);
  },
};
