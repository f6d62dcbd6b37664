/** Export and import through HTTP: whole or not at all, whatever the file is. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fromBufferPromise } from 'yauzl';
import { ZipFile } from 'yazl';
import { checkPackage } from '../../firmware/recognition/packages/check-package.ts';
import { OpenPackage, PackageError } from '../../firmware/recognition/packages/open-package.ts';
import { temporaryFolder, until } from '../support.ts';
import { FakeModel, picture, type Rig, startRig } from './support.ts';

const packages = suite('packages');

type Parts = Map<string, Buffer>;

async function unzip(zip: Buffer): Promise<Parts> {
  const parts: Parts = new Map();
  const file = await fromBufferPromise(zip);
  for await (const entry of file.eachEntry()) {
    parts.set(entry.fileName, await buffer(await file.openReadStreamPromise(entry)));
  }
  return parts;
}

async function zipOf(parts: Iterable<readonly [string, Buffer]>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, bytes] of parts) zip.addBuffer(bytes, name);
  zip.end();
  return await buffer(zip.outputStream);
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** A package whose checksums fit what was made of its parts: only the contents can be found fault with. */
async function repack(parts: Parts, change: (parts: Parts, lines: Record<string, unknown>[]) => void): Promise<Buffer> {
  const lines = String(parts.get('templates.jsonl')).trim().split('\n').filter(Boolean);
  const templates: Record<string, unknown>[] = lines.map((line) => JSON.parse(line));
  change(parts, templates);
  const text = Buffer.from(templates.map((template) => `${JSON.stringify(template)}\n`).join(''));
  parts.set('templates.jsonl', text);
  const vectors = parts.get('vectors.f32') ?? Buffer.alloc(0);
  const manifest = JSON.parse(String(parts.get('manifest.json')));
  manifest.count = templates.length;
  manifest.parts = {
    'templates.jsonl': { bytes: text.length, sha256: sha256(text) },
    'vectors.f32': { bytes: vectors.length, sha256: sha256(vectors) },
  };
  const bytes = Buffer.from(JSON.stringify(manifest));
  parts.set('manifest.json', bytes);
  parts.set('manifest.sha256', Buffer.from(sha256(bytes)));
  return await zipOf(parts);
}

async function learnSome(rig: Rig, items = 3, each = 2): Promise<void> {
  for (let item = 0; item < items; item++) {
    for (let variant = 0; variant < each; variant++) await rig.learn(`item${item}`, await picture(item, variant));
  }
}

/** A package of three items with two templates each, of another device. */
async function samplePackage(): Promise<Buffer> {
  await using rig = await startRig({ serial: 'OTHER001' });
  await learnSome(rig);
  return await rig.exportPackage();
}

const sample = await samplePackage();
const sampleParts = (): Promise<Parts> => unzip(sample);

async function everything(rig: Rig) {
  const { body } = await rig.get('/api/get_item_list');
  const sids = body.data.map(({ id }: { id: string }) => rig.recognition.templates.sidsOf(id));
  return { items: body.data, sids };
}

/** Sends the file to a device that has templates, and sees that the refusal changed nothing. */
async function refuses(rig: Rig, zip: Buffer, what: string, why?: RegExp): Promise<void> {
  const before = await everything(rig);
  const { status, msg } = await rig.importPackage(zip);
  assert.ok(status === 7 || status === 5, `${what}: status ${status}, ${msg}`);
  if (why !== undefined) assert.match(msg, why, what);
  assert.equal(await everything(rig), before, what);
}

packages('nothing was exported or imported on a new device', async () => {
  await using rig = await startRig();
  assert.equal((await rig.get('/api/export_template_status')).body, {
    code: 0,
    status: 0,
    msg: 'no export has been started',
  });
  assert.is((await rig.get('/api/import_template_status')).body.status, 0);
});

