/** Small state documents, each a {@link KeptFile} of JSON. */
import type { Static, TSchema } from 'typebox';
import { type Found, KeptFile, type Reader } from './kept-file.ts';
import { problemsWith, sentence } from './schema.ts';

/** Largest document: many times the size of any of the device's. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

/** Why a document of the right shape cannot be used; null where it can. */
type Judge<T> = (document: T) => string | null;

const reader =
  <S extends TSchema>(schema: S, judge: Judge<Static<S>>): Reader<Static<S>> =>
  (bytes) => {
    const document: unknown = JSON.parse(bytes.toString());
    const [misfit] = problemsWith(schema, document);
    const problem = misfit ? sentence(misfit, 'the document') : judge(document as Static<S>);
    if (problem !== null) throw new Error(problem);
    return document as Static<S>;
  };

export class JsonStore<T> {
  readonly found: Found;
  /** The problem of the file; null for none. */
  readonly problem: string | null;
  readonly #file: KeptFile<T>;
  #value: T;

  private constructor(file: KeptFile<T>, empty: T) {
    this.found = file.found;
    this.problem = file.problem;
    this.#file = file;
    this.#value = file.value ?? empty;
  }

  /**
   * Opens a document. Never fails on damage: `empty` is taken where nothing can be used, and `found` says so.
   * @param judge checks what the schema cannot
   */
  static open<S extends TSchema>(
    path: string,
    schema: S,
    empty: Static<S>,
    judge: Judge<Static<S>> = () => null,
  ): JsonStore<Static<S>> {
    return new JsonStore<Static<S>>(new KeptFile(path, MAX_DOCUMENT_BYTES, reader(schema, judge)), empty);
  }

  get value(): Readonly<T> {
    return this.#value;
  }

  /** Writes a document, then makes it the current one. @throws the file system's error: the current one stays then */
  write(document: T): void {
    const text = `${JSON.stringify(document, null, 2)}\n`;
    // the next start would take a larger one for damaged
    if (Buffer.byteLength(text) > MAX_DOCUMENT_BYTES)
      throw Object.assign(new Error(`EFBIG: the document is larger than ${MAX_DOCUMENT_BYTES} bytes`), {
        code: 'EFBIG',
        syscall: 'write',
      });
    this.#file.write(text);
    this.#value = structuredClone(document);
  }

  /** Removes the file; the present document stays until the next start. @throws the file system's error */
  remove(): void {
    this.#file.remove();
  }
}
