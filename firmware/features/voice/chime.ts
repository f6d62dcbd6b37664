/** The chime, by a formula: two tones that fade, a fourth apart, as of a bell. */
import type { Sound } from './wav.ts';

/** When each tone begins, in seconds, and its pitch in Hz: e and a, above the noise of a shop and within small speakers. */
const TONES = [
  [0, 1318.5],
  [0.12, 1760],
] as const;
const SECONDS = 0.5;
/** A tone falls to 1/e in this time. */
const FADE_SECONDS = 0.1;
/** A beginning at once would click. */
const RISE_SECONDS = 0.004;
const END_SECONDS = 0.05;
/** Of full scale, of each tone: both together stay below it. */
const PEAK = 0.48;

export function chime(rate: number): Sound {
  const samples = Int16Array.from({ length: Math.round(SECONDS * rate) }, (_, at) => {
    const time = at / rate;
    const tones = TONES.map(([from, pitch]) => {
      const since = time - from;
      if (since < 0) return 0;
      return (
        Math.min(1, since / RISE_SECONDS) * Math.exp(-since / FADE_SECONDS) * Math.sin(2 * Math.PI * pitch * since)
      );
    });
    const end = Math.min(1, (SECONDS - time) / END_SECONDS);
    return Math.round(0x7fff * PEAK * end * tones.reduce((sum, tone) => sum + tone, 0));
  });
  return { rate, samples };
}
