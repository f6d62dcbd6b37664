/** Names and codes of items in a store: what is set on one device reaches all of them. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ItemWord, isLater } from '../../firmware/recognition/items/item-versions.ts';
import { fits, MOST_COUNTED } from '../../firmware/store/index.ts';
import { call, until } from '../support.ts';
import { BOTH, joinStore, type Lane } from './rig.ts';
import { inStore, TAKES } from './store.ts';

const test = suite('synchronisation: names, prices and barcodes of items');

const said = (lane: Lane, id: string) => {
  const item = lane.recognition.items.find(id);
  return item && [item.name, item.plu, item.price, item.barcodes.join()];
};
const put = async (lane: Lane, id: string, json: object): Promise<void> => {
  const { status, text } = await call(`${lane.url}/v1/items/${id}`, { method: 'PUT', json });
  assert.ok(status < 300, text);
};
/** As a call carries it out after the time for second thoughts. */
const remove = (lane: Lane, id: string): Promise<void> => lane.recognition.items.delete(id);
const all = (lanes: readonly Lane[], id: string, wanted: unknown) =>
  until(`${id}: ${wanted}`, () => lanes.every((lane) => JSON.stringify(said(lane, id)) === JSON.stringify(wanted)));

const APPLES = { name: 'Apples', plu: '77', price: 12_300, barcodes: ['4006381333931'] };

test('of changes that were made apart the higher number counts, and of one number the higher serial number', () => {
  const [first, again, other] = [
    { revision: 1, by: 'S2' },
    { revision: 2, by: 'S1' },
    { revision: 2, by: 'S2' },
  ];
  assert.equal([isLater(again, first), isLater(first, again)], [true, false]);
  assert.equal([isLater(other, again), isLater(again, other)], [true, false]);
  assert.is(isLater(again, again), false);
});

test(
  'a change with the highest number, or one beyond it, stops nothing, and can be changed where it is',
  inStore(async (store) => {
    const lane = await store.add('S1');
    const { items } = store.master.recognition;
    const { db } = items.file;
    await items.take([{ id: 'most', revision: MOST_COUNTED, by: 'S0', item: { name: 'Apples', price: 1 } }], 'M');
    // as an earlier release took it
    await items.put('beyond', { name: 'Pears' });
    db.prepare("UPDATE item_versions SET revision = ? WHERE item = 'beyond'").run(BigInt(Number.MAX_SAFE_INTEGER));
    for (const id of ['most', 'beyond']) {
      await items.patch(id, { price: 5 });
      const before = items.markOf(id);
      await items.patch(id, { price: 7 });
      assert.is.not(items.markOf(id), before);
      await items.deleteAsOf(id, String(before));
      await items.take([{ id, revision: 1, by: 'S9', item: null }], 'M');
      await items.takeOfChain([{ id, number: MOST_COUNTED, item: { name: 'Chain' } }]);
      assert.is(items.get(id).price, 7);
    }
    for await (const page of items.words('M')) for (const word of page) assert.ok(fits(ItemWord, word), word.id);
    await put(store.master, 'it5', APPLES);
    await all([store.master, lane], 'it5', ['Apples', '77', 12_300, '4006381333931']);
  }),
);

test(
  'names set on one lane reach another; so do a change, a deletion, and an item that comes back',
  inStore(async (store) => {
    const [one, other] = [await store.add('S1'), await store.add('S2')];
    const lanes = [store.master, one, other];
    await put(one, 'it5', APPLES);
    await all(lanes, 'it5', ['Apples', '77', 12_300, '4006381333931']);
    await put(other, 'it5', { ...APPLES, price: 9900 });
    await all(lanes, 'it5', ['Apples', '77', 9900, '4006381333931']);
    await remove(store.master, 'it5');
    await all(lanes, 'it5', null);
    await put(one, 'it5', { name: 'Pears' });
    await all(lanes, 'it5', ['Pears', 'it5', null, '']);
  }),
);

