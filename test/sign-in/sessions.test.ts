/** Sessions over time, restarts and failing disks; PINs over a process that is killed. */

import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isEasyPin, Pins } from '../../firmware/core/access/pins.ts';
import { IDLE_MS, SessionFile, Sessions } from '../../firmware/core/access/sessions.ts';
import { SignIn } from '../../firmware/core/access/sign-in.ts';
import type { Owner, Role } from '../../firmware/core/http/guard/credentials.ts';
import { ROOT } from '../root.ts';
import { StillClock } from '../still-clock.ts';
import { each, temporaryFolder, until, writeUnkept } from '../support.ts';

const test = suite('sessions and PINs');

function opened(
  path: string,
  clock = new StillClock(),
  owners = new Map<string, Role>([
    ['t', 'technician'],
    ['c', 'till'],
  ]),
) {
  const problems: string[] = [];
  let ends = 0;
  const ownerOf = (of: string): Owner | null => {
    const role = owners.get(of);
    return role === undefined ? null : { role, till: null };
  };
  const sessions = new Sessions(new SessionFile(path, (problem) => problems.push(problem)), clock, ownerOf);
  sessions.onEnd(() => {
    ends += 1;
  });
  return { sessions, clock, problems, owners, ends: () => ends };
}

const it = each<[ReturnType<typeof opened>, string], void>(test, (run) => () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 's');
  run(opened(path), path);
});

it('an unused session ends by itself, the technician’s sooner', ({ sessions, clock, ends }) => {
  const [technician, cashier] = [sessions.begin('t', 'pin', ''), sessions.begin('c', 'pin', '')];
  clock.go(IDLE_MS.technician - 1);
  assert.ok(sessions.find(technician));
  sessions.use(technician);
  clock.go(IDLE_MS.technician - 1);
  assert.ok(sessions.find(technician), 'use begins the time anew');
  assert.is(ends(), 0);
  clock.go(1);
  assert.is(sessions.find(technician), null);
  assert.is(ends(), 1, 'streams end at once, without another call');
  sessions.use(technician);
  assert.is(sessions.find(technician), null, 'use does not bring it back');
  assert.ok(sessions.find(cashier));
  clock.go(IDLE_MS.till);
  assert.is(sessions.find(cashier), null);
  assert.is(ends(), 2);
});

test('who follows the sign-in hears of an end, and not of a look that ends nothing', async () => {
  const clock = new StillClock();
  const person = { person: 'technician', id: 'a' };
  const pins = { onChange: () => undefined, areAny: true, personOf: () => person.person, find: async () => person };
  const signIn = new SignIn(
    pins as unknown as Pins,
    { nameOf: () => 'name', ownerNamed: () => null, ownerOf: () => null },
    clock,
    { read: () => [], write: () => undefined },
    { read: () => null, write: () => undefined },
    'laneware',
  );
  let heard = 0;
  signIn.onChange(() => {
    heard += 1;
  });
  const secret = await signIn.byPin({ isHere: true, address: '127.0.0.1' }, '7391');
  clock.go(IDLE_MS.technician - 1);
  signIn.use(secret);
  clock.go(2);
  assert.is(heard, 0, 'streams would be looked at again, and some closed');
  clock.go(IDLE_MS.technician);
  assert.is(heard, 1);
});

it('sessions are listed without secrets, the last used first, and one is ended by its name', ({
  sessions,
  clock,
  ends,
}, path) => {
  const technician = sessions.begin('t', 'token', '192.168.1.7');
  clock.go(60_000);
  const cashier = sessions.begin('c', 'pin', '');
  const listed = sessions.list(technician);
  assert.equal(
    listed.map(({ owner, by, from, idleMs, own }) => [owner.role, by, from, idleMs, own]),
    [
      ['till', 'pin', '', 0, false],
      ['technician', 'token', '192.168.1.7', 60_000, true],
    ],
  );
  assert.not.ok([technician, cashier].some((secret) => JSON.stringify(listed).includes(secret)));
  const [{ id = '' } = {}] = listed;
  assert.is(sessions.find(id), null, 'by its name nobody is signed in');
  sessions.endNamed('unknown');
  assert.is(ends(), 0);
  sessions.endNamed(id);
  assert.is(ends(), 1);
  assert.is(sessions.find(cashier), null);
  assert.ok(sessions.find(technician));
  assert.equal(
    opened(path, clock)
      .sessions.list(null)
      .map(({ from, own }) => [from, own]),
    [['192.168.1.7', false]],
    'a restart brings none back, and loses no address',
  );
  clock.go(IDLE_MS.technician);
  assert.equal(sessions.list(null), []);
});

