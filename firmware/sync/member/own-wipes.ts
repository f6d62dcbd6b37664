/** This device's own part in deletions of everything: each is carried out once, one after the other. */
import { SerialQueue } from '../../../drivers/lib/serial-queue.ts';
import type { TemplateExchange, TemplateName } from '../../recognition/index.ts';
import type { StoredSettings, SyncSettings } from '../settings.ts';

/** A message that was sent again is known for as many deletions after its own. */
const MOST_REMEMBERED = 32;

const carriedOut = ({ wiped, wipedBefore = [] }: Pick<StoredSettings, 'wiped' | 'wipedBefore'>): readonly string[] =>
  wiped === undefined ? wipedBefore : [...wipedBefore, wiped];

export class OwnWipes {
  readonly #settings: Pick<SyncSettings, 'value' | 'set'>;
  readonly #queue = new SerialQueue();

  constructor(settings: Pick<SyncSettings, 'value' | 'set'>) {
    this.#settings = settings;
  }

  /** Whether it is carried out. */
  has(id: string): boolean {
    return carriedOut(this.#settings.value).includes(id);
  }

  /**
   * Forgets the templates that are here when its turn comes, and notes that: those learned meanwhile stay.
   * @param isSpared whether a template was learned after the request, as other devices report
   * @returns whether there was anything to do
   * @throws {RecognitionError} `storageFull`, `fileWrite`: it is done at the next attempt
   */
  async carryOut(
    id: string,
    exchange: Pick<TemplateExchange, 'forgetAll'>,
    isSpared?: (name: TemplateName) => boolean,
  ): Promise<boolean> {
    return await this.#queue.run(async () => {
      if (this.has(id)) return false;
      await exchange.forgetAll(isSpared);
      const wipedBefore = carriedOut(this.#settings.value).slice(-MOST_REMEMBERED);
      await this.#settings.set({ wiped: id, wipedBefore });
      return true;
    });
  }

  /** Settles when nothing is under way. */
  async idle(): Promise<void> {
    await this.#queue.idle();
  }
}