test(
  'a lane that was off hears of it when it is back, and what was said later elsewhere is not undone by it',
  inStore(async (store) => {
    await store.add('S1');
    await put(store.at('S1'), 'it5', APPLES);
    await put(store.at('S1'), 'gone', { name: 'Plums' });
    await all([store.master], 'gone', ['Plums', 'gone', null, '']);
    await store.leave('S1');
    await put(store.master, 'it5', { ...APPLES, name: 'Red apples' });
    await remove(store.master, 'gone');
    const back = await store.start('S1');
    await all([back, store.master], 'it5', ['Red apples', '77', 12_300, '4006381333931']);
    await all([back, store.master], 'gone', null);
  }),
);

test(
  'one code that two lanes have given to two items is in the end that of one, on each of them',
  inStore(async (store) => {
    const lane = await store.start('S1');
    await put(store.master, 'b', { name: 'B', barcodes: APPLES.barcodes });
    await put(lane, 'a', { name: 'A', barcodes: APPLES.barcodes });
    await joinStore(lane, store.master, BOTH);
    await all([lane, store.master], 'a', ['A', 'a', null, '4006381333931']);
    await all([lane, store.master], 'b', ['B', 'b', null, '']);
  }),
);

test(
  'a code that an item of another lane has had is given back, on each of them, when that one is deleted',
  inStore(async (store) => {
    const lane = await store.start('S1');
    await put(store.master, 'b', { name: 'B', barcodes: APPLES.barcodes });
    await put(lane, 'a', { name: 'A', barcodes: APPLES.barcodes });
    await joinStore(lane, store.master, BOTH);
    await all([lane, store.master], 'b', ['B', 'b', null, '']);
    // a change of something else is none of the code
    await lane.recognition.items.patch('b', { price: 5 });
    await all([lane, store.master], 'b', ['B', 'b', 5, '']);
    await remove(store.master, 'a');
    await all([lane, store.master], 'b', ['B', 'b', 5, '4006381333931']);
    for (const { recognition } of [lane, store.master])
      assert.is(recognition.items.page({ text: '4006381333931' }, null, 2)[0]?.id, 'b', 'it is found by its code');
  }),
);

test(
  'lanes agree over the codes of items that were set at each of them and fixed by the chain meanwhile',
  inStore(async (store) => {
    const [code, number] = ['X1', '96385074'];
    const lane = await store.add('S1');
    const away = await store.start('S2');
    await put(lane, 'c', { name: 'C', barcodes: [number, code] });
    await all([store.master], 'c', ['C', 'c', null, `${number},${code}`]);
    await put(away, number, { name: 'Number', barcodes: [code] });
    await store.master.recognition.items.takeOfChain([
      { id: number, number: 10, item: { barcodes: [number] }, wins: ['barcodes'] },
    ]);
    await joinStore(away, store.master, BOTH);
    await all([store.master, lane, away], number, ['Number', number, null, number]);
    await all([store.master, lane, away], 'c', ['C', 'c', null, code]);
  }),
);

test(
  'what the chain says counts where the store says nothing of its own, and a change of it where that was left',
  inStore(async (store) => {
    const lane = await store.add('S1');
    const { items } = store.master.recognition;
    const names = () => ['new', 'own', 'gone', 'edited', 'left'].map((id) => said(store.master, id)?.[0] ?? null);
    await put(lane, 'own', { name: 'Own' });
    await put(lane, 'gone', { name: 'Gone' });
    await all([store.master], 'gone', ['Gone', 'gone', null, '']);
    await remove(lane, 'gone');
    await all([store.master], 'gone', null);
    for (const id of ['new', 'own', 'gone', 'edited', 'left'])
      assert.is(
        await items.takeOfChain([{ id, number: 10, item: { name: 'Chain' } }]),
        !['own', 'gone'].includes(id),
        id,
      );
    assert.equal(names(), ['Chain', 'Own', null, 'Chain', 'Chain']);
    await all([lane], 'edited', ['Chain', 'edited', null, '']);
    await put(lane, 'edited', { name: 'Edited' });
    await all([store.master], 'edited', ['Edited', 'edited', null, '']);
    for (const [number, item, wanted] of [
      [10, { name: 'The same change' }, ['Chain', 'Own', null, 'Edited', 'Chain']],
      [9, { name: 'Earlier' }, ['Chain', 'Own', null, 'Edited', 'Chain']],
      [11, { name: 'Later', barcodes: APPLES.barcodes }, ['Later', 'Own', null, 'Edited', 'Later']],
      [12, null, [null, 'Own', null, 'Edited', null]],
      [13, { name: 'Again' }, ['Again', 'Own', null, 'Edited', 'Again']],
    ] as const) {
      for (const id of ['new', 'own', 'gone', 'edited', 'left'])
        await items.takeOfChain([{ id, number: number, item: item && { ...item } }]);
      assert.equal(names(), wanted, String(number));
    }
    assert.is(await items.takeOfChain([{ id: 'never', number: 14, item: null }]), false);
  }),
);