packages('a package brings every template with picture, vector and identifier to another device', async () => {
  await using source = await startRig({ serial: 'SOURCE01' });
  await learnSome(source);
  const zip = await source.exportPackage();
  await using target = await startRig({ serial: 'TARGET01' });
  const { status, msg } = await target.importPackage(zip);
  assert.is(status, 4, msg);
  assert.equal(await everything(target), await everything(source));
  const [sid = ''] = source.recognition.templates.sidsOf('item1');
  const ask = { id: 'item1', sid };
  assert.equal(
    (await target.post('/api/get_template_image', ask)).body,
    (await source.post('/api/get_template_image', ask)).body,
  );
  for (const rig of [source, target]) await rig.show(await picture(1, 5));
  const [one, other] = [await source.get('/api/get_result'), await target.get('/api/get_result')];
  assert.equal(one.body.data.items, other.body.data.items);
});

packages('the package is an ordinary zip of a manifest, lines, vectors and JPEGs with their checksums', async () => {
  const parts = await sampleParts();
  const crops = [...parts.keys()].filter((name) => name.startsWith('crops/'));
  assert.is(crops.length, 6);
  const lines = String(parts.get('templates.jsonl')).trim().split('\n');
  for (const [index, line] of lines.entries()) {
    const crop = parts.get(crops[index] ?? '') ?? Buffer.alloc(0);
    assert.is(JSON.parse(line).cropSha256, sha256(crop));
  }
  assert.is(JSON.parse(String(parts.get('manifest.json'))).serial, 'OTHER001');
});

packages('exports only the items that were asked for, and names the unknown ones', async () => {
  await using rig = await startRig();
  await learnSome(rig);
  const parts = await unzip(await rig.exportPackage(['item1', 'gone', 'item1']));
  const items = String(parts.get('templates.jsonl')).trim().split('\n');
  assert.ok(items.length === 2 && items.every((line) => JSON.parse(line).item === 'item1'));
  const { msg } = (await rig.get('/api/export_template_status')).body;
  assert.match(msg, /unknown items left out: gone/);
});

packages('an export of unknown items alone ends in 6', async () => {
  await using rig = await startRig();
  await learnSome(rig, 1);
  assert.is((await rig.post('/api/export_template', { ids: ['gone'] })).body.code, 0);
  const { status, filename } = (await rig.get('/api/export_template_status')).body;
  assert.is(status, 6);
  assert.is(filename, undefined);
});

packages('an empty list of ids is a wrong parameter; no body, an empty one and {} mean all items', async () => {
  await using rig = await startRig();
  await learnSome(rig, 2, 1);
  const empty = await rig.post('/api/export_template', { ids: [] });
  assert.is(empty.status, 400);
  assert.is(empty.body.code, -6213);
  const ways: RequestInit[] = [
    {},
    { headers: { 'content-type': 'application/json' }, body: '' },
    { headers: { 'content-type': 'application/json' }, body: '{}' },
    { headers: { 'content-type': 'text/plain' }, body: '' },
  ];
  for (const way of ways) {
    const response = await fetch(`${rig.url}/api/export_template`, { method: 'POST', ...way });
    assert.is(((await response.json()) as { code: number }).code, 0, JSON.stringify(way));
    const state = await until('the end', async () => {
      const { body } = await rig.get('/api/export_template_status');
      return body.status === 1 ? null : body;
    });
    assert.match(state.msg, /2 templates of 2 items/);
  }
});

packages('a second import of the same package adds nothing and says so', async () => {
  await using rig = await startRig();
  await rig.importPackage(sample);
  const before = await everything(rig);
  const { status, msg } = await rig.importPackage(sample);
  assert.is(status, 4);
  assert.match(msg, /0 templates imported, 6 were there already/);
  assert.equal(await everything(rig), before);
});

packages('an import fills items up to their limit, the oldest first, and says what it left out', async () => {
  await using rig = await startRig({ config: { maxTemplatesPerItem: 2 } });
  const own = await rig.learn('item0', await picture(0));
  const { status, msg } = await rig.importPackage(sample);
  assert.is(status, 4);
  assert.match(msg, /5 templates imported, 1 were left out/);
  const lines = String((await sampleParts()).get('templates.jsonl')).split('\n');
  const oldest = JSON.parse(lines[0] ?? '').sid;
  assert.equal(rig.recognition.templates.sidsOf('item0').toSorted(), [oldest, own].toSorted());
});

