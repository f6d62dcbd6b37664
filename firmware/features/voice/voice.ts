/** A voice: its recordings in a folder, read whole, checked, and joined to one sound. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError, isCode, messageOf } from '../../../drivers/lib/errors.ts';
import type { Language } from '../../../drivers/lib/languages.ts';
import { CHIME, sumInPieces } from './announcement.ts';
import { chime } from './chime.ts';
import { readWav, type Sound, WavError, type WavFault, writeWav } from './wav.ts';
import { type PieceKey, VOICE_WORDS } from './words.ts';

const SHIPPED = join(import.meta.dirname, 'pieces');

/** The folder of the shipped recordings of a language. */
export const shippedVoice = (language: Language): string => join(SHIPPED, language);

/** Two seconds at the highest rate, with room for what programs write beside the sound. */
const MOST_BYTES_OF_PIECE = 256_000;
/** Samples a second: from a telephone's to a studio's. */
const [LEAST_RATE, MOST_RATE] = [8000, 48_000];
/** Of full scale: below this nobody hears a piece, and the sum would be another one. */
const LEAST_PEAK = 0.02;
const FULL_SCALE = 0x7fff;
/** A player ends what takes longer: a sum that is cut off is another sum. */
const MOST_SECONDS = 7.5;

/** Silence after a piece, in seconds. */
const PAUSE = 0.04;
const PAUSE_AFTER_SENTENCE = 0.18;
const SENTENCES: ReadonlySet<PieceKey> = new Set(['test', 'paid', CHIME]);

/** `rate`: another than the other pieces, or none that a card plays; `slow`: the longest sum takes too long. */
export type PieceFault = WavFault | 'missing' | 'unreadable' | 'large' | 'rate' | 'silent' | 'slow';

/** What is wrong with one recording, or, named `*`, with all together: what it has, and what is wanted. */
export interface PieceProblem {
  readonly file: string;
  readonly fault: PieceFault;
  readonly has: string;
  readonly wanted: string;
}

/** Names in a message; `problems` has them all. */
const MOST_NAMED = 5;
const missingInWords = (files: readonly string[]): string => {
  const more = files.length - MOST_NAMED;
  return `there is no ${files.slice(0, MOST_NAMED).join(', ')}${more > 0 ? `, and ${more} more are missing` : ''}`;
};

/** The folder has no voice that can be used; all that is wrong with it. */
export class VoiceError extends CodedError<'Unusable'> {
  readonly folder: string;
  readonly problems: readonly PieceProblem[];

  constructor(folder: string, problems: readonly PieceProblem[]) {
    const missing = problems.filter(({ fault }) => fault === 'missing').map(({ file }) => file);
    const others = problems.filter(({ fault }) => fault !== 'missing');
    const all = [
      ...(missing.length > 0 ? [missingInWords(missing)] : []),
      ...others.map(({ file, has, wanted }) => `${file}: ${has}; wanted: ${wanted}`),
    ];
    super('Unusable', `in ${folder} ${all.join('; ')}`);
    this.folder = folder;
    this.problems = problems;
  }
}

/** The pieces of one language, all of one rate. */
export class Voice {
  /** Samples a second. */
  readonly rate: number;
  readonly #pieces: ReadonlyMap<PieceKey, Int16Array>;

  constructor(rate: number, pieces: ReadonlyMap<PieceKey, Int16Array>) {
    this.rate = rate;
    this.#pieces = new Map([...pieces, [CHIME, chime(rate).samples]]);
  }

  /** Joined with their silences, at a volume of 0 to 100 percent of the recorded one. Throws a RangeError for a piece that is not there. */
  join(pieces: readonly PieceKey[], percent: number): Sound {
    if (!(percent >= 0 && percent <= 100)) throw new RangeError(`a volume of ${percent} percent`);
    const samples = new Int16Array(this.#lengthOf(pieces));
    let at = 0;
    for (const key of pieces) {
      const piece = this.#piece(key);
      samples.set(
        piece.map((sample) => Math.round((sample * percent) / 100)),
        at,
      );
      at += piece.length + this.#pauseAfter(key);
    }
    return { rate: this.rate, samples };
  }

  /** The file of a joined sound, for a player or a browser. */
  say(pieces: readonly PieceKey[], percent: number): Buffer {
    return writeWav(this.join(pieces, percent));
  }

  /** How long these take, in seconds. */
  secondsOf(pieces: readonly PieceKey[]): number {
    return this.#lengthOf(pieces) / this.rate;
  }

  #lengthOf(pieces: readonly PieceKey[]): number {
    return pieces.reduce((sum, key) => sum + this.#piece(key).length + this.#pauseAfter(key), 0);
  }

  #pauseAfter(key: PieceKey): number {
    return Math.round((SENTENCES.has(key) ? PAUSE_AFTER_SENTENCE : PAUSE) * this.rate);
  }

