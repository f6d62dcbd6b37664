/** Files of items as spreadsheets of different countries write them, and hostile ones: read whole or refused. */
import { setImmediate as turn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HttpFailure } from '../../firmware/core/http/call/failure.ts';
import { checkedFile, entriesOf, fileFindings } from '../../firmware/recognition/http/v1/item-file.ts';
import { ItemFileReader } from '../../firmware/recognition/http/v1/item-file-reader.ts';
import { ITEMS_1C_HEAD, ITEMS_CSV_HEAD, itemLine, itemLineFor1C } from '../../firmware/recognition/items/item-csv.ts';
import { type Item, type ItemEntry, ItemError } from '../../firmware/recognition/model/item.ts';
import { rowsOf } from '../support.ts';

const test = suite('recognition: files of items');

const csv = async (text: string | Buffer): Promise<ItemEntry[]> =>
  (await new ItemFileReader().read({ kind: 'csv', bytes: Buffer.from(text), prices: null })).entries;
const refusal = (work: () => Promise<unknown>): Promise<unknown> => work().catch((error: unknown) => error);
const itemRefused = async (text: string): Promise<ItemError> => {
  const error = await refusal(() => csv(text));
  assert.instance(error, ItemError, text);
  return error as ItemError;
};

test('the separator is the one of the first line: a name may hold any other', async () => {
  assert.equal(await csv('id;name;plu;price\r\n1;Сыр, 45%;77;12990\r\n'), [
    { id: '1', name: 'Сыр, 45%', plu: '77', price: 12_990 },
  ]);
  assert.equal(await csv('id,name,plu\r\n1,a;b,77\r\n'), [{ id: '1', name: 'a;b', plu: '77' }]);
  assert.equal(await csv('id\tname\r\n1\ta;b,c\r\n'), [{ id: '1', name: 'a;b,c' }]);
  assert.equal(await csv('sep=|\r\nid|name\r\n1|a;b,c\r\n'), [{ id: '1', name: 'a;b,c' }]);
  // a cell is missing, and the comma of the name must not stand in for it
  assert.match((await itemRefused('id;name;plu;price\r\n1;Молоко, 3%;12990\r\n')).message, /line 2/);
  assert.is((await itemRefused('id;price\r\n1;129,90\r\n')).more.line, 2);
});

test('Russian letters are read as they were meant, in UTF-8, windows-1251 and UTF-16', async () => {
  const meant = [{ id: '1', name: 'Молоко' }];
  const cyrillic = Buffer.from([0xcc, 0xee, 0xeb, 0xee, 0xea, 0xee]);
  assert.equal(await csv('\uFEFFid;name\r\n1;Молоко\r\n'), meant);
  assert.equal(await csv(Buffer.concat([Buffer.from('id;name\r\n1;'), cyrillic, Buffer.from('\r\n')])), meant);
  assert.equal(await csv(Buffer.from('\uFEFFid\tname\r\n1\tМолоко\r\n', 'utf16le')), meant);
});

test('what 1C exchanges is read, its prices in roubles, and written', async () => {
  const text = 'Код;Наименование;Цена;Штрихкод\r\n00042;Сыр, 45%;1 129,90;4006381333931\r\n7;Хлеб;;\r\n';
  assert.equal(await csv(text), [
    { id: '00042', name: 'Сыр, 45%', price: 112_990, barcodes: ['4006381333931'] },
    { id: '7', name: 'Хлеб', price: null, barcodes: [] },
  ]);
  assert.equal(await csv('код,наименование,цена\r\n7,Хлеб,45\r\n'), [{ id: '7', name: 'Хлеб', price: 4500 }]);
  for (const wrong of ['129,905', '-5', 'дорого', '1,500'])
    assert.equal((await itemRefused(`Код;Цена\r\n7;${wrong}\r\n`)).more, { line: 2, fault: 'value', field: 'price' });
  assert.equal(await csv('id;цена\r\n7;12\r\n'), [{ id: '7' }], 'a column of our own is never taken for another');
  const lines = [
    { id: '00042', name: '=Сыр; "Российский"', price: 112_990 },
    { id: '7', name: ' Хлеб', price: null },
    { id: '8', name: null, price: 5 },
  ].map(itemLineFor1C);
  assert.equal(lines, ['00042;"\'=Сыр; ""Российский""";"1129,90"\r\n', '7;" Хлеб";\r\n', '8;;"0,05"\r\n']);
  assert.equal(rowsOf(await csv(ITEMS_1C_HEAD + lines.join('')), 'name', 'price'), [
    ['=Сыр; "Российский"', 112_990],
    [' Хлеб', null],
    [null, 5],
  ]);
});

test('a column named twice, in any case of letters, and an endless line, are refused', async () => {
  for (const [text, field] of Object.entries({
    'id,price,price\r\n1,5,6\r\n': 'price',
    'id,price,Price\r\n1,5,6\r\n': 'price',
    'Код;Цена;price\r\n7;5;600\r\n': 'price',
    'Код;Цена;Цена\r\n7;1;2\r\n': 'roubles',
    'id,id\r\n1,2\r\n': 'id',
  }))
    assert.equal((await itemRefused(text)).more, { line: 1, fault: 'column-twice', field }, text);
  assert.equal((await itemRefused(`id\n${','.repeat(20_000)}`)).more, { line: 2, fault: 'too-long' });
  assert.equal((await itemRefused(`id\n"${'x\n'.repeat(20_000)}`)).more, { line: 2, fault: 'no-csv' });
});

