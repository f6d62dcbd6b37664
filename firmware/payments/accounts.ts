/** The totals of a day from the ledgers; at a master, which other lane of the store has taken a payment. */

import type { Clock } from '../core/host/index.ts';
import type { LocalDay } from './model/local-day.ts';
import type { Ledger } from './money/ledger.ts';
import type { RefundLedger } from './money/refund-ledger.ts';
import { type DayReport, DayReports } from './reports/days/day-report.ts';
import type { LanePayments } from './reports/lanes/lane-payments.ts';
import type { Shifts } from './reports/shifts/shifts.ts';

/** The store that the device belongs to. */
export interface StoreOfLanes {
  /**
   * Serial number of the store's master where that is another device; null where this device is the master or has no
   * store.
   */
  master(): string | null;
  /** Serial numbers of the other devices of the store; null on a device that is not the master. */
  devices(): readonly string[] | null;
  /** Where another device of the store is in the shop's network; null where that is not known. */
  addressOf(serial: string): string | null;
}

const ALONE: StoreOfLanes = { master: () => null, devices: () => null, addressOf: () => null };

export interface AccountsOptions {
  /** Serial number. */
  readonly lane: string;
  /** Payments of the store's other lanes. */
  readonly lanePayments: LanePayments;
  readonly clock: Pick<Clock, 'wall'>;
  readonly ledger: Ledger;
  readonly refunds: RefundLedger;
  readonly shifts: Pick<Shifts, 'orders' | 'returning'>;
}

export class Accounts {
  readonly #options: AccountsOptions;
  readonly #days: DayReports;
  #store = ALONE;

  constructor(options: AccountsOptions) {
    this.#options = options;
    this.#days = new DayReports(options);
  }

  /** Makes reconciliations cover the whole store where this device is its master. */
  belongTo(store: StoreOfLanes): void {
    this.#store = store;
    this.#options.lanePayments.belongTo(() => store.devices() ?? []);
  }

  get store(): StoreOfLanes {
    return this.#store;
  }

  /** The ledgers of this lane and the payments of the others, for reconciliation with what a bank reports. */
  get books(): Pick<AccountsOptions, 'lane' | 'ledger' | 'refunds' | 'lanePayments' | 'clock'> {
    return this.#options;
  }

  /** At a master: the other lane of the store that has taken a payment; null for none. */
  laneOf(orderId: string): { readonly serial: string; readonly address: string | null } | null {
    if (this.#store.devices() === null) return null;
    const payment = this.#options.lanePayments.find(orderId);
    return payment === null ? null : { serial: payment.lane, address: this.#store.addressOf(payment.lane) };
  }

  /**
   * The totals of a day of the shop.
   * @param till counts only payments of this till; null for all
   * @throws {StoreError} `ROWS_UNSOUND`
   */
  async dayReport(day: LocalDay, till: string | null = null): Promise<DayReport> {
    await this.#days.count(day);
    return this.#days.of(day, till);
  }
}