test(
  'a table that is imported again unchanged is no change, with codes as without: a later one of the chain counts',
  inStore(async (store) => {
    const { items } = store.master.recognition;
    const chain = (number: number, price: number) =>
      items.takeOfChain([
        { id: 'plain', number, item: { name: 'Plain', price } },
        { id: 'coded', number, item: { name: 'Coded', price, barcodes: ['X1', '4006381333931'] } },
        {
          id: 'short',
          number,
          item: { name: 'The chain has given its code to another, too', price, barcodes: ['X1'] },
        },
      ]);
    const prices = () => ['plain', 'coded', 'short'].map((id) => said(store.master, id)?.[2]);
    await chain(10, 100);
    for (const [number, again] of [
      'id,price,barcodes\ncoded,100,X1|X1|4006381333931|04006381333931\n',
      null,
    ].entries()) {
      const catalogue = `${store.master.url}/v1/catalogue`;
      const table = again ?? (await (await fetch(`${catalogue}?format=csv`)).text());
      const taken = await call(catalogue, { method: 'POST', headers: { 'content-type': 'text/csv' }, body: table });
      assert.is(taken.status, 200, taken.text);
      await chain(11 + number, 90 - number);
      assert.equal(prices(), [90 - number, 90 - number, 90 - number]);
    }
  }),
);

test(
  'what is said again unchanged on one lane undoes no later change of another',
  inStore(async (store) => {
    const away = await store.start('S1');
    const milk = { id: 'milk', by: 'S0', revision: 1, item: { name: 'Milk', price: 100, barcodes: ['X1', 'X2'] } };
    for (const { recognition, serial } of [store.master, away]) await recognition.items.take([milk], serial);
    await put(store.master, 'milk', milk.item);
    await put(store.master, 'milk', milk.item);
    await away.recognition.items.patch('milk', { price: 150 });
    await joinStore(away, store.master, BOTH);
    await all([store.master, away], 'milk', ['Milk', 'milk', 150, 'X1,X2']);
  }),
);

test(
  'a change counts once, however many codes it changes: two later ones of another lane go before it',
  inStore(async (store) => {
    const away = await store.start('S1');
    const milk = { id: 'milk', by: 'S0', revision: 1, item: { name: 'Milk', price: 100, barcodes: ['X1', 'X2'] } };
    for (const { recognition, serial } of [store.master, away]) await recognition.items.take([milk], serial);
    const { items } = store.master.recognition;
    const revisionOf = async (id: string) => {
      for await (const words of items.words('M')) for (const word of words) if (word.id === id) return word.revision;
      return 0;
    };
    await items.patch('milk', { name: 'Milk 1', barcodes: ['X1', 'X3', 'X4'] });
    assert.is(await revisionOf('milk'), 2);
    await items.put('4006381333931', { barcodes: ['Y1', 'Y2'] });
    assert.is(await revisionOf('4006381333931'), 1);
    await items.import([{ id: '4006381333931', barcodes: ['Y1', 'Y3'] }]);
    await items.delete('4006381333931');
    assert.is(await revisionOf('4006381333931'), 3);
    for (const price of [150, 160]) await away.recognition.items.patch('milk', { price });
    await joinStore(away, store.master, BOTH);
    await all([store.master, away], 'milk', ['Milk', 'milk', 160, 'X1,X2']);
  }),
);

