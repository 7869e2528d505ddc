/* Sounds: a few tones made on the spot, and only where somebody has switched them on. */
"use strict";

const TONES = { // [pitch in hertz, seconds until it begins, seconds that it lasts]
  move: [[392, 0, 0.09]],
  turn: [[587, 0, 0.12], [784, 0.11, 0.2]],
  over: [[523, 0, 0.16], [659, 0.14, 0.16], [784, 0.28, 0.4]],
};
const LOUD = 0.12; // of 1

const sound = {
  context: null,
  last: null, // who decided in the last picture; null before the first one and after the end

  on: () => $("soundon").checked,

  /** One of `TONES`. */
  play(name) {
    if (!this.on()) return;
    const context = this.context ??= new AudioContext(), now = context.currentTime;
    for (const [pitch, after, lasts] of TONES[name]) {
      const tone = new OscillatorNode(context, { frequency: pitch, type: "triangle" }), gain = new GainNode(context, { gain: LOUD });
      gain.gain.setValueAtTime(LOUD, now + after);
      gain.gain.exponentialRampToValueAtTime(0.001, now + after + lasts);
      tone.connect(gain).connect(context.destination);
      tone.start(now + after);
      tone.stop(now + after + lasts);
    }
  },

  /** What is heard when another position is shown to seat `you`: a move, one's turn, or the end. */
  shown({ actor, over }, you) {
    const last = this.last;
    this.last = over ? null : actor;
    if (last !== null) this.play(over ? "over" : actor === you && last !== you ? "turn" : "move");
  },
};

$("soundon").addEventListener("change", () => sound.play("turn")); // so it is heard what it is like
