/** Pictures that the chain gives to items, at a master and a slave, and what may happen to them. */
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RecognitionError } from '../../../firmware/recognition/codes.ts';
import { ItemError } from '../../../firmware/recognition/items/item.ts';
import { Items } from '../../../firmware/recognition/items/items.ts';
import { checksumOf, type Details, keyOfPicture, PARTS } from '../../../firmware/sync/centre/catalogue.ts';
import { temporaryFolder, until } from '../../support.ts';
import { CLOCK, idOf, LyingAtChain, openMaster, saying } from './made-up-chain.ts';

const test = suite('chain: pictures of items');

/** So many that each part has some. */
const SOME = 300;
/** As much of a JPEG as a device looks at before it is shown. */
const pictureOf = (what: string, bytes = 100): Buffer =>
  Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(bytes, what)]);
const [RED, GREEN, OURS] = [pictureOf('red'), pictureOf('green'), pictureOf('ours')];

function give(lying: LyingAtChain, ...pictures: readonly Buffer[]): void {
  for (const picture of pictures) lying.parts.set(keyOfPicture(checksumOf(picture)), picture);
}

const showing = (number: number, picture: Buffer | null, wins?: Details['wins']) => ({
  details: { ...saying(number, 100, wins), ...(picture !== null && { picture: checksumOf(picture) }) },
});

const heldBy = (items: Items, at: number): Buffer | null => {
  try {
    return Buffer.from(items.picture(idOf(at)));
  } catch (error) {
    if (error instanceof ItemError && error.code === 'NoPicture') return null;
    throw error;
  }
};

const refusal = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof ItemError ? `${error.code} ${error.extra.field}` : String(error)),
  );

test('a picture comes with its item; one of the store stays, and one that was taken away stays away', async () => {
  using folder = temporaryFolder();
  const lying = new LyingAtChain();
  give(lying, RED, GREEN);
  lying.put(SOME, { number: 10, described: 10 }, showing(10, null));
  await using master = openMaster(folder.path, lying);
  const { items, dealt, looked } = master;
  await dealt(10);
  await items.setPicture(idOf(1), OURS);
  const next = async (number: number, picture: Buffer | null) => {
    lying.put(SOME, { number, described: number, pictured: true }, showing(number, picture));
    await looked();
    await dealt(number);
  };
  await next(20, RED);
  assert.equal([heldBy(items, 0), heldBy(items, 1), heldBy(items, SOME - 1)], [RED, OURS, RED]);
  assert.equal(items.get(idOf(0)).fixed, []);
  await items.setPicture(idOf(2), OURS);
  await items.patch(idOf(3), { picture: null });
  // a price that is new is no new picture, and reads none
  lying.put(SOME, { number: 21, described: 21, pictured: true }, showing(21, RED));
  const before = lying.pictureReads;
  await looked();
  assert.equal(
    [0, 1, 2, 3].map((at) => heldBy(items, at)),
    [RED, OURS, OURS, null],
  );
  assert.is(lying.pictureReads, before);
  await next(30, GREEN);
  assert.equal(
    [0, 1, 2, 3].map((at) => heldBy(items, at)),
    [GREEN, OURS, OURS, GREEN],
  );
  await next(40, null);
  assert.equal(
    [0, 1, 2, 3].map((at) => heldBy(items, at)),
    [null, OURS, OURS, null],
  );
});

test('one of some items that is dropped goes, and the others stay', async () => {
  using folder = temporaryFolder();
  const lying = new LyingAtChain();
  give(lying, RED);
  lying.put(SOME, { number: 10, described: 10, pictured: true }, showing(10, RED));
  await using master = openMaster(folder.path, lying);
  await master.looked();
  lying.put(SOME, { number: 20, described: 20, pictured: true }, (at) => showing(20, at === 7 ? null : RED));
  await master.looked();
  assert.equal([heldBy(master.items, 7), heldBy(master.items, 8)], [null, RED]);
});

test('one that the chain fixes replaces the one of the store, which may change it no more until it is freed', async () => {
  using folder = temporaryFolder();
  const lying = new LyingAtChain();
  give(lying, RED);
  lying.put(3, { number: 10, described: 10 }, showing(10, null));
  await using master = openMaster(folder.path, lying);
  const { items, looked } = master;
  await looked();
  await items.setPicture(idOf(1), OURS);
  lying.put(3, { number: 20, described: 20, pictured: true }, showing(20, RED, ['picture']));
  await looked();
  assert.equal([heldBy(items, 1), items.get(idOf(1)).fixed], [RED, ['picture']]);
  assert.is(await refusal(items.setPicture(idOf(1), OURS)), 'FixedByChain picture');
  assert.is(await refusal(items.patch(idOf(1), { name: 'New', picture: null })), 'FixedByChain picture');
  assert.equal([heldBy(items, 1), items.get(idOf(1)).name], [RED, 'Chain']);
  // while the store was out of the chain
  items.followChain(() => false);
  await items.patch(idOf(1), { picture: null });
  await looked();
  items.followChain(() => true);
  assert.equal(heldBy(items, 1), RED);
  lying.put(3, { number: 30, described: 30, pictured: true }, showing(30, RED));
  await looked();
  assert.equal([heldBy(items, 1), items.get(idOf(1)).fixed], [RED, []]);
  await items.setPicture(idOf(1), OURS);
  assert.equal(heldBy(items, 1), OURS);
});

