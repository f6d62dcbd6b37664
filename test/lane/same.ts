/**
 * The arm64 release, emulated, beside the x64 release: both learn the same pictures and are shown the same others.
 * `scripts/test-lane.sh arm64 same`
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { prepare } from '../prepare.ts';
import { Lane } from './lane.ts';
import { type Arch, PUBLIC_KEY, release } from './releases.ts';
import { learn, pictures, RECOGNITION, recognised, show, TERMINAL } from './till.ts';

const same = suite('arm64 and x64');
const ARCHES: readonly Arch[] = ['x64', 'arm64'];
const lanes = new Map(ARCHES.map((arch, index) => [arch, new Lane(`same-${arch}`, 14 + index)]));
const lane = (arch: Arch): Lane => lanes.get(arch) ?? assert.unreachable() ?? new Lane('never', 0);
const VIEWS = 3;

/** Item and vector of every template, as the bytes that lie on the disk. */
function vectors(of: Lane): string[] {
  of.in('systemctl', 'stop', 'laneware');
  const db = new DatabaseSync(join(of.mount, 'var/lib/laneware/templates.db'));
  const rows = db.prepare('SELECT item, hex(vector) AS vector FROM templates ORDER BY id').all();
  db.close();
  return rows.map(({ item, vector }) => `${item} ${vector}`);
}

prepare(same, () => {
  for (const arch of ARCHES) lane(arch).install(arch, release(arch), PUBLIC_KEY);
});
same.after(async () => {
  for (const one of lanes.values()) await one.remove();
});

same('the arm64 release boots under systemd and answers on both ports', async () => {
  for (const arch of ARCHES) {
    const ms = await lane(arch).boot();
    process.stdout.write(`  ${arch}: from power to both ports ${(ms / 1000).toFixed(1)} s\n`);
    assert.is(lane(arch).in('uname', '-m'), arch === 'arm64' ? 'aarch64' : 'x86_64');
    for (const port of [TERMINAL, RECOGNITION]) assert.is(await lane(arch).version(port), '1.0.0');
  }
});

same('both give the same scores for the same pictures, to the last digit', async () => {
  const seen = await pictures(VIEWS);
  const answers: Record<Arch, unknown[]> = { x64: [], arm64: [] };
  for (const arch of ARCHES) {
    for (const [index, { thing, jpeg }] of seen.entries()) {
      await show(lane(arch), jpeg);
      if (index % VIEWS === 0) await learn(lane(arch), thing);
    }
    for (const { jpeg } of seen) {
      await show(lane(arch), jpeg);
      answers[arch].push(withoutIds(await recognised(lane(arch))));
    }
  }
  assert.is(answers.x64.length, seen.length);
  assert.equal(answers.arm64, answers.x64);
});

same('the vectors on the two disks are the same bytes', () => {
  const [x64, arm64] = [vectors(lane('x64')), vectors(lane('arm64'))];
  assert.ok(x64.length >= 12);
  assert.is(arm64.length, x64.length);
  for (const [index, vector] of x64.entries()) assert.is(arm64[index] === vector, true, `vector ${index}`);
  process.stdout.write(`  ${x64.length} vectors compared\n`);
});

/** Ids of a session differ from call to call; all else must not. */
function withoutIds(data: unknown): unknown {
  return JSON.parse(JSON.stringify(data, (key, value: unknown) => (/session|sid|time/i.test(key) ? undefined : value)));
}

same.run();
