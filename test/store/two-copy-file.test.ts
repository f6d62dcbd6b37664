/** Small files of the device: one damaged copy loses nothing, and what may be older is reported. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { lastSetAside } from '../../firmware/core/files/set-aside.ts';
import { readTwoCopyFile, TwoCopyFile } from '../../firmware/core/files/two-copy-file.ts';
import { each, inFolder, temporaryFolder } from '../support.ts';

const test = suite('small files in two copies');
const it = each(test, inFolder);

const MAX_BYTES = 4096;

/** Takes any letters: one that turns into another goes unnoticed by it. */
function wordIn(bytes: Buffer): string {
  const word = bytes.toString();
  if (!/^[a-z ]+$/.test(word)) throw new Error('it is no word');
  return word;
}

const opened = (path: string): TwoCopyFile<string> => new TwoCopyFile(path, MAX_BYTES, wordIn);
const foundIn = (path: string): [string, string | null] => {
  const { found, value } = opened(path);
  return [found, value];
};

function written(folder: string, ...words: readonly string[]): string {
  const path = join(folder, 'word');
  for (const word of words) opened(path).write(word);
  return path;
}

/** Both copies as they lie there. */
const bothOf = (path: string): [Buffer, Buffer] => [readFileSync(path), readFileSync(`${path}.copy`)];

it('with any byte of one copy damaged the other is as good, and the next start mends both', (folder) => {
  const path = written(folder.path, 'old account', 'new account');
  const [whole] = bothOf(path);
  for (const mask of [0xff, 1])
    for (let at = 0; at < whole.length; at += 1) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ mask;
      const [file, other] = at % 2 === 0 ? [path, `${path}.copy`] : [`${path}.copy`, path];
      writeFileSync(file, damaged);
      writeFileSync(other, whole);
      const [found, value] = foundIn(path);
      assert.is(value, 'new account', `byte ${at}`);
      assert.is(found, 'good', `byte ${at}`);
      assert.equal(...bothOf(path), `byte ${at}`);
    }
});

test('each way to lose one of the two loses nothing', () => {
  const ways: Readonly<Record<string, (path: string) => void>> = {
    zeros: (path) => writeFileSync(path, Buffer.alloc(60)),
    empty: (path) => writeFileSync(path, ''),
    gone: (path) => rmSync(path),
    cut: (path) => writeFileSync(path, readFileSync(path).subarray(0, -1)),
    'a folder': (path) => {
      rmSync(path);
      mkdirSync(join(path, 'inner'), { recursive: true });
    },
  };
  for (const [name, damage] of Object.entries(ways))
    for (const end of ['', '.copy']) {
      using folder = temporaryFolder();
      const path = written(folder.path, 'one', 'two');
      damage(path + end);
      assert.equal(foundIn(path), ['good', 'two'], name + end);
      assert.equal(...bothOf(path));
    }
});

test('of what was cut short between the two copies the newer counts, and both are made equal', () => {
  for (const end of ['', '.copy']) {
    using folder = temporaryFolder();
    const path = written(folder.path, 'one');
    const [former] = bothOf(path);
    opened(path).write('two');
    writeFileSync(path + end, former);
    assert.equal(foundIn(path), ['good', 'two']);
    assert.equal(...bothOf(path));
  }
});

test('an older version that alone is whole is taken and reported at each start, until a write', () => {
  for (const end of ['', '.copy']) {
    using folder = temporaryFolder();
    const path = written(folder.path, 'one');
    const [former] = bothOf(path);
    opened(path).write('two');
    const damaged = readFileSync(path + end);
    damaged[damaged.length - 1] = 0;
    for (const each of ['', '.copy']) writeFileSync(path + each, each === end ? damaged : former);
    for (const start of ['first', 'second', 'third']) assert.equal(foundIn(path), ['unsure', 'one'], start);
    assert.ok(opened(path).problem);
    opened(path).write('three');
    assert.equal(foundIn(path), ['good', 'three']);
  }
});

it('nothing of it can be used: reported at each start, and left unchanged', (folder) => {
  const path = written(folder.path, 'one');
  for (const end of ['', '.copy']) writeFileSync(path + end, '\0\0');
  for (const start of ['first', 'second']) assert.equal(foundIn(path), ['lost', null], start);
  assert.equal(foundIn(join(folder.path, 'other')), ['absent', null]);
});

it('a file put there by a person is taken, left as it is until a change, and safe from damage', (folder) => {
  const path = join(folder.path, 'word');
  writeFileSync(path, 'two');
  for (const start of ['first', 'second']) assert.equal(foundIn(path), ['good', 'two'], start);
  assert.is(readFileSync(path, 'utf8'), 'two');
  writeFileSync(path, '\0wo');
  assert.equal(foundIn(path), ['good', 'two']);
  opened(path).write('three');
  assert.equal(foundIn(path), ['good', 'three']);
});

it('a file replaced by a person is taken and reported; a copy changed by one is put aside', (folder) => {
  const path = written(folder.path, 'one');
  writeFileSync(path, 'by hand');
  for (const start of ['first', 'second']) assert.equal(foundIn(path), ['unsure', 'by hand'], start);
  opened(path).write('two');
  writeFileSync(path, readFileSync(path, 'utf8').replace('two', 'twenty'));
  assert.equal(foundIn(path), ['good', 'two']);
  assert.match(readFileSync(lastSetAside(path) ?? '', 'utf8'), /twenty/);
});

it('a write that the disk refuses changes neither copy, and leaves nothing', (folder) => {
  const path = written(folder.path, 'one');
  const before = bothOf(path);
  const file = opened(path);
  mkdirSync(`${path}.copy.${process.pid}.tmp`);
  assert.throws(() => file.write('two'), /EISDIR/);
  assert.equal(bothOf(path), before);
  rmSync(`${path}.copy.${process.pid}.tmp`, { recursive: true });
  file.write('three');
  assert.equal(foundIn(path), ['good', 'three']);
  assert.equal(readdirSync(folder.path).sort(), ['word', 'word.copy']);
});

it('a mere read returns the newest, and changes nothing', (folder) => {
  const path = written(folder.path, 'one', 'two');
  writeFileSync(path, '\0');
  assert.is(readTwoCopyFile(path, MAX_BYTES, wordIn)?.toString(), 'two');
  assert.is(readFileSync(path, 'utf8'), '\0');
  opened(path).remove();
  assert.is(readTwoCopyFile(path, MAX_BYTES, wordIn), null);
});

test.run();
