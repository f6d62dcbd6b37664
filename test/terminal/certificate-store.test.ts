/** Certificates and keys that are sent to the device: who may, what is taken, what lies on the disk, and what goes with a backup. */
import { createHash, createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FieldError } from '../../drivers/lib/errors.ts';
import { CertificateStore } from '../../firmware/banks/certificate-store.ts';
import { Sealer } from '../../firmware/core/secrets/sealer.ts';
import { makeCertificate } from '../../firmware/core/tls/certificate.ts';
import { openSecrets, resealed, resealedHere } from '../../firmware/features/backup/secrets.ts';
import { sentCertificate } from '../../firmware/payments/http/v1/certificate-route.ts';
import { call, each, inFolder, keptText, startTestDevice, type TestDevice, thrown } from '../support.ts';
import { makeCertificates, openssl, PASSWORD } from './banks/certificates.ts';

const test = suite('terminal: certificates that are kept');
const it = each(test, inFolder);

const TECHNICIAN = 'made-up-token-of-the-technician';
const PATH = '/console/api/settings/certificates';
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
const reasonOf = (work: () => unknown, expected: string): void => assert.is(thrown(FieldError, work).reason, expected);

it('a file has one path, each time and after a restart; its content lies nowhere on the disk', async (folder) => {
  const { certificate, key } = makeCertificate(['shop.example']);
  const bytes = Buffer.from(certificate + key);
  const secret = key.split('\n')[1] ?? '';
  assert.ok(secret.length > 20);
  let path = '';
  {
    await using device = await startTestDevice({}, folder.path);
    const { status, body } = await send(device, 'Мой сертификат.pem', bytes);
    assert.is(status, 200);
    assert.match(body.path, /^kept:[0-9a-f]{12}-Мой-сертификат\.pem$/);
    assert.equal(body.certificates, [
      { name: 'shop.example', validFrom: '1970-01-01T00:00:00.000Z', validTo: '9999-12-31T23:59:59.000Z' },
    ]);
    assert.is(body.key, true);
    assert.is((await send(device, 'Мой сертификат.pem', bytes)).body.path, body.path);
    path = body.path;
    const [line] = (await call(`${device.recognition}/console/api/audit`)).body.lines;
    assert.equal([line.deed, line.outcome], ['certificate-kept', 'done']);
    assert.not.match(JSON.stringify(line), 'BEGIN');
  }
  for (const name of readdirSync(folder.path, { recursive: true, withFileTypes: true })) {
    if (!name.isFile()) continue;
    const text = readFileSync(join(name.parentPath, name.name), 'latin1');
    for (const piece of [secret, bytes.toString('base64').slice(0, 64), Buffer.from(secret).toString('base64')])
      assert.not.ok(text.includes(piece), name.name);
  }
  await using again = await startTestDevice({}, folder.path);
  assert.is((await send(again, 'Мой сертификат.pem', bytes)).body.path, path);
});

test('a key that came over a network without TLS is refused, also through a local proxy', async () => {
  await using device = await startTestDevice({ LANEWARE_API_TOKENS_TECHNICIAN: TECHNICIAN });
  const { certificate, key } = makeCertificate(['shop.example']);
  const json = { name: 'shop.pem', content: Buffer.from(certificate + key).toString('base64') };
  const sent = (headers: Readonly<Record<string, string>>) =>
    call(`${device.recognition}${PATH}`, { json, headers: { authorization: `Bearer ${TECHNICIAN}`, ...headers } });
  const { status, body } = await sent({ 'x-forwarded-for': '192.0.2.9' });
  assert.is(status, 426, JSON.stringify(body));
  assert.match(JSON.stringify(body), /a key is taken over TLS only/);
  assert.is((await sent({})).status, 200);
});

