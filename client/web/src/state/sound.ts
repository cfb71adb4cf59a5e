// Soft sounds, synthesized from a few tones instead of loaded from files. They never overlap.
import { settings } from "./settings.ts";

export type Sound = "place" | "lift" | "flip" | "turn" | "tick" | "end" | "chat";

/** [frequency, start, length] of each tone, in hertz and seconds; low tones sound like wood. */
const TONES: { [sound in Sound]: readonly (readonly [number, number, number])[] } = {
  place: [[190, 0, 0.09]],
  lift: [[280, 0, 0.07]],
  flip: [
    [520, 0, 0.04],
    [470, 0.06, 0.04],
    [430, 0.12, 0.04],
  ],
  turn: [
    [523, 0, 0.12],
    [659, 0.11, 0.18],
  ],
  tick: [[880, 0, 0.05]],
  end: [
    [392, 0, 0.5],
    [494, 0.04, 0.5],
    [587, 0.08, 0.6],
  ],
  chat: [[740, 0, 0.12]],
};

let context: AudioContext | null = null;
let busyUntil = 0;

/** Browsers allow sound only after the first key or pointer press. */
export function startSound(): void {
  const start = (): void => {
    context ??= typeof AudioContext === "undefined" ? null : new AudioContext();
    void context?.resume();
  };
  addEventListener("pointerdown", start, { once: true });
  addEventListener("keydown", start, { once: true });
}

export function playSound(sound: Sound): void {
  const { sound: on, volume } = settings.value;
  if (!on || !context || context.state !== "running" || context.currentTime < busyUntil) return;
  const now = context.currentTime;
  for (const [frequency, start, length] of TONES[sound]) {
    const tone = context.createOscillator();
    const loudness = context.createGain();
    tone.type = frequency < 300 ? "triangle" : "sine";
    tone.frequency.setValueAtTime(frequency, now + start);
    if (frequency < 300) tone.frequency.exponentialRampToValueAtTime(frequency * 0.6, now + start + length);
    loudness.gain.setValueAtTime(0, now + start);
    loudness.gain.linearRampToValueAtTime(volume * 0.5, now + start + 0.005);
    loudness.gain.exponentialRampToValueAtTime(0.0001, now + start + length);
    tone.connect(loudness).connect(context.destination);
    tone.start(now + start);
    tone.stop(now + start + length);
    busyUntil = Math.max(busyUntil, now + start + length);
  }
}
