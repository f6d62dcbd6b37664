/**
 * Decides on the master who is let in: it has the current pairing code and the list of paired devices, and holds no
 * device's secret. Writes the code, and reads it on a slave.
 */
import { join } from 'node:path';
import Type, { type Static } from 'typebox';
import { pause } from '../../drivers/lib/async.ts';
import { ALPHABET, inGroups, randomCharacters, readCharacters } from '../core/host/index.ts';
import { fits, JsonStore } from '../core/store/index.ts';
import { withFailureCodes } from '../recognition/index.ts';
import type { Address } from './centre/connect.ts';
import type { OwnDevice } from './own-device.ts';
import type { Roster } from './roster.ts';

const BITS_OF_A_CHARACTER = 5;
const SECRET_CHARACTERS = 8;
const FINGERPRINT_CHARACTERS = 12;

/**
 * The code that a technician carries from the master to a slave: twenty characters in groups of four. The first eight
 * are a secret that the master forgets after a while. The others are the beginning of the certificate's SHA-256: with
 * these the slave rejects another server that answers at the master's address.
 */
export interface PairingCode {
  readonly secret: string;
  /** First 60 bits of the fingerprint, in the code's own letters. */
  readonly fingerprint: string;
}

export const makeSecret = (): string => randomCharacters(SECRET_CHARACTERS);

/** @param fingerprint SHA-256 of the master's certificate */
export function shortFingerprint(fingerprint: Uint8Array): string {
  const bits = [...fingerprint].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return Array.from({ length: FINGERPRINT_CHARACTERS }, (_, at) => {
    const chunk = bits.slice(at * BITS_OF_A_CHARACTER, (at + 1) * BITS_OF_A_CHARACTER);
    return ALPHABET[Number.parseInt(chunk, 2)];
  }).join('');
}

export const writeCode = ({ secret, fingerprint }: PairingCode): string => inGroups(secret + fingerprint);

/** Reads a typed code: any case, with or without the dashes. Null for any other text. */
export function readCode(text: string): PairingCode | null {
  const code = readCharacters(text, SECRET_CHARACTERS + FINGERPRINT_CHARACTERS);
  return code === null
    ? null
    : { secret: code.slice(0, SECRET_CHARACTERS), fingerprint: code.slice(SECRET_CHARACTERS) };
}

const MARK = 'LANEWARE-PAIR';
const TEXT = new RegExp(`^${MARK} ([A-Z0-9-]{20,40}) ([A-Za-z0-9._-]{1,253}|\\[[0-9A-Fa-f:.]+\\]):([0-9]{1,5})$`);
const MOST_PORT = 65_535;

export const pairingText = (code: string, { host, port }: Address): string =>
  `${MARK} ${code} ${host.includes(':') ? `[${host}]` : host}:${port}`;

/** Reads the text of a master's QR code; null for any other code: of goods, or of another make. */
export function readPairingText(text: string): { readonly code: PairingCode; readonly master: Address } | null {
  const [, written = '', host = '', digits = ''] = TEXT.exec(text) ?? [];
  const code = readCode(written);
  const port = Number(digits);
  if (code === null || port < 1 || port > MOST_PORT) return null;
  return { code, master: { host: host.replace(/^\[|\]$/g, ''), port } };
}

/** Long enough for a person to turn a phone until its code is read. */
const LOOK_FOR_MS = 9_000;
const LOOK_EVERY_MS = 150;

type SeenCode = NonNullable<ReturnType<typeof readPairingText>>;

/**
 * Waits until this device's camera sees a pairing code, for a technician who has asked for it.
 * @param look reads the codes in the newest frame @returns null where none was seen in time, or the caller has gone
 */
export async function seenCode(
  look: () => Promise<readonly string[]>,
  gone: AbortSignal,
  limitMs = LOOK_FOR_MS,
): Promise<SeenCode | null> {
  const over = AbortSignal.any([gone, AbortSignal.timeout(limitMs)]);
  while (!over.aborted) {
    for (const text of await look()) {
      const read = readPairingText(text);
      if (read !== null && !gone.aborted) return read;
    }
    await pause(LOOK_EVERY_MS, over);
  }
  return null;
}

