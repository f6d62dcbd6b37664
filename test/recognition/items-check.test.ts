/** A table of items looked through before it is taken: all that is wrong, by its line; nothing changes. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tableOf, workbookWith } from '../store/workbooks.ts';
import { type Answer, call, each, rowsOf } from '../support.ts';
import { onRig, type Rig } from './support.ts';

const test = suite('recognition: check of a table of items');
const it = each(test, onRig);

const send = ({ url }: Rig, path: string, text: string | Uint8Array, type = 'text/csv'): Promise<Answer> =>
  call(`${url}${path}`, { method: 'POST', headers: { 'content-type': type }, body: text });
const check = (rig: Rig, text: string): Promise<Answer> => send(rig, '/v1/catalogue/check', text);
const take = (rig: Rig, text: string): Promise<Answer> => send(rig, '/v1/catalogue', text);
const count = async (rig: Rig): Promise<number> => (await rig.get('/v1/items')).body.items.length;

/** Large enough that a thread of its own reads it. */
const many = (lines: number) => `id;name\n${Array.from({ length: lines }, (_, at) => `a${at};Item ${at}\n`).join('')}`;

it('what is no table is refused as the import refuses it, with what is wrong', async (rig) => {
  for (const [text, fault, line] of [
    ['', 'no-id', 1],
    ['name,price\nTea,100\n', 'no-id', 1],
    ['id,name,name\n7,Tea,Tea\n', 'column-twice', 1],
    [`id\n${'x'.repeat(20_000)}\n`, 'too-long', 2],
    ['id,name\n7,"Tea\n', 'no-csv', 2],
    ['id,name,price\n7,Tea, 12,50\n', 'cells', 2],
    ['id;name;plu;price\n7;Tea;1;5\n8;Tea; green;9;\n', 'cells', 3],
    ['id|name|plu|price\n8|Tea| green|9|\n7|Tea|1|5\n', 'cells', 2],
    ['sep=;\nid;name;price\n7;Tea;1\n8;Coffee\n9;Tea, green\n', 'cells', 5],
  ] as const) {
    const { status, body } = await check(rig, text);
    assert.equal(
      { status, code: body.code, fault: body.fault, line: body.line },
      { status: 400, code: 'Items.IllegalFile', fault, line },
    );
    assert.is((await take(rig, text)).body.fault, fault);
  }
  assert.is((await send(rig, '/v1/catalogue/check', '{}', 'application/json')).status, 415);
  const { status, body } = await check(rig, many(10_001));
  assert.equal(
    { status, code: body.code, fault: body.fault, most: body.most },
    { status: 400, code: 'Items.IllegalFile', fault: 'too-many', most: 10_000 },
  );
});

it('a call without a body is refused as one with an empty file is', async (rig) => {
  const bare = (path: string) => call(`${rig.url}${path}`, { method: 'POST' });
  const [taken, checked] = [await bare('/v1/catalogue'), await bare('/v1/catalogue/check')];
  assert.equal([taken.status, taken.body.code, taken.body.field], [400, 'RequestParams.InvalidField', 'items']);
  assert.equal([checked.status, checked.body.code, checked.body.fault], [400, 'Items.IllegalFile', 'no-id']);
});

