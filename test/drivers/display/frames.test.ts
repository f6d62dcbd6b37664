import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CLEAR, type Picture } from '../../../drivers/display/contract.ts';
import { encodeCommand, encodePicture, encodeQr, readReply, TERMINATOR } from '../../../drivers/display/wire/frames.ts';
import { FrameParser } from '../../../drivers/display/wire/simulator-device.ts';
import { createReplyReader } from '../../../drivers/display/wire/wire-display.ts';
import { textOf } from './contract-suite.ts';

const frames = suite('display frames');
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

frames('commands are the bytes that public clients send', () => {
  assert.is(hex(encodeCommand('clear')), '02f003434c5303');
  assert.is(hex(encodeCommand('success')), '02f003636f727265637403');
  assert.is(hex(encodeCommand('failure')), '02f0036d697374616b6503');
});

frames('a QR has its length in two bytes, the high one first', () => {
  assert.is(hex(encodeQr('serial', 'AB')), '02f20200024142' + '02f203');
  assert.is(hex(encodeQr('serial', 'a'.repeat(300))).slice(0, 10), '02f202012c');
});

frames('the length of a QR counts bytes, not characters', () => {
  assert.is(hex(encodeQr('serial', 'ж☕')), '02f2020005d0b6e2989502f203');
});

frames('a QR always comes after a Clear', () => {
  const [first, second, ...more] = encodePicture('serial', { kind: 'qr', payload: 'x' });
  assert.equal(
    { first, second, more: more.length },
    { first: encodeCommand('clear'), second: encodeQr('serial', 'x'), more: 0 },
  );
});

const picture: fc.Arbitrary<Picture> = fc.oneof(
  fc.constant(CLEAR),
  fc.constantFrom<Picture>({ kind: 'status', status: 'success' }, { kind: 'status', status: 'failure' }),
  fc
    .string({ unit: 'binary', minLength: 1, maxLength: 250 })
    .filter((payload) => payload.isWellFormed())
    .map((payload): Picture => ({ kind: 'qr', payload })),
);

/** Cuts bytes into chunks of the given sizes, over and over. */
function* chunksOf(bytes: Uint8Array, sizes: readonly number[]): Generator<Uint8Array> {
  for (let start = 0, turn = 0; start < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield bytes.subarray(start, start + size);
    start += size;
  }
}

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });

frames('the display reads what we send, however it is chunked', () => {
  fc.assert(
    fc.property(fc.array(picture, { maxLength: 12 }), sizes, (pictures, cut) => {
      const sent = pictures.flatMap((one) => encodePicture('serial', one));
      const parser = new FrameParser();
      const got = [...chunksOf(Buffer.concat(sent), cut)].flatMap((chunk) => parser.push(chunk));
      const raws = got.map(({ raw }) => hex(raw));
      assert.equal(raws, sent.map(hex));
      const codes = got.flatMap((frame) => (frame.kind === 'qr' ? [`qr ${frame.payload}`] : []));
      assert.equal(codes, pictures.filter(({ kind }) => kind === 'qr').map(textOf));
      assert.equal([parser.pending, parser.skipped], [0, 0]);
    }),
  );
});

frames('the display finds a command after any rubbish that opens no frame', () => {
  const rubbish = fc.uint8Array({ maxLength: 300 }).map((bytes) => bytes.filter((byte) => byte !== 0x02));
  fc.assert(
    fc.property(rubbish, sizes, (before, cut) => {
      const parser = new FrameParser();
      const sent = Buffer.concat([before, encodeCommand('success')]);
      const got = [...chunksOf(sent, cut)].flatMap((chunk) => parser.push(chunk));
      const raws = got.map(({ raw }) => hex(raw));
      assert.equal(raws, [hex(encodeCommand('success'))]);
      assert.is(parser.skipped, before.length);
    }),
  );
});

frames('rubbish of any kind is borne, and every byte is accounted for', () => {
  const likely = fc.constantFrom(0x02, 0x03, 0xf0, 0xf2, 0x00, 0x41);
  const noise = fc.array(fc.oneof(likely, fc.integer({ min: 0, max: 255 })), { maxLength: 500 });
  fc.assert(
    fc.property(noise, sizes, (bytes, cut) => {
      const parser = new FrameParser();
      const got = [...chunksOf(Uint8Array.from(bytes), cut)].flatMap((chunk) => parser.push(chunk));
      const inFrames = got.reduce((sum, { raw }) => sum + raw.length, 0);
      assert.is(inFrames + parser.skipped + parser.pending, bytes.length);
    }),
  );
});

frames('a reply is read for its acknowledgement, and kept whole for the log', () => {
  assert.equal(readReply('CLS\x06'), { bytes: 4, hex: '434c5306', text: 'CLS', acknowledged: true });
  assert.equal(readReply('\xff\x00'), { bytes: 2, hex: 'ff00', text: '', acknowledged: false });
});

frames('a payload that a device repeats in its reply is not kept', () => {
  const reply = readReply('https://qr.nspk.ru/AD10004MV5CJ3D638358RO81129CE63P?type=02\x06');
  assert.equal([reply.text, reply.bytes, reply.acknowledged], ['https://…type=02', 60, true]);
});

frames('replies are cut at their terminator, however they are chunked', async () => {
  const replies: string[] = [];
  const read = await createReplyReader(TERMINATOR, (reply) => replies.push(reply));
  for (const byte of Buffer.from('CLS\x06\x03\x03QR\xff\x06\x03tail', 'latin1')) read(Uint8Array.of(byte));
  assert.equal(replies, ['CLS\x06', 'QR\xff\x06']);
});

frames('a device that never ends its reply fills no memory: it comes in bounded pieces', async () => {
  const replies: string[] = [];
  const read = await createReplyReader(TERMINATOR, (reply) => replies.push(reply));
  for (let turn = 0; turn < 100; turn += 1) read(new Uint8Array(1_000).fill(0x55));
  assert.ok(replies.length > 300);
  assert.ok(replies.every((reply) => reply.length <= 256));
});

frames.run();
