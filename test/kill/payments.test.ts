/** The firmware killed at random moments of payments that a till asks for with showQR. */
import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { until } from '../support.ts';
import { draw } from './killable.ts';
import { KilledLane } from './lane.ts';

const { kills, random, label, one } = draw(8);
/** From there on to what comes next: the bank's answer, the drawing of the code. */
const LATEST_KILL_MS = 60;
const BANK_TAKES_MS = 40;

const test = suite(`SIGKILL during payments (${kills} kills, ${label})`);

/** How far a payment has come when the kill is near. */
const MOMENTS = ['asked', 'written', 'registered', 'answered', 'done by the customer'] as const;

/** What a customer may do with a code that may have been on the display. */
const act = (lane: KilledLane, amount: number): void => {
  const code = lane.inBook(amount);
  if (code === undefined) return;
  const action = one(['pay', 'pay', 'decline', 'nothing'] as const);
  if (action !== 'nothing') lane.bank.payments[action](code.qrcId);
};

async function killAt(lane: KilledLane, moment: (typeof MOMENTS)[number], amount: number): Promise<void> {
  await lane.device.start();
  const ask = () => lane.tryAsking('/showQR', { json: { amount } });
  const row = () => lane.rows().find((candidate) => candidate.amount === amount);
  let isAnswered = false;
  const asked = ask()
    // where the device died before its answer, the till first hears that the sale was paid, and then asks again
    .then((answer) => (answer?.body?.error_message?.includes('been paid') ? ask() : answer))
    .finally(() => {
      isAnswered = true;
    });
  if (moment === 'written') await until('the row', () => isAnswered || row());
  if (moment === 'registered') await until('the registration', () => isAnswered || lane.inBook(amount));
  if (moment === 'answered' || moment === 'done by the customer') await asked;
  if (moment === 'done by the customer' && row()?.seen) act(lane, amount);
  await pause(random() * LATEST_KILL_MS);
  await lane.device.kill();
  await asked;
  if (moment !== 'done by the customer' && row()?.seen) act(lane, amount);
}

/** The status that the till gets of its last payment is that of the bank. */
async function checkStatus(lane: KilledLane, lastAmount: number): Promise<void> {
  const { dynamicQRStatus } = (await lane.ask('/getDynamicQRStatus')).body;
  const rows = lane.rows();
  const last = rows.toSorted((one, other) => one.called - other.called).at(-1);
  const atBank = last && lane.inBook(last.amount)?.state;
  if (dynamicQRStatus === 'ACCEPTED') assert.is(atBank, 'paid');
  if (dynamicQRStatus === 'REJECTED') assert.is(atBank, 'declined');
  // killed before its payment was written, the last call has none, and the status says that it failed
  if (dynamicQRStatus === 'ERROR')
    assert.not(
      rows.find(({ amount }) => amount === lastAmount)?.seen,
      'only a payment that was never shown may end in ERROR',
    );
  assert.is.not(dynamicQRStatus, 'CANCELED', 'no ttl is over');
}

test('what was paid is ACCEPTED, nothing is charged twice or reported unconfirmed by the bank', async () => {
  await using lane = await KilledLane.open();
  lane.slow('register', BANK_TAKES_MS);
  const amountOf = (kill: number) => 1000 * (kill + 1);
  for (let kill = 0; kill < kills; kill += 1)
    await killAt(lane, MOMENTS[kill % MOMENTS.length] ?? 'asked', amountOf(kill));
  await checkStatus(lane, amountOf(kills - 1));
  await lane.agrees();
  const states = lane.rows().map(({ state }) => state);
  process.stdout.write(`  ${kills} kills: ${states.join(' ')}\n`);
  assert.ok(states.length >= Math.floor((kills * 3) / MOMENTS.length), 'the kills hit payments');
});

test.run();