it('a workbook is read as a table is, whatever its rows leave out; what is no table is named', async (rig) => {
  const rows = [
    ['Код', 'Наименование', 'Цена', 'Штрихкод'],
    ['="00042"', 'Молоко, 3%', '129,90'],
    ["'7", 'Чай "Лисма"'],
  ];
  const sheets = [
    tableOf(rows.map((cells) => cells.map((cell) => cell.replaceAll('"', '&quot;')))),
    tableOf([['x']], 'Другой'),
  ];
  const bytes = await workbookWith({ sheets });
  for (const type of ['text/csv', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet']) {
    const { status, body } = await send(rig, '/v1/catalogue/check', bytes, type);
    assert.equal(
      { status, faultCount: body.faultCount, unread: body.unread },
      { status: 200, faultCount: 0, unread: ['Другой'] },
      body.detail,
    );
    assert.equal(rowsOf(body.lines, 'line', 'entry'), [
      [2, { id: '00042', name: 'Молоко, 3%', price: 12_990 }],
      [3, { id: '7', name: 'Чай "Лисма"' }],
    ]);
  }
  for (const [file, fault] of [
    ['<html><table>', 'page'],
    ['1CClientBankExchange\n', 'account'],
    [Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'old-workbook'],
    ['PK\u0003\u0004', 'workbook'],
  ] as const) {
    const { status, body } = await send(rig, '/v1/catalogue', file);
    assert.equal([status, body.code, body.fault], [400, 'Items.IllegalFile', fault]);
  }
});

it('each fault is reported by its line, and nothing is changed', async (rig) => {
  await rig.send('PUT', '/v1/items/tea', { barcodes: ['4006381333931'] });
  const table = [
    'id;name;price;barcodes',
    '7;Tea;100;',
    '8;Coffee;1,50;',
    '7;Tea again;100;',
    ';No code;100;',
    '9;Sugar;100;4006381333932',
    '10;Salt;100;4006381333931',
    '11;Rice;200;',
    '..;Dots;200;',
  ].join('\n');
  const { status, body } = await check(rig, table);
  assert.is(status, 200);
  assert.equal(rowsOf(body.faults, 'line', 'fault', 'field', 'item'), [
    [3, 'value', 'price', undefined],
    [4, 'twice', undefined, '7'],
    [5, 'value', 'id', undefined],
    [6, 'value', 'barcodes.0', undefined],
    [7, 'taken', undefined, 'tea'],
    [9, 'value', 'id', undefined],
  ]);
  assert.is(body.faultCount, 6);
  assert.equal([body.created, body.updated], [2, 0]);
  assert.equal(body.lines[0], { line: 2, entry: { id: '7', name: 'Tea', price: 100, barcodes: [] } });
  assert.is(await count(rig), 1);
  assert.is((await take(rig, table)).status, 400);
});

it('an id that nobody can see is none, and one in other letters is the same', async (rig) => {
  const { body } = await check(rig, 'id;name\n" ";x\n"\u00a0";x\n\u0418\u0306;x\n\u0419;y\n');
  assert.equal(rowsOf(body.faults, 'line', 'fault'), [
    [2, 'value'],
    [3, 'value'],
    [5, 'twice'],
  ]);
  assert.equal(body.lines[0].entry.id, '\u0419');
  assert.is((await rig.send('PUT', '/v1/items/%20', { name: 'x' })).status, 400);
});

it('a code that a spreadsheet has rounded is refused as that', async (rig) => {
  const table = 'id;plu;barcodes\n1,23457E+11;1;\n2;4,6E+12;\n3;3;4,60701E+12|9\n4E10;1E5;5E3\n1E+11;;\n';
  const { body } = await check(rig, table);
  assert.equal(rowsOf(body.faults, 'line', 'fault', 'field'), [
    [2, 'rounded', 'id'],
    [3, 'rounded', 'plu'],
    [4, 'rounded', 'barcodes'],
    [6, 'rounded', 'id'],
  ]);
  assert.match(body.faults[0].detail, /^line 2: id is a number that a spreadsheet has rounded/);
  assert.equal(body.lines.length, 1);
});

it('barcodes as people and spreadsheets write them are their digits, if the check digit fits', async (rig) => {
  const table = [
    'id;barcodes',
    '1;4 006381 333931',
    '2;36000291452',
    '3;1234565',
    '4;4006381\u00a0333948|1234567',
    '5;https://id.gs1.org/01/09506000134352/10/ABC?17=271231',
    '6;4 006381 333932',
    '7;12 34',
  ].join('\n');
  const { body } = await check(rig, table);
  assert.equal(
    body.lines.map(({ entry }: { entry: { barcodes: string[] } }) => entry.barcodes),
    [['4006381333931'], ['036000291452'], ['01234565'], ['4006381333948', '1234567'], ['09506000134352'], ['12 34']],
  );
  assert.equal(
    { faultCount: body.faultCount, line: body.faults[0].line, field: body.faults[0].field },
    { faultCount: 1, line: 7, field: 'barcodes.0' },
  );
  assert.match(body.faults[0].detail, /must end in 1, the check digit/);
});

it('a price is in kopecks or roubles: the table’s first price is shown as both, to be asked', async (rig) => {
  const prices = async (text: string, query = '') => (await send(rig, `/v1/catalogue/check${query}`, text)).body.prices;
  const whole = 'id;price\n1;\n2;129\n3;5\n';
  const asked = { written: '129', kopecks: 129, roubles: 12_900 };
  assert.equal(await prices(whole), { ...asked, said: false });
  assert.equal(await prices(whole, '?prices=roubles'), { ...asked, said: true });
  assert.equal(await prices('id;price\n2;129,90\n'), {
    ...asked,
    written: '129,90',
    kopecks: null,
    roubles: 12_990,
    said: false,
  });
  assert.equal(await prices('Код;Цена\n2;129\n'), { ...asked, said: true });
  assert.is(await prices('id;name\n2;x\n'), undefined);
  await send(rig, '/v1/catalogue?prices=roubles', 'id;price\n1;129,90\n2;1 000\n');
  await send(rig, '/v1/catalogue?prices=kopecks', 'Код;Цена\n3;129\n');
  await send(rig, '/v1/catalogue', 'id;price\n4;129\n');
  const priceOf = async (id: string) => (await rig.get(`/v1/items/${id}`)).body.price;
  assert.equal(await Promise.all(['1', '2', '3', '4'].map(priceOf)), [12_990, 100_000, 129, 129]);
  assert.is((await send(rig, '/v1/catalogue?prices=dollars', whole)).status, 400);
});

it('prices in roubles are refused in a document: it would take them for kopecks', async (rig) => {
  const document = '{"items":[{"id":"1","price":130}]}';
  const sent = (query: string) => send(rig, `/v1/catalogue${query}`, document, 'application/json');
  const { status, body } = await sent('?prices=roubles');
  assert.equal([status, body.code, body.field], [400, 'RequestParams.InvalidField', 'prices']);
  assert.is(await count(rig), 0);
  assert.is((await sent('?prices=kopecks')).status, 200);
  assert.is((await rig.get('/v1/items/1')).body.price, 130);
});

it('what it says is what the import then does', async (rig) => {
  await take(rig, many(3));
  const { body } = await check(rig, many(5000));
  assert.equal(
    { created: body.created, updated: body.updated, faultCount: body.faultCount, lines: body.lines.length },
    { created: 4997, updated: 3, faultCount: 0, lines: 50 },
  );
  assert.is(await count(rig), 3);
  assert.equal((await take(rig, many(5000))).body, { created: 4997, updated: 3 });
});

it('unread columns are named by the check and the import, whatever the table’s size', async (rig) => {
  for (const count of [1, 3000]) {
    const lines = Array.from({ length: count }, (_, at) => `a${at};${at};x;;1\n`).join('');
    const table = `ID;Price;Цена, руб.;;name 2\n${lines}`;
    const unread = ['Цена, руб.', 'name 2'];
    assert.equal((await check(rig, table)).body.unread, unread);
    assert.equal((await take(rig, table)).body.unread, unread);
  }
});

it('the faults of a large table are reported, too: the first hundred, and how many there are', async (rig) => {
  const { body } = await check(rig, `id;price\n${Array.from({ length: 3000 }, (_, at) => `a${at};x\n`).join('')}`);
  assert.equal([body.faults.length, body.faultCount, body.faults[99].line], [100, 3000, 101]);
});

test.run();
