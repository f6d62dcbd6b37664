/** The voice of a device: its settings, what it says to pages, what `/health` has of it, and its calls. */
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isWithin, timeOfDay } from '../../../firmware/features/voice/settings.ts';
import { shippedVoice } from '../../../firmware/features/voice/voice.ts';
import {
  call,
  each,
  onDevice,
  problem,
  setUp,
  startTestDevice,
  type TestDevice,
  temporaryFolder,
  until,
} from '../../support.ts';

const test = suite('voice: a device that speaks');
const it = each(test, onDevice);

const voiceOf = async ({ terminal }: TestDevice) => (await call(`${terminal}/v1/voice`)).body;
const change = ({ terminal }: TestDevice, json: object) => call(`${terminal}/v1/voice`, { method: 'PATCH', json });
const again = ({ terminal }: TestDevice) => call(`${terminal}/v1/voice/again`, { json: {} });
const soundOf = async ({ recognition }: TestDevice) => (await call(`${recognition}/display/state`)).body.sound;
const reasonsOf = async ({ terminal }: TestDevice) => {
  const { parts } = (await call(`${terminal}/health`)).body.health;
  return parts
    .find(({ part }: { part: string }) => part === 'voice')
    .reasons.map(({ code, sales }: { code: string; sales: string }) => [code, sales]);
};
const opens = ({ recognition }: TestDevice, page: string, plays: boolean) =>
  call(`${recognition}/console/api/voice/sound`, { json: { id: `page-${page}`, page, plays } });

async function paid({ terminal, sandbox }: TestDevice, amount: number): Promise<string> {
  assert.is((await call(`${terminal}/showQR`, { json: { amount, purpose: 'Apples' } })).status, 200);
  const [{ id }] = (await call(`${terminal}/v1/payments`)).body.payments;
  const [{ qrcId }] = (await call(`${sandbox}/sandbox/payments`)).body;
  await call(`${sandbox}/sandbox/payments/${qrcId}/pay`, { method: 'POST' });
  await until('paid', async () => (await call(`${terminal}/v1/payments/${id}`)).body.state === 'ACCEPTED');
  return id;
}

it('the voice is off by default, and says so', async (device) => {
  const { mode, volume, quiet, language, device: speaker, recordings, button, last } = await voiceOf(device);
  assert.equal(
    [mode, volume, quiet, language, speaker, recordings, button, last],
    ['off', 100, null, 'ru', null, null, false, null],
  );
  assert.equal(await reasonsOf(device), []);
  assert.is(await soundOf(device), null);
  assert.equal(problem(await again(device)), [409, 'Voice.Off']);
  assert.is((await call(`${device.recognition}/console/api/voice/sound`)).body.code, 'Voice.NoSound');
});

test('what is set is kept over a restart', async () => {
  using folder = temporaryFolder();
  await using device = await startTestDevice({}, folder.path);
  const quiet = { from: '22:00', to: '08:00' };
  assert.is((await change(device, { mode: 'chime', volume: 40, quiet, device: 'plughw:CARD=Device' })).status, 200);
  assert.is((await change(device, { language: 'en' })).body.volume, 40, 'what is left out stays');
  for (const wrong of [
    { volume: 101 },
    { device: 'plughw:0' },
    { device: 'hw:1,0' },
    { quiet: { from: '25:00', to: '1' } },
    { recordings: 'x' },
  ])
    assert.is((await change(device, wrong)).status, 400, JSON.stringify(wrong));
  await device[Symbol.asyncDispose]();
  await using again = await startTestDevice({}, folder.path);
  const { mode, volume, quiet: kept, language } = await voiceOf(again);
  assert.equal({ mode, volume, kept, language }, { mode: 'chime', volume: 40, kept: quiet, language: 'en' });
});

