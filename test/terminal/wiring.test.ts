/** What the terminal is put together of does together: recovery, repairs, exports, events and settings find each other. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { DisplayOptions } from '../../drivers/display/contract.ts';
import { BankError } from '../../firmware/banks/bank-error.ts';
import { Webhooks } from '../../firmware/features/webhooks/webhooks.ts';
import { EventFeed } from '../../firmware/payments/events/event-feed.ts';
import { Outbox } from '../../firmware/payments/events/outbox.ts';
import { Money } from '../../firmware/payments/money/money.ts';
import { SECRET, TestReceiver } from '../features/webhooks/rig.ts';
import { call, openFilesIn, setUp, startTestDevice, type TestDevice, temporaryFolder } from '../support.ts';
import { healthOf } from './device-calls.ts';
import { HandClock, openLane, TestBank, TestDisplay, until } from './harness.ts';
import { pay as payInto } from './ledger-rig.ts';

const test = suite('terminal: what is wired together');

const WEEK_MS = 7 * 24 * 3_600_000;

async function exported({ terminal, dataDir }: TestDevice): Promise<string> {
  assert.is((await call(`${terminal}/exportToCSV`, { json: { path: 'all.csv' } })).status, 200);
  return readFileSync(join(dataDir, 'exports', 'all.csv'), 'utf8');
}

test('a payment that only the second medium has is put back with it, and followed from then on', async () => {
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
    await exported(device); // which brings the copy up to date
  }
  // a new card
  for (const name of ['money.journal', 'money.db']) rmSync(join(folder.path, name), { recursive: true });
  await using device = await startTestDevice(settings, folder.path);
  const first = `${device.terminal}/v1/payments/${id}`;
  await until('the book', async () => (await call(first)).status === 200);
  assert.match(await exported(device), ',70000,');
  assert.is((await call(`${device.sandbox}/sandbox/payments/${qrcId}/pay`, { method: 'POST' })).status, 200);
  await until('the acceptance', async () => (await call(first)).body.state === 'ACCEPTED');
});

test('a medium that is away is named, and no folder made; on one each device has its own folder', async () => {
  using media = temporaryFolder();
  const medium = join(media.path, 'medium');
  const settings = { LANEWARE_TERMINAL_LEDGERCOPYDIR: medium, LANEWARE_SERIAL: '../LW:7' };
  await using device = await startTestDevice(settings);
  await setUp(device);
  await call(`${device.terminal}/showQR`, { json: { amount: 70_000 } });
  await exported(device);
  const { state, reason } = await healthOf(device, 'ledger');
  assert.is(state, 'degraded');
  assert.match(reason, /The copy of the ledger in .*\/medium\/___LW_7 is behind\. \(ENOENT/);
  assert.not(existsSync(medium));
  mkdirSync(medium);
  await exported(device);
  assert.is((await healthOf(device, 'ledger')).state, 'ok');
  assert.equal(readdirSync(medium), ['___LW_7']);
  assert.equal(readdirSync(join(medium, '___LW_7')), ['money.db', 'money.journal']);
});

test('a device that has ended holds no file of its folder open', async () => {
  using folder = temporaryFolder();
  {
    await using device = await startTestDevice({}, folder.path);
    await setUp(device);
    const open = openFilesIn(folder.path).join();
    for (const name of ['money.db', 'money.journal']) assert.match(open, name);
  }
  assert.equal(openFilesIn(folder.path), []);
});

test('an event that an address has not taken is kept, however long the device was off', async () => {
  using folder = temporaryFolder();
  await using receiver = await TestReceiver.open();
  receiver.answer = (response) => response.writeHead(502).end();
  const clock = new HandClock();
  const describe = { payment: ({ orderId }: { orderId: string }) => ({ id: orderId }), refund: () => ({}) };
  using money = Money.open({ path: join(folder.path, 'money.db'), secondFolder: null, now: clock.wall }, describe);
  const silent = (): void => undefined;
  const open = () => {
    const outbox = new Outbox(money.payments, clock, describe.payment);
    const feed = new EventFeed(outbox, silent);
    const webhooks = new Webhooks([{ url: receiver.url, secret: SECRET }], join(folder.path, 'webhooks.db'), outbox, {
      feed,
      clock,
      random: () => 0.5,
      log: silent,
    });
    feed.addRecipient(webhooks);
    feed.start();
    webhooks.start();
    const close = async () => {
      await webhooks.close();
      feed.close();
    };
    return { feed, webhooks, close };
  };
  const before = open();
  await until('the address', () => before.webhooks.states.length === 1);
  const from = before.feed.last;
  payInto(money.payments, 1);
  await until('an attempt', () => receiver.received.length > 0);
  await before.close();
  const count = before.feed.read(from, 100).length;
  clock.now += 2 * WEEK_MS;
  const next = open();
  assert.ok(count > 0);
  assert.is(next.feed.read(from, 100).length, count);
  await next.close();
});

test("the display connects anew if its settings have changed, and not if only the bank's have", async () => {
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

test('a bank that falls silent stops the sale in /health before any payment, until it answers', async () => {
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
    await until('the first question', () => asked === 1);
    assert.is(codes().includes('bank-silent'), false);
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