export const NO_REQUEST = 'the request is not what a device sends';
/** How long the master knows the secret. */
const CODE_LIFE_MS = 15 * 60_000;
/** A running device answers a knock within this; a device that asks to be paired waits longer (PAIR_LIMIT_MS). */
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

  /**
   * @param onChange tells the server who is let in from now on
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

  /** What was wrong with the list of devices at start, or null. */
  get problem(): string | null {
    return this.#store.problem;
  }

  /** Secret of the current code; null where none is shown. */
  get secret(): string | null {
    return this.#code?.secret ?? null;
  }

  /** The current code, or a new one where that is old. */
  async code(): Promise<{ secret: string; seconds: number }> {
    const { clock } = this.#own;
    let code = this.#code;
    if (code === null || code.end - clock.monotonic() < CODE_LIFE_MS / 2) {
      this.dropCode();
      const timer = setTimeout(() => this.#endCode(), CODE_LIFE_MS);
      code = { secret: makeSecret(), end: clock.monotonic() + CODE_LIFE_MS, timer };
      this.#code = code;
    }
    // for a young one too: the server may not have learned it when it was made
    await this.#onChange();
    return { secret: code.secret, seconds: Math.round((code.end - clock.monotonic()) / 1000) };
  }

  /** Revokes a device's credential, which disconnects it at once. False where it was not paired. */
  async revoke(serial: string): Promise<boolean> {
    // the revoked device may have seen the present code
    this.dropCode();
    const isKnown = this.#find(serial) !== undefined;
    if (isKnown) await this.#keep(this.#others(serial));
    // known or not: what an earlier attempt took from the list may not have reached the server
    await this.#onChange();
    if (isKnown) {
      this.#roster.forget(serial);
      this.#own.log.info({ serial }, 'the credential of a device was taken');
    }
    return isKnown;
  }

  /** Pairs a device; returns why not, or null. */
  async pair(request: unknown): Promise<string | null> {
    if (!fits(PairRequest, request)) return NO_REQUEST;
    const outcome = await this.#pair(request);
    if (outcome !== 'repeated') this.#own.onPairing(request.serial, outcome);
    return outcome === 'repeated' ? null : outcome;
  }

  /** Pairs a device; returns why not, null when it is paired now, or `repeated` when it was before. */
  async #pair(request: PairedDevice): Promise<string | null> {
    const { log, clock } = this.#own;
    const { serial, key } = request;
    const isOwn = serial === this.#own.serial;
    const isTaken = isOwn || (await this.#isTaken(request));
    if (this.#code === null) return 'no pairing code is shown: have the master show one';
    if (isTaken) {
      this.#roster.conflict(serial, clock.monotonic());
      log.warn({ serial }, 'a second device with this serial number wants to be paired and is refused');
      const advice = isOwn ? '' : 'switch that one off and pair again, or ';
      return `another device with the serial number ${serial} is at work in this store: ${advice}give one of them another`;
    }
    // one that missed the answer asks again with the same key: it is answered when the server knows it for sure
    const isRepeated = this.#find(serial)?.key === key && !this.#isOther(request);
    if (!isRepeated) {
      if (this.#isOther(request)) this.#roster.forget(serial); // the entry of the board before it was reflashed
      await this.#keep([...this.#others(serial), request]);
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

  async #keep(devices: PairedDevice[]): Promise<void> {
    await withFailureCodes(() => this.#store.write(devices));
  }

  /** Whether its serial number belongs to another device by now. */
  #isOther({ serial, deviceId }: PairedDevice): boolean {
    const present = this.#find(serial);
    return present !== undefined && present.deviceId !== deviceId;
  }

  /** Whether another, running device has its serial number. The asking device may have been paired meanwhile. */
  async #isTaken(request: PairedDevice): Promise<boolean> {
    return this.#isOther(request) && (await this.#isAtWork(request.serial)) && this.#isOther(request);
  }

  /**
   * Whether the device with this serial number reports its status when it is asked. An earlier report is not enough: a
   * board may have sent it a minute before it was reflashed.
   */
  async #isAtWork(serial: string): Promise<boolean> {
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
