/**
 * The firmware killed at random moments of refunds, with a bank of the kind that takes the same refund twice for two (T-Bank). The ledger
 * of refunds, the bank's book and the answers agree, and nothing is refunded twice; a part that the bank has not heard of stays unknown,
 * for its call might be under way.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { until } from '../support.ts';
import { tbankSettings } from '../terminal/tbank.ts';
import { draw } from './killable.ts';
import { KilledLane } from './lane.ts';

const { kills, random, label } = draw(6);
/** Spans the moments from before the bank hears to after the answer. */
const LATEST_KILL_MS = 100;
const BANK_TAKES_MS = 40;
const AMOUNT = 2000;
const PART = 700;

const test = suite(`SIGKILL during refunds (${kills} kills, ${label})`);

interface Paid {
  readonly id: string;
  readonly qrcId: string;
  /** To be refunded. */
  readonly amount: number;
}

async function pay(lane: KilledLane, n: number): Promise<Paid> {
  const { status, body, text } = await lane.ask('/v1/payments', {
    json: { amount: AMOUNT, purpose: `sale ${n}` },
    headers: { 'idempotency-key': `sale ${n}` },
  });
  assert.is(status, 201, text);
  const [code] = lane.book();
  lane.bank.payments.pay(code?.qrcId ?? '');
  await until('ACCEPTED', async () => (await lane.ask(`/v1/payments/${body.id}?wait=5`)).body.state === 'ACCEPTED');
  return { id: body.id, qrcId: code?.qrcId ?? '', amount: n % 2 === 0 ? AMOUNT : PART };
}

const order = ({ id, amount }: Paid) => ({ json: { amount }, headers: { 'idempotency-key': id } });

test('each refund is made once, whenever the device dies, and everybody says the same of it', async () => {
  await using lane = await KilledLane.open({ settings: tbankSettings });
  const payments: Paid[] = [];
  for (let n = 0; n < kills; n += 1) payments.push(await pay(lane, n));
  lane.slow('refund', BANK_TAKES_MS);
  const backAtBank = ({ qrcId }: Paid) => lane.bank.payments.find(qrcId)?.refunded ?? 0;
  const answered = new Map<string, string>();
  for (const [n, payment] of payments.entries()) {
    await lane.device.start();
    const asked = lane.tryAsking(`/v1/payments/${payment.id}/refunds`, order(payment)).then((answer) => {
      if (answer !== null) answered.set(payment.id, answer.body.state);
    });
    // the first half at any moment, the other once the bank has heard
    if (n >= kills / 2) await until('the refund', () => answered.has(payment.id) || backAtBank(payment) > 0);
    await pause(random() * LATEST_KILL_MS);
    await lane.device.kill();
    await asked;
  }
  for (const payment of payments) {
    const path = `/v1/payments/${payment.id}`;
    const { body } = await until('the decision', async () => {
      const answer = await lane.ask(`${path}/refunds`, order(payment));
      const isUnheard = payment.amount === PART && backAtBank(payment) === 0;
      return answer.body.state === (isUnheard ? 'unknown' : 'done') ? answer : null;
    });
    const back = body.state === 'done' ? payment.amount : 0;
    assert.is(backAtBank(payment), back, `${payment.id}, ${label}`);
    const { refunded, refunds } = (await lane.ask(path)).body;
    assert.equal([refunded, refunds.length], [back, 1]);
    assert.ok([undefined, 'done', 'unknown', 'pending'].includes(answered.get(payment.id)));
  }
  process.stdout.write(`  ${kills} kills, ${answered.size} answers before them\n`);
});

test.run();
