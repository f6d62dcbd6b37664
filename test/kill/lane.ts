/** A device that takes payments and is killed, and a bank beside it that lives on and keeps a book of its own. */
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { openFile } from '../../firmware/core/files/database.ts';
import type { Fault } from '../../firmware/tools/sandbox-bank/faults.ts';
import type { SandboxPayment } from '../../firmware/tools/sandbox-bank/payment.ts';
import { type Banks, startBanks } from '../banks/banks.ts';
import { startFirmware, type Urls } from '../process.ts';
import { type Answer, CFT, call, QUICK, SCREEN, type TemporaryFolder, temporaryFolder, until } from '../support.ts';
import { Killable } from './killable.ts';

const ALL = 1000;
const FOR_EVER = 1_000_000;

export const cftSettings = (baseUrl: string) => ({
  bankProfile: 'cft',
  bankProfiles: { cft: { ...CFT, baseUrl } },
  deviceConnection: SCREEN,
});

/** What the ledger has to say of a payment that was shown, by what the bank's book says of it. */
const LEDGER_STATES: Readonly<Record<SandboxPayment['state'], readonly string[]>> = {
  open: ['PENDING'],
  processing: ['PENDING'],
  paid: ['ACCEPTED'],
  declined: ['REJECTED'],
  cancelled: ['CANCELED'],
  expired: ['CANCELED'],
};
const OUTCOMES: readonly SandboxPayment['state'][] = ['paid', 'declined'];

export interface Row {
  readonly orderId: string;
  readonly amount: number;
  readonly state: string;
  /** Whether its code may have been seen. */
  readonly seen: boolean;
  readonly bankId: string | null;
  readonly called: number;
  readonly key: string | null;
}

export interface KilledLaneOptions {
  /** What is set up. @param bank address of the sandbox bank */
  readonly settings?: (bank: string) => object;
  /** Of the configuration, as LANEWARE_ variables. */
  readonly config?: Readonly<Record<string, string>>;
  /** Other variables of the process. @param dataDir its folder */
  readonly env?: (dataDir: string) => Readonly<Record<string, string>>;
}

export class KilledLane implements AsyncDisposable {
  readonly #folder: TemporaryFolder;
  readonly bank: Banks;
  readonly device: Killable<Urls>;

  private constructor(folder: TemporaryFolder, bank: Banks, { config = {}, env = () => ({}) }: KilledLaneOptions) {
    this.#folder = folder;
    this.bank = bank;
    const settings = { LANEWARE_SANDBOXBANK_ENABLED: 'false', ...config };
    this.device = new Killable(async () => {
      const { program, urls } = await startFirmware(this.#dataDir, {
        settings,
        tuning: QUICK,
        env: env(this.#dataDir),
      });
      return { program, ready: urls };
    });
  }

  static async open(options: KilledLaneOptions = {}): Promise<KilledLane> {
    const { settings = cftSettings } = options;
    const folder = temporaryFolder();
    const bank = await startBanks({ port: 0, dataFile: join(folder.path, 'bank.db') });
    const lane = new KilledLane(folder, bank, options);
    const answer = await lane.ask('/updateDriverSettings', { json: { settings: settings(bank.url) } });
    if (answer.status !== 200) throw new Error(`the device could not be set up: ${answer.text}`);
    return lane;
  }

  get #dataDir(): string {
    return join(this.#folder.path, 'device');
  }

  /** Calls the terminal, which is started where it does not run. */
  async ask(path: string, init: RequestInit & { json?: unknown } = {}): Promise<Answer> {
    const { terminal } = await this.device.start();
    return call(`${terminal}${path}`, init);
  }

  /** The same, of a till that does not mind if the device goes away: null for no answer. */
  async tryAsking(path: string, init: RequestInit & { json?: unknown } = {}): Promise<Answer | null> {
    const { terminal } = await this.device.start();
    return call(`${terminal}${path}`, init).catch(() => null);
  }

  /** The answers of the bank to a call come so late that a kill fits between. */
  slow(call: Fault['call'], ms: number, ...first: readonly Fault[]): void {
    this.bank.faults.set([...first, { call, kind: 'delay', ms, times: FOR_EVER }]);
  }

  /** What the ledger says. */
  read(query: string): Record<string, unknown>[] {
    using db = openFile(join(this.#dataDir, 'money.db'), { readOnly: true });
    return db.prepare(query).all();
  }

  rows(): Row[] {
    return this.read('SELECT * FROM payments ORDER BY id').map((row) => ({
      orderId: String(row.order_id),
      amount: Number(row.amount),
      state: String(row.state),
      seen: row.seen === 1,
      bankId: row.bank_id === null ? null : String(row.bank_id),
      called: Number(row.called),
      key: row.sale_key === null ? null : String(row.sale_key),
    }));
  }

  /** What the bank says, the newest first. */
  book(): SandboxPayment[] {
    return this.bank.payments.list(ALL);
  }

  inBook(amount: number): SandboxPayment | undefined {
    return this.book().find((payment) => payment.amount === amount);
  }

  /**
   * Waits until the ledger has followed the book, and compares them: nothing is charged twice, nothing is reported
   * that the bank has not confirmed, and what was never shown has failed.
   */
  async agrees(): Promise<void> {
    await this.device.start();
    const book = this.book();
    const said = new Map(book.map(({ bankId, state }) => [bankId, state]));
    for (const { bankId, charges, state } of book) {
      assert.ok(charges <= 1, `${bankId} was charged ${charges} times`);
      if (!OUTCOMES.includes(state)) continue;
      await until(`${bankId}, ${state}, in the ledger`, () =>
        this.rows().some((row) => row.bankId === bankId && LEDGER_STATES[state].includes(row.state)),
      );
    }
    const unseen = () => this.rows().filter(({ seen }) => !seen);
    await until('the end of what was never shown', () => unseen().every(({ state }) => state === 'ERROR'));
    for (const { orderId, bankId, state, seen } of this.rows()) {
      const truth = said.get(bankId ?? '');
      if (!seen) continue;
      assert.ok(
        truth !== undefined && LEDGER_STATES[truth].includes(state),
        `${orderId} is ${state}, and ${truth} at the bank`,
      );
    }
    assert.is(new Set(book.map(({ orderId }) => orderId)).size, book.length, 'one registration for each order');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.device[Symbol.asyncDispose]();
    await this.bank.close();
    this.#folder[Symbol.dispose]();
  }
}
