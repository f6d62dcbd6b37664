/** Uploads of packages: as fast as they must be, in the form that they must have, and what becomes of the others. */
import fs, { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HttpFailure } from '../../firmware/core/http/call/failure.ts';
import { type LeastRate, readUpload } from '../../firmware/core/http/transfer-rate.ts';
import { RecognitionError } from '../../firmware/recognition/model/recognition-error.ts';
import { TemplatesFile } from '../../firmware/recognition/templates/templates-database.ts';
import { raw } from '../http/raw.ts';
import { replaced } from '../replaced.ts';
import { call, each, until } from '../support.ts';
import { samplePackage } from './packages-support.ts';
import { onRig, type Rig, startRig } from './support.ts';

const rates = suite('how fast an upload must be');
const RATE: LeastRate = { sampleMs: 1000, samples: 3, leastBytes: 300 };

/** A body on its way, whose bytes come and whose samples are taken when a test says so. */
function incoming(read: () => Promise<unknown> = () => new Promise(() => undefined)) {
  const socket = { bytesRead: 1000 };
  const state = { complete: false, isWatched: false, isGivenBack: false };
  let look = (): void => undefined;
  const message = {
    socket,
    get complete() {
      return state.complete;
    },
    destroy: () => {
      state.isGivenBack = true;
    },
  };
  const header: Record<string, string> = {};
  let closed = (): void => undefined;
  const reply = {
    header: (name: string, value: string) => {
      header[name] = value;
    },
    raw: {
      once: (_: string, task: () => void) => {
        closed = task;
      },
    },
  };
  const done = readUpload({ raw: message } as never, reply as never, RATE, read, (_, task) => {
    state.isWatched = true;
    look = task;
    return () => {
      state.isWatched = false;
    };
  }).catch((error: unknown) => error);
  /** Takes samples, each after so many bytes. */
  const bring = (...pieces: readonly number[]): void => {
    for (const bytes of pieces) {
      socket.bytesRead += bytes;
      look();
    }
  };
  return { state, header, done, bring, hangUp: () => closed() };
}

rates('one may take as long as it goes on, and one that stops, or only drips, is given up', async () => {
  const { bring, done, state, header, hangUp } = incoming();
  bring(...Array.from({ length: 50 }, () => 100));
  assert.ok(state.isWatched, 'as much as it must bring');
  bring(99);
  const failure = await done;
  assert.instance(failure, HttpFailure);
  const said = [(failure as HttpFailure).kind, (failure as HttpFailure).message];
  assert.equal(said, ['timeout', 'only 299 bytes were received in 3 s, at least 300 must be']);
  assert.equal([state.isWatched, header.connection], [false, 'close']);
  hangUp();
  assert.ok(state.isGivenBack, 'what may still come belongs to no request');
});

rates('one has the time of all samples to begin with', () => {
  const { bring, state } = incoming();
  bring(0, 0, 300);
  assert.ok(state.isWatched);
});

rates('its own failure is reported as that', async () => {
  const failed = incoming(() => Promise.reject(new Error('no form')));
  assert.match(String(await failed.done), /no form/);
  assert.equal(failed.header, {}, 'its connection goes on');
});

rates.run();

const test = suite('uploads of packages');
const it = each(test, onRig);
const sample = await samplePackage();
const HEAD = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.zip"\r\n\r\n';
const incomingOf = (rig: Rig): string[] => readdirSync(join(rig.folder, 'incoming'));

/** An upload that begins, and then brings nothing more until `broken` is aborted. */
function stopping(rig: Rig) {
  const broken = new AbortController();
  const body = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from(HEAD + 'x'.repeat(1000))) });
  const sending = fetch(`${rig.url}/api/import_template`, {
    ...({ method: 'POST', body, duplex: 'half', signal: broken.signal } as const),
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  }).then(async (response) => ({
    status: response.status,
    body: (await response.json()) as { code: number; msg: string },
  }));
  sending.catch(() => undefined); // it may be broken off before it is waited for
  return { sending, broken };
}

async function begun(rig: Rig) {
  const upload = stopping(rig);
  await until('the upload has begun', () => incomingOf(rig).length > 0);
  return upload;
}

