/**
 * Decides, on the master, which devices are paired. It has the current pairing code and the list of paired devices with
 * their public keys; it stores no device's secret.
 */

import { join } from 'node:path';
import Type, { type Static } from 'typebox';
import { pause } from '../../drivers/lib/async.ts';
import { JsonStore } from '../core/files/index.ts';
import { fits } from '../core/schema/index.ts';
import { withFailureCodes } from '../recognition/index.ts';
import type { OwnDevice } from './own-device.ts';
import { CODE_LIFE_MS, makeSecret } from './pairing-code.ts';
import type { Roster } from './roster.ts';

export const NO_REQUEST = 'the request is not what a device sends';
/**
 * A running device answers a knock within this time; a device that asks to be paired waits longer (`PAIR_LIMIT_MS`).
 */
const KNOCK_MS = 4000;
const LISTEN_AGAIN_MS = 50;

const PairRequest = Type.Object({
  serial: Type.String({ minLength: 1, maxLength: 64 }),
  deviceId: Type.String({ minLength: 1, maxLength: 64 }),
  /** Public NKey. */
  key: Type.String({ pattern: '^U[A-Z2-7]{55}$' }),
});
export type PairedDevice = Static<typeof PairRequest>;

type Own = Pick<OwnDevice, 'serial' | 'clock' | 'log' | 'onPairing'>;

interface Code {
  readonly secret: string;
  /** When the code expires, monotonic ms. */
  readonly end: number;
  readonly timer: NodeJS.Timeout;
}

export class PairingService {
  readonly #own: Own;
  readonly #roster: Roster;
  readonly #onChange: () => Promise<void>;
  readonly #knock: () => void;
  readonly #store: JsonStore<PairedDevice[]>;
  #code: Code | null = null;
  /** Whether a device was paired or revoked since the start. */
  #isChanged = false;

  /**
   * @param onChange configures the server for the current code and devices
   * @param knock makes each running device report its status
   */
  constructor(own: Own, folder: string, roster: Roster, onChange: () => Promise<void>, knock: () => void) {
    this.#own = own;
    this.#roster = roster;
    this.#onChange = onChange;
    this.#knock = knock;
    this.#store = JsonStore.open(join(folder, 'devices.json'), Type.Array(PairRequest), []);
  }

  get devices(): readonly PairedDevice[] {
    return this.#store.value;
  }

  /** What was wrong with the list of devices at the start, until a person changes the list; or null. */
  get problem(): string | null {
    return this.#isChanged ? null : this.#store.problem;
  }

  /** Whether the list may lack devices that were paired. */
  get isDoubtful(): boolean {
    return this.#store.problem !== null;
  }

  /** Secret of the current code; null where none is shown. */
  get secret(): string | null {
    return this.#code?.secret ?? null;
  }

  /** The current code, or a new one where less than half of its life is left; with the seconds left. */
  async code(): Promise<{ secret: string; seconds: number }> {
    const { clock } = this.#own;
    let code = this.#code;
    if (code === null || code.end - clock.monotonic() < CODE_LIFE_MS / 2) {
      this.dropCode();
      const timer = setTimeout(() => this.#endCode(), CODE_LIFE_MS);
      code = { secret: makeSecret(), end: clock.monotonic() + CODE_LIFE_MS, timer };
      this.#code = code;
    }
    // also for an existing code: configuring the server may have failed when it was made
    await this.#onChange();
    return { secret: code.secret, seconds: Math.round((code.end - clock.monotonic()) / 1000) };
  }

  /** Revokes a device's credential, which disconnects it at once. @returns whether it was paired */
  async revoke(serial: string): Promise<boolean> {
    // the revoked device may know the current code
    this.dropCode();
    const isKnown = this.#find(serial) !== undefined;
    if (isKnown) await this.#save(this.#others(serial));
    // known or not: an earlier call may have changed the list and not reached the server
    await this.#onChange();
    if (isKnown) {
      this.#roster.forget(serial);
      this.#own.log.info({ serial }, 'the credential of a device was taken');
    }
    return isKnown;
  }

  /** Pairs a device. @returns why it is refused, or null */
  async pair(request: unknown): Promise<string | null> {
    if (!fits(PairRequest, request)) return NO_REQUEST;
    const outcome = await this.#pair(request);
    if (outcome !== 'repeated') this.#own.onPairing(request.serial, outcome);
    return outcome === 'repeated' ? null : outcome;
  }

  /** Pairs a device. @returns why it is refused, null where it is paired now, or `repeated` where it already was */
  async #pair(request: PairedDevice): Promise<string | null> {
    const { log, clock } = this.#own;
    const { serial, key } = request;
    const isOwn = serial === this.#own.serial;
    const isTaken = isOwn || (await this.#isTaken(request));
    if (this.#code === null) return 'no pairing code is shown: have the master show one';
    if (isTaken) {
      this.#roster.recordConflict(serial, clock.monotonic());
      log.warn({ serial }, 'a second device with this serial number wants to be paired and is refused');
      const advice = isOwn ? '' : 'switch that one off and pair again, or ';
      return `another device with the serial number ${serial} is at work in this store: ${advice}give one of them another`;
    }
    // a device that missed the answer asks again with the same key, and gets the answer once the server has its key
    const isRepeated = this.#find(serial)?.key === key && !this.#isOther(request);
    if (!isRepeated) {
      if (this.#isOther(request)) this.#roster.forget(serial); // the status of the board before it was reflashed
      await this.#save([...this.#others(serial), request]);
    }
    await this.#onChange();
    if (isRepeated) return 'repeated';
    log.info({ serial }, 'a device was paired');
    return null;
  }

  #find(serial: string): PairedDevice | undefined {
    return this.devices.find((device) => device.serial === serial);
  }

  #others(serial: string): PairedDevice[] {
    return this.devices.filter((device) => device.serial !== serial);
  }

  async #save(devices: PairedDevice[]): Promise<void> {
    await withFailureCodes(() => this.#store.write(devices));
    this.#isChanged = true;
  }

  /** Whether the list has another device with this serial number. */
  #isOther({ serial, deviceId }: PairedDevice): boolean {
    const present = this.#find(serial);
    return present !== undefined && present.deviceId !== deviceId;
  }

  /**
   * Whether another, running device has this serial number. Checked twice: the asking device may be paired meanwhile.
   */
  async #isTaken(request: PairedDevice): Promise<boolean> {
    return this.#isOther(request) && (await this.#doesAnswer(request.serial)) && this.#isOther(request);
  }

  /**
   * Whether the device with this serial number reports its status when asked to. An earlier report does not count: a
   * board may have sent it a minute before it was reflashed.
   */
  async #doesAnswer(serial: string): Promise<boolean> {
    const { clock } = this.#own;
    const asked = clock.monotonic();
    const before = this.#roster.last(serial)?.at;
    this.#knock();
    while (clock.monotonic() - asked < KNOCK_MS) {
      await pause(LISTEN_AGAIN_MS);
      if (this.#roster.last(serial)?.at !== before) return true;
    }
    return false;
  }

  dropCode(): void {
    clearTimeout(this.#code?.timer);
    this.#code = null;
  }

  #endCode(): void {
    this.dropCode();
    this.#onChange().catch((error: unknown) => {
      this.#own.log.warn({ err: error }, 'the pairing code could not be taken back');
    });
  }
}
