/* What a search would do, in words: what it expects, how the alternatives differ, what each leads to. */
"use strict";

/** How much worse than the best one, for what is the better the greater it is. */
function than(more, digits, unit) {
  const told = Math.abs(more).toFixed(digits);
  return Number(told) === 0 ? "as good" : `${told} ${unit} ${more < 0 ? "worse" : "better"}`;
}

/** What is expected of an action, by what the search counts: [as such, against the best one]. */
const EXPECTED = {
  odds: [(x, digits = 1) => `${(100 * x).toFixed(digits)} % to win`, (d) => than(100 * d, 1, "percentage points")],
  place: [(x) => `place ${x.toFixed(2)}`, (d) => than(-d, 2, "places")],
  lead: [(x, digits = 1) => `${Math.abs(x).toFixed(digits)} points ${x < 0 ? "behind" : "ahead"}`, (d) => than(d, 1, "points")],
  points: [(x, digits = 1) => `${x.toFixed(digits)} points in all`, (d) => than(d, 1, "points")],
  choice: [percent, null],
};
const COUNTS = {
  odds: "your odds to win",
  place: "the place in which you end, as the search expects",
  lead: "how many points you end ahead of the others, as the search expects",
  points: "your points at the end, as the search expects",
  choice: "how likely the trained player would choose it here",
};
/** The bottom and the top of a chart of what was expected, as far as they are given, and what stands there. */
const ENDS = {
  odds: () => [0, 1],
  place: (known, seats) => [seats, 1, nth],
  lead: (known) => [Math.min(0, ...known), Math.max(0, ...known), (x) => (Math.round(x) ? `${Math.abs(x).toFixed(0)} ${x < 0 ? "behind" : "ahead"}` : "level")],
  points: (known) => [Math.min(...known), Math.max(...known), (x) => `${x.toFixed(0)} points`],
};
const nth = (place) => `${place}${["th", "st", "nd", "rd"][place] || "th"}`;

/** Advice in the list of actions, the best one first, with what is expected of each; and a sentence on it, to which who
 *  hears the page is told the best one as well. */
function advised(advice) {
  const [told, against] = EXPECTED[advice.measure], best = advice.options[0];
  const known = (one) => one.expected !== null && one.expected !== undefined;
  const options = advice.options.map((one) => ({ ...one,
    worth: !known(one) ? "" : !against || one === best || !known(best) ? told(one.expected) : against(one.expected - best.expected) }));
  choices.advise(options);
  const about = advice.options.length > 1 ? `A search, best first, by ${COUNTS[advice.measure]}. ` : "";
  const first = options.length ? make("span", { class: "unseen" }, ` ${[options[0].text, options[0].worth].filter(Boolean).join(": ")}.`) : null;
  return make("p", { class: "quiet" }, about + advice.why, first);
}
