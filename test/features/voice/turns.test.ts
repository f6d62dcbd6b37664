/** What waits for its turn at the speaker, while settings, recordings and other payments change. */
import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { announcement } from '../../../firmware/features/voice/announcement.ts';
import { SAID_WITHIN_MS } from '../../../firmware/features/voice/announcer.ts';
import { readVoice, shippedVoice } from '../../../firmware/features/voice/voice.ts';
import { temporaryFolder, until } from '../../support.ts';
import { type Lane, openLane, report, settled } from '../../terminal/harness.ts';
import { voiceOn } from './lane.ts';
import { standIn } from './speakers.ts';

const test = suite('voice: turns at the speaker');
const SPEAKER = 'speaker';

async function pay(lane: Lane, amount: number, n = 0): Promise<void> {
  await lane.showQR(amount);
  await report(lane, 'accepted', n);
  await settled();
}

/** A player that notes each sound, and plays until its hold is lifted. */
function heldPlayer(folder: string) {
  const [log, hold] = [join(folder, 'log'), join(folder, 'hold')];
  writeFileSync(log, '');
  writeFileSync(hold, '');
  const env = standIn(folder, `echo played >>"${log}"; while [ -e "${hold}" ]; do sleep 0.05; done`);
  return {
    env,
    lift: () => rmSync(hold),
    played: () => readFileSync(log, 'utf8').split('\n').length - 1,
  };
}

for (const [waited, expected] of [
  [SAID_WITHIN_MS - 1000, 2],
  [SAID_WITHIN_MS, 1],
] as const)
  test(`a payment that a trial lets wait for ${waited} ms is played ${expected - 1} times`, async () => {
    using folder = temporaryFolder();
    await using lane = await openLane();
    const { env, lift, played } = heldPlayer(folder.path);
    const { voice, problems } = voiceOn(lane, folder.path, env, { device: SPEAKER });
    const trial = voice.try();
    await until('the trial plays', () => played() === 1);
    await pay(lane, 12_300);
    for (let turns = 0; turns < 100; turns += 1) await settled(); // its recordings are read by then
    lane.clock.now += waited;
    lift();
    await trial;
    await voice.announcer.close(); // what has its turn is said first
    assert.is(played(), expected);
    assert.equal(problems, []);
    await voice.close();
  });

test('a language that is set between acceptance and speech leaves no payment unsaid', async () => {
  using folder = temporaryFolder();
  await using lane = await openLane();
  const { env, lift, played } = heldPlayer(folder.path);
  lift();
  const { voice, problems } = voiceOn(lane, folder.path, env, { device: SPEAKER });
  for (const [n, [before, after]] of (
    [
      ['ru', 'en'],
      ['en', 'ru'],
    ] as const
  ).entries()) {
    voice.set({ language: before });
    await pay(lane, 22_300 + n, n);
    voice.set({ language: after });
    await until('it was said', () => played() === n + 1 || problems.length > 0);
  }
  assert.equal(problems, []);
  await voice.close();
});

test('of ten sales in ten seconds each is said once, in order, whole and in time, or never', async () => {
  using folder = temporaryFolder();
  await using lane = await openLane();
  const { voice, problems } = voiceOn(lane, folder.path, {}, { device: null });
  const reader = await readVoice(shippedVoice('en'), 'en');
  const amounts = Array.from({ length: 10 }, (_, n) => 11_111 + 10_101 * n);
  const pieces = new Map(amounts.map((amount) => [amount, announcement('en', amount, { isTest: true })]));
  const sounds = new Map([...pieces].map(([amount, those]) => [reader.say(those, 100).toString('latin1'), amount]));
  await voice.try(); // the recordings are read by then
  const accepted = new Map<number, number>();
  const said: { amount: number; at: number }[] = [];
  let number = voice.pages.now?.number;
  voice.pages.onChange(() => {
    const { now } = voice.pages;
    if (now === null || now.number === number) return;
    number = now.number;
    const amount = sounds.get(voice.wavOf(number).toString('latin1'));
    assert.ok(amount !== undefined, 'a sum of these');
    said.push({ amount, at: lane.clock.now });
  });
  for (const [n, amount] of amounts.entries()) {
    await pay(lane, amount, n);
    accepted.set(amount, lane.clock.now);
    await lane.clock.advance(1000);
  }
  await lane.clock.advance(60_000);
  assert.is(lane.ledger.queries.recent(20).filter(({ status }) => status.state === 'ACCEPTED').length, 10);
  assert.equal(problems, []);
  assert.ok(said.length >= 3, `${said.length} are said`);
  assert.is(said[0]?.amount, amounts[0]);
  assert.is(new Set(said.map(({ amount }) => amount)).size, said.length, 'none twice');
  for (const [n, { amount, at }] of said.entries()) {
    assert.ok(at - (accepted.get(amount) ?? 0) < SAID_WITHIN_MS, `${amount} in time`);
    const before = said[n - 1];
    if (before === undefined) continue;
    assert.ok(before.amount < amount, 'in order');
    assert.ok(at - before.at >= 1000 * reader.secondsOf(pieces.get(before.amount) ?? []), 'the one before is whole');
  }
  await voice.close();
});

test('a trial takes recordings that were mended, and a folder of other settings is no fault', async () => {
  using folder = temporaryFolder();
  await using lane = await openLane();
  const { env, lift } = heldPlayer(folder.path);
  lift();
  const [own, aside] = [join(folder.path, 'own'), join(folder.path, 'aside')];
  cpSync(shippedVoice('en'), own, { recursive: true });
  renameSync(join(own, '1.wav'), aside);
  const { voice } = voiceOn(lane, folder.path, env, { device: SPEAKER, recordings: own });
  const codes = (): string[] => voice.judge().reasons.map(({ code }) => code);
  await until('the recordings are refused', () => codes().includes('voice-recordings'));
  renameSync(aside, join(own, '1.wav'));
  await voice.try();
  assert.not.ok(codes().includes('voice-recordings'));
  rmSync(join(own, '1.wav'));
  voice.set({ recordings: own }); // refused while the next settings are made
  voice.set({ recordings: null });
  await voice.try();
  for (let turns = 0; turns < 100; turns += 1) await settled();
  assert.not.ok(codes().includes('voice-recordings'));
  await voice.close();
});

test.run();
