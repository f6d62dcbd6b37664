/** What synchronisation brings in: durable before it counts, even if the thread that writes it ends. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BUILD_TIME } from '../../drivers/lib/version.ts';
import { SystemClock } from '../../firmware/core/host/clock.ts';
import { RecognitionError } from '../../firmware/recognition/model/recognition-error.ts';
import type { WholeTemplate } from '../../firmware/recognition/model/template.ts';
import { TemplateExchange } from '../../firmware/recognition/templates/exchange.ts';
import { ExchangeWriter } from '../../firmware/recognition/templates/exchange-writer.ts';
import { Templates } from '../../firmware/recognition/templates/templates.ts';
import { TemplatesFile } from '../../firmware/recognition/templates/templates-database.ts';
import { temporaryFolder, until } from '../support.ts';

const test = suite('exchange of templates');

const FAULTY = new URL('./fixtures/faulty-writer.ts', import.meta.url);
const MODEL = 'fake@1#0123456789abcdef';
const VECTOR = new Float32Array([1, 0, 0]);

interface ShopOptions {
  readonly worker?: URL;
  readonly maxPages?: number;
  readonly max?: number;
  readonly idleMs?: number;
}

/** A device's templates with its exchange, and the added items that its listeners got. */
function openShop({ max = 30, maxPages = 100_000, worker, idleMs }: ShopOptions = {}) {
  const folder = temporaryFolder();
  const database = join(folder.path, 'templates.db');
  const file = new TemplatesFile(database, 400, Date.now());
  const { db } = file;
  const templates = new Templates(file, new SystemClock(BUILD_TIME), 'HERE', max);
  const added: string[] = [];
  templates.onChange((change) => {
    if (change.kind === 'added') added.push(...change.templates.map(({ item }) => item));
  });
  let received = 0;
  const onReceived = () => received++;
  const writer = new ExchangeWriter({ database, maxPages, maxTemplates: max }, worker, idleMs);
  const exchange = new TemplateExchange(templates, onReceived, writer);
  return {
    db,
    file,
    exchange,
    templates,
    added,
    received: () => received,
    held: () =>
      exchange
        .names()
        .map(({ item, sid }) => `${item}/${sid}`)
        .sort(),
    openGate: () => writeFileSync(`${database}.gate`, ''),
    [Symbol.asyncDispose]: async () => {
      await exchange.close();
      await file.close();
      folder[Symbol.dispose]();
    },
  };
}

const template = (item: string, sid: string, bytes = 5000) => templateOf(item, sid, new Uint8Array(bytes).fill(7));

function templateOf(item: string, sid: string, crop: Uint8Array): WholeTemplate {
  return {
    item,
    sid,
    origin: 'ELSEWHERE',
    createdAt: 1,
    model: MODEL,
    crop,
    vector: new Uint8Array(VECTOR.buffer.slice(0)),
    cropSha256: createHash('sha256').update(crop).digest(),
  };
}

const failureOf = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.catch((error: unknown) => error);
  return error instanceof RecognitionError ? error.codeName : String(error);
};

for (const fault of ['die', 'die before the commit']) {
  test(`a worker that is to ${fault} leaves nothing, and the next batch goes on`, async () => {
    await using shop = openShop({ worker: FAULTY });
    assert.is(
      await failureOf(shop.exchange.receive([template(fault, '1'), template('7', '1')])),
      'Internal.StorageRefused',
    );
    assert.equal(shop.held(), []);
    assert.equal(shop.added, []);
    // its transaction went with it: nothing waits for a lock
    shop.db.exec('PRAGMA busy_timeout = 0');
    await shop.templates.add({ item: '8', model: MODEL, vector: VECTOR, crop: new Uint8Array(9) });
    await shop.exchange.receive([template('7', '1')]);
    assert.equal(shop.added, ['8', '7']);
    assert.is(shop.received(), 1);
  });
}

test('a worker that dies between its commit and its answer fails the batch, which is durable', async () => {
  await using shop = openShop({ worker: FAULTY });
  const batch = [template('die after the commit', '1'), template('7', '2')];
  assert.is(await failureOf(shop.exchange.receive(batch)), 'Internal.StorageRefused');
  assert.equal(shop.held(), ['7/2', 'die after the commit/1']);
  await shop.exchange.receive([template('7', '2'), template('7', '3')]);
  assert.equal(shop.held(), ['7/2', '7/3', 'die after the commit/1']);
});

test('an unexpected failure crosses the thread as a typed error, and the worker goes on', async () => {
  await using shop = openShop({ worker: FAULTY });
  assert.is(await failureOf(shop.exchange.receive([template('throw', '1')])), 'Internal.UnexpectedError');
  assert.equal(shop.held(), []);
  await shop.exchange.receive([template('7', '1')]);
  assert.equal(shop.held(), ['7/1']);
});