it('it outlives a restart in the same boot with the time left, and does not outlive the boot', ({
  sessions,
  clock,
}, path) => {
  const secret = sessions.begin('t', 'token', '');
  clock.go(IDLE_MS.technician - 10);
  const next = opened(path, clock);
  assert.equal(next.sessions.find(secret), { owner: { role: 'technician', till: null }, by: 'token' });
  clock.go(10);
  assert.is(next.sessions.find(secret), null);
  const another = opened(path);
  const other = another.sessions.begin('c', 'pin', '');
  assert.is(opened(path, new StillClock('boot-2')).sessions.find(other), null);
});

test('the use of it is known after an orderly end, and after any to some minutes', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 's');
  const first = opened(path);
  const secret = first.sessions.begin('t', 'pin', '');
  const MINUTE = 60_000;
  first.clock.go(20 * MINUTE);
  first.sessions.use(secret);
  first.clock.go(4 * MINUTE);
  const written = readFileSync(path, 'utf8');
  first.sessions.use(secret);
  assert.is(readFileSync(path, 'utf8'), written, 'not each use is written');
  const killed = opened(path, first.clock);
  first.clock.go(26 * MINUTE);
  assert.is(killed.sessions.find(secret), null);
  assert.ok(first.sessions.find(secret));
  first.sessions.close();
  assert.ok(opened(path, first.clock).sessions.find(secret));
});

it('who is signed out stays out, also where the disk took nothing', ({ sessions, clock }, path) => {
  const secret = sessions.begin('t', 'pin', '');
  sessions.end(secret);
  assert.is(opened(path, clock).sessions.find(secret), null);
  const removed: string[] = [];
  let isFull = false;
  const kept: { now: ReturnType<SessionFile['read']> } = { now: [] };
  const file = {
    read: () => kept.now,
    write: (next: ReturnType<SessionFile['read']>) => {
      if (isFull) removed.push('gone');
      kept.now = isFull ? [] : [...next];
    },
  };
  const owner: Owner = { role: 'technician', till: null };
  const full = new Sessions(file, clock, () => owner);
  const one = full.begin('t', 'pin', '');
  isFull = true;
  const two = full.begin('t', 'pin', '');
  assert.ok(full.find(two), 'the person who mends the disk comes in');
  full.end(one);
  assert.is(new Sessions(file, clock, () => owner).find(one), null);
});

test('a file that cannot be written goes, and nothing fails', () => {
  const { sessions, problems } = opened('/proc/no-such-folder/sessions.json');
  const secret = sessions.begin('t', 'pin', '');
  assert.ok(sessions.find(secret));
  assert.ok(problems.length > 0);
});

test('a damaged file holds no sessions', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 's');
  for (const content of ['', '{', '{"sessions":[{"digest":"x"}]}', '[]']) {
    writeUnkept(path, content);
    const { sessions, problems } = opened(path);
    assert.is(problems.length, 1, content);
    assert.ok(sessions.find(sessions.begin('t', 'pin', '')));
  }
});

it('one more than there is room for takes the place of the one that was used longest ago', ({ sessions, clock }) => {
  const [first, second] = [sessions.begin('c', 'pin', ''), sessions.begin('c', 'pin', '')];
  clock.go(1);
  sessions.use(first ?? '');
  for (let count = 0; count < 63; count++) sessions.begin('c', 'pin', '');
  assert.ok(sessions.find(first ?? ''));
  assert.is(sessions.find(second ?? ''), null);
});

it('a till that signs in again and again puts no other out', ({ sessions, clock }) => {
  const technicians = [sessions.begin('t', 'pin', ''), sessions.begin('t', 'pin', '')];
  clock.go(1);
  for (let count = 0; count < 64; count++) sessions.begin('c', 'token', '');
  assert.equal(
    technicians.map((secret) => sessions.find(secret)?.owner.role),
    ['technician', 'technician'],
  );
});

