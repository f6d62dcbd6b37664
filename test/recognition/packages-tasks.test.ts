/** Exports and imports as tasks: one at a time, with honest states, within their room. */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { raw } from '../http/raw.ts';
import { temporaryFolder, until } from '../support.ts';
import { everything, learnSome, samplePackage } from './packages-support.ts';
import { picture, type Rig, startRig } from './support.ts';

const packages = suite('package tasks');
const sample = await samplePackage();

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

packages('a download that was cut off goes on where it ended; what lies beyond the file is refused', async () => {
  await using rig = await startRig();
  await learnSome(rig);
  const whole = await rig.exportPackage();
  const { filename } = (await rig.get('/api/export_template_status')).body;
  const fetched = async (headers: Record<string, string>, method = 'GET') => {
    const answer = await fetch(`${rig.url}/download/${filename}`, { method, headers });
    return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
  };
  const size = whole.length;
  for (const [range, from, to] of [
    ['bytes=0-9', 0, 10],
    [`bytes=${size - 5}-`, size - 5, size],
    ['bytes=-7', size - 7, size],
    [`bytes=${size - 3}-999999999`, size - 3, size],
  ] as const) {
    const { answer, bytes } = await fetched({ range });
    const { headers } = answer;
    assert.equal([answer.status, headers.get('content-length')], [206, String(to - from)], range);
    assert.is(headers.get('content-range'), `bytes ${from}-${to - 1}/${size}`);
    assert.equal(bytes, whole.subarray(from, to), range);
  }
  for (const headers of [
    {},
    { range: 'bytes=0-1,5-9' },
    { range: 'items=0-1' },
    { range: 'nonsense' },
    { range: 'bytes=0-1', 'if-range': '"another"' },
  ]) {
    const { answer, bytes } = await fetched(headers);
    assert.equal([answer.status, answer.headers.get('accept-ranges')], [200, 'bytes'], JSON.stringify(headers));
    assert.equal(bytes, whole);
  }
  const beyond = await fetched({ range: `bytes=${size}-` });
  assert.equal([beyond.answer.status, beyond.answer.headers.get('content-range')], [416, `bytes */${size}`]);
  const { code, msg } = JSON.parse(beyond.bytes.toString());
  assert.is(code, -6213);
  assert.match(msg, `Range: the package has ${size} bytes`);
  const head = await fetched({ range: 'bytes=0-9' }, 'HEAD');
  assert.equal([head.answer.headers.get('accept-ranges'), head.bytes.length], ['bytes', 0]);
});

