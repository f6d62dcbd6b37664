/** A bank that does not answer is known, and stands in `/health`, before a payment fails for it. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BankError, UnopenedBank } from '../../firmware/banks/bank-error.ts';
import { bankProblems, watchBank } from '../../firmware/banks/bank-health.ts';
import { BankPool } from '../../firmware/banks/bank-pool.ts';
import type { BankProfile } from '../../firmware/banks/registry.ts';
import { CFT, failed } from '../support.ts';
import { poolOf } from './banks/pools.ts';
import { signed } from './banks/sbp-links.ts';
import { type Broken, type Reply, startWireBank } from './banks/wire-bank.ts';
import { HandClock } from './harness.ts';

const test = suite('terminal: the bank is watched');
const LIMITS = { deadlineMs: 5000, closing: new AbortController().signal };
const UNKNOWN_CODE: Reply = { status: 404, body: { error: 'QRC_NOT_FOUND' } };

/** A pool with a profile of a bank that answers as the test says. */
async function watched() {
  const state: { reply: Reply | Broken } = { reply: UNKNOWN_CODE };
  const wire = await startWireBank(() => state.reply);
  const clock = new HandClock();
  const profile = { ...CFT, baseUrl: wire.url } as BankProfile;
  const pool = new BankPool(...poolOf(clock, () => [profile]));
  const order = { orderId: 'a', amount: 100, purpose: null, ttl: 5 };
  return {
    ...{ state, wire },
    ask: () => pool.tryOut(profile, LIMITS),
    /** What has gone back of a payment. */
    askOfRefund: () => {
      const payment = {
        ...order,
        ref: { id: 'AD1' },
        createdAt: 0,
        profile: 'shop',
        merchant: pool.merchantOf(profile),
      };
      return failed(BankError, pool.ask(payment, LIMITS));
    },
    sold: async () => {
      const bank = await pool.opened.open(profile);
      assert.ok(bank.kind === 'online');
      return (await pool.register(bank, order, () => undefined, LIMITS)).payload;
    },
    sell: async () => {
      const bank = await pool.opened.open(profile);
      assert.ok(bank.kind === 'online');
      // lost answers are tried again until the deadline, whatever it is
      const limits = state.reply === 'reset' ? { ...LIMITS, deadlineMs: 50 } : LIMITS;
      await failed(
        BankError,
        pool.register(bank, order, () => undefined, limits),
      );
    },
    codes: () => bankProblems(pool.opened.health(profile), clock).map(({ code }) => code),
    isReached: () => pool.opened.health(profile).isReached,
    async [Symbol.asyncDispose]() {
      await pool.opened.close();
      await wire[Symbol.asyncDispose]();
    },
  };
}

test('one lost answer is none; a second says that the bank does not answer, until one comes', async () => {
  await using bank = await watched();
  assert.equal([await bank.ask(), bank.codes()], [true, []]);
  bank.state.reply = 'reset';
  assert.equal([await bank.ask(), bank.codes()], [false, []]);
  assert.equal([await bank.ask(), bank.codes()], [false, ['bank-silent']]);
  bank.state.reply = UNKNOWN_CODE;
  assert.equal([await bank.ask(), bank.codes()], [true, []]);
  bank.state.reply = 'reset';
  assert.equal([await bank.ask(), bank.codes()], [false, []], 'it counts from the start');
});

test('a bank that answers all but refunds still sells: their own state says they are open', async () => {
  await using bank = await watched();
  await bank.ask();
  bank.state.reply = { status: 500, body: {} };
  for (const _ of [1, 2, 3]) assert.is((await bank.askOfRefund()).code, 'unreachable');
  assert.equal(bank.codes(), []);
});

test('a payment that failed without an answer is reported once, until the bank answers again', async () => {
  await using bank = await watched();
  bank.state.reply = 'reset';
  await bank.sell();
  await bank.ask();
  await bank.ask();
  assert.equal(bank.codes(), ['bank-unreachable']);
  bank.state.reply = UNKNOWN_CODE;
  assert.is(await bank.ask(), true);
  assert.equal(bank.codes(), []);
});

