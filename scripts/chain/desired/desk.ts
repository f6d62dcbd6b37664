/** What the chain wants configured, as it lies at the hub: set, shown, taken back. */
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { CONFIG, configOf, DesiredDocument } from '../../../firmware/chain/desired-document.ts';
import type { Place } from '../../../firmware/chain/signed-document.ts';
import { DOWN, downAtHub } from '../../../firmware/chain/subjects.ts';
import { ConfigError, loadConfig } from '../../../firmware/config/load.ts';
import { problemsWith, sentence } from '../../../firmware/store/schema.ts';
import { decodePart, encodePart } from '../../../firmware/sync/centre/subjects.ts';
import { documentAt, putDocument } from '../down.ts';
import { ChainFailure } from '../failures.ts';
import { type KeyFolder, pairOf } from '../keys.ts';

export type Settings = DesiredDocument['settings'];

/** All stores, a store, or a device of it. */
export interface Target {
  readonly store: string | null;
  readonly serial: string | null;
}

interface TargetSettings {
  readonly target: Target;
  readonly number: number;
  readonly settings: Settings;
}

export const nameOf = ({ store, serial }: Target): string =>
  [store ?? 'all', ...(serial === null ? [] : [serial])].join('/');

export class ConfigDesk {
  readonly #connection: NatsConnection;
  readonly #folder: KeyFolder;
  readonly #now: () => number;

  /** @param now ms since 1970 */
  constructor(connection: NatsConnection, folder: KeyFolder, now: () => number) {
    this.#connection = connection;
    this.#folder = folder;
    this.#now = now;
  }

  /** @returns its number @throws {ChainFailure} what no device could take, too */
  async set(target: Target, settings: Settings): Promise<number> {
    return await this.#change(target, (before) => ({ ...before, ...settings }));
  }

  /** @param keys all where none is named @throws {ChainFailure} */
  async unset(target: Target, keys: readonly string[]): Promise<number> {
    return await this.#change(target, (before) => {
      const unknown = keys.find((key) => !Object.hasOwn(before, key));
      if (unknown !== undefined) throw new ChainFailure(`${unknown} is not set for ${nameOf(target)}`);
      const left = Object.entries(before).filter(([key]) => keys.length > 0 && !keys.includes(key));
      return Object.fromEntries(left);
    });
  }

  /** What is set for all, then what is set for stores and their devices. @throws {ChainFailure} */
  async list(): Promise<readonly TargetSettings[]> {
    const targets: Target[] = [{ store: null, serial: null }];
    for (const { name } of this.#folder.stores)
      targets.push({ store: name, serial: null }, ...(await this.#devicesOf(name)));
    const listed: TargetSettings[] = [];
    for (const target of targets) {
      const { document, sequence } = await this.#read(target);
      if (document === null && sequence > 0)
        throw new ChainFailure(
          `what lies at the hub as the configuration of ${nameOf(target)} is not signed by this chain: somebody else writes there. Devices do not take it; scripts/chain.sh config set puts another in its place`,
        );
      if (document !== null && Object.keys(document.settings).length > 0)
        listed.push({ target, number: document.number, settings: document.settings });
    }
    return listed;
  }

  async #devicesOf(store: string): Promise<Target[]> {
    const manager = await jetstreamManager(this.#connection);
    const below = downAtHub(this.#accountOf(store), `${CONFIG}.`);
    const { state } = await manager.streams.info(DOWN, { subjects_filter: `${below}*` });
    const serials = Object.keys(state.subjects ?? {}).map((subject) => decodePart(subject.slice(below.length)));
    return serials.flatMap((serial) => (serial === null ? [] : [{ store, serial }]));
  }

  async #change(target: Target, change: (before: Settings) => Settings): Promise<number> {
    const { document, sequence } = await this.#read(target);
    const settings = change(document?.settings ?? {});
    requireUsable(settings);
    const now = this.#now();
    const number = Math.max((document?.number ?? 0) + 1, now);
    const body = JSON.stringify({ format: 1, number, settings } satisfies DesiredDocument);
    await putDocument(this.#connection, this.#folder.keys, { place: this.#placeOf(target), body, on: sequence, now });
    return number;
  }

  /** No document, but a sequence: what lies there is not signed by this chain. */
  async #read(target: Target): Promise<{ document: DesiredDocument | null; sequence: number }> {
    const found = await documentAt(this.#connection, this.#folder.keys, this.#placeOf(target));
    if (found === null || found.body === null) return { document: null, sequence: found?.sequence ?? 0 };
    const said: unknown = JSON.parse(found.body);
    const [problem] = problemsWith(DesiredDocument, said);
    if (problem !== undefined) throw new ChainFailure(`the configuration at the hub: ${sentence(problem, 'it')}`);
    return { document: said as DesiredDocument, sequence: found.sequence };
  }

  #placeOf({ store, serial }: Target): Place {
    const key = serial === null ? CONFIG : configOf(encodePart(serial));
    return { store: store === null ? null : this.#accountOf(store), key };
  }

  #accountOf(store: string): string {
    return pairOf(this.#folder.store(store).seed).getPublicKey();
  }
}

/** By the configuration of this clone; each device judges it by its own, too. */
function requireUsable(settings: Settings): void {
  try {
    loadConfig(null, {}, settings);
  } catch (error) {
    if (error instanceof ConfigError) throw new ChainFailure(error.problems.join('; '), { cause: error });
    throw error;
  }
}
