/** Looks at what lies at the chain: at each word that there is news, at each new line to it, every so often, and sooner where something is left. */
import { Loop, type LoopOptions } from '../loop.ts';

/** News may be missed; this is how late they are then. */
export const LOOK_MS = 30 * 60_000;
/** Where something is left for the first time; each further time it takes twice as long. */
const LOOK_AGAIN_MS = 5000;

interface LookingOptions extends Pick<LoopOptions, 'link' | 'isNews'> {
  /** Never throws. @returns whether nothing is left to be done */
  readonly look: () => Promise<boolean>;
}

export class Looking extends Loop {
  constructor({ look, ...options }: LookingOptions) {
    const step = async (): Promise<number | null> => ((await look()) ? LOOK_MS : null);
    super({ ...options, step, retry: { minMs: LOOK_AGAIN_MS, maxMs: LOOK_MS } });
  }
}