test('a link in an unknown form is shown, and looked at later; the next usual one ends that', async () => {
  await using bank = await watched();
  const qrcId = 'AD10104HJJKN6HP99UF9JTN9943UV80E';
  const usual = signed(`https://qr.nspk.ru/${qrcId}?type=02&bank=100000000004&sum=100&cur=RUB`);
  for (const [payload, codes] of [
    [`https://qr.nspk.ru/${qrcId}`, ['bank-link-unusual']],
    [usual, []],
    [usual.slice(0, -4).concat('ZZZZ'), ['bank-link-unusual']],
    [usual, []],
  ] as const) {
    bank.state.reply = { status: 200, body: { qrcId, payload } };
    assert.equal([await bank.sold(), bank.codes()], [payload, codes]);
  }
});

test('one refused payment is for a look, two stop the sale; an answering bank mends neither', async () => {
  await using bank = await watched();
  bank.state.reply = { status: 400, body: { error: 'NO' } };
  await bank.sell();
  assert.equal(bank.codes(), ['bank-refused']);
  await bank.sell();
  bank.state.reply = UNKNOWN_CODE;
  assert.equal([await bank.ask(), bank.codes()], [true, ['bank-refuses']]);
});

test('a refused password is reported before any payment, and not retried: it may lock the login', async () => {
  await using bank = await watched();
  bank.state.reply = { status: 401, body: { error: 'AUTHENTICATION' } };
  assert.equal([await bank.ask(), bank.codes()], [true, ['bank-unauthorised']]);
  const { length } = bank.wire.calls;
  await bank.ask();
  assert.is(bank.wire.calls.length, length);
  await bank.sell();
  assert.equal(bank.codes(), ['bank-refuses'], 'one such payment is enough');
});

test('a refusal and a page that says "not now" reach the bank; silence does not', async () => {
  await using bank = await watched();
  const reached = async () => {
    await bank.ask();
    return bank.isReached();
  };
  assert.is(bank.isReached(), null, 'it was not asked');
  assert.is(await reached(), true);
  for (const status of [400, 429, 500, 503]) {
    bank.state.reply = 'reset';
    assert.is(await reached(), false);
    bank.state.reply = { status, body: {} };
    assert.is(await reached(), true, `${status}`);
  }
  bank.state.reply = 'reset';
  await reached();
  bank.state.reply = { status: 401, body: {} };
  assert.is(await reached(), true);
});

test("a silent bank that has since refused a sale's credentials is reached, and asked no more", async () => {
  await using bank = await watched();
  bank.state.reply = 'reset';
  await bank.ask();
  assert.is(bank.isReached(), false);
  bank.state.reply = { status: 401, body: {} };
  await bank.sell();
  await bank.ask();
  assert.is(bank.isReached(), true);
});

test('asked at once, each minute, each 10 s while silent or unopened, until the device closes', async () => {
  const closing = new AbortController();
  const waits: number[] = [];
  const answers: (boolean | Error | null)[] = [...[null, true, false, new UnopenedBank('it cannot be opened'), true]];
  const asked: object[] = [];
  let now: boolean | Error | null = null;
  await watchBank({
    closing: closing.signal,
    profile: () => (now === null ? null : (CFT as BankProfile)),
    banks: {
      tryOut: async (profile) => {
        asked.push(profile);
        if (now instanceof Error) throw now;
        return now === true;
      },
    },
    clock: {
      after: (ms, task) => {
        waits.push(ms);
        now = answers.shift() ?? null;
        if (waits.length === 6) closing.abort();
        queueMicrotask(task);
        return () => undefined;
      },
    },
  });
  assert.equal(waits, [60_000, 60_000, 60_000, 10_000, 10_000, 60_000]);
  assert.is(asked.length, 4, 'not before there is a bank, and not once it closes');
});

test('a device asks at its start, before its first pause', async () => {
  const closing = new AbortController();
  const done: string[] = [];
  await watchBank({
    closing: closing.signal,
    profile: () => CFT as BankProfile,
    banks: { tryOut: async () => done.push('asked') > 0 },
    clock: {
      after: (ms, task) => {
        done.push(`waits ${ms}`);
        closing.abort();
        queueMicrotask(task);
        return () => undefined;
      },
    },
  });
  assert.equal(done, ['asked', 'waits 60000']);
});

test.run();
