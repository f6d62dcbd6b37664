/** The weight that a scale reports for what lies on the tray: sent along, returned, used, and kept for the feedback. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { call, each, pick } from '../support.ts';
import { BLUE, drawTray, halves, RED } from './drawn-tray.ts';
import { NO_READER } from './no-reader.ts';
import { learnedRig, onRig, picture, type Rig, startRig } from './support.ts';

const test = suite('recognition: weights');
const it = each(test, onRig);

const put = (rig: Rig, item: string, json: object, method = 'PUT') =>
  call(`${rig.url}/v1/items/${item}`, { method, json });
const seen = async (rig: Rig, query = '') => (await rig.get(`/v1/recognition${query}`)).body;

test('an item by the piece is certain where the weight is that of a few pieces, and else not', async () => {
  await using rig = await learnedRig();
  assert.is((await put(rig, 'item3', { pieceWeight: 65 })).status, 201);
  const plain = await seen(rig);
  assert.equal(
    { certain: plain.certain, weight: plain.weight, id: plain.candidates[0].id },
    { certain: true, weight: null, id: 'item3' },
  );
  for (const grams of [60, 130, 195, 1300])
    assert.equal(await seen(rig, `?weight=${grams}`).then(({ certain, weight, reason }) => [certain, weight, reason]), [
      true,
      grams,
      null,
    ]);
  for (const grams of [1, 30, 90, 5000, 50_000]) {
    const { certain, reason, weight, things } = await seen(rig, `?weight=${grams}`);
    assert.equal([certain, reason, weight], [false, 'weight-differs', grams]);
    assert.equal([things[0].certain, things[0].reason], [false, 'weight-differs'], 'of the only thing');
  }
  const light = await seen(rig, '?weight=1');
  assert.ok(light.candidates.at(-1).id === 'item3' || light.candidates[0].share < plain.candidates[0].share);
  await put(rig, 'item3', { pieceWeight: null }, 'PATCH');
  assert.is((await seen(rig, '?weight=30')).certain, true, 'sold by weight');
  assert.is((await rig.get('/api/get_result')).body.data.verdict.certain, true);
});

it('a weight is returned for an empty tray and a lost camera, too', async (rig) => {
  await rig.show(await drawTray());
  assert.is((await rig.post('/api/learn_background')).body.code, 0);
  assert.equal(await seen(rig, '?weight=7').then(({ state, weight }) => [state, weight]), ['empty', 7]);
  await rig.camera.close();
  assert.equal(await seen(rig, '?weight=7').then(({ state, weight }) => [state, weight]), ['lost', 7]);
});

test('a wrong weight is refused with field, limits and unit, as is any weight with wait', async () => {
  await using rig = await learnedRig();
  for (const weight of ['0', '-1', '50001', '1.5', '1e3', '007', '', '65g', '99999999999999999999', '%00']) {
    const { status, body } = await rig.get(`/v1/recognition?weight=${weight}`);
    assert.equal([status, body.code, body.field], [400, 'RequestParams.InvalidField', 'weight'], weight);
    assert.match(body.detail, /from 1( g)? to 50000 g/);
  }
  assert.is((await rig.get('/v1/recognition?weight=1&weight=2')).status, 400);
  const late = await rig.get('/v1/recognition?weight=65&wait=25');
  assert.equal([late.status, late.body.field], [400, 'weight']);
  assert.match(late.body.detail, /cannot be sent with wait/);
  assert.equal(await seen(rig, '?weight=50000&wait=0').then(({ weight }) => weight), 50_000);
});

it('a piece’s weight is whole grams, returned with the item, changed and omitted as the price', async (rig) => {
  for (const pieceWeight of [0, 50_001, 1.5, '65', true]) {
    const { status, body } = await put(rig, 'roll', { pieceWeight });
    assert.equal([status, body.field], [400, 'pieceWeight'], String(pieceWeight));
    assert.match(body.detail, /1 g|50000 g/);
  }
  assert.is((await put(rig, 'roll', { pieceWeight: 65, price: 4500 })).body.pieceWeight, 65);
  assert.is((await put(rig, 'roll', { price: 4600 }, 'PATCH')).body.pieceWeight, 65);
  assert.is((await put(rig, 'roll', { pieceWeight: 50_000 }, 'PATCH')).body.pieceWeight, 50_000);
  assert.is((await put(rig, 'roll', { price: 4600 })).body.pieceWeight, null, 'PUT says all of it');
});

it('a file has a piece’s weight in grams; a missing column leaves it, an empty cell clears it', async (rig) => {
  const send = (body: string) =>
    call(`${rig.url}/v1/catalogue`, { method: 'POST', headers: { 'content-type': 'text/csv' }, body });
  for (const [file, expected] of [
    ['id;pieceWeight\nroll;65\n', 65],
    ['id,price\nroll,5\n', 65],
    ['id,pieceWeight\nroll,\n', null],
  ] as const) {
    assert.is((await send(file)).status, 200);
    assert.is((await rig.get('/v1/items/roll')).body.pieceWeight, expected, file);
  }
  for (const [cell, words] of [
    ['0,5', /line 2: pieceWeight must be grams, a whole number, and is "0,5"/],
    ['heavy', /line 2: pieceWeight must be grams/],
    ['0', /line 2: pieceWeight must be from 1 to 50000 g/],
    ['50001', /line 2: pieceWeight must be from 1 to 50000 g/],
  ] as const) {
    const refused = await send(`id;pieceWeight\nroll;${cell}\n`);
    assert.equal([refused.status, refused.body.line], [400, 2], cell);
    assert.match(refused.body.detail, words);
  }
});

test('what weighs otherwise than the confirmed item is counted, and not learned', async () => {
  await using rig = await learnedRig();
  await rig.post('/api/set_learning_mode', { mode: 2 });
  await put(rig, 'item1', { pieceWeight: 65 });
  const feedback = async (query: string, item: string) => {
    const { id } = await seen(rig, query);
    return (await rig.post(`/v1/recognition/${id}/feedback`, { item })).body;
  };
  const off = await feedback('?weight=30', 'item1');
  assert.equal([off.sid, off.reason], [null, 'the weight that was sent is not that of a few pieces of the item']);
  assert.ok((await feedback('?weight=130', 'item1')).sid !== null, 'a weight that fits');
  await rig.show(await picture(4));
  assert.ok((await feedback('', 'item1')).sid !== null, 'no weight');
  await rig.show(await picture(5));
  assert.ok((await feedback('?weight=30', 'item2')).sid !== null, 'an item by weight');
});

const red = (x: number): string => halves(x, 240, 200, RED);
const blue = (x: number): string => halves(x, 240, 200, BLUE);

it('several things are weighed together, and only where they are one item', async (rig) => {
  await rig.show(await drawTray());
  assert.is((await rig.post('/api/learn_background')).body.code, 0);
  await rig.learn('red', await drawTray({ things: red(540) }));
  await rig.learn('blue', await drawTray({ things: blue(540) }));
  for (const item of ['red', 'blue']) await put(rig, item, { pieceWeight: 100 });
  await rig.show(await drawTray({ things: red(320) + red(700) }));
  assert.is((await seen(rig, '?weight=200')).certain, true);
  const light = await seen(rig, '?weight=30');
  assert.equal([light.certain, light.reason], [false, 'weight-differs']);
  assert.equal(pick(light.things, 'certain'), [true, true], 'the share of each is not known');
  await rig.show(await drawTray({ things: red(320) + blue(700) }));
  assert.is((await seen(rig, '?weight=30')).reason, 'several-items');
});

test('a code that was read stays certain with any weight', async () => {
  const code = { symbology: 'ean-13', text: '4006381333931', isGs1: false, places: [{ x: 0.5, y: 0.5 }] } as const;
  await using rig = await startRig({ service: { barcodes: { ...NO_READER, read: async () => [code] } } });
  await rig.learn('milk', await picture(1));
  await put(rig, 'milk', { barcodes: ['4006381333931'], pieceWeight: 1000 });
  const { certain, by, weight } = await seen(rig, '?weight=30');
  assert.equal([certain, by, weight], [true, 'barcode', 30]);
});

test.run();
