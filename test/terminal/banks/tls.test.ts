import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { chmodSync, chownSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { rootCertificates, type TLSSocket } from 'node:tls';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FieldError } from '../../../drivers/lib/errors.ts';
import { BankTestError, BankTrials } from '../../../firmware/banks/bank-trials.ts';
import type { WatchedCertificate } from '../../../firmware/banks/certificate-watch.ts';
import { readCertificates, type TlsFiles, trusted } from '../../../firmware/banks/certificates.ts';
import { CftBank } from '../../../firmware/banks/dialects/cft.ts';
import { openBank } from '../../../firmware/banks/registry.ts';
import { listening } from '../../ports.ts';
import { each, failed } from '../../support.ts';
import { luckyPassword, makeCertificates, openssl, PASSWORD, type Paths } from './certificates.ts';
import { bankError, IDS, patient, withFolder } from './support.ts';
import { startWireBank } from './wire-bank.ts';

const test = suite('mutual tls with a bank');

const it = each<[string]>(test, (run) => () => withFolder(run));

/** A bank that answers only callers with a certificate of its authority; it names the caller's in its answer. */
async function withBank(work: (baseUrl: string, paths: Paths, callers: string[]) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const paths = makeCertificates(folder);
    const callers: string[] = [];
    const server = createServer(
      {
        cert: readFileSync(join(folder, 'bank.crt')),
        key: readFileSync(join(folder, 'bank.key')),
        ca: readFileSync(paths.caPath),
        requestCert: true,
        rejectUnauthorized: true,
      },
      (request, response) => {
        callers.push(String((request.socket as TLSSocket).getPeerCertificate().subject.CN));
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ payStatus: { status: 'ACWP' } }));
      },
    );
    await using bank = await listening(server);
    await work(bank.url, paths, callers);
  });
}

const profileError = (files: TlsFiles) => failed(FieldError, readCertificates(files));

async function watchedOf(files: TlsFiles): Promise<readonly WatchedCertificate[]> {
  let watched: readonly WatchedCertificate[] = [];
  await readCertificates(files, {
    onCertificates: (read) => {
      watched = read;
    },
  });
  return watched;
}

test("a profile's certificate opens the bank, as PKCS #12 and as PEM with a locked key", () =>
  withBank(async (baseUrl, { caPath, certPath, keyPath, pfxPath }, callers) => {
    for (const files of [{ pfxPath }, { certPath, keyPath }]) {
      const profile = { bankName: 'CFT', ...IDS, password: PASSWORD, caPath, ...files } as const;
      const bank = await openBank(profile, { cftBaseUrl: baseUrl, sandboxBaseUrl: null });
      assert.is(bank.kind, 'online');
      if (bank.kind !== 'online') return;
      assert.is((await bank.status({ id: 'Q1' }, patient())).verdict, 'accepted');
      await bank.close();
    }
    assert.equal(callers, ['till', 'till']);
  }));

test('without a certificate, or for a bank of another authority, no call goes through', () =>
  withBank(async (baseUrl, { caPath, pfxPath, otherCa }, callers) => {
    for (const tls of [
      { caPath, passphrase: '' },
      { pfxPath, passphrase: PASSWORD, caPath: otherCa },
      { pfxPath, passphrase: PASSWORD },
    ]) {
      const bank = new CftBank({ ...IDS, baseUrl, tls: await readCertificates(tls) });
      await bankError('unreachable', bank.status({ id: 'Q1' }, patient()));
      await bank.close();
    }
    assert.equal(callers, []);
  }));

test('a bank of the right authority under another name is none: no call goes through', () =>
  withBank(async (baseUrl, { caPath, pfxPath }, callers) => {
    const files = { pfxPath, passphrase: PASSWORD, caPath };
    const bank = new CftBank({
      ...IDS,
      baseUrl: baseUrl.replace('127.0.0.1', 'localhost'),
      tls: await readCertificates(files),
    });
    const error = await bankError('unreachable', bank.status({ id: 'Q1' }, patient()));
    assert.match(error.message, 'ERR_TLS_CERT_ALTNAME_INVALID');
    await bank.close();
    assert.equal(callers, []);
  }));

it('a bank that speaks TLS 1.2 is still spoken to', async (folder) => {
  makeCertificates(folder);
  const read = (name: string): Buffer => readFileSync(join(folder, name));
  const tls = { cert: read('bank.crt'), key: read('bank.key'), maxVersion: 'TLSv1.2' } as const;
  await using wire = await startWireBank(() => ({ body: { payStatus: null, qrCode: { qrcId: 'Q1' } } }), tls);
  const bank = new CftBank({
    ...{ ...IDS, baseUrl: wire.url },
    tls: await readCertificates({ caPath: join(folder, 'ca.crt') }),
  });
  assert.is((await bank.status({ id: 'Q1' }, patient())).verdict, 'pending');
  await bank.close();
});

test("authorities of the device stand beside the usual ones, a profile's in the place of all", () => {
  const own = Buffer.from('own');
  assert.equal(trusted(own, true), [...rootCertificates, own]);
  assert.ok(rootCertificates.length > 100);
  assert.equal(trusted(own, false), [own]);
});

