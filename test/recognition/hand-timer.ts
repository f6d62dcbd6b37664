/** Time limits that run out when a test says so. */

interface Alarm {
  readonly due: number;
  readonly task: () => void;
}

export class HandTimer {
  #now = 0;
  readonly #alarms = new Set<Alarm>();

  /** How many things are due some time. */
  get armed(): number {
    return this.#alarms.size;
  }

  readonly now = (): number => this.#now;

  readonly after = (ms: number, task: () => void): (() => void) => {
    const alarm = { due: this.#now + ms, task };
    this.#alarms.add(alarm);
    return () => void this.#alarms.delete(alarm);
  };

  /** Lets milliseconds pass: what was due in them by now happens, the first first. */
  pass(ms: number): void {
    this.#now += ms;
    for (const alarm of [...this.#alarms].sort((one, other) => one.due - other.due))
      if (alarm.due <= this.#now && this.#alarms.delete(alarm)) alarm.task();
  }
}
