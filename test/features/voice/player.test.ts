/** The player: one at a time, each failure as the real one words it, and the real one with a device that is a file. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SoundCards } from '../../../firmware/features/voice/cards.ts';
import { Player } from '../../../firmware/features/voice/player.ts';
import { readVoice, shippedVoice } from '../../../firmware/features/voice/voice.ts';
import { temporaryFolder, until } from '../../support.ts';
import { fileSpeaker, standIn } from './speakers.ts';

const test = suite('voice: the player');
const NO_CARDS = { isDenied: () => false };
const DEVICE = 'plughw:CARD=Device';
const WAV = Buffer.from('RIFF');
/** The limit of a player that hangs: long enough for a shell to start on a busy machine. */
const SHORT_MS = 1500;

for (const [what, script, fault] of [
  ['a busy card', 'echo "aplay: main:831: audio open error: Device or resource busy" >&2; exit 1', 'busy'],
  ['an absent card', 'echo "aplay: main:831: audio open error: No such file or directory" >&2; exit 1', 'absent'],
  ['a name that no card has', 'echo "ALSA lib pcm.c:2666: Unknown PCM speaker" >&2; exit 1', 'absent'],
  ['no rights', 'echo "aplay: main:831: audio open error: Permission denied" >&2; exit 1', 'denied'],
  ['a card that goes', 'echo "aplay: pcm_write:2127: write error: No such device" >&2; exit 1', 'absent'],
  [
    'a busy card after warnings',
    `for n in $(seq 40); do echo "ALSA lib conf.c:$n: a warning" >&2; done; echo "aplay: main:831: audio open error: Device or resource busy" >&2; exit 1`,
    'busy',
  ],
  ['a player that is killed', 'kill -9 $$', 'failed'],
  ['a player that floods', 'yes sound >&2 & sleep 1; kill $!; exit 1', 'failed'],
] as const)
  test(`${what} is ${fault}, until a sound was played`, async () => {
    using folder = temporaryFolder();
    const player = new Player(NO_CARDS, folder.path, standIn(folder.path, script));
    const problem = await player.play(WAV, DEVICE);
    assert.is(problem?.fault, fault);
    assert.ok((problem?.detail ?? '').length <= 300);
    assert.equal(player.problem, problem);
    standIn(folder.path, 'exit 0');
    assert.is(await player.play(WAV, DEVICE), null);
    assert.is(player.problem, null);
    assert.equal(readdirSync(folder.path), ['bin'], 'no sound is left behind');
    await player.close();
  });

test('a card that is there and may not be used is a matter of rights', async () => {
  using folder = temporaryFolder();
  const env = standIn(folder.path, 'echo "aplay: main:831: audio open error: No such file or directory" >&2; exit 1');
  const player = new Player({ isDenied: (device) => device === DEVICE }, folder.path, env);
  assert.is((await player.play(WAV, DEVICE))?.fault, 'denied');
});

test('without the program nothing is played, and that is said', async () => {
  using folder = temporaryFolder();
  const player = new Player(NO_CARDS, folder.path, { PATH: folder.path });
  assert.equal(await player.play(WAV, DEVICE), { fault: 'no-player', detail: '' });
});

test('a player that hangs is ended with what it has started, and the next sound is played', async () => {
  using folder = temporaryFolder();
  const pids = join(folder.path, 'pids');
  const env = standIn(folder.path, `trap '' TERM; echo $$ >>${pids}; while :; do sleep 1; done`);
  const player = new Player(NO_CARDS, folder.path, env, SHORT_MS);
  assert.is((await player.play(WAV, DEVICE))?.fault, 'stuck');
  for (const pid of readFileSync(pids, 'utf8').trim().split('\n'))
    assert.not.ok(existsSync(`/proc/${pid}/status`) && !/State:\s+Z/.test(readFileSync(`/proc/${pid}/status`, 'utf8')));
  standIn(folder.path, 'exit 0');
  assert.is(await player.play(WAV, DEVICE), null);
});