  #piece(key: PieceKey): Int16Array {
    const piece = this.#pieces.get(key);
    if (piece === undefined) throw new RangeError(`the voice has no piece "${key}"`);
    return piece;
  }
}

/** Reads the voice of a language from a folder, the shipped one or a shop's. Throws a {@link VoiceError} unless every piece is there and can be used. */
export async function readVoice(folder: string, language: Language): Promise<Voice> {
  const problems: PieceProblem[] = [];
  const sounds = new Map<PieceKey, Sound>();
  for (const key of Object.keys(VOICE_WORDS[language])) {
    const sound = await readPiece(join(folder, fileOf(key)));
    if ('fault' in sound) problems.push({ file: fileOf(key), ...sound });
    else sounds.set(key, sound);
  }
  const rate = commonest([...sounds.values()].map((sound) => sound.rate));
  for (const [key, sound] of sounds)
    if (sound.rate !== rate)
      problems.push({
        file: fileOf(key),
        fault: 'rate',
        has: inHertz(sound.rate),
        wanted: `${inHertz(rate)}, as the others`,
      });
  if (problems.length > 0) throw new VoiceError(folder, problems);
  const voice = new Voice(rate, new Map([...sounds].map(([key, { samples }]) => [key, samples])));
  const seconds = longestOf(voice, language);
  if (seconds <= MOST_SECONDS) return voice;
  const slow = { has: `${seconds.toFixed(1)} s for the longest sum`, wanted: `at most ${MOST_SECONDS} s` };
  throw new VoiceError(folder, [{ file: '*', fault: 'slow', ...slow }]);
}

const fileOf = (key: PieceKey): string => `${key}.wav`;

/** Of these numbers the one that is there most often; 0 of none. */
function commonest(numbers: readonly number[]): number {
  const countOf = (number: number): number => numbers.filter((other) => other === number).length;
  return numbers.toSorted((a, b) => countOf(b) - countOf(a))[0] ?? 0;
}

const inHertz = (rate: number): string => `${rate} Hz`;

/** Reads at most a piece's bytes, whatever lies there. */
async function readPiece(path: string): Promise<Sound | Omit<PieceProblem, 'file'>> {
  try {
    const found = await stat(path);
    if (!found.isFile()) return { fault: 'unreadable', has: 'no file', wanted: 'a WAV file' };
    if (found.size > MOST_BYTES_OF_PIECE)
      return { fault: 'large', has: `${found.size} bytes`, wanted: `at most ${MOST_BYTES_OF_PIECE}` };
    const sound = readWav(await readFile(path));
    if (sound.rate < LEAST_RATE || sound.rate > MOST_RATE)
      return { fault: 'rate', has: inHertz(sound.rate), wanted: `${LEAST_RATE} to ${inHertz(MOST_RATE)}` };
    const peak = sound.samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0) / FULL_SCALE;
    if (peak < LEAST_PEAK) return { fault: 'silent', has: 'silence', wanted: 'a piece that is heard' };
    return sound;
  } catch (error) {
    if (error instanceof WavError) return { fault: error.code, has: error.has, wanted: error.wanted };
    if (isCode(error, 'ENOENT')) return { fault: 'missing', has: 'no such file', wanted: 'every piece' };
    return { fault: 'unreadable', has: messageOf(error), wanted: 'a file that can be read' };
  }
}

/** Of all sums below a million roubles, with "test" before it: each of their three parts at its longest. */
function longestOf(voice: Voice, language: Language): number {
  const longest = (most: number, piecesOf: (count: number) => readonly PieceKey[]): number =>
    Math.max(...Array.from({ length: most }, (_, index) => voice.secondsOf(piecesOf(index + 1))));
  return (
    voice.secondsOf(['test', 'paid']) +
    longest(999, (count) => sumInPieces(language, count * 100_000).slice(0, -1)) +
    longest(999, (count) => sumInPieces(language, count * 100)) +
    longest(99, (count) => sumInPieces(language, count))
  );
}