it('without a speaker pages get each payment once, as a sound, and health says who hears it', async (device) => {
  await setUp(device);
  await change(device, { mode: 'sum' });
  assert.equal(await reasonsOf(device), [['voice-no-page', 'sells']]);
  await opens(device, 'display', false);
  assert.equal(await reasonsOf(device), [['voice-touch', 'sells-look-later']]);
  await opens(device, 'display', true);
  assert.equal(await reasonsOf(device), []);
  const before = await soundOf(device);
  assert.is(before.isOnDisplay, true);
  assert.equal(problem(await again(device)), [409, 'Voice.NothingToSay']);
  const id = await paid(device, 12_345);
  const after = await until('a sound', async () => {
    const sound = await soundOf(device);
    return sound.number !== before.number && sound;
  });
  const wav = await fetch(`${device.recognition}${after.path}?number=${after.number}`);
  assert.is(wav.headers.get('content-type'), 'audio/wav');
  assert.is(Buffer.from(await wav.arrayBuffer()).toString('latin1', 0, 4), 'RIFF');
  const late = await call(`${device.recognition}${after.path}?number=${before.number}`);
  assert.is(late.body.code, 'Voice.NoSound', 'a page that comes late does not play the next sound twice');
  assert.equal((await again(device)).body, { payment: id, amount: 12_345, test: true });
  assert.is((await voiceOf(device)).last.payment, id);
});

it('a card that is not there is a line of health, and the sale goes on', async (device) => {
  await setUp(device);
  await change(device, { mode: 'sum', device: 'plughw:CARD=NoSuchCard,DEV=0' });
  await paid(device, 12_345);
  const [[code, sales]] = await reasonsOf(device);
  assert.ok(['voice-absent', 'voice-no-player'].includes(code), code);
  assert.is(sales, 'sells-look-later');
  assert.is((await call(`${device.terminal}/v1/voice/try`, { json: {} })).body.heard, 'nowhere');
});

it('recordings that cannot be used are refused, with what is missing, and nothing changes', async (device) => {
  const { status, body } = await change(device, { mode: 'sum', recordings: '/nowhere' });
  assert.equal([status, body.field], [400, 'recordings']);
  assert.is(
    body.detail,
    'recordings cannot be used: in /nowhere there is no 1.wav, 2.wav, 3.wav, 4.wav, 5.wav, and 47 more are missing',
  );
  assert.is((await voiceOf(device)).mode, 'off');
});

it('recordings that cannot be used any more are named, and the voice of the device speaks', async (device) => {
  const recordings = join(device.dataDir, 'own');
  cpSync(shippedVoice('ru'), recordings, { recursive: true });
  assert.is((await change(device, { recordings })).status, 200);
  assert.is((await change(device, { language: 'en' })).body.field, 'recordings', 'of another language');
  rmSync(recordings, { recursive: true });
  assert.is((await change(device, { mode: 'sum' })).status, 200, 'what is said may change');
  await opens(device, 'display', true);
  await until('the recordings were looked at', async () => (await reasonsOf(device)).length > 0);
  assert.equal(await reasonsOf(device), [['voice-recordings', 'sells-look-later']]);
  assert.is((await call(`${device.terminal}/v1/voice/try`, { json: {} })).body.heard, 'pages');
});

test('quiet hours may span midnight, by the clock of the shop', () => {
  const night = { from: '22:00', to: '08:00' };
  for (const [now, isQuiet] of [
    ['21:59', false],
    ['22:00', true],
    ['00:00', true],
    ['07:59', true],
    ['08:00', false],
  ] as const)
    assert.is(isWithin(night, now), isQuiet, now);
  assert.is(isWithin({ from: '13:00', to: '14:00' }, '13:30'), true);
  assert.is(isWithin({ from: '13:00', to: '14:00' }, '14:00'), false);
  assert.is(isWithin(null, '13:30'), false);
  assert.is(timeOfDay(Date.parse('2026-11-20T21:05:00Z'), 'Europe/Moscow'), '00:05');
});

test.run();
