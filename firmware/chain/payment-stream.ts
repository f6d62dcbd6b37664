/**
 * Payments on their way to the chain's centre, for reconciliation: every event of the outbox, in order, at least once. An
 * event counts as sent when the stream of the hub has acknowledged it; until then the outbox keeps it, so a week without the
 * line loses nothing. What is sent again carries the same id, and the hub stores it once within two hours; later ones are
 * identified by device and number of the event, and payments by their order id.
 */
import Type from 'typebox';
import { messageOf } from '../../drivers/lib/errors.ts';
import type { LogLine } from '../host/index.ts';
import { JsonStore } from '../store/index.ts';
import type { EventFeed, StoredEvent } from '../terminal/index.ts';
import { ChainError } from './errors.ts';
import type { ChainLink } from './link.ts';
import { Loop, type LoopOptions } from './loop.ts';

export const PAYMENT = 'payment';
/** Events that are read, and under way, together. */
const AT_ONCE = 32;
/** Poll interval where there is nothing to send. */
const LOOK_MS = 60_000;
/** Interval of writing the progress: each write wears the card, and the hub recognises what is sent again. */
const SAVE_EVERY_MS = 60_000;
/** How long the chain may take nothing before `/health` reports it. */
const NOTICE_AFTER_MS = 60 * 60_000;

const ProgressSchema = Type.Object({
  /** Number of the event up to which the chain has all; null where it never took one. */
  toldTo: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
});

interface PaymentStreamOptions extends Pick<LoopOptions, 'scale'> {
  readonly path: string;
  readonly feed: Pick<EventFeed, 'read' | 'last' | 'lostTo' | 'follow'>;
  readonly link: Pick<ChainLink, 'send' | 'onLine'>;
  readonly clock: { monotonic(): number };
  readonly log: LogLine;
}

interface PaymentStreamState {
  /** Number of the event up to which the chain has all; null where it never took one. */
  readonly sentTo: number | null;
  /** Why the chain takes none, and for how long, in milliseconds; null where it does, or never did. */
  readonly trouble: { readonly problem: string; readonly ms: number } | null;
}

export class PaymentStream extends Loop {
  readonly #options: PaymentStreamOptions;
  readonly #progress: JsonStore<{ toldTo: number | null }>;
  #sentTo: number | null;
  #savedAt = 0;
  /** Ends following the feed; null: no sale is read for a chain that there is not. */
  #leave: (() => void) | null = null;
  #failing: { readonly problem: string; readonly since: number } | null = null;

  constructor(options: PaymentStreamOptions) {
    super({ link: options.link, scale: options.scale, step: () => this.#tryToSend() });
    this.#options = options;
    this.#progress = JsonStore.open(options.path, ProgressSchema, { toldTo: null });
    this.#sentTo = this.#progress.value.toldTo;
  }

  /** No event above this number may be let go. A device whose store never had a chain keeps none for it. */
  get deliveredTo(): number {
    return this.#sentTo ?? Number.MAX_SAFE_INTEGER;
  }

  get state(): PaymentStreamState {
    if (this.#failing === null || this.#sentTo === null) return { sentTo: this.#sentTo, trouble: null };
    const { problem, since } = this.#failing;
    return { sentTo: this.#sentTo, trouble: { problem, ms: this.#options.clock.monotonic() - since } };
  }

  /** What somebody must look into, in a sentence; null where nothing is. */
  get problem(): string | null {
    const { trouble } = this.state;
    if (trouble === null || trouble.ms < NOTICE_AFTER_MS) return null;
    return `the chain has taken no payment for ${Math.round(trouble.ms / 60_000)} minutes (${trouble.problem}): they are kept, and sent when it takes them again`;
  }

  override async close(): Promise<void> {
    await super.close();
    this.#leave?.();
    this.#save();
  }

  async #tryToSend(): Promise<number | null> {
    try {
      this.#leave ??= this.#options.feed.follow(() => this.ask());
      const more = await this.#sendSome();
      this.#failing = null;
      return more ? 0 : LOOK_MS;
    } catch (error) {
      this.#fail(error);
      if (this.#sentTo === null) {
        this.#leave?.();
        this.#leave = null;
      }
      return null;
    }
  }

  /** @returns whether there may be more */
  async #sendSome(): Promise<boolean> {
    const { feed } = this.#options;
    const { lostTo } = feed;
    if (this.#sentTo !== null && lostTo > this.#sentTo) await this.#sendGap(this.#sentTo, lostTo);
    const events = feed.read(this.#sentTo ?? lostTo, AT_ONCE);
    const outcomes = await Promise.allSettled(events.map((event) => this.#send(event)));
    const failed = outcomes.findIndex(({ status }) => status === 'rejected');
    const sent = failed < 0 ? events : events.slice(0, failed);
    this.#sentTo = sent.at(-1)?.number ?? this.#sentTo;
    const outcome = outcomes[failed];
    if (outcome?.status === 'rejected') throw outcome.reason;
    if (this.#options.clock.monotonic() - this.#savedAt >= SAVE_EVERY_MS) this.#save();
    return events.length === AT_ONCE;
  }

  #send({ number, text }: StoredEvent): Promise<void> {
    return this.#options.link.send(PAYMENT, text, { id: String(number) });
  }

  /** Events that are lost: the centre must know that it does not have them. */
  async #sendGap(after: number, upTo: number): Promise<void> {
    const text = JSON.stringify({ number: upTo, type: 'gap', after });
    await this.#options.link.send(PAYMENT, text, { id: `gap ${upTo}` });
    this.#sentTo = upTo;
  }

  #fail(error: unknown): void {
    const problem = messageOf(error);
    const { log, clock } = this.#options;
    // a store without a chain is no trouble, and a line that is away for a night is one line of the log
    if (this.#failing === null && (this.#sentTo !== null || !(error instanceof ChainError)))
      log('payments do not reach the chain; they are kept and sent again', { reason: problem });
    this.#failing = { problem, since: this.#failing?.since ?? clock.monotonic() };
  }

  /** What cannot be written is sent again after a restart. */
  #save(): void {
    this.#savedAt = this.#options.clock.monotonic();
    if (this.#progress.value.toldTo === this.#sentTo) return;
    try {
      this.#progress.write({ toldTo: this.#sentTo });
    } catch (error) {
      this.#options.log('how far payments were sent to the chain cannot be written', { reason: messageOf(error) });
    }
  }
}
