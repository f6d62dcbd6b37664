/** One sale with a device that is a process of its own, and that is killed in the middle of it. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { KilledLane } from '../kill/lane.ts';
import { until } from '../support.ts';
import { tbankSettings } from '../terminal/tbank.ts';

const test = suite('real: a sale with a kill in it');

const AMOUNT = 12_300;
const sale = { json: { amount: AMOUNT, purpose: 'Apples' }, headers: { 'idempotency-key': 'lane-4/sale-1' } };

test('a code is shown, the device dies, it is paid for once, and goes back when it is to', async () => {
  await using lane = await KilledLane.open({ settings: tbankSettings });
  const shown = await lane.ask('/v1/payments', sale);
  assert.is(shown.status, 201, shown.text);
  const { id, payload } = shown.body;
  await lane.device.kill();
  const [registered] = lane.book();
  assert.equal([registered?.amount, registered?.state], [AMOUNT, 'open']);
  lane.bank.payments.pay(registered?.qrcId ?? '');

  const payment = async () => (await lane.ask(`/v1/payments/${id}?wait=5`)).body;
  await until('ACCEPTED', async () => (await payment()).state === 'ACCEPTED');
  assert.is((await lane.ask('/getDynamicQRStatus')).body.dynamicQRStatus, 'ACCEPTED');
  const again = await lane.ask('/v1/payments', sale);
  assert.equal(
    { status: again.status, id: again.body.id, payload: again.body.payload },
    { status: 200, id, payload },
    again.text,
  );
  await lane.agrees();
  const [entry] = lane.rows();
  assert.equal(
    {
      rows: lane.rows().length,
      orderId: entry?.orderId,
      amount: entry?.amount,
      state: entry?.state,
      bankId: entry?.bankId,
    },
    { rows: 1, orderId: registered?.orderId, amount: AMOUNT, state: 'ACCEPTED', bankId: registered?.bankId },
  );
  assert.equal([lane.book().length, lane.book()[0]?.charges], [1, 1]);

  const refund = { json: { amount: AMOUNT }, headers: { 'idempotency-key': 'back' } };
  const back = await lane.ask(`/v1/payments/${id}/refunds`, refund);
  assert.is(back.body.state, 'done', back.text);
  assert.equal([(await payment()).refunded, lane.book()[0]?.refunded], [AMOUNT, AMOUNT]);
});

test.run();
