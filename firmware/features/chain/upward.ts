/** What a device sends to its chain: payments, its inventory, its figures. Loaded where a chain is configured, and not else. */

import { degraded, type LogLine, type Verdict, WELL } from '../../core/host/index.ts';
import type { Lane } from '../feature.ts';
import { PaymentStream } from './payment-stream.ts';
import { reasonOf } from './reason-records.ts';
import { Reporter } from './reporter.ts';
import { Uplink } from './uplink.ts';

const MS = 1000;
/** A device that closes waits so long for what is on its way. */
const CLOSE_LIMIT_MS = 1000;

/** What makes the name of an event that goes up one that nobody guesses. */
const NAMING_PURPOSE = 'name of an event';

export class Upward {
  readonly payments: PaymentStream;
  readonly #clock: Lane['clock'];
  readonly #link: Uplink;
  readonly #reporter: Reporter;

  constructor(lane: Lane) {
    const { config, dataDir, serial, sealer, terminal, clock, health, metrics } = lane;
    const chainLog = lane.logOf('chain');
    const log: LogLine = (message, details = {}) => chainLog.warn(details, message);
    const nameOf = (event: string) => sealer.digest(event, NAMING_PURPOSE).toString('base64url');
    const path = dataDir.file('chain-payments.json');
    this.#clock = clock;
    this.#link = new Uplink(config.chain, { serial, nameOf }, { clock, log: chainLog });
    this.payments = new PaymentStream(path, terminal.events.feed, this.#link, { device: serial, clock }, log);
    this.#reporter = new Reporter(this.#link, lane, log);
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