packages('the order of the lines does not decide which templates find room', async () => {
  const reversed = await repack(await sampleParts(), (parts, lines) => {
    const size = (parts.get('vectors.f32')?.length ?? 0) / lines.length;
    const vectors = parts.get('vectors.f32') ?? Buffer.alloc(0);
    const pieces = lines.map((_, index) => vectors.subarray(index * size, (index + 1) * size)).reverse();
    const crops = lines.map((_, index) => parts.get(`crops/00000${index}.jpg`) ?? Buffer.alloc(0)).reverse();
    for (const [index, crop] of crops.entries()) parts.set(`crops/00000${index}.jpg`, crop);
    parts.set('vectors.f32', Buffer.concat(pieces));
    lines.reverse();
  });
  const kept: unknown[] = [];
  for (const zip of [sample, reversed]) {
    await using rig = await startRig({ config: { maxTemplatesPerItem: 1 } });
    assert.is((await rig.importPackage(zip)).status, 4);
    kept.push(await everything(rig));
  }
  assert.equal(kept[0], kept[1]);
});

packages('templates of another model are embedded anew from their pictures, and recognised then', async () => {
  const other = new FakeModel('newer', 4);
  await using rig = await startRig({ model: other });
  const { status } = await rig.importPackage(sample);
  assert.is(status, 4);
  assert.is((await rig.get('/api/get_item_list')).body.data.length, 3);
  await until('re-embedding', () => rig.recognition.reembedding?.progress.left === 0);
  await using fresh = await startRig({ model: new FakeModel('newer', 4) });
  await learnSome(fresh);
  for (const device of [rig, fresh]) await device.show(await picture(2, 4));
  const [one, two] = [await rig.get('/api/get_result'), await fresh.get('/api/get_result')];
  assert.equal(one.body.data.items, two.body.data.items);
});

packages('what is no zip, cut short, empty or another zip is refused with 7', async () => {
  await using rig = await startRig();
  await learnSome(rig, 2, 1);
  const files: readonly (readonly [string, Buffer])[] = [
    ['empty', Buffer.alloc(0)],
    ['text', Buffer.from('<html>not a package</html>')],
    ['zeros', Buffer.alloc(5000)],
    ['other zip', await zipOf([['readme.txt', Buffer.from('hello')]])],
    ['zip of nothing', await zipOf([])],
    ...[0.1, 0.5, 0.9, 0.99].map(
      (share) => [`cut at ${share}`, sample.subarray(0, Math.floor(sample.length * share))] as const,
    ),
    ['one byte short', sample.subarray(0, -1)],
  ];
  for (const [what, file] of files) {
    const before = await everything(rig);
    assert.is((await rig.importPackage(file)).status, 7, what);
    assert.equal(await everything(rig), before, what);
  }
});

packages('names that lead elsewhere, duplicates and parts of no package are refused', async () => {
  await using rig = await startRig();
  await learnSome(rig, 1, 1);
  const parts = [...(await sampleParts())];
  const hostile = ['..evil/x.jpg', 'crops/000000.jpg/', 'crops/0.jpg', '__proto__', 'CON', 'Crops/000000.jpg'];
  for (const name of hostile.filter((each) => !each.endsWith('/'))) {
    await refuses(rig, await zipOf([...parts, [name, Buffer.from('x')]]), name, /no part of one/);
  }
  const [crop] = parts.filter(([name]) => name === 'crops/000000.jpg');
  if (crop === undefined) throw new Error('the sample has no crop');
  await refuses(rig, await zipOf([...parts, crop]), 'duplicate', /twice/);
  // yazl refuses to write them, so the names are put into a finished zip, in both places where they stand
  for (const name of ['../../../a.txt', '/etc/passwd0001', 'C:/windows/a.jpg', 'crops\\000000.jpg']) {
    const harmless = 'x'.repeat(name.length);
    const zip = await zipOf([...parts, [harmless, Buffer.from('x')]]);
    for (let at = zip.indexOf(harmless); at >= 0; at = zip.indexOf(harmless)) zip.write(name, at, 'latin1');
    await refuses(rig, zip, name);
  }
});

