/** What the devices of a chain say of themselves, followed at the hub: the newest word of each. */
import type { NatsConnection } from '@nats-io/transport-node';
import { messageOf } from '../../drivers/lib/errors.ts';
import { type Inventory, InventorySchema } from '../../firmware/chain/inventory.ts';
import { DIGEST, INVENTORY } from '../../firmware/chain/reporter.ts';
import { STATES, upAtHub } from '../../firmware/chain/subjects.ts';
import { fits } from '../../firmware/store/schema.ts';
import { decodePart } from '../../firmware/sync/centre/subjects.ts';
import { readNewest } from './stored.ts';

/** Of `up.<account>.state.<device>.<kind>`. */
const ACCOUNT_AT = 1;
const DEVICE_AT = 3;
const KIND_AT = 4;
const WORDS_OF_ALL = { stream: STATES, filter: upAtHub('*', 'state.>') };

export interface WatchedDevice {
  /** Public key of the account of its store. */
  readonly account: string;
  readonly serial: string;
  readonly inventory: Inventory | null;
  /** Figures of `/metrics`, compressed, as it has sent them. */
  readonly digest: Uint8Array | null;
  /** When it was last heard, ms since 1970: by the clock of the hub, or by that of the reader. */
  readonly heardAt: number;
}

/** What devices of stores that belong to the chain report: what a removed one has said counts no more. @param stores by their accounts */
export async function readDevices(
  connection: NatsConnection,
  stores: ReadonlyMap<string, string>,
  warn: (message: string) => void,
): Promise<readonly WatchedDevice[]> {
  const watch = new DeviceWatch(warn);
  await watch.read(connection);
  return watch.devices.filter(({ account }) => stores.has(account));
}

export class DeviceWatch {
  readonly #devices = new Map<string, WatchedDevice>();
  readonly #warn: (message: string) => void;
  readonly #now: () => number;

  constructor(warn: (message: string) => void, now: () => number = Date.now) {
    this.#warn = warn;
    this.#now = now;
  }

  get devices(): readonly WatchedDevice[] {
    return [...this.#devices.values()];
  }

  /**
   * Follows what is reported until the connection ends.
   * @param onCaughtUp when all that lay at the hub has been read
   * @param api where a reader asks
   * @throws the library's error
   */
  async follow(connection: NatsConnection, onCaughtUp: () => void, api?: string): Promise<void> {
    const messages = connection.subscribe(WORDS_OF_ALL.filter); // before it reads: nothing is missed in between
    await this.read(connection, api);
    onCaughtUp();
    for await (const { subject, data } of messages) this.take(subject, data, this.#now());
  }

  /** Reads what lies at the hub. @throws the library's error */
  async read(connection: NatsConnection, api?: string): Promise<void> {
    await readNewest(connection, { ...WORDS_OF_ALL, api }, ({ subject, data, time }) =>
      this.take(subject, data, time.getTime()),
    );
  }

  /** @param at ms since 1970. What is not a word of a device is left out: a store may say anything, of itself. */
  take(subject: string, data: Uint8Array, at: number): void {
    const words = subject.split('.');
    const [account, part, kind] = [words[ACCOUNT_AT], words[DEVICE_AT], words[KIND_AT]];
    const serial = part === undefined ? null : decodePart(part);
    if (account === undefined || serial === null) return;
    const key = `${account}.${part}`;
    const known = this.#devices.get(key) ?? { account, serial, inventory: null, digest: null, heardAt: 0 };
    const heard = { ...known, heardAt: Math.max(known.heardAt, at) };
    if (kind === DIGEST) this.#devices.set(key, { ...heard, digest: data });
    if (kind !== INVENTORY) return;
    const inventory = this.#inventoryIn(subject, data);
    if (inventory !== null) this.#devices.set(key, { ...heard, inventory });
  }

  #inventoryIn(subject: string, data: Uint8Array): Inventory | null {
    try {
      const said: unknown = JSON.parse(Buffer.from(data).toString());
      if (fits(InventorySchema, said)) return said;
      this.#warn(`${subject}: no inventory of this release`);
    } catch (error) {
      this.#warn(`${subject}: ${messageOf(error)}`);
    }
    return null;
  }
}
