/**
 * The last lines of the device's own log, in memory alone: for a technician who has a browser, and no access to the
 * system's journal.
 */

/** Most lines in memory; a quiet lane writes as many in a day. */
export const KEPT_LINES = 1000;
/** Longest line; a stack has less. */
const LINE_CHARACTERS = 8 * 1024;

export const LEVELS = Object.freeze(['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const);
type Level = (typeof LEVELS)[number];
/** Modules that write lines; `device` is the rest. */
export const LOG_PARTS = Object.freeze(['terminal', 'recognition', 'sync', 'chain', 'device'] as const);
export type LogPart = (typeof LOG_PARTS)[number];

interface RingLine {
  /** Number of the line since the device started. */
  readonly n: number;
  /** Time, ISO 8601; empty for a foreign line. */
  readonly at: string;
  readonly level: Level;
  readonly part: LogPart;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface LineFilter {
  readonly after: number;
  readonly limit: number;
  /** The lowest level that is returned. */
  readonly level: Level;
  readonly part: LogPart | null;
  /** Text that message or details must contain. */
  readonly text: string;
}

const oneOf = <Name extends string>(names: readonly Name[], value: unknown): Name | undefined =>
  names.find((name) => name === value);

/** Reads a line; a foreign one becomes a message as a whole. */
function read(n: number, text: string): RingLine {
  let fields: Readonly<Record<string, unknown>>;
  try {
    fields = Object(JSON.parse(text));
  } catch {
    fields = { msg: text }; // cut, or written by something else
  }
  const { time, level, part, msg, ...details } = fields;
  return {
    n,
    at: typeof time === 'string' ? time : '',
    level: oneOf(LEVELS, level) ?? 'info',
    part: oneOf(LOG_PARTS, part) ?? 'device',
    message: typeof msg === 'string' ? msg : '',
    details,
  };
}

export class LogRing {
  readonly #lines: { readonly n: number; readonly text: string }[] = [];
  #last = 0;
  #changed: () => void = () => undefined;

  /** Number of the newest line; 0 before the first. */
  get last(): number {
    return this.#last;
  }

  /** @param changed called after each line */
  onChange(changed: () => void): void {
    this.#changed = changed;
  }

  /** @param line as the log writes it, secrets redacted */
  add(line: string): void {
    this.#last += 1;
    // copied: a piece of a string would keep the whole in memory
    const text = Buffer.from(line.slice(0, LINE_CHARACTERS).trimEnd()).toString();
    this.#lines.push({ n: this.#last, text });
    if (this.#lines.length > KEPT_LINES) this.#lines.shift();
    this.#changed();
  }

  /** Lines that match, newest first. */
  list({ after, limit, level, part, text }: LineFilter): readonly RingLine[] {
    const least = LEVELS.indexOf(level);
    const sought = text.toLowerCase();
    const found: RingLine[] = [];
    for (const line of this.#lines.toReversed()) {
      if (found.length === limit || line.n <= after) break;
      if (!line.text.toLowerCase().includes(sought)) continue;
      const shown = read(line.n, line.text);
      if (LEVELS.indexOf(shown.level) >= least && (part === null || shown.part === part)) found.push(shown);
    }
    return found;
  }
}
