/** Notes for the next process of one boot. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BootNote } from '../../firmware/core/files/index.ts';
import { temporaryFolder, thrown } from '../support.ts';

const test = suite('notes of a boot');
const BYTES = 64;

test('a note is read by the next process of its boot, and by none of another', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'note');
  const noteOf = (bootId: string) => new BootNote(path, { bootId }, BYTES);
  assert.is(noteOf('one').read(), null);
  noteOf('one').write('a longer note');
  noteOf('one').write('short');
  assert.is(noteOf('one').read(), 'short');
  assert.is(noteOf('two').read(), null);
  assert.is(noteOf('on').read(), null);
  noteOf('one').forget();
  assert.is(noteOf('one').read(), null);
});

test('what is no note reads as none, and a note that is too long is refused', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'note');
  const note = new BootNote(path, { bootId: 'one' }, BYTES);
  thrown(RangeError, () => note.write('я'.repeat(BYTES)));
  for (const content of ['', 'one', Buffer.alloc(BYTES, 0xff)]) {
    writeFileSync(path, content);
    assert.is(note.read(), null);
  }
  note.write('again');
  assert.is(note.read(), 'again');
});

test.run();
