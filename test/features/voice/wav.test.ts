/** WAV files: what is written is read again, and what is no 16 bit PCM in mono, or not whole, is refused with its words. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readWav, WavError, writeWav } from '../../../firmware/features/voice/wav.ts';

const test = suite('WAV files');
const SOUND = { rate: 22_050, samples: Int16Array.from([0, 1, -1, 32_767, -32_768, 1234]) };

/** A good file with one field of it changed. */
function changed(change: (file: Buffer) => void): Buffer {
  const file = writeWav(SOUND);
  change(file);
  return file;
}

test('a written sound is read again, and its header says its lengths', () => {
  const file = writeWav(SOUND);
  assert.equal(readWav(file), SOUND);
  assert.is(file.readUInt32LE(4), file.length - 8);
  assert.is(file.readUInt32LE(40), 2 * SOUND.samples.length);
  assert.is(file.readUInt32LE(28), 2 * SOUND.rate);
  assert.equal(readWav(writeWav({ rate: 8000, samples: new Int16Array() })).samples.length, 0);
});

test('a sound that lies inside a longer buffer is written alone, and an odd place is read', () => {
  const part = { ...SOUND, samples: SOUND.samples.subarray(2, 4) };
  assert.equal([...readWav(writeWav(part)).samples], [-1, 32_767]);
  const file = writeWav(SOUND);
  assert.equal(readWav(Buffer.concat([Buffer.alloc(1), file]).subarray(1)), SOUND);
});

test('what programs write beside the sound is left out', () => {
  const file = writeWav(SOUND);
  const note = Buffer.from('LIST\x03\0\0\0abc\0', 'latin1');
  const whole = Buffer.concat([file.subarray(0, 36), note, file.subarray(36), note]);
  whole.writeUInt32LE(whole.length - 8, 4);
  assert.equal(readWav(whole), SOUND);
});

const REFUSED: Readonly<Record<string, readonly [file: Buffer, code: string, words: RegExp]>> = {
  'of 0 bytes': [Buffer.alloc(0), 'empty', /^0 bytes; wanted: a whole WAV file/],
  'that is an MP3': [Buffer.from('ID3'.padEnd(500, '\x04')), 'not-wav', /^no WAV file; wanted: 16 bit PCM, mono/],
  'of a header alone that is cut': [writeWav(SOUND).subarray(0, 40), 'not-wav', /^no WAV file/],
  'cut in its sound': [writeWav(SOUND).subarray(0, 50), 'cut', /^50 bytes of the 56/],
  'with more behind it': [Buffer.concat([writeWav(SOUND), Buffer.alloc(9)]), 'cut', /^65 bytes of the 56/],
  'with placeholder lengths': [
    changed((file) => {
      file.writeUInt32LE(0x7ffff024, 4);
      file.writeUInt32LE(0x7ffff000, 40);
    }),
    'cut',
    /of the 2147479596/,
  ],
  'whose sound alone has a placeholder': [
    changed((file) => file.writeUInt32LE(0x7ffff000, 40)),
    'cut',
    /^12 bytes of the 2147479552 that "data" names/,
  ],
  'of lengths of all ones': [changed((file) => file.writeUInt32LE(0xffffffff, 16)), 'cut', /4294967295 that "fmt "/],
  'in stereo': [
    changed((file) => file.writeUInt16LE(2, 22)),
    'kind',
    /^16 bit PCM, 2 channels; wanted: 16 bit PCM, mono/,
  ],
  'without a channel': [changed((file) => file.writeUInt16LE(0, 22)), 'kind', /0 channels/],
  'of 8 bit': [changed((file) => file.writeUInt16LE(8, 34)), 'kind', /^8 bit PCM, mono/],
  'of 32 bit floating point': [
    changed((file) => {
      file.writeUInt16LE(3, 20);
      file.writeUInt16LE(32, 34);
    }),
    'kind',
    /^32 bit floating-point, mono/,
  ],
  'without a format': [changed((file) => file.write('junk', 12)), 'cut', /^no format/],
  'with a short format': [changed((file) => file.writeUInt32LE(2, 16)), 'cut', /./],
  'without sound': [changed((file) => file.write('junk', 36)), 'cut', /^no sound/],
  'whose last sample is cut': [
    (() => {
      const file = writeWav(SOUND).subarray(0, 55);
      file.writeUInt32LE(47, 4);
      file.writeUInt32LE(11, 40);
      return file;
    })(),
    'cut',
    /^half a sample/,
  ],
  'whose part has a name of control characters': [changed((file) => file.write('\n\x1b[1', 12)), 'cut', /./],
};

for (const [name, [file, code, words]] of Object.entries(REFUSED))
  test(`a file ${name} is refused`, () => {
    try {
      readWav(file);
    } catch (error) {
      assert.instance(error, WavError);
      assert.is((error as WavError).code, code);
      assert.match((error as WavError).message, words);
      assert.match((error as WavError).message, /^[ -~µ]+$/);
      return;
    }
    assert.unreachable('it was read');
  });

test('each byte of a file may be any other: it is read, or refused in words', () => {
  const good = writeWav(SOUND);
  for (let at = 0; at < 44; at++)
    for (const value of [0, 1, 0x7f, 0x80, 0xff])
      try {
        readWav(changed((file) => file.writeUInt8(value, at)));
      } catch (error) {
        assert.instance(error, WavError, `${at}: ${value}`);
      }
  for (let length = 0; length < good.length; length++) assert.throws(() => readWav(good.subarray(0, length)), /wanted/);
});

test.run();
