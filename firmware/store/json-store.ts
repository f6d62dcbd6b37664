/** Small state documents: lowdb over a durable file that keeps its last good copy beside it. */
import { type Adapter, Low } from 'lowdb';
import type { Static, TSchema } from 'typebox';
import { messageOf } from '../../drivers/lib/errors.ts';
import { SerialQueue } from '../../drivers/lib/serial-queue.ts';
import { replaceFile } from './durable-file.ts';
import { isStoreError } from './errors.ts';
import { readPlainFileIfAny } from './plain-file.ts';
import { problemsWith, sentence } from './schema.ts';

/** Many times what any document of the device has. */
const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

/** How a document was found at start. `restored`: the file was damaged and the copy beside it was taken. */
export type Found = 'absent' | 'good' | 'restored' | 'lost';

interface Reading<T> {
  readonly document: T | null;
  readonly problem: string | null;
}

/** Why a document of the right shape cannot be used; null where it can. */
type Judge<T> = (document: T) => string | null;

function readDocument<S extends TSchema>(path: string, schema: S, judge: Judge<Static<S>>): Reading<Static<S>> {
  try {
    const bytes = readPlainFileIfAny(path, MAX_DOCUMENT_BYTES);
    if (bytes === null) return { document: null, problem: null };
    const document: unknown = JSON.parse(bytes.toString());
    const [misfit] = problemsWith(schema, document);
    const problem = misfit ? sentence(misfit, 'the document') : judge(document as Static<S>);
    return problem === null ? { document: document as Static<S>, problem } : { document: null, problem };
  } catch (error) {
    const it = isStoreError(error, 'NOT_PLAIN', 'TOO_LARGE') ? 'it ' : '';
    return { document: null, problem: it + messageOf(error) };
  }
}

/** lowdb's adapter: the present bytes become the copy before they are replaced, and both writes are durable. */
class DurableAdapter<T> implements Adapter<T> {
  readonly #path: string;
  #present: string | null;

  constructor(path: string, present: T | null) {
    this.#path = path;
    this.#present = present === null ? null : encode(present);
  }

  async read(): Promise<T | null> {
    return this.#present === null ? null : (JSON.parse(this.#present) as T);
  }

  async write(document: T): Promise<void> {
    const next = encode(document);
    if (this.#present !== null) replaceFile(copyOf(this.#path), this.#present);
    replaceFile(this.#path, next);
    this.#present = next;
  }
}

const encode = (document: unknown): string => `${JSON.stringify(document, null, 2)}\n`;
const copyOf = (path: string): string => `${path}.last-good`;

export class JsonStore<T> {
  readonly found: Found;
  /** What was wrong with the file, where it was. */
  readonly problem: string | null;
  readonly #adapter: DurableAdapter<T>;
  #low: Low<T>;
  readonly #queue = new SerialQueue(); // a failure is its caller's: the next write starts clean

  private constructor(path: string, empty: T, document: T | null, found: Found, problem: string | null) {
    this.found = found;
    this.problem = problem;
    this.#adapter = new DurableAdapter(path, document);
    this.#low = new Low(this.#adapter, document ?? empty);
  }

  /**
   * Never fails on damage: the last good copy is taken, else `empty`, and `found` tells.
   * @param judge what the schema cannot tell
   */
  static open<S extends TSchema>(
    path: string,
    schema: S,
    empty: Static<S>,
    judge: Judge<Static<S>> = () => null,
  ): JsonStore<Static<S>> {
    const main = readDocument(path, schema, judge);
    if (main.document !== null) return new JsonStore(path, empty, main.document, 'good', null);
    const copy = readDocument(copyOf(path), schema, judge);
    if (copy.document !== null)
      return new JsonStore(path, empty, copy.document, 'restored', main.problem ?? 'the file is missing');
    const problem = main.problem ?? copy.problem;
    return new JsonStore(path, empty, null, problem === null ? 'absent' : 'lost', problem);
  }

  get value(): Readonly<T> {
    return this.#low.data;
  }

  /**
   * Writes a new document, then makes it the present one; on failure nothing changes, in memory either. One at a time.
   * @throws the file system's error.
   */
  replace(document: T): Promise<void> {
    return this.#queue.run(async () => {
      const next = new Low(this.#adapter, structuredClone(document));
      await next.write();
      this.#low = next;
    });
  }
}
