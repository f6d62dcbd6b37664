/** Items as tills sell them, by `/v1/items`: over real HTTP, faults first. */
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, call, each, problem, temporaryFolder } from '../support.ts';
import { onRig, picture, type Rig, startRig } from './support.ts';

const test = suite('recognition: items by /v1');
const it = each(test, onRig);

const BANANAS = { name: 'Бананы', plu: '4011', price: 12_990 };

const send = ({ url }: Rig, method: string, path: string, json?: unknown): Promise<Answer> =>
  call(`${url}/v1/items${path}`, {
    method,
    ...(json !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(json) }),
  });

const get = (rig: Rig, path = ''): Promise<Answer> => send(rig, 'GET', path);

const putAll = ({ url }: Rig, json: unknown): Promise<Answer> => call(`${url}/v1/catalogue`, { json });

const importCsv = ({ url }: Rig, text: string): Promise<Answer> =>
  call(`${url}/v1/catalogue`, { method: 'POST', headers: { 'content-type': 'text/csv' }, body: text });

const putPicture = ({ url }: Rig, id: string, bytes: Uint8Array, type = 'image/jpeg'): Promise<Answer> =>
  call(`${url}/v1/items/${id}/picture`, {
    method: 'PUT',
    headers: { 'content-type': type },
    body: new Uint8Array(bytes),
  });

it('what cannot be is refused with a code, and names the field', async (rig) => {
  assert.equal(problem(await get(rig, '/4011')), [404, 'Items.NotFound']);
  assert.equal(problem(await send(rig, 'PATCH', '/4011', { price: 1 })), [404, 'Items.NotFound']);
  assert.equal(problem(await send(rig, 'DELETE', '/4011')), [404, 'Items.NotFound']);
  assert.equal(problem(await get(rig, '/4011/picture')), [404, 'Items.NotFound']);
  assert.equal(problem(await putPicture(rig, '4011', await picture(1))), [404, 'Items.NotFound']);
  assert.match((await get(rig, '?limit=0')).body.detail, /^limit must be at least 1$/);
  for (const [field, body] of [
    ['name', { name: '\uD800' }],
    ['plu', { plu: 'a\uDC00' }],
    ['price', { price: -1 }],
    ['price', { price: 1.5 }],
    ['price', { price: 100_000_001 }],
    ['price', { price: '12' }],
    ['name', { name: '' }],
    ['name', { name: 'a\nb' }],
    ['name', { name: 'x'.repeat(201) }],
    ['plu', { plu: '' }],
    ['prise', { prise: 1 }],
    ['x0', Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`x${at}`, at]))],
  ] as const) {
    const refused = await send(rig, 'PUT', '/4011', body);
    assert.equal([...problem(refused), refused.body.field], [400, 'RequestParams.InvalidField', field]);
  }
  assert.equal(problem(await send(rig, 'PUT', `/${'x'.repeat(65)}`, BANANAS)), [400, 'RequestParams.InvalidField']);
  assert.equal(problem(await send(rig, 'PUT', '/%07', BANANAS)), [400, 'RequestParams.InvalidField']);
  assert.equal(problem(await get(rig, '?limit=0')), [400, 'RequestParams.InvalidField']);
  assert.equal(problem(await get(rig, '?serch=a')), [400, 'RequestParams.InvalidField']);
  assert.equal((await get(rig)).body, { items: [], cursor: null });
});

it('an item is put, changed, put anew; a missing field stays by PATCH, is unknown by PUT', async (rig) => {
  const made = await send(rig, 'PUT', '/4011', BANANAS);
  assert.is(made.status, 201);
  const { createdAt, updatedAt, ...item } = made.body;
  const unsaid = { barcodes: [], pieceWeight: null, picture: null, templates: 0 };
  assert.equal(item, { id: '4011', ...BANANAS, ...unsaid });
  assert.ok(Date.parse(createdAt) > 0 && createdAt === updatedAt);
  const changed = await send(rig, 'PATCH', '/4011', { price: 13_990 });
  assert.equal(
    { status: changed.status, price: changed.body.price, name: changed.body.name },
    { status: 200, price: 13_990, name: 'Бананы' },
  );
  assert.is(changed.body.createdAt, createdAt);
  assert.is((await send(rig, 'PATCH', '/4011', { name: null })).body.name, null);
  const anew = await send(rig, 'PUT', '/4011', { price: 0 });
  assert.equal(
    { status: anew.status, name: anew.body.name, plu: anew.body.plu, price: anew.body.price },
    { status: 200, name: null, plu: '4011', price: 0 },
  );
  assert.equal((await get(rig, '/4011')).body, anew.body);
});

