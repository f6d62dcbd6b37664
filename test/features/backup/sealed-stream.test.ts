/** A sealed file opens whole and unchanged with its passphrase, or reports what is wrong with it. */
import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BackupError } from '../../../firmware/features/backup/backup-error.ts';
import { type DerivedKey, deriveKey } from '../../../firmware/features/backup/sealed-head.ts';
import { openSealedFile, sealFile } from '../../../firmware/features/backup/sealed-stream.ts';
import { failed } from '../../support.ts';
import { seeded } from '../../tools/seeded.ts';

const test = suite('sealed stream');

const PASSPHRASE = 'семь тёплых ламп над кассой';
const ABOUT = { version: '0.1.0', device: 'TEST0001', madeAt: '2026-11-21T00:00:00.000Z' };
const PIECE = 64 * 1024;

async function* inPieces(bytes: Buffer, length = 50_000): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

async function joined(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

/** A third of a second each, and most files here are copies of a few: none is derived twice. */
const derived = new Map<string, Promise<DerivedKey>>();
function keptKeyOf(passphrase: string, salt: Buffer): Promise<DerivedKey> {
  const name = `${salt.toString('hex')} ${passphrase}`;
  const key = derived.get(name) ?? deriveKey(passphrase, salt);
  derived.set(name, key);
  return key;
}

async function sealed(plain: Buffer): Promise<Buffer> {
  const { content, bytes } = await sealFile(PASSPHRASE, ABOUT, {
    plain: inPieces(plain),
    plainBytes: plain.length,
    derive: keptKeyOf,
  });
  const file = await joined(content);
  assert.is(file.length, bytes, 'the length is known before');
  return file;
}

async function openedOf(file: Buffer, passphrase = PASSPHRASE, length = 7001): Promise<Buffer> {
  return joined((await openSealedFile(passphrase, inPieces(file, length), keptKeyOf)).content);
}

const refusal = async (file: Buffer, passphrase = PASSPHRASE) =>
  (await failed(BackupError, openedOf(file, passphrase))).code;

test('what was sealed is opened, of every length around that of a piece', async () => {
  for (const length of [0, 1, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE, 3 * PIECE + 17]) {
    const plain = randomBytes(length);
    const file = await sealed(plain);
    assert.ok((await openedOf(file)).equals(plain), `${length} bytes`);
    assert.not(file.includes(plain.subarray(0, 64)) && length > 64, 'nothing stands in the clear');
  }
});

test('a passphrase is the same in each spelling of its letters, and another opens nothing', async () => {
  const file = await sealed(randomBytes(100));
  assert.ok((await openedOf(file, PASSPHRASE.normalize('NFD'))).length === 100);
  assert.is(await refusal(file, `${PASSPHRASE} `), 'WrongPassphrase');
  assert.is(await refusal(file, ''), 'WrongPassphrase');
});

test('two files of the same have nothing in common but what stands in the clear', async () => {
  const plain = randomBytes(1000);
  const [one, other] = [await sealed(plain), await sealed(plain)];
  assert.not(one.subarray(-1016).equals(other.subarray(-1016)));
});

test('a byte that is changed anywhere is noticed', async () => {
  const file = await sealed(randomBytes(2 * PIECE + 500));
  const head = file.indexOf('\n', file.indexOf('\n') + 1) + 1;
  const random = seeded(16);
  const places = [
    ...Array.from({ length: 12 }, () => Math.floor(random() * head)),
    head,
    head + PIECE - 1,
    head + PIECE,
    head + PIECE + 15,
    head + PIECE + 16,
    file.length - 1,
    ...Array.from({ length: 12 }, () => head + Math.floor(random() * (file.length - head))),
  ];
  for (const place of places) {
    const changed = Buffer.from(file);
    changed[place] = (changed[place] ?? 0) ^ 1;
    const code = await refusal(changed);
    assert.ok(['Damaged', ...(place < head ? ['WrongPassphrase', 'TooNew'] : [])].includes(code), `${place}: ${code}`);
  }
});

test('the head is bound to the pieces: another name or time in it is noticed', async () => {
  const file = await sealed(randomBytes(100));
  const renamed = Buffer.from(file.toString('latin1').replace('TEST0001', 'TEST0002'), 'latin1');
  assert.is(await refusal(renamed), 'Damaged');
});

test('a file that is cut anywhere, between its pieces too, is noticed', async () => {
  const file = await sealed(randomBytes(3 * PIECE));
  const head = file.indexOf('\n', file.indexOf('\n') + 1) + 1;
  for (const length of [0, 5, head - 1, head, head + 10, head + PIECE + 16, head + 2 * (PIECE + 16), file.length - 1])
    assert.is(await refusal(file.subarray(0, length)), 'Damaged', `cut to ${length}`);
});

test('pieces that are exchanged, left out, sent twice or added are noticed', async () => {
  const file = await sealed(randomBytes(3 * PIECE + 5));
  const start = file.indexOf('\n', file.indexOf('\n') + 1) + 1;
  const head = file.subarray(0, start);
  const piece = (n: number): Buffer => file.subarray(start + n * (PIECE + 16), start + (n + 1) * (PIECE + 16));
  const last = piece(3);
  for (const pieces of [
    [piece(1), piece(0), piece(2), last],
    [piece(0), piece(2), last],
    [piece(0), piece(1), last],
    [piece(0), piece(0), piece(1), piece(2), last],
    [piece(0), piece(1), piece(2), last, last],
    [piece(0), piece(1), piece(2), last, Buffer.from('x')],
  ])
    assert.is(await refusal(Buffer.concat([head, ...pieces])), 'Damaged');
});

test('a piece of another file with the same passphrase is noticed', async () => {
  const [one, other] = [await sealed(randomBytes(PIECE * 2)), await sealed(randomBytes(PIECE * 2))];
  assert.is(await refusal(Buffer.concat([one.subarray(0, -100), other.subarray(-100)])), 'Damaged');
});

test('a later format says that the device is to be updated', async () => {
  const file = await sealed(randomBytes(10));
  const later = Buffer.from(file.toString('latin1').replace('LANEWARE BACKUP 1', 'LANEWARE BACKUP 2'), 'latin1');
  assert.is(await refusal(later), 'TooNew');
  assert.is(await refusal(Buffer.from('LANEWARE BACKUP 0\n{}\n')), 'Damaged');
  assert.is(await refusal(Buffer.from(`${'x'.repeat(100_000)}`)), 'Damaged');
  assert.is(await refusal(Buffer.from(`LANEWARE BACKUP 1\n${'x'.repeat(100_000)}`)), 'Damaged');
});

test('costs that a file names are not taken from it', async () => {
  const file = await sealed(randomBytes(10));
  const dear = Buffer.from(file.toString('latin1').replace('"N":32768', '"N":1048576'), 'latin1');
  assert.is(await refusal(dear), 'Damaged');
});

test.run();
