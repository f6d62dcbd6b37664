/** Files whose writes take less than was asked, as a write does that fills the disk, which the system calls no error. */
import fs, { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { journalOf, lineFiles } from '../../firmware/core/book/journal-files.ts';
import { packEnded } from '../../firmware/core/book/journal-packing.ts';
import { textLines } from '../../firmware/core/book/journal-text.ts';
import { writeWhole } from '../../firmware/core/files/index.ts';
import { Money } from '../../firmware/payments/money/money.ts';
import { ShownCode } from '../../firmware/payments/service/screen/shown-code.ts';
import { each, inFolder } from '../support.ts';
import { NOW, newPayment } from '../terminal/ledger-rig.ts';

const test = suite('writes that take less than was asked');
const it = each(test, inFolder);

const DAY_MS = 86_400_000;
/** Bytes that one write takes at most. */
const TAKEN = 100;

/** Node's own writes of whole files go by this one, too. */
type Write = (handle: number, bytes: Uint8Array, offset: number, length: number, position: number | null) => number;

/** @param write takes the place of the file system's own, which it is given */
function withWrites(write: (own: Write) => Write, work: () => void): void {
  const own = fs.writeSync;
  const replacing = write(own);
  const text = (bytes: string | Uint8Array) => (typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
  Object.assign(fs, {
    writeSync: (handle: number, data: string | Uint8Array, at?: number, length?: number, position?: number | null) => {
      const bytes = text(data);
      // with a text the third argument is the position
      if (typeof data === 'string') return replacing(handle, bytes, 0, bytes.length, at ?? null);
      return replacing(handle, bytes, at ?? 0, length ?? bytes.length - (at ?? 0), position ?? null);
    },
  });
  syncBuiltinESMExports();
  try {
    work();
  } finally {
    Object.assign(fs, { writeSync: own });
    syncBuiltinESMExports();
  }
}

const taking =
  (most: number) =>
  (own: Write): Write =>
  (handle, bytes, offset, length, position) =>
    own(handle, bytes, offset, Math.min(length, most), position);

/** A journal with an ended day, and a day that goes on. */
function twoDays(path: string): string {
  let now = NOW;
  using money = Money.open({ path: join(path, 'money.db'), secondFolder: null, now: () => now });
  for (const n of [1, 2]) {
    money.payments.insert(newPayment(n));
    now += DAY_MS;
  }
  return journalOf(join(path, 'money.db'));
}

const kindsIn = (folder: string) => lineFiles(folder).map(({ kind }) => kind);
const linesIn = (folder: string) => lineFiles(folder).map((file) => [...textLines(file)]);

it('an ended day is packed whole where a write takes a part of a frame', ({ path }) => {
  const folder = twoDays(path);
  const before = linesIn(folder);
  withWrites(taking(TAKEN), () => packEnded(folder));
  assert.equal(kindsIn(folder), ['packed', 'log']);
  assert.equal(linesIn(folder), before);
});

it('a packed day that does not read as it was written leaves the log, and ends with an error', ({ path }) => {
  const folder = twoDays(path);
  const before = linesIn(folder);
  const lying: (own: Write) => Write = (own) => (handle, bytes, offset, length, position) => {
    own(handle, bytes, offset, length >> 1, position);
    return length;
  };
  withWrites(lying, () => assert.throws(() => packEnded(folder), /does not read as it was written/));
  assert.equal(kindsIn(folder), ['log', 'log']);
  assert.equal(linesIn(folder), before);
  assert.not(
    existsSync(`${lineFiles(folder)[0]?.path.replace(/log$/, 'packed')}.tmp`),
    'the unfinished file takes room',
  );
});

it('a note of the shown code is written whole', ({ path }) => {
  const note = join(path, 'on-display');
  const shown = new ShownCode(note, { bootId: 'boot' });
  shown.save('order');
  withWrites(taking(3), () => shown.save('order-2'));
  assert.ok(shown.was('order-2'));
});

it('the rest is written behind what a write has taken, at a place and where the file stands', ({ path }) => {
  const file = join(path, 'file');
  writeFileSync(file, 'abcdefgh');
  withWrites(taking(2), () => {
    const handle = fs.openSync(file, 'r+');
    writeWhole(handle, Buffer.from('VWXYZ'), 1);
    writeWhole(handle, Buffer.from('123'), null);
    fs.closeSync(handle);
  });
  assert.is(readFileSync(file, 'utf8'), '123XYZgh');
});

test.run();
