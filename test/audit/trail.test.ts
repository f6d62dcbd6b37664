/** The audit trail on its disk: what was noted is there, in its order, for ninety days, and stops nothing when it is not. */
import { appendFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { KEPT_DAYS } from '../../firmware/core/audit/trail.ts';
import { each, fieldsOf, inFolder, until } from '../support.ts';
import { allText, auditEvent, DAY_MS, HandClock, namesOf, openTrail } from './support.ts';

const test = suite('audit trail');
const it = each(test, inFolder);

const EVER = Number.POSITIVE_INFINITY;

function newestFile(folder: string, book: string): string {
  const names = readdirSync(folder).filter((name) => name.startsWith(book));
  return join(folder, names.sort().at(-1) ?? '');
}

it('a line says who has done what, when, in which boot', async (folder) => {
  const { trail } = openTrail(folder.path);
  await trail.record('technician', auditEvent('settings', { what: { bankProfile: 'a → b' } }));
  const { lines, more } = await trail.page(EVER, 10);
  assert.equal(lines, [
    {
      n: 1,
      at: '2026-11-20T12:00:00.000Z',
      boot: 'boot-1-o',
      up: 1000,
      address: '192.168.1.20',
      credential: 'technician',
      deed: 'settings',
      what: { bankProfile: 'a → b' },
      outcome: 'done',
    },
  ]);
  assert.is(more, false);
  assert.is((await trail.page(EVER, 1)).more, false, 'no more, of exactly as many as are asked for');
  await trail.close();
});

it('lines of all kinds are read newest first, page by page, over a restart', async (folder) => {
  for (const life of [0, 1]) {
    const { trail } = openTrail(folder.path);
    for (let at = 0; at < 5; at++)
      await trail.record(at % 2 === 0 ? 'technician' : 'lane', auditEvent(`${life}-${at}`));
    trail.refuse(auditEvent(`${life}-refused`, { outcome: 'refused' }));
    await trail.close();
  }
  const { trail } = openTrail(folder.path);
  const all = await namesOf(trail);
  assert.equal(all, ['1-refused', '1-4', '1-3', '1-2', '1-1', '1-0', '0-refused', '0-4', '0-3', '0-2', '0-1', '0-0']);
  for (const [limit, pages] of [
    [5, 3],
    [4, 3], // the last one is full, and there is no other
  ] as const) {
    const read: string[][] = [];
    let before = EVER;
    for (let more = true; more; ) {
      const page = await trail.page(before, limit);
      read.push(page.lines.map(({ deed: name }) => name));
      ({ more } = page);
      before = page.lines.at(-1)?.n ?? 0;
    }
    assert.equal([read.flat(), read.length], [all, pages]);
  }
  await trail.close();
});

for (const [what, damage] of [
  ['the end of a file cut short', (file: string) => appendFileSync(file, '{"n":2,"at":"2026-')],
  ['a file of nonsense', (file: string) => writeFileSync(file, Buffer.alloc(5000, 0xfe))],
  ['a file of lines that are none', (file: string) => writeFileSync(file, '{}\n"text"\n{"n":-4}\n'.repeat(9))],
  ['an empty file', (file: string) => writeFileSync(file, '')],
] as const) {
  it(`${what} stops nothing: the next line is whole, with its own number`, async (folder) => {
    const before = openTrail(folder.path);
    await before.trail.record('technician', auditEvent('before'));
    await before.trail.record('lane', auditEvent('of the lane'));
    await before.trail.close();
    damage(newestFile(folder.path, 'technician'));
    const { trail, health } = openTrail(folder.path);
    await trail.record('technician', auditEvent('after'));
    const [last] = (await trail.page(EVER, 1)).lines;
    assert.is(last?.deed, 'after');
    assert.ok((last?.n ?? 0) > 2, `number ${last?.n}`);
    assert.ok((await namesOf(trail)).includes('of the lane'));
    assert.is(health()?.state, 'ok');
    await trail.close();
  });
}

it('a line that was not awaited is in the page that is read next', async (folder) => {
  const { trail } = openTrail(folder.path);
  for (let at = 0; at < 20; at++) void trail.record('lane', auditEvent(`sale-${at}`));
  assert.is((await trail.page(EVER, 50)).lines.length, 20);
  await trail.close();
});

it('with nothing writable, calls go on, /health says so, and a line counts what is lost', async (folder) => {
  const place = join(folder.path, 'audit');
  writeFileSync(place, 'in the way');
  const { trail, health } = openTrail(place);
  for (let at = 0; at < 3; at++) await trail.record('technician', auditEvent('settings'));
  assert.is(health()?.state, 'degraded');
  assert.match(health()?.reason ?? '', /audit trail cannot be written; 3 lines are lost\..*\(.+\)$/);
  rmSync(place);
  await trail.record('technician', auditEvent('settings'));
  await trail.record('technician', auditEvent('settings'));
  assert.is(health()?.state, 'ok');
  const { lines } = await trail.page(EVER, 10);
  assert.equal(fieldsOf(lines, 'deed', 'times'), [
    ['settings', undefined],
    ['lines-lost', 3],
    ['settings', undefined],
  ]);
  await trail.close();
});

/** A device that is started each morning and notes something. */
async function liveDays(folder: string, clock: HandClock, days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    const { trail } = openTrail(folder, { clock });
    await trail.record('technician', auditEvent(new Date(clock.now).toISOString().slice(0, 10)));
    await trail.close();
    clock.now += DAY_MS;
  }
}