it('a wrong password is reported when the profile is opened, and is not in the message', async (folder) => {
  const { certPath, keyPath, pfxPath } = makeCertificates(folder);
  for (const [files, field] of [
    [{ pfxPath }, 'passphrase'],
    [{ certPath, keyPath, passphraseField: 'password' }, 'password'],
    [{ certPath, keyPath, passphrase: luckyPassword(readFileSync(keyPath)) }, 'passphrase'],
  ] as const) {
    const error = await profileError({ passphrase: 'not right', ...files });
    assert.equal([error.field, error.reason], [field, 'wrong-password']);
    assert.not.match(error.message, 'not right');
  }
});

it('authorities that are damaged or no PEM are refused when set: Node would ignore them', async (folder) => {
  const { caPath } = makeCertificates(folder);
  const good = readFileSync(caPath, 'utf8');
  const der = execFileSync('openssl', ['x509', '-in', caPath, '-outform', 'der']);
  const path = join(folder, 'given.pem');
  for (const [content, why] of [
    [der, /holds no certificate in PEM/],
    ['', /holds no certificate in PEM/],
    ['nonsense', /holds no certificate in PEM/],
    [readFileSync(join(folder, 'ca.key')), /holds no certificate in PEM/],
    [good.replace('-----END', ''), /holds no certificate in PEM/],
    [`${good}\n${good.replace(/MI/, 'IM')}`, /certificate 2 in it is damaged/],
  ] as const) {
    writeFileSync(path, content);
    const error = await profileError({ caPath: path, passphrase: '' });
    assert.is(error.field, 'caPath');
    assert.match(error.message, why);
  }
  writeFileSync(path, `# our authorities\n${good}\n# and again\n${good}`);
  const watched = await watchedOf({ caPath: path });
  assert.equal(
    watched.map(({ kind, field, name }) => [kind, field, name]),
    [
      ['authority', 'caPath', 'ca'],
      ['authority', 'caPath', 'ca'],
    ],
  );
});

const IS_ROOT = process.getuid?.() === 0;
/** Whom no password file has to know. */
const OTHER_USER = 4321;

/** The ciphers of certificate and key, and their names in the error; null where such a file is still opened. */
const OLD_FILES: readonly [string, string, string | null][] = [
  ['PBE-SHA1-RC2-40', 'PBE-SHA1-3DES', 'RC2-40 and 3DES'],
  ['PBE-SHA1-RC2-40', 'PBE-SHA1-RC2-40', 'RC2-40'],
  ['PBE-SHA1-RC2-128', 'PBE-SHA1-RC4-128', 'RC2-128 and RC4-128'],
  ['PBE-SHA1-3DES', 'PBE-SHA1-3DES', null],
];
for (const [certpbe, keypbe, ciphers] of OLD_FILES) {
  it(`PKCS #12 with ${certpbe} and ${keypbe}: named, with a command to convert it`, async (folder) => {
    const { certPath, keyPath } = makeCertificates(folder);
    const pfxPath = join(folder, "the till's.pfx");
    openssl(
      folder,
      ...['pkcs12', '-export', '-legacy', '-certpbe', certpbe, '-keypbe', keypbe, '-macalg', 'sha1'],
      ...['-in', certPath, '-inkey', keyPath, '-passin', `pass:${PASSWORD}`],
      ...['-passout', `pass:${PASSWORD}`, '-out', pfxPath],
    );
    chmodSync(pfxPath, 0o640);
    if (IS_ROOT) chownSync(pfxPath, OTHER_USER, OTHER_USER);
    if (ciphers === null) {
      assert.is((await watchedOf({ pfxPath, passphrase: PASSWORD }))[0]?.name, 'till');
      return;
    }
    const { field, message, reason } = await profileError({ pfxPath, passphrase: PASSWORD });
    const converted = join(folder, "the till's-new.pfx");
    assert.equal({ field, reason }, { field: 'pfxPath', reason: 'old-cipher' });
    assert.ok(message.startsWith(`cannot be used: it is locked with ${ciphers}, which is no longer opened.`), message);
    assert.ok(message.endsWith(` and name ${converted} in its place`), message);
    assert.not.match(message, PASSWORD);
    const [, line = ''] = /: (\(umask.*\)) and name/.exec(message) ?? [];
    // it asks for the passwords at a terminal, which a test has not
    const answered = line
      .replace('-legacy', `-legacy -passin 'pass:${PASSWORD}'`)
      .replace('-export', "-export -passout 'pass:new pass'");
    const { stderr } = spawnSync('sh', ['-c', answered], { encoding: 'utf8' });
    assert.is(stderr, '');
    assert.is((await watchedOf({ pfxPath: converted, passphrase: 'new pass' }))[0]?.name, 'till');
    const [before, after] = [pfxPath, converted].map((path) => {
      const { uid, gid, mode } = statSync(path);
      return { uid, gid, mode };
    });
    assert.equal(after, before, 'the service reads it as it read the old one');
    assert.not.ok(existsSync(`${converted}.pem`), 'no key is left in the clear');
    // a wrong password is no matter of ciphers
    assert.is((await profileError({ pfxPath, passphrase: 'not it' })).reason, 'wrong-password');
  });
}

