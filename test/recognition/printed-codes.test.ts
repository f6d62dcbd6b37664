/** Codes that a scale has printed: which layouts there are, what a code says by one, and where an item is found by it. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compiled } from '../../firmware/core/schema/index.ts';
import { PrintedLayout, printedAs, readPrinted } from '../../firmware/recognition/model/printed-layout.ts';
import { each } from '../support.ts';
import { labelled, patientReader } from './barcodes-support.ts';
import { onRig, type Rig, startRig } from './support.ts';

const test = suite('recognition: printed codes');
const it = each(test, onRig);

const WEIGHT = '21IIIIIWWWWWC';
const PRICE = '22IIIIIVPPPPC';
/** 1.234 kg of the item 42. */
const OF_42 = '2100042012349';

test('a layout names 13 digits, begins with a 2, and has a PLU and either a weight or a price', () => {
  const isLayout = (layout: string) => compiled(PrintedLayout).fits(layout);
  for (const good of [WEIGHT, PRICE, '2XIIIIIWWWWWC', '27IIIIIPPPPPC', '20IIIIXWWWWWC', '21IIIIIWWWWWC'])
    assert.ok(isLayout(good), good);
  const wrong = [
    '',
    '21IIIIIWWWWW',
    '31IIIIIWWWWWC',
    '21IIIIIWWPPPC',
    '21XXXXXWWWWWC',
    '21IIIIIWWWWWX',
    '2PPIIIIIWWWWWC',
  ];
  for (const bad of [...wrong, '21IIWIIWWWWWC', '21iiiiiwwwwwc']) assert.not(isLayout(bad), bad);
});

test('a code says its PLU and its weight, or its price; of another layout it says nothing', () => {
  assert.is(printedAs(WEIGHT, '42', 1234), OF_42);
  assert.equal(readPrinted(WEIGHT, OF_42), { plu: '00042', weight: 1234, price: null });
  const priced = printedAs(PRICE, '4011', 9950) ?? '';
  assert.equal(readPrinted(PRICE, priced), { plu: '04011', weight: null, price: 9950 });
  assert.is(readPrinted(WEIGHT, priced), null);
  assert.is(readPrinted('2XIIIIIWWWWWC', priced)?.plu, '04011');
  assert.is(printedAs(WEIGHT, '123456', 1), null, 'no room for the PLU');
  assert.is(printedAs(WEIGHT, 'milk', 1), null);
});

/** Items with PLUs as shops have them, and the layouts. */
async function stocked(rig: Rig): Promise<void> {
  await rig.recognition.settings.set({ printedLayouts: [WEIGHT, PRICE] });
  await rig.send('PUT', '/v1/items/pears', { name: 'Pears', plu: '42', price: 19_900 });
  await rig.send('PUT', '/v1/items/plums', { name: 'Plums', plu: '00043' });
}

it('a code’s item is the one with its PLU, leading zeros or not; of two there is none', async (rig) => {
  await stocked(rig);
  const { printedCodes } = rig.recognition;
  const itemOf = (plu: string) => printedCodes.read(printedAs(WEIGHT, plu, 500) ?? '')?.item;
  assert.equal([itemOf('42'), itemOf('43'), itemOf('44')], ['pears', 'plums', null]);
  await rig.send('PUT', '/v1/items/42', { name: 'Peaches' });
  assert.is(itemOf('42'), null, 'the id of one is the PLU of another');
  assert.is(printedCodes.read(OF_42.replace(/.$/, '0')), null, 'a wrong check digit');
  await rig.send('PUT', '/v1/items/basket', { name: 'Basket', barcodes: [OF_42] });
  assert.is(printedCodes.read(OF_42), null, 'the whole code is the basket’s');
});

it('a scanned code finds its item where items are looked up by code', async (rig) => {
  await stocked(rig);
  const found = async (code: string) =>
    (await rig.get(`/v1/items?code=${code}`)).body.items.map(({ id }: { id: string }) => id);
  assert.equal(await found(OF_42), ['pears']);
  assert.equal(await found(OF_42.replace(/.$/, '0')), []);
  assert.equal(await found('42'), ['pears'], 'as before');
  await rig.recognition.settings.set({ printedLayouts: [] });
  assert.equal(await found(OF_42), []);
});

