/** Sends payments, inventory and metrics to the chain. Loaded only where a chain is configured. */

import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Loop } from '../../../drivers/lib/async.ts';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { SALES } from '../../../drivers/lib/records.ts';
import type { Role } from '../../core/config/index.ts';
import { degradedBy, type HealthBoard, type LogLine, type Metrics, type Verdict, WELL } from '../../core/host/index.ts';
import type { Lane } from '../feature.ts';
import type { ChainConfig } from './config.ts';
import { ChainError } from './credentials.ts';
import { PaymentStream } from './payment-stream.ts';
import { reasonOf } from './reason-records.ts';
import { Uplink } from './uplink.ts';

/** Kinds of reports. The inventory is sent at each change; both are sent every five minutes. */
const INVENTORY = 'inventory';
const DIGEST = 'digest';
/** Interval of reports; a device that is silent for twice this time counts as missing. */
export const REPORT_EVERY_MS = 5 * 60_000;
const POLL_MS = 10_000;
/**
 * Metrics that are reported: those of the device, and few of its process. One histogram alone would have a hundred
 * lines.
 */
const REPORTED_FIGURE =
  /^(?:laneware_(?!http_request)|process_(?:resident_memory_bytes|cpu_seconds_total|start_time_seconds)|nodejs_eventloop_lag_p99)/;

const compressed = promisify(gzip);

type Link = Pick<Uplink, 'report' | 'onLine'>;

/** The parts of the device on which it reports. */
interface Reported {
  readonly health: Pick<HealthBoard, 'report'>;
  readonly metrics: Pick<Metrics, 'registry'>;
  readonly role: () => Role;
  readonly clock: { wall(): number; monotonic(): number };
}

export class Reporter extends Loop {
  readonly #link: Link;
  readonly #device: Reported;
  readonly #log: LogLine;
  readonly #scale: number;
  /** When the next regular report is due, monotonic ms. */
  #due: number;
  /** The last report, without values that change all the time. */
  #reported = '';
  #isFailing = false;

  /** @param random returns 0 to 1: devices that start together must not report together */
  constructor(link: Link, device: Reported, log: LogLine, random = Math.random, scale = 1) {
    super({ link, scale, step: () => this.#tryToReport() });
    this.#link = link;
    this.#device = device;
    this.#log = log;
    this.#scale = scale;
    this.#due = device.clock.monotonic() + random() * REPORT_EVERY_MS * scale;
  }

  override runNow(): void {
    this.#reported = '';
    super.runNow();
  }

  async #tryToReport(): Promise<number | null> {
    const { metrics, clock } = this.#device;
    const isDue = clock.monotonic() >= this.#due;
    if (isDue) this.#due = clock.monotonic() + REPORT_EVERY_MS * this.#scale;
    try {
      await this.#reportInventory(isDue);
      if (isDue) await this.#link.report(DIGEST, await digestOf(metrics));
      this.#isFailing = false;
      return POLL_MS;
    } catch (error) {
      // the connection logs errors of the chain
      if (!this.#isFailing && !(error instanceof ChainError))
        this.#log('the state of this device cannot be read for the chain', { reason: messageOf(error) });
      this.#isFailing = true;
      return null;
    }
  }

  /** Reports the inventory where it has changed. @param isDue whether to report an unchanged one, too */
  async #reportInventory(isDue: boolean): Promise<void> {
    const { health, role, clock } = this.#device;
    const { state, sales, version, serial, instance, uptimeSeconds, parts } = health.report();
    const faulty = parts
      .filter((part) => part.state !== 'ok' || part.sales !== 'sells')
      .sort((one, other) => SALES.indexOf(other.sales) - SALES.indexOf(one.sales));
    const lasting = { serial, version, instance, role: role(), state, sales };
    // without the reasons: they hold minutes, which change all the time
    const content = JSON.stringify({ ...lasting, parts: faulty.map((each) => [each.part, each.state, each.sales]) });
    if (!isDue && content === this.#reported) return;
    // by the device's clock, which may be wrong; the chain has its own time of the report
    const at = new Date(clock.wall()).toISOString();
    const listed = faulty.map((each) => ({
      part: each.part,
      state: each.state,
      sales: each.sales,
      reason: each.reason,
    }));
    await this.#link.report(INVENTORY, JSON.stringify({ format: 1, ...lasting, parts: listed, uptimeSeconds, at }));
    this.#reported = content;
  }
}

/** The reported lines of `/metrics`, without comments, compressed: some hundred bytes. */
async function digestOf({ registry }: Pick<Metrics, 'registry'>): Promise<Uint8Array> {
  const lines = (await registry.metrics()).split('\n').filter((line) => REPORTED_FIGURE.test(line));
  return await compressed(`${lines.join('\n')}\n`);
}

const MS = 1000;
/** How long a closing device waits for the acknowledgement of messages that it has sent. */
const CLOSE_LIMIT_MS = 1000;

/** Purpose of the key that makes message ids unguessable. */
const NAMING_PURPOSE = 'name of an event';

export class Upward {
  readonly payments: PaymentStream;
  readonly #clock: Lane['clock'];
  readonly #link: Uplink;
  readonly #reporter: Reporter;

  constructor(lane: Lane, config: ChainConfig) {
    const { dataDir, serial, sealer, terminal, clock, health, metrics } = lane;
    const chainLog = lane.logOf('chain');
    const log: LogLine = (message, details = {}) => chainLog.warn(details, message);
    const nameOf = (event: string) => sealer.digest(event, NAMING_PURPOSE).toString('base64url');
    const path = dataDir.file('chain-payments.json');
    this.#clock = clock;
    this.#link = new Uplink(config, { serial, nameOf }, { clock, log: chainLog });
    this.payments = new PaymentStream(path, terminal.events, this.#link, { device: serial, clock }, log);
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
