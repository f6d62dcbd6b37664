/** Backups over `/v1`: what one device has made another takes over, and at each fault the device is as it was. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LEFT_ELSEWHERE } from '../../firmware/backup/foreign.ts';
import { openSealer } from '../../firmware/store/sealer.ts';
import { DriverSettings } from '../../firmware/terminal/settings/settings.ts';
import { needing } from '../skipping.ts';
import { SmallDisk, whyNoSmallDisk } from '../small-disk.ts';
import {
  type Answer,
  CFT,
  call,
  SANDBOX_SETTINGS,
  setUp,
  startTestDevice,
  type TestDevice,
  temporaryFolder,
  until,
} from '../support.ts';
import { hasOpenssl, makeCertificates, PASSWORD as PASSWORD_OF_KEY } from '../terminal/banks/certificates.ts';
import { startFakeBank } from '../terminal/banks/fake-bank.ts';
import { withFolder } from '../terminal/banks/support.ts';

const test = suite('backups of a device');

const PASSPHRASE = 'seven lamps over the counter';
const PROBLEM = 'application/problem+json';

async function made({ recognition }: TestDevice, passphrase = PASSPHRASE): Promise<Buffer> {
  const response = await fetch(`${recognition}/v1/backups`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ passphrase }),
  });
  assert.is(response.status, 200, response.status === 200 ? '' : await response.text());
  const file = Buffer.from(await response.arrayBuffer());
  assert.is(Number(response.headers.get('content-length')), file.length);
  return file;
}

function formOf(file: Buffer, passphrase = PASSPHRASE, more: Readonly<Record<string, string>> = {}): FormData {
  const form = new FormData();
  form.append('passphrase', passphrase);
  for (const [name, value] of Object.entries(more)) form.append(name, value);
  form.append('file', new Blob([new Uint8Array(file)]), 'lane.backup');
  return form;
}

const putBack = ({ recognition }: TestDevice, form: FormData): Promise<Answer> =>
  call(`${recognition}/v1/backups/restore`, { method: 'POST', body: form });

const amounts = async ({ terminal }: TestDevice): Promise<number[]> =>
  (await call(`${terminal}/v1/payments?limit=100`)).body.payments
    .map(({ amount }: { amount: number }) => amount)
    .sort((a: number, b: number) => a - b);

async function sell(device: TestDevice, amount: number): Promise<void> {
  const { status, text } = await call(`${device.terminal}/showQR`, { json: { amount } });
  assert.is(status, 200, text);
}

async function pay(device: TestDevice): Promise<void> {
  const payments = (await call(`${device.sandbox}/sandbox/payments`)).body;
  await call(`${device.sandbox}/sandbox/payments/${payments[0].qrcId}/pay`, { method: 'POST' });
  await until(
    'ACCEPTED',
    async () => (await call(`${device.terminal}/getDynamicQRStatus`)).body.dynamicQRStatus === 'ACCEPTED',
  );
}

/** Of the first payment. */
async function giveBack({ terminal }: TestDevice, key: string, amount: number): Promise<Answer> {
  const [{ id }] = (await call(`${terminal}/v1/payments`)).body.payments;
  const headers = { 'content-type': 'application/json', 'idempotency-key': key };
  return call(`${terminal}/v1/payments/${id}/refunds`, { method: 'POST', headers, body: JSON.stringify({ amount }) });
}

const leftOf = (folder: string): string[] =>
  readdirSync(folder).filter((name) => /^(restore-|\.backup-|before-)/.test(name));

function refused({ status, body, headers }: Answer, expected: number, code: string): void {
  assert.is(status, expected, JSON.stringify(body));
  assert.is(headers.get('content-type'), PROBLEM);
  assert.is(body.code, code);
}