it('what it was begun with opens nothing any more: it ends', ({ sessions, owners, ends }) => {
  const secret = sessions.begin('t', 'pin', '');
  owners.delete('t');
  assert.is(sessions.find(secret), null);
  sessions.review();
  assert.is(ends(), 1);
  owners.set('t', 'technician');
  assert.is(sessions.find(secret), null, 'and stays so');
});

test('easy PINs', () => {
  const easy = '0000 1234 9876 7890 0123 1357 8642 1212 456456 1122 5544 2580 1987 2026';
  for (const pin of easy.split(' ')) assert.ok(isEasyPin(pin), pin);
  for (const pin of ['7391', '4826', '739105', '9163', '0417', '90210']) assert.not(isEasyPin(pin), pin);
});

const onPins = each<[string]>(test, (run) => async () => {
  using folder = temporaryFolder();
  await run(join(folder.path, 'pins.json'));
});
const sealer = { name: 'a', digest: (text: string) => Buffer.from(text) };
const pinsAt = (path: string) => new Pins(path, sealer, () => false);

test('a PIN that cannot be kept is not set', async () => {
  const pins = pinsAt('/proc/no-such-folder/pins.json');
  let changes = 0;
  pins.onChange(() => {
    changes += 1;
  });
  assert.ok((await Promise.allSettled([pins.set('technician', '7391')])).every(({ status }) => status === 'rejected'));
  assert.equal(
    { areAny: pins.areAny, changes, '7391': await pins.find('7391') },
    { areAny: false, changes: 0, '7391': null },
  );
});

onPins('killed while a PIN is set, the device knows the one before or the new one, and no other', async (path) => {
  const setter = `
    import { Pins } from '${ROOT}/firmware/core/access/pins.ts';
    const pins = new Pins(${JSON.stringify(path)}, { name: 'a', digest: (text) => Buffer.from(text) }, () => false);
    for (;;) for (const pin of ['7391', '9163']) { await pins.set('technician', pin); process.stdout.write('.'); }`;
  for (let round = 0; round < 5; round++) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', setter], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let dots = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      dots += chunk.length;
    });
    await until('some PINs', () => dots > round);
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
    const pins = pinsAt(path);
    assert.is(pins.problem, null);
    const found = [await pins.find('7391'), await pins.find('9163')].filter((each) => each !== null);
    assert.is(found.length, 1);
  }
});

onPins('a copy of the folder is of no use without the key', async (path) => {
  await pinsAt(path).set('technician', '7391');
  const stolen = new Pins(path, { name: 'a', digest: (text) => Buffer.from(`${text} `) }, () => false);
  assert.is(await stolen.find('7391'), null);
  assert.equal((await pinsAt(path).find('7391'))?.person, 'technician');
});

onPins('PINs of a lost key shut no one out: they are reported until set anew or the key is back', async (path) => {
  await pinsAt(path).set('technician', '7391');
  await pinsAt(path).set('cashier', '9163');
  const other = { name: 'b', digest: (text: string) => Buffer.from(`${text} `) };
  const withOther = () => new Pins(path, other, () => false);
  assert.is(withOther().areAny, false);
  assert.match(withOther().problem ?? '', /key/);
  assert.is(pinsAt(path).problem, null);
  assert.equal((await pinsAt(path).find('9163'))?.person, 'cashier');
  await withOther().set('technician', '8246');
  assert.is(withOther().problem, null);
  assert.equal((await withOther().find('8246'))?.person, 'technician');
  assert.is(withOther().has('cashier'), false, 'nothing of the key that is gone comes along');
});

onPins('a file that is damaged with its copy is reported, and no one is shut out by it', async (path) => {
  await pinsAt(path).set('technician', '7391');
  await pinsAt(path).set('technician', '9163');
  writeFileSync(path, '{');
  assert.ok(await pinsAt(path).find('9163'), 'the copy does not bring the one before back');
  writeUnkept(path, '{');
  const pins = pinsAt(path);
  assert.is(pins.areAny, false);
  assert.ok(pins.problem);
});

test.run();
