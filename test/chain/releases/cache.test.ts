/** The master's cache of releases against a web server that sends well, badly, slowly and twice. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Offer } from '../../../firmware/chain/channel.ts';
import { CHUNK_BYTES, ReleaseCache, type ReleaseCacheOptions } from '../../../firmware/chain/release-cache.ts';
import { ReleaseError } from '../../../firmware/chain/release-error.ts';
import { missingPrograms, needing } from '../../needing.ts';
import { SmallDisk, whyNoSmallDisk } from '../../small-disk.ts';
import { temporaryFolder, until } from '../../support.ts';
import { releaseFile, serveWeb, trust, type Web } from './web.ts';

const cache = suite('chain: the cache of releases');
const test = needing(missingPrograms('openssl'), 'chain: the cache of releases', cache);

const VERSION = '1.1.0';
const NAME = 'laneware-x64.small';
const PATH = `/${VERSION}/${NAME}`;
const HOUR_MS = 3_600_000;
/** What was sent and not read when a connection was cut, and comes again. */
const ON_THE_WAY_BYTES = 3_000_000;
const web = await serveWeb();
trust(web);

function rig(options: Partial<ReleaseCacheOptions> = {}, folder = temporaryFolder()) {
  const state = { now: 0, isOn: true, offers: [offer()] as readonly Offer[] | null, looks: 0 };
  const bytes = { fetched: 0, served: 0 };
  const log: string[] = [];
  const kept = join(folder.path, 'releases');
  const it = new ReleaseCache({
    folder: kept,
    isOn: () => state.isOn,
    offers: () => {
      state.looks += 1;
      return state.offers;
    },
    monotonic: () => state.now + performance.now(),
    againMs: 1,
    leftFreeBytes: 0,
    onBytes: (direction, count) => {
      bytes[direction] += count;
    },
    log: (message, { err }) => log.push(`${message}: ${String(err)}`),
    ...options,
  });
  return {
    ...{ cache: it, state, bytes, log, kept },
    [Symbol.asyncDispose]: async () => {
      await it.close();
      folder[Symbol.dispose]();
    },
  };
}

const offer = (version = VERSION): Offer => ({ version, below: 1, source: `https://127.0.0.1:${web.port}/{version}/` });

/** Serves one file and forgets what was before. */
function lay(bytes: Buffer = releaseFile('small', VERSION), name = NAME): Buffer {
  Object.assign(web, { cutAfter: null, ranges: true, tag: '"one"', isHeld: false, leadsTo: null, slowMs: 0 });
  Object.assign(web, { hasLength: true, honoursIfRange: true, switchesProtocols: false });
  web.files.clear();
  web.sent = new Map();
  web.asked.length = 0;
  web.files.set(`/${VERSION}/${name}`, bytes);
  return bytes;
}

const sent = ({ sent }: Web = web) => [...sent.values()].reduce((sum, bytes) => sum + bytes, 0);

async function whole(of: ReleaseCache, reader = 'S1', name = NAME, version = VERSION, start = 0): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (let offset = start, total = Number.POSITIVE_INFINITY, tag = ''; offset < total; ) {
    const chunk = await of.read({ version, name, offset, length: CHUNK_BYTES, reader });
    if (tag !== '' && chunk.tag !== tag) throw new ReleaseError('gone', 'another file');
    pieces.push(chunk.data);
    offset += chunk.data.length;
    ({ total, tag } = chunk);
  }
  return Buffer.concat(pieces);
}

/** Where the file of this name lies, in the folder of the only release. */
function onDisk(kept: string): string {
  const [folder = ''] = readdirSync(kept);
  return join(kept, folder, NAME);
}

const partOnDisk = (kept: string) =>
  until('a part', () => {
    const size = existsSync(kept) ? statSync(onDisk(kept), { throwIfNoEntry: false })?.size : 0;
    return (size ?? 0) > 100_000 || null;
  });