test('what one device has made another has after its next start: payments, settings, secrets; open ones end there', async () => {
  using first = temporaryFolder();
  using second = temporaryFolder();
  let file: Buffer;
  {
    await using device = await startTestDevice({}, first.path);
    const profiles = { ...SANDBOX_SETTINGS.bankProfiles, real: CFT };
    await call(`${device.terminal}/updateDriverSettings`, {
      json: { settings: { ...SANDBOX_SETTINGS, bankProfiles: profiles } },
    });
    await sell(device, 100);
    await pay(device);
    await sell(device, 200);
    file = await made(device);
    await until('the copies are gone', () => leftOf(first.path).length === 0);
    assert.not(file.includes(CFT.password));
  }
  {
    await using device = await startTestDevice({ LANEWARE_SERIAL: 'TEST0002' }, second.path);
    const { status, body } = await putBack(device, formOf(file));
    assert.is(status, 200, JSON.stringify(body));
    assert.equal([body.device, body.sameBoard, body.restarts, body.unopened], ['TEST0001', false, false, 0]);
    assert.equal(await amounts(device), [], 'nothing changes before the start');
    assert.is((await call(`${device.recognition}/v1/backups`)).body.ready, true);
    refused(await putBack(device, formOf(file)), 409, 'Backups.Busy');
  }
  await using device = await startTestDevice({ LANEWARE_SERIAL: 'TEST0002' }, second.path);
  assert.equal(await amounts(device), [100, 200]);
  const { payments } = (await call(`${device.terminal}/v1/payments?limit=10`)).body;
  const open = payments.find(({ amount }: { amount: number }) => amount === 200);
  assert.is(open.error, LEFT_ELSEWHERE);
  const state = (await call(`${device.recognition}/v1/backups`)).body;
  assert.equal([state.ready, state.last.restored, state.last.device], [false, true, 'TEST0001']);
  assert.not.match(readFileSync(join(second.path, 'settings.json'), 'utf8'), CFT.password);
  const sealer = openSealer(join(second.path, 'secret.key'), undefined);
  assert.equal(new DriverSettings(join(second.path, 'settings.json'), sealer).with('real')?.profile, CFT);
  await sell(device, 300);
  await pay(device);
});

if (!hasOpenssl) console.log('SKIPPED a backup with the files of a bank over TLS: there is no openssl program');
(hasOpenssl ? test : test.skip)(
  'a bank over TLS is reached from the other device, with the files that were sent to the first',
  () =>
    withFolder(async (files) => {
      using first = temporaryFolder();
      using second = temporaryFolder();
      const { certPath, keyPath, caPath } = makeCertificates(files);
      const [cert, key, ca] = ['bank.crt', 'bank.key', 'ca.crt'].map((name) => readFileSync(join(files, name)));
      await using bank = await startFakeBank({ cert, key, ca, requestCert: true, rejectUnauthorized: true });
      let file: Buffer;
      {
        await using device = await startTestDevice({}, first.path);
        const sent: Record<string, string> = {};
        for (const [field, path] of Object.entries({ certPath, keyPath, caPath })) {
          const json = { field, name: basename(path), content: readFileSync(path).toString('base64') };
          const { status, body, text } = await call(`${device.recognition}/v1/settings/certificates`, { json });
          assert.is(status, 200, text);
          sent[field] = body.path;
        }
        const profile = { ...CFT, ...sent, baseUrl: bank.url, password: PASSWORD_OF_KEY };
        const settings = { ...SANDBOX_SETTINGS, bankProfiles: { shop: profile }, bankProfile: 'shop' };
        await call(`${device.terminal}/updateDriverSettings`, { json: { settings } });
        await sell(device, 100);
        file = await made(device);
      }
      {
        await using device = await startTestDevice({}, second.path);
        assert.is((await putBack(device, formOf(file))).status, 200);
      }
      await using device = await startTestDevice({}, second.path);
      await sell(device, 200);
      assert.equal(
        bank.sales.map(({ amount }) => amount),
        [100, 200],
      );
      assert.equal(new Set(bank.callers), new Set(['till']));
    }),
);

test('on the board that has made it an open payment goes on', async () => {
  using folder = temporaryFolder();
  {
    await using device = await startTestDevice({}, folder.path);
    await setUp(device);
    await sell(device, 200);
    assert.is((await putBack(device, formOf(await made(device)))).body.sameBoard, true);
  }
  await using device = await startTestDevice({}, folder.path);
  assert.is((await call(`${device.terminal}/getDynamicQRStatus`)).body.dynamicQRStatus, 'PENDING');
  await pay(device);
});

