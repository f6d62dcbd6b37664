/** `lanectl journal`: a period's books as one file that the device has signed, and what becomes of it where something is in its way. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EXIT_CODES } from '../../firmware/core/cli/exit-codes.ts';
import { call, setUp, startTestDevice, type TestDevice, temporaryFolder, until } from '../support.ts';
import { lanectl, leadingTo } from './lanectl.ts';

const test = suite('lanectl journal');

const DAY_MS = 86_400_000;
const dayAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
/** From yesterday to tomorrow, whatever the zone is. */
const around = (): string[] => ['--from', dayAt(Date.now() - DAY_MS), '--to', dayAt(Date.now() + DAY_MS)];

async function sold(device: TestDevice, amount: number): Promise<string> {
  await call(`${device.terminal}/showQR`, { json: { amount } });
  const [{ qrcId }] = (await call(`${device.sandbox}/sandbox/payments`)).body;
  await call(`${device.sandbox}/sandbox/payments/${qrcId}/pay`, { method: 'POST' });
  return until('ACCEPTED', async () => {
    const [payment] = (await call(`${device.terminal}/v1/payments?limit=1`)).body.payments;
    return payment.state === 'ACCEPTED' && payment.id;
  });
}

const entriesOf = (file: string) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

test('the payments, refunds and decisions of a period are in it, and it is verified without a device', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'journal.jsonl');
  let key = '';
  {
    await using device = await startTestDevice();
    await setUp(device);
    const env = leadingTo(device);
    const [first, second] = [await sold(device, 12_345), await sold(device, 500)];
    const refund = await call(`${device.terminal}/v1/payments/${first}/refunds`, { json: { amount: 345, id: 'r-1' } });
    assert.ok([200, 201, 202].includes(refund.status), JSON.stringify(refund.body));
    const close = { json: {}, headers: { 'idempotency-key': 'close-1' } };
    assert.is((await call(`${device.terminal}/v1/shifts/close`, close)).status, 201);

    const { code, stdout, stderr } = await lanectl(['journal', 'write', file, ...around(), '--json'], { env });
    assert.is(code, 0, stderr);
    const { counts, fingerprint } = JSON.parse(stdout);
    assert.equal([counts.payment, counts.shift], [2, 1]);
    const shown = await lanectl(['journal', 'key'], { env });
    assert.is(shown.code, 0, shown.stderr);
    key = shown.stdout.trim();
    assert.is(key, fingerprint);
    const entries = entriesOf(file);
    const payments = entries.filter(({ kind }) => kind === 'payment');
    assert.equal(
      payments.map(({ id, amount }) => [id, amount]),
      [
        [first, 12_345],
        [second, 500],
      ],
    );
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
  const sound = await lanectl(['journal', 'verify', file, '--key', key.toLowerCase()], { env });
  assert.is(sound.code, 0, sound.stderr);
  assert.match(sound.stdout, /is unchanged since the device signed it\n[\s\S]*payment: 2/);
  const another = key.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
  const other = await lanectl(['journal', 'verify', file, '--key', another], { env });
  assert.is(other.code, EXIT_CODES.failed);
  assert.match(other.stderr, /signed by another key/);
  writeFileSync(file, readFileSync(file, 'utf8').replace('12345', '12344'));
  const changed = await lanectl(['journal', 'verify', file], { env });
  assert.is(changed.code, EXIT_CODES.failed);
  assert.match(changed.stderr, /changed after the device had signed it/);
  const bytes = readFileSync(file);
  bytes[bytes.indexOf('device')] = 0xff;
  writeFileSync(file, bytes);
  const binary = await lanectl(['journal', 'verify', file], { env });
  assert.is(binary.code, EXIT_CODES.failed);
  assert.match(binary.stderr, /a byte was changed/);
  assert.is((await lanectl(['journal', 'verify', join(folder.path, 'none')], { env })).code, EXIT_CODES.usage);
});

test('a period that ends before it begins is refused', async () => {
  using folder = temporaryFolder();
  await using device = await startTestDevice();
  const env = leadingTo(device);
  const file = join(folder.path, 'journal.jsonl');
  const turned = await lanectl(['journal', 'write', file, '--from', '2026-11-02', '--to', '2026-11-01'], { env });
  assert.is(turned.code, EXIT_CODES.usage, turned.stderr);
  assert.match(turned.stderr, /to must not be before from/);
  const noDay = await lanectl(['journal', 'write', file, '--from', '2026-02-30', '--to', '2026-03-01'], { env });
  assert.is(noDay.code, EXIT_CODES.usage, noDay.stderr);
  assert.is(existsSync(file), false);
});

test.run();
