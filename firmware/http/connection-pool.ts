/**
 * Places for connections, so that no crowd eats the device's memory or keeps the till outside. A newcomer always comes in as
 * long as anybody in the pool is only waiting: the one who has waited longest for the rest of its first request goes,
 * else the one that has been idle longest. Who is being answered stays.
 */

export interface PoolLimits {
  readonly total: number;
  readonly perAddress: number;
}

/** Of a connection: its first request is not whole yet, it is idle between two, or is being answered. */
type Phase = 'greeting' | 'idle' | 'busy';

/** Those of one address, or all; each set in the order in which they came into it. */
class Group {
  readonly waiting = { greeting: new Set<Visit>(), idle: new Set<Visit>() };
  size = 0;

  get longestWaiting(): Visit | undefined {
    const [first] = this.waiting.greeting.size > 0 ? this.waiting.greeting : this.waiting.idle;
    return first;
  }
}

/** A connection's place. */
export class Visit {
  readonly #groups: readonly Group[];
  readonly #onLeave: () => void;
  /** Closes the connection. */
  readonly end: () => void;
  #phase: Phase = 'greeting';
  /** Requests whose answers have not gone out: a client may send the next one before. */
  #requests = 0;
  #hasLeft = false;

  constructor(groups: readonly Group[], end: () => void, onLeave: () => void) {
    this.#groups = groups;
    this.end = end;
    this.#onLeave = onLeave;
    for (const group of groups) {
      group.waiting.greeting.add(this);
      group.size += 1;
    }
  }

  beginRequest(): void {
    this.#requests += 1;
    this.#move('busy');
  }

  endRequest(): void {
    this.#requests -= 1;
    if (this.#requests === 0) this.#move('idle');
  }

  /** Gives the place back; may be called again. */
  leave(): void {
    if (this.#hasLeft) return;
    this.#take();
    this.#hasLeft = true;
    for (const group of this.#groups) group.size -= 1;
    this.#onLeave();
  }

  #take(): void {
    if (this.#phase === 'busy') return;
    for (const { waiting } of this.#groups) waiting[this.#phase].delete(this);
  }

  #move(phase: Phase): void {
    if (this.#hasLeft || this.#phase === phase) return;
    this.#take();
    this.#phase = phase;
    if (phase === 'busy') return;
    for (const { waiting } of this.#groups) waiting[phase].add(this);
  }
}

export class ConnectionPool {
  readonly #limits: PoolLimits;
  readonly #all = new Group();
  readonly #byAddress = new Map<string, Group>();

  constructor(limits: PoolLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#all.size;
  }

  /**
   * @param end closes the connection, when it must make room
   * @returns null where all places are those of connections that are being answered
   */
  admit(address: string, end: () => void): Visit | null {
    const mine = this.#byAddress.get(address) ?? new Group();
    const hasRoom = this.#makeRoom(mine, this.#limits.perAddress) && this.#makeRoom(this.#all, this.#limits.total);
    if (!hasRoom) return null;
    this.#byAddress.set(address, mine);
    return new Visit([this.#all, mine], end, () => {
      if (mine.size === 0) this.#byAddress.delete(address);
    });
  }

  #makeRoom(group: Group, limit: number): boolean {
    if (group.size < limit) return true;
    const { longestWaiting } = group;
    longestWaiting?.leave();
    longestWaiting?.end();
    return longestWaiting !== undefined;
  }
}