test('another board never sends a refund again that was open, and tells nobody of events that it has not seen', async () => {
  using first = temporaryFolder();
  using second = temporaryFolder();
  let file: Buffer;
  {
    await using device = await startTestDevice({}, first.path);
    await setUp(device);
    await sell(device, 100);
    await pay(device);
    await giveBack(device, 'r1', 30);
    {
      using refunds = new DatabaseSync(join(first.path, 'refunds.db'));
      refunds.exec("UPDATE refunds SET state = 'unknown', ended_at = NULL");
    }
    file = await made(device);
  }
  {
    await using device = await startTestDevice({}, second.path);
    assert.is((await putBack(device, formOf(file))).status, 200);
  }
  await using device = await startTestDevice({}, second.path);
  const [{ id }] = (await call(`${device.terminal}/v1/payments`)).body.payments;
  const [refund] = (await call(`${device.terminal}/v1/payments/${id}/refunds`)).body.refunds;
  assert.equal([refund.state, refund.decided, refund.told], ['done', 'done', 'unknown']);
  using ledger = new DatabaseSync(join(second.path, 'ledger.db'));
  assert.is(ledger.prepare('SELECT count(*) AS n FROM events').get()?.n, 0);
});

test('a wrong passphrase, a changed byte, half of a file, none at all: each is told, and nothing is left', async () => {
  using folder = temporaryFolder();
  await using device = await startTestDevice({}, folder.path);
  await setUp(device);
  await sell(device, 100);
  const file = await made(device);
  const wrong = await putBack(device, formOf(file, 'another passphrase'));
  refused(wrong, 422, 'Backups.WrongPassphrase');
  assert.is(wrong.body.field, 'passphrase');
  const changed = Buffer.from(file);
  changed[file.length - 5000] = (changed[file.length - 5000] ?? 0) ^ 1;
  refused(await putBack(device, formOf(changed)), 422, 'Backups.Damaged');
  refused(await putBack(device, formOf(file.subarray(0, file.length / 2))), 422, 'Backups.Damaged');
  refused(await putBack(device, formOf(Buffer.from('nothing of the kind'))), 422, 'Backups.Damaged');
  const later = Buffer.from(file.toString('latin1').replace('LANEWARE BACKUP 1', 'LANEWARE BACKUP 9'), 'latin1');
  refused(await putBack(device, formOf(later)), 409, 'Backups.TooNew');
  const without = new FormData();
  without.append('file', new Blob([new Uint8Array(file)]), 'lane.backup');
  const missing = await putBack(device, without);
  assert.equal([missing.status, missing.body.field], [400, 'passphrase']);
  const empty = new FormData();
  empty.append('passphrase', PASSPHRASE);
  assert.equal([(await putBack(device, empty)).status, (await putBack(device, empty)).body.field], [400, 'file']);
  const short = await call(`${device.recognition}/v1/backups`, { json: { passphrase: 'short' } });
  assert.equal([short.status, short.body.field], [400, 'passphrase']);
  assert.match(short.body.detail, '10');
  assert.equal(leftOf(folder.path), []);
  assert.is((await call(`${device.recognition}/v1/backups`)).body.ready, false);
  assert.equal(await amounts(device), [100]);
});

test('an upload that is cut off leaves nothing, and the next one is taken', async () => {
  using folder = temporaryFolder();
  await using device = await startTestDevice({}, folder.path);
  await setUp(device);
  const file = await made(device);
  const { hostname, port } = new URL(device.recognition);
  const socket = connect(Number(port), hostname);
  const part = (name: string, more: string): string =>
    `--b\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`;
  socket.write(
    `POST /v1/backups/restore HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncontent-type: multipart/form-data; boundary=b\r\ncontent-length: ${file.length + 400}\r\n\r\n`,
  );
  socket.write(`${part('passphrase', '')}${PASSPHRASE}\r\n${part('file', '; filename="x"')}`);
  socket.write(file.subarray(0, file.length - 9000));
  await until('it is being unpacked', () => existsSync(join(folder.path, 'restore-unpacking')));
  socket.destroy();
  await until('nothing is left', () => leftOf(folder.path).length === 0);
  await until('the next', async () => (await putBack(device, formOf(file))).status === 200);
});

test('newer payments are not lost, unless it is meant, also those that come in before the start', async () => {
  using folder = temporaryFolder();
  let file: Buffer;
  {
    await using device = await startTestDevice({}, folder.path);
    await setUp(device);
    await sell(device, 100);
    await pay(device);
    file = await made(device);
    assert.is((await putBack(device, formOf(file))).status, 200);
    await sell(device, 200);
  }
  {
    await using device = await startTestDevice({}, folder.path);
    assert.equal(await amounts(device), [100, 200], 'the sale of the last moment is there');
    assert.is((await call(`${device.recognition}/v1/backups`)).body.last.restored, false);
    const answer = await putBack(device, formOf(file));
    refused(answer, 409, 'Backups.NewerPayments');
    assert.ok(answer.body.newer.payments >= 1);
    const forced = await putBack(device, formOf(file, PASSPHRASE, { overNewerPayments: 'true' }));
    assert.is(forced.status, 200, forced.text);
  }
  await using device = await startTestDevice({}, folder.path);
  assert.equal(await amounts(device), [100]);
  const { last } = (await call(`${device.recognition}/v1/backups`)).body;
  using kept = new DatabaseSync(join(folder.path, last.before, 'ledger.db'));
  assert.is(kept.prepare('SELECT count(*) AS n FROM payments').get()?.n, 2);
});

