/** A clock that a test moves; tasks that fall due meanwhile run in order. */
import type { Timekeeper } from '../firmware/core/host/clock.ts';

interface Task {
  readonly at: number;
  readonly task: () => void;
}

export class StillClock implements Timekeeper {
  readonly bootId: string;
  now = 1_000_000;
  readonly #tasks = new Set<Task>();

  constructor(bootId = 'boot-1') {
    this.bootId = bootId;
  }

  wall = (): number => Date.parse('2026-11-20') + this.now;
  monotonic = (): number => this.now;

  after = (ms: number, task: () => void): (() => void) => {
    const entry = { at: this.now + ms, task };
    this.#tasks.add(entry);
    return () => this.#tasks.delete(entry);
  };

  /** Number of tasks that are not yet due. */
  get waiting(): number {
    return this.#tasks.size;
  }

  go(ms: number): void {
    const end = this.now + ms;
    for (;;) {
      const [next] = [...this.#tasks].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at);
      if (next === undefined) break;
      this.#tasks.delete(next);
      this.now = next.at;
      next.task();
    }
    this.now = end;
  }
}