test('two sounds are played one after the other', async () => {
  using folder = temporaryFolder();
  const log = join(folder.path, 'log');
  const env = standIn(folder.path, `echo begin >>${log}; sleep 0.1; echo end >>${log}`);
  const player = new Player(NO_CARDS, folder.path, env);
  await Promise.all([player.play(WAV, DEVICE), player.play(WAV, DEVICE)]);
  assert.is(readFileSync(log, 'utf8'), 'begin\nend\nbegin\nend\n');
});

test('what is not due any more at its turn is not played, and is no problem', async () => {
  using folder = temporaryFolder();
  const [log, hold] = [join(folder.path, 'log'), join(folder.path, 'hold')];
  writeFileSync(hold, '');
  const env = standIn(folder.path, `echo begin >>${log}; while [ -e ${hold} ]; do sleep 0.05; done`);
  const player = new Player(NO_CARDS, folder.path, env);
  let isDue = true;
  const sounds = [1, 2].map(() => player.play(WAV, DEVICE, () => isDue));
  await until('the first one plays', () => existsSync(log));
  isDue = false;
  rmSync(hold);
  assert.equal(await Promise.all(sounds), [null, null]);
  assert.is(readFileSync(log, 'utf8'), 'begin\n');
});

test('a close breaks a sound off, and what waits is not played', async () => {
  using folder = temporaryFolder();
  const log = join(folder.path, 'log');
  const player = new Player(NO_CARDS, folder.path, standIn(folder.path, `echo begin >>${log}; sleep 60`));
  const sounds = [player.play(WAV, DEVICE), player.play(WAV, DEVICE)];
  await until('the first one plays', () => existsSync(log));
  await player.close();
  await Promise.all(sounds);
  assert.is(readFileSync(log, 'utf8'), 'begin\n');
  assert.is(player.problem, null);
});

test('the real player brings each sample of a sum to a device, and names one that is not there', async () => {
  using folder = temporaryFolder();
  const { env, samples } = fileSpeaker(folder.path);
  const player = new Player(NO_CARDS, folder.path, { ...process.env, ...env });
  const voice = await readVoice(shippedVoice('en'), 'en');
  const wav = voice.say(['test', 'paid'], 100);
  assert.is(await player.play(wav, 'speaker'), null);
  const played = samples();
  const sound = wav.subarray(44);
  assert.ok(played.subarray(0, sound.length).equals(sound), 'what was heard is what was joined');
  assert.is((await player.play(wav, 'nothing'))?.fault, 'absent');
  assert.is((await player.play(wav, 'plughw:CARD=Nothing'))?.fault, 'absent');
});

test('cards that play are found by their names, with the rights to each', () => {
  using folder = temporaryFolder();
  const root = folder.path;
  for (const path of ['proc/asound', 'dev/snd']) mkdirSync(join(root, path), { recursive: true });
  const cards = new SoundCards(root);
  assert.equal(cards.speakers, []);
  writeFileSync(
    join(root, 'proc/asound/cards'),
    ` 0 [vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0
                      vc4-hdmi-0
 1 [Headphones     ]: bcm2835_headpho - bcm2835 Headphones
                      bcm2835 Headphones
 2 [Camera         ]: USB-Audio - USB Camera
                      Vendor USB Camera at usb-0000:01:00.0-1.3, high speed
`,
  );
  writeFileSync(
    join(root, 'proc/asound/pcm'),
    `00-00: MAI PCM i2s-hifi-0 : MAI PCM i2s-hifi-0 : playback 1
01-00: bcm2835 Headphones : bcm2835 Headphones : playback 8
02-00: USB Audio : USB Audio : capture 1
`,
  );
  assert.equal(cards.speakers, [
    { name: 'plughw:CARD=vc4hdmi0,DEV=0', title: 'vc4-hdmi-0' },
    { name: 'plughw:CARD=Headphones,DEV=0', title: 'bcm2835 Headphones' },
  ]);
  assert.is(cards.has('plughw:CARD=Headphones'), true);
  assert.is(cards.has('plughw:CARD=Other,DEV=0'), false);
  assert.is(cards.has('speaker'), null);
  writeFileSync(join(root, 'dev/snd/controlC1'), '');
  assert.is(cards.isDenied('plughw:CARD=Headphones,DEV=0'), false);
});

test.run();
