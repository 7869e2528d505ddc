/* What the seats are called: the names of those who play stand where pictures and sentences say "Player 2". */
"use strict";

const LONGEST = 18; // letters of a name in a picture
const SMALL = 11.5; // the smallest text of a picture that says nothing of it
const SEAT = /\b[Pp]layer (\d+)\b(?! to the left)/g, ROOM = /<text\b([^>]*) data-room="([\d.]+)"([^>]*)>([^<]*)<\/text>/;
const ESCAPED = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };

const people = {
  names: [], // of the seats, by number from 0

  /** The names that a table tells, with what people call themselves. */
  of: (names, called, you) => names.map((name, seat) => (seat !== you && called[seat]) || name),

  /** A sentence, with names. A player "to the left" is no seat but a distance. */
  say(text, shorten = (name) => name) { return text.replace(SEAT, (said, number) => this.name(said, number, shorten)); },

  name(said, number, shorten) {
    const name = this.names[Number(number) - 1];
    return !name || name === "You" || /^Player \d+$/.test(name) ? said : shorten(name);
  },

  /** A picture, which is XML, with names. A line with names stays in the room that the picture gives it. */
  draw(svg) {
    const short = (name) => (name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name), xml = (said) => said.replace(/[&<>"']/g, (one) => ESCAPED[one]);
    const family = (/font-family="([^"]*)"/.exec(svg) || [])[1] || "sans-serif", smallest = Number((/data-smallest="([\d.]+)"/.exec(svg) || [])[1]) || SMALL;
    return svg.replace(new RegExp(`${ROOM.source}|${SEAT.source}`, "g"), (whole, before, room, after, said, number) => {
      if (room === undefined) return this.name(whole, number, (name) => xml(short(name)));
      const how = `${before}${after}`, size = Number(/font-size="([\d.]+)"/.exec(how)[1]);
      const plain = Object.entries(ESCAPED).reduceRight((line, [one, code]) => line.replaceAll(code, one), said), line = this.say(plain, short);
      if (line === plain) return whole;
      const [fitting, smaller] = this.fitted(line, Number(room), size, how.includes('"bold"') ? "bold " : "", family, smallest);
      return `<text${how.replace(/font-size="[\d.]+"/, `font-size="${smaller}"`)}>${xml(fitting)}</text>`;
    });
  },

  /** A line and its size, so that it stays in its room: smaller as far as it can be read, then cut. */
  fitted(line, room, size, weight, family, smallest) {
    const pen = (this.pen ||= document.createElement("canvas").getContext("2d"));
    const wide = (said, high) => { pen.font = `${weight}100px ${family}`; return pen.measureText(said).width * high / 100; };
    const smaller = Math.max(Math.min(size, size * room / wide(line, size)), Math.min(size, smallest));
    while (line.length > 1 && wide(line, smaller) > room) line = `${line.replace(/…$/, "").slice(0, -1).trimEnd()}…`;
    return [line, Math.floor(100 * smaller) / 100];
  },

  /** A frame or a decision that the table told, with names in its picture and its sentences. */
  named(told, key = "") {
    if (typeof told === "string") return key === "svg" ? this.draw(told) : this.say(told);
    if (Array.isArray(told)) return told.map((one) => this.named(one));
    if (told === null || typeof told !== "object") return told;
    return Object.fromEntries(Object.entries(told).map(([name, one]) => [name, this.named(one, name)]));
  },
};
