/** A till that repeats a call takes no room in the audit trail: what was done once is one line. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { call, type TestDevice } from '../support.ts';
import { by, sellPaid, startWithPins } from './device-calls.ts';

const test = suite('terminal: repeated calls in the audit trail');

const TILL = 'made-up-token-of-the-till';
const TECHNICIAN = 'made-up-token-of-the-technician';
const TOKENS = { LANEWARE_API_TOKENS_TILL: TILL, LANEWARE_API_TOKENS_TECHNICIAN: TECHNICIAN };
const PINS = { technician: '739105', supervisor: '520417', cashier: '4826' } as const;
const TIMES = 20;
/** Calls that set the device up, or that no till repeats. */
const OTHERS = new Set(['release-changed', 'pin-set', 'settings']);

/** Deeds in the trail with how many lines each has. */
async function linesOf({ recognition }: TestDevice): Promise<Record<string, number>> {
  const { body } = await call(`${recognition}/console/api/audit?limit=1000`);
  const counts: Record<string, number> = {};
  for (const { deed } of body.lines as { deed: string }[])
    if (!OTHERS.has(deed)) counts[deed] = (counts[deed] ?? 0) + 1;
  return counts;
}

async function repeat(times: number, once: () => Promise<unknown>): Promise<void> {
  for (let n = 0; n < times; n += 1) await once();
}

test('the same refund, cancellation and close of a shift, sent again and again, are a line each', async () => {
  await using device = await startWithPins(TOKENS, PINS);
  const { terminal } = device;
  const keyed = (key: string) => ({ ...by(TILL), 'idempotency-key': key });
  const paid = await sellPaid(device, { amount: 50_000, purpose: 'Tea' }, keyed('sale 1'));
  await repeat(TIMES, async () => {
    const json = { amount: 100 };
    const refund = await call(`${terminal}/v1/payments/${paid.id}/refunds`, { json, headers: keyed('return 1') });
    assert.is(refund.body.state, 'done', refund.text);
  });
  const open = await call(`${terminal}/v1/payments`, { json: { amount: 700 }, headers: keyed('sale 2') });
  for (const { id } of [open.body, paid])
    await repeat(TIMES, async () => {
      const cancelled = await call(`${terminal}/v1/payments/${id}/cancel`, { method: 'POST', headers: by(TILL) });
      assert.is(cancelled.status, 200, cancelled.text);
    });
  await repeat(TIMES, () => call(`${terminal}/v1/shifts/close`, { json: {}, headers: keyed('close 1') }));
  assert.equal(await linesOf(device), { 'payment-refunded': 1, 'payment-cancelled': 1, 'shift-closed': 1 });
  const json = { amount: 100 };
  await call(`${terminal}/v1/payments/${paid.id}/refunds`, { json, headers: keyed('return 2') });
  assert.is((await linesOf(device))['payment-refunded'], 2, 'another refund of the same sum is another deed');
});

test('of sign-ins and sign-outs of a till the first is a line, and of a technician each', async () => {
  for (const [token, lines] of [
    [TILL, 1],
    [TECHNICIAN, TIMES],
  ] as const) {
    await using device = await startWithPins(TOKENS, PINS);
    const session = `${device.recognition}/console/api/session`;
    const { origin } = new URL(session);
    await repeat(TIMES, async () => {
      const { headers } = await call(session, { json: { token } });
      const cookie = headers.get('set-cookie') ?? '';
      await call(session, { method: 'DELETE', headers: { cookie, origin } });
    });
    assert.equal(await linesOf(device), { 'signed-in': lines, 'signed-out': lines });
  }
});

test.run();
