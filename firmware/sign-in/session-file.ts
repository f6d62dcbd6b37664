/**
 * The sessions on the disk, so that an update of the device signs nobody out. No copy lies beside the file: what cannot be read any more
 * are no sessions, and one that was ended must not come back.
 */
import { rmSync } from 'node:fs';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { messageOf } from '../../drivers/lib/errors.ts';
import { replaceFile } from '../store/durable-file.ts';
import { readPlainFileIfAny } from '../store/plain-file.ts';

const MAX_FILE_BYTES = 64 * 1024;

const KeptSession = Type.Object({
  /** Of its secret, which only the browser has. */
  digest: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  /** What was signed in with, as `Secrets` names it. */
  of: Type.String({ minLength: 1, maxLength: 100 }),
  by: Type.Enum(['pin', 'token']),
  /** When it was last used, on the clock that no setting changes, and the boot that this belongs to. */
  used: Type.Number(),
  boot: Type.String({ maxLength: 64 }),
});
export type KeptSession = Static<typeof KeptSession>;
const document = Compile(Type.Object({ sessions: Type.Array(KeptSession, { maxItems: 256 }) }));

export class SessionFile {
  readonly #path: string;
  readonly #onProblem: (problem: string) => void;

  /** @param onProblem told why sessions could not be read or kept */
  constructor(path: string, onProblem: (problem: string) => void) {
    this.#path = path;
    this.#onProblem = onProblem;
  }

  read(): readonly KeptSession[] {
    try {
      const bytes = readPlainFileIfAny(this.#path, MAX_FILE_BYTES);
      if (bytes === null) return [];
      const content: unknown = JSON.parse(bytes.toString());
      if (document.Check(content)) return content.sessions;
      this.#onProblem('their file is damaged');
    } catch (error) {
      this.#onProblem(messageOf(error));
    }
    return [];
  }

  /** Where the disk is full the file goes: whoever was signed in stays so until the next start, and whoever was signed out stays out. */
  write(sessions: readonly KeptSession[]): void {
    try {
      replaceFile(this.#path, `${JSON.stringify({ sessions })}\n`);
    } catch (error) {
      this.#onProblem(messageOf(error));
      this.#remove();
    }
  }

  #remove(): void {
    try {
      rmSync(this.#path, { force: true });
    } catch (error) {
      this.#onProblem(messageOf(error)); // a disk that takes nothing at all: /health says so
    }
  }
}