it('an id of any letters is one item, in a path and in its answers', async (rig) => {
  for (const id of ['a/b', 'ключ 1', '100%', 'picture']) {
    const path = `/${encodeURIComponent(id)}`;
    const made = await send(rig, 'PUT', path, BANANAS);
    assert.equal([made.status, made.body.id], [201, id], made.text);
    assert.is((await get(rig, path)).body.id, id);
  }
  await putPicture(rig, encodeURIComponent('a/b'), await picture(1));
  const { body } = await get(rig, `/${encodeURIComponent('a/b')}`);
  assert.is((await call(rig.url + body.picture)).status, 200);
});

it('items are found by any part of id, PLU or name, in any case of letters, a page at a time', async (rig) => {
  const items = Array.from({ length: 7 }, (_, index) => ({
    id: `i${index}`,
    name: index % 2 ? 'Яблоки Гала' : 'ГРУШИ',
    plu: `${index % 3}`,
  }));
  assert.equal((await putAll(rig, { items })).body, { created: 7, updated: 0 });
  const idsOf = ({ body }: Answer): string[] => body.items.map(({ id }: { id: string }) => id);
  assert.equal(idsOf(await get(rig, `?search=${encodeURIComponent('гал')}`)), ['i1', 'i3', 'i5']);
  assert.equal(idsOf(await get(rig, `?search=${encodeURIComponent('груШИ')}&plu=0`)), ['i0', 'i6']);
  assert.equal(idsOf(await get(rig, '?code=i2')), ['i2'], 'a whole id');
  assert.equal(idsOf(await get(rig, '?code=2')), ['i2', 'i5'], 'a whole PLU');
  assert.equal(idsOf(await get(rig, '?code=i')), [], 'no part of one');
  assert.equal(idsOf(await get(rig, '?search=%25')), [], 'a sign of LIKE is a letter');
  const pages: string[][] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await get(rig, `?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`);
    pages.push(idsOf(page));
    cursor = page.body.cursor;
  }
  assert.equal(pages, [['i0', 'i1', 'i2'], ['i3', 'i4', 'i5'], ['i6']]);
  const named = ['Мёд', 'МЕД', 'СВЁКЛА', 'Све\u0308кла'].map((name, at) => ({ id: `x${at}`, name }));
  await putAll(rig, { items: named });
  for (const [words, found] of Object.entries({ мед: 'x0,x1', мёд: 'x0,x1', Свекла: 'x2,x3', свЁкла: 'x2,x3' }))
    assert.is(idsOf(await get(rig, `?search=${encodeURIComponent(words)}`)).join(), found, words);
});

it('a deletion leaves what was learned, and says so; or takes it along where that is asked for', async (rig) => {
  await rig.learn('4011', await picture(1));
  await rig.learn('4011', await picture(1, 1));
  await send(rig, 'PUT', '/4011', BANANAS);
  assert.is((await get(rig, '/4011')).body.templates, 2);
  assert.equal((await send(rig, 'DELETE', '/4011')).body, { id: '4011', templates: { kept: 2, deleted: 0 } });
  assert.equal((await rig.get('/api/get_item_list')).body.data, [{ id: '4011', count: 2 }]);
  await send(rig, 'PUT', '/4011', BANANAS);
  const gone = await send(rig, 'DELETE', '/4011?templates=delete');
  assert.equal(gone.body, { id: '4011', templates: { kept: 0, deleted: 2 } });
  assert.equal((await rig.get('/api/get_item_list')).body.data, []);
  await send(rig, 'PUT', '/4011', BANANAS);
  assert.equal((await send(rig, 'DELETE', '/4011?templates=delete')).body.templates, { kept: 0, deleted: 0 });
  assert.equal(problem(await send(rig, 'DELETE', '/4011?templates=all')), [400, 'RequestParams.InvalidField']);
});

it('an item is shown by its own picture, else by its first learned one, as among candidates', async (rig) => {
  for (const side of [0, 1]) await rig.learn('4011', await picture(1, side));
  await send(rig, 'PUT', '/4011', BANANAS);
  const [first] = rig.recognition.templates.reader.sidsOf('4011');
  const learned = `/v1/items/4011/templates/${first}/picture`;
  const shown = async () => [
    (await get(rig, '/4011')).body.picture,
    (await get(rig, '?plu=4011')).body.items[0].picture,
    (await rig.get('/v1/recognition')).body.candidates[0].picture,
  ];
  assert.equal(await shown(), [learned, learned, learned]);
  assert.is((await call(rig.url + learned)).status, 200);
  const own = '/v1/items/4011/picture';
  await putPicture(rig, '4011', await picture(1));
  assert.equal(await shown(), [own, own, own]);
  assert.is((await send(rig, 'PATCH', '/4011', { picture: null })).body.picture, learned);
});

