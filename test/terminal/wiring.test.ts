/** What the terminal is put together of does together: recovery, repairs, exports, events and settings find each other. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { DisplayOptions } from '../../drivers/display/contract.ts';
import { openFile } from '../../firmware/store/database.ts';
import { BankError } from '../../firmware/terminal/banks/bank.ts';
import { EventDelivery } from '../../firmware/terminal/event-delivery.ts';
import { RefundLedger } from '../../firmware/terminal/refunds/refund-ledger.ts';
import { call, openFilesIn, setUp, startTestDevice, type TestDevice, temporaryFolder } from '../support.ts';
import { healthOf } from './device-calls.ts';
import { HandClock, openLane, TestBank, TestDisplay, until } from './harness.ts';
import { openLedger, pay as payInto } from './ledger-rig.ts';
import { SECRET, TestReceiver } from './webhook-rig.ts';

const test = suite('terminal: what is wired together');

const WEEK_MS = 7 * 24 * 3_600_000;

async function exported({ terminal, dataDir }: TestDevice): Promise<string> {
  assert.is((await call(`${terminal}/exportToCSV`, { json: { path: 'all.csv' } })).status, 200);
  return readFileSync(join(dataDir, 'exports', 'all.csv'), 'utf8');
}

test('a payment that is only in a copy that was missing at the start is in the export, and is followed from then on', async () => {
  using folder = temporaryFolder();
  using media = temporaryFolder();
  const medium = join(media.path, 'medium');
  mkdirSync(medium);
  const settings = { LANEWARE_TERMINAL_LEDGERCOPYDIR: medium };
  let [id, qrcId] = ['', ''];
  {
    await using device = await startTestDevice(settings, folder.path);
    await setUp(device);
    await call(`${device.terminal}/showQR`, { json: { amount: 70_000 } });
    id = (await call(`${device.terminal}/v1/payments`)).body.payments[0].id;
    qrcId = (await call(`${device.sandbox}/sandbox/payments`)).body[0].qrcId;
    await exported(device); // which brings the copies up to date
  }
  renameSync(medium, `${medium}.away`);
  for (const file of ['ledger.journal', 'ledger.copy.db']) rmSync(join(folder.path, file));
  const db = openFile(join(folder.path, 'ledger.db'));
  db.exec('DELETE FROM payments');
  db.close();
  await using device = await startTestDevice(settings, folder.path);
  const first = `${device.terminal}/v1/payments/${id}`;
  assert.is((await call(first)).status, 404, 'nothing that is read at the start has it');
  renameSync(`${medium}.away`, medium);
  assert.match(await exported(device), ',70000,');
  assert.is((await call(`${device.sandbox}/sandbox/payments/${qrcId}/pay`, { method: 'POST' })).status, 200);
  await until('the acceptance', async () => (await call(first)).body.state === 'ACCEPTED');
});

test('a device that has ended holds no file of its folder open', async () => {
  using folder = temporaryFolder();
  {
    await using device = await startTestDevice({}, folder.path);
    await setUp(device);
    const open = openFilesIn(folder.path).join();
    for (const name of ['ledger.db', 'refunds.db', 'shifts.db']) assert.match(open, name);
  }
  assert.equal(openFilesIn(folder.path), []);
});

test('what has become of the files of refunds and of shifts stands in /health beside that of the payments', async () => {
  using folder = temporaryFolder();
  {
    await using _device = await startTestDevice({}, folder.path);
  }
  for (const name of ['refunds.db', 'shifts.db']) writeFileSync(join(folder.path, name), 'x'.repeat(4096));
  await using device = await startTestDevice({}, folder.path);
  const { reason } = await healthOf(device, 'ledger');
  for (const what of ['the ledger of refunds', 'the book of shifts'])
    assert.match(reason, `${what} was damaged and set aside`);
});

test('an event that an address has not taken is kept, however long the device was off', async () => {
  using folder = temporaryFolder();
  await using receiver = await TestReceiver.open();
  receiver.answer = (response) => response.writeHead(502).end();
  const clock = new HandClock();
  const payments = openLedger(folder.path);
  const refunds = RefundLedger.open({ path: join(folder.path, 'refunds.db'), secondFolder: null, now: clock.wall });
  const describe = { payment: ({ orderId }: { orderId: string }) => ({ id: orderId }), refund: () => ({}) };
  const open = (): EventDelivery =>
    new EventDelivery({
      addresses: [{ url: receiver.url, secret: SECRET }],
      dataDir: { path: folder.path, file: (name) => join(folder.path, name), release: () => undefined },
      clock,
      ledgers: { payments, refunds },
      describe,
      random: () => 0.5,
      wait: undefined,
      log: () => undefined,
    });
  const before = open();
  before.start();
  await until('the address', () => before.webhooks.states.length === 1);
  const from = before.events.last;
  payInto(payments, 1);
  await until('an attempt', () => receiver.received.length > 0);
  await before.close();
  const count = before.events.read(from, 100).length;
  clock.now += 2 * WEEK_MS;
  const next = open();
  next.start();
  assert.ok(count > 0);
  assert.is(next.events.read(from, 100).length, count);
  await next.close();
  payments.close();
  refunds.close();
});

test('the display is connected anew where its settings have changed, and left alone where only the bank has', async () => {
  const opened: TestDisplay[] = [];
  const open = (options: DisplayOptions): TestDisplay => {
    const display = new TestDisplay(options);
    opened.push(display);
    return display;
  };
  const lane = await openLane({ open });
  const update = (staticQR: string, deviceConnection: object) =>
    lane.terminal.updateSettings({
      bankProfile: 'p',
      bankProfiles: { p: { bankName: 'Static', staticQR } },
      deviceConnection: { connectionType: 'Screen', ...deviceConnection },
    });
  try {
    await update('https://pay.example/one', {});
    await update('https://pay.example/two', {});
    assert.is(opened.length, 1, 'a code that is shown stays');
    await update('https://pay.example/two', { connectionType: 'Serial', portName: 'ttyLaneware9' });
    assert.is(opened.length, 2);
  } finally {
    await lane.stop();
  }
});

test('a bank that falls silent stops the sale in /health before a payment is asked for, and no longer once it answers', async () => {
  const bank = new TestBank();
  let asked = 0;
  let isSilent = true;
  bank.tryOut = async () => {
    asked += 1;
    if (isSilent) throw new BankError('unreachable', 'no answer');
  };
  const lane = await openLane({ bank });
  const codes = () => lane.health().parts.flatMap(({ reasons }) => reasons.map(({ code }) => code));
  try {
    await lane.clock.advance(60_000);
    assert.equal([asked, codes().includes('bank-silent')], [1, false]);
    await lane.clock.advance(10_000);
    assert.equal([asked, codes().includes('bank-silent'), lane.health().sales], [2, true, 'does-not-sell']);
    isSilent = false;
    await lane.clock.advance(10_000);
    assert.is(codes().includes('bank-silent'), false);
  } finally {
    await lane.stop();
  }
  await lane.clock.advance(120_000);
  assert.is(asked, 3, 'not once the device has ended');
});

test.run();
