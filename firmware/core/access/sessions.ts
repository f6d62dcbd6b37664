/**
 * The people signed in, by browser. A session is a secret of 256 bits in a cookie, stored only as a digest. It ends when
 * unused for a while, when somebody signs out, and with the PIN or token that began it. A file holds sessions over a restart.
 */
import { createHash, randomBytes } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { JsonStore } from '../files/index.ts';
import type { Timekeeper } from '../host/index.ts';
import type { Owner, Rank } from '../http/index.ts';

const StoredSession = Type.Object({
  /** Digest of its secret, which only the browser has. */
  digest: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  /** Name of the PIN or token that began it, as `SignIn` makes it. */
  of: Type.String({ minLength: 1, maxLength: 100 }),
  by: Type.Enum(['pin', 'token']),
  /** When it was last used, on the clock that no setting changes, and the boot of that time. */
  used: Type.Number(),
  boot: Type.String({ maxLength: 64 }),
  /** The address of the browser, empty at the machine itself. */
  from: Type.String({ maxLength: 64 }),
});
type StoredSession = Static<typeof StoredSession>;
const FileSchema = Type.Object({ sessions: Type.Array(StoredSession, { maxItems: 256 }) });

/**
 * Stores the sessions on the disk, so that an update signs nobody out. An ended session must not come back, so a
 * doubtful file counts as empty.
 */
export class SessionFile {
  readonly #store: JsonStore<Static<typeof FileSchema>>;
  readonly #onProblem: (problem: string) => void;

  /** @param onProblem called with the reason why sessions could not be read or stored */
  constructor(path: string, onProblem: (problem: string) => void) {
    this.#store = JsonStore.open(path, FileSchema, { sessions: [] });
    this.#onProblem = onProblem;
  }

  read(): readonly StoredSession[] {
    const { found, problem, value } = this.#store;
    if (problem !== null) this.#onProblem(problem);
    return found === 'unsure' ? [] : value.sessions;
  }

  /**
   * Writes the sessions. On a full disk the file is removed: people stay signed in until the next start, and nobody
   * signed out comes back.
   */
  write(sessions: readonly StoredSession[]): void {
    try {
      this.#store.write({ sessions: [...sessions] });
    } catch (error) {
      this.#onProblem(messageOf(error));
      this.#remove();
    }
  }

  #remove(): void {
    try {
      this.#store.remove();
    } catch (error) {
      this.#onProblem(messageOf(error)); // nothing at all can be written to the disk: /health reports it
    }
  }
}

const MINUTE_MS = 60_000;
/** How long a session lasts without use: the technician's opens everything; those of the shop last a shift. */
export const IDLE_MS: Readonly<Record<Rank, number>> = Object.freeze({
  technician: 30 * MINUTE_MS,
  supervisor: 12 * 60 * MINUTE_MS,
  till: 12 * 60 * MINUTE_MS,
});
const SECRET_BYTES = 32;
/** Most sessions: a new one replaces an old one. */
const MOST_SESSIONS = 64;
/** How much use of a session a restart may forget: a card must not be written to at each key press. */
const WRITE_USE_AFTER_MS = 5 * MINUTE_MS;

type SignedInBy = StoredSession['by'];

export interface Session {
  readonly owner: Owner;
  readonly by: SignedInBy;
}

/** One of all sessions, as a technician sees it. */
export interface ListedSession extends Session {
  readonly id: string;
  /** The address of the browser, empty at the machine itself. */
  readonly from: string;
  readonly idleMs: number;
  readonly own: boolean;
}

/** The clock of idle times. */
export type SessionClock = Pick<Timekeeper, 'monotonic' | 'bootId' | 'after'>;

interface Live extends StoredSession {
  used: number;
  /** The value of `used` on the disk. */
  written: number;
}

/** A session's name, which nobody can use to get in. */
const digestOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

export class Sessions {
  readonly #file: Pick<SessionFile, 'read' | 'write'>;
  readonly #clock: SessionClock;
  readonly #ownerOf: (of: string) => Owner | null;
  readonly #live = new Map<string, Live>();
  #onEnd: () => void = () => undefined;
  #callOff: (() => void) | null = null;