test('one that is lost, or another than was signed, is left out, reported and asked for again; the rest comes', async () => {
  using folder = temporaryFolder();
  const lying = new LyingAtChain();
  const broken = Buffer.from('no JPEG');
  give(lying, RED, broken);
  lying.parts.set(keyOfPicture(checksumOf(GREEN)), OURS);
  const pictures = [RED, GREEN, OURS, broken];
  lying.put(4, { number: 10, described: 10, pictured: true }, (at) => showing(10, pictures[at] ?? RED));
  await using master = openMaster(folder.path, lying);
  assert.match(await until('the problem', () => master.store.problem), /at the chain is/);
  const all = () => [0, 1, 2, 3].map((at) => heldBy(master.items, at));
  assert.equal(all(), [RED, null, null, null]);
  assert.equal(
    [0, 1, 2, 3].map((at) => master.items.get(idOf(at)).name),
    Array(4).fill('Chain'),
  );
  // the same head: nothing tells the device that they lie there now
  give(lying, GREEN, OURS);
  await master.looked();
  assert.equal(all(), [RED, GREEN, OURS, null]);
  assert.match(master.store.problem ?? '', 'no JPEG');
});

test('closed in the midst of it, it goes on, and reads no picture twice; one of two items is of both', async () => {
  using folder = temporaryFolder();
  const lying = new LyingAtChain();
  const large = Array.from({ length: SOME }, (_, at) => pictureOf(`${at % (SOME - 1)}`, 30_000));
  give(lying, ...large);
  lying.put(SOME, { number: 10, described: 10, pictured: true }, (at) => showing(10, large[at] ?? RED));
  {
    await using _closed = openMaster(folder.path, lying);
    await until('some of it', () => lying.pictureReads > 50 || null);
  }
  await using master = openMaster(folder.path, lying);
  await master.looked();
  assert.equal(
    Array.from({ length: SOME }, (_, at) => heldBy(master.items, at)),
    large,
  );
  // but for the one that it was closed in
  assert.ok(lying.pictureReads <= SOME + 1, String(lying.pictureReads));
});

for (const isMaster of [true, false])
  test(`a disk that is full is reported by a ${isMaster ? 'master' : 'slave'}, and pictures come when there is room`, async () => {
    using folder = temporaryFolder();
    const lying = new LyingAtChain();
    give(lying, RED);
    lying.put(SOME, { number: 10, described: 10, pictured: true }, showing(10, RED));
    class Full extends Items {
      isFull = true;
      override async takeChainPictures(...taken: Parameters<Items['takeChainPictures']>) {
        if (this.isFull) throw new RecognitionError('storageFull', 'the disk is full');
        await super.takeChainPictures(...taken);
      }
    }
    const items = new Full(join(folder.path, 'items.db'), CLOCK);
    await items.put(idOf(0), { name: 'Known' });
    await using master = openMaster(folder.path, lying, { items, isMaster: () => isMaster });
    assert.match(await until('the problem', () => master.store.problem), 'the disk is full');
    items.isFull = false;
    await master.looked();
    assert.equal([heldBy(items, 0), master.store.problem], [RED, null]);
    await items.close();
  });

test('a slave takes each once its item is there, and waits for no item that the store has deleted', async () => {
  using folder = temporaryFolder();
  const lying = new LyingAtChain();
  give(lying, RED);
  lying.put(3, { number: 10, described: 10, pictured: true }, showing(10, RED));
  await using slave = openMaster(folder.path, lying, { isMaster: () => false });
  const { items, looked } = slave;
  for (const at of [0, 1]) await items.put(idOf(at), { name: 'Known' });
  await items.delete(idOf(1));
  await looked();
  assert.equal([heldBy(items, 0), items.find(idOf(1)), items.find(idOf(2))], [RED, null, null]);
  await items.put(idOf(2), { name: 'Late' });
  await looked();
  assert.equal(heldBy(items, 2), RED);
  // all is there: nothing but the head is read from now on
  const { reads } = lying;
  await looked();
  assert.is(lying.reads, reads);
});

test('25,000 items without pictures cost a slave the head alone', async () => {
  using folder = temporaryFolder();
  const lying = new LyingAtChain();
  lying.put(25_000, { number: 10, described: 10 }, showing(10, null));
  await using slave = openMaster(folder.path, lying, { isMaster: () => false });
  await slave.looked();
  assert.is(lying.reads, 0);
  // of which one has a picture: each part is read once
  give(lying, RED);
  lying.put(25_000, { number: 20, described: 20, pictured: true }, (at) => showing(20, at === 9 ? RED : null));
  await slave.items.put(idOf(9), { name: 'Known' });
  await slave.looked();
  assert.equal([lying.reads, heldBy(slave.items, 9)], [PARTS + 1, RED]);
});

test.run();
