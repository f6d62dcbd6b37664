/**
 * A lane that speaks is killed around the moment of each payment: only what is paid is said, and never twice.
 * KILLS=200 kills it more often.
 */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { announcement } from '../../firmware/features/voice/announcement.ts';
import { readVoice, shippedVoice } from '../../firmware/features/voice/voice.ts';
import { standIn } from '../features/voice/speakers.ts';
import { temporaryFolder, until } from '../support.ts';
import { draw } from './killable.ts';
import { KilledLane } from './lane.ts';

const { kills, random, label } = draw(4);
const test = suite(`a voice in ${kills} kills (${label})`);
const LANGUAGE = 'en';
const VOLUME = 100;
/** Spans the moments from before the bank is asked to well after the player has begun. */
const LATEST_KILL_MS = 1500;
/** Of the stand-in's sounds. */
const SOUND_S = 0.2;

test('what is said is paid, and no payment is said twice', async () => {
  using folder = temporaryFolder();
  const heard = join(folder.path, 'heard');
  mkdirSync(heard);
  // the first sample is what is copied: a player that is killed after it was heard
  const { PATH = '' } = standIn(
    folder.path,
    `for file; do :; done; name=$(date +%s%N)-$$; cp "$file" "${heard}/.$name"; mv "${heard}/.$name" "${heard}/$name"; sleep ${SOUND_S}`,
  );
  await using lane = await KilledLane.open({ env: () => ({ PATH }) });
  const set = { mode: 'sum', language: LANGUAGE, volume: VOLUME, device: 'speaker' };
  assert.is((await lane.ask('/v1/voice', { method: 'PATCH', json: set })).status, 200);
  const amounts = Array.from({ length: kills }, (_, n) => 10_000 + 100 * n); // kopecks would make the bank misbehave
  for (const [n, amount] of amounts.entries()) {
    // refused once where the payment before turns out to be paid
    await until('a code', async () => {
      const shown = await lane.tryAsking('/showQR', { json: { amount, purpose: 'Apples' } });
      return shown?.status === 200;
    });
    const order = lane.inBook(amount);
    assert.ok(order);
    // some are not paid, and withdrawn by the next sale
    if (n % 5 !== 4) lane.bank.payments.pay(order.bankId);
    await pause(random() * LATEST_KILL_MS);
    await lane.device.kill();
  }
  await lane.device.start();
  const charged = lane.book().filter(({ state }) => state === 'paid');
  await until('all that is paid in the ledger', () => {
    const rows = lane.rows();
    return charged.every(({ orderId }) => rows.some((row) => row.orderId === orderId && row.state === 'ACCEPTED'));
  });
  const voice = await readVoice(shippedVoice(LANGUAGE), LANGUAGE);
  const sounds = new Map(
    [true, false].flatMap((isTest) =>
      amounts.map((amount) => [
        voice.say(announcement(LANGUAGE, amount, { isTest }), VOLUME).toString('latin1'),
        amount,
      ]),
    ),
  );
  const listen = () => readdirSync(heard).filter((name) => !name.startsWith('.'));
  const said = () => listen().map((name) => sounds.get(readFileSync(join(heard, name), 'latin1')) ?? null);
  await until('the voice is silent', async () => {
    const before = listen().length;
    await pause(4000 * SOUND_S);
    return listen().length === before;
  });
  const paid = new Set(
    lane
      .rows()
      .filter(({ state }) => state === 'ACCEPTED')
      .map(({ amount }) => amount),
  );
  const sums = said();
  assert.equal(
    sums.filter((amount) => amount === null || !paid.has(Number(amount))),
    [],
    'unpaid, or no sum',
  );
  assert.is(new Set(sums).size, sums.length, 'said twice');
  assert.ok(sums.length > 0);
});

test.run();
