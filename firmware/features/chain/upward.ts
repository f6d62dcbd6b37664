/** Sends payments, inventory and figures to the chain. Loaded only where a chain is configured. */

import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Loop } from '../../../drivers/lib/async.ts';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { SALES } from '../../../drivers/lib/records.ts';
import type { Role } from '../../core/config/index.ts';
import { degradedBy, type HealthBoard, type LogLine, type Metrics, type Verdict, WELL } from '../../core/host/index.ts';
import type { Lane } from '../feature.ts';
import type { ChainConfig } from './config.ts';
import { PaymentStream } from './payment-stream.ts';
import { reasonOf } from './reason-records.ts';
import { Uplink } from './uplink.ts';
import { ChainError } from './way.ts';

/** The device reports its inventory at every change, and every five minutes with a digest of its figures. */
const INVENTORY = 'inventory';
const DIGEST = 'digest';
/** A device that is silent for twice this time counts as missing. */
export const REPORT_EVERY_MS = 5 * 60_000;
const LOOK_MS = 10_000;
/** Reported figures: of the device, not of the process's internals; one histogram alone has a hundred lines. */
const REPORTED_FIGURE =
  /^(?:laneware_(?!http_request)|process_(?:resident_memory_bytes|cpu_seconds_total|start_time_seconds)|nodejs_eventloop_lag_p99)/;

const compressed = promisify(gzip);

type Link = Pick<Uplink, 'report' | 'onLine'>;

/** The reported parts of a device. */
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
  #due: number;
  /** The last report, without values that change all the time. */
  #reported = '';
  #isFailing = false;

  /** @param random 0 to 1, so that devices that were started together do not report together */
  constructor(link: Link, device: Reported, log: LogLine, random = Math.random, scale = 1) {
    super({ link, scale, step: () => this.#tryToReport() });
    this.#link = link;
    this.#device = device;
    this.#log = log;
    this.#scale = scale;
    this.#due = device.clock.monotonic() + random() * REPORT_EVERY_MS * scale;
  }

  override ask(): void {
    this.#reported = '';
    super.ask();
  }

  async #tryToReport(): Promise<number | null> {
    const { metrics, clock } = this.#device;
    const isDue = clock.monotonic() >= this.#due;
    if (isDue) this.#due = clock.monotonic() + REPORT_EVERY_MS * this.#scale;
    try {
      await this.#reportInventory(isDue);
      if (isDue) await this.#link.report(DIGEST, await digestOf(metrics));
      this.#isFailing = false;
      return LOOK_MS;
    } catch (error) {
      // errors of the chain are reported by the connection
      if (!this.#isFailing && !(error instanceof ChainError))
        this.#log('the state of this device cannot be read for the chain', { reason: messageOf(error) });
      this.#isFailing = true;
      return null;
    }
  }

  /** @param isDue whether to report an unchanged inventory, too */
  async #reportInventory(isDue: boolean): Promise<void> {
    const { health, role, clock } = this.#device;
    const { state, sales, version, serial, instance, uptimeSeconds, parts } = health.report();
    const ill = parts
      .filter((part) => part.state !== 'ok' || part.sales !== 'sells')
      .sort((one, other) => SALES.indexOf(other.sales) - SALES.indexOf(one.sales));
    const lasting = { serial, version, instance, role: role(), state, sales };
    // reasons hold minutes, which change all the time
    const content = JSON.stringify({ ...lasting, parts: ill.map((each) => [each.part, each.state, each.sales]) });
    if (!isDue && content === this.#reported) return;
    // the device's clock may be wrong; the chain knows when it got the report
    const at = new Date(clock.wall()).toISOString();
    const told = ill.map((each) => ({ part: each.part, state: each.state, sales: each.sales, reason: each.reason }));
    await this.#link.report(INVENTORY, JSON.stringify({ format: 1, ...lasting, parts: told, uptimeSeconds, at }));
    this.#reported = content;
  }
}

/** The lines of `/metrics` on the device's state, without explanations; compressed, some hundred bytes. */
async function digestOf({ registry }: Pick<Metrics, 'registry'>): Promise<Uint8Array> {
  const lines = (await registry.metrics()).split('\n').filter((line) => REPORTED_FIGURE.test(line));
  return await compressed(`${lines.join('\n')}\n`);
}

const MS = 1000;
/** How long a closing device waits for messages on their way. */
const CLOSE_LIMIT_MS = 1000;

/** Purpose of the key that makes names of events unguessable. */
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
    if (code === 'credentials') return degradedBy(reasonOf('chain-credentials', { detail }));
    if (code === 'certificate') return degradedBy(reasonOf('chain-certificate', { detail }));
    if (code !== 'away') return degradedBy(reasonOf('chain-refuses', { detail }));
    const minutes = Math.round((this.#clock.monotonic() - trouble.since) / 60_000);
    return degradedBy(reasonOf('chain-away', { minutes, detail }));
  }
}
