/** Reports state and figures of a device to its chain: at each change, and every five minutes. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Loop } from '../../../drivers/lib/async.ts';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { SALES } from '../../../drivers/lib/records.ts';
import type { Role } from '../../core/config/index.ts';
import type { HealthBoard, LogLine, Metrics } from '../../core/host/index.ts';
import { ChainError } from './credentials.ts';
import type { Uplink } from './uplink.ts';

/** Kinds of reports. The inventory is sent at each change; both are sent every five minutes. */
const INVENTORY = 'inventory';
const DIGEST = 'digest';
/** Interval of reports; a device that is silent for twice this time counts as missing. */
export const REPORT_EVERY_MS = 5 * 60_000;
/** Interval at which the state is compared with the last report. */
const COMPARE_EVERY_MS = 10_000;
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

export class ChainReporter extends Loop {
  readonly #link: Link;
  readonly #device: Reported;
  readonly #log: LogLine;
  /** The time between two regular reports, ms. */
  readonly #intervalMs: number;
  /** When the next regular report is due, monotonic ms. */
  #due: number;
  /** The last report, without values that change all the time. */
  #reported = '';
  #isFailing = false;

  /**
   * @param random returns 0 to 1: devices that start together must not report together
   * @param scale factor of all waits, for tests
   */
  constructor({
    link,
    device,
    log,
    random = Math.random,
    scale = 1,
  }: {
    readonly link: Link;
    readonly device: Reported;
    readonly log: LogLine;
    readonly random?: () => number;
    readonly scale?: number;
  }) {
    super({ link, scale, step: () => this.#tryToReport() }); // it scales the pauses between steps itself
    this.#link = link;
    this.#device = device;
    this.#log = log;
    this.#intervalMs = REPORT_EVERY_MS * scale;
    this.#due = device.clock.monotonic() + random() * this.#intervalMs;
  }

  /** Reports at once, even what has not changed. */
  override runNow(): void {
    this.#reported = '';
    super.runNow();
  }

  async #tryToReport(): Promise<number | null> {
    const { metrics, clock } = this.#device;
    const isDue = clock.monotonic() >= this.#due;
    if (isDue) this.#due = clock.monotonic() + this.#intervalMs;
    try {
      await this.#reportInventory(isDue);
      if (isDue) await this.#link.report(DIGEST, await digestOf(metrics));
      this.#isFailing = false;
      return COMPARE_EVERY_MS;
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
    const content = JSON.stringify({
      ...lasting,
      parts: faulty.map(({ part, state, sales }) => ({ part, state, sales })),
    });
    if (!isDue && content === this.#reported) return;
    // by the device's clock, which may be wrong; the chain has its own time of the report
    const at = new Date(clock.wall()).toISOString();
    const listed = faulty.map(({ part, state, sales, reason }) => ({ part, state, sales, reason }));
    await this.#link.report(INVENTORY, JSON.stringify({ format: 1, ...lasting, parts: listed, uptimeSeconds, at }));
    this.#reported = content;
  }
}

/** The reported lines of `/metrics`, without comments, compressed: some hundred bytes. */
async function digestOf({ registry }: Pick<Metrics, 'registry'>): Promise<Uint8Array> {
  const lines = (await registry.metrics()).split('\n').filter((line) => REPORTED_FIGURE.test(line));
  return await compressed(`${lines.join('\n')}\n`);
}
