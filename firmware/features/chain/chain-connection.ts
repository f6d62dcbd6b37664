/**
 * The connection of a device with its chain: sends payments, inventory and metrics, and reports in `/health` why it
 * cannot. Loaded only where a chain is configured.
 */
import { degradedBy, type LogLine, type Verdict, WELL } from '../../core/host/index.ts';
import type { Lane } from '../feature.ts';
import { ChainReporter } from './chain-reporter.ts';
import type { ChainConfig } from './config.ts';
import { PaymentStream } from './payment-stream.ts';
import { reasonOf } from './reason-records.ts';
import { Uplink } from './uplink.ts';

const SECOND_MS = 1000;
/** How long a closing device waits for the acknowledgement of messages that it has sent. */
const CLOSE_LIMIT_MS = 1000;

/** Purpose of the key that makes message ids unguessable. */
const NAMING_PURPOSE = 'name of an event';

export class ChainConnection {
  readonly payments: PaymentStream;
  readonly #clock: Lane['clock'];
  readonly #link: Uplink;
  readonly #reporter: ChainReporter;

  constructor(lane: Lane, config: ChainConfig) {
    const { dataDir, serial, sealer, terminal, clock, health, metrics } = lane;
    const chainLog = lane.logOf('chain');
    const log: LogLine = (message, details = {}) => chainLog.warn(details, message);
    const nameOf = (event: string) => sealer.digest(event, NAMING_PURPOSE).toString('base64url');
    const path = dataDir.file('chain-payments.json');
    this.#clock = clock;
    this.#link = new Uplink(config, { serial, nameOf }, { clock, log: chainLog });
    this.payments = new PaymentStream(path, terminal.events, this.#link, { device: serial, clock }, log);
    this.#reporter = new ChainReporter({ link: this.#link, device: lane, log });
    health.add('chain', () => this.#judge());
    metrics.gauge(
      'laneware_payments_untold_seconds',
      'For how long the chain has not taken payments',
      () => this.payments.failingMs / SECOND_MS,
    );
  }

  start(): void {
    this.payments.start();
    this.#reporter.start();
    this.#link.start();
  }

  async close(): Promise<void> {
    const done = Promise.all([this.payments.close(), this.#reporter.close()]);
    const limit = setTimeout(() => void this.#link.close(), CLOSE_LIMIT_MS);
    await done;
    clearTimeout(limit);
    await this.#link.close();
  }

  #judge(): Verdict {
    const { failure } = this.#link;
    if (failure === null) return WELL;
    const { code, message: detail } = failure.error;
    if (code === 'credentials') return degradedBy(reasonOf('chain-credentials', { detail }));
    if (code === 'certificate') return degradedBy(reasonOf('chain-certificate', { detail }));
    if (code !== 'away') return degradedBy(reasonOf('chain-refuses', { detail }));
    const minutes = Math.round((this.#clock.monotonic() - failure.since) / 60_000);
    return degradedBy(reasonOf('chain-away', { minutes, detail }));
  }
}
