/**
 * Reads supply and heat of a Raspberry Pi. Its firmware reports in bits the present state, and past ones since the
 * start or the last query (`get_throttled` of the kernel's driver). Where that file is missing, the voltage alarm is in
 * hwmon as `rpi_volt`, and lasts for the driver's interval of two seconds. So it is read as often, and past states are
 * remembered here.
 */
import type { Reason } from '../../../drivers/lib/records.ts';
import { reasonOf } from './reason-records.ts';
import type { SystemFiles } from './system-files.ts';

/** As often as the kernel's driver asks the firmware (drivers/hwmon/raspberrypi-hwmon.c). */
export const LOOK_MS = 2000;
/** A past state is reported for a day. */
const REPORTED_MS = 24 * 60 * 60_000;
/** A Raspberry Pi begins to slow down at 80 °C; at 85 it does all it can. */
export const HOT_C = 80;
const LOW_VOLTAGE = 0x1;
/** Bits: clock rate limited, throttled, soft temperature limit. */
const SLOWED = 0xe;
/** Offset of the bits of past states. */
const HAS_BEEN_BITS = 16;
const MILLI = 1000;
const PLATFORM = '/sys/devices/platform';

export interface SupplyFacts {
  /** Temperature of the hottest sensor; null where there is none. */
  readonly temperatureC: number | null;
  /**
   * Whether the supply's voltage is too low: now; and how often since the process started; null where the board does
   * not report it.
   */
  readonly isLow: boolean | null;
  readonly timesLow: number;
  readonly isSlowed: boolean | null;
  readonly timesSlowed: number;
}

/** A state of the supply: whether it is so now, how often it began, and when it was last so (monotonic ms). */
interface Seen {
  isNow: boolean | null;
  hasBeen: boolean;
  times: number;
  last: number;
}

const unseen = (): Seen => ({ isNow: null, hasBeen: false, times: 0, last: Number.NEGATIVE_INFINITY });

/** @param hasBeen whether the state occurred since the last query, or the start: only a change to true is news */
function record(seen: Seen, isNow: boolean, hasBeen: boolean, at: number): void {
  const isNews = (isNow && seen.isNow !== true) || (hasBeen && !seen.hasBeen && seen.isNow !== true);
  if (isNews) seen.times += 1;
  if (isNews || isNow) seen.last = at;
  seen.isNow = isNow;
  seen.hasBeen = hasBeen;
}

export class Supply {
  readonly #files: SystemFiles;
  readonly #monotonic: () => number;
  readonly #throttled: string | null;
  readonly #alarm: string | null;
  readonly #low = unseen();
  readonly #slowed = unseen();

  constructor(files: SystemFiles, monotonic: () => number) {
    this.#files = files;
    this.#monotonic = monotonic;
    this.#throttled = throttledFile(files);
    this.#alarm = this.#throttled === null ? alarmFile(files) : null;
  }

  /** Whether the board reports its supply; else it need not be read. */
  get isReported(): boolean {
    return this.#throttled !== null || this.#alarm !== null;
  }

  sample(): void {
    const bits = this.#throttled === null ? null : throttledBits(this.#files.text(this.#throttled));
    const alarm = this.#alarm === null ? null : this.#files.number(this.#alarm);
    const at = this.#monotonic();
    if (bits !== null) {
      record(this.#low, (bits & LOW_VOLTAGE) !== 0, ((bits >> HAS_BEEN_BITS) & LOW_VOLTAGE) !== 0, at);
      record(this.#slowed, (bits & SLOWED) !== 0, ((bits >> HAS_BEEN_BITS) & SLOWED) !== 0, at);
    }
    if (alarm !== null) record(this.#low, alarm !== 0, alarm !== 0, at);
  }

  get facts(): SupplyFacts {
    return {
      temperatureC: temperature(this.#files),
      isLow: this.#low.isNow,
      timesLow: this.#low.times,
      isSlowed: this.#slowed.isNow,
      timesSlowed: this.#slowed.times,
    };
  }

  /** What is wrong; empty when all is well. */
  get reasons(): Reason[] {
    const { temperatureC } = this.facts;
    const reasons: Reason[] = [];
    if (this.#isDue(this.#low)) reasons.push(reasonFor(this.#low, ['supply-low', 'supply-was-low']));
    if (this.#isDue(this.#slowed)) reasons.push(reasonFor(this.#slowed, ['board-slow', 'board-was-slow']));
    if (temperatureC !== null && temperatureC >= HOT_C)
      reasons.push(reasonOf('board-hot', { degrees: Math.round(temperatureC), limit: HOT_C }));
    return reasons;
  }

  #isDue({ isNow, last }: Seen): boolean {
    return isNow === true || this.#monotonic() - last < REPORTED_MS;
  }
}

/** Codes of the present state and of past ones. */
type Codes = readonly ['supply-low' | 'board-slow', 'supply-was-low' | 'board-was-slow'];

const reasonFor = ({ isNow, times }: Seen, [now, before]: Codes): Reason =>
  isNow === true ? reasonOf(now, {}) : reasonOf(before, { n: times });

/** The bits of a text in hexadecimal, with or without `0x`. */
function throttledBits(text: string | null): number | null {
  return text === null || !/^(0x)?[0-9a-f]{1,8}$/i.test(text) ? null : Number.parseInt(text, 16);
}

/** The file of `get_throttled`: below `soc/soc:firmware` on a Raspberry Pi 4, elsewhere on others. */
function throttledFile(files: SystemFiles): string | null {
  for (const bus of files.list(PLATFORM))
    for (const device of [bus, ...files.list(`${PLATFORM}/${bus}`).map((name) => `${bus}/${name}`)]) {
      const file = `${PLATFORM}/${device}/get_throttled`;
      if (device.endsWith('firmware') && files.text(file) !== null) return file;
    }
  return null;
}

function alarmFile(files: SystemFiles): string | null {
  const sensor = files
    .list('/sys/class/hwmon')
    .find((name) => files.text(`/sys/class/hwmon/${name}/name`) === 'rpi_volt');
  return sensor === undefined ? null : `/sys/class/hwmon/${sensor}/in0_lcrit_alarm`;
}

function temperature(files: SystemFiles): number | null {
  const zones = files.list('/sys/class/thermal').filter((name) => name.startsWith('thermal_zone'));
  const known = zones.map((zone) => files.number(`/sys/class/thermal/${zone}/temp`)).filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known) / MILLI;
}