  /** @param ownerOf the owner of a PIN or token, by its name; null where it opens nothing any more */
  constructor(file: Pick<SessionFile, 'read' | 'write'>, clock: SessionClock, ownerOf: (of: string) => Owner | null) {
    this.#file = file;
    this.#clock = clock;
    this.#ownerOf = ownerOf;
    // sessions of another boot are dropped: how long ago they were used is unknown
    for (const stored of file.read())
      if (stored.boot === clock.bootId) this.#live.set(stored.digest, { ...stored, written: stored.used });
  }

  /** @param ended called after sessions ended */
  onEnd(ended: () => void): void {
    this.#onEnd = ended;
  }

  /**
   * @param from the address of the browser, empty at the machine itself
   * @returns the secret of a new session, which is stored nowhere
   */
  begin(of: string, by: SignedInBy, from: string): string {
    this.#makeRoom();
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    const { monotonic, bootId } = this.#now;
    const digest = digestOf(secret);
    this.#live.set(digest, { digest, of, by, from, used: monotonic, written: monotonic, boot: bootId });
    this.#write();
    this.#setTimer();
    return secret;
  }

  /** @returns null for an unknown or ended session */
  find(secret: string): Session | null {
    const live = this.#live.get(digestOf(secret));
    return live === undefined ? null : this.#sessionOf(live);
  }

  /** Records that a person did something: the idle time starts again. */
  use(secret: string): void {
    const live = this.#live.get(digestOf(secret));
    if (live === undefined || this.#sessionOf(live) === null) return;
    live.used = this.#now.monotonic;
    if (live.used - live.written > WRITE_USE_AFTER_MS) this.#write();
  }

  end(secret: string): void {
    this.endNamed(digestOf(secret));
  }

  /** Open sessions, the last used first. @param own secret of the browser that asks */
  list(own: string | null): readonly ListedSession[] {
    const { monotonic } = this.#now;
    const ownId = own === null ? null : digestOf(own);
    const listed = [...this.#live.values()].flatMap((live) => {
      const session = this.#sessionOf(live);
      const { digest: id, from, used } = live;
      return session === null ? [] : [{ ...session, id, from, idleMs: monotonic - used, own: id === ownId }];
    });
    return listed.sort((one, other) => one.idleMs - other.idleMs);
  }

  /** @param id as listed */
  endNamed(id: string): void {
    if (!this.#live.delete(id)) return;
    this.#write();
    this.#onEnd();
  }

  /** Ends sessions whose time is over, or whose PIN or token no longer opens anything. */
  review(): void {
    const over = [...this.#live.values()].filter((live) => this.#sessionOf(live) === null);
    for (const { digest } of over) this.#live.delete(digest);
    if (over.length > 0) {
      this.#write();
      this.#onEnd();
    }
    this.#setTimer();
  }

  close(): void {
    this.#callOff?.();
    this.#callOff = null;
    if ([...this.#live.values()].some(({ used, written }) => used !== written)) this.#write();
  }

  get #now() {
    return { monotonic: this.#clock.monotonic(), bootId: this.#clock.bootId };
  }

  #sessionOf({ of, by, used }: Live): Session | null {
    const owner = this.#ownerOf(of);
    if (owner === null || this.#now.monotonic - used >= IDLE_MS[owner.role]) return null;
    return { owner, by };
  }

  /**
   * Where there are the most sessions, ends the longest unused of the PIN or token that has most of them: a till that
   * keeps signing in ends no other's.
   */
  #makeRoom(): void {
    if (this.#live.size < MOST_SESSIONS) return;
    const groups = [...Map.groupBy(this.#live.values(), ({ of }) => of).values()];
    const most = Math.max(...groups.map(({ length }) => length));
    const [oldest] = groups
      .filter(({ length }) => length === most)
      .flat()
      .sort((one, other) => one.used - other.used);
    if (oldest !== undefined) this.#live.delete(oldest.digest);
    this.#onEnd();
  }

  #write(): void {
    this.#file.write([...this.#live.values()].map(({ written: _, ...stored }) => stored));
    for (const live of this.#live.values()) live.written = live.used;
  }

  /** Sets a timer for the end of the first session. */
  #setTimer(): void {
    this.#callOff?.();
    this.#callOff = null;
    const now = this.#now.monotonic;
    const left = [...this.#live.values()].map(({ of, used }) => {
      const owner = this.#ownerOf(of);
      return owner === null ? 0 : used + IDLE_MS[owner.role] - now;
    });
    if (left.length > 0) this.#callOff = this.#clock.after(Math.max(0, Math.min(...left)), () => this.review());
  }
}
