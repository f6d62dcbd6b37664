/** What the devices of a chain say of themselves, followed at the hub: the newest word of each. */
import { DeliverPolicy, jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { messageOf } from '../../drivers/lib/errors.ts';
import { type Inventory, InventorySchema } from '../../firmware/chain/inventory.ts';
import { DIGEST, INVENTORY } from '../../firmware/chain/reporter.ts';
import { STATES, upAtHub } from '../../firmware/chain/subjects.ts';
import { fits } from '../../firmware/store/schema.ts';
import { decodePart } from '../../firmware/sync/centre/subjects.ts';

/** Of `up.<account>.state.<device>.<kind>`. */
const ACCOUNT_AT = 1;
const DEVICE_AT = 3;
const KIND_AT = 4;
const NS_PER_MS = 1_000_000;

export interface WatchedDevice {
  /** Public key of the account of its store. */
  readonly account: string;
  readonly serial: string;
  readonly inventory: Inventory | null;
  /** Figures of `/metrics`, compressed, as it has sent them. */
  readonly digest: Uint8Array | null;
  /** When the hub last heard of it, ms since 1970, by the clock of the hub. */
  readonly heardAt: number;
}

export class DeviceWatch {
  readonly #devices = new Map<string, WatchedDevice>();
  readonly #warn: (message: string) => void;

  constructor(warn: (message: string) => void) {
    this.#warn = warn;
  }

  get devices(): readonly WatchedDevice[] {
    return [...this.#devices.values()];
  }

  /**
   * Follows what is told until the connection ends.
   * @param onCaughtUp when all that lay at the hub has been read
   * @throws the library's error
   */
  async follow(connection: NatsConnection, onCaughtUp: () => void): Promise<void> {
    for await (const pending of this.#taken(connection)) if (pending === 0) onCaughtUp();
  }

  /** Reads what lies at the hub. @throws the library's error */
  async read(connection: NatsConnection): Promise<void> {
    for await (const pending of this.#taken(connection)) if (pending === 0) return;
  }

  /** Yields how many messages are still to come. */
  async *#taken(connection: NatsConnection): AsyncGenerator<number> {
    const consumer = await jetstream(connection).consumers.get(STATES, {
      filter_subjects: upAtHub('*', 'state.>'), // several filters are new in 2.10
      deliver_policy: DeliverPolicy.LastPerSubject,
    });
    if ((await consumer.info()).num_pending === 0) yield 0;
    for await (const { subject, data, info } of await consumer.consume()) {
      this.take(subject, data, info.timestampNanos / NS_PER_MS);
      yield info.pending;
    }
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