test(
  'what a store says goes before what its chain says, whenever it is heard, and so does the code that it gives',
  inStore(async (store) => {
    const { items } = store.master.recognition;
    const [code, other, number] = ['4006381333931', '96385074', '5901234123457'];
    const heard = (id: string, by: string, revision: number, name: string) =>
      items.take([{ id, by, revision, item: { name } }], 'M');
    const known = (ids: string) => ids.split(' ').map((id) => said(store.master, id)?.filter((_, at) => at % 3 === 0));
    // a lane was away meanwhile
    for (const change of [10, 11, 12])
      await items.takeOfChain([{ id: 'away', number: change, item: { name: `Chain ${change}` } }]);
    await heard('away', 'S1', 1, 'Own');
    await heard('away', 'chain.13', 9, 'Chain');
    assert.equal(known('away'), [['Own', '']]);
    // of the chain the later change goes first, also where a master has begun to count anew
    await heard('anew', 'chain.9', 5, 'Nine');
    await heard('anew', 'chain.10', 1, 'Ten');
    await heard('anew', 'chain.9', 6, 'Nine');
    assert.equal(known('anew'), [['Ten', '']]);
    // a code
    await items.put('z', { name: 'Own', barcodes: [code, number] });
    await items.takeOfChain([{ id: 'a', number: 10, item: { name: 'Chain', barcodes: [code] } }]);
    await items.takeOfChain([{ id: number, number: 10, item: { name: 'Chain' } }]);
    assert.equal(known(`a z ${number}`), [
      ['Chain', ''],
      ['Own', `${code},${number}`],
      ['Chain', ''],
    ]);
    assert.equal([items.ownerOf(number), items.countOfChain().short], ['z', 2]);
    const edited = await call(`${store.master.url}/v1/items/${number}`, { method: 'PATCH', json: { price: 1 } });
    assert.equal([edited.status, edited.body.code, edited.body.item], [409, 'Items.BarcodeTaken', 'z']);
    // given back
    await items.patch('z', { barcodes: [] });
    assert.equal([known('a'), items.ownerOf(number), items.countOfChain().short], [[['Chain', code]], number, 0]);
    // moved by one change
    await items.takeOfChain([{ id: 'b', number: 10, item: { name: 'B', barcodes: [other] } }]);
    await items.takeOfChain([{ id: 'c', number: 11, item: { name: 'C', barcodes: [other] } }]);
    await items.takeOfChain([{ id: 'b', number: 11, item: { name: 'B', barcodes: [] } }]);
    assert.equal(known('b c'), [
      ['B', ''],
      ['C', other],
    ]);
    await items.take([{ id: 'd', by: 'S1', revision: 1, item: { barcodes: [other] } }], 'M');
    assert.equal(known('c d'), [
      ['C', ''],
      [null, other],
    ]);
  }),
);

