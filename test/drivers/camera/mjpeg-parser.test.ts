import fc from 'fast-check';
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { beginsAsJpeg, readJpegSize } from '../../../drivers/camera/jpeg-header.ts';
import { MjpegParser } from '../../../drivers/camera/libcamera-stream.ts';
import { jpegOf } from './support.ts';

const parser = suite('mjpeg parser');
const LIMIT = 1024 * 1024;

function parse(chunks: readonly Buffer[], limit = LIMIT) {
  const frames: Buffer[] = [];
  const sizes: string[] = [];
  const mjpeg = new MjpegParser((jpeg, size) => {
    frames.push(jpeg);
    sizes.push(`${size.width}x${size.height}`);
  }, limit);
  for (const chunk of chunks) mjpeg.push(chunk);
  return { frames, sizes, counts: mjpeg.counts };
}

/** Names the frames by their length: a difference of buffers prints thousands of lines. */
function same(frames: readonly Buffer[], expected: readonly Buffer[]): void {
  const lengths = (list: readonly Buffer[]) => list.map((frame) => frame.length);
  assert.equal(lengths(frames), lengths(expected));
  const isSame = frames.every((frame, index) => expected[index]?.equals(frame));
  assert.ok(isSame, 'a frame differs in its bytes');
}

function cutAt(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [...new Set(cuts.map((cut) => Math.floor(cut * bytes.length)))].sort((a, b) => a - b);
  return [0, ...places].map((from, index) => bytes.subarray(from, places[index] ?? bytes.length));
}

/** SOI, an EXIF segment that holds a whole thumbnail, and the rest of the picture. */
function withThumbnail(picture: Buffer, thumbnail: Buffer): Buffer {
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(thumbnail.length + 2, 2);
  return Buffer.concat([picture.subarray(0, 2), head, thumbnail, picture.subarray(2)]);
}

const small = await jpegOf(10, 64, 48);
const other = await jpegOf(200, 80, 40);
const large = await jpegOf(90);
const progressive = await sharp(large).jpeg({ progressive: true }).toBuffer();
const thumbed = withThumbnail(other, small);
const pictures = [small, other, large, progressive, thumbed];

const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });
const picks = fc.array(fc.integer({ min: 0, max: pictures.length - 1 }), { minLength: 1, maxLength: 6 });
const picked = (indexes: readonly number[]) => indexes.flatMap((index) => pictures[index] ?? []);

parser('gives every frame, byte for byte, however the stream is cut', () => {
  fc.assert(
    fc.property(picks, cuts, (indexes, places) => {
      const sent = picked(indexes);
      const { frames, counts } = parse(cutAt(Buffer.concat(sent), places));
      same(frames, sent);
      assert.equal(counts, { frames: sent.length, broken: 0 });
    }),
  );
});

parser('gives the frames of a stream that comes byte by byte', () => {
  const sent = [small, thumbed, other, small];
  const bytes = Buffer.concat(sent);
  const { frames } = parse(Array.from(bytes, (_, index) => bytes.subarray(index, index + 1)));
  same(frames, sent);
});

parser('reports the size of the header', () => {
  assert.equal(parse([small, large, progressive, thumbed]).sizes, ['64x48', '1280x720', '1280x720', '80x40']);
  assert.equal(readJpegSize(large), { width: 1280, height: 720 });
  assert.is(readJpegSize(small.subarray(0, 20)), null);
  assert.is(readJpegSize(Buffer.from('GIF89a')), null);
  assert.not(beginsAsJpeg(Buffer.alloc(0)));
});

parser('rubbish before, between and behind frames costs no frame', () => {
  // bytes that could pass for the start of a frame would be a frame cut short, which the next test is about
  const rubbish = fc
    .uint8Array({ maxLength: 400 })
    .map((bytes) => Buffer.from(bytes.map((byte) => (byte === 0xd8 ? 0 : byte))));
  fc.assert(
    fc.property(picks, fc.array(rubbish, { minLength: 7, maxLength: 7 }), cuts, (indexes, waste, places) => {
      const sent = picked(indexes);
      const bytes = Buffer.concat([
        ...sent.flatMap((frame, index) => [waste[index] ?? small, frame]),
        waste[6] ?? small,
      ]);
      const { frames } = parse(cutAt(bytes, places));
      same(frames, sent);
    }),
  );
});

parser('a frame cut short costs no other frame and is never given out', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: large.length - 2 }), cuts, (kept, places) => {
      const { frames } = parse(cutAt(Buffer.concat([small, large.subarray(0, kept), other, small]), places));
      same(frames, [small, other, small]);
    }),
  );
});

parser('a frame cut inside its thumbnail gives neither half pictures nor a lost frame behind it', () => {
  const cut = thumbed.subarray(0, 6 + Math.floor(small.length / 2));
  same(parse([cut, large]).frames, [large]);
});

parser('for any input, every frame given out is framed as a JPEG and within the limit', () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.constantFrom(...pictures),
    fc
      .constantFrom(
        [0xff, 0xd8],
        [0xff, 0xd8, 0xff],
        [0xff, 0xd9],
        [0xff],
        [0xff, 0xda, 0, 3, 3],
        [0xff, 0xe1, 0xff, 0xff],
      )
      .map((b) => Buffer.from(b)),
    fc.tuple(fc.constantFrom(...pictures), fc.nat()).map(([p, n]) => p.subarray(0, n % p.length)),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const { frames } = parse(
        pieces.map((bytes) => Buffer.from(bytes)),
        40_000,
      );
      for (const frame of frames) {
        assert.ok(beginsAsJpeg(frame) && frame.length <= 40_000 && readJpegSize(frame) !== null);
        assert.is(frame.readUInt16BE(frame.length - 2), 0xffd9);
      }
    }),
  );
});

parser('a frame that never ends is given up at the limit, and the next ones are found', () => {
  const endless = Buffer.concat([small.subarray(0, small.length - 2), Buffer.alloc(3 * LIMIT)]);
  const { frames, counts } = parse([endless, other, small]);
  same(frames, [other, small]);
  assert.is(counts.broken, 1);
});

parser('a header that ends without a scan is no picture', () => {
  const head = small.subarray(0, small.indexOf(Buffer.from([0xff, 0xda])));
  const { frames, counts } = parse([head, Buffer.from([0xff, 0xd9]), other]);
  same(frames, [other]);
  assert.is(counts.broken, 1);
});

parser('a frame over the limit is left out', () => {
  same(parse([small, large, other], large.length - 1).frames, [small, other]);
});

parser.run();
