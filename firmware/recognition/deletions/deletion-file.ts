/** Deletions that were asked for and are not over yet, as they are kept: durable before the call is answered. */
import Type, { type Static } from 'typebox';
import { replaceFile } from '../../store/durable-file.ts';
import { readPlainFileIfAny } from '../../store/plain-file.ts';
import { problemsWith } from '../../store/schema.ts';
import { withFailureCodes } from '../failures.ts';

const KeptDeletion = Type.Object({
  id: Type.String(),
  item: Type.String(),
  /** Null: the item whole. */
  template: Type.Union([Type.String(), Type.Null()]),
  /** What is deleted: what the item had when somebody asked. */
  templates: Type.Array(Type.String()),
  /** `updatedAt` of the item then; null where nothing was said of it, or that stays. */
  saidAt: Type.Union([Type.Number(), Type.Null()]),
  /** It cannot be taken back any more. */
  begun: Type.Boolean(),
});
export type KeptDeletion = Readonly<Static<typeof KeptDeletion>>;

const Kept = Type.Array(KeptDeletion);

/** Many times what a person asks for in half a minute. */
const MAX_BYTES = 1024 * 1024;

/** No copy of before is taken in the place of a damaged file, as with other documents: it may hold one that was taken back. */
function readKept(path: string): readonly KeptDeletion[] {
  try {
    const bytes = readPlainFileIfAny(path, MAX_BYTES);
    const kept: unknown = bytes === null ? [] : JSON.parse(bytes.toString());
    return problemsWith(Kept, kept).length === 0 ? (kept as readonly KeptDeletion[]) : [];
  } catch {
    return []; // what it asked for stays
  }
}

export class DeletionFile {
  readonly #path: string;
  #all: readonly KeptDeletion[];

  /** Never fails: a file that cannot be read asks for nothing. */
  constructor(path: string) {
    this.#path = path;
    this.#all = readKept(path);
  }

  get all(): readonly KeptDeletion[] {
    return this.#all;
  }

  /** One that is there is replaced. @throws {RecognitionError} `storageFull`, `fileWrite` */
  async keep(deletion: KeptDeletion): Promise<void> {
    await this.#replace([...this.#all.filter(({ id }) => id !== deletion.id), deletion]);
  }

  /** @throws {RecognitionError} `storageFull`, `fileWrite` */
  async drop(deletion: KeptDeletion): Promise<void> {
    await this.#replace(this.#all.filter(({ id }) => id !== deletion.id));
  }

  async #replace(next: readonly KeptDeletion[]): Promise<void> {
    await withFailureCodes(() => replaceFile(this.#path, JSON.stringify(next)));
    this.#all = next;
  }
}