test('a full storage is storageFull, nothing of its batch is there, and with room it goes on', async () => {
  await using shop = openShop({ maxPages: 200 });
  const many = Array.from({ length: 20 }, (_, index) => template('7', String(index), 100_000));
  assert.is(await failureOf(shop.exchange.receive(many)), 'Internal.StorageFull');
  assert.equal(shop.held(), []);
  assert.equal(shop.added, []);
  assert.is(shop.received(), 0);
  await shop.exchange.receive([template('7', '1', 100_000)]);
  assert.equal(shop.held(), ['7/1']);
});

test('a database that cannot be opened is fileWrite', async () => {
  await using shop = openShop();
  const writer = new ExchangeWriter({ database: '/nonexistent/templates.db', maxPages: 100, maxTemplates: 30 });
  const away = new TemplateExchange(shop.templates, () => undefined, writer);
  assert.is(await failureOf(away.receive([template('7', '1')])), 'Internal.StorageRefused');
  await away.close();
});

test('closing waits for the batch being written, which stays; later ones are refused', async () => {
  await using shop = openShop({ worker: FAULTY });
  const writing = shop.exchange.receive([template('gate', '1'), template('7', '2')]);
  const queued = failureOf(shop.exchange.receive([template('8', '1')]));
  await nextTurn();
  const closing = shop.exchange.close();
  shop.openGate();
  await closing;
  await writing;
  assert.is(await queued, 'Store.NotSynchronised');
  assert.equal(shop.added, ['gate', '7']);
  assert.equal(shop.held(), ['7/2', 'gate/1']);
});

test('while a batch is written others read what was there, and who writes waits for the turn', async () => {
  await using shop = openShop({ worker: FAULTY });
  shop.db.exec('PRAGMA busy_timeout = 0');
  const order: string[] = [];
  const writing = shop.exchange.receive([template('gate', '1')]).then(() => order.push('received'));
  const adding = shop.templates
    .add({ item: '8', model: MODEL, vector: VECTOR, crop: new Uint8Array(9) })
    .then(() => order.push('added'));
  await until('the worker has the lock', () => {
    try {
      shop.db.exec('BEGIN IMMEDIATE; ROLLBACK');
      return false;
    } catch {
      return true;
    }
  });
  assert.equal(shop.held(), []);
  assert.equal(order, []);
  shop.openGate();
  await Promise.all([writing, adding]);
  assert.equal(order, ['received', 'added']);
  assert.equal(shop.added, ['gate', '8']);
});

test('what is received is stored whole, reported once, and read again as it came', async () => {
  await using shop = openShop();
  const sent = template('7', '1');
  const copy = { ...sent, crop: sent.crop.slice() };
  await shop.exchange.receive([sent]);
  const read = shop.exchange.read(copy);
  const given = { ...read, vector: [...(read?.vector ?? [])], cropSha256: [...(read?.cropSha256 ?? [])] };
  assert.equal(given, { ...copy, vector: [...copy.vector], cropSha256: [...copy.cropSha256] });
  assert.equal(shop.added, ['7']);
  assert.is(sent.crop.length, 0, 'the crop was handed over');
  await shop.exchange.receive([copy]);
  assert.equal(shop.added, ['7']);
});

test('templates that are here, deleted for good or beyond what their item may have stay out', async () => {
  await using shop = openShop({ max: 2 });
  await shop.exchange.addTombstones([{ item: '7', origin: 'ELSEWHERE', sid: '1' }]);
  await shop.exchange.receive(['1', '2', '2', '3', '4'].map((sid) => template('7', sid)));
  assert.equal(shop.held(), ['7/2', '7/3']);
  assert.equal(shop.added, ['7', '7']);
});

test('crops that share a buffer are stored like others', async () => {
  await using shop = openShop();
  const shared = Buffer.from('two crops in one buffer');
  const crops = [shared.subarray(0, 9), shared.subarray(9)];
  await shop.exchange.receive(crops.map((crop, index) => templateOf('7', String(index), crop)));
  const read = (sid: string) => Buffer.from(shop.exchange.read({ ...template('7', sid) })?.crop ?? []).toString();
  assert.equal([read('0'), read('1')], ['two crops', ' in one buffer']);
});

test('a worker that was idle for a while is ended, and the next batch starts another', async () => {
  await using shop = openShop({ idleMs: 1 });
  for (const sid of ['1', '2', '3']) {
    await shop.exchange.receive([template('7', sid)]);
    await until('the worker is gone', () => !process.getActiveResourcesInfo().includes('MessagePort'));
  }
  assert.equal(shop.held(), ['7/1', '7/2', '7/3']);
});

test.run();
