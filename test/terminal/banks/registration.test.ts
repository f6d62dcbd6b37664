import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FoundPayment, OnlineBank } from '../../../firmware/banks/bank.ts';
import { BankError } from '../../../firmware/banks/bank-error.ts';
import {
  type BankRef,
  type BankReport,
  type Order,
  type Registering,
  type SoughtOrder,
  UNREPORTED,
} from '../../../firmware/banks/bank-payment.ts';
import { type RegisteredPayment, registerWithRetries } from '../../../firmware/banks/registration.ts';
import { each } from '../../support.ts';
import { bankError, sale } from './support.ts';

const test = suite('a registration, step by step');

const LINK = 'https://bank.example/code';
const lost = (): BankError => new BankError('unreachable', 'the connection broke');
const duplicate = (): BankError => new BankError('refused', 'already registered', { isDuplicate: true });

/** A bank that needs two calls for a code, under the test's control; each step may fail in turn. */
class TwoStepBank implements OnlineBank {
  readonly kind = 'online';
  readonly linkRule = 'nspk';
  readonly calls: string[] = [];
  readonly book: Order[] = [];
  /** What the next calls of a name end in: before the work, or after it. */
  failures: { readonly call: string; readonly error: Error; readonly isAfter?: boolean }[] = [];
  found: Partial<BankReport> = {};
  code = async (ref: BankRef): Promise<Registering> =>
    this.#step('code', () => ({
      ref: { ...ref, qr: `Q-${ref.id}` },
      code: { payload: LINK, linkId: null, isPage: true },
    }));
  find = async ({ orderId }: SoughtOrder): Promise<FoundPayment | null> =>
    this.#step('find', () => {
      const index = this.book.findIndex((order) => order.orderId === orderId);
      const order = this.book[index];
      if (order === undefined) return null;
      const id = `B${index}`;
      const report = {
        ...UNREPORTED,
        verdict: 'pending',
        ids: [id],
        amounts: [order.amount],
        orderIds: [orderId],
      } as const;
      return { ref: { id }, report: { ...report, ...this.found } };
    });

  begin = async (order: Order): Promise<Registering> =>
    this.#step('begin', () => {
      if (this.book.some(({ orderId }) => orderId === order.orderId)) throw duplicate();
      this.book.push(order);
      return { ref: { id: `B${this.book.length - 1}` }, code: null };
    });

  status = async (): Promise<BankReport> => ({ ...UNREPORTED, verdict: 'pending', ids: [] });
  close = async (): Promise<void> => undefined;

  #step<T>(call: string, work: () => T): T {
    this.calls.push(call);
    const index = this.failures.findIndex((failure) => failure.call === call);
    const [failure] = index < 0 ? [] : this.failures.splice(index, 1);
    if (failure !== undefined && failure.isAfter !== true) throw failure.error;
    const done = work();
    if (failure !== undefined) throw failure.error;
    return done;
  }
}

interface Run {
  readonly bank: TwoStepBank;
  /** What the ledger was given. */
  readonly kept: BankRef[];
  /** @param keep fails by throwing */
  register(changes?: Partial<Order>, keep?: (ref: BankRef) => void): Promise<RegisteredPayment>;
}

function withBank(work: (run: Run) => Promise<void>) {
  return async (): Promise<void> => {
    const bank = new TwoStepBank();
    const kept: BankRef[] = [];
    const limits = { deadlineMs: 20_000, closing: new AbortController().signal };
    const register: Run['register'] = (changes = {}, keep = () => undefined) =>
      registerWithRetries(
        bank,
        sale(changes),
        (ref) => {
          keep(ref);
          kept.push(ref);
        },
        limits,
      );
    await work({ bank, kept, register });
  };
}
const it = each(test, withBank);

