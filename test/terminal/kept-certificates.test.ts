/** Certificates and keys that are sent to the device: who may, what is taken, what lies on the disk, and what goes with a backup. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openSecrets, resealed } from '../../firmware/backup/secrets.ts';
import { Sealer } from '../../firmware/store/sealer.ts';
import { KeptCertificates } from '../../firmware/terminal/settings/kept-certificates.ts';
import { call, startTestDevice, type TestDevice, temporaryFolder } from '../support.ts';

const test = suite('terminal: certificates that are kept');

const PATH = '/v1/settings/certificates';
const pem = (text: string): Buffer =>
  Buffer.from(`-----BEGIN CERTIFICATE-----\nmade-up ${text}\n-----END CERTIFICATE-----\n`);
const send = ({ recognition }: Pick<TestDevice, 'recognition'>, name: string, bytes: Buffer) =>
  call(`${recognition}${PATH}`, { json: { name, content: bytes.toString('base64') } });
const sealerOf = (text: string) => new Sealer(createHash('sha256').update(text).digest());
const refuses = (work: Promise<unknown>, words: RegExp): Promise<void> =>
  work.then(
    () => assert.unreachable(),
    (error: Error) => assert.match(error.message, words),
  );
const NOBODY = (): boolean => false;

test('a file has one path, over and over, and after a restart; what it holds lies nowhere on the disk', async () => {
  using folder = temporaryFolder();
  const bytes = pem('secret-of-the-shop');
  let path = '';
  {
    await using device = await startTestDevice({}, folder.path);
    const { status, body } = await send(device, 'Мой shop.pem', bytes);
    assert.is(status, 200);
    assert.match(body.path, /^kept:[0-9a-f]{12}--?shop\.pem$/);
    assert.is((await send(device, 'Мой shop.pem', bytes)).body.path, body.path);
    path = body.path;
    const [line] = (await call(`${device.recognition}/v1/audit`)).body.lines;
    assert.equal([line.deed, line.outcome], ['certificate-kept', 'done']);
    assert.not.match(JSON.stringify(line), 'BEGIN');
  }
  for (const name of readdirSync(folder.path, { recursive: true, withFileTypes: true })) {
    if (!name.isFile()) continue;
    const text = readFileSync(join(name.parentPath, name.name), 'latin1');
    for (const secret of ['secret-of-the-shop', bytes.toString('base64')]) assert.not.match(text, secret, name.name);
  }
  await using again = await startTestDevice({}, folder.path);
  assert.is((await send(again, 'Мой shop.pem', bytes)).body.path, path);
});

test('what is no certificate, too large or not whole is refused, and says so', async () => {
  await using device = await startTestDevice();
  for (const [content, reason] of [
    [Buffer.from('hello, I am a letter').toString('base64'), 'no-certificate'],
    [pem('x'.repeat(64 * 1024)).toString('base64'), null],
    ['AAAA====', 'not-base64'],
    [`${pem('x').toString('base64')}\n`, 'not-base64'],
  ] as const) {
    const { status, body } = await call(`${device.recognition}${PATH}`, { json: { name: 'a', content } });
    assert.equal([status, body.code, body.field], [400, 'RequestParams.InvalidField', 'content'], JSON.stringify(body));
    if (reason !== null) assert.is(body.reason, reason);
  }
  const full = Buffer.alloc(64 * 1024, '-----BEGIN ');
  assert.is((await send(device, 'a', full)).status, 200);
  assert.is((await send(device, 'a', Buffer.concat([full, Buffer.from('x')]))).body.field, 'content');
  assert.is((await call(`${device.recognition}${PATH}`, { json: { content: 'AAAA' } })).body.field, 'name');
});

test('a path that nothing is kept under is told at its field', async () => {
  await using device = await startTestDevice();
  const profile = {
    ...{ bankName: 'CFT', accAlias: 'a', extEntityId: 'e', merchantId: 'm', password: 'made-up' },
    ...{ baseUrl: 'https://127.0.0.1:1', pfxPath: 'kept:000000000000-shop.p12' },
  };
  const { status, body } = await call(`${device.recognition}/v1/settings/bank-test`, { json: { profile } });
  assert.equal([status, body.field], [400, 'pfxPath']);
  assert.match(body.detail, 'it is not kept on this device: send the file to it again');
});

test('the oldest that no profile names makes room, and where all are named the next is refused', async () => {
  using folder = temporaryFolder();
  const named = new Set<string>();
  const kept = new KeptCertificates(join(folder.path, 'c.json'), sealerOf('one'), (path) => named.has(path));
  const keep = (n: number) => kept.keep(`${n}.pem`, pem(`${n}`));
  const paths: string[] = [];
  for (let n = 0; n < 40; n += 1) paths.push(await keep(n));
  named.add(paths[0] ?? '');
  const next = await keep(40);
  assert.equal(await kept.read(paths[0] ?? ''), pem('0'), 'a profile names it');
  assert.equal(await kept.read(next), pem('40'));
  await refuses(kept.read(paths[1] ?? ''), /is not kept/);
  for (const path of [...paths, next]) named.add(path);
  await keep(41).then(assert.unreachable, ({ field, reason }) =>
    assert.equal([field, reason], ['content', 'too-many']),
  );
  assert.is(await keep(40), next, 'one that is there needs no room');
});

test('a backup has them for another board; with its key alone they open there', async () => {
  using folder = temporaryFolder();
  const [path, own, other] = [join(folder.path, 'certificates.json'), sealerOf('one'), sealerOf('two')];
  const name = await new KeptCertificates(path, own, NOBODY).keep('shop.pem', pem('shop'));
  const foreign = new KeptCertificates(path, other, NOBODY);
  await refuses(foreign.read(name), /another key/);
  const { secrets, unopened } = openSecrets(new Map([['certificates.json', path]]), own);
  assert.equal([secrets.length, unopened], [1, 0]);
  const moved = join(folder.path, 'moved.json');
  writeFileSync(moved, resealed(readFileSync(path), secrets, other));
  assert.equal(await new KeptCertificates(moved, other, NOBODY).read(name), pem('shop'));
  assert.is(await foreign.keep('shop.pem', pem('shop')), name, 'sent again it can be used');
  assert.equal(await foreign.read(name), pem('shop'));
});

test.run();