test('one that stops is 408, and its place is free again', async () => {
  await using rig = await startRig({ uploadRate: { sampleMs: 1, samples: 3, leastBytes: 1 } });
  const { status, body } = await stopping(rig).sending;
  assert.equal([status, body.code], [408, -6213]);
  await using quick = await startRig();
  assert.is((await quick.importPackage(sample)).status, 4);
});

test('one that comes well keeps its place against any other', async () => {
  await using rig = await startRig({ uploadRate: { sampleMs: 1e6, samples: 3, leastBytes: 1 } });
  const { sending, broken } = await begun(rig);
  for (const answer of [await rig.upload(sample), await rig.post('/api/export_template')])
    assert.is(answer.body.code, -6305);
  broken.abort();
  await sending.catch(() => undefined);
  await until('its place, once it has broken off', async () => (await rig.upload(sample)).body.code === 0);
  await until('the import', async () => (await rig.get('/api/import_template_status')).body.status === 4);
});

it('one that would take the last room is refused as it comes, with a length or in chunks', async (rig) => {
  const own = fs.statfsSync;
  const full = ((path: string) => ({ ...own(path), bsize: 4096, bavail: 16_000, bfree: 16_000 })) as typeof own;
  {
    using _ = replaced(fs, 'statfsSync', full);
    syncBuiltinESMExports();
    const { broken, sending } = stopping(rig);
    assert.equal([(await sending).body.code, (await rig.upload(sample)).body.code], [-6307, -6307]);
    broken.abort();
  }
  syncBuiltinESMExports();
  assert.equal(incomingOf(rig), []);
  assert.is((await rig.upload(sample)).body.code, 0);
});

it('a form without the file, with another field or with two files is a wrong parameter', async (rig) => {
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

test('a package over the limit is 413 and no task, though it would be cut to a whole one', async () => {
  await using rig = await startRig({ config: { packageMb: 1 } });
  const { status, body } = await rig.upload(Buffer.concat([sample, Buffer.alloc(1024 * 1024)]));
  assert.is(status, 413);
  assert.is(body.code, -6213);
  assert.is((await rig.get('/api/import_template_status')).body.status, 0);
});

it('a part `file` is the file, also where a program sends it without a file name', async (rig) => {
  for (const type of ['', 'content-type: application/zip\r\n']) {
    const head = `--b\r\ncontent-disposition: form-data; name="file"\r\n${type}\r\n`;
    const answer = await fetch(`${rig.url}/api/import_template`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body: Buffer.concat([Buffer.from(head), sample, Buffer.from('\r\n--b--\r\n')]),
    });
    assert.equal([answer.status, ((await answer.json()) as { code: number }).code], [200, 0]);
    await until('the import', async () => (await rig.get('/api/import_template_status')).body.status === 4);
  }
});

it('fields beside the file are passed over, a hundred of them', async (rig) => {
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

it('a wrong form is reported before another running import', async (rig) => {
  const slot = rig.recognition.tasks.reserveImport();
  const form = new FormData();
  form.append('other', 'text');
  const answer = await call(`${rig.url}/api/import_template`, { method: 'POST', body: form });
  assert.is(answer.status, 400);
  slot.release();
});

it('the rest of an upload that is refused is passed over, and its connection goes on', async (rig) => {
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

it('an upload that cannot be written is a storage failure in words, and the next is taken', async (rig) => {
  const incoming = join(rig.folder, 'incoming');
  rmSync(incoming, { recursive: true });
  const { status, body } = await rig.upload(sample);
  assert.is(status, 200);
  assert.is(body.code, -6203, body.msg);
  mkdirSync(incoming);
  assert.is((await rig.importPackage(sample)).status, 4);
});

it('an upload whose import cannot be noted leaves no file behind, and the next one is taken', async (rig) => {
  const full = () => Promise.reject(new RecognitionError('Internal.StorageFull', 'the disk is full'));
  {
    using _full = replaced(TemplatesFile.prototype, 'write', full);
    assert.is((await rig.upload(sample)).body.code, -6307);
  }
  assert.equal(incomingOf(rig), []);
  assert.is((await rig.importPackage(sample)).status, 4);
});

test.run();