test('what is no certificate, too large, cut or useless for its field is refused, saying which', async () => {
  await using device = await startTestDevice();
  const { certificate, key } = makeCertificate(['shop.example']);
  const json = (name: string, bytes: string | Buffer, field?: string) => ({
    ...{ name, content: Buffer.from(bytes).toString('base64') },
    ...(field !== undefined && { field }),
  });
  const large = (bytes: number): Buffer => Buffer.alloc(bytes, certificate);
  for (const [sent, reason] of [
    [json('letter.txt', 'hello, I am a letter'), 'no-certificate'],
    [json('rubbish.p12', '0123456789'), 'no-certificate'],
    [json('sequence.der', Buffer.from('300402020102', 'hex')), 'no-certificate'],
    [json('public.pem', '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n'), 'no-certificate'],
    [json('empty.pem', ''), 'empty'],
    [json('half.pem', certificate.slice(0, 200)), 'damaged'],
    [json('one-and-a-half.pem', certificate + key.slice(0, 60)), 'damaged'],
    [json('changed.pem', certificate.replace(/^MI/m, 'MJ')), 'damaged'],
    [json('changed.key', key.replace(/^MI/m, 'MJ')), 'damaged'],
    [json('asked.csr', '-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n'), 'is-request'],
    [json('large.pem', large(64 * 1024 + 1)), 'too-large'],
    [json('larger.pem', large(512 * 1024)), 'too-large'],
    [{ name: 'a', content: 'AAAA====' }, 'not-base64'],
    [{ name: 'a', content: `${Buffer.from(certificate).toString('base64')}\n` }, 'not-base64'],
    [json('shop.pem', certificate, 'pfxPath'), 'not-pkcs12'],
    [json('shop.pem', certificate, 'keyPath'), 'lacks-key'],
    [json('shop.pem', certificate, 'signKeyPath'), 'lacks-key'],
    [json('shop.key', key, 'certPath'), 'lacks-certificate'],
    [json('shop.key', key, 'caPath'), 'lacks-certificate'],
  ] as const) {
    const { status, body } = await call(`${device.recognition}${PATH}`, { json: sent });
    const expected = [400, 'RequestParams.InvalidField', 'content', reason];
    assert.equal([status, body.code, body.field, body.reason], expected, `${sent.name} ${JSON.stringify(body)}`);
  }
  const full = Buffer.from(certificate + ' '.repeat(64 * 1024 - certificate.length));
  assert.is((await send(device, 'a', full)).status, 200);
  const other = await call(`${device.recognition}${PATH}`, { json: json('a', certificate, 'merchantId') });
  assert.equal([other.status, other.body.field], [400, 'field']);
  assert.is((await call(`${device.recognition}${PATH}`, { json: { content: 'AAAA' } })).body.field, 'name');
});

it('a certificate as programs of every kind write it is kept as plain PEM', async (folder) => {
  const { certificate, key } = makeCertificate(['shop.example']);
  const der = new X509Certificate(certificate).raw;
  const keyDer = createPrivateKey(key).export({ type: 'pkcs8', format: 'der' });
  const kept = new CertificateStore(join(folder.path, 'c.json'), sealerOf('one'));
  for (const [bytes, pem] of [
    [Buffer.from(certificate.replaceAll('\n', '\r\n')), certificate],
    [Buffer.from(certificate.replaceAll('\n', '\r')), certificate],
    [Buffer.from(certificate.replaceAll('\n', '  \n  ')), certificate],
    [Buffer.from(`\ufeff${certificate}`), certificate],
    [Buffer.from(`\ufeff${certificate}`, 'utf16le'), certificate],
    [Buffer.from(`Bag Attributes\n  имя: shop\n${certificate}\n${key}`), certificate + key],
    [der, certificate],
    [keyDer, key],
  ] as const) {
    const sent = sentCertificate(bytes, null);
    assert.is((await kept.read(kept.store('shop', sent.bytes))).toString(), pem);
    createSecureContext(pem.includes('CERTIFICATE') ? { cert: sent.bytes } : { key: sent.bytes });
  }
});