it('who has the whole code goes before the layouts: by barcode, PLU or id, put or only learned', async (rig) => {
  await rig.recognition.settings.set({ printedLayouts: [WEIGHT] });
  await rig.send('PUT', '/v1/items/4011', { name: 'Bananas' });
  const [ofPlu, ofBarcode, ofId] = ['2104011055559', '2104011077773', '2104011012347'];
  const found = async (code: string) =>
    (await rig.get(`/v1/items?code=${code}`)).body.items.map(({ id }: { id: string }) => id);
  assert.equal(await found(ofPlu), ['4011'], 'nobody has it');
  await rig.send('PUT', '/v1/items/pack', { name: 'Pack', plu: ofPlu });
  await rig.send('PUT', '/v1/items/box', { name: 'Box', barcodes: [ofBarcode, '4006381333931'] });
  await rig.send('PUT', `/v1/items/${ofId}`, { name: 'Bag' });
  assert.equal(await found(ofPlu), ['pack']);
  assert.equal(await found(ofBarcode), ['box']);
  assert.equal(await found(ofId), [ofId]);
  assert.equal(await found('4006381333931'), ['box'], 'a barcode of a trade item');
  await rig.send('PUT', '/v1/items/tin', { name: 'Tin', plu: ofBarcode });
  assert.equal(await found(ofBarcode), ['box', 'tin'], 'each that has it');
  const { printedCodes } = rig.recognition;
  const faults = [ofPlu, ofBarcode, ofId].map((code) => printedCodes.judge(code));
  assert.equal(faults, ['OwnCode', 'OwnCode', 'OwnCode']);
});

it('of items with zeros before their codes the one that is written as the label goes first', async (rig) => {
  await rig.recognition.settings.set({ printedLayouts: [WEIGHT] });
  const itemOf = (plu: string) => rig.recognition.printedCodes.read(printedAs(WEIGHT, plu, 500) ?? '')?.item;
  await rig.send('PUT', '/v1/items/short', { plu: '777' });
  assert.is(itemOf('777'), 'short');
  await rig.send('PUT', '/v1/items/long', { plu: '00777' });
  assert.is(itemOf('777'), 'long');
  await rig.send('PUT', '/v1/items/4011', {});
  await rig.send('PUT', '/v1/items/other', { plu: '4011' });
  assert.is(itemOf('4011'), null, 'two without the zero');
  await rig.send('PUT', '/v1/items/04011', {});
  assert.is(itemOf('4011'), '04011');
});

it('a label that says a weight or a price of 0 finds nothing', async (rig) => {
  await stocked(rig);
  const { printedCodes } = rig.recognition;
  for (const layout of [WEIGHT, PRICE]) {
    const code = printedAs(layout, '42', 0) ?? '';
    assert.is(printedCodes.judge(code), 'NoAmount');
    assert.equal((await rig.get(`/v1/items?code=${code}`)).body.items, []);
  }
  assert.is(printedCodes.read(printedAs(WEIGHT, '42', 99_999) ?? '')?.weight, 99_999, 'the largest');
});

test('the camera reads it: item certain, weight beside; a layout set while it lies there counts', async () => {
  await using rig = await startRig({ service: { barcodes: patientReader() } });
  await stocked(rig);
  await rig.recognition.settings.set({ printedLayouts: [] });
  await rig.show(await labelled([{ kind: 'ean13', text: OF_42 }]));
  const look = async () => (await rig.get('/v1/recognition')).body;
  assert.equal((await look()).read, [{ symbology: 'ean-13', text: OF_42, item: null, weight: null, price: null }]);
  const before = rig.recognition.revision.number;
  await rig.recognition.settings.set({ printedLayouts: [WEIGHT] });
  assert.ok(rig.recognition.revision.number > before, 'who follows the tray is asked again');
  const { certain, candidates, read } = await look();
  assert.equal([certain, candidates[0].id, candidates[0].price], [true, 'pears', 19_900]);
  assert.equal(read, [{ symbology: 'ean-13', text: OF_42, item: 'pears', weight: 1234, price: null }]);
  await rig.send('PUT', '/v1/items/pack', { name: 'Pack', plu: OF_42 });
  const own = await look();
  assert.equal(own.candidates[0].id, 'pack');
  assert.equal(own.read, [{ symbology: 'ean-13', text: OF_42, item: 'pack', weight: null, price: null }]);
});

test.run();
