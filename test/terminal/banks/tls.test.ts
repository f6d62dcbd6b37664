import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CftBank } from '../../../firmware/terminal/banks/cft.ts';
import { BankProfileError } from '../../../firmware/terminal/banks/profile-error.ts';
import { openBank } from '../../../firmware/terminal/banks/registry.ts';
import { bankError, IDS, patient, withFolder } from './support.ts';

const test = suite('mutual tls with a bank');

const found = spawnSync('openssl', ['version']).status === 0;
if (!found) console.log('SKIPPED mutual TLS: there is no openssl program to make certificates with');
const withCertificates = found ? test : test.skip;

const PASSWORD = 'pass of the profile';

interface Paths {
  readonly caPath: string;
  readonly certPath: string;
  readonly keyPath: string;
  readonly pfxPath: string;
  readonly otherCa: string;
}

const openssl = (folder: string, ...args: string[]): void => {
  execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
};

function newAuthority(folder: string, name: string): void {
  const subject = ['-subj', `/CN=${name}`, '-days', '2'];
  openssl(
    folder,
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
    ...subject,
    ...['-keyout', `${name}.key`, '-out', `${name}.crt`],
  );
}

function newCertificate(folder: string, name: string, keyArgs: readonly string[]): void {
  openssl(
    folder,
    ...['req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', ...keyArgs],
    ...[
      ...[
        '-subj',
        `/CN=${name}`,
        '-addext',
        'subjectAltName=IP:127.0.0.1',
        '-keyout',
        `${name}.key`,
        '-out',
        `${name}.csr`,
      ],
    ],
  );
  openssl(
    folder,
    ...['x509', '-req', '-in', `${name}.csr`, '-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial'],
    ...[...['-days', '2', '-copy_extensions', 'copy', '-out', `${name}.crt`]],
  );
}

function makeCertificates(folder: string): Paths {
  newAuthority(folder, 'ca');
  newAuthority(folder, 'stranger');
  newCertificate(folder, 'bank', ['-nodes']);
  newCertificate(folder, 'till', ['-passout', `pass:${PASSWORD}`]);
  openssl(
    folder,
    ...['pkcs12', '-export', '-in', 'till.crt', '-inkey', 'till.key', '-passin', `pass:${PASSWORD}`],
    ...[...['-passout', `pass:${PASSWORD}`, '-out', 'till.pfx']],
  );
  return {
    caPath: join(folder, 'ca.crt'),
    certPath: join(folder, 'till.crt'),
    keyPath: join(folder, 'till.key'),
    pfxPath: join(folder, 'till.pfx'),
    otherCa: join(folder, 'stranger.crt'),
  };
}

/** A bank that answers nobody without a certificate of its authority; names the caller's in what it says. */
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
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      await work(`https://127.0.0.1:${(server.address() as AddressInfo).port}`, paths, callers);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });
}

const profileError = (work: () => unknown): BankProfileError => {
  try {
    work();
  } catch (error) {
    if (error instanceof BankProfileError) return error;
    throw error;
  }
  throw new Error('expected a BankProfileError');
};

withCertificates("a profile's certificate opens the bank, as PKCS #12 and as PEM with a locked key", () =>
  withBank(async (baseUrl, { caPath, certPath, keyPath, pfxPath }, callers) => {
    for (const files of [{ pfxPath }, { certPath, keyPath }]) {
      const profile = { bankName: 'CFT', ...IDS, password: PASSWORD, caPath, ...files } as const;
      const bank = openBank(profile, { cftBaseUrl: baseUrl, sandboxBaseUrl: null });
      assert.is(bank.kind, 'online');
      if (bank.kind !== 'online') return;
      assert.is((await bank.status('Q1', patient())).verdict, 'accepted');
      await bank.close();
    }
    assert.equal(callers, ['till', 'till']);
  }),
);

withCertificates('without a certificate, or for a bank of another authority, no call goes through', () =>
  withBank(async (baseUrl, { caPath, pfxPath, otherCa }, callers) => {
    for (const tls of [
      { caPath, passphrase: '' },
      { pfxPath, passphrase: PASSWORD, caPath: otherCa },
      { pfxPath, passphrase: PASSWORD },
    ]) {
      const bank = new CftBank({ ...IDS, baseUrl, tls });
      await bankError('unreachable', bank.status('Q1', patient()));
      await bank.close();
    }
    assert.equal(callers, []);
  }),
);

withCertificates('a wrong password is told when the profile is opened, and not repeated in the words', () =>
  withFolder(async (folder) => {
    const { certPath, keyPath, pfxPath } = makeCertificates(folder);
    for (const [files, field] of [
      [{ pfxPath }, 'pfxPath'],
      [{ certPath, keyPath }, 'keyPath'],
    ] as const) {
      const error = profileError(
        () => new CftBank({ ...IDS, baseUrl: 'https://127.0.0.1', tls: { passphrase: 'not it', ...files } }),
      );
      assert.equal([error.code, error.field], ['certificate', field]);
      assert.not.match(error.message, 'not it');
    }
  }),
);

test('a certificate file that is missing, alone or no certificate is told by its field', () =>
  withFolder(async (folder) => {
    const nonsense = join(folder, 'nonsense.pem');
    writeFileSync(nonsense, 'nothing of the kind');
    const missing = join(folder, 'missing.pfx');
    for (const [files, field] of [
      [{ pfxPath: missing }, 'pfxPath'],
      [{ pfxPath: nonsense }, 'pfxPath'],
      [{ certPath: nonsense }, 'keyPath'],
      [{ keyPath: nonsense }, 'certPath'],
      [{ certPath: nonsense, keyPath: nonsense }, 'keyPath'],
      [{ caPath: missing }, 'caPath'],
    ] as const) {
      const tls = { passphrase: 'x', ...files };
      const error = profileError(() => new CftBank({ ...IDS, baseUrl: 'https://127.0.0.1', tls }));
      assert.equal([error.code, error.field], ['certificate', field], JSON.stringify(files));
    }
  }));

test.run();
