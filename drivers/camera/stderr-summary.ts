/** What a camera program says on its error stream, in few lines: a program in trouble repeats itself for hours. */
import type { LogLine } from '../lib/log-line.ts';

const MAX_LINE_CHARS = 300;
/** Lines of one run that reach the log; the rest is only counted. */
const MAX_LINES = 30;
/** rpicam-vid reports each frame: "#12 (30.01 fps) exp 33000.00 ag 1.00 dg 1.00". */
const FRAME_REPORT = /^#\d+ \(/;
const TROUBLE = /error|fail|\*\*\*|no cameras|unable|cannot|busy|timed? ?out/i;

export class StderrSummary {
  readonly #log: LogLine;
  #rest = '';
  #last = '';
  #lines = 0;
  #unsaid = 0;
  #trouble = '';

  constructor(log: LogLine) {
    this.#log = log;
  }

  push(chunk: Buffer): void {
    const lines = (this.#rest + chunk.toString('latin1')).split(/[\r\n]+/);
    this.#rest = (lines.pop() ?? '').slice(0, MAX_LINE_CHARS);
    for (const line of lines) this.#take(line);
  }

  /** The last line about trouble, as the reason of a failure; empty without one. */
  get trouble(): string {
    return this.#trouble;
  }

  /** The run is over: logs how much was left out. */
  end(): void {
    this.#take(this.#rest);
    this.#rest = '';
    if (this.#unsaid > 0) this.#log('camera program: further lines left out', { lines: this.#unsaid });
    this.#unsaid = 0;
  }

  #take(raw: string): void {
    const line = printable(raw).trim().slice(0, MAX_LINE_CHARS);
    if (line === '' || FRAME_REPORT.test(line)) return;
    if (TROUBLE.test(line)) this.#trouble = line;
    if (line === this.#last || this.#lines >= MAX_LINES) {
      this.#unsaid++;
      return;
    }
    this.#last = line;
    this.#lines++;
    this.#log('camera program', { line });
  }
}

/** Colour sequences and other control characters have no place in a log. */
function printable(text: string): string {
  return text.replace(/\p{Cc}(\[[0-9;]*m)?/gu, ' ');
}
