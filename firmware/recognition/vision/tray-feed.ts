/**
 * The newest events of the tray, in memory, for its followers. Their numbers begin at the wall clock of the start, so a
 * number from before the start is older than all of them, and a reader that sends one gets `gap`.
 */

/** The most events: a till that missed more gets a gap. */
const MOST_EVENTS = 256;

interface ReadEvent {
  readonly number: number;
  readonly type: string;
  readonly text: string;
}

interface StoredEvent extends Omit<ReadEvent, 'text'> {
  /**
   * The note's name where the event is a note on the state before it; it replaces an earlier note of the same name.
   * Null: it is a state.
   */
  readonly note: string | null;
  readonly compose: (number: number) => object;
}

export class TrayFeed {
  #events: StoredEvent[] = [];
  #last: number;
  /** Events up to this number are no longer stored. */
  #lostTo: number;
  readonly #followers = new Set<() => void>();
  readonly #onReaders: (count: number) => void;

  /** @param start milliseconds since 1970 @param onFollowed called with the number of readers when it changes */
  constructor(start: number, onFollowed: (count: number) => void) {
    this.#last = start;
    this.#lostTo = start;
    this.#onReaders = onFollowed;
  }

  get last(): number {
    return this.#last;
  }

  get lostTo(): number {
    return this.#lostTo;
  }

  /** The number before the newest state: a new reader that begins there sees the present state. */
  get beforeNewest(): number {
    return (this.#events.findLast(({ note }) => note === null)?.number ?? this.#last + 1) - 1;
  }

  read(after: number, limit: number): readonly ReadEvent[] {
    const first = this.#events.findIndex(({ number }) => number > after);
    const page = first < 0 ? [] : this.#events.slice(first, first + limit);
    return page.map(({ number, type, compose }) => ({ number, type, text: JSON.stringify(compose(number)) }));
  }

  follow(wake: () => void): () => void {
    this.#followers.add(wake);
    this.#onReaders(this.#followers.size);
    return () => {
      if (this.#followers.delete(wake)) this.#onReaders(this.#followers.size);
    };
  }

  /**
   * @param compose makes the event's content by its number, each time it is read: a price may have changed
   * @param note the note's name; null where the event is a state
   */
  append(type: string, compose: (number: number) => object, note: string | null = null): void {
    if (note !== null) this.#removeNote(note);
    this.#last += 1;
    this.#events.push({ number: this.#last, type, compose, note });
    if (this.#events.length > MOST_EVENTS) this.#lostTo = this.#events.shift()?.number ?? this.#lostTo;
    this.wake();
  }

  /** Makes readers look again, though nothing has happened. */
  wake(): void {
    for (const wake of [...this.#followers]) wake();
  }

  /** Removes an earlier note of this name, so that notes do not push their state out. */
  #removeNote(note: string): void {
    const { beforeNewest } = this;
    this.#events = this.#events.filter((event) => event.note !== note || event.number <= beforeNewest);
  }

  /** Marks that no look was made for a while: a reader that names an earlier event has missed what happened since. */
  breakOff(): void {
    this.#last += 1;
    this.#lostTo = this.#last;
    this.#events = [];
  }
}