packages('bombs are refused by what they declare, and by what they really unpack to', async () => {
  await using rig = await startRig({ config: { packageMb: 1 } });
  await learnSome(rig, 1, 1);
  const zeros = Buffer.alloc(3 * 1024 * 1024);
  const declared = await repack(await sampleParts(), (parts) => parts.set('vectors.f32', zeros));
  assert.ok(declared.length < 1024 * 1024);
  await refuses(rig, declared, 'declared', /unpacks to more than/);
  const [first = Buffer.alloc(0)] = [(await sampleParts()).get('crops/000000.jpg')];
  const large = await repack(await sampleParts(), (parts) =>
    parts.set('crops/000000.jpg', Buffer.concat([first, zeros.subarray(0, 600_000)])),
  );
  await refuses(rig, large, 'large crop', /larger than it may be/);
  // the table of contents says that the vectors are small; they are not
  const lying = await repack(await sampleParts(), (parts) => parts.set('vectors.f32', zeros));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(zeros.length);
  for (let at = lying.indexOf(size); at >= 0; at = lying.indexOf(size)) lying.writeUInt32LE(1000, at);
  await refuses(rig, lying, 'lying about its size');
});

packages('contents that do not fit are refused even where every checksum fits', async () => {
  await using rig = await startRig();
  await learnSome(rig, 1, 1);
  const cases: readonly [string, (parts: Parts, lines: Record<string, unknown>[]) => void][] = [
    ['id with a control character', (_, lines) => Object.assign(lines[0] ?? {}, { item: 'a\u0007' })],
    ['empty id', (_, lines) => Object.assign(lines[0] ?? {}, { item: '' })],
    ['id of 65', (_, lines) => Object.assign(lines[0] ?? {}, { item: 'x'.repeat(65) })],
    ['half a character', (_, lines) => Object.assign(lines[0] ?? {}, { item: 'a\ud800' })],
    ['sid of letters', (_, lines) => Object.assign(lines[0] ?? {}, { sid: 'center' })],
    ['same key twice', (_, lines) => Object.assign(lines[0] ?? {}, { sid: lines[1]?.sid })],
    ['wrong dimension', (_, lines) => Object.assign(lines[0] ?? {}, { dimension: 1 })],
    ['missing line', (_, lines) => lines.pop()],
    ['vector of zeros', (parts) => parts.get('vectors.f32')?.fill(0, 0, 768)],
    ['vector not finite', (parts) => parts.get('vectors.f32')?.writeFloatLE(Number.NaN, 0)],
    ['missing crop', (parts) => parts.delete('crops/000003.jpg')],
    ['missing vectors', (parts) => parts.delete('vectors.f32')],
    [
      'crop that is no JPEG',
      (parts, lines) => {
        const text = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
        parts.set('crops/000000.jpg', text);
        Object.assign(lines[0] ?? {}, { cropBytes: text.length, cropSha256: sha256(text) });
      },
    ],
  ];
  for (const [what, change] of cases) await refuses(rig, await repack(await sampleParts(), change), what);
});

packages('a package of another format or a newer version is refused with a sentence', async () => {
  await using rig = await startRig();
  for (const change of [{ version: 2 }, { format: 'something' }]) {
    const parts = await sampleParts();
    const manifest = Buffer.from(JSON.stringify({ ...JSON.parse(String(parts.get('manifest.json'))), ...change }));
    parts.set('manifest.json', manifest).set('manifest.sha256', Buffer.from(sha256(manifest)));
    await refuses(rig, await zipOf(parts), JSON.stringify(change), /manifest.json: (version|format)/);
  }
});

