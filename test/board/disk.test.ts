/** The storage below the data: room, wear, faults. */
import { statfsSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { lockedAs } from '../../drivers/lib/file-locks.ts';
import { type DiskFacts, diskFacts, diskReasons } from '../../firmware/core/board/disk.ts';
import { LEAST_FREE_BYTES } from '../../firmware/core/board/least-free.ts';
import { until } from '../support.ts';
import { boardOn, STORAGE, Tree } from './tree.ts';

const test = suite('the storage of the board');

const WELL: DiskFacts = {
  ...{ freeBytes: LEAST_FREE_BYTES, totalBytes: 1e9, freeFiles: 1000, writtenBytes: 0 },
  ...{ lifeUsedPercent: 80, isNearItsEnd: false, faults: 0 },
};

test('what the kernel reports of an eMMC and of its file system is read', () => {
  using tree = new Tree();
  tree
    .storage()
    .emmc('life_time', '0x02 0x04')
    .emmc('pre_eol_info', '0x01')
    .put('/sys/fs/ext4/mmcblk0p2/errors_count', '3');
  const facts = diskFacts(tree.root, tree.files, STORAGE);
  assert.is(facts.writtenBytes, 4096 * 512);
  assert.is(facts.lifeUsedPercent, 40);
  assert.is(facts.isNearItsEnd, false);
  assert.is(facts.faults, 3);
  const { bsize, blocks } = statfsSync(tree.root);
  assert.is(facts.totalBytes, blocks * bsize);
  assert.is((facts.freeBytes ?? 1) % bsize, 0);
  tree.emmc('pre_eol_info', '0x02');
  assert.ok(diskFacts(tree.root, tree.files, STORAGE).isNearItsEnd);
});

test('of a storage that reports nothing nothing is said, and nothing fails', () => {
  using tree = new Tree();
  for (const storage of [STORAGE, null]) {
    const { writtenBytes, lifeUsedPercent, isNearItsEnd, faults } = diskFacts(tree.root, tree.files, storage);
    assert.equal(
      { writtenBytes, lifeUsedPercent, isNearItsEnd, faults },
      { writtenBytes: null, lifeUsedPercent: null, isNearItsEnd: false, faults: null },
    );
  }
  assert.is(diskFacts('/nowhere/at/all', tree.files, null).freeBytes, null);
});

test('an SD card says 0x00 for what it does not know, and anything else it says is no figure', () => {
  using tree = new Tree();
  tree.storage();
  for (const [said, known] of [
    ['0x00 0x00', null],
    ['0x00 0x0b', 110],
    ['what', null],
    ['', null],
  ] as const) {
    tree.emmc('life_time', said);
    assert.is(diskFacts(tree.root, tree.files, STORAGE).lifeUsedPercent, known, said);
  }
});

for (const [what, facts, words] of [
  ['little room', { freeBytes: LEAST_FREE_BYTES - 1 }, /199 MB free, updates and payments need 200 MB/],
  ['few files', { freeFiles: 999 }, /^Only 999 more files can be created/],
  ['faults', { faults: 1 }, /^The file system reports 1 error\.$/],
  ['nine tenths of its life', { lifeUsedPercent: 90 }, /used up to 90 % of its life/],
  ['the warning before its end', { isNearItsEnd: true, lifeUsedPercent: null }, /used up to \? % of its life/],
] as const)
  test(`${what}: said`, () => {
    assert.equal(diskReasons(WELL), []);
    const [reason = ''] = diskReasons({ ...WELL, ...facts });
    assert.match(String(reason), words);
  });

test('what is not known is no reason', () => {
  const nothing = {
    freeBytes: null,
    totalBytes: null,
    freeFiles: null,
    writtenBytes: null,
    lifeUsedPercent: null,
    faults: null,
  };
  assert.equal(diskReasons({ ...WELL, ...nothing }), []);
});

test('a worn storage is degraded and not failed, and stands in the figures', async () => {
  using tree = new Tree();
  tree.storage().emmc('life_time', '0x01 0x01');
  using board = boardOn(tree);
  const before = board.part('disk').state;
  tree.emmc('life_time', '0x0a 0x01');
  const after = board.part('disk');
  assert.match(after.reason, 'used up to 100 % of its life');
  assert.is(after.state, 'degraded');
  assert.is.not(before, 'failed');
  const text = await board.metrics();
  assert.match(text, /^laneware_disk_life_used_ratio 1$/m);
  assert.match(text, /^laneware_disk_written_bytes 2097152$/m);
  assert.not.match(text, /^laneware_disk_faults /m, 'a figure that is not known is not there');
});

test('a database held by another program is named at each look; a report does not read the locks', async () => {
  using tree = new Tree();
  tree.put('/held.db', '');
  const held = `1: POSIX  ADVISORY  WRITE 4711 ${lockedAs(join(tree.root, 'held.db'))} 0 EOF`;
  tree.put('/proc/locks', held);
  using board = boardOn(tree);
  const isNamed = (): boolean => board.part('disk').reason.includes('4711');
  await until('the first look', isNamed);
  tree.put('/proc/locks', '');
  assert.ok(isNamed());
  board.pass(2000);
  await until('the next look', () => !isNamed());
});

test.run();
