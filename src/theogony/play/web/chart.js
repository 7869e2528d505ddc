/* Charts of a replay page: lines over the decisions, one a seat. */
"use strict";

/** Charts: lines over the decisions, one a seat. `values[k][seat]` may be null. What is at the top may be the least:
 *  `low` is the value of the bottom line, `high` that of the top one, and `ends` says in words what they are. */
function chart(label, values, colours, at, go, low, high, ends = (value) => String(Math.round(value))) {
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
  const middle = low === 0 && high === 1 ? 0.5 : 0; // even chances, or as many points as the others
  if (middle > floor && middle < top) path(`0,${y(middle)} ${width},${y(middle)}`, "var(--line)", "stroke-dasharray:4 4");
  for (let seat = 0; seat < colours; seat++) {
    const points = values.map((row, k) => (row[seat] === null ? null : `${x(k)},${y(row[seat])}`));
    path(points.filter(Boolean).join(" "), "var(--shown, var(--seat))").setAttribute("class", `seat-${seat % 5}`);
  }
  const cursor = path("", "var(--glow)");
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    go(Math.round((last * (event.clientX - box.left)) / box.width));
  });
  const caption = make("figcaption", {}, label);
  const told = low === 0 && high === 1 ? (value) => `${100 * value} %` : ends;
  const figure = make("figure", {}, caption, make("div", { class: "plot" }, make("span", { class: "quiet" }, told(top)), make("span", { class: "quiet" }, told(floor)), svg));
  figure.move = (k, names) => {
    cursor.setAttribute("points", `${x(k)},-4 ${x(k)},${height + 4}`);
    const row = values[Math.min(k, values.length - 1)];
    const each = names.map((name, seat) => make("span", {}, swatch(seat), row[seat] === null ? "–" : low === 0 && high === 1 ? percent(row[seat]) : String(row[seat])));
    caption.replaceChildren(label, ...each);
  };
  figure.move(at, []);
  return figure;
}
