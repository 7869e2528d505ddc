/* What the seats are called: the names of those who play stand where pictures and sentences say "Player 2". */
"use strict";

const LONGEST = 18; // letters of a name in a picture, which has so much room

const people = {
  names: [], // of the seats, by number from 0

  /** The names that a table tells, with what people call themselves. */
  of: (names, called, you) => names.map((name, seat) => (seat !== you && called[seat]) || name),

  /** A sentence, with names. A player "to the left" is no seat but a distance. */
  say(text, shorten = (name) => name) {
    return text.replace(/\b[Pp]layer (\d+)\b(?! to the left)/g, (said, number) => {
      const name = this.names[Number(number) - 1];
      return !name || name === "You" || /^Player \d+$/.test(name) ? said : shorten(name);
    });
  },

  /** A picture, which is XML, with names. */
  draw(svg) {
    const escaped = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };
    return this.say(svg, (name) => (name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name).replace(/[&<>"']/g, (one) => escaped[one]));
  },

  /** A frame or a decision that the table told, with names in its picture and its sentences. */
  named(told, key = "") {
    if (typeof told === "string") return key === "svg" ? this.draw(told) : this.say(told);
    if (Array.isArray(told)) return told.map((one) => this.named(one));
    if (told === null || typeof told !== "object") return told;
    return Object.fromEntries(Object.entries(told).map(([name, one]) => [name, this.named(one, name)]));
  },
};
