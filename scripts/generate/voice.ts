/**
 * Makes the recordings of the voice, `firmware/features/voice/pieces/`, with the program espeak-ng (Debian: espeak-ng),
 * which no device needs. They are committed: another version of the program gives other ones, so this runs only when
 * words change.
 *
 *   node scripts/generate/voice.ts
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LANGUAGES, type Language } from '../../drivers/lib/languages.ts';
import { shippedVoice } from '../../firmware/features/voice/voice.ts';
import { readWav, writeWav } from '../../firmware/features/voice/wav.ts';
import { VOICE_WORDS } from '../../firmware/features/voice/words.ts';

/** The voice of each language, and its words a minute: with them the longest sum of a lane takes some 7 s in either. */
const VOICES: Readonly<Record<Language, readonly [name: string, pace: number]>> = {
  ru: ['ru', 175],
  en: ['en-gb', 205],
};
/** Of full scale: loudness of all pieces, and the peak that none passes. */
const [LOUDNESS, PEAK] = [0.16, 0.89];
const FULL_SCALE = 0x7fff;
/** At a piece's ends, a window below this share of the loudest counts as silence. */
const SILENCE = 0.02;
/** Seconds: of a window, of the silence that is left at each end, and of the fade there. */
const [WINDOW, MARGIN, FADE] = [0.005, 0.015, 0.006];

/** Phonemes for words that espeak-ng reads wrongly, or that are misheard: a teen has its stress last, as no ten has. */
const PHONEMES: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  ru: { 40: "s'orVk", test: "t'Est", 'rouble-one': "r'ubl;" },
  en: {
    13: "T3:t'i:n",
    14: "fo@t'i:n",
    15: "fIft'i:n",
    16: "sIkst'i:n",
    17: "sEv@nt'i:n",
    18: "eIt'i:n",
    19: "naInt'i:n",
  },
};

/** Root mean square of each window. */
function windowsOf(samples: Float64Array, rate: number): number[] {
  const length = Math.round(WINDOW * rate);
  return Array.from({ length: Math.floor(samples.length / length) }, (_, index) => {
    const part = samples.subarray(index * length, (index + 1) * length);
    return Math.sqrt(part.reduce((sum, sample) => sum + sample * sample, 0) / part.length);
  });
}

/** A piece without the silence at its ends, as loud as the others, with faded ends. */
function finished(raw: Int16Array, rate: number): Int16Array {
  const whole = Float64Array.from(raw, (sample) => sample / FULL_SCALE);
  const windows = windowsOf(whole, rate);
  const isHeard = (level: number): boolean => level > SILENCE * Math.max(...windows);
  const [window, margin, fade] = [WINDOW, MARGIN, FADE].map((seconds) => Math.round(seconds * rate)) as [
    number,
    number,
    number,
  ];
  const from = Math.max(0, windows.findIndex(isHeard) * window - margin);
  const sound = whole.slice(from, (windows.findLastIndex(isHeard) + 1) * window + margin);
  const heard = windowsOf(sound, rate).filter((level) => level > 0.1 * Math.max(...windows));
  const loudness = Math.sqrt(heard.reduce((sum, level) => sum + level * level, 0) / heard.length);
  const peak = sound.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  const gain = Math.min(LOUDNESS / loudness, PEAK / peak);
  return Int16Array.from(sound, (sample, at) =>
    Math.round(FULL_SCALE * gain * sample * Math.min(1, at / fade, (sound.length - 1 - at) / fade)),
  );
}

const folder = mkdtempSync(join(tmpdir(), 'voice-'));
try {
  for (const language of LANGUAGES) {
    const [voice, pace] = VOICES[language];
    const place = shippedVoice(language);
    mkdirSync(place, { recursive: true });
    for (const name of readdirSync(place)) rmSync(join(place, name));
    for (const [key, words] of Object.entries(VOICE_WORDS[language])) {
      const phonemes = PHONEMES[language][key];
      const text = phonemes === undefined ? words : `[[${phonemes}]]`;
      const file = join(folder, 'spoken.wav');
      execFileSync('espeak-ng', ['-v', voice, '-s', String(pace), '-w', file, text]);
      const { rate, samples } = readWav(readFileSync(file));
      writeFileSync(join(place, `${key}.wav`), writeWav({ rate, samples: finished(samples, rate) }));
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}
