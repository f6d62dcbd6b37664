/** The codes that items have: set, checked, unique, and in the files that go in and out. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  checkDigitOf,
  gtinIn,
  gtinOfLink,
  isGtin,
  keyOf,
  spellingsOf,
} from '../../firmware/recognition/model/symbologies.ts';
import { call, each } from '../support.ts';
import { onRig, type Rig } from './support.ts';

const numbers = suite('trade item numbers');

numbers('the check digit is the one of GS1', () => {
  for (const gtin of ['96385074', '036000291452', '4006381333931', '10614141000415', '09506000134352'])
    assert.ok(isGtin(gtin), gtin);
  for (const none of ['4006381333932', '400638133393', '4006381333931 ', '', '123456789', '٤٠٠٦٣٨١٣'])
    assert.not(isGtin(none), none);
  assert.is(checkDigitOf('629104150021'), 3);
});

numbers('a number is the same with zeros before it, and another with another indicator', () => {
  assert.is(keyOf('036000291452'), keyOf('0036000291452'));
  assert.is.not(keyOf('10614141000415'), keyOf('0614141000418'));
  assert.is(keyOf('LANE-42'), 'LANE-42');
  assert.equal(spellingsOf('036000291452').sort(), ['00036000291452', '0036000291452', '036000291452']);
  assert.equal(spellingsOf('LANE-42'), ['LANE-42']);
});

numbers('a GS1 text names its trade item behind 01, with its check digit', () => {
  assert.is(gtinIn('010950600013435210AB'), '09506000134352');
  assert.is(gtinIn('010950600013435310AB'), null);
  assert.is(gtinIn('10AB0109506000134352'), null);
});

numbers('a link of GS1 names its trade item, wherever it leads', () => {
  for (const link of [
    'https://id.gs1.org/01/09506000134352',
    'HTTPS://ID.GS1.ORG/01/09506000134352/10/AB?17=271231',
    'https://shop.example/goods/01/9506000134352#more',
    'http://shop.example/gtin/09506000134352/',
  ])
    assert.is(gtinOfLink(link)?.padStart(14, '0'), '09506000134352', link);
  for (const none of [
    'https://id.gs1.org/01/09506000134353',
    'https://id.gs1.org/?01/09506000134352',
    'https://id.gs1.org/01/095060001343521',
    '/01/09506000134352',
  ])
    assert.is(gtinOfLink(none), null, none);
});

numbers.run();

const test = suite('barcodes of items');
const it = each(test, onRig);

const put = (rig: Rig, id: string, barcodes: unknown, method = 'PUT') =>
  call(`${rig.url}/v1/items/${encodeURIComponent(id)}`, { method, json: { barcodes } });
const codesOf = async (rig: Rig, id: string) => (await rig.get(`/v1/items/${id}`)).body.barcodes;

it('they are kept in their order as they were sent, until they are said anew', async (rig) => {
  assert.equal((await rig.get('/v1/items')).body.items, []);
  const { status, body } = await put(rig, '4011', ['4006381333931', 'Käse 7', '036000291452']);
  assert.is(status, 201);
  assert.equal(body.barcodes, ['4006381333931', 'Käse 7', '036000291452']);
  await rig.send('PATCH', '/v1/items/4011', { price: 5 });
  assert.is((await codesOf(rig, '4011')).length, 3, 'what is left out of a change stays');
  await put(rig, '4011', ['96385074'], 'PATCH');
  assert.equal(await codesOf(rig, '4011'), ['96385074']);
  assert.is((await rig.get('/v1/items?search=96385')).body.items[0].id, '4011');
  await put(rig, '4011', null, 'PATCH');
  assert.equal(await codesOf(rig, '4011'), []);
  await put(rig, '4011', ['96385074']);
  await rig.send('PUT', '/v1/items/4011', { name: 'Bananas' });
  assert.equal(await codesOf(rig, '4011'), [], 'what is left out of a whole is gone');
});

it('what can be no code is refused, with its field and what to do', async (rig) => {
  const wrong: [unknown, string, RegExp][] = [
    [['A', '4006381333932'], 'barcodes.1', /must end in 1, the check digit/],
    [['A|B'], 'barcodes.0', /none of them a control character or a \|/],
    [['A\u0007'], 'barcodes.0', /control character/],
    [['\uD800'], 'barcodes.0', /whole characters/],
    [[' A'], 'barcodes.0', /neither begin nor end with a space/],
    [['A\u3000'], 'barcodes.0', /neither begin nor end with a space/],
    [['A\u202eB'], 'barcodes.0', /control character/],
    [[''], 'barcodes.0', /.+/],
    [['x'.repeat(129)], 'barcodes.0', /at most 128 characters/],
    [Array.from({ length: 17 }, (_, at) => `A${at}`), 'barcodes', /at most 16 entries/],
    [['4,00638E+12'], 'barcodes.0', /rounded/],
    [[4006381333931], 'barcodes.0', /text/],
    ['4006381333931', 'barcodes', /list/],
  ];
  for (const [barcodes, field, words] of wrong) {
    const { status, body } = await put(rig, '4011', barcodes);
    assert.is(status, 400, JSON.stringify(barcodes));
    assert.is(body.field, field, JSON.stringify(body));
    assert.match(body.detail, words);
  }
  assert.is((await rig.get('/v1/items/4011')).status, 404, 'nothing was kept');
});

it('no two items have the same one, however it is written', async (rig) => {
  await put(rig, 'a', ['036000291452', 'X1']);
  for (const same of ['036000291452', '0036000291452', '00036000291452', 'X1']) {
    const { status, body } = await put(rig, 'b', [same]);
    assert.equal([status, body.code, body.item, body.barcode], [409, 'Items.BarcodeTaken', 'a', same]);
    assert.match(body.detail, /belongs to the item a already: take it from that one first; nothing was changed/);
  }
  assert.is((await rig.get('/v1/items/b')).status, 404, 'an item whose code is refused is not made');
  assert.is((await put(rig, 'a', ['X1', '0036000291452'])).status, 200, 'its own is no other one');
  assert.is((await put(rig, 'a', ['X1', 'X1'])).status, 200, 'nor is one that it names twice');
  assert.equal(await codesOf(rig, 'a'), ['X1']);
  await rig.send('DELETE', '/v1/items/a');
  assert.is((await put(rig, 'b', ['X1'])).status, 201, 'what is deleted gives its codes back');
});

it('an id that is a trade item number is a code of its own', async (rig) => {
  await put(rig, '4006381333931', []);
  assert.equal(await codesOf(rig, '4006381333931'), [], 'it is none of those that were said');
  assert.is((await put(rig, 'b', ['04006381333931'])).body.code, 'Items.BarcodeTaken');
  await put(rig, 'c', ['96385074']);
  assert.is((await put(rig, '96385074', [])).body.code, 'Items.BarcodeTaken', 'nor may an item come under it');
  assert.is((await put(rig, '4006381333931', ['4006381333931'])).status, 200, 'it may be said besides');
});

it('any other id is the code of its item, too, where no item is given that code', async (rig) => {
  const { items } = rig.recognition;
  await put(rig, 'KG-7', []);
  assert.is(items.ownerOf('KG-7'), 'KG-7');
  const { status, body } = await put(rig, 'b', ['KG-7']);
  assert.equal([status, body.code, body.item], [409, 'Items.BarcodeTaken', 'KG-7']);
  await put(rig, 'c', ['KG-8']);
  assert.is((await put(rig, 'KG-8', [])).status, 201);
  assert.is(items.ownerOf('KG-8'), 'c');
  await put(rig, 'c', []);
  assert.is(items.ownerOf('KG-8'), 'KG-8');
});

const importAs = (rig: Rig, type: string, body: string) =>
  call(`${rig.url}/v1/catalogue`, { method: 'POST', headers: { 'content-type': type }, body });

it('they go out and come in with the other fields, as CSV and as JSON', async (rig) => {
  await put(rig, 'a', ['4006381333931', '=1+1', 'two words']);
  const csv = await (await fetch(`${rig.url}/v1/catalogue?format=csv`)).text();
  const json = await (await fetch(`${rig.url}/v1/catalogue`)).text();
  assert.match(csv, /id,name,plu,price,barcodes,pieceWeight\r\na,,a,,"4006381333931\|/);
  for (const [type, text] of [
    ['text/csv', csv],
    ['application/json', json],
  ] as const) {
    await put(rig, 'a', []);
    assert.is((await importAs(rig, type, text)).status, 200);
    assert.equal(await codesOf(rig, 'a'), ['4006381333931', '=1+1', 'two words'], type);
  }
  await importAs(rig, 'text/csv', 'id,name\na,Apples\n');
  assert.is((await codesOf(rig, 'a')).length, 3, 'a column that is left out says nothing');
  await importAs(rig, 'text/csv', 'id,barcodes\na,\n');
  assert.equal(await codesOf(rig, 'a'), [], 'an empty cell says that there are none');
});

it('a code moves between items within one file, in any order of lines: it is judged as a whole', async (rig) => {
  const check = async (body: string) =>
    (await call(`${rig.url}/v1/catalogue/check`, { method: 'POST', headers: { 'content-type': 'text/csv' }, body }))
      .body.faults;
  await put(rig, 'a', ['X1', 'X2']);
  await put(rig, 'b', ['X3']);
  const swapped = 'id,barcodes\nb,X1\na,X3|X2\n';
  assert.equal(await check(swapped), []);
  const done = await importAs(rig, 'text/csv', swapped);
  assert.equal([done.status, done.body], [200, { created: 0, updated: 2 }], done.text);
  assert.equal([await codesOf(rig, 'a'), await codesOf(rig, 'b')], [['X3', 'X2'], ['X1']]);
  for (const [table, item] of [
    ['id,barcodes\nc,X2\na,X2\n', 'a'],
    ['id,barcodes\nc,X2\na,\nd,X2\n', 'c'],
  ] as const) {
    const faults = (await check(table)).map((fault: { fault: string; item: string }) => [fault.fault, fault.item]);
    assert.equal(faults, [['taken', item]]);
    const { status, body } = await importAs(rig, 'text/csv', table);
    assert.equal([status, body.code, body.item], [409, 'Items.BarcodeTaken', item]);
  }
  assert.equal(await codesOf(rig, 'a'), ['X3', 'X2'], 'nothing of a refused file is kept');
});

test.run();