async function kept(folder: string, clock: HandClock): Promise<string[]> {
  const { trail } = openTrail(folder, { clock });
  const names = await namesOf(trail);
  await trail.close();
  return names;
}

it(`lines are kept ${KEPT_DAYS} days, and then go`, async (folder) => {
  const clock = new HandClock();
  await liveDays(folder.path, clock, KEPT_DAYS - 5);
  assert.is((await kept(folder.path, clock)).length, KEPT_DAYS - 5);
  await liveDays(folder.path, clock, 60);
  const names = await kept(folder.path, clock);
  const days = Math.round((clock.now - Date.parse(names.at(-1) ?? '')) / DAY_MS);
  assert.ok(days >= KEPT_DAYS && days <= KEPT_DAYS + 3, `the oldest line is ${days} days old`);
  assert.ok(names.length >= KEPT_DAYS, `${names.length} lines`);
});

it('a device that starts again and again while its clock is years ahead loses next to nothing', async (folder) => {
  const clock = new HandClock();
  await liveDays(folder.path, clock, 80);
  const right = clock.now;
  for (let start = 0; start < 50; start += 1) {
    clock.now = right + 4000 * DAY_MS + start;
    const { trail } = openTrail(folder.path, { clock });
    await trail.record('technician', auditEvent(`start ${start}`));
    await trail.close();
  }
  assert.ok((await kept(folder.path, clock)).length >= 78 + 50);
});

it('a clock that jumps, forth and back, takes next to nothing with it', async (folder) => {
  const clock = new HandClock();
  await liveDays(folder.path, clock, 80);
  const right = clock.now;
  clock.now = right + 4000 * DAY_MS;
  await liveDays(folder.path, clock, 1);
  clock.now = right;
  await liveDays(folder.path, clock, 1);
  assert.ok((await kept(folder.path, clock)).length >= 78, 'forth');
  clock.now = right - 300 * DAY_MS;
  await liveDays(folder.path, clock, 2);
  clock.now = right + DAY_MS;
  assert.ok((await kept(folder.path, clock)).length >= 78, 'back');
  await liveDays(folder.path, clock, 160);
  const real = (await kept(folder.path, clock)).filter((name) => Date.parse(name) > right - 90 * DAY_MS);
  const days = Math.round((clock.now - Date.parse(real.at(-1) ?? '')) / DAY_MS);
  assert.ok(days >= KEPT_DAYS && days <= KEPT_DAYS + 5, `the oldest line is ${days} days old after all`);
});

it('a clock that goes to and fro begins no more files than there is room for', async (folder) => {
  const clock = new HandClock();
  const roomBytes = { technician: 2 ** 19, lane: 2 ** 19, refusals: 2 ** 19 };
  const { trail } = openTrail(folder.path, { clock, roomBytes });
  for (let turn = 0; turn < 150; turn++) {
    clock.now += (turn % 2 === 0 ? 1 : -1) * DAY_MS;
    await trail.record('technician', auditEvent('clock-set'));
  }
  await trail.close();
  const files = readdirSync(folder.path).length;
  assert.ok(files > 40 && files <= 2 ** 19 / 4096, `${files} files`);
});

it('lines beyond the queue are lost and reported, but none of what a technician does', async (folder) => {
  const { trail } = openTrail(folder.path);
  for (let at = 0; at < 3000; at++) void trail.record('lane', auditEvent('template-learned'));
  await trail.record('technician', auditEvent('settings'));
  await trail.close();
  const { lines } = await openTrail(folder.path).trail.page(EVER, 10_000);
  assert.ok(lines.some(({ deed: name }) => name === 'settings'));
  const lost = lines.find(({ deed: name }) => name === 'lines-lost')?.times ?? 0;
  assert.is(lines.length + lost, 3002, 'all of them, and the line with the number of the lost');
  assert.ok(lost > 1000, `${lost} are lost`);
});

