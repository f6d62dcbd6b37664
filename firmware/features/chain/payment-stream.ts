/**
 * Sends payments to the chain: each event of the outbox, in order, at least once. An event counts as sent when a stream
 * of the chain has acknowledged it. Until then the outbox keeps it, so that a week without a connection loses nothing.
 * A repeated event has the same id, and the stream stores it only once within its window; later repetitions are
 * recognised by device and number. Numbers have gaps by design, so each event names in `after` the event before it: so
 * the chain sees which it lacks.
 */

import Type from 'typebox';
import { Loop } from '../../../drivers/lib/async.ts';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { JsonStore } from '../../core/files/index.ts';
import type { LogLine } from '../../core/host/index.ts';
import type { EventFeed } from '../../payments/index.ts';
import { ChainError } from './credentials.ts';
import type { Uplink } from './uplink.ts';

export const PAYMENT = 'payment';
/** How many events are read and sent at the same time. */
const AT_ONCE = 32;
/** Interval between two looks at the outbox while it is empty. */
const POLL_MS = 60_000;
/** Interval of saving the progress: each write wears the card, and the chain recognises repeated events. */
const SAVE_EVERY_MS = 60_000;

const ProgressSchema = Type.Object({
  /** Number of the event up to which the chain has all events; null where it has none yet. */
  toldTo: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
});

type Feed = Pick<EventFeed, 'read' | 'last' | 'lostTo' | 'follow'>;
type Link = Pick<Uplink, 'send' | 'onLine'>;

export class PaymentStream extends Loop {
  readonly #feed: Feed;
  readonly #link: Link;
  readonly #device: string;
  readonly #clock: { monotonic(): number };
  readonly #log: LogLine;
  readonly #progress: JsonStore<{ toldTo: number | null }>;
  /** Number of the event up to which the chain has all events; null where it has none yet. */
  #sentTo: number | null;
  #savedAt = 0;
  #release: (() => void) | null = null;
  #failingSince: number | null = null;

  /** @param path file of the progress; `device` is the device's serial number */
  constructor(
    path: string,
    feed: Feed,
    link: Link,
    { device, clock }: { readonly device: string; readonly clock: { monotonic(): number } },
    log: LogLine,
    scale?: number,
  ) {
    super({ link, scale, step: () => this.#tryToSend() });
    this.#feed = feed;
    this.#link = link;
    this.#device = device;
    this.#clock = clock;
    this.#log = log;
    this.#progress = JsonStore.open(path, ProgressSchema, { toldTo: null });
    this.#sentTo = this.#progress.value.toldTo;
  }

  /** The outbox must keep all events above this number. */
  get deliveredTo(): number {
    return this.#sentTo ?? 0;
  }

  /** For how long sending has failed, ms; 0 where it does not. */
  get failingMs(): number {
    return this.#failingSince === null ? 0 : this.#clock.monotonic() - this.#failingSince;
  }

  override async close(): Promise<void> {
    await super.close();
    this.#release?.();
    this.#save();
  }

  async #tryToSend(): Promise<number | null> {
    try {
      this.#release ??= this.#feed.follow(() => this.runNow());
      const more = await this.#sendSome();
      this.#failingSince = null;
      return more ? 0 : POLL_MS;
    } catch (error) {
      // the connection logs errors of the chain
      if (this.#failingSince === null && !(error instanceof ChainError))
        this.#log('payments cannot be read for the chain; it is tried again', { reason: messageOf(error) });
      this.#failingSince ??= this.#clock.monotonic();
      return null;
    }
  }

  /** Sends the next events. @returns whether there may be more */
  async #sendSome(): Promise<boolean> {
    const { lostTo } = this.#feed;
    if (this.#sentTo !== null && lostTo > this.#sentTo) {
      // events were lost before they were sent: a message tells the chain of the gap
      await this.#publish(JSON.stringify({ number: lostTo, type: 'gap' }), `gap ${lostTo}`, this.#sentTo);
      this.#sentTo = lostTo;
    }
    const events = this.#feed.read(this.#sentTo ?? lostTo, AT_ONCE);
    const outcomes = await Promise.allSettled(
      events.map(({ number, text }, at) => this.#publish(text, String(number), events[at - 1]?.number ?? this.#sentTo)),
    );
    const failed = outcomes.findIndex(({ status }) => status === 'rejected');
    const sent = failed < 0 ? events : events.slice(0, failed);
    this.#sentTo = sent.at(-1)?.number ?? this.#sentTo;
    const outcome = outcomes[failed];
    if (outcome?.status === 'rejected') throw outcome.reason;
    if (this.#clock.monotonic() - this.#savedAt >= SAVE_EVERY_MS) this.#save();
    return events.length === AT_ONCE;
  }

  /**
   * @param text an object in JSON, to which the device's serial number is added
   * @param after number of the event before it; null where none was sent
   */
  #publish(text: string, id: string, after: number | null): Promise<void> {
    const head = JSON.stringify({ device: this.#device, ...(after === null ? {} : { after }) });
    return this.#link.send(PAYMENT, `${head.slice(0, -1)},${text.slice(1)}`, id);
  }

  /** Saves the progress. Where that fails, events are sent again after a restart. */
  #save(): void {
    this.#savedAt = this.#clock.monotonic();
    if (this.#progress.value.toldTo === this.#sentTo) return;
    try {
      this.#progress.write({ toldTo: this.#sentTo });
    } catch (error) {
      this.#log('how far payments were sent to the chain cannot be written', { reason: messageOf(error) });
    }
  }
}
