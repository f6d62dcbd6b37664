/** The generated clients, made from the documents as they are committed: each pays and recognises at a running device. */
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openRecognition, openTerminal } from '../../clients/typescript/index.ts';
import { NO_FUZZER, PYTHON } from '../../scripts/fuzz-api.ts';
import { DOCUMENTS } from '../../scripts/generate.ts';
import { needing } from '../needing.ts';
import { Program } from '../process.ts';
import { SHIPPED_MANIFEST } from '../recognition/fixtures/models.ts';
import { picture } from '../recognition/support.ts';
import { ROOT } from '../root.ts';
import { call, setUp, startTestDevice, type TestDevice, until } from '../support.ts';

const test = suite('generated clients');
const TOKEN = 'made-up-token-of-the-till';

/** Each client teaches an item of its own from what lies on the tray. */
const NAMES = { 4011: 'Bananas', 4012: 'Apples' };

let device: TestDevice;
test.before(async () => {
  device = await startTestDevice({
    LANEWARE_CAMERA_DRIVER: 'push',
    LANEWARE_MODEL_MANIFEST: SHIPPED_MANIFEST,
    LANEWARE_API_TOKENS_TILL: TOKEN,
  });
  await setUp(device);
  const headers = { 'content-type': 'image/jpeg' };
  const frame = { method: 'PUT', headers, body: new Uint8Array(await picture(1)) };
  await call(`${device.recognition}/camera/frame`, frame);
  for (const [id, name] of Object.entries(NAMES)) {
    const { status } = await call(`${device.recognition}/v1/items/${id}`, { method: 'PUT', json: { name } });
    assert.is(status, 201);
  }
});
test.after(async () => {
  await device[Symbol.asyncDispose]();
});

/** As the customer: pays the open code for an amount. */
async function payFor(amount: number): Promise<void> {
  const open = await until('the code', async () => {
    const { body } = await call(`${device.sandbox}/sandbox/payments`);
    return body.find(
      ({ coded, ...payment }: { amount: number; state: string; coded: boolean }) =>
        payment.amount === amount && payment.state === 'open' && coded,
    );
  });
  await call(`${device.sandbox}/sandbox/payments/${open.qrcId}/pay`, { method: 'POST' });
}

for (const port of ['terminal', 'recognition'] as const) {
  test(`${port}: the clients are made from the document as it is: run scripts/clients.sh`, () => {
    const digest = createHash('sha256').update(readFileSync(DOCUMENTS[port])).digest('hex');
    const typescript = readFileSync(join(ROOT, `clients/typescript/${port}.ts`), 'utf8');
    const python = readFileSync(join(ROOT, `clients/python/laneware_${port}/document.py`), 'utf8');
    for (const text of [typescript, python]) assert.ok(text.includes(digest), text.slice(0, 200));
  });
}

test('TypeScript: pays, and recognises', async () => {
  const terminal = openTerminal({ baseUrl: device.terminal, token: TOKEN });
  const header = { 'Idempotency-Key': randomUUID() };
  const refused = await terminal.POST('/v1/payments', { params: { header }, body: { amount: 0 } });
  assert.equal([refused.response.status, refused.error?.field], [400, 'amount']);
  const body = { amount: 54_200, purpose: 'Apples' };
  const shown = await terminal.POST('/v1/payments', { params: { header }, body });
  const again = await terminal.POST('/v1/payments', { params: { header }, body });
  assert.equal([shown.response.status, again.response.status], [201, 200]);
  const id = shown.data?.id ?? '';
  assert.is(again.data?.id, id);
  await payFor(54_200);
  const states: string[] = [];
  while (states.at(-1) !== 'ACCEPTED') {
    const { data } = await terminal.GET('/v1/payments/{id}', { params: { path: { id }, query: { wait: '25' } } });
    states.push(data?.state ?? assert.unreachable() ?? '');
    assert.ok(states.length < 10, states.join());
  }
  const recognition = openRecognition({ baseUrl: device.recognition, token: TOKEN });
  const learned = async () =>
    (await recognition.POST('/v1/items/{id}/templates', { params: { path: { id: '4012' } } })).data?.item === '4012';
  await until('the model', learned);
  const old = await recognition.GET('/api/get_result');
  assert.is(old.data !== undefined && 'data' in old.data && old.data.data?.items[0]?.id, '4012');
  const { data: seen } = await recognition.GET('/v1/recognition');
  assert.equal([seen?.state, seen?.candidates[0]?.id, seen?.candidates[0]?.name], ['item', '4012', 'Apples']);
  const confirmed = await recognition.POST('/v1/recognition/{id}/feedback', {
    params: { path: { id: seen?.id ?? '' } },
    body: { item: '4012' },
  });
  assert.is(confirmed.response.status, 200);
  const wrong = await recognition.POST('/v1/recognition/{id}/feedback', {
    params: { path: { id: seen?.id ?? '' } },
    body: { item: '' },
  });
  assert.equal([wrong.response.status, wrong.error?.field], [400, 'item']);
});

const python = needing(NO_FUZZER, 'the Python client', test);
python('Python: pays, and recognises', async () => {
  const till = new Program(
    [join(ROOT, 'test/clients/till.py'), device.terminal, device.recognition, TOKEN],
    { PYTHONPATH: join(ROOT, 'clients/python'), PYTHONDONTWRITEBYTECODE: '1' },
    { node: PYTHON },
  );
  await payFor(54_300);
  assert.is((await till.exited).code, 0, till.errors);
  assert.match(till.output, /^ACCEPTED 54300 Apples\n.*'id': '4011'.*\nitem 4011 Bananas\n/);
});

test.run();