async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof ReleaseError) return error.code;
    throw error;
  }
  return 'none';
}

test('a file crosses the line once, for three who ask at one moment and one who comes later', async () => {
  await using one = rig();
  const file = lay();
  const readers = ['M', 'S1', 'S2'].map((reader) => whole(one.cache, reader));
  for (const bytes of await Promise.all(readers)) assert.ok(bytes.equals(file));
  assert.ok((await whole(one.cache, 'S3')).equals(file));
  assert.is(sent(), file.length);
  assert.equal(one.bytes, { fetched: file.length, served: 4 * file.length });
});

test('the head of a file, which an updater judges first, is all that is fetched of it', async () => {
  await using one = rig();
  const file = lay(releaseFile('release', VERSION, randomBytes(20_000_000)), 'laneware-x64.release');
  const name = 'laneware-x64.release';
  for (const reader of ['S1', 'S2']) {
    const { total } = await one.cache.read({ version: VERSION, name, offset: 0, length: 0, reader });
    assert.is(total, file.length);
    const head = await one.cache.read({ version: VERSION, name, offset: 0, length: 16_384, reader });
    assert.ok(head.data.equals(file.subarray(0, 16_384)));
  }
  assert.is(sent(), 16_384);
  assert.ok((await whole(one.cache, 'S1', name)).equals(file));
  assert.is(sent(), file.length);
});

test('a file that is no longer than the head of others is given whole', async () => {
  for (const bytes of [2000, 16_384]) {
    await using one = rig({ waitMs: 1000 });
    const { length } = releaseFile('small', VERSION, randomBytes(bytes));
    const file = lay(releaseFile('small', VERSION, randomBytes(2 * bytes - length)));
    assert.is(file.length, bytes);
    const pieces: Buffer[] = [];
    for (let offset = 0; offset < file.length; ) {
      const asked = { version: VERSION, name: NAME, offset, length: file.length - offset, reader: 'S1' };
      const { data } = await one.cache.read(asked);
      pieces.push(data);
      offset += data.length;
    }
    assert.ok(Buffer.concat(pieces).equals(file));
    assert.is(sent(), file.length);
  }
});

test('who asks for nothing behind the head learns how long the file is', async () => {
  await using one = rig({ waitMs: 1000 });
  const file = lay();
  await one.cache.read({ version: VERSION, name: NAME, offset: 0, length: 1, reader: 'S1' });
  const asked = { version: VERSION, name: NAME, offset: 16_384, length: 0, reader: 'S1' };
  assert.is((await one.cache.read(asked)).total, file.length);
});

test('a web server that knows no ranges and hangs up each time is left after some attempts', async () => {
  await using one = rig();
  const file = lay(releaseFile('small', VERSION, randomBytes(3_000_000)));
  web.ranges = false;
  web.cutAfter = 1_000_000;
  assert.is(await refusal(whole(one.cache)), 'damaged');
  const before = sent();
  assert.ok(before <= 4 * file.length, String(before));
  one.state.now += HOUR_MS / 2;
  assert.is(await refusal(whole(one.cache, 'S2')), 'damaged');
  assert.is(sent(), before);
});

test('a download that is cut off goes on where it was, and no reader notices', async () => {
  await using one = rig();
  const file = lay(releaseFile('small', VERSION, randomBytes(8_000_000)));
  web.cutAfter = 3_000_000;
  assert.ok((await whole(one.cache)).equals(file));
  const starts = web.asked.map((line) => Number(/bytes=(\d+)-$/.exec(line)?.[1] ?? 0));
  assert.ok(
    starts.length >= 3 && starts.every((start, at) => at === 0 || start > (starts[at - 1] ?? 0)),
    starts.join(),
  );
  assert.ok(sent() < file.length + ON_THE_WAY_BYTES, String(sent()));
});

