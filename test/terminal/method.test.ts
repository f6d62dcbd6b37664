/** How a payment was paid: from the bank's word to calls, totals, files and paper. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { paidBy, storedMethod } from '../../firmware/banks/method.ts';
import { call, each, onSetUpDevice, type TestDevice } from '../support.ts';
import { sellByQR } from './device-calls.ts';

const test = suite('terminal: how a payment was paid');
const it = each(test, (run: (device: TestDevice) => Promise<void>) => onSetUpDevice(run));

test("a bank's word is read by its own table, kept as it is written, and never fails a payment", () => {
  const words = { sbp: 'sbp', card: 'card' } as const;
  assert.equal(paidBy('SBP', words), { method: 'sbp', word: 'SBP' });
  assert.equal(paidBy('GOLD', words), { method: 'unknown', word: 'GOLD' });
  assert.equal(paidBy('constructor', words), { method: 'unknown', word: 'constructor' });
  for (const nothing of [undefined, null, '', ' ', 7, {}, [], 'x'.repeat(141), 'a\nb'])
    assert.is(paidBy(nothing, words), null);
  assert.equal(storedMethod('sbp', null), { method: 'sbp', word: null });
  assert.equal(storedMethod('by-thought', 'X'), { method: 'unknown', word: 'X' }, 'of a later release');
  assert.is(storedMethod(null, null), null);
});

it('calls, the list, totals, files and paper name it', async (device) => {
  const { terminal } = device;
  const shown = await call(`${terminal}/v1/payments`, {
    json: { amount: 900 },
    headers: { 'idempotency-key': 'open' },
  });
  assert.equal([shown.body.method, shown.body.methodWord], [null, null], shown.text);
  const sbp = await sellByQR(device, 1000);
  const digital = await sellByQR(device, 2031);
  const newest = await sellByQR(device, 3032);
  const get = async (path: string) => (await call(`${terminal}/v1/${path}`)).body;
  assert.equal([(await get(`payments/${sbp}`)).method, (await get(`payments/${sbp}`)).methodWord], ['sbp', 'SBP_C2B']);
  assert.is((await get(`payments/${digital}`)).method, 'digital-rouble');
  const unknown = await get(`payments/${newest}`);
  assert.equal([unknown.state, unknown.method, unknown.methodWord], ['ACCEPTED', 'unknown', 'SANDBOX_NEWEST_WAY']);
  const found = (await get('payments?method=digital-rouble')).payments.map(({ id }: { id: string }) => id);
  assert.equal(found, [digital]);
  const methods = [
    { method: 'unknown', count: 1, sum: 3032 },
    { method: 'digital-rouble', count: 1, sum: 2031 },
    { method: 'sbp', count: 1, sum: 1000 },
  ];
  assert.equal((await get('reports/day')).methods, methods);
  assert.equal((await get('shifts/current')).methods, methods);
  for (const path of ['reports/day?', 'shifts/current?']) {
    const text = async (format: string) => (await call(`${terminal}/v1/${path}format=${format}&lang=ru`)).text;
    assert.match(await text('html'), /Цифровые рубли<\/th><td>1<\/td><td>20,31/);
    assert.match(await text('payments-csv-ru'), 'Цифровые рубли');
    assert.match(await text('payments'), /,method,method_word,why\r?\n/);
    assert.match(await text('payments'), /,digital-rouble,SANDBOX_DIGITAL_ROUBLE,\r?\n/);
  }
  const closed = await call(`${terminal}/v1/shifts/close`, { json: {}, headers: { 'idempotency-key': 'c' } });
  assert.equal((await get(`shifts/${closed.body.number}`)).methods, methods, 'as the shift was closed');
  const figures = (await call(`${terminal}/metrics`)).text;
  assert.match(figures, 'laneware_payment_methods_total{method="unknown"} 1');
  assert.match(figures, 'laneware_payment_methods_total{method="digital-rouble"} 1');
});

test.run();