test("a closing device waits for no bank's pause and asks nothing again: the last word stands", async () => {
  const bank = new TwoStepBank();
  const patient = new BankError('unreachable', 'the connection broke', { retryAfterMs: 1_800_000 });
  bank.failures = [{ call: 'begin', error: patient }];
  const closing = new AbortController();
  const limits = { deadlineMs: 3_600_000, closing: closing.signal };
  const registering = registerWithRetries(bank, sale(), () => undefined, limits);
  setImmediate(() => closing.abort());
  assert.is((await bankError('unreachable', registering)).message, 'the connection broke');
  assert.equal(bank.calls, ['begin']);
});

it('what the bank knows the payment by says where the link that is shown names no amount', async (rig) => {
  const { bank, kept, register } = rig;
  const payload = 'https://qr.nspk.ru/AD10104HJJKN6HP99UF9JTN9943UV80E';
  bank.code = async (ref) => ({ ref, code: { payload, linkId: 'AD10104HJJKN6HP99UF9JTN9943UV80E' } });
  assert.equal(await register(), { ref: { id: 'B0', link: 'no-amount' }, payload });
  assert.equal(kept.at(-1), { id: 'B0', link: 'no-amount' });
  bank.code = async (ref) => ({ ref, code: { payload, linkId: null } });
  await bankError('contradiction', register({ orderId: 'another' }));
});

it('what the bank never heard of is begun again; where it does not say, it is asked again', async (rig) => {
  const { bank, register } = rig;
  bank.failures = [
    { call: 'begin', error: lost() },
    { call: 'find', error: lost() },
  ];
  assert.is((await register()).ref.id, 'B0');
  assert.equal(bank.calls, ['begin', 'find', 'find', 'begin', 'code']);
  assert.is(bank.book.length, 1);
});

it('what is found is believed only where all of it speaks of this payment, and has not ended', async (rig) => {
  const { bank, kept, register } = rig;
  const order = sale();
  bank.book.push(order);
  for (const [found, code, words] of [
    [{ amounts: [order.amount + 1] }, 'contradiction', /another amount/],
    [{ orderIds: ['another'] }, 'contradiction', /another order/],
    [{ ids: ['another'] }, 'contradiction', /another payment/],
    [{ currencies: ['USD'] }, 'contradiction', /another currency/],
    [{ verdict: 'canceled' }, 'refused', /has ended the payment/],
    [{ verdict: 'rejected' }, 'refused', /has ended the payment/],
  ] as const) {
    bank.found = found;
    assert.match((await bankError(code, register(order))).message, words);
  }
  assert.equal(kept, [], 'none of it is kept');
});

it('a second step whose answer is lost is asked for again, without another payment', async ({ bank, register }) => {
  bank.failures = [{ call: 'code', error: lost(), isAfter: true }];
  assert.is((await register()).payload, LINK);
  assert.equal(bank.calls, ['begin', 'code', 'code']);
});

it('a bank that never gives a code is contradictory, and a wrong link is not kept', async (rig) => {
  const { bank, kept, register } = rig;
  bank.code = async (ref) => ({ ref, code: null });
  assert.match((await bankError('contradiction', register())).message, /gave no code/);
  bank.code = async (ref) => ({ ref, code: { payload: 'http://bank.example/', linkId: null, isPage: true } });
  assert.match((await bankError('contradiction', register())).message, /an address that is not https/);
  bank.code = async (ref) => ({ ref, code: { payload: LINK, linkId: null } });
  assert.match((await bankError('contradiction', register())).message, /does not lead to https:\/\/qr\.nspk\.ru/);
  assert.equal(
    kept.map(({ id }) => id),
    ['B0', 'B0', 'B1', 'B2'],
    'the first steps, and the one without a code',
  );
});

it('a bank that asks for more patience than the call has is not waited for', async ({ bank, register }) => {
  bank.failures = [{ call: 'begin', error: new BankError('unreachable', 'later', { retryAfterMs: 3_600_000 }) }];
  const waiting = new Promise((resolve) => setTimeout(resolve, 10_000, 'still waiting').unref());
  assert.is(await Promise.race([bankError('unreachable', register()).then(() => 'failed'), waiting]), 'failed');
  assert.equal(bank.calls, ['begin']);
});

test.run();
