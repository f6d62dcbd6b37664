/** A store of devices around one master, each with a folder of its own: devices join, go away and come back. */
import * as assert from 'uvu/assert';
import { Centre, type MarksDocument } from '../../firmware/sync/centre/centre.ts';
import { freePort } from '../ports.ts';
import { replaced } from '../replaced.ts';
import { call, type TemporaryFolder, temporaryFolder, until } from '../support.ts';
import { agree, BOTH, joinStore, type Lane, type LaneOptions, running, startLane, startMaster } from './rig.ts';

type Directions = typeof BOTH;
export const TAKES: Directions = { upload: false, download: true };

/** Replaces what devices read as the marks of the master, while `work` is at work. */
export async function withMarks(
  given: (real: () => Promise<MarksDocument>) => Promise<MarksDocument>,
  work: () => Promise<void>,
): Promise<void> {
  const real = Centre.prototype.marks;
  using _marks = replaced(Centre.prototype, 'marks', function marks(this: Centre) {
    return given(() => real.call(this));
  });
  await work();
}

export const itemsOf = (lane: Lane): string =>
  lane
    .held()
    .map((name) => name.split('/')[0])
    .join();

export const storeOf = async (lane: Pick<Lane, 'url'>) => (await call(`${lane.url}/console/api/store`)).body;

export const wipe = (lane: Pick<Lane, 'url'>, id = 'first-wipe', master = 'M') =>
  call(`${lane.url}/console/api/store/wipes/${id}`, { method: 'PUT', json: { master } });

/** Waits until these devices, and no others, have carried a deletion of everything out. */
export const forgottenBy = (lane: Pick<Lane, 'url'>, serials: readonly string[]) =>
  until(`forgotten by ${serials.join()}`, async () => {
    const { done } = (await storeOf(lane)).wipe;
    return done.toSorted().join() === serials.toSorted().join();
  });

export class Store implements AsyncDisposable {
  readonly #folders = new Map<string, TemporaryFolder>();
  readonly #lanes = new Map<string, Lane>();
  readonly #port: number;

  private constructor(port: number) {
    this.#port = port;
  }

  /** With a master that runs. @param fill writes what lies in its folder before */
  static async open(options: LaneOptions = {}, fill: (folder: string) => void = () => undefined): Promise<Store> {
    const store = new Store(await freePort());
    fill(store.folderOf('M'));
    await store.#keep('M', (own) => startMaster('M', { ...own, ...options }));
    return store;
  }

  get master(): Lane {
    return this.at('M');
  }

  get lanes(): readonly Lane[] {
    return [...this.#lanes.values()];
  }

  at(serial: string): Lane {
    const lane = this.#lanes.get(serial);
    if (lane === undefined) throw new Error(`${serial} is away`);
    return lane;
  }

  folderOf(serial: string): string {
    const folder = this.#folders.get(serial) ?? temporaryFolder();
    this.#folders.set(serial, folder);
    return folder.path;
  }

  /** Starts a device, where it was before if it was there. */
  async start(serial: string, options: LaneOptions = {}): Promise<Lane> {
    return await this.#keep(serial, (own) => startLane(serial, { ...own, ...options }));
  }

  /** Starts a device and makes it a slave. @param items that it knows before */
  async add(serial: string, directions = BOTH, { items = [], ...options }: LaneOptions & { items?: string[] } = {}) {
    const lane = await this.start(serial, options);
    for (const item of items) await lane.learn(item);
    await joinStore(lane, this.master, directions);
    return lane;
  }

  async leave(serial: string): Promise<void> {
    await this.at(serial).close();
    this.#lanes.delete(serial);
  }

  /** Changes what a slave, or the master, gives and takes. */
  async direct(serial: string, directions: Directions): Promise<void> {
    const lane = this.at(serial);
    if (serial === 'M') await lane.must('set_sync_master', directions);
    else await lane.must('set_sync_slave', { masterIP: '127.0.0.1', mastersyncPort: this.#port, ...directions });
    await running(lane);
  }

  /** All devices that are there have synchronised. */
  async settle(): Promise<void> {
    for (const lane of this.#lanes.values()) await running(lane);
  }

  async wipe(id?: string): Promise<void> {
    assert.is((await wipe(this.master, id)).status, 200);
  }

  forgottenBy(...serials: readonly string[]): Promise<boolean> {
    return forgottenBy(this.master, serials);
  }

  /** All devices that are there come to hold the same templates, which are of these items. */
  async holds(...items: readonly string[]): Promise<string[]> {
    const lanes = [...this.#lanes.values()];
    const held = await agree(lanes, items.length);
    assert.equal(lanes.map(itemsOf), Array(lanes.length).fill(items.toSorted().join()));
    return held;
  }

  async #keep(serial: string, start: (own: LaneOptions) => Promise<Lane>): Promise<Lane> {
    const lane = await start({ folder: this.folderOf(serial), ...(serial === 'M' ? { port: this.#port } : {}) });
    this.#lanes.set(serial, lane);
    return lane;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const lane of [...this.#lanes.values()].reverse()) await lane.close();
    for (const folder of this.#folders.values()) folder[Symbol.dispose]();
  }
}

export const inStore =
  (work: (store: Store) => Promise<void>, options: LaneOptions = {}): (() => Promise<void>) =>
  async () => {
    await using store = await Store.open(options);
    await work(store);
  };
