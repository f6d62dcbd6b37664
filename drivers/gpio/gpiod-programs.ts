/**
 * The programs of libgpiod, whose arguments differ between its two editions. Source: the manual pages and the sources
 * of libgpiod 1.6.3 (Debian 12) and 2.2.1 (Debian 13).
 */
import type { Readable } from 'node:stream';
import { within } from '../lib/async.ts';
import { GuardedProcess } from '../lib/guarded-process.ts';
import { shortened } from '../lib/text.ts';
import { HEADER_LABELS, noHeaderAmong } from './header-chip.ts';

export const PROGRAMS = ['gpiodetect', 'gpiomon', 'gpioset'] as const;
/** Longest line that is read whole, in characters. */
const MAX_LINE_CHARS = 200;
/** Most lines of an answer that are read: a machine has a few chips. */
const MAX_LINES = 1000;
/** Time limit of a program that answers at once. */
const ANSWER_LIMIT_MS = 3000;

type Level = 0 | 1;

/** The chip of the header, with the arguments for the installed edition. */
export interface Chip {
  readonly name: string;
  readonly edition: Edition;
}

interface Edition {
  /** Sets the level and keeps it until the program is ended. */
  readonly hold: (chip: string, bcm: number, level: Level) => readonly string[];
  /** Sets the level and ends. */
  readonly set: (chip: string, bcm: number, level: Level) => readonly string[];
  /** Writes a line for each edge: its kind, and its time by the kernel's clock as seconds and nanoseconds. */
  readonly watch: (chip: string, bcm: number) => readonly string[];
}

export const EDITIONS: Readonly<Record<string, Edition>> = {
  1: {
    hold: (chip, bcm, level) => ['gpioset', '--mode=signal', chip, `${bcm}=${level}`],
    set: (chip, bcm, level) => ['gpioset', '--mode=exit', chip, `${bcm}=${level}`],
    watch: (chip, bcm) => ['gpiomon', '--line-buffered', '--bias=pull-up', '--format=%e %s %n', chip, `${bcm}`],
  },
  2: {
    hold: (chip, bcm, level) => ['gpioset', '--consumer=laneware', `--chip=${chip}`, `${bcm}=${level}`],
    set: (chip, bcm, level) => ['gpioset', '--toggle=0', `--chip=${chip}`, `${bcm}=${level}`],
    watch: (chip, bcm) => [
      ...['gpiomon', '--consumer=laneware', '--bias=pull-up', '--format=%e %S', `--chip=${chip}`],
      `${bcm}`,
    ],
  },
};

export interface Edge {
  readonly isPressed: boolean;
  /** Milliseconds of the kernel's monotonic clock. */
  readonly atMs: number;
}

/** A rising edge is 1 in both editions; a falling one, which is a press, 0 in the first and 2 in the second. */
const EDGE = /^([012]) (\d{1,12})[ .](\d{1,9})$/;

/** Reads an edge from a line; null for any other line. */
export function edgeOf(line: string): Edge | null {
  const [, kind, seconds, nanoseconds] = EDGE.exec(line) ?? [];
  if (kind === undefined) return null;
  return { isPressed: kind !== '1', atMs: Number(seconds) * 1000 + Number(nanoseconds) / 1e6 };
}

const CHIP = /^(gpiochip\d+) \[(.*)\] \(\d+ lines?\)$/;

/** @throws with the program's own message where it has one */
export async function findChip(env: NodeJS.ProcessEnv): Promise<Chip> {
  const version = await answerOf(['gpioset', '--version'], env);
  const edition = EDITIONS[/ v(\d+)\./.exec(version.lines[0] ?? '')?.[1] ?? ''];
  if (edition === undefined)
    throw new Error(`gpioset is none of libgpiod 1 or 2: ${version.lines[0] ?? version.trouble}`);
  // gpiodetect fails where it may not open one of the chips, and still lists the others
  const { lines, trouble } = await answerOf(['gpiodetect'], env);
  const chips = lines.flatMap((line) => {
    const [, name = '', label = ''] = CHIP.exec(line) ?? [];
    return name === '' ? [] : [{ name, label }];
  });
  const found = chips.find(({ label }) => HEADER_LABELS.has(label));
  if (found !== undefined) return { name: found.name, edition };
  throw trouble === '' ? noHeaderAmong(chips.map(({ label }) => label)) : new Error(trouble);
}

interface Answer {
  readonly lines: readonly string[];
  /** The program's message about a failure; empty where it has not failed. */
  readonly trouble: string;
}

/** Runs a program that ends by itself and returns its output. @throws where it does not end in time */
export async function answerOf(command: readonly string[], env: NodeJS.ProcessEnv): Promise<Answer> {
  const child = new GuardedProcess(command, env);
  const lines: string[] = [];
  let trouble = '';
  byLines(child.stdout, (line) => {
    if (lines.length < MAX_LINES) lines.push(line);
  });
  byLines(child.stderr, (line) => {
    trouble ||= line;
  });
  const late = () => new Error(`${command[0]} does not answer`);
  const { code } = await within(child.ended, ANSWER_LIMIT_MS, late).finally(() => void child.end());
  return { lines, trouble: code === 0 ? '' : trouble || `${command[0]} ended (${code ?? 'killed'})` };
}

/** Calls `onLine` with each line, cleaned for the log; a line that is too long comes in pieces. */
export function byLines(stream: Readable | null, onLine: (line: string) => void): void {
  let rest = '';
  stream?.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_LINE_CHARS) lines.push(rest);
    if (rest.length > MAX_LINE_CHARS) rest = '';
    for (const line of lines) onLine(shortened(line.replace(/\p{Cc}/gu, ' ').trimEnd(), MAX_LINE_CHARS));
  });
}