packages('an export of as many items as it may name, with ids as long as they may be', async () => {
  await using rig = await startRig();
  await learnSome(rig, 1, 1);
  const ids = Array.from({ length: 10_000 }, (_, index) => `${'€'.repeat(59)}${String(index).padStart(5, '0')}`);
  const { status, body } = await rig.post('/api/export_template', { ids: ['item0', ...ids.slice(1)] });
  assert.is(status, 200);
  assert.is(body.code, 0);
  const { msg } = await until('the export', async () => {
    const { body: state } = await rig.get('/api/export_template_status');
    return state.status === 3 ? state : null;
  });
  assert.match(msg, /1 templates of 1 items; unknown items left out: €/);
  assert.match(msg, / and 9979 more$/);
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

const BOUNDARY = 'b0undary';
const HEAD = Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.zip"\r\n\r\n`);
const TAIL = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);

/** Uploads chunk by chunk, one each 100 ms; `whole` or without an end. */
async function send(rig: Rig, chunks: readonly Uint8Array[], whole: boolean) {
  const pending = [HEAD, ...chunks, ...(whole ? [TAIL] : [])];
  const body = new ReadableStream({
    async pull(controller) {
      const chunk = pending.shift();
      await pause(100);
      if (chunk !== undefined) controller.enqueue(chunk);
      else if (whole) controller.close();
      else await new Promise(() => undefined);
    },
  });
  const answer = await fetch(`${rig.url}/api/import_template`, {
    method: 'POST',
    body,
    duplex: 'half',
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  });
  return { status: answer.status, body: (await answer.json()) as { code: number; msg: string } };
}

const pieces = (count: number): Uint8Array[] => {
  const step = Math.ceil(sample.length / count);
  return Array.from({ length: count }, (_, index) => sample.subarray(index * step, (index + 1) * step));
};
/** A byte at a time, for a long while. */
const drops = Array.from({ length: 600 }, () => Buffer.from('x'));

packages('an upload may take as long as it goes on; one that stops is 408, and its place is free again', async () => {
  await using rig = await startRig({ uploadRate: { sampleMs: 100, samples: 3, leastBytes: 1, fairBytes: 0 } });
  const stopped = await send(rig, pieces(9).slice(0, 2), false);
  assert.is(stopped.status, 408);
  assert.is(stopped.body.code, -6213);
  // three times the limit in all
  const slow = await send(rig, pieces(9), true);
  assert.is(slow.status, 200);
  await until('the import', async () => (await rig.get('/api/import_template_status')).body.status === 4);
});

packages('one that only drips is given up though it goes on', async () => {
  await using rig = await startRig({ uploadRate: { sampleMs: 100, samples: 5, leastBytes: 1000, fairBytes: 0 } });
  const { status, body } = await send(rig, drops, true);
  assert.is(status, 408);
  assert.match(body.msg, /received in 0\.5 s, at least 1000 must be/);
  assert.is((await rig.importPackage(sample)).status, 4);
});

packages('one that drips makes room for a good upload beside it, and for an export', async () => {
  await using rig = await startRig({ uploadRate: { sampleMs: 100, samples: 1000, leastBytes: 1, fairBytes: 1000 } });
  await learnSome(rig);
  const dripping = send(rig, drops, true);
  await until('the dripping one has begun', () => readdirSync(join(rig.folder, 'incoming')).length > 0);
  await until('the good upload', async () => (await rig.upload(sample)).body.code === 0);
  const { status, body } = await dripping;
  assert.is(status, 408);
  assert.match(body.msg, /another task took its place/);
  await until('the import', async () => (await rig.get('/api/import_template_status')).body.status === 4);
  const again = send(rig, drops, true);
  await until('the dripping one has begun', () => readdirSync(join(rig.folder, 'incoming')).length > 0);
  await until('the export', async () => (await rig.post('/api/export_template')).body.code === 0);
  assert.is((await again).status, 408);
  await until('the package', async () => (await rig.get('/api/export_template_status')).body.status === 3);
});

packages('a good upload keeps its place, whoever comes', async () => {
  await using rig = await startRig({ uploadRate: { sampleMs: 400, samples: 1000, leastBytes: 1, fairBytes: 20 } });
  const good = send(rig, pieces(20), true);
  await until('it has begun', () => readdirSync(join(rig.folder, 'incoming')).length > 0);
  for (let n = 0; n < 10; n += 1) {
    assert.is((await rig.upload(sample)).body.code, -6305);
    await pause(120);
  }
  assert.is((await good).body.code, 0);
  await until('the import', async () => (await rig.get('/api/import_template_status')).body.status === 4);
});

packages('fields beside the file are passed over, a hundred of them', async () => {
  await using rig = await startRig();
  const send = async (fields: number) => {
    const form = new FormData();
    for (let field = 0; field < fields; field++) form.append(`field${field}`, 'text');
    form.append('file', new Blob([new Uint8Array(sample)]), 'a.zip');
    return fetch(`${rig.url}/api/import_template`, { method: 'POST', body: form });
  };
  const crowded = await send(101);
  assert.is(crowded.status, 400);
  assert.match(((await crowded.json()) as { msg: string }).msg, /at most 100 fields/);
  assert.is((await send(99)).status, 200);
});

packages('what is wrong with a form is told before that another import runs', async () => {
  await using rig = await startRig();
  const slot = rig.recognition.tasks.reserveImport();
  const form = new FormData();
  form.append('other', 'text');
  const answer = await fetch(`${rig.url}/api/import_template`, { method: 'POST', body: form });
  assert.is(answer.status, 400);
  slot.release();
});

packages('the rest of an upload that is refused is passed over, and its connection goes on', async () => {
  await using rig = await startRig();
  const slot = rig.recognition.tasks.reserveImport();
  const part = (name: string) => `--b\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`;
  const bytes = 'x'.repeat(3_000_000);
  for (const [form, code] of [
    [`${part('a')}${bytes}\r\n--b--\r\n`, -6305],
    [`${part('a')}x\r\n${part('b')}${bytes}\r\n--b--\r\n`, -6213],
  ] as const) {
    if (code === -6213) slot.release();
    const head = `POST /api/import_template HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${form.length}\r\n\r\n`;
    const answer = await raw(
      rig.url,
      `${head}${form}GET /api/get_calib HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    );
    assert.match(answer, new RegExp(`"code":${code}.*"code":0`, 's'));
  }
});

packages('an upload that breaks off leaves the device ready for the next one', async () => {
  await using rig = await startRig();
  const broken = new AbortController();
  const boundary = 'b0undary';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.zip"\r\n\r\n`;
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(Buffer.from(head + 'x'.repeat(1000))),
  });
  const sending = fetch(`${rig.url}/api/import_template`, {
    method: 'POST',
    body,
    duplex: 'half',
    signal: broken.signal,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  }).catch(() => null);
  await until('the upload', async () => (await rig.post('/api/export_template')).body.code === -6305);
  broken.abort();
  await sending;
  await until('the place', async () => (await rig.post('/api/export_template')).body.code === 0);
  await until('the export', async () => (await rig.get('/api/export_template_status')).body.status === 3);
  assert.is((await rig.importPackage(sample)).status, 4);
});

packages('an upload that cannot be written is worded as every storage failure, and the next one is taken', async () => {
  await using rig = await startRig();
  const incoming = join(rig.folder, 'incoming');
  rmSync(incoming, { recursive: true });
  const { status, body } = await rig.upload(sample);
  assert.is(status, 200);
  assert.is(body.code, -6203, body.msg);
  mkdirSync(incoming);
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

packages('an import that fails gives its room back at once', async () => {
  const zip = await (async () => {
    await using other = await startRig({ serial: 'OTHER001', config: { maxTemplatesPerItem: 1000 } });
    await other.show(await picture(1));
    const capture = await other.recognition.recogniser.capture();
    const count = Math.ceil((2 * 1024 * 1024) / capture.crop.length);
    for (let at = 0; at < count; at++) await other.recognition.templates.add({ item: 'a', ...capture });
    return await other.exportPackage();
  })();
  await using rig = await startRig({ config: { storageMb: 1, maxTemplatesPerItem: 1000 } });
  const { status, msg } = await rig.importPackage(zip);
  assert.is(status, 5);
  assert.match(msg, /nothing was imported: the storage of the device is full/);
  await rig.show(await picture(1));
  await until('the room', async () => (await rig.post('/api/add_item_template', { id: 'b' })).body.code === 0);
  assert.equal((await rig.get('/api/get_item_list')).body.data, [{ id: 'b', count: 1 }]);
});

packages('what is cleared while an import is taken in is not recognised any more', async () => {
  const many = { config: { maxTemplatesPerItem: 1000 } };
  const zip = await (async () => {
    await using other = await startRig({ ...many, serial: 'OTHER001' });
    await other.show(await picture(1));
    const capture = await other.recognition.recogniser.capture();
    for (let count = 0; count < 250; count++) await other.recognition.templates.add({ item: 'old', ...capture });
    return await other.exportPackage();
  })();
  await using rig = await startRig(many);
  const { templates } = rig.recognition;
  const cleared: Promise<void>[] = [];
  templates.onChange(({ kind }) => {
    // in the middle: the rest of the batch is not in memory yet
    if (kind === 'added' && cleared.length === 0) cleared.push(templates.clear());
  });
  await rig.importPackage(zip);
  await Promise.all(cleared);
  await rig.show(await picture(1));
  const { items, verdict } = (await rig.get('/api/get_result')).body.data;
  assert.equal(items, []);
  assert.is(verdict.reason, 'no-templates');
});

packages('a picture that the card has damaged ends the export in 6, naming the template', async () => {
  using folder = temporaryFolder();
  let sid = '';
  {
    await using rig = await startRig({ folder: folder.path });
    sid = await rig.learn('7', await picture(1));
  }
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
