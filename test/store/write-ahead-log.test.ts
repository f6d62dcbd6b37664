/** A damaged log of SQLite: what can be repaired is, and the rest is reported. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openFile } from '../../firmware/store/database.ts';
import { mendLog } from '../../firmware/store/write-ahead-log.ts';
import { temporaryFolder } from '../support.ts';

const test = suite('logs of SQLite');

const ROWS = 40;
const PAGE = 4096;

/** A database as a pulled plug leaves it: all of it is in its log. */
function hot(folder: string): string {
  const path = join(folder, 'hot.db');
  const db = openFile(join(folder, 'live.db'));
  db.exec('PRAGMA journal_mode = WAL; CREATE TABLE things (n INTEGER PRIMARY KEY, name TEXT)');
  for (let n = 1; n <= ROWS; n += 1) db.prepare('INSERT INTO things VALUES (?, ?)').run(n, 'x'.repeat(300));
  for (const end of ['', '-wal']) copyFileSync(join(folder, `live.db${end}`), path + end);
  db.close();
  return path;
}

function rowsIn(path: string): number {
  const db = openFile(path);
  try {
    return Number(db.prepare('SELECT count(*) AS n FROM things').get()?.n);
  } catch {
    return 0; // not even the table
  } finally {
    db.close();
  }
}

const turned = (at: number, bytes: Buffer): Buffer => {
  bytes[at] = (bytes[at] ?? 0) ^ 0x10;
  return bytes;
};

test('a log that nothing has damaged is left as it is', () => {
  using folder = temporaryFolder();
  const path = hot(folder.path);
  const before = readFileSync(`${path}-wal`);
  assert.is(mendLog(`${path}-wal`), 'whole');
  assert.equal(readFileSync(`${path}-wal`), before);
  assert.is(mendLog(join(folder.path, 'none-wal')), 'whole');
  assert.is(rowsIn(path), ROWS);
});

test('a damaged byte is repaired where the checksums show which it was, and reported otherwise', () => {
  using folder = temporaryFolder();
  const path = hot(folder.path);
  const whole = readFileSync(`${path}-wal`);
  const length = PAGE + 24;
  const frames = Math.floor((whole.length - 32) / length);
  // the head; of the first and a middle frame their heads, and the beginning, middle and end of their pages
  const inFrame = [1, 5, 9, 14, 24, 25, 27, 2001, 2003, 2004, length - 3].flatMap((at) =>
    [0, 20].map((n) => 32 + n * length + at),
  );
  let mended = 0;
  for (const at of [1, 8, 10, 17, ...inFrame])
    for (const byte of [(whole[at] ?? 0) ^ 1, (whole[at] ?? 0) ^ 0x80, 0, 0xff]) {
      const damaged = Buffer.from(whole);
      damaged[at] = byte;
      if (damaged.equals(whole)) continue;
      writeFileSync(`${path}-wal`, damaged);
      const found = mendLog(`${path}-wal`);
      assert.is.not(found, 'whole', `byte ${at}`);
      assert.equal(readFileSync(`${path}-wal`), found === 'mended' ? whole : damaged, `byte ${at}`);
      if (found === 'mended') mended += 1;
    }
  assert.ok(mended > 50, `${mended} of ${frames} frames`);
});

for (const bit of [1, 0x10, 0x80])
  test(`a bit (${bit}) that turned over in the log loses no row`, () => {
    using folder = temporaryFolder();
    const path = hot(folder.path);
    const damaged = readFileSync(`${path}-wal`);
    damaged[32 + 24 + 1000] = (damaged[32 + 24 + 1000] ?? 0) ^ bit;
    writeFileSync(`${path}-wal`, damaged);
    assert.is(mendLog(`${path}-wal`), 'mended');
    assert.is(rowsIn(path), ROWS);
  });

test('more damage is reported, unless it is the end that the power has cut off', () => {
  using folder = temporaryFolder();
  const path = hot(folder.path);
  const whole = readFileSync(`${path}-wal`);
  const twice = turned(9000, turned(9100, Buffer.from(whole)));
  writeFileSync(`${path}-wal`, twice);
  assert.is(mendLog(`${path}-wal`), 'lost');
  assert.equal(readFileSync(`${path}-wal`), twice);
  const head = turned(1, turned(9, Buffer.from(whole)));
  writeFileSync(`${path}-wal`, head);
  assert.is(mendLog(`${path}-wal`), 'lost');
  writeFileSync(`${path}-wal`, Buffer.from(whole).fill(0x5a, 40, 60));
  assert.is(mendLog(`${path}-wal`), 'lost');
  for (const torn of [whole.subarray(0, -100), Buffer.from(whole).fill(0, whole.length - 3000)]) {
    writeFileSync(`${path}-wal`, torn);
    assert.is(mendLog(`${path}-wal`), 'whole');
  }
});

test.run();