packages('a flipped bit is refused, or changes nothing of what would be imported', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'flipped.zip');
  /** Everything that the import would take from a file; null where the file is refused. */
  const contents = async (zip: Buffer): Promise<string | null> => {
    writeFileSync(path, zip);
    let parts: OpenPackage | null = null;
    try {
      parts = await OpenPackage.open(path, 10 * 1024 * 1024);
      const { lines } = await checkPackage(parts, () => undefined);
      const crops = await Promise.all(lines.map((_, index) => parts?.crop(index)));
      return JSON.stringify([lines, await parts.read('vectors.f32'), crops]);
    } catch (error) {
      if (error instanceof PackageError) return null;
      throw error;
    } finally {
      parts?.close();
    }
  };
  const wanted = await contents(sample);
  assert.ok(wanted !== null);
  let refused = 0;
  const place = fc.nat(sample.length - 1);
  // the ends of a zip decide most: they are looked at as often as the long middle
  const end = fc.integer({ min: sample.length - 900, max: sample.length - 1 });
  await fc.assert(
    fc.asyncProperty(fc.oneof(place, end), fc.nat(7), async (at, bit) => {
      const flipped = Buffer.from(sample);
      flipped[at] = (flipped[at] ?? 0) ^ (1 << bit);
      const found = await contents(flipped);
      if (found === null) refused += 1;
      else assert.is(found, wanted, `byte ${at}, bit ${bit}`);
    }),
    { numRuns: 400 },
  );
  assert.ok(refused > 100, `only ${refused} of 400 were refused`);
});

packages('one task at a time: a second export or import is -6305 while one runs', async () => {
  await using rig = await startRig();
  await learnSome(rig);
  // an import whose upload has not ended holds the place
  const slot = rig.recognition.tasks.reserveImport();
  for (const answer of [await rig.post('/api/export_template'), await rig.upload(sample)]) {
    assert.is(answer.status, 200);
    assert.is(answer.body.code, -6305);
  }
  slot.release();
  assert.is((await rig.importPackage(sample)).status, 4);
});

packages('the status has changed when the call is answered', async () => {
  await using rig = await startRig();
  await learnSome(rig);
  await rig.post('/api/export_template');
  assert.is.not((await rig.get('/api/export_template_status')).body.status, 0);
  await until('the export', async () => (await rig.get('/api/export_template_status')).body.status === 3);
  await rig.upload(sample);
  assert.is.not((await rig.get('/api/import_template_status')).body.status, 0);
  await until('the import', async () => (await rig.get('/api/import_template_status')).body.status === 4);
});

packages('the states of finished tasks survive a restart; one that was running then has failed', async () => {
  using folder = temporaryFolder();
  {
    await using rig = await startRig({ folder: folder.path });
    await learnSome(rig);
    await rig.exportPackage();
    await rig.importPackage(Buffer.from('nonsense'));
  }
  {
    await using rig = await startRig({ folder: folder.path });
    const { status, filename } = (await rig.get('/api/export_template_status')).body;
    assert.is(status, 3);
    assert.is((await rig.get(`/download/${filename}`)).status, 200);
    assert.is((await rig.get('/api/import_template_status')).body.status, 7);
    // closed while the import runs
    await rig.upload(sample);
  }
  await using rig = await startRig({ folder: folder.path });
  const { status, msg } = (await rig.get('/api/import_template_status')).body;
  assert.ok(status === 4 || (status === 5 && /restarted/.test(msg)), `${status} ${msg}`);
  assert.is((await everything(rig)).items.length, 3);
});

packages('a form without the file, with another field or with two files is a wrong parameter', async () => {
  await using rig = await startRig();
  const empty = new FormData();
  empty.append('other', 'text');
  const twice = new FormData();
  for (const name of ['a.zip', 'b.zip']) twice.append('file', new Blob([new Uint8Array(sample)]), name);
  for (const body of [empty, twice]) {
    const answer = await fetch(`${rig.url}/api/import_template`, { method: 'POST', body });
    assert.is(answer.status, 400);
    assert.is(((await answer.json()) as { code: number }).code, -6213);
  }
  const other = await rig.upload(sample, 'package');
  assert.is(other.status, 400);
  const json = await rig.post('/api/import_template', { file: 'x' });
  assert.is(json.status, 415);
  assert.is(json.body.code, -6213);
  assert.is((await rig.get('/api/import_template_status')).body.status, 0);
  assert.is((await rig.importPackage(sample)).status, 4);
});