for (const known of ['not known', 'known as asked for'])
  test(`a refund that has ended since the backup, and is ${known} there, is not made again`, async () => {
    using folder = temporaryFolder();
    {
      await using device = await startTestDevice({}, folder.path);
      await setUp(device);
      await sell(device, 100);
      await pay(device);
      let file = await made(device);
      assert.is((await giveBack(device, 'r1', 30)).body.state, 'done');
      if (known !== 'not known') {
        using refunds = new DatabaseSync(join(folder.path, 'refunds.db'));
        const set = 'UPDATE refunds SET checksum = NULL, change_no = change_no';
        refunds.exec(`${set} - 1, state = 'asked', ended_at = NULL`);
        file = await made(device);
        refunds.exec(`${set} + 1, state = 'done', ended_at = created_at`);
      }
      refused(await putBack(device, formOf(file)), 409, 'Backups.NewerPayments');
      assert.is((await putBack(device, formOf(file, PASSPHRASE, { overNewerPayments: 'true' }))).status, 200);
    }
    await using device = await startTestDevice({}, folder.path);
    const bankKnows = async () => (await call(`${device.sandbox}/sandbox/payments`)).body[0].refunded;
    assert.is((await giveBack(device, 'r1', 30)).body.state, 'done');
    assert.is(await bankKnows(), 30);
    assert.is((await giveBack(device, 'r2', 20)).body.state, 'done');
    assert.is(await bankKnows(), 50);
  });

test('what keeps a backup from being put back keeps no device from starting, as long as nothing is changed', async () => {
  using folder = temporaryFolder();
  {
    await using device = await startTestDevice({}, folder.path);
    await setUp(device);
    assert.is((await putBack(device, formOf(await made(device)))).status, 200);
  }
  writeFileSync(join(folder.path, 'ledger.db'), 'damaged meanwhile, and nobody can tell what would be lost');
  await using device = await startTestDevice({}, folder.path);
  assert.is((await call(`${device.recognition}/v1/backups`)).body.ready, true);
  assert.is((await call(`${device.terminal}/getDriverSettings`)).body.settings.bankProfiles !== undefined, true);
});

test('one backup at a time; whoever hangs up gives the place free', async () => {
  using folder = temporaryFolder();
  await using device = await startTestDevice({}, folder.path);
  await setUp(device);
  const url = `${device.recognition}/v1/backups`;
  const json = { passphrase: PASSPHRASE };
  const both = await Promise.all([call(url, { json }), call(url, { json })]);
  assert.equal(both.map(({ status }) => status).sort(), [200, 409]);
  const abort = new AbortController();
  const hung = call(url, { json, signal: abort.signal }).catch(() => null);
  await until('the copies are made', () => leftOf(folder.path).length > 0);
  abort.abort();
  await hung;
  await until('the next', async () => (await call(url, { json })).status === 200);
  await until('nothing is left', () => leftOf(folder.path).length === 0);
});

const onSmallDisk = needing(whyNoSmallDisk(), 'backups on a full disk', test);

onSmallDisk('a disk without room is told before anything is written, and a payment goes on', async () => {
  using disk = new SmallDisk(200);
  const folder = join(disk.path, 'data');
  await using device = await startTestDevice({}, folder);
  await setUp(device);
  const file = await made(device);
  disk.fill();
  const out = await call(`${device.recognition}/v1/backups`, { json: { passphrase: PASSPHRASE } });
  refused(out, 507, 'Internal.StorageFull');
  refused(await putBack(device, formOf(file)), 507, 'Internal.StorageFull');
  assert.equal(leftOf(folder), []);
  disk.empty();
  await sell(device, 100);
  assert.is((await putBack(device, formOf(file, PASSPHRASE, { overNewerPayments: 'true' }))).status, 200);
});

test.run();
