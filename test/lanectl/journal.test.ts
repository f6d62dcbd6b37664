/** `lanectl journal`: a period's books as one file that the device has signed, and what becomes of it where something is in its way. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { call, setUp, startTestDevice, temporaryFolder } from '../support.ts';
import { ends, lanectl, leadingTo } from './lanectl.ts';
import { paid } from './watched-sale.ts';

const test = suite('lanectl journal');

const DAY_MS = 86_400_000;
const dayAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
/** From yesterday to tomorrow, whatever the zone is. */
const around = (): string[] => ['--from', dayAt(Date.now() - DAY_MS), '--to', dayAt(Date.now() + DAY_MS)];

const entriesOf = (file: string) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

test('it has a period’s payments, refunds and decisions, and is verified without a device', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'journal.jsonl');
  let key = '';
  {
    await using device = await startTestDevice();
    await setUp(device);
    const env = leadingTo(device);
    const [first, second] = [(await paid(device, 12_345)).id, (await paid(device, 500)).id];
    const refund = await call(`${device.terminal}/v1/payments/${first}/refunds`, { json: { amount: 345, id: 'r-1' } });
    assert.ok([200, 201, 202].includes(refund.status), JSON.stringify(refund.body));
    const close = { json: {}, headers: { 'idempotency-key': 'close-1' } };
    assert.is((await call(`${device.terminal}/v1/shifts/close`, close)).status, 201);

    const { stdout } = await ends('ok', lanectl(['journal', 'write', file, ...around(), '--json'], { env }));
    const { counts, fingerprint } = JSON.parse(stdout);
    assert.equal([counts.payment, counts.shift], [2, 1]);
    const shown = await ends('ok', lanectl(['journal', 'key'], { env }));
    key = shown.stdout.trim();
    assert.is(key, fingerprint);
    const entries = entriesOf(file);
    const payments = entries.filter(({ kind }) => kind === 'payment');
    const sold = payments.map(({ id, amount }) => [id, amount]);
    assert.equal(sold, [
      [first, 12_345],
      [second, 500],
    ]);
    assert.is(payments[0].refunds[0].amount, 345);
    const shift = entries.find(({ kind }) => kind === 'shift');
    assert.is(shift.totals.accepted.sum, 12_845);
    assert.ok(entries.some(({ kind, deed }) => kind === 'audit' && deed === 'payment-refunded'));
    const book = entries.find(({ kind }) => kind === 'book');
    assert.ok(book.commit > 0 && book.hash.length === 43, 'where the book of money stood');
    assert.is(statSync(file).mode & 0o777, 0o600);

    const before = ['--from', '2020-01-01', '--to', '2020-01-31'];
    const empty = await lanectl(['journal', 'write', file, ...before, '--json'], { env });
    assert.equal(JSON.parse(empty.stdout).counts, { book: 1 });
    await lanectl(['journal', 'write', file, ...around()], { env });
  }
  const env = { LANEWARE_URL: 'http://127.0.0.1:9' };
  const verified = (await ends('ok', lanectl(['journal', 'verify', file, '--key', key.toLowerCase()], { env }))).stdout;
  assert.match(verified, /is unchanged since the device signed it\n[\s\S]*payment: 2/);
  const another = key.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
  await ends('failed', lanectl(['journal', 'verify', file, '--key', another], { env }), /signed by another key/);
  writeFileSync(file, readFileSync(file, 'utf8').replace('12345', '12344'));
  const changed = await ends('failed', lanectl(['journal', 'verify', file], { env }));
  assert.match(changed.stderr, /changed after the device had signed it/);
  const bytes = readFileSync(file);
  bytes[bytes.indexOf('device')] = 0xff;
  writeFileSync(file, bytes);
  await ends('failed', lanectl(['journal', 'verify', file], { env }), /a byte was changed/);
  await ends('usage', lanectl(['journal', 'verify', join(folder.path, 'none')], { env }));
});

test('a period that ends before it begins is refused', async () => {
  using folder = temporaryFolder();
  await using device = await startTestDevice();
  const env = leadingTo(device);
  const file = join(folder.path, 'journal.jsonl');
  const { stderr } = await ends(
    'usage',
    lanectl(['journal', 'write', file, '--from', '2026-11-02', '--to', '2026-11-01'], { env }),
  );
  assert.match(stderr, /to must not be before from/);
  await ends('usage', lanectl(['journal', 'write', file, '--from', '2026-02-30', '--to', '2026-03-01'], { env }));
  assert.is(existsSync(file), false);
});

test.run();
