/** What a till does at a device, each with what must be so once it has its answer. */
import { setTimeout as pause } from 'node:timers/promises';
import { inspect, isDeepStrictEqual } from 'node:util';
import * as assert from 'uvu/assert';
import type { Shop } from './shop.ts';

const AGAIN_MS = 20;
/** With that some seconds: a device has made sure of a refund in a few tenths of one. */
const MOST_ASKED = 100;
/** Kopecks, less than half of the smallest sale. */
const PART = 1700;

/** In the place of each secret that is set up. */
const MASK = '<PASSWORD>';

/** Prepares it at a device that is well. @returns what the till then does */
export type Operation = (shop: Shop) => Promise<() => Promise<void>>;

/** Sends the same again until it says what it must, as often as a till has the patience for. @returns the last answer */
async function untilAnswered<T>(ask: () => Promise<T>, isDone: (answer: T) => boolean): Promise<T> {
  for (let n = 1; ; n += 1) {
    const answer = await ask();
    if (isDone(answer) || n === MOST_ASKED) return answer;
    await pause(AGAIN_MS);
  }
}

/** A part: all of it could not go back twice, whatever the device did. */
async function refund(shop: Shop): Promise<() => Promise<void>> {
  const { id, amount } = await shop.sell();
  const key = shop.newKey();
  return async () => {
    const ask = async () => (await shop.answerTo(`/v1/payments/${id}/refunds`, { amount: PART }, key)).body;
    const { state } = await untilAnswered(ask, (answer) => answer.state === 'done');
    const [atBank] = shop.atBank(amount).filter((payment) => payment.state === 'paid');
    // what the bank has not heard of might be under way: a person looks into it
    const back = state === 'done' ? PART : 0;
    assert.ok(['done', 'unknown'].includes(state), `the refund is ${state}`);
    const { refunded, refunds } = (await shop.answerTo(`/v1/payments/${id}`)).body;
    assert.equal(
      { atBankRefunded: atBank?.refunded, refunded, refunds: refunds.length },
      { atBankRefunded: back, refunded: back, refunds: 1 },
      'bank, device and its refunds',
    );
  };
}

async function cancel(shop: Shop): Promise<() => Promise<void>> {
  const { id, amount } = await shop.ask();
  return async () => {
    const ask = async () => (await shop.answerTo(`/v1/payments/${id}/cancel`, {})).body;
    const { outcome } = await untilAnswered(ask, (answer) => answer.outcome === 'withdrawn');
    const states = shop.atBank(amount).map(({ state }) => state);
    const { state } = (await shop.answerTo(`/v1/payments/${id}`)).body;
    assert.equal([outcome, states, state], ['withdrawn', ['cancelled'], 'CANCELED']);
  };
}

/** The profile beside that in use becomes another one; its secret is new, and that in use is kept by its mask. */
async function changeSettings(shop: Shop): Promise<() => Promise<void>> {
  const before = await shop.settings();
  const { main = {} } = before.bankProfiles;
  const other = { ...main, terminalKey: shop.newKey().replace(' ', ''), password: 'another-secret' };
  const sent = { ...before, bankProfiles: { main, other } };
  const after = { ...before, bankProfiles: { main, other: { ...other, password: MASK } } };
  return async () => {
    const answer = await shop.lane.tryAsking('/updateDriverSettings', { json: { settings: sent } });
    if (answer === null) await shop.die();
    const now = await shop.settings();
    assert.ok(
      [before, after].some((each) => isDeepStrictEqual(each, now)),
      `neither old nor new: ${inspect(now)}`,
    );
    if (answer?.status === 200) assert.equal(now, after, 'it was acknowledged');
    else assert.is((await shop.answerTo('/updateDriverSettings', { settings: sent })).status, 200);
    shop.setUp = after;
  };
}

export const OPERATIONS = {
  sale: async (shop) => async () => void (await shop.sell()),
  refund,
  cancellation: cancel,
  'shift that is closed': async (shop) => async () => await shop.close(),
  'change of the settings': changeSettings,
} as const satisfies Readonly<Record<string, Operation>>;
export type Name = keyof typeof OPERATIONS;
