/** The audit trail of a process that is killed, of a disk that is full, and of a plug that is pulled. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Disk, NO_POWER_CUTS } from '../disk.ts';
import { needing } from '../needing.ts';
import { temporaryFolder, until } from '../support.ts';
import { auditEvent, namesOf, openTrail } from './support.ts';

const test = suite('audit trail, cut short');
const onDisk = needing(NO_POWER_CUTS, 'the audit trail on a disk that fails', test);

const EVER = Number.POSITIVE_INFINITY;

test('what was noted is there after the process was killed, and no number is given twice', async () => {
  using folder = temporaryFolder();
  const noted: number[] = [];
  for (let life = 0; life < 3; life++) {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'noting.ts'), folder.path]);
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    await until('twenty lines', () => said.split('\n').length >= 20 || child.exitCode !== null);
    child.kill('SIGKILL');
    await once(child, 'close');
    noted.push(said.split('\n').length - 1);
  }
  const { trail } = openTrail(folder.path);
  await trail.record('technician', auditEvent('after'));
  const lines = (await trail.page(EVER, 100_000)).lines.toReversed();
  const numbers = lines.map(({ n }) => n);
  assert.is(new Set(numbers).size, numbers.length);
  const starts = [...lines.flatMap(({ what }, at) => (what.turn === 0 ? [at] : [])), lines.length - 1];
  for (const [life, count] of noted.entries()) {
    const of = lines.slice(starts[life], starts[life + 1]).map(({ what }) => what.turn);
    assert.ok(of.length >= count, `life ${life}: ${of.length} lines, ${count} were noted`);
    assert.equal(
      of,
      of.map((_, turn) => turn),
    );
  }
  await trail.close();
});

onDisk('a full disk loses lines and nothing else; with room again they are written again', async () => {
  using disk = new Disk();
  const { trail, health } = openTrail(join(disk.mount, 'audit'));
  await trail.record('technician', auditEvent('before'));
  const filling = join(disk.mount, 'filling');
  try {
    for (;;) appendFileSync(filling, Buffer.alloc(4096));
  } catch {
    // full to the last block
  }
  const long = { what: { text: 'x'.repeat(1000) } };
  for (let at = 0; at < 30; at++) await trail.record('technician', auditEvent('settings', long));
  assert.match(health()?.reason ?? '', /ENOSPC/);
  rmSync(filling);
  await trail.record('technician', auditEvent('after'));
  assert.is(health()?.state, 'ok');
  const names = await namesOf(trail);
  for (const name of ['before', 'after', 'lines-lost']) assert.ok(names.includes(name), `${name} of ${names}`);
  await trail.close();
});

onDisk('a line that was waited for outlives the power', async () => {
  using disk = new Disk();
  const folder = join(disk.mount, 'audit');
  for (const turn of ['first', 'second', 'third']) {
    const { trail } = openTrail(folder);
    await trail.record('technician', auditEvent(turn));
    disk.cutPower();
    await trail.close();
    disk.unplug();
    disk.plugIn();
    const after = openTrail(folder);
    assert.is((await namesOf(after.trail))[0], turn);
    await after.trail.close();
  }
});

test.run();