test('columns are known by their names in capital or small letters', async () => {
  assert.equal(await csv('ID;Name;PRICE;pieceweight;Цена\r\n7;Rolls;4500;65;1\r\n'), [
    { id: '7', name: 'Rolls', price: 4500, pieceWeight: 65 },
  ]);
  assert.equal(await csv('КОД;Name;цена\r\n7;Rolls;45\r\n'), [{ id: '7', name: 'Rolls', price: 4500 }]);
});

const ALPHABET = ['=', "'", '"', ' ', ';', ',', '|', '-', 'a', '\u00A0', '\uFEFF', 'я', '＝'];

test('any item comes in from CSV as it went out', async () => {
  // a code has no blanks around it and nothing unseen in it, and is none where programs write it for nothing
  const isCode = (text: string): boolean => text.trim() === text && !/^-+$|\uFEFF/.test(text);
  const texts = ALPHABET.flatMap((a) => ALPHABET.flatMap((b) => ALPHABET.map((c) => a + b + c)));
  const items = texts
    .filter((text) => text.trim() !== '')
    .map((text, at): Item => {
      const known = { hasPicture: false, createdAt: 0, updatedAt: 0 };
      const code = isCode(text) ? text : `i${at}`;
      const barcodes = code.includes('|') ? [] : [code, `${code}2`];
      return { id: code, name: text, plu: code, price: at, barcodes, pieceWeight: at % 2 === 0 ? null : at, ...known };
    });
  const taken = await csv(ITEMS_CSV_HEAD + items.map(itemLine).join(''));
  assert.equal(
    taken,
    items.map(({ hasPicture: _, createdAt: _at, updatedAt: _then, ...item }) => item),
  );
});

test('halves of characters are refused in any field', async () => {
  for (const field of ['id', 'name', 'plu']) {
    const json = JSON.stringify({ items: [{ id: '1', [field]: '\uD800' }] });
    const error = await refusal(() =>
      new ItemFileReader().read({ kind: 'json', bytes: Buffer.from(json), prices: null }),
    );
    assert.instance(error, HttpFailure, field);
    assert.is((error as HttpFailure).field, `items.0.${field}`);
  }
});

/** Turns of the event loop while a file is read; hundreds where it is read elsewhere. */
async function turnsWhile(reading: Promise<unknown>): Promise<number> {
  const state = { isOver: false };
  const over = reading.then(
    () => undefined,
    (error: unknown) => error,
  );
  void over.then(() => {
    state.isOver = true;
  });
  let turns = 0;
  for (; !state.isOver; turns += 1) await turn();
  return turns;
}
const MANY_TURNS = 100;

test('while a large file is read others have their turn, whether it is good, wrong or hostile', async () => {
  const reader = new ItemFileReader();
  const entries = Array.from({ length: 2000 }, (_, at) => ({ id: `i${at}`, name: 'x'.repeat(100), price: at }));
  const json = Buffer.from(JSON.stringify({ items: entries }));
  const lines = entries.map(({ id, name, price }) => `${id},${name},${price}`).join('\n');
  const asCsv = Buffer.from(`id,name,price\n${lines}`);
  for (const [kind, bytes] of [
    ['json', json],
    ['csv', asCsv],
    ['json', Buffer.from(`{"items":[${'5,'.repeat(500_000)}5]}`)],
    ['csv', Buffer.from('\n1'.repeat(500_000))],
  ] as const)
    assert.ok((await turnsWhile(reader.read({ kind, bytes, prices: null }))) > MANY_TURNS);
  assert.equal(await reader.read({ kind: 'json', bytes: json, prices: null }), { entries, unread: [] });
  assert.equal(await reader.read({ kind: 'csv', bytes: asCsv, prices: null }), { entries, unread: [] });
});

test('a large file is refused in the words of a small one', async () => {
  const reader = new ItemFileReader();
  const entries = Array.from({ length: 2000 }, (_, at) => ({ id: `i${at}` }));
  for (const [kind, text] of [
    ['json', JSON.stringify({ items: [...entries, { id: '' }] })],
    ['json', JSON.stringify({ items: [...entries, { id: 'i7' }] })],
    ['json', `${JSON.stringify({ items: entries })}}`],
    ['csv', `id,price\n${'1,1\n'.repeat(9000)}2,x\n`],
    ['csv', `id\n${Array.from({ length: 10_001 }, (_, at) => `i${at}`).join('\n')}`],
  ] as const) {
    const file = { kind, bytes: Buffer.from(text), prices: null };
    const here = (await refusal(async () => entriesOf(await checkedFile(fileFindings(file))))) as
      | HttpFailure
      | ItemError;
    const there = await reader.read(file).catch((error: unknown) => error as HttpFailure | ItemError);
    assert.instance(here, Error);
    assert.is(there.constructor, here.constructor);
    assert.is((there as Error).message, here.message);
    if (here instanceof ItemError) assert.equal((there as ItemError).more, here.more);
    else assert.equal([(there as HttpFailure).kind, (there as HttpFailure).field ?? ''], [here.kind, here.field ?? '']);
  }
});

test.run();
