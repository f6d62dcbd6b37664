/** What a device sends to its chain: payments, its inventory, its figures. Loaded where a chain is configured, and not else. */

import type { Config } from '../../core/config/index.ts';
import {
  degraded,
  type HealthBoard,
  type Log,
  type LogLine,
  type Metrics,
  type Verdict,
  WELL,
} from '../../core/host/index.ts';
import type { EventFeed } from '../../payments/index.ts';

import { PaymentStream } from './payment-stream.ts';
import { reasonOf } from './reason-records.ts';
import { Reporter, type ReporterOptions } from './reporter.ts';
import { type Speaker, Uplink } from './uplink.ts';

const MS = 1000;
/** A device that closes waits so long for what is on its way. */
const CLOSE_LIMIT_MS = 1000;

interface UpwardOptions extends Pick<ReporterOptions, 'role'> {
  readonly config: Config['chain'];
  readonly speaker: Speaker;
  /** How far payments have been sent. */
  readonly path: string;
  readonly feed: EventFeed;
  readonly health: HealthBoard;
  readonly metrics: Metrics;
  readonly clock: { wall(): number; monotonic(): number };
  readonly log: Log;
}

export class Upward {
  readonly payments: PaymentStream;
  readonly #clock: UpwardOptions['clock'];
  readonly #link: Uplink;
  readonly #reporter: Reporter;

  constructor(options: UpwardOptions) {
    const { config, speaker, health, metrics } = options;
    const log: LogLine = (message, details = {}) => options.log.warn(details, message);
    this.#clock = options.clock;
    this.#link = new Uplink(config, speaker, options);
    this.payments = new PaymentStream({ ...options, link: this.#link, device: speaker.serial, log });
    this.#reporter = new Reporter({ ...options, link: this.#link, report: () => health.report(), log });
    health.add('chain', () => this.#judge());
    metrics.gauge(
      'laneware_payments_untold_seconds',
      'For how long the chain has not taken payments',
      () => this.payments.failingMs / MS,
    );
  }

  start(): void {
    this.payments.start();
    this.#reporter.start();
    this.#link.start();
  }

  async close(): Promise<void> {
    const said = Promise.all([this.payments.close(), this.#reporter.close()]);
    const limit = setTimeout(() => void this.#link.close(), CLOSE_LIMIT_MS);
    await said;
    clearTimeout(limit);
    await this.#link.close();
  }

  #judge(): Verdict {
    const { trouble } = this.#link;
    if (trouble === null) return WELL;
    const { code, message: detail } = trouble.error;
    if (code === 'credentials') return degraded(reasonOf('chain-credentials', { detail }, detail));
    if (code === 'certificate') return degraded(reasonOf('chain-certificate', { detail }, detail));
    const kept = 'What it has not taken is kept here, and sent then';
    if (code !== 'away') return degraded(reasonOf('chain-refuses', { detail }, `${detail}. ${kept}`));
    const minutes = Math.round((this.#clock.monotonic() - trouble.since) / 60_000);
    const sentence = `the chain has not been reached for ${minutes} minutes: ${detail}. ${kept}`;
    return degraded(reasonOf('chain-away', { minutes, detail }, sentence));
  }
}
