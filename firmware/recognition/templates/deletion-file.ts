/** Deletions that were asked for and are not over yet, as they are kept: durable before the call is answered. */
import Type, { type Static } from 'typebox';
import { JsonStore } from '../../store/index.ts';
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

export class DeletionFile {
  readonly #store: JsonStore<KeptDeletion[]>;
  #all: readonly KeptDeletion[];

  /** Never fails: a file that cannot be read asks for nothing, and nor does one that may hold what was taken back since. */
  constructor(path: string) {
    this.#store = JsonStore.open(path, Kept, []);
    this.#all = this.#store.found === 'unsure' ? [] : this.#store.value;
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
    await withFailureCodes(() => this.#store.write([...next]));
    this.#all = next;
  }
}