test('what a process before had fetched is taken up by the next, and a whole file is not asked for again', async () => {
  const folder = temporaryFolder();
  const file = lay();
  {
    const first = rig({}, { ...folder, [Symbol.dispose]: () => undefined });
    web.slowMs = 10;
    await first.cache.read({ version: VERSION, name: NAME, offset: 0, length: CHUNK_BYTES, reader: 'S1' });
    await until('a part', () => sent() > 300_000 || null);
    await first.cache.close();
  }
  const have = statSync(onDisk(join(folder.path, 'releases'))).size;
  assert.ok(have > 0 && have < file.length, String(have));
  {
    lay(file);
    const second = rig({}, { ...folder, [Symbol.dispose]: () => undefined });
    const head = { version: VERSION, name: NAME, offset: 0, length: 1, reader: 'S1' };
    assert.is((await second.cache.read(head)).total, file.length);
    assert.is(sent(), 0);
    assert.ok((await whole(second.cache)).equals(file));
    assert.is(sent(), file.length - have);
    await second.cache.close();
  }
  lay(file);
  await using third = rig({}, folder);
  assert.ok((await whole(third.cache)).equals(file));
  assert.equal(web.asked, []);
});

test('one that is cut off, and is another one when it goes on, is begun anew', async () => {
  for (const [tag, bytes, honoursIfRange] of [
    ['"two"', 900_000, true],
    ['"two"', 1_000_000, false],
    [null, 900_000, true],
  ] as const) {
    await using one = rig();
    lay();
    web.honoursIfRange = honoursIfRange;
    if (tag === null) web.tag = null;
    web.cutAfter = 400_000;
    web.slowMs = 4;
    const reading = whole(one.cache).catch(() => null);
    await partOnDisk(one.kept);
    const other = releaseFile('small', VERSION, randomBytes(bytes));
    web.files.set(PATH, other);
    web.tag = tag;
    web.cutAfter = null;
    const got = await reading;
    assert.ok(got === null || got.equals(other));
    assert.ok((await whole(one.cache, 'S2')).equals(other));
  }
});

test('a mixture of two files of one length is never given whole, and is fetched anew after an hour', async () => {
  await using one = rig();
  lay();
  web.tag = null;
  web.cutAfter = 400_000;
  web.slowMs = 4;
  const reading = refusal(whole(one.cache));
  await partOnDisk(one.kept);
  const other = releaseFile('small', VERSION);
  web.files.set(PATH, other);
  web.cutAfter = null;
  assert.is(await reading, 'damaged');
  const before = sent();
  for (const later of [0, HOUR_MS / 2]) {
    one.state.now += later;
    assert.is(await refusal(whole(one.cache)), 'damaged');
  }
  assert.is(sent(), before);
  assert.is(existsSync(onDisk(one.kept)), false);
  one.state.now += HOUR_MS;
  assert.ok((await whole(one.cache)).equals(other));
});

test('a web server that sends something else than a release is left after its first bytes', async () => {
  await using one = rig();
  for (const [lie, name] of [
    [randomBytes(3_000_000), NAME],
    [releaseFile('small', '9.9.9', randomBytes(3_000_000)), NAME],
    [releaseFile('small', VERSION, randomBytes(3_000_000), 'arm64'), NAME],
    [releaseFile('release', VERSION, randomBytes(3_000_000)), NAME],
    [Buffer.concat([releaseFile('small', VERSION, randomBytes(3_000_000)), Buffer.from('more')]), NAME],
  ] as const) {
    lay(lie, name);
    web.slowMs = 10; // 1 MB takes 0.6 s; the client stops within some milliseconds
    assert.is(await refusal(whole(one.cache)), 'damaged');
    assert.ok(sent() < 1_000_000, String(sent()));
    one.state.now += HOUR_MS + 60_000;
  }
});