it('PKCS #12 is known with any password, or old cipher; keys and certificates from each other', async (folder) => {
  makeCertificates(folder.path);
  const read = (name: string): Buffer => readFileSync(join(folder.path, name));
  const open = ['-in', 'till.crt', '-inkey', 'till.key', '-passin', `pass:${PASSWORD}`];
  for (const [name, ...more] of [
    ['none.pfx', '-passout', 'pass:'],
    ['old.pfx', '-legacy', '-passout', 'pass:x'],
    ['unsummed.pfx', '-nomac', '-passout', 'pass:x'],
  ] as const)
    openssl(folder.path, 'pkcs12', '-export', ...open, ...more, '-out', name);
  for (const name of ['till.pfx', 'none.pfx', 'old.pfx', 'unsummed.pfx']) {
    const sent = sentCertificate(read(name), 'pkcs12');
    assert.equal(
      { bytes: sent.bytes, isPkcs12: sent.isPkcs12, hasKey: sent.hasKey },
      { bytes: read(name), isPkcs12: true, hasKey: true },
      name,
    );
    reasonOf(() => sentCertificate(read(name), 'certificate'), 'not-pem');
  }
  reasonOf(() => sentCertificate(read('till.pfx').subarray(0, 500), 'pkcs12'), 'no-certificate');
  assert.is(sentCertificate(read('till.key'), 'key').hasKey, true, 'a locked key is one');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const old = privateKey.export({ type: 'pkcs1', format: 'pem', cipher: 'aes-128-cbc', passphrase: 'made-up' });
  assert.match(String(old), 'Proc-Type: 4,ENCRYPTED');
  assert.is(sentCertificate(Buffer.from(old), 'key').hasKey, true, 'one locked the old way, too');
  const chain = Buffer.concat([read('till.crt'), read('ca.crt')]);
  const subjects = sentCertificate(chain, 'certificate').certificates.map(({ subject }) => subject);
  assert.equal(subjects, ['CN=till', 'CN=ca']);
  reasonOf(() => sentCertificate(read('till.csr'), 'certificate'), 'is-request');
});

test('a path under which nothing is kept is reported at its field', async () => {
  await using device = await startTestDevice();
  const profile = {
    ...{ bankName: 'CFT', accAlias: 'a', extEntityId: 'e', merchantId: 'm', password: 'made-up' },
    ...{ baseUrl: 'https://127.0.0.1:1', pfxPath: 'kept:000000000000-shop.p12' },
  };
  const { status, body } = await call(`${device.recognition}/console/api/settings/bank-test`, { json: { profile } });
  const { field, reason } = body;
  assert.equal({ status, field, reason }, { status: 400, field: 'pfxPath', reason: 'not-kept' });
  assert.match(body.detail, 'it is not kept on this device: send the file to it again');
});

it('a backup has them for another board; with its key alone they open there', async (folder) => {
  const [path, own, other] = [join(folder.path, 'certificates.json'), sealerOf('one'), sealerOf('two')];
  const name = new CertificateStore(path, own).store('shop.pem', pem('shop'));
  const foreign = new CertificateStore(path, other);
  await refuses(foreign.read(name), /another key/);
  const copied = join(folder.path, 'copied.json');
  writeFileSync(copied, keptText(path));
  const { secrets, unopened } = openSecrets(new Map([['certificates.json', copied]]), own);
  assert.equal([secrets.length, unopened], [1, 0]);
  const moved = join(folder.path, 'moved.json');
  writeFileSync(moved, resealed(readFileSync(copied), resealedHere(secrets, other)));
  assert.equal(await new CertificateStore(moved, other).read(name), pem('shop'));
  assert.is(foreign.store('shop.pem', pem('shop')), name, 'sent again it can be used');
  assert.equal(await foreign.read(name), pem('shop'));
});

test.run();
