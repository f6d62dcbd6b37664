/** A voice: the shipped recordings, a shop's own, and the sound that is joined of them. */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LANGUAGES } from '../../../drivers/lib/languages.ts';
import { MAX_AMOUNT_KOPECKS } from '../../../firmware/core/config/index.ts';
import { announcement, CHIME, chimeAlone, sumInPieces } from '../../../firmware/features/voice/announcement.ts';
import { type PieceFault, readVoice, shippedVoice, VoiceError } from '../../../firmware/features/voice/voice.ts';
import { readWav, writeWav } from '../../../firmware/features/voice/wav.ts';
import { VOICE_WORDS } from '../../../firmware/features/voice/words.ts';
import { temporaryFolder } from '../../support.ts';

const test = suite('a voice');
const LANGUAGE = 'ru';
const RATE = 22_050;
/** Of the repository, and of what a device downloads. */
const MOST_BYTES = 3_000_000;
const [LEAST_SECONDS, MOST_SECONDS] = [0.15, 1.2];
const FULL_SCALE = 0x7fff;

const shipped = (language: (typeof LANGUAGES)[number]) =>
  readdirSync(shippedVoice(language)).map((name) => {
    const bytes = readFileSync(join(shippedVoice(language), name));
    return { name: `${language}/${name}`, bytes: bytes.length, ...readWav(bytes) };
  });
const ALL = LANGUAGES.flatMap(shipped);

for (const language of LANGUAGES)
  test(`each key that a sum needs has its file, and each file is needed: ${language}`, () => {
    const numbers = Array.from({ length: 1000 }, (_, index) => index + 1);
    const said = new Set([
      ...announcement(language, 1, { isTest: true }),
      ...numbers.flatMap((count) => [
        ...sumInPieces(language, count),
        ...[100, 100_000, 100_000_000].flatMap((unit) => (count < 1000 ? sumInPieces(language, count * unit) : [])),
      ]),
    ]);
    const files = readdirSync(shippedVoice(language)).map((name) => name.replace(/\.wav$/, ''));
    assert.equal(files.toSorted(), [...said].sort());
    assert.equal(files.toSorted(), Object.keys(VOICE_WORDS[language]).sort());
  });

test('the shipped recordings are small, of one rate, short, loud enough, and nowhere clipped', () => {
  assert.ok(ALL.reduce((sum, { bytes }) => sum + bytes, 0) <= MOST_BYTES);
  for (const { name, rate, samples } of ALL) {
    assert.is(rate, RATE, name);
    const seconds = samples.length / rate;
    assert.ok(seconds >= LEAST_SECONDS && seconds <= MOST_SECONDS, `${name}: ${seconds} s`);
    const peak = Math.max(...samples.map(Math.abs));
    assert.ok(peak < 0.95 * FULL_SCALE && peak > 0.4 * FULL_SCALE, `${name}: peak of ${peak}`);
    const loudness = Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length) / FULL_SCALE;
    assert.ok(loudness > 0.07 && loudness < 0.16, `${name}: loudness of ${loudness}`);
  }
});

test('the shipped recordings begin and end in silence, which is short', () => {
  for (const { name, rate, samples } of ALL) {
    const heard = (sample: number): boolean => Math.abs(sample) > 0.02 * FULL_SCALE;
    const [before, behind] = [samples.findIndex(heard), samples.length - 1 - samples.findLastIndex(heard)];
    assert.ok(before < 0.06 * rate && behind < 0.1 * rate, `${name}: ${before / rate} s, ${behind / rate} s`);
    assert.ok(Math.abs(samples[0] ?? 1) < 100 && Math.abs(samples.at(-1) ?? 1) < 100, `${name} clicks`);
  }
});

test('the notice of the recordings lies beside them', () => {
  assert.match(readFileSync(join(shippedVoice(LANGUAGE), '../NOTICE'), 'utf8'), /espeak-ng[\s\S]*GNU General Public/);
});

for (const language of LANGUAGES)
  test(`joined pieces are their parts in samples, and short enough for a player: ${language}`, async () => {
    const voice = await readVoice(shippedVoice(language), language);
    const pieces = announcement(language, 123_402, { isTest: true });
    const { rate, samples } = voice.join(pieces, 100);
    let at = 0;
    for (const key of pieces) {
      const piece = readWav(readFileSync(join(shippedVoice(language), `${key}.wav`))).samples;
      assert.equal(samples.subarray(at, at + piece.length), piece, key);
      at += piece.length;
      const pause = Math.round((['test', 'paid'].includes(key) ? 0.18 : 0.04) * rate);
      assert.ok(samples.subarray(at, at + pause).every((sample) => sample === 0));
      at += pause;
    }
    assert.is(samples.length, at);
    assert.is(voice.secondsOf(pieces), at / rate);
    for (const kopecks of [MAX_AMOUNT_KOPECKS, 777_777_77, 999_999_99, 616_616_16])
      assert.ok(voice.secondsOf(announcement(language, kopecks, { isTest: true })) < 7.5);
  });

test('the volume scales each sample, nothing is louder than recorded, and 0 is silence', async () => {
  const voice = await readVoice(shippedVoice(LANGUAGE), LANGUAGE);
  const pieces = announcement(LANGUAGE, 1, { isTest: false });
  const [whole, half, none] = [100, 50, 0].map((percent) => voice.join(pieces, percent).samples);
  assert.ok(whole?.every((sample, at) => Math.abs((half?.[at] ?? Number.NaN) - sample / 2) <= 0.5));
  assert.ok(none?.every((sample) => sample === 0));
  for (const percent of [-1, 101, Number.NaN]) assert.throws(() => voice.join(pieces, percent), RangeError);
  assert.throws(() => voice.join(['nothing'], 100), /no piece "nothing"/);
});

