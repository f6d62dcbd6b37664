/** A lane with a bank that is asked over HTTP, and the sandbox bank that answers; one clock for both, turned by hand. */
import { join } from 'node:path';
import type { Fault } from '../../../firmware/sandbox-bank/faults.ts';
import { type SandboxBank, startSandboxBank } from '../../../firmware/sandbox-bank/server.ts';
import { Sealer } from '../../../firmware/store/sealer.ts';
import { BankPool } from '../../../firmware/terminal/banks/pool/bank-pool.ts';
import { merchantOf } from '../../../firmware/terminal/banks/registry.ts';
import type { PaymentRow } from '../../../firmware/terminal/ledger/payment-row.ts';
import type { Pacing } from '../../../firmware/terminal/payments/follower.ts';
import { temporaryFolder, until } from '../../support.ts';
import { HandClock, type Lane, openLane } from '../harness.ts';
import type { ConformingBank } from './banks.ts';

/** Roubles of a plain payment, which no script knows. */
const PLAIN = 12_300;
const CONTEXT = { cftBaseUrl: null, sandboxBaseUrl: null };

/** A payment in the sandbox bank's book. */
export interface Booked {
  readonly qrcId: string;
  readonly bankId: string;
  readonly orderId: string | null;
  readonly amount: number;
  readonly state: string;
  readonly charges: number;
  readonly refunded: number;
  readonly link: string;
  readonly coded: boolean;
}

export interface Rig {
  readonly lane: Lane;
  readonly clock: HandClock;
  readonly sandbox: SandboxBank;
  readonly pool: BankPool;
  readonly bank: ConformingBank;
  /** Asks for a payment. @param kopecks the last two digits: what the bank is to do */
  show(kopecks?: number, roubles?: number): Promise<void>;
  /** The payments of the ledger, oldest first. */
  rows(): PaymentRow[];
  /** The bank's book, oldest first. */
  book(): Promise<Booked[]>;
  /** The payer's deed with the code that is on the display. */
  payer(deed: 'pay' | 'decline'): Promise<void>;
  spoil(...faults: readonly Fault[]): void;
  /** Turns the clock. */
  pass(seconds: number): void;
  /** Waits until a payment has come to a state. @param n of the ledger, from 0 */
  ends(state: string, n?: number): Promise<void>;
}

const newPool = (profile: ReturnType<ConformingBank['profile']>): BankPool =>
  new BankPool({
    context: CONTEXT,
    sealer: new Sealer(Buffer.alloc(32, 7)),
    merchants: { of: (each) => merchantOf(each, CONTEXT), find: () => [profile] },
  });

export const onRig =
  (bank: ConformingBank, work: (rig: Rig) => Promise<void>, pacing: Partial<Pacing> = {}) =>
  async (): Promise<void> => {
    using folder = temporaryFolder();
    const clock = new HandClock();
    const sandbox = await startSandboxBank({ port: 0, dataFile: join(folder.path, 'bank.db'), clock });
    const profile = bank.profile(sandbox.url);
    const pool = newPool(profile);
    const lane = await openLane({ clock, real: { pool, profile }, pacing: { bankDeadlineMs: 4000, ...pacing } });
    const rows = (): PaymentRow[] => lane.ledger.after(0, 1000);
    const book = async (): Promise<Booked[]> => {
      const answer = await fetch(`${sandbox.url}/sandbox/payments`);
      return ((await answer.json()) as Booked[]).reverse();
    };
    const rig: Rig = {
      lane,
      clock,
      sandbox,
      pool,
      bank,
      show: async (kopecks = 0, roubles = PLAIN / 100) => {
        await lane.showQR(roubles * 100 + kopecks, { ttl: bank.ttl });
      },
      rows,
      book,
      payer: async (deed) => {
        const { picture } = lane.screen;
        if (picture.kind !== 'qr') throw new Error('no code is on the display');
        const qrcId = picture.payload.split('/').at(-1);
        const answer = await fetch(`${sandbox.url}/sandbox/payments/${qrcId}/${deed}`, { method: 'POST' });
        if (!answer.ok) throw new Error(await answer.text());
      },
      spoil: (...faults) => sandbox.faults.set(faults),
      pass: (seconds) => {
        clock.now += seconds * 1000;
      },
      ends: async (state, n = 0) => {
        await until(`${state} of payment ${n}`, () => rows()[n]?.status.state === state);
      },
    };
    try {
      await work(rig);
    } finally {
      await lane.stop();
      await pool.close();
      await sandbox.close();
    }
  };