it('what the lane may do cannot push out what a technician has done, and room is bounded', async (folder) => {
  const roomBytes = { technician: 2 ** 20, lane: 2 ** 20, refusals: 2 ** 20 };
  const { trail } = openTrail(folder.path, { roomBytes });
  await trail.record('technician', auditEvent('settings'));
  for (let at = 0; at < 12_000; at++) {
    void trail.record('lane', auditEvent('template-learned', { what: { id: 'x'.repeat(150) } }));
    if (at % 500 === 0) await trail.record('technician', auditEvent('clock-set'));
  }
  await trail.close();
  const bytes = readdirSync(folder.path).reduce((sum, name) => sum + statSync(join(folder.path, name)).size, 0);
  assert.ok(bytes > 2 ** 19 && bytes < 1.1 * 2 ** 20, `${bytes} bytes`);
  assert.is((await namesOf(openTrail(folder.path, { roomBytes }).trail, 100_000)).at(-1), 'settings');
});

for (const [what, count, noted, isFrequent, lines] of [
  [
    'fails',
    3000,
    (at: number) => auditEvent('exported', { credential: 'till', outcome: 'failed', code: 4041, what: { at } }),
    false,
    ['exported failed 2999', 'exported failed 1'],
  ],
  [
    'exports, under ever new names,',
    5000,
    (at: number) => auditEvent('exported', { credential: 'till', what: { path: `${at}.csv` } }),
    true,
    ['exported done 4999 4999.csv', 'exported done 1 0.csv'],
  ],
] as const)
  it(`a till that ${what} thousands of times loses none of its history`, async (folder) => {
    const roomBytes = { technician: 2 ** 19, lane: 2 ** 19, refusals: 2 ** 19 };
    const { trail } = openTrail(folder.path, { roomBytes });
    await trail.record('lane', auditEvent('refunded', { credential: 'till' }));
    for (let at = 0; at < count; at++) await trail.record('lane', noted(at), isFrequent);
    await trail.close();
    const found = (await openTrail(folder.path, { roomBytes }).trail.page(EVER, 100)).lines;
    assert.equal(
      found.map(({ deed, outcome, times = 1, what: { path } }) => [deed, outcome, times, path].join(' ').trimEnd()),
      [...lines, 'refunded done 1'],
    );
  });

it('a flood of refusals is a few lines, which count them all', async (folder) => {
  const { trail } = openTrail(folder.path);
  const refused = { outcome: 'refused', code: 401 } as const;
  for (let at = 0; at < 10_000; at++) trail.refuse(auditEvent('call', { address: '192.168.1.66', ...refused }));
  for (let at = 0; at < 1000; at++)
    trail.refuse(auditEvent('call', { address: `10.0.${at >> 8}.${at & 255}`, ...refused }));
  await trail.close();
  const { lines } = await openTrail(folder.path).trail.page(EVER, 1000);
  assert.ok(lines.length <= 70, `${lines.length} lines`);
  const count = (from: typeof lines) => from.reduce((sum, { times = 1 }) => sum + times, 0);
  assert.is(count(lines), 11_000);
  assert.is(count(lines.filter(({ address }) => address === '192.168.1.66')), 10_000);
});

it('what was only counted is written at the end of its window', async (folder) => {
  const { trail } = openTrail(folder.path, { windowMs: 30 });
  for (const _ of [1, 2, 3]) trail.refuse(auditEvent('call', { outcome: 'refused', code: 403 }));
  const written = async () => (await trail.page(EVER, 10)).lines.map(({ times }) => times);
  await until('the end of the window', async () => (await written()).length === 2);
  assert.equal(await written(), [2, undefined]);
  await trail.close();
});

it('a line is one line, and only the owner may read it', async (folder) => {
  const place = join(folder.path, 'audit');
  const { trail } = openTrail(place);
  await trail.record('technician', auditEvent('settings', { what: { name: 'two\nlines' } }));
  await trail.close();
  assert.is(allText(place).trim().split('\n').length, 1);
  assert.is(statSync(place).mode & 0o777, 0o700);
  for (const name of readdirSync(place)) assert.is(statSync(join(place, name)).mode & 0o777, 0o600);
});

test.run();