test('the chime is a short sound of the voice’s rate that begins and ends in silence', async () => {
  const voice = await readVoice(shippedVoice(LANGUAGE), LANGUAGE);
  const { rate, samples } = readWav(voice.say(chimeAlone({ isTest: false }), 100));
  assert.is(rate, RATE);
  const peak = Math.max(...samples.map(Math.abs));
  assert.ok(peak > 0.3 * FULL_SCALE && peak < 0.98 * FULL_SCALE, `peak of ${peak}`);
  assert.ok(samples.length < RATE && Math.abs(samples[0] ?? 1) < 50 && samples.at(-1) === 0);
  assert.ok(voice.secondsOf(['test', CHIME]) > voice.secondsOf([CHIME]));
});

/** A copy of the shipped voice that is changed; what is wrong with it, by file. */
async function problemsOf(change: (folder: string) => void): Promise<Record<string, PieceFault>> {
  using folder = temporaryFolder();
  cpSync(shippedVoice(LANGUAGE), folder.path, { recursive: true });
  change(folder.path);
  try {
    await readVoice(folder.path, LANGUAGE);
    return {};
  } catch (error) {
    assert.instance(error, VoiceError);
    const { problems, message } = error as VoiceError;
    for (const { file, has, wanted } of problems.slice(0, 5))
      assert.ok(has !== '' && wanted !== '' && message.includes(file));
    return Object.fromEntries(problems.map(({ file, fault }) => [file, fault]));
  }
}

const soundOf = (rate: number, seconds: number, level = 8000): Buffer =>
  writeWav({ rate, samples: new Int16Array(Math.round(rate * seconds)).fill(level) });

test('a shop’s own folder is a voice: its rate is its own, and other files there do not matter', async () => {
  using folder = temporaryFolder();
  for (const key of Object.keys(VOICE_WORDS[LANGUAGE]))
    writeFileSync(join(folder.path, `${key}.wav`), soundOf(48_000, 0.3));
  writeFileSync(join(folder.path, 'read me.txt'), 'recorded in our shop');
  const voice = await readVoice(folder.path, LANGUAGE);
  assert.is(voice.rate, 48_000);
  assert.is(readWav(voice.say(['paid'], 100)).rate, 48_000);
});

test('every missing piece of a folder is named, and none is taken from the shipped voice', async () => {
  const missing = await problemsOf((folder) => {
    for (const name of ['paid.wav', '1-feminine.wav']) rmSync(join(folder, name));
  });
  assert.equal(missing, { 'paid.wav': 'missing', '1-feminine.wav': 'missing' });
  const nothing = await problemsOf((folder) => rmSync(folder, { recursive: true }));
  assert.is(Object.keys(nothing).length, Object.keys(VOICE_WORDS[LANGUAGE]).length);
});

test('every recording that cannot be used is named with its reason', async () => {
  const found = await problemsOf((folder) => {
    const put = (name: string, bytes: Buffer) => writeFileSync(join(folder, name), bytes);
    put('1.wav', Buffer.alloc(0));
    put('2.wav', Buffer.from('no sound at all, but a text that is longer than a header'));
    truncateSync(join(folder, '3.wav'), 5000);
    put('4.wav', soundOf(44_100, 0.3));
    put('5.wav', soundOf(96_000, 0.3));
    put('6.wav', soundOf(RATE, 0.3, 12));
    truncateSync(join(folder, '7.wav'), 5_000_000_000); // with holes: it takes no room
    rmSync(join(folder, '8.wav'));
    mkdirSync(join(folder, '8.wav'));
    const stereo = soundOf(RATE, 0.3);
    stereo.writeUInt16LE(2, 22);
    put('9.wav', stereo);
  });
  assert.equal(found, {
    '1.wav': 'empty',
    '2.wav': 'not-wav',
    '3.wav': 'cut',
    '4.wav': 'rate',
    '5.wav': 'rate',
    '6.wav': 'silent',
    '7.wav': 'large',
    '8.wav': 'unreadable',
    '9.wav': 'kind',
  });
});

test('a voice that is too slow for the longest sum is refused: the player would cut the sum off', async () => {
  const slow = await problemsOf((folder) => {
    for (const name of readdirSync(folder)) writeFileSync(join(folder, name), soundOf(RATE, 0.62));
  });
  assert.equal(slow, { '*': 'slow' });
});

test('a huge file takes no memory', async () => {
  using folder = temporaryFolder();
  for (const key of Object.keys(VOICE_WORDS[LANGUAGE])) {
    writeFileSync(join(folder.path, `${key}.wav`), '');
    truncateSync(join(folder.path, `${key}.wav`), 1_000_000_000);
  }
  const before = process.memoryUsage().arrayBuffers;
  await readVoice(folder.path, LANGUAGE).then(
    () => assert.unreachable(),
    (error: unknown) => assert.instance(error, VoiceError),
  );
  assert.ok(process.memoryUsage().arrayBuffers - before < 10_000_000);
  assert.is(statSync(join(folder.path, '1.wav')).size, 1_000_000_000);
});

test.run();
