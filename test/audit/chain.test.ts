/** Damage to the files of the audit trail is reported, wherever it is, and for as long as they are kept. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Journal } from '../../firmware/core/audit/journal.ts';
import { each, inFolder, openFilesIn } from '../support.ts';
import { auditEvent, DAY_MS, HandClock, openTrail } from './support.ts';

const test = suite('audit trail: damage');
const it = each(test, inFolder);

const filesOf = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => /^technician-.*jsonl$/.test(name))
    .sort()
    .map((name) => join(folder, name));

/** Two days of lines. */
async function filled(folder: string): Promise<void> {
  const clock = new HandClock();
  const { trail } = openTrail(folder, { clock });
  for (const day of [1, 2]) {
    for (const at of [1, 2, 3, 4]) await trail.record('technician', auditEvent(`event-${day}-${at}`));
    clock.now += DAY_MS;
  }
  await trail.close();
}

async function stateOf(
  folder: string,
  more: (note: (name: string) => Promise<void>) => Promise<void> = async () => undefined,
) {
  const { trail, health } = openTrail(folder);
  await trail.check();
  const found = health();
  await more((name) => trail.record('technician', auditEvent(name)));
  await trail.close();
  return [found?.state, found?.reason] as const;
}

const lineWith = (text: string, name: string): string => text.split('\n').find((line) => line.includes(name)) ?? '';

it('an untouched trail is well, over restarts and a cut of the power', async (folder) => {
  await filled(folder.path);
  const [, newest = ''] = filesOf(folder.path);
  for (const tail of ['', '{"n":9,"at":"20', '']) {
    writeFileSync(newest, readFileSync(newest, 'utf8') + tail);
    assert.equal(await stateOf(folder.path, (note) => note('more')), ['ok', '']);
  }
});

for (const [title, damage] of [
  ['a letter of a line', (text: string) => text.replace('event-1-2', 'event-1-x')],
  ['a line whole', (text: string) => text.replace(lineWith(text, 'event-1-2'), '\0\0')],
  ['the first line', (text: string) => text.replace('event-1-1', '\0vent-1-1')],
  ['the last line', (text: string) => text.replace('event-1-4', '\0vent-1-4')],
  ['the link of a line', (text: string) => text.replace(/("event-1-2".*"chain":")./, '$1!')],
  ['a line that is missing', (text: string) => text.replace(`${lineWith(text, 'event-1-3')}\n`, '')],
  ['the last line that is missing', (text: string) => text.replace(`${lineWith(text, 'event-1-4')}\n`, '')],
  ['lines in another order', (text: string) => text.split('\n').toSorted().toReversed().join('\n').trimStart()],
] as const)
  for (const at of [0, 1])
    it(`${title}, of the ${at === 0 ? 'older' : 'newest'} file, is reported at each start`, async (folder) => {
      await filled(folder.path);
      const file = filesOf(folder.path)[at] ?? '';
      const text = readFileSync(file, 'utf8');
      const damaged =
        at === 0 ? damage(text) : damage(text.replaceAll('event-2', 'event-1')).replaceAll('event-1', 'event-2');
      assert.is.not(damaged, text);
      writeFileSync(file, damaged);
      for (const start of ['first', 'second', 'third']) {
        const [state, reason] = await stateOf(folder.path, (note) => note(`of the ${start}`));
        assert.is(state, 'degraded', start);
        assert.match(reason ?? '', /were changed or are missing, in/);
      }
    });

it('a bit flipped before its file is closed is reported, with lines appended behind it', async (folder) => {
  const journal = () => new Journal(folder.path, 'lane', 2 ** 20, 90);
  const lines = [1, 2].map((n) => JSON.stringify({ n, what: { id: 'x' }, outcome: 'done' }));
  const cut = journal();
  await cut.append(lines, 1, 0);
  const path = join(folder.path, readdirSync(folder.path).find((name) => name.endsWith('.jsonl')) ?? '');
  const whole = readFileSync(path);
  const end = whole.lastIndexOf('}');
  for (let at = 0; at <= end; at += 1)
    for (const mask of [1, 0xff]) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ mask;
      writeFileSync(path, damaged);
      assert.is(await journal().breaks(), 1, `byte ${at}`);
    }
  // as the end of the power leaves a line
  for (let length = whole.indexOf('\n') + 1; length <= end; length += 1) {
    writeFileSync(path, Buffer.concat([whole.subarray(0, length), Buffer.from('\n')]));
    assert.is(await journal().breaks(), 0, `${length} bytes`);
  }
  writeFileSync(path, whole);
  await cut.close();
  assert.equal(openFilesIn(folder.path), []);
  writeFileSync(path, whole.toString().replace(/...("}\n)$/, '!!!$1'));
  assert.is(await journal().breaks(), 1, 'once, also where the end of the file is known');
});

it('a missing file is reported, and one that was dropped for its age is not', async (folder) => {
  await filled(folder.path);
  const clock = new HandClock();
  clock.now += 100 * DAY_MS;
  {
    const { trail } = openTrail(folder.path, { clock });
    await trail.record('technician', auditEvent('much later'));
    await trail.close();
  }
  assert.is(filesOf(folder.path).length, 2);
  assert.equal(await stateOf(folder.path), ['ok', '']);
  rmSync(filesOf(folder.path)[0] ?? '');
  assert.match((await stateOf(folder.path))[1] ?? '', /in 1 place\./);
});

it('lines without a link are taken as they are, and those behind them are a chain', async (folder) => {
  await filled(folder.path);
  for (const file of filesOf(folder.path))
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/,"chain":"[^"]*"/g, ''));
  for (const name of ['', '.copy']) rmSync(join(folder.path, `technician.files.json${name}`));
  assert.equal(
    await stateOf(folder.path, async (note) => {
      await note('one');
      await note('two');
    }),
    ['ok', ''],
  );
  const [, newest = ''] = filesOf(folder.path);
  writeFileSync(newest, readFileSync(newest, 'utf8').replace('"one"', '"onE"'));
  assert.is((await stateOf(folder.path))[0], 'degraded');
});

test.run();
