/** Stores this device's role in its store, and its pairing; durable before a call is answered. */
import { randomUUID } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { ROLES } from '../core/config/index.ts';
import { JsonStore } from '../core/files/index.ts';
import type { Sealer } from '../core/secrets/index.ts';
import { withFailureCodes } from '../recognition/index.ts';

const SEAL_PURPOSE = 'synchronisation';

const PairingSchema = Type.Object({
  /** PEM: the one certificate that this device accepts. */
  certificate: Type.String(),
  masterSerial: Type.String(),
  /** Serial number of this device when it was paired: its credential is good for subjects of that number alone. */
  serial: Type.Optional(Type.String()),
  /** Seed of this device's key. */
  seed: Type.String(),
});

const SettingsSchema = Type.Object({
  /** Distinguishes two devices with one serial number. */
  deviceId: Type.String({ minLength: 1, maxLength: 64 }),
  role: Type.Enum(ROLES),
  upload: Type.Boolean(),
  download: Type.Boolean(),
  limit: Type.Integer({ minimum: 0 }),
  master: Type.Union([Type.Object({ host: Type.String(), port: Type.Integer() }), Type.Null()]),
  pairing: Type.Union([PairingSchema, Type.Null()]),
  /** Ids of the wipes that this device has carried out, the latest last. */
  wiped: Type.Array(Type.String()),
});
type StoredSettings = Static<typeof SettingsSchema>;

/** A slave's pairing; its seed is sealed in the file, and plain in memory. */
export type Pairing = Readonly<Static<typeof PairingSchema>>;

export class SyncSettings {
  readonly #store: JsonStore<StoredSettings>;
  readonly #sealer: Sealer;
  readonly #serial: string;
  /** Whether the role was chosen since the start. */
  #isChosen = false;

  /** @param serial serial number of this device */
  constructor(path: string, sealer: Sealer, serial: string) {
    this.#sealer = sealer;
    this.#serial = serial;
    this.#store = JsonStore.open(path, SettingsSchema, {
      deviceId: randomUUID(),
      role: 'standalone',
      upload: true,
      download: true,
      limit: 0,
      master: null,
      pairing: null,
      wiped: [],
    });
  }

  /** What was wrong with the stored settings at the start, until the role is chosen again; or null. */
  get problem(): string | null {
    return this.#isChosen ? null : this.#store.problem;
  }

  get value(): Readonly<StoredSettings> {
    return this.#store.value;
  }

  /**
   * The serial number of the credential, where this board has another one, because its card came from another device;
   * else null.
   */
  get pairedAs(): string | null {
    const { serial = this.#serial } = this.value.pairing ?? {};
    return serial === this.#serial ? null : serial;
  }

  /** Whether this device has a credential of its own. */
  get isPaired(): boolean {
    return this.value.pairing !== null && this.pairedAs === null;
  }

  /**
   * The pairing with a plain seed; null before this device is paired.
   * @throws {StoreError} `SEAL_BROKEN` where another key sealed it
   */
  get pairing(): Pairing | null {
    const { pairing } = this.value;
    return pairing === null ? null : { ...pairing, seed: this.#sealer.open(pairing.seed, SEAL_PURPOSE) };
  }

  /**
   * Stores changes.
   * @throws {RecognitionError} `Internal.StorageFull`, `Internal.StorageRefused`; nothing has changed then
   */
  async set(changes: Partial<Omit<StoredSettings, 'pairing'>>, pairing?: Pairing | null): Promise<void> {
    const sealed =
      pairing === undefined
        ? this.value.pairing
        : pairing && { ...pairing, serial: this.#serial, seed: this.#sealer.seal(pairing.seed, SEAL_PURPOSE) };
    await withFailureCodes(() => this.#store.write({ ...this.value, ...changes, pairing: sealed }));
    if (changes.role !== undefined) this.#isChosen = true;
  }
}
