/**
 * Prints for a command: for people sentences, at a terminal with colours and a progress line; for programs (`--json`)
 * one JSON document a line on the standard output, and nothing else there.
 */
import { stripVTControlCharacters, styleText } from 'node:util';
import { isCode, messageOf } from '../../../drivers/lib/errors.ts';
import { EXIT_CODES } from './exit-codes.ts';

type Tone = Parameters<typeof styleText>[0];
const ESCAPE = '\u001b';
const CLEAR_LINE = `\r${ESCAPE}[K`;
const FALLBACK_COLUMNS = 80;

/** The reader of the standard output: a terminal, `head`, a file on a disk that may be full. */
const reader = {
  /** Why the reader takes nothing more; null while it does. */
  lost: null as Error | null,
  /** Whether the command fails where the reader could not get the output. */
  isNeeded: true,
  /** Whether the command does nothing but print, and may end when the reader has gone. */
  isAllItIsFor: false,
};

/**
 * Call it once in a process. A command runs to its end even if its reader has closed the pipe: its exit code stays
 * true, and a payment is not left open. If a full disk loses its output, the command fails.
 */
export function outliveReader(): void {
  process.stdout.on('error', (error) => {
    if (reader.lost === null && !isCode(error, 'EPIPE'))
      process.stderr.write(`lanectl: the standard output cannot be written: ${messageOf(error)}\n`);
    reader.lost ??= error;
    if (reader.isAllItIsFor) process.exit();
  });
  process.stderr.on('error', () => undefined); // there is nowhere left to report it
  process.on('exit', (code) => {
    const isMissed = reader.lost !== null && !isCode(reader.lost, 'EPIPE') && reader.isNeeded;
    if (isMissed && code === EXIT_CODES.ok) process.exitCode = EXIT_CODES.failed;
  });
}

export class Output {
  readonly isJson: boolean;
  /** Whether a person watches, so that a progress line can be drawn. */
  readonly isTerminal: boolean;
  #isDrawn = false;
  #awaited: string | null = null;

  constructor(options: { readonly isJson: boolean }) {
    this.isJson = options.isJson;
    this.isTerminal = !options.isJson && process.stdout.isTTY === true && process.env.TERM !== 'dumb';
  }

  /** For commands that only print: ends the process when the reader has gone. */
  endWithReader(): void {
    reader.isAllItIsFor = true;
  }

  /** Keeps the exit code of the outcome even where it cannot be printed: money may have moved. */
  exitByOutcome(): void {
    reader.isNeeded = false;
  }

  /** Whether lines fit beside and below each other. */
  hasRoomFor(lines: readonly string[]): boolean {
    const width = stripVTControlCharacters(lines[0] ?? '').length;
    return width <= (process.stdout.columns || FALLBACK_COLUMNS);
  }

  /** A text in colour on a terminal, unless NO_COLOR is set. */
  toned(tone: Tone, text: string): string {
    return this.isTerminal ? styleText(tone, text) : text;
  }

  /** A line for people; programs do not get it. */
  print(line = ''): void {
    this.clear();
    if (!this.isJson) process.stdout.write(`${printable(line)}\n`);
  }

  /** Prints the result: the document for programs, the lines for people. */
  result(document: object, lines: readonly string[]): void {
    this.clear();
    process.stdout.write(this.isJson ? `${JSON.stringify(document)}\n` : `${printable(lines.join('\n'))}\n`);
  }

  /** Prints a line beside the result, for people and for logs. */
  printAside(line: string): void {
    this.clear();
    process.stderr.write(`${printable(line)}\n`);
  }

  /** Redraws the progress line in place; does nothing without a terminal. */
  progress(line: string): void {
    if (!this.isTerminal) return;
    this.#isDrawn = true;
    process.stdout.write(`${CLEAR_LINE}${printable(line).slice(0, (process.stdout.columns || FALLBACK_COLUMNS) - 1)}`);
  }

  /** Says what the command waits for: in the progress line on a terminal, else once in a line of its own. */
  waiting(line: string): void {
    if (this.isTerminal) this.progress(line);
    else if (line !== this.#awaited) this.printAside(line);
    this.#awaited = line;
  }

  clear(): void {
    if (!this.#isDrawn) return;
    this.#isDrawn = false;
    process.stdout.write(CLEAR_LINE);
  }
}

/** Our own colours: text of a device has none. */
const OWN_TONE = `${ESCAPE}\\[(?:1|22|3[0-39]|49|90|107)m`;
const CONTROLS = new RegExp(`(${OWN_TONE})|(?![\\n\\t])\\p{Cc}`, 'gu');

/** The text without control characters, except our own colours: a device, or an impostor, may have sent any. */
export const printable = (text: string): string => text.replace(CONTROLS, (_, own?: string) => own ?? '\ufffd');

/** Lines of a table, each column as wide as its longest text; the last is not padded. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widthOf = (cell = ''): number => stripVTControlCharacters(cell).length;
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => widthOf(row[column]))));
  const padded = (cell: string, column: number): string => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell));
  return rows.map((row) => row.map(padded).join('  ').trimEnd());
}