test(
  'what the chain fixes is refused on every lane, goes beside the rest of what the store says, and is free when the chain says so',
  inStore(async (store) => {
    const lane = await store.add('S1');
    const { items } = store.master.recognition;
    const lanes = [store.master, lane];
    for (const { recognition } of lanes) recognition.items.followChain(() => true);
    const fixing = (id: string, number: number, price: number) =>
      items.takeOfChain([{ id, number, item: { name: 'Chain', price }, wins: ['price', 'plu'] }]);
    const call409 = async (at: Lane, method: string, path: string, json: object) => {
      const { status, body } = await call(`${at.url}/v1/${path}`, { method, json });
      assert.equal(
        [status, body.code, body.item, body.field],
        [409, 'Items.FixedByChain', path.slice(6) || 'new', 'price'],
      );
    };
    const patch = async (at: Lane, id: string, json: object) =>
      (await call(`${at.url}/v1/items/${id}`, { method: 'PATCH', json })).status;

    await put(lane, 'own', { name: 'Own', price: 1 });
    await all([store.master], 'own', ['Own', 'own', 1, '']);
    for (const id of ['own', 'new'])
      assert.equal([await fixing(id, 10, 9900), await fixing(id, 10, 9900)], [true, false]);
    await all(lanes, 'own', ['Own', 'own', 9900, '']);
    await all(lanes, 'new', ['Chain', 'new', 9900, '']);
    for (const at of lanes) {
      for (const id of ['own', 'new']) await call409(at, 'PATCH', `items/${id}`, { price: 1 });
      await call409(at, 'PUT', 'items/new', { name: 'Another price', price: 1 });
      const { status, body } = await call(`${at.url}/v1/catalogue`, { json: { items: [{ id: 'new', price: 1 }] } });
      assert.equal([status, body.code], [409, 'Items.FixedByChain']);
      const table = { method: 'POST', headers: { 'content-type': 'text/csv' }, body: 'id,price\nnew,1\n' };
      const check: { faults: unknown } = JSON.parse(await (await fetch(`${at.url}/v1/catalogue/check`, table)).text());
      assert.match(JSON.stringify(check.faults), '"fault":"fixed"');
      assert.equal((await call(`${at.url}/v1/items/new`)).body.fixed, ['price']);
    }
    // what a whole item leaves out stays the chain's
    assert.is((await call(`${lane.url}/v1/items/new`, { method: 'PUT', json: { name: 'Whole' } })).body.price, 9900);
    await all(lanes, 'new', ['Whole', 'new', 9900, '']);
    // the same is no change, and the rest is the store's
    assert.is(await patch(lane, 'new', { name: 'Ours', price: 9900 }), 200);
    await all(lanes, 'new', ['Ours', 'new', 9900, '']);
    assert.is(await fixing('new', 11, 8900), true);
    await all(lanes, 'new', ['Ours', 'new', 8900, '']);
    // of a lane that was away, or is of an earlier release
    await items.take([{ id: 'new', by: 'S9', revision: 100, item: { name: 'Theirs', price: 5 } }], 'M');
    await all(lanes, 'new', ['Theirs', 'new', 8900, '']);

    // of one that was of no chain when it knew of it
    const fixed = { number: 11, item: { price: 8900 } };
    await items.take([{ id: 'new', by: 'S9', revision: 200, item: { name: 'Theirs', price: 6 }, fixed }], 'M');
    await all(lanes, 'new', ['Theirs', 'new', 8900, '']);

    // what the store has deleted stays deleted
    await remove(store.master, 'own');
    await all(lanes, 'own', null);
    assert.is(await fixing('own', 12, 7000), true);
    assert.is(said(store.master, 'own'), null);
    await call409(store.master, 'PUT', 'items/own', { price: 1 });

    // a store that has left its chain, and comes back
    for (const { recognition } of lanes) recognition.items.followChain(() => false);
    assert.is(await patch(store.master, 'new', { price: 5 }), 200);
    assert.equal((await call(`${store.master.url}/v1/items/new`)).body.fixed, []);
    await all([lane], 'new', ['Theirs', 'new', 5, '']);
    for (const { recognition } of lanes) recognition.items.followChain(() => true);
    assert.is(await fixing('new', 11, 8900), true);
    await all(lanes, 'new', ['Theirs', 'new', 8900, '']);
    assert.is(await items.takeOfChain([{ id: 'new', number: 13, item: { price: 1 } }]), true);
    await until('it is free', async () => (await patch(lane, 'new', { price: 5 })) === 200 || null);
    await all(lanes, 'new', ['Theirs', 'new', 5, '']);
  }),
);

test(
  'a price that the store gives to an item of the chain takes no code from the item of the store that has it',
  inStore(async (store) => {
    const { items } = store.master.recognition;
    const [code, own, freed] = ['4006381333931', '96385074', 'X1'];
    await items.put('z', { name: 'Own', barcodes: [code, freed] });
    await items.takeOfChain([{ id: 'a', number: 10, item: { name: 'Chain', barcodes: [code, own] } }]);
    await items.takeOfChain([{ id: 'b', number: 10, item: { name: 'Chain', barcodes: [freed] }, wins: ['name'] }]);
    await items.patch('a', { price: 100 });
    await items.import([{ id: 'b', price: 200 }]);
    assert.equal(said(store.master, 'a'), ['Chain', 'a', 100, own]);
    assert.equal(said(store.master, 'b'), ['Chain', 'b', 200, '']);
    assert.equal([items.ownerOf(code), items.ownerOf(freed)], ['z', 'z']);
    // of two items of the store the one that does not have it keeps its claim
    await items.take([{ id: 'zz', by: 'S1', revision: 1, item: { barcodes: [code] } }], 'M');
    await items.patch('zz', { price: 300 });
    await items.delete('z');
    assert.is(items.ownerOf(code), 'zz');
  }),
);

