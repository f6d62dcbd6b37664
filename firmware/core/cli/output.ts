/**
 * What a command prints: for people in words, with colours and a line that moves where they sit at a terminal; for programs
 * (`--json`) one JSON document a line on the standard output, and nothing else there.
 */
import { stripVTControlCharacters, styleText } from 'node:util';
import { isCode, messageOf } from '../../../drivers/lib/errors.ts';
import { EXIT_CODES } from './exit-codes.ts';

type Tone = Parameters<typeof styleText>[0];
const ESCAPE = '\u001b';
const CLEAR_LINE = `\r${ESCAPE}[K`;
const FALLBACK_COLUMNS = 80;

/** State of the standard output after its reader is gone, as `head`, or the disk is full. */
const reader = { lost: null as Error | null, isNeeded: true, isAll: false };

/**
 * To be called once in a process. A command runs to its end even if its reader has closed the pipe: its exit code stays
 * true, and an abandoned payment would stay open. Where its output is lost to a full disk, the command fails.
 */
export function outliveReader(): void {
  process.stdout.on('error', (error) => {
    if (reader.lost === null && !isCode(error, 'EPIPE'))
      process.stderr.write(`lanectl: the standard output cannot be written: ${messageOf(error)}\n`);
    reader.lost ??= error;
    if (reader.isAll) process.exit();
  });
  process.stderr.on('error', () => undefined); // there is nowhere left to say so
  process.on('exit', (code) => {
    const isMissed = reader.lost !== null && !isCode(reader.lost, 'EPIPE') && reader.isNeeded;
    if (isMissed && code === EXIT_CODES.ok) process.exitCode = EXIT_CODES.failed;
  });
}

export class Output {
  readonly isJson: boolean;
  /** Whether a person looks on, so that a progress line can be drawn. */
  readonly isTerminal: boolean;
  #isDrawn = false;
  #awaited: string | null = null;

  constructor(options: { readonly isJson: boolean }) {
    this.isJson = options.isJson;
    this.isTerminal = !options.isJson && process.stdout.isTTY === true && process.env.TERM !== 'dumb';
  }

  /** For commands that only print: end when the reader is gone. */
  endWithReader(): void {
    reader.isAll = true;
  }

  /** The exit code is that of the outcome, even where it cannot be printed: money may have moved. */
  exitByOutcome(): void {
    reader.isNeeded = false;
  }

  /** Whether lines fit beside and below each other. */
  hasRoomFor(lines: readonly string[]): boolean {
    const width = stripVTControlCharacters(lines[0] ?? '').length;
    return width <= (process.stdout.columns || FALLBACK_COLUMNS);
  }

  /** In colour on a terminal, unless NO_COLOR is set. */
  toned(tone: Tone, text: string): string {
    return this.isTerminal ? styleText(tone, text) : text;
  }

  /** A line for people; programs do not get it. */
  say(line = ''): void {
    this.clear();
    if (!this.isJson) process.stdout.write(`${printable(line)}\n`);
  }

  /** What came of the command: for programs the document, for people the lines. */
  result(document: object, lines: readonly string[]): void {
    this.clear();
    process.stdout.write(this.isJson ? `${JSON.stringify(document)}\n` : `${printable(lines.join('\n'))}\n`);
  }

  /** Beside the result, for people and for logs. */
  note(line: string): void {
    this.clear();
    process.stderr.write(`${printable(line)}\n`);
  }

  /** The progress line, which is redrawn in place; nothing where the output is no terminal. */
  progress(line: string): void {
    if (!this.isTerminal) return;
    this.#isDrawn = true;
    process.stdout.write(`${CLEAR_LINE}${printable(line).slice(0, (process.stdout.columns || FALLBACK_COLUMNS) - 1)}`);
  }

  /** What is waited for: the progress line on a terminal, else a line of its own, once. */
  waiting(line: string): void {
    if (this.isTerminal) this.progress(line);
    else if (line !== this.#awaited) this.note(line);
    this.#awaited = line;
  }

  clear(): void {
    if (!this.#isDrawn) return;
    this.#isDrawn = false;
    process.stdout.write(CLEAR_LINE);
  }
}

/** Tones of our own: what a device says has none. */
const OWN_TONE = `${ESCAPE}\\[(?:1|22|3[0-39]|49|90|107)m`;
const CONTROLS = new RegExp(`(${OWN_TONE})|(?![\\n\\t])\\p{Cc}`, 'gu');

/** The text without control characters, except our own colours: a device, or an impostor, may have put in any. */
export const printable = (text: string): string => text.replace(CONTROLS, (_, own?: string) => own ?? '\ufffd');

/** Columns of a table, each as wide as its longest text; the last is left as it is. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widthOf = (cell = ''): number => stripVTControlCharacters(cell).length;
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => widthOf(row[column]))));
  const padded = (cell: string, column: number): string => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell));
  return rows.map((row) => row.map(padded).join('  ').trimEnd());
}
