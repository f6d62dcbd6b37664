/** A caller that reads or sends a backup too slowly holds the place of the next one for a while and not for ever. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pause } from '../../../drivers/lib/async.ts';
import { openSealer } from '../../../firmware/core/secrets/sealer.ts';
import { Backups } from '../../../firmware/features/backup/backups.ts';
import { featureDatabases } from '../../../firmware/features.ts';
import { temporaryFolder, until } from '../../support.ts';
import { BEFORE_FILE, DATABASE_BYTES, headOf, PASSPHRASE, startRig } from './callers-rig.ts';

const test = suite('slow callers of backups');

const asked = (): readonly [readonly string[], string] => {
  const body = JSON.stringify({ passphrase: PASSPHRASE });
  return [['POST /console/api/backups', 'content-type: application/json', `content-length: ${body.length}`], body];
};

test('a caller that reads nothing is cut off, the copies go, and the next backup is made', async () => {
  await using rig = await startRig({ download: { sampleMs: 100, samples: 5, leastBytes: 1024 } });
  rig.send(...asked());
  await until('the copies are made', () => rig.copies().length > 0);
  assert.is.not((await rig.make()).status, 200);
  await until('they are gone', () => rig.copies().length === 0);
  assert.is(rig.lastMade(), null, 'no caller has it');
  const next = await rig.make();
  assert.is(next.status, 200);
  assert.ok((await next.arrayBuffer()).byteLength > DATABASE_BYTES);
  await until('it is known', () => rig.lastMade() !== null);
});

test('nor does it help to read a little now and then', async () => {
  await using rig = await startRig({ download: { sampleMs: 100, samples: 5, leastBytes: 1024 * 1024 } });
  const socket = rig.send(...asked());
  await until('the copies are made', () => rig.copies().length > 0);
  const drip = setInterval(() => socket.read(1000), 50);
  await until('they are gone', () => rig.copies().length === 0);
  clearInterval(drip);
  assert.is((await rig.make()).status, 200);
});

test('a caller that reads on, for any time, gets all of it', async () => {
  await using rig = await startRig({ download: { sampleMs: 100, samples: 5, leastBytes: 1 } });
  const { body, status } = await rig.make();
  assert.is(status, 200);
  let bytes = 0;
  if (body !== null)
    for await (const piece of body) {
      bytes += piece.length;
      if (bytes % 7 === 0) await pause(1);
    }
  assert.ok(bytes > DATABASE_BYTES);
});

test('a backup that stops coming in gives its place free, too', async () => {
  await using rig = await startRig({ upload: { sampleMs: 100, samples: 5, leastBytes: 1 } });
  const file = Buffer.from(await (await rig.make()).arrayBuffer());
  await until('the copies are gone', () => rig.copies().length === 0);
  const socket = rig.send(headOf(file.length), BEFORE_FILE);
  socket.write(file.subarray(0, 200_000));
  await until('it is being unpacked', () => rig.copies().length > 0);
  await until('the next', async () => {
    const next = await rig.make();
    await next.arrayBuffer();
    return next.status === 200;
  });
  await until('nothing is left', () => rig.copies().length === 0);
});

test('the end of one backup, reported twice, is not that of the next', async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, 'settings.json'), '{}');
  const sealer = openSealer(join(folder.path, 'secret.key'), undefined);
  const home = { folder: folder.path, sealer, version: '0.1.0', databases: featureDatabases };
  const backups = new Backups(
    home,
    'TEST',
    () => Date.now(),
    null,
    async () => undefined,
  );
  const one = await backups.make(PASSPHRASE);
  one[Symbol.dispose]();
  using _ = await backups.make(PASSPHRASE);
  one[Symbol.dispose]();
  const failed = await backups.make(PASSPHRASE).catch((error: unknown) => error);
  assert.match(String(failed), 'wait for its end');
});

test.run();
