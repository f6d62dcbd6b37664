/** Looks at what lies at the chain: at each word that there is news, at each new line to it, every so often, and sooner where something is left. */
import { Signal } from '../../../drivers/lib/signal.ts';
import type { ChainLink } from '../link.ts';
import type { Scope } from '../subjects.ts';

/** News may be missed; this is how late they are then. */
export const LOOK_MS = 30 * 60_000;
/** Where something is left for the first time; each further time it takes twice as long. */
const LOOK_AGAIN_MS = 5000;

export interface LookingOptions {
  readonly link: Pick<ChainLink, 'onNews' | 'onLine'>;
  /** Whether a word of news is about what is looked at. */
  readonly isNews: (scope: Scope, key: string) => boolean;
  /** Never throws. @returns whether nothing is left to be done */
  readonly look: () => Promise<boolean>;
}

export class Looking {
  readonly #options: LookingOptions;
  readonly #wakeUp = new Signal();
  #isClosing = false;
  #running: Promise<void> | null = null;

  constructor(options: LookingOptions) {
    this.#options = options;
  }

  get isClosing(): boolean {
    return this.#isClosing;
  }

  start(): void {
    this.#running ??= this.#keepLooking();
  }

  /** There may be something new. */
  ask(): void {
    this.#wakeUp.raise();
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#wakeUp.raise();
    await this.#running;
  }

  async #keepLooking(): Promise<void> {
    const { link, isNews, look } = this.#options;
    const ends = [
      link.onNews((scope, key) => {
        if (isNews(scope, key)) this.ask();
      }),
      link.onLine(() => this.ask()),
    ];
    let againMs = LOOK_AGAIN_MS;
    while (!this.#isClosing) {
      const isDone = await look();
      if (!this.#isClosing) await this.#wakeUp.wait(isDone ? LOOK_MS : againMs);
      againMs = isDone ? LOOK_AGAIN_MS : Math.min(2 * againMs, LOOK_MS);
    }
    for (const end of ends) end();
  }
}
