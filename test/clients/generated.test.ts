/** Clients that are generated from the documents as they are committed: each compiles, pays and recognises at a running device. */
import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { needing } from '../needing.ts';
import { prepare } from '../prepare.ts';
import { Program } from '../process.ts';
import { SHIPPED_MANIFEST } from '../recognition/fixtures/models.ts';
import { picture } from '../recognition/support.ts';
import { ROOT } from '../root.ts';
import { runCommand } from '../runner/command.ts';
import { call, setUp, startTestDevice, type TestDevice, temporaryFolder, until } from '../support.ts';
import { NO_FUZZER, PYTHON } from '../tools/fuzz-api.ts';

const test = suite('generated clients');
const TOKEN = 'made-up-token-of-the-till';

/** Each client teaches an item of its own from what lies on the tray. */
const NAMES = { 4011: 'Bananas', 4012: 'Apples' };
/** The compiler's own view of the till: nothing but it and what it imports. */
const ONLY_TILL = { include: [], exclude: [], files: ['till.ts'] };

const clients = temporaryFolder();
let device: TestDevice;
prepare(test, async () => {
  const made = await runCommand(join(ROOT, 'scripts/generate/clients.sh'), [clients.path]);
  assert.is(made.code, 0, made.output);
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
  clients[Symbol.dispose]();
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

/** The till takes one payment, learns its item and recognises it. */
async function pays(till: Program, amount: number): Promise<void> {
  await payFor(amount);
  assert.is((await till.exited).code, 0, till.errors);
  const item = amount === 54_200 ? '4012 Apples' : '4011 Bananas';
  assert.is(till.output, `ACCEPTED ${amount} Apples\n${item.split(' ')[0]}\nitem ${item}\n`);
}

test('TypeScript: compiles, pays, and recognises', async () => {
  const place = join(clients.path, 'typescript');
  cpSync(join(ROOT, 'test/clients/till.ts'), join(place, 'till.ts'));
  symlinkSync(join(ROOT, 'node_modules'), join(place, 'node_modules'));
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), ...ONLY_TILL }));
  const compiled = await runCommand(join(ROOT, 'node_modules/.bin/tsc'), ['--noEmit', '-p', place]);
  assert.is(compiled.code, 0, compiled.output);
  await pays(new Program([join(place, 'till.ts'), device.terminal, device.recognition, TOKEN]), 54_200);
});

const python = needing(NO_FUZZER, 'the Python client', test);
python('Python: pays, and recognises', async () => {
  const till = new Program(
    [join(ROOT, 'test/clients/till.py'), device.terminal, device.recognition, TOKEN],
    { PYTHONPATH: join(clients.path, 'python'), PYTHONDONTWRITEBYTECODE: '1' },
    { node: PYTHON },
  );
  await pays(till, 54_300);
});

test.run();