test('what was damaged on the disk is thrown away once its reader begins anew, and fetched again at most once an hour', async () => {
  await using one = rig();
  const file = lay();
  await whole(one.cache);
  const path = onDisk(one.kept);
  const spoil = (): void => {
    const bytes = readFileSync(path);
    bytes.fill(0, 500_000, 500_100);
    writeFileSync(path, bytes);
  };
  spoil();
  assert.not.ok((await whole(one.cache, 'S2')).equals(file));
  assert.is(await refusal(whole(one.cache, 'S2')), 'damaged', 'it was fetched a moment ago');
  assert.is(sent(), file.length);
  one.state.now += HOUR_MS;
  assert.ok((await whole(one.cache, 'S2')).equals(file));
  assert.is(sent(), 2 * file.length);
  truncateSync(path, 1000);
  assert.is(await refusal(whole(one.cache, 'S3')), 'gone');
});

test('who refuses what is whole has it fetched anew after an hour, for the web server may have been wrong', async () => {
  await using one = rig();
  lay();
  await whole(one.cache);
  const mended = releaseFile('small', VERSION);
  web.files.set(PATH, mended);
  assert.is(await refusal(whole(one.cache)), 'damaged', 'too early: the web server has it for S1');
  one.state.now += HOUR_MS;
  assert.not.ok((await whole(one.cache, 'S2')).equals(mended), 'S2 has refused nothing');
  assert.ok((await whole(one.cache)).equals(mended));
  assert.ok((await whole(one.cache, 'S2')).equals(mended), 'what S2 had was another file');
});

test('a server without ranges, one without lengths, one that is not there, one that leads away from TLS', async () => {
  await using one = rig();
  const file = lay();
  web.ranges = false;
  assert.ok((await whole(one.cache)).equals(file));
  for (const [change, code] of [
    [{ hasLength: false, ranges: false }, 'unreachable'],
    [{ switchesProtocols: true }, 'unreachable'],
    [{ leadsTo: 'http://127.0.0.1:9/' }, 'unreachable'],
    [{ leadsTo: `https://127.0.0.1:${web.port}${PATH}` }, 'unreachable'],
  ] as const) {
    await using other = rig();
    lay(file);
    Object.assign(web, change);
    assert.is(await refusal(whole(other.cache)), code);
    const { length } = web.asked;
    assert.is(await refusal(whole(other.cache)), code);
    assert.is(web.asked.length, length, 'it was asked a moment ago');
  }
  await using third = rig();
  lay(file);
  assert.is(await refusal(whole(third.cache, 'S1', 'laneware-arm64.small')), 'missing');
});

test('a slow web server delays no caller for longer than the limit', async () => {
  await using one = rig({ waitMs: 50 });
  const file = lay();
  web.isHeld = true;
  assert.is(await refusal(whole(one.cache)), 'slow');
  web.isHeld = false;
  await until('it goes on by itself', async () => (await whole(one.cache).catch(() => null))?.equals(file) ?? null);
  assert.is(sent(), file.length);
});

test('nothing is fetched but what the chain offers now', async () => {
  await using one = rig();
  lay();
  for (const [version, name] of [
    ['1.1.1', NAME],
    ['..', NAME],
    [VERSION, '../x'],
    [VERSION, '..%2fx'],
    [VERSION, 'laneware.keys'],
    [VERSION, 'laneware-x64.iso'],
    [VERSION, 'laneware-1.0.0-1.2.0-x64.delta'],
    [VERSION, `${NAME}\n`],
  ] as const)
    assert.is(await refusal(whole(one.cache, 'S1', name, version)), 'not-offered', `${version} ${name}`);
  for (const offers of [null, [], [{ ...offer(), source: null }]]) {
    one.state.offers = offers;
    assert.is(await refusal(whole(one.cache)), 'not-offered');
  }
  one.state.offers = [offer()];
  one.state.isOn = false;
  assert.is(await refusal(whole(one.cache)), 'not-offered');
  assert.equal(web.asked, []);
});

