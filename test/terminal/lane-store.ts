/** A store in this process: a master's books, and what its lanes have sent it. */
import { join } from 'node:path';
import type { Reconciliation } from '../../firmware/features/reconciliation/differences.ts';
import { Reconciliations } from '../../firmware/features/reconciliation/reconciliations.ts';
import { Accounts } from '../../firmware/payments/accounts.ts';
import { localDayOf } from '../../firmware/payments/model/local-day.ts';
import { LanePayments } from '../../firmware/payments/reports/lanes/lane-payments.ts';
import { OrderCache } from '../../firmware/payments/reports/order-cache.ts';
import { temporaryFolder } from '../support.ts';
import { COLUMNS, MORNING, registryOf, send, TestLane } from './lane-rig.ts';

export const EVENING = MORNING + 10 * 3_600_000;

/** A master with its own lane, and two others. */
export class Store implements Disposable {
  readonly #folder = temporaryFolder();
  readonly lanes: readonly TestLane[];
  readonly clock = { at: EVENING, mono: 0, wall: () => this.clock.at, monotonic: () => this.clock.mono };
  devices: string[] = ['LW2', 'LW3'];
  payments: LanePayments;

  constructor() {
    this.lanes = ['LW1', 'LW2', 'LW3'].map((serial) => new TestLane(serial, this.path));
    this.payments = this.open();
  }

  get path(): string {
    return this.#folder.path;
  }

  lane(number: 1 | 2 | 3): TestLane {
    const lane = this.lanes[number - 1];
    if (lane === undefined) throw new Error(`there is no lane ${number}`);
    return lane;
  }

  open(name = 'lanes.db'): LanePayments {
    return new LanePayments({ path: join(this.path, name), clock: this.clock });
  }

  /** The process ends, and another begins. */
  restart(): void {
    this.payments.close();
    this.payments = this.open();
  }

  /** Whatever is left is sent. @returns how many records */
  async sendAll(isLost?: () => boolean): Promise<number> {
    let count = 0;
    for (const lane of this.lanes.slice(1)) count += await send(lane, this.payments, isLost);
    return count;
  }

  reconcile(lines: readonly TestLane[] = this.lanes, day = localDayOf(MORNING).day): Promise<Reconciliation> {
    const { ledger, refunds } = this.lane(1);
    const config = { registries: {}, registryOperations: {}, bankTimeZone: null };
    const accounts = new Accounts({
      ...{ clock: this.clock, lane: 'LW1', ledger, refunds, lanePayments: this.payments },
      shifts: { orders: new OrderCache(ledger, refunds), returning: () => [] },
    });
    accounts.belongTo({ master: () => null, devices: () => this.devices, addressOf: () => null });
    const file = { file: registryOf(lines), columns: COLUMNS, registry: null, dates: null, method: null };
    return new Reconciliations(accounts, config).reconcile([file], {
      from: day,
      to: day,
      profile: null,
      operations: {},
    });
  }

  [Symbol.dispose](): void {
    this.payments.close();
    for (const lane of this.lanes) lane.close();
    this.#folder[Symbol.dispose]();
  }
}

/** Runs a test with a store of its own: `const it = each(test, onStore)`. */
export const onStore = (run: (store: Store) => Promise<void> | void) => async (): Promise<void> => {
  using store = new Store();
  await run(store);
};

export const sums = ({ lanes }: Reconciliation) => lanes.map(({ lane, taken, returned }) => [lane, taken, returned]);
export const sold = (lanes: readonly TestLane[]) => lanes.map(({ serial, sold, returned }) => [serial, sold, returned]);
export const kinds = ({ differences }: Reconciliation) => differences.map(({ kind, lane }) => [kind, lane]);
export const missing = ({ lanes }: Reconciliation) =>
  lanes.filter(({ isMissing }) => isMissing).map(({ lane }) => lane);

/** Sales of all kinds, by a seed. */
export function sellMany(lane: TestLane, count: number, random: () => number): void {
  for (let n = 0; n < count; n++) {
    const by = (['order', 'code', 'rrn'] as const)[Math.floor(random() * 3)] ?? 'order';
    const kopecks = 100 + Math.floor(random() * 1_000_000);
    if (random() < 0.1) lane.sell(kopecks, { state: 'REJECTED' });
    else {
      const order = lane.sell(kopecks, { by });
      if (random() < 0.2) lane.refund(order, 1 + Math.floor(random() * kopecks), random() < 0.5 ? 'rrn' : 'order');
    }
  }
}