packages(
  'a package over the limit is 413 and never becomes a task, though it would be cut to a whole one',
  async () => {
    await using rig = await startRig({ config: { packageMb: 1 } });
    const { status, body } = await rig.upload(Buffer.concat([sample, Buffer.alloc(1024 * 1024)]));
    assert.is(status, 413);
    assert.is(body.code, -6213);
    assert.is((await rig.get('/api/import_template_status')).body.status, 0);
  },
);

packages('an upload that breaks off leaves the device ready for the next one', async () => {
  await using rig = await startRig();
  const broken = new AbortController();
  const boundary = 'b0undary';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.zip"\r\n\r\n`;
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(Buffer.from(head + 'x'.repeat(1000))),
  });
  const sending = fetch(`${rig.url}/api/import_template`, {
    ...{ method: 'POST', body, duplex: 'half', signal: broken.signal },
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  }).catch(() => null);
  await until('the upload', async () => (await rig.post('/api/export_template')).body.code === -6305);
  broken.abort();
  await sending;
  await until('the place', async () => (await rig.post('/api/export_template')).body.code === 0);
  await until('the export', async () => (await rig.get('/api/export_template_status')).body.status === 3);
  assert.is((await rig.importPackage(sample)).status, 4);
});

packages('download serves packages and nothing else', async () => {
  await using rig = await startRig();
  await learnSome(rig, 1, 1);
  await rig.exportPackage();
  const { filename } = (await rig.get('/api/export_template_status')).body;
  const found = await rig.get(`/download/${filename}`);
  assert.is(found.headers.get('content-type'), 'application/zip');
  assert.is(found.headers.get('content-disposition'), `attachment; filename="${filename}"`);
  const wrong = [
    'templates.db',
    '..%2ftemplates.db',
    '%2e%2e%2ftemplates.db',
    '..%5ctemplates.db',
    `${filename}.part`,
    `x${filename}`,
    '%00',
    'templates-%00.zip',
    'templates-..zip',
  ];
  for (const name of wrong) {
    const { status, body } = await rig.get(`/download/${name}`);
    assert.is(status, 404, name);
    assert.is(body.code, -6202, name);
  }
  assert.is((await rig.get('/download/a/b')).body.code, -6117);
});

packages('old packages make room for new ones, and one that does not fit ends in 6', async () => {
  await using rig = await startRig({ config: { downloadsMb: 1, maxTemplatesPerItem: 1000 } });
  await rig.show(await picture(1));
  await rig.post('/api/add_item_template', { id: 'a' });
  const names: string[] = [];
  const { crop } = await rig.recognition.recogniser.capture();
  const perPackage = Math.ceil(400_000 / crop.length);
  const add = { model: 'other@1#0', vector: Float32Array.of(1), crop };
  for (let count = 0; count < perPackage; count++) await rig.recognition.templates.add({ item: 'a', ...add });
  for (let round = 0; round < 3; round++) {
    await rig.exportPackage();
    names.push((await rig.get('/api/export_template_status')).body.filename);
  }
  assert.is((await rig.get(`/download/${names[0]}`)).status, 404);
  assert.is((await rig.get(`/download/${names[2]}`)).status, 200);
  for (let count = 0; count < perPackage; count++) await rig.recognition.templates.add({ item: 'b', ...add });
  await rig.post('/api/export_template');
  const state = await until('the end', async () => {
    const { body } = await rig.get('/api/export_template_status');
    return body.status === 1 ? null : body;
  });
  assert.is(state.status, 6);
  assert.match(state.msg, /larger than the room/);
});

packages('a picture that the card has damaged ends the export in 6, naming the template', async () => {
  using folder = temporaryFolder();
  let sid = '';
  {
    await using rig = await startRig({ folder: folder.path });
    sid = await rig.learn('7', await picture(1));
  }
  const { DatabaseSync } = await import('node:sqlite');
  const db = new DatabaseSync(`${folder.path}/templates.db`);
  db.exec("UPDATE crops SET jpeg = x'ffd8ff00'");
  db.close();
  await using rig = await startRig({ folder: folder.path });
  await rig.post('/api/export_template');
  const { msg } = await until('the end', async () => {
    const { body } = await rig.get('/api/export_template_status');
    return body.status === 6 ? body : null;
  });
  assert.match(msg, new RegExp(sid));
});

packages.run();
