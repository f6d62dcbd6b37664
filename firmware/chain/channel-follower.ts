/** The channel as a device follows it: which release the chain offers to this one, at this moment. */
import { messageOf } from '../../drivers/lib/errors.ts';
import type { LogLine } from '../host/index.ts';
import { fits } from '../store/index.ts';
import { isNewer } from '../version.ts';
import { CHANNEL, type Channel, ChannelSchema, type Offer, offeredTo, type Whose } from './channel.ts';
import { ChainError, isAway } from './errors.ts';
import type { ChainLink } from './link.ts';
import { LOOK_MS, Looking } from './loop.ts';
import type { SignedReader } from './signed-reader.ts';
import type { Trust } from './trust.ts';

/** What was not heard again for so long may have been taken back. */
const FRESH_MS = 2 * LOOK_MS;

interface ChannelFollowerOptions {
  readonly reader: Pick<SignedReader, 'read'>;
  readonly link: Pick<ChainLink, 'onNews' | 'onLine'>;
  /** Null where the store has joined no chain, or it is not known yet. */
  readonly trust: () => Trust | null;
  readonly serial: string;
  /** That runs. */
  readonly version: string;
  readonly clock: { monotonic(): number };
  readonly log: LogLine;
}

export class ChannelFollower extends Looking {
  readonly #options: ChannelFollowerOptions;
  readonly #lookers: (() => void)[] = [];
  #channel: Channel | null = null;
  #offer: Offer | null = null;
  #heardAt = Number.NEGATIVE_INFINITY;
  #problem: string | null = null;

  constructor(options: ChannelFollowerOptions) {
    super({
      link: options.link,
      isNews: (scope, key) => scope === 'all' && key === CHANNEL,
      look: async () => {
        await this.#look();
        return true;
      },
    });
    this.#options = options;
  }

  /** A release that is newer than the one that runs, and this device's turn; null: none. */
  get offer(): Offer | null {
    const { version, clock } = this.#options;
    if (this.#offer === null || clock.monotonic() - this.#heardAt >= FRESH_MS) return null;
    return isNewer(this.#offer.version, version) ? this.#offer : null;
  }

  /** What the chain offers to any device; null where it has not been heard for too long. */
  get offers(): readonly Offer[] | null {
    if (this.#options.clock.monotonic() - this.#heardAt >= FRESH_MS) return null;
    return this.#channel?.offers ?? [];
  }

  /** Why what lies at the chain is not taken; null where nothing is wrong. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Called after each look: what is offered may have changed. */
  onLook(listener: () => void): void {
    this.#lookers.push(listener);
  }

  #take(channel: Channel | null, device?: Whose): void {
    this.#channel = channel;
    this.#offer = channel === null || device === undefined ? null : offeredTo(channel, device);
    for (const listener of this.#lookers) listener();
  }

  async #look(): Promise<void> {
    const { reader, trust: trusted, serial, clock, log } = this.#options;
    const trust = trusted();
    if (trust === null) {
      this.#take(null);
      return;
    }
    try {
      const body = await reader.read('all', CHANNEL, trust);
      this.#take(body === null ? null : channelIn(body), { account: trust.account, serial });
      this.#heardAt = clock.monotonic();
      this.#problem = null;
    } catch (error) {
      if (isAway(error)) return;
      // what is not believed is not offered, and neither is what was there before it
      this.#take(null);
      const problem = messageOf(error);
      if (this.#problem !== problem) log('the releases of the chain are not followed', { reason: problem });
      this.#problem = problem;
    }
  }
}

/** @throws {ChainError} `forged`: signed, but for a release after this one */
function channelIn(body: string) {
  const said: unknown = JSON.parse(body);
  if (fits(ChannelSchema, said)) return said;
  throw new ChainError('forged', 'the channel of the chain is of another kind than this release knows: update by hand');
}
