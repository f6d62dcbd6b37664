/** Lines that come again and again, but for their numbers, are one line of the log: a server says the same of each message. */
import type { Log } from '../../core/host/index.ts';

const QUIET_MS = 60_000;
/** Kinds of lines that are remembered; beyond it all are forgotten. */
const MOST_KINDS = 100;

interface Kind {
  readonly saidAt: number;
  /** Times that it came since. */
  readonly more: number;
}

export class RepeatedLines {
  readonly #log: Pick<Log, 'warn'>;
  readonly #monotonic: () => number;
  readonly #kinds = new Map<string, Kind>();

  constructor(log: Pick<Log, 'warn'>, monotonic: () => number = () => performance.now()) {
    this.#log = log;
    this.#monotonic = monotonic;
  }

  /** Logs lines of one kind at most once a minute; the next one says how many were left out. */
  warn(line: string, message: string): void {
    const kind = `${message} ${line.replaceAll(/\d+/g, '#')}`;
    const now = this.#monotonic();
    const known = this.#kinds.get(kind);
    if (known !== undefined && now - known.saidAt < QUIET_MS) {
      this.#kinds.set(kind, { ...known, more: known.more + 1 });
      return;
    }
    if (this.#kinds.size >= MOST_KINDS) this.#kinds.clear();
    this.#kinds.set(kind, { saidAt: now, more: 0 });
    this.#log.warn({ server: line, ...(known !== undefined && known.more > 0 && { more: known.more }) }, message);
  }
}