test('names that do not exist take no place for long, and files that are there keep theirs', async () => {
  await using one = rig();
  const file = lay();
  await whole(one.cache);
  for (let number = 0; number < 40; number++)
    assert.is(await refusal(whole(one.cache, 'S1', `laneware-0.0.${number}-${VERSION}-x64.delta`)), 'missing');
  assert.ok((await whole(one.cache, 'S2')).equals(file));
  assert.is(sent(), file.length);
});

test('more files than there may be are refused, and those that are there go on', async () => {
  await using one = rig();
  lay();
  const names = Array.from({ length: 17 }, (_, number) => `laneware-0.0.${number}-${VERSION}-x64.delta`);
  for (const name of names) web.files.set(`/${VERSION}/${name}`, releaseFile('delta', VERSION, randomBytes(50_000)));
  const codes: string[] = [];
  for (const name of names) codes.push(await refusal(whole(one.cache, 'S1', name)));
  assert.equal(codes, [...Array.from({ length: 16 }, () => 'none'), 'busy']);
});

test('a release that is offered from elsewhere is fetched from there', async () => {
  await using one = rig();
  lay();
  await whole(one.cache);
  const other = releaseFile('small', VERSION);
  web.files.set(`/b/${VERSION}/${NAME}`, other);
  one.state.offers = [{ ...offer(), source: `https://127.0.0.1:${web.port}/b/{version}/` }];
  const bytes = await until('the other one', () => whole(one.cache).catch(() => null));
  assert.ok(bytes.equals(other));
});

test('an earlier release goes when there is another; a rollout that is held changes nothing', async () => {
  await using one = rig();
  lay();
  await whole(one.cache);
  for (const offers of [[], null]) {
    const { looks } = one.state;
    one.state.offers = offers;
    one.cache.ask();
    await until('it has looked twice', () => {
      one.cache.ask();
      return one.state.looks > looks + 1;
    });
  }
  assert.ok(existsSync(onDisk(one.kept)));
  one.state.offers = [offer('1.2.0')];
  one.cache.ask();
  await until('it is gone', () => readdirSync(one.kept).length === 0 || null);
  one.state.offers = [offer()];
  await whole(one.cache);
  one.state.isOn = false;
  one.cache.ask();
  await until('all is forgotten', () => readdirSync(one.kept).length === 0 || null);
});

test('no more is kept than may be, and a full disk refuses before it is full', async () => {
  const file = lay();
  await using one = rig({ mostBytes: file.length - 1 });
  assert.is(await refusal(whole(one.cache)), 'no-room');
  await using two = rig({ mostBytes: file.length });
  assert.ok((await whole(two.cache)).equals(file));
  await using three = rig({ leftFreeBytes: Number.MAX_SAFE_INTEGER });
  assert.is(await refusal(whole(three.cache)), 'no-room');
});

needing(
  whyNoSmallDisk(),
  'a full disk',
  cache,
)('a disk that fills up while a file comes ends it, and nothing else', async () => {
  using disk = new SmallDisk(8);
  await using one = rig({}, { path: disk.path, [Symbol.dispose]: () => undefined });
  const file = lay();
  disk.fill();
  assert.is(await refusal(whole(one.cache)), 'no-room');
  disk.empty();
  one.state.now += 60_000;
  assert.ok((await whole(one.cache)).equals(file));
});

test('what lies in the way of a file, or a disk that takes nothing, is a refusal and no fault of the call', async () => {
  await using one = rig();
  const file = lay();
  await refusal(whole(one.cache, 'S1', 'laneware-arm64.small'));
  mkdirSync(join(onDisk(one.kept), 'inside'), { recursive: true });
  assert.ok((await whole(one.cache)).equals(file), 'a folder in its place goes');
  await using two = rig();
  writeFileSync(two.kept, '');
  assert.is(await refusal(whole(two.cache)), 'no-room');
});

cache.after(async () => {
  await web[Symbol.asyncDispose]();
});
cache.run();