it('a picture is made anew: small, upright, a JPEG without what a camera wrote beside it', async (rig) => {
  await send(rig, 'PUT', '/4011', BANANAS);
  assert.equal(problem(await get(rig, '/4011/picture')), [404, 'Items.NoPicture']);
  const wide = sharp({ create: { width: 1600, height: 800, channels: 3, background: '#963' } });
  const turned = await wide
    .withExif({ IFD0: { Copyright: 'somebody' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const put = await putPicture(rig, '4011', turned);
  assert.equal([put.status, put.body.picture], [200, '/v1/items/4011/picture']);
  const kept = await fetch(`${rig.url}/v1/items/4011/picture`);
  assert.is(kept.headers.get('content-type'), 'image/jpeg');
  const bytes = Buffer.from(await kept.arrayBuffer());
  const { width, height, exif, orientation } = await sharp(bytes).metadata();
  assert.equal(
    { width, height, exif, orientation },
    { width: 256, height: 512, exif: undefined, orientation: undefined },
  );
  assert.not.ok(bytes.includes('somebody'));
  const png = await sharp({ create: { width: 10, height: 20, channels: 4, background: '#0000' } })
    .png()
    .toBuffer();
  assert.is((await putPicture(rig, '4011', png, 'image/png')).status, 200);
  const small = Buffer.from(await (await fetch(`${rig.url}/v1/items/4011/picture`)).arrayBuffer());
  const { data } = await sharp(small).raw().toBuffer({ resolveWithObject: true });
  assert.ok((data[0] ?? 0) > 250, 'what is seen through is white');
  assert.is((await send(rig, 'PATCH', '/4011', { picture: null })).body.picture, null);
  assert.equal(problem(await get(rig, '/4011/picture')), [404, 'Items.NoPicture']);
});

it('what is no picture, or too large a one, is refused, and the one before stays', async (rig) => {
  await send(rig, 'PUT', '/4011', BANANAS);
  await putPicture(rig, '4011', await picture(1));
  const before = await (await fetch(`${rig.url}/v1/items/4011/picture`)).arrayBuffer();
  const whole = await picture(1);
  for (const bytes of [
    Buffer.from('no picture'),
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    whole.subarray(0, 900),
  ])
    assert.equal(problem(await putPicture(rig, '4011', bytes)), [422, 'Items.PictureUnusable']);
  const huge = await sharp({ create: { width: 5000, height: 5000, channels: 3, background: '#000' } })
    .png()
    .toBuffer();
  assert.equal(problem(await putPicture(rig, '4011', huge, 'image/png')), [422, 'Items.PictureUnusable']);
  assert.equal(problem(await putPicture(rig, '4'.repeat(65), whole)), [400, 'RequestParams.InvalidField']);
  assert.equal(problem(await putPicture(rig, '4011', whole, 'text/plain')), [
    415,
    'RequestParams.UnsupportedMediaType',
  ]);
  assert.equal(problem(await putPicture(rig, '4011', Buffer.alloc(4 * 1024 * 1024 + 1))), [
    413,
    'RequestParams.TooLarge',
  ]);
  const after = await (await fetch(`${rig.url}/v1/items/4011/picture`)).arrayBuffer();
  assert.equal(Buffer.from(after), Buffer.from(before));
});

it('a file is taken whole or not at all, and says which line is wrong', async (rig) => {
  const good = { id: 'a', name: 'A' };
  for (const [items, code] of [
    [[good, { id: '' }], 'RequestParams.InvalidField'],
    [[good, { id: 'b', price: '1' }], 'RequestParams.InvalidField'],
    [[good, { name: 'B' }], 'RequestParams.InvalidField'],
    [[good, { id: 'b', prise: 1 }], 'RequestParams.InvalidField'],
    [[good, good], 'Items.IllegalFile'],
  ] as const)
    assert.equal(problem(await putAll(rig, { items })), [400, code]);
  const misspelt = await putAll(rig, { items: [good, { id: 'b', prise: 1 }] });
  assert.is(misspelt.body.detail, 'items.1.prise is not known here; the nearest is price');
  for (const [text, line, field] of [
    [`id,name\na,${'x'.repeat(201)}\n`, 2, 'name'],
    ['id;name;plu;price\n70;x;;1\n\n;x;;1\n', 4, 'id'],
    ['id,price\na,1\nb,1.50\n', 3, 'price'],
    ['id,price\na,1\nb,100000001\n', 3, 'price'],
    ['id,plu\na,1\nb,"2\u0007"\n', 3, 'plu'],
  ] as const) {
    const { status, body } = await importCsv(rig, text);
    assert.equal(
      { status, code: body.code, line: body.line, field: body.field },
      { status: 400, code: 'Items.IllegalFile', line, field },
    );
    assert.match(body.detail, new RegExp(`^line ${line}: ${field} must `));
  }
  const twice = await importCsv(rig, 'id\na\nb\n\na\n');
  assert.equal([...problem(twice), twice.body.line, twice.body.item], [400, 'Items.IllegalFile', 5, 'a']);
  const refused = problem(await putAll(rig, 'id,name\na,A\n'));
  assert.equal(refused, [400, 'RequestParams.InvalidField'], 'a text of JSON is no CSV');
  const xml = { method: 'POST', headers: { 'content-type': 'text/xml' }, body: '<a/>' };
  assert.equal(problem(await call(`${rig.url}/v1/catalogue`, xml)), [415, 'RequestParams.UnsupportedMediaType']);
  assert.equal((await get(rig)).body.items, []);
});

it('ten thousand items go out and come in, as JSON and as CSV, and are the same', async (rig) => {
  const items = Array.from({ length: 10_000 }, (_, index) => ({
    id: String(index).padStart(5, '0'),
    name: `=СУММ "${index}"; яблоки, ${'x'.repeat(60)}`,
    plu: `p${index}`,
    price: index,
    barcodes: [`shelf ${index}`],
    pieceWeight: index === 0 ? null : index,
  }));
  const started = performance.now();
  assert.equal((await putAll(rig, { items })).body, { created: 10_000, updated: 0 });
  const json = await rig.get('/v1/catalogue');
  const csv = await rig.get('/v1/catalogue?format=csv');
  assert.equal(json.body, { items });
  assert.match(csv.headers.get('content-type') ?? '', /^text\/csv/);
  assert.equal((await importCsv(rig, csv.text)).body, { created: 0, updated: 10_000 });
  assert.equal((await rig.get('/v1/catalogue')).body, { items });
  process.stdout.write(`  10,000 items in and out twice: ${Math.round(performance.now() - started)} ms\n`);
  const tooMany = [...items, { ...items[0], id: 'x' }];
  assert.equal(problem(await putAll(rig, { items: tooMany })), [400, 'RequestParams.InvalidField']);
});

test('an item is durable, and a damaged file is set aside and reported, while templates go on', async () => {
  using folder = temporaryFolder();
  {
    await using rig = await startRig({ folder: folder.path });
    await rig.learn('4011', await picture(1));
    await send(rig, 'PUT', '/4011', BANANAS);
  }
  {
    await using rig = await startRig({ folder: folder.path });
    assert.is((await get(rig, '/4011')).body.name, 'Бананы');
  }
  writeFileSync(join(folder.path, 'items.db'), Buffer.alloc(8192, 7));
  await using rig = await startRig({ folder: folder.path });
  const { state, reason } = await rig.part('items');
  assert.is(state, 'degraded');
  assert.match(reason, /items\.db\.damaged-/);
  assert.equal(problem(await get(rig, '/4011')), [404, 'Items.NotFound']);
  assert.equal((await rig.get('/api/get_item_list')).body.data, [{ id: '4011', count: 1 }]);
});

test('damage met while the device runs is reported for the right file, by call and by /health', async () => {
  using folder = temporaryFolder();
  await using rig = await startRig({ folder: folder.path });
  await send(rig, 'PUT', '/4011', BANANAS);
  writeFileSync(join(folder.path, 'items.db'), Buffer.alloc(65_536, 7));
  truncateSync(join(folder.path, 'items.db-wal'));
  const refused = await putAll(rig, { items: [{ id: '4012' }] });
  assert.equal(problem(refused), [500, 'Internal.StorageRefused']);
  assert.match(refused.body.detail, /^items\.db is damaged: restart/);
  const { state, reasons } = await rig.part('items');
  assert.equal([state, reasons.map(({ code }: { code: string }) => code)], ['failed', ['items-damaged']]);
});

test.run();
