/* How the parts of a picture share the room: boards first, the own seat next to them, everything as large as fits. */
"use strict";

const GAP = 10, EDGE = 3; // between parts and around them, in pixels
const LARGEST = 1.3; // a part is not drawn larger than so many times its own size, unless one zooms
const HIGHER = 1.35; // than the highest column beside it a column may become, by what is put beneath it
const PHONE = 640, LEAST = 0.98, LEAST_PHONE = 0.75; // widths of windows, and sizes below which a text is too small

/** Rows of columns of parts `{name, width, height}` for a width. A part goes beneath another that is as wide where that
 *  makes no column much higher than the rest of its row, else beside it, else into a new row. */
function packed(parts, room) {
  const rows = [];
  for (const part of parts) {
    const row = rows.at(-1) || [];
    const wide = row.reduce((sum, column) => sum + column.width + GAP, 0);
    const under = row.length > 1 && row.find((column) => part.width <= 1.02 * column.width &&
      column.height + GAP + part.height <= HIGHER * Math.max(...row.map((other) => (other === column ? 0 : other.height))));
    if (under) { under.parts.push(part); under.height += GAP + part.height; }
    else {
      const column = { parts: [part], width: part.width, height: part.height };
      if (row.length && wide + part.width <= room) row.push(column);
      else rows.push([column]);
    }
  }
  return rows;
}

const layout = {
  zoom: 1,
  room: 0, // pixels that a row may be wide
  window: 0, // the width of the window for which everything is arranged

  /** The shape of the window: the rest of the page lies beside the board, beneath it, or behind tabs. */
  shape(parts) {
    const widest = Math.max(0, ...parts.filter((part) => part.main || part.name === board.own).map((part) => part.width));
    const wide = window.innerWidth, aside = Math.min(26 * 15, Math.max(17 * 15, 0.2 * wide)) + 3 * GAP;
    const shape = wide < PHONE ? "phone" : (wide - aside) / (widest || 1) >= LEAST ? "beside" : "beneath";
    if (document.body.dataset.shape !== shape) document.body.dataset.shape = shape;
  },

  /** Give every part its place and its size. */
  arrange(parts, slot) {
    this.shape(parts);
    if (this.window !== window.innerWidth) this.room = $("board").clientWidth - 2 * EDGE; // asked for only when it may be new
    const room = this.room, least = document.body.dataset.shape === "phone" ? LEAST_PHONE : 0;
    const rows = packed(parts, room);
    const key = JSON.stringify(rows.map((row) => row.map((column) => column.parts.map((part) => part.name))));
    if (key !== this.key) {
      this.key = key;
      $("board").replaceChildren(...rows.map((row) => make("div", { class: "row" },
        ...row.map((column) => make("div", { class: "column" }, ...column.parts.map((part) => slot(part.name)))))));
    }
    this.window = window.innerWidth;
    for (const row of rows) {
      const wide = row.reduce((sum, column) => sum + column.width, 0);
      const scale = this.zoom * Math.max(least, Math.min(LARGEST, (room - GAP * (row.length - 1)) / wide));
      for (const part of row.flatMap((column) => column.parts)) this.size(slot(part.name).firstElementChild, part, scale);
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
    board.arrange();
    const [u, v] = [(x ?? box.left + box.width / 2) - box.left, (y ?? box.top + box.height / 2) - box.top];
    pane.scrollLeft = (pane.scrollLeft + u) * (this.zoom / old) - u;
    pane.scrollTop = (pane.scrollTop + v) * (this.zoom / old) - v;
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
    $("table").append(make("div", { id: "zoom", role: "group", "aria-label": "size of the board" },
      button("−", "smaller", "-"), button("+", "larger", "+"), button("1:1", "size to read", "0"), button("▣", "the whole board", "w")));
    const pane = $("board"), points = new Map();
    pane.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.zoomTo(this.zoom * Math.exp(-event.deltaY / 300), event.clientX, event.clientY);
    }, { passive: false });
    pane.addEventListener("touchmove", (event) => { if (event.touches.length > 1) event.preventDefault(); }, { passive: false });
    pane.addEventListener("pointerdown", (event) => points.set(event.pointerId, [event.clientX, event.clientY]));
    for (const name of ["pointerup", "pointercancel", "pointerleave"]) pane.addEventListener(name, (event) => points.delete(event.pointerId));
    pane.addEventListener("pointermove", (event) => this.moved(event, points));
    const anew = () => { this.window = 0; board.arrange(); };
    new ResizeObserver(anew).observe(pane);
    window.addEventListener("resize", anew);
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
