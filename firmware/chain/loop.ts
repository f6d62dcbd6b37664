/** Steps for the chain or store: each when the one before says, at once for news or a new line, ever later while they fail. */
import { Backoff, type BackoffOptions } from '../../drivers/lib/backoff.ts';
import { Signal } from '../../drivers/lib/signal.ts';
import type { ChainLink, NewsListener } from './link.ts';
import type { Scope } from './subjects.ts';

const RETRY = { minMs: 1000, maxMs: 60_000 } as const;
/** News may be missed; this is how late they are then. */
export const LOOK_MS = 30 * 60_000;
/** Where something is left for the first time; each further time it takes twice as long. */
const LOOK_AGAIN_MS = 5000;

export interface LoopOptions {
  readonly link: Pick<ChainLink, 'onLine'> & { readonly onNews?: (listener: NewsListener) => () => void };
  /** Never throws. @returns milliseconds until the next step; null where it failed */
  readonly step: () => Promise<number | null>;
  /** Limits of the pauses while it fails. */
  readonly retry?: Pick<BackoffOptions, 'minMs' | 'maxMs'>;
  /** Whether a word of news is about this; none is when left out. */
  readonly isNews?: (scope: Scope, key: string) => boolean;
  /** How long a wait of so many milliseconds takes; as many when left out. */
  readonly scale?: number | undefined;
}

export class Loop {
  readonly #options: LoopOptions;
  readonly #backoff: Backoff;
  readonly #wakeUp = new Signal();
  #isClosing = false;
  #running: Promise<void> | null = null;

  constructor(options: LoopOptions) {
    this.#options = options;
    this.#backoff = new Backoff({ ...(options.retry ?? RETRY), random: Math.random });
  }

  get isClosing(): boolean {
    return this.#isClosing;
  }

  start(): void {
    this.#running ??= this.#keepGoing();
  }

  /** The next step is due at once: for somebody who asks, for news and with a new line. */
  ask(): void {
    this.#wakeUp.raise();
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#wakeUp.raise();
    await this.#running;
  }

  async #keepGoing(): Promise<void> {
    const { link, isNews, step, scale = 1 } = this.#options;
    const call = (): void => {
      this.#backoff.reset();
      this.ask();
    };
    const ends = [
      link.onLine(call),
      link.onNews?.((scope, key) => {
        if (isNews?.(scope, key)) call();
      }),
    ];
    while (!this.#isClosing) {
      const ms = await step();
      if (ms !== null) this.#backoff.reset();
      await this.#wakeUp.wait((ms ?? this.#backoff.next()) * scale);
    }
    for (const end of ends) end?.();
  }
}

interface LookingOptions extends Pick<LoopOptions, 'link' | 'isNews'> {
  /** Never throws. @returns whether nothing is left to be done */
  readonly look: () => Promise<boolean>;
}

/** Looks at what lies at the chain: at each word of news, with each new line, every so often, and sooner where something is left. */
export class Looking extends Loop {
  constructor({ look, ...options }: LookingOptions) {
    const step = async (): Promise<number | null> => ((await look()) ? LOOK_MS : null);
    super({ ...options, step, retry: { minMs: LOOK_AGAIN_MS, maxMs: LOOK_MS } });
  }
}