test(
  'a code that the chain fixes is taken from the item of the store that has it, and no other takes it again',
  inStore(async (store) => {
    const { items } = store.master.recognition;
    const code = '96385074';
    const codesOf = (...ids: readonly string[]) => ids.map((id) => said(store.master, id)?.[3]);
    await items.put('own', { name: 'Own', barcodes: [code] });
    await items.takeOfChain([{ id: 'new', number: 10, item: { barcodes: [code] }, wins: ['barcodes'] }]);
    assert.equal(codesOf('own', 'new'), ['', code]);
    await items.take([{ id: 'away', by: 'S1', revision: 1, item: { barcodes: [code] } }], 'M');
    assert.equal(codesOf('away', 'new'), ['', code]);
    // what the store gives and does not get is no refusal of the chain's
    assert.equal(items.countOfChain(), { items: 1, short: 0 });
    await items.put('mine', { name: 'Mine' });
    await items.takeOfChain([{ id: 'mine', number: 9, item: { barcodes: [code] }, wins: ['barcodes'] }]);
    assert.equal([codesOf('mine', 'new'), items.countOfChain()], [['', code], { items: 1, short: 1 }]);
  }),
);

test(
  'a code that the chain moves goes with its later word, whichever item is heard first, and whichever of the words fix it',
  inStore(async (store) => {
    const { items } = store.master.recognition;
    const FIXES = [[], ['barcodes']] as const;
    for (const [at, before] of FIXES.entries())
      for (const [then, after] of FIXES.entries())
        for (const isTakerFirst of [false, true]) {
          const code = `X${at}${then}${Number(isTakerFirst)}`;
          const [from, to] = [`from ${code}`, `to ${code}`];
          const take = (id: string, number: number, barcodes: string[], wins: readonly string[]) =>
            items.takeOfChain([{ id, number, item: { barcodes }, wins }]);
          await take(from, 10, [code], before);
          await take(to, 10, [], before);
          if (isTakerFirst) await take(to, 11, [code], after);
          await take(from, 11, [], after);
          if (!isTakerFirst) await take(to, 11, [code], after);
          assert.is(said(store.master, to)?.[3], code, to);
          // two words that claim it: the later fix, and no later word of a device, has it
          await take(from, 12, [code], ['barcodes']);
          await take(`late ${to}`, 11, [code], ['barcodes']);
          await items.take([{ id: `away ${to}`, by: 'S1', revision: 1, item: { barcodes: [code] } }], 'M');
          assert.is(said(store.master, from)?.[3], code, from);
          await take(from, 13, [], []);
          assert.is(said(store.master, `late ${to}`)?.[3], code, 'it is given back');
        }
  }),
);

test(
  'a code that is moved from one item to another is moved everywhere, in either order of the two items',
  inStore(async (store) => {
    const lane = await store.add('S1');
    const { items } = store.master.recognition;
    const code = APPLES.barcodes[0] ?? '';
    for (const [at, [from, to]] of [
      ['a', 'b'],
      ['d', 'c'],
    ].entries()) {
      await put(lane, from ?? '', { name: 'From', barcodes: [code] });
      await put(lane, to ?? '', { name: 'To' });
      await all([store.master], from ?? '', ['From', from, null, code]);
      const words = [to, from].map((id) => ({
        ...{ id: id ?? '', revision: 100, by: 'S1' },
        item: { name: 'Moved', barcodes: id === to ? [code] : [] },
      }));
      await items.take(at === 0 ? words : words.toReversed(), 'M');
      assert.equal(
        [from, to].map((id) => said(store.master, id ?? '')?.[3]),
        ['', code],
      );
      for (const id of [from, to]) await remove(store.master, id ?? '');
      await all([lane], to ?? '', null);
    }
  }),
);

test(
  'a lane that only takes sends nothing',
  inStore(async (store) => {
    const lane = await store.add('S1', TAKES);
    await put(lane, 'own', { name: 'Own' });
    await put(store.master, 'it5', { name: 'Apples' });
    await all([lane], 'it5', ['Apples', 'it5', null, '']);
    assert.is(said(store.master, 'own'), null);
  }),
);

test.run();
