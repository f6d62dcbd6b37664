/**
 * A limited number of connections, so that many callers neither exhaust the memory nor keep the till out. A new
 * connection is admitted while the pool has one that only waits for its caller. The pool closes the one whose first
 * request is incomplete for longest, else the one idle for longest, else the one whose body or whose unread answer
 * takes longest. A connection whose call the device is working on stays.
 */

export interface PoolLimits {
  readonly total: number;
  readonly perAddress: number;
}

/**
 * The phase of a connection: its first request has no whole head yet; it is idle between requests; a body or an answer
 * is on its way; or its call is being worked on.
 */
type Phase = 'greeting' | 'idle' | 'transfer' | 'busy';

/** The connections of one address, or all; each set in order of entry. */
class Group {
  readonly waiting = {
    greeting: new Set<ConnectionSlot>(),
    idle: new Set<ConnectionSlot>(),
    transfer: new Set<ConnectionSlot>(),
  };
  size = 0;

  get longestWaiting(): ConnectionSlot | undefined {
    const { greeting, idle, transfer } = this.waiting;
    const [first] = [greeting, idle, transfer].find(({ size }) => size > 0) ?? [];
    return first;
  }
}

export class ConnectionSlot {
  readonly #groups: readonly Group[];
  readonly #onRelease: () => void;
  /** Closes the connection. */
  readonly end: () => void;
  #phase: Phase = 'greeting';
  #isReleased = false;

  constructor(groups: readonly Group[], end: () => void, onRelease: () => void) {
    this.#groups = groups;
    this.end = end;
    this.#onRelease = onRelease;
    for (const group of groups) {
      group.waiting.greeting.add(this);
      group.size += 1;
    }
  }

  move(phase: Phase): void {
    if (this.#isReleased || this.#phase === phase) return;
    this.#endPhase();
    this.#phase = phase;
    if (phase === 'busy') return;
    for (const { waiting } of this.#groups) waiting[phase].add(this);
  }

  /** Frees the place; may be called again. */
  release(): void {
    if (this.#isReleased) return;
    this.#endPhase();
    this.#isReleased = true;
    for (const group of this.#groups) group.size -= 1;
    this.#onRelease();
  }

  #endPhase(): void {
    if (this.#phase === 'busy') return;
    for (const { waiting } of this.#groups) waiting[this.#phase].delete(this);
  }
}

export class ConnectionPool {
  readonly #limits: PoolLimits;
  readonly #all = new Group();
  readonly #byAddress = new Map<string, Group>();

  constructor(limits: PoolLimits) {
    this.#limits = limits;
  }

  /**
   * @param end closes the connection, when it must make room
   * @returns null where every place has a connection whose call the device is working on
   */
  admit(address: string, end: () => void): ConnectionSlot | null {
    const mine = this.#byAddress.get(address) ?? new Group();
    const hasRoom = this.#makeRoom(mine, this.#limits.perAddress) && this.#makeRoom(this.#all, this.#limits.total);
    if (!hasRoom) return null;
    this.#byAddress.set(address, mine);
    return new ConnectionSlot([this.#all, mine], end, () => {
      if (mine.size === 0) this.#byAddress.delete(address);
    });
  }

  #makeRoom(group: Group, limit: number): boolean {
    if (group.size < limit) return true;
    const { longestWaiting } = group;
    longestWaiting?.release();
    longestWaiting?.end();
    return longestWaiting !== undefined;
  }
}
