/** A lane with a bank that is asked over HTTP or HTTPS, and the sandbox bank that answers; one clock for both, turned by hand. */

import { join } from 'node:path';
import { BankPool } from '../../../firmware/banks/bank-pool.ts';
import type { BankProfile } from '../../../firmware/banks/registry.ts';
import type { PaymentRow } from '../../../firmware/payments/model/payment-row.ts';
import type { Pacing } from '../../../firmware/payments/service/outcome/poll-schedule.ts';
import type { Fault } from '../../../firmware/tools/sandbox-bank/faults.ts';
import type { SandboxPayment } from '../../../firmware/tools/sandbox-bank/payment.ts';
import { type Banks, startBanks } from '../../banks/banks.ts';
import { temporaryFolder } from '../../support.ts';
import { poolOf } from '../banks/pools.ts';
import { introduce } from '../banks/profiles.ts';
import { HandClock, type Lane, openLane, until } from '../harness.ts';
import { paymentsAfter } from '../ledger-rows.ts';
import type { ConformingBank } from './banks.ts';

/** Roubles of a plain payment, which no script knows. */
const PLAIN_ROUBLES = 123;
const LISTED = 1000;

export interface Rig {
  readonly lane: Lane;
  readonly clock: HandClock;
  readonly sandbox: Banks;
  readonly pool: BankPool;
  readonly bank: ConformingBank;
  /** Sets the till up anew, as the bank has it. */
  readonly setUp: () => BankProfile;
  /** Asks for a payment. @param kopecks the last two digits: what the bank is to do */
  show(kopecks?: number, roubles?: number): Promise<void>;
  /** The payments of the ledger, oldest first. */
  rows(): PaymentRow[];
  /** The bank's book, oldest first. */
  book(): SandboxPayment[];
  spoil(...faults: readonly Fault[]): void;
  /** Turns the clock. */
  pass(seconds: number): void;
  /** Waits until a payment has come to a state. @param n of the ledger, from 0 */
  ends(state: string, n?: number): Promise<void>;
}

export interface RigParts {
  readonly pacing?: Partial<Pacing>;
}

export const onRig =
  (bank: ConformingBank, work: (rig: Rig) => Promise<void>, { pacing }: RigParts = {}) =>
  async (): Promise<void> => {
    using own = temporaryFolder();
    const clock = new HandClock();
    const sandbox = await startBanks({ port: 0, dataFile: join(own.path, 'bank.db'), clock });
    introduce(sandbox);
    const profileNow = (): BankProfile => bank.profile({ url: sandbox.url, folder: own.path });
    let profile = profileNow();
    const pool = new BankPool(...poolOf(clock, () => [profile]));
    const real = {
      pool,
      get profile() {
        return profile;
      },
    };
    const lane = await openLane({ clock, real, pacing: { bankDeadlineMs: 4000, ...pacing } });
    const rig: Rig = {
      lane,
      clock,
      sandbox,
      pool,
      bank,
      setUp: () => {
        profile = profileNow();
        return profile;
      },
      show: async (kopecks = 0, roubles = PLAIN_ROUBLES) => {
        await lane.showQR(roubles * 100 + kopecks, { ttl: bank.ttl });
      },
      rows: () => paymentsAfter(lane.ledger, 0, LISTED),
      book: () => sandbox.payments.list(LISTED).toReversed(),
      spoil: (...faults) => sandbox.faults.set(faults),
      pass: (seconds) => {
        clock.now += seconds * 1000;
      },
      ends: async (state, n = 0) => {
        await until(`${state} of payment ${n}`, () => rig.rows()[n]?.status.state === state);
      },
    };
    try {
      await work(rig);
    } finally {
      await lane.stop();
      await pool.opened.close();
      await sandbox.close();
    }
  };
