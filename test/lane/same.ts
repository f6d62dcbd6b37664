/**
 * The arm64 release, emulated, beside the x64 release: both learn the same pictures and are shown the same others. The native
 * runtime of each processor rounds in its own way, and so far alone may their answers differ. `test/lane/test-lane.sh arm64 same`
 */
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openFile } from '../../firmware/core/files/database.ts';
import { prepare } from '../prepare.ts';
import { Lane } from './lane.ts';
import { type Arch, PUBLIC_KEY, release } from './releases.ts';
import { learn, pictures, RECOGNITION, recognised, show, TERMINAL } from './till.ts';

const test = suite('arm64 and x64');
const ARCHES: readonly Arch[] = ['x64', 'arm64'];
const lanes = new Map(ARCHES.map((arch, index) => [arch, new Lane(`same-${arch}`, 14 + index)]));
const lane = (arch: Arch): Lane => lanes.get(arch) ?? assert.unreachable() ?? new Lane('never', 0);
const VIEWS = 2;
/** Measured 8e-7, of vectors and of scores; a processor that makes wrong vectors was 0.1 away. */
const ROUNDING = 3e-6;

interface Template {
  readonly item: string;
  readonly vector: Float32Array;
}

/** What every template is, from the disk. */
function templates(of: Lane): Template[] {
  of.in('systemctl', 'stop', 'laneware');
  const db = openFile(join(of.mount, 'var/lib/laneware/templates.db'));
  const rows = db.prepare('SELECT item, vector FROM templates ORDER BY id').all();
  db.close();
  return rows.map(({ item, vector }) => {
    assert.instance(vector, Uint8Array);
    return { item: String(item), vector: new Float32Array(Uint8Array.from(vector as Uint8Array).buffer) };
  });
}

/** By how much numbers differ at most. */
const worst = (some: ArrayLike<number>, others: ArrayLike<number>): number =>
  Math.max(...Array.from(some, (value, at) => Math.abs(value - (others[at] ?? Number.NaN))));

prepare(test, () => {
  for (const arch of ARCHES) lane(arch).install(arch, release(arch), PUBLIC_KEY);
});
test.after(async () => {
  for (const one of lanes.values()) await one.remove();
});

test('the arm64 release boots under systemd and answers on both ports', async () => {
  for (const arch of ARCHES) {
    const ms = await lane(arch).boot();
    process.stdout.write(`  ${arch}: from power to both ports ${(ms / 1000).toFixed(1)} s\n`);
    assert.is(lane(arch).in('uname', '-m'), arch === 'arm64' ? 'aarch64' : 'x86_64');
    for (const port of [TERMINAL, RECOGNITION]) assert.is(await lane(arch).version(port), '1.0.0');
  }
});

test('both run the native runtime, and no slower way round it', async () => {
  for (const arch of ARCHES)
    assert.match((await lane(arch).get(RECOGNITION, '/health')).text, '"runtime":"native"', arch);
});

test('both recognise unlearnt pictures alike, and their scores differ by rounding alone', async () => {
  const seen = await pictures(VIEWS);
  const learned = seen.filter((_, index) => index % VIEWS === 0);
  const others = seen.filter((_, index) => index % VIEWS !== 0);
  const answers: Record<Arch, BackupJudge[]> = { x64: [], arm64: [] };
  for (const arch of ARCHES) {
    // a fast board takes one look more than a slow one
    const { text } = await lane(arch).post(RECOGNITION, '/api/set_predict_speed', { speed: 'normal' });
    assert.match(text, '"code":0');
    for (const { thing, jpeg } of learned) {
      await show(lane(arch), jpeg);
      await learn(lane(arch), thing);
    }
    for (const { jpeg } of others) {
      await show(lane(arch), jpeg);
      answers[arch].push(apart(await recognised(lane(arch))));
    }
  }
  assert.is(answers.x64.length, others.length);
  const words = (arch: Arch) => answers[arch].map((answer) => answer.words);
  assert.equal(words('arm64'), words('x64'));
  const numbers = (arch: Arch) => answers[arch].flatMap((answer) => answer.numbers);
  const difference = worst(numbers('x64'), numbers('arm64'));
  process.stdout.write(`  ${numbers('x64').length} numbers compared, the worst differs by ${difference}\n`);
  assert.ok(difference <= ROUNDING, `${difference}`);
});

test('the vectors on the two disks differ by rounding alone', () => {
  const [x64, arm64] = [templates(lane('x64')), templates(lane('arm64'))];
  assert.ok(x64.length >= 12);
  assert.equal(
    arm64.map(({ item }) => item),
    x64.map(({ item }) => item),
  );
  const differences = x64.map(({ vector }, at) => worst(vector, arm64[at]?.vector ?? []));
  process.stdout.write(`  ${x64.length} vectors compared, the worst differs by ${Math.max(...differences)}\n`);
  assert.ok(Math.max(...differences) <= ROUNDING, `${differences}`);
});

interface BackupJudge {
  /** An answer with a nought in place of each number. */
  readonly words: string;
  readonly numbers: readonly number[];
}

/** Ids of a session differ from call to call; all else must not. */
function apart(data: unknown): BackupJudge {
  const numbers: number[] = [];
  const words = JSON.stringify(data, (key, value: unknown) => {
    if (/session|sid|time/i.test(key)) return undefined;
    if (typeof value !== 'number') return value;
    numbers.push(value);
    return 0;
  });
  return { words, numbers };
}

test.run();
