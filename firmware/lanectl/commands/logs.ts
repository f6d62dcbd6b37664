/** `lanectl logs`: shows the log of the device on this machine, or a saved one, for people or as JSON. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, openSync, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Command } from 'commander';
import { type Fields, isFields } from '../../../drivers/lib/strict-json.ts';
import {
  acting,
  CommandFailure,
  isInstalled,
  misuse,
  type Output,
  printable,
  type Tools,
  unreadableReason,
  wholeNumber,
} from '../../core/cli/index.ts';
import { LEVELS } from '../../core/host/log-ring.ts';

const SERVICE = 'laneware';
const LINES = 50;

interface Options {
  readonly file?: string;
  readonly follow?: boolean;
  readonly lines?: number;
}

/** Colour of a line by its severity. */
const TONES: Readonly<Record<(typeof LEVELS)[number], 'gray' | 'green' | 'yellow' | 'red'>> = {
  trace: 'gray',
  debug: 'gray',
  info: 'green',
  warn: 'yellow',
  error: 'red',
  fatal: 'red',
};

/** Parses a line of the device's log; null for a line of another program or of a stack. */
function parsed(line: string): Fields | null {
  try {
    const value: unknown = JSON.parse(line);
    return isFields(value) ? value : null;
  } catch {
    return null;
  }
}

/** A line of the log for people; a line of another program is returned as it is. */
export function readable(line: string, out: Output): string {
  const entry = parsed(line);
  if (entry === null) return line;
  const { time, level, msg, pid: _, hostname: __, ...details } = entry;
  const severity = LEVELS.find((each) => each === level);
  const more = Object.entries(details)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');
  const timestamp = new Date(String(time));
  const at = Number.isNaN(timestamp.getTime()) ? '' : timestamp.toLocaleString('sv');
  const word = out.coloured(severity ? TONES[severity] : 'gray', (severity ?? '').padEnd(5));
  return [at, word, String(msg ?? ''), out.coloured('gray', more)].filter(Boolean).join(' ');
}

/**
 * A line for programs: a line of the log unchanged; a line of another program, such as systemd, as the `msg` of a
 * document.
 */
const document = (line: string): string => (parsed(line) === null ? JSON.stringify({ msg: line }) : line);

/**
 * Opens the source of lines.
 * @throws {CommandFailure} where no device is installed, or the file cannot be read; `end` rejects where journalctl
 * fails
 */
function source({ file, follow, lines }: Options): { readonly input: Readable; readonly end: Promise<void> } {
  const whole = { end: Promise.resolve() };
  if (file === '-') return { input: process.stdin, ...whole };
  if (file !== undefined) {
    if (follow === true) throw misuse('Option', `to follow a file: tail -f ${file} | lanectl logs --file -`);
    return { input: openNamed(file), ...whole };
  }
  if (!isInstalled())
    throw new CommandFailure(
      'failed',
      'no device is installed on this machine. One started manually prints its log: npm start 2>&1 | npx lanectl logs --file -',
    );
  const args = ['-u', SERVICE, '-o', 'cat', '-n', String(lines ?? LINES), ...(follow === true ? ['-f'] : [])];
  const journal = spawn('journalctl', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const end = once(journal, 'close').then(([code]) => {
    if (code !== 0 && code !== null) throw new CommandFailure('failed', `journalctl ended with ${code}`);
  });
  return { input: journal.stdout, end };
}

/** Opens a named file, so that an error shows before anything is read. @throws {CommandFailure} `usage` */
function openNamed(file: string): Readable {
  try {
    if (statSync(file).isDirectory()) throw new Error('it is a folder');
    return createReadStream(file, { fd: openSync(file, 'r') });
  } catch (cause) {
    throw misuse('File', `${file} cannot be read: ${unreadableReason(cause)}`, cause);
  }
}

/** The last `count` lines, after all were read. */
async function newest(lines: AsyncIterable<string>, count: number): Promise<readonly string[]> {
  const kept: string[] = [];
  for await (const line of lines) if (kept.push(line) > count) kept.shift();
  return kept;
}

async function logs({ out }: Tools, options: Options): Promise<undefined> {
  out.endOnLostOutput();
  const { input, end } = source(options);
  const read = createInterface({ input });
  // the standard input is printed as it comes, unless a number of lines is requested; journalctl counts its lines
  // itself
  const count = options.file === undefined ? undefined : (options.lines ?? (options.file === '-' ? undefined : LINES));
  for await (const line of count === undefined ? read : await newest(read, count))
    process.stdout.write(`${out.isJson ? document(line) : printable(readable(line, out))}\n`);
  await end;
}

export function addLogs(program: Command): void {
  program
    .command('logs')
    .description('show the log of the device on this machine; with --json as written')
    .option('-f, --follow', 'follow new entries')
    .option('-n, --lines <number>', `latest entries to show (default: ${LINES})`, wholeNumber(1, 1_000_000))
    .option('--file <file>', 'read a saved log; - reads the standard input')
    .action(acting(logs));
}
