/**
 * Prints for a command: for people sentences, at a terminal with colours and a progress line; for programs (`--json`)
 * one JSON document a line on the standard output, and nothing else there.
 */
import { stripVTControlCharacters, styleText } from 'node:util';
import { isCode, messageOf } from '../../../drivers/lib/errors.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { printable } from './text-table.ts';

type Tone = Parameters<typeof styleText>[0];
const ESCAPE = '\u001b';
const CLEAR_LINE = `\r${ESCAPE}[K`;
const FALLBACK_COLUMNS = 80;

/** What becomes of the process where the standard output is lost: by the command, for the one output of a process. */
const onLostOutput = {
  /** Whether the process fails then; not where money may have moved, as the exit code is the outcome. */
  fails: true,
  /** Whether the process ends at once, as its command only prints. */
  ends: false,
};

/**
 * Call it once in a process. A command runs to its end even if its reader (a terminal, `head`, a file on a full disk) has
 * gone: its exit code stays true, and a payment is not left open. If a full disk loses its output, the command fails.
 */
export function surviveLostOutput(): void {
  let lost: Error | null = null;
  process.stdout.on('error', (error) => {
    if (lost === null && !isCode(error, 'EPIPE'))
      process.stderr.write(`lanectl: the standard output cannot be written: ${messageOf(error)}\n`);
    lost ??= error;
    if (onLostOutput.ends) process.exit();
  });
  process.stderr.on('error', () => undefined); // there is nowhere left to report it
  process.on('exit', (code) => {
    const isMissed = lost !== null && !isCode(lost, 'EPIPE') && onLostOutput.fails;
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
  endOnLostOutput(): void {
    onLostOutput.ends = true;
  }

  /** Keeps the exit code of the outcome even where it cannot be printed: money may have moved. */
  ignoreLostOutput(): void {
    onLostOutput.fails = false;
  }

  /** Whether a block, all of whose lines are as wide as its first, fits the width of the terminal. */
  hasRoomFor(lines: readonly string[]): boolean {
    const width = stripVTControlCharacters(lines[0] ?? '').length;
    return width <= (process.stdout.columns || FALLBACK_COLUMNS);
  }

  /** A text in colour on a terminal, unless NO_COLOR is set. */
  coloured(tone: Tone, text: string): string {
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

  /** Removes the progress line, so that what follows stands in its place. */
  clear(): void {
    if (!this.#isDrawn) return;
    this.#isDrawn = false;
    process.stdout.write(CLEAR_LINE);
  }
}
