/** Codes that scales print, on a whole device: what a till is answered, the layouts of the shop, and what they would make of a label. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { call, each, problem, startTestDevice, type TestDevice } from '../../support.ts';

const test = suite('feature: printed codes');

const WEIGHT = '21IIIIIWWWWWC';
const PRICE = '22IIIIIPPPPPC';
const [GRAMS_42, ROUBLES_42] = ['2100042012349', '2200042099507'];
const PATH = '/console/api/printed-codes';

const it = each<[TestDevice]>(test, (run) => async () => {
  await using device = await startTestDevice();
  await run(device);
});

const get = ({ recognition }: TestDevice, path: string) => call(`${recognition}${path}`);
const setLayouts = ({ recognition }: TestDevice, ...layouts: readonly string[]) =>
  call(`${recognition}${PATH}`, { method: 'PUT', json: { layouts } });
const put = ({ recognition }: TestDevice, id: string, json: object) =>
  call(`${recognition}/v1/items/${id}`, { method: 'PUT', json });
const preview = async (device: TestDevice, layouts: string, code?: string) => {
  const query = new URLSearchParams({ layouts, ...(code !== undefined && { code }) });
  return (await get(device, `${PATH}/preview?${query}`)).body;
};

it('a wrong check digit is refused, and so is a code of no layout, and what is no layout', async (device) => {
  assert.equal(problem(await get(device, `/v1/printed-codes/${GRAMS_42}`)), [404, 'PrintedCodes.NoLayout']);
  assert.is((await setLayouts(device, WEIGHT)).status, 200);
  const wrong = await get(device, '/v1/printed-codes/2100042012340');
  assert.equal(problem(wrong), [422, 'PrintedCodes.WrongCheckDigit']);
  assert.equal(problem(await get(device, `/v1/printed-codes/${ROUBLES_42}`)), [404, 'PrintedCodes.NoLayout']);
  assert.equal(problem(await get(device, '/v1/printed-codes/42')), [404, 'PrintedCodes.NoLayout']);
  const unfit = await setLayouts(device, '21IIIIIWWWWWW');
  assert.equal(problem(unfit), [400, 'RequestParams.InvalidField']);
  assert.match(unfit.body.detail, /13 characters/);
  assert.equal((await get(device, PATH)).body, { layouts: [WEIGHT] }, 'as before');
});

it('a code that is an item’s own, and a label of nothing, are refused, in the preview too', async (device) => {
  await setLayouts(device, WEIGHT, PRICE);
  const refusal = async (code: string) => {
    const refused = await get(device, `/v1/printed-codes/${code}`);
    assert.is(`PrintedCodes.${(await preview(device, `${WEIGHT} ${PRICE}`, code)).refused}`, problem(refused)[1]);
    return [...problem(refused), refused.body.detail];
  };
  for (const code of ['2100042000001', '2200042000008'])
    assert.equal((await refusal(code)).slice(0, 2), [422, 'PrintedCodes.NoAmount']);
  await put(device, 'basket', { name: 'Basket', barcodes: [GRAMS_42] });
  await put(device, 'sack', { name: 'Sack', plu: ROUBLES_42 });
  for (const [code, owner] of [
    [GRAMS_42, /the item basket’s own/],
    [ROUBLES_42, /the item sack’s own/],
  ] as const) {
    const [status, name, detail] = await refusal(code);
    assert.equal([status, name], [404, 'PrintedCodes.OwnCode']);
    assert.match(String(detail), owner);
  }
});

it('a till is answered the item, and the weight or the price', async (device) => {
  await setLayouts(device, WEIGHT, PRICE);
  const read = async (code: string) => (await get(device, `/v1/printed-codes/${code}`)).body;
  const unknown = { code: GRAMS_42, layout: WEIGHT, plu: '00042', weight: 1234, price: null, item: null };
  assert.equal(await read(GRAMS_42), unknown);
  await put(device, 'pears', { name: 'Pears', plu: '42', price: 19_900 });
  const { item, ...said } = await read(GRAMS_42);
  assert.equal({ ...said, item: null }, unknown);
  assert.equal([item.id, item.name, item.price], ['pears', 'Pears', 19_900]);
  const priced = await read(ROUBLES_42);
  assert.equal([priced.item.id, priced.weight, priced.price], ['pears', null, 9950]);
});

it('a label is read as a hand scanner gives it, and a till is answered its 13 digits', async (device) => {
  await setLayouts(device, WEIGHT);
  const given = [
    `]E0${GRAMS_42}`,
    `${GRAMS_42}\r`,
    `]C1010${GRAMS_42}`,
    `]d2010${GRAMS_42}\u001d10A`,
    `(01)0${GRAMS_42}`,
  ];
  for (const code of given) {
    const { status, body } = await get(device, `/v1/printed-codes/${encodeURIComponent(code)}`);
    assert.equal(
      { status, code: body.code, weight: body.weight },
      { status: 200, code: GRAMS_42, weight: 1234 },
      JSON.stringify(code),
    );
    assert.is((await preview(device, WEIGHT, code)).read[0]?.weight, 1234, JSON.stringify(code));
  }
  const other = await get(device, `/v1/printed-codes/${encodeURIComponent(']C0ABC')}`);
  assert.equal(problem(other), [404, 'PrintedCodes.NoLayout'], 'a code of another kind is looked up as a barcode');
  assert.match(other.body.detail, /^no layout of this shop fits ABC/);
  assert.is((await preview(device, WEIGHT, 'ABC')).refused, 'NoLayout');
});

it('layouts are looked at before they are kept: by an example of each, or by a label', async (device) => {
  await put(device, 'pears', { name: 'Pears', plu: '42' });
  const { unfit, read, refused } = await preview(device, `${WEIGHT} 21II ${PRICE}`);
  assert.equal([unfit, refused], [['21II'], null]);
  const found = read.map(({ code, item, weight, price }: Record<string, unknown>) => [code, item, weight, price]);
  assert.equal(found, [
    [GRAMS_42, 'Pears', 1234, null],
    ['2200042012346', 'Pears', null, 1234],
  ]);
  assert.equal((await get(device, PATH)).body, { layouts: [] }, 'nothing is kept');
  assert.equal((await preview(device, PRICE, ROUBLES_42)).read[0].price, 9950);
  assert.is((await preview(device, PRICE, GRAMS_42)).refused, 'NoLayout');
  assert.is((await preview(device, PRICE, '2200042099500')).refused, 'WrongCheckDigit');
});

test.run();
