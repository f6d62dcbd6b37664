/** A till on the generated TypeScript client: pays, reads the payment, learns what lies on the tray and recognises it. */
import { strict as assert } from 'node:assert';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { openRecognition, openTerminal } from './index.ts';

const [terminalUrl = '', recognitionUrl = '', token = ''] = process.argv.slice(2);
/** The model is loaded meanwhile. */
const LEARN_AGAIN_MS = 100;

const terminal = openTerminal({ baseUrl: terminalUrl, token });
const params = { header: { 'Idempotency-Key': randomUUID() } };
const refused = await terminal.POST('/v1/payments', { params, body: { amount: 0 } });
assert.deepEqual([refused.response.status, refused.error?.field], [400, 'amount']);
const body = { amount: 54_200, purpose: 'Apples' };
const shown = await terminal.POST('/v1/payments', { params, body });
const again = await terminal.POST('/v1/payments', { params, body });
assert.deepEqual([shown.response.status, again.response.status], [201, 200]);
assert.equal(again.data?.id, shown.data?.id);
const path = { id: shown.data?.id ?? '' };
const read = async () => (await terminal.GET('/v1/payments/{id}', { params: { path, query: { wait: 25 } } })).data;
let payment = await read();
while (payment?.state === 'PENDING') payment = await read();
console.log(payment?.state, payment?.amount, payment?.purpose);

const recognition = openRecognition({ baseUrl: recognitionUrl, token });
const learn = () => recognition.POST('/v1/items/{id}/templates', { params: { path: { id: '4012' } } });
let learned = await learn();
while (learned.response.status === 503) {
  await pause(LEARN_AGAIN_MS);
  learned = await learn();
}
assert.equal(learned.data?.item, '4012');
const old = await recognition.GET('/api/get_result');
assert.ok(old.data !== undefined && 'data' in old.data);
console.log(old.data.data?.items[0]?.id);
const { data: seen } = await recognition.GET('/v1/recognition');
console.log(seen?.state, seen?.candidates[0]?.id, seen?.candidates[0]?.name);
const look = { id: seen?.id ?? '' };
const confirmed = await recognition.POST('/v1/recognition/{id}/feedback', {
  params: { path: look },
  body: { item: '4012' },
});
assert.equal(confirmed.response.status, 200);
const wrong = await recognition.POST('/v1/recognition/{id}/feedback', { params: { path: look }, body: { item: '' } });
assert.deepEqual([wrong.response.status, wrong.error?.field], [400, 'item']);