it('a key that belongs to another certificate is reported as such', async (folder) => {
  const { certPath } = makeCertificates(folder);
  const error = await profileError({ certPath, keyPath: join(folder, 'bank.key'), passphrase: '' });
  assert.equal(
    { field: error.field, reason: error.reason, message: error.message },
    {
      field: 'keyPath',
      reason: 'other-key',
      message: 'cannot be used: it is not the key of the certificate of certPath',
    },
  );
});

it('how long a certificate is valid is read from PEM and from PKCS #12', async (folder) => {
  const { certPath, keyPath, pfxPath, caPath } = makeCertificates(folder);
  const { validFromDate, validToDate } = new X509Certificate(readFileSync(certPath));
  const dates = { validFrom: validFromDate.getTime(), validTo: validToDate.getTime() };
  const client = { kind: 'client', name: 'till', ...dates };
  const [own, authority] = await watchedOf({ passphrase: PASSWORD, certPath, keyPath, caPath });
  assert.equal(own, { ...client, field: 'certPath' });
  assert.equal([authority?.kind, authority?.field, authority?.name], ['authority', 'caPath', 'ca']);
  assert.equal(await watchedOf({ passphrase: PASSWORD, pfxPath }), [{ ...client, field: 'pfxPath' }]);
  assert.equal(await watchedOf({}), []);
});

/** A failed trial: its code, where it got as far as the bank, and the field at fault. */
const inShort = (error: Error) => [
  error instanceof BankTestError ? `${error.category}.${error.code}` : error.name,
  error instanceof BankTestError ? error.more.field : Object(error).field,
];

it('a test of a bank shows which side does not trust the other', async (folder) => {
  const { caPath, pfxPath, otherCa } = makeCertificates(folder);
  const read = (name: string): Buffer => readFileSync(join(folder, name));
  const tls = { cert: read('bank.crt'), key: read('bank.key'), ca: read('ca.crt'), requestCert: true };
  await using wire = await startWireBank(
    ({ call }) => (call.includes('/qr/state/') ? { status: 404, body: { error: 'QRC_NOT_FOUND' } } : { status: 400 }),
    tls,
  );
  const context = { cftBaseUrl: null, sandboxBaseUrl: null };
  // a new one each time: it asks six times in a minute and no more
  const trials = () => new BankTrials({ context, now: Date.now });
  const profileOf = (baseUrl: string, fields: object) =>
    ({ bankName: 'CFT', ...IDS, password: 'made-up-secret', baseUrl, ...fields }) as const;
  const good = { caPath, pfxPath, password: PASSWORD };
  const tried = await trials().run(profileOf(wire.url, good));
  assert.equal(tried.untried, ['accAlias', 'extEntityId', 'merchantId']);
  assert.is(wire.asked[0]?.caller, 'till');

  const cases: readonly [string, object, string, string | null][] = [
    [wire.url, { ...good, caPath: otherCa }, 'BankTest.Untrusted', 'caPath'],
    [wire.url, { pfxPath, password: PASSWORD }, 'BankTest.Untrusted', 'caPath'],
    [wire.url.replace('127.0.0.1', 'localhost'), good, 'BankTest.WrongName', 'baseUrl'],
    [wire.url, { caPath }, 'BankTest.WrongCredentials', 'pfxPath'],
    [wire.url, { ...good, password: 'not the password' }, 'FieldError', 'password'],
    [wire.url, { ...good, pfxPath: join(folder, 'none.pfx') }, 'FieldError', 'pfxPath'],
  ];
  for (const [url, fields, code, field] of cases) {
    const error = await failed(Error, trials().run(profileOf(url, fields)));
    assert.equal(inShort(error), [code, field], error.message);
    assert.not.match(JSON.stringify([error.message, Object(error).more]), /pass of|not the password/);
  }
});

test('a certificate file that is missing, alone or no certificate is reported by its field', () =>
  withFolder(async (folder) => {
    const nonsense = join(folder, 'nonsense.pem');
    writeFileSync(nonsense, 'nothing of the kind');
    const missing = join(folder, 'missing.pfx');
    for (const [files, field, reason] of [
      [{ pfxPath: missing }, 'pfxPath', null],
      [{ pfxPath: nonsense }, 'pfxPath', 'unopened'],
      [{ certPath: nonsense }, 'keyPath', 'other-of-pair'],
      [{ keyPath: nonsense }, 'certPath', 'other-of-pair'],
      [{ certPath: nonsense, keyPath: nonsense }, 'certPath', 'no-certificate'],
      [{ caPath: missing }, 'caPath', null],
    ] as const) {
      const error = await profileError({ passphrase: 'x', ...files });
      assert.equal({ field: error.field, reason: error.reason }, { field, reason }, JSON.stringify(files));
    }
  }));

test.run();
