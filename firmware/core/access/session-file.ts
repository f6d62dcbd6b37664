/**
 * Keeps the sessions on the disk, so that an update signs nobody out. An ended session must not come back, so a
 * doubtful file counts as empty.
 */
import Type, { type Static } from 'typebox';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { JsonStore } from '../store/index.ts';

const KeptSession = Type.Object({
  /** Digest of its secret, which only the browser has. */
  digest: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  /** The PIN or token that began it, as `Secrets` names it. */
  of: Type.String({ minLength: 1, maxLength: 100 }),
  by: Type.Enum(['pin', 'token']),
  /** When it was last used, on the clock that no setting changes, and the boot of that time. */
  used: Type.Number(),
  boot: Type.String({ maxLength: 64 }),
  /** The address of the browser, empty at the machine itself. */
  from: Type.String({ maxLength: 64 }),
});
export type KeptSession = Static<typeof KeptSession>;
const Schema = Type.Object({ sessions: Type.Array(KeptSession, { maxItems: 256 }) });

export class SessionFile {
  readonly #store: JsonStore<Static<typeof Schema>>;
  readonly #onProblem: (problem: string) => void;

  /** @param onProblem called with the reason why sessions could not be read or kept */
  constructor(path: string, onProblem: (problem: string) => void) {
    this.#store = JsonStore.open(path, Schema, { sessions: [] });
    this.#onProblem = onProblem;
  }

  read(): readonly KeptSession[] {
    const { found, problem, value } = this.#store;
    if (problem !== null) this.#onProblem(problem);
    return found === 'unsure' ? [] : value.sessions;
  }

  /**
   * Writes the sessions. On a full disk the file is removed: people stay signed in until the next start, and nobody
   * signed out comes back.
   */
  write(sessions: readonly KeptSession[]): void {
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
      this.#onProblem(messageOf(error)); // a disk that takes nothing at all: /health says so
    }
  }
}
