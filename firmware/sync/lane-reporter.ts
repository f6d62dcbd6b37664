/**
 * Sends the payments of a lane to the master of its store, for reconciliation, over the connection that synchronisation
 * uses. The message server guarantees the sender: a device can publish only under its own serial number. The master
 * answers with the place in the lane's history up to which its disk has the payments. After a power cut, a restart or a
 * change of the master the lane continues from that place.
 */

import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { Loop } from '../../drivers/lib/async.ts';
import { messageOf } from '../../drivers/lib/errors.ts';
import { encodePart } from '../../drivers/lib/text.ts';
import type { Clock, Log } from '../core/host/index.ts';
import { jsonFitting } from '../core/schema/index.ts';
import { LaneAnswer, LaneBatch, type LaneFeed, type LanePlace, LaneRefusal } from '../payments/index.ts';

import { LANE_PAYMENTS, lanePaymentsSubject } from './centre/subjects.ts';
import { SyncError } from './errors.ts';
import type { StoreLine } from './store-line.ts';

const REQUEST_LIMIT_MS = 20_000;
/** Interval at which the lane looks for changes to report. */
const LOOK_MS = 5000;
/** A lane reports at least this often: after a longer silence the master may lack payments of it. */
const REPORT_EVERY_MS = 60_000;

interface Own {
  readonly serial: string;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly log: Pick<Log, 'warn'>;
}

export class LaneReporter extends Loop {
  readonly #own: Own;
  readonly #feed: Pick<LaneFeed, 'version' | 'read'>;
  readonly #line: Pick<StoreLine, 'requestFromMaster' | 'onLine'>;
  readonly #isSlave: () => boolean;
  readonly #scale: number;
  /** Up to where the master has the payments; null: not known on this connection. */
  #place: LanePlace | null = null;
  /** The version of the ledgers that was last reported completely, and when. */
  #reported: { readonly version: string; readonly at: number } | null = null;
  #failing: string | null = null;
  /** Why the master refused the last report; null where it has accepted a report since, or there is no master. */
  problem: string | null = null;

  /** @param isSlave whether another device is the master @param scale factor of the waits, as in `LoopOptions` */
  constructor(
    own: Own,
    feed: Pick<LaneFeed, 'version' | 'read'>,
    line: Pick<StoreLine, 'requestFromMaster' | 'onLine'>,
    isSlave: () => boolean,
    scale = 1,
  ) {
    super({ link: line, scale, step: () => this.#tryToReport() });
    this.#own = own;
    this.#feed = feed;
    this.#line = line;
    this.#isSlave = isSlave;
    this.#scale = scale;
  }

  override runNow(): void {
    this.#forget();
    super.runNow();
  }

  async #tryToReport(): Promise<number | null> {
    try {
      while (!this.isClosing && this.#isDue()) await this.#report();
      this.#failing = null;
      this.problem = null;
      return LOOK_MS;
    } catch (error) {
      // synchronisation reports a master that cannot be reached
      const isRefused = error instanceof SyncError && error.code === 'refused';
      const isAway = error instanceof SyncError && !isRefused;
      const reason = messageOf(error);
      if (reason !== this.#failing && !isAway)
        this.#own.log.warn({ reason }, 'payments are not reported to the master; it is tried again');
      this.#failing = reason;
      if (isRefused) this.problem = reason;
      this.#forget();
      return null;
    }
  }

  #isDue(): boolean {
    if (!this.#isSlave()) return false;
    const reported = this.#reported;
    if (reported === null || reported.version !== this.#feed.version) return true;
    return this.#own.clock.monotonic() - reported.at >= REPORT_EVERY_MS * this.#scale;
  }

  /** Sends the next changes. @throws {SyncError} @throws {Error} where a ledger cannot be read */
  async #report(): Promise<void> {
    const { serial, clock } = this.#own;
    const { version } = this.#feed;
    const batch = await this.#feed.read(this.#place);
    if (this.#place !== null && this.#place.commit > (batch.after?.commit ?? 0))
      this.#own.log.warn({}, 'the master has another history of this lane, as after an older card: all is sent again');
    const subject = lanePaymentsSubject(encodePart(serial));
    const message = await this.#line.requestFromMaster(subject, JSON.stringify(batch), REQUEST_LIMIT_MS);
    const answer = jsonFitting(LaneAnswer, message.string());
    if (answer === null) throw new SyncError('refused', 'what answers is no master of a store');
    if ('refusal' in answer) throw new SyncError('refused', answer.refusal);
    this.#place = answer.place;
    const isUpToDate = answer.place.payments === batch.to.payments && answer.place.refunds === batch.to.refunds;
    if (batch.isAll && isUpToDate) this.#reported = { version, at: clock.monotonic() };
  }

  #forget(): void {
    this.#place = null;
    this.#reported = null;
  }
}

/**
 * Answers reports of lanes on the master's own connection, as long as it lasts.
 * @param store stores a device's report durably and returns the new place; throws where it cannot. `part` is the
 * device's encoded serial number
 */
export function openLaneSender(
  connection: NatsConnection,
  store: (part: string, batch: LaneBatch) => LanePlace,
  onFailure: (error: unknown) => void,
): void {
  const prefix = lanePaymentsSubject('');
  const answerTo = (message: Msg): LaneAnswer => {
    const batch = jsonFitting(LaneBatch, message.string());
    if (batch === null) return { refusal: 'this is no report of a lane' };
    try {
      return { place: store(message.subject.slice(prefix.length), batch) };
    } catch (error) {
      onFailure(error);
      return { refusal: error instanceof LaneRefusal ? error.message : 'the master cannot keep it now' };
    }
  };
  const callback = (error: unknown, message: Msg): void => {
    if (error === null && !connection.isClosed()) message.respond(JSON.stringify(answerTo(message)));
  };
  connection.subscribe(LANE_PAYMENTS, { callback });
}
