/** Certificates of tests, made by the program `openssl`: an authority, a bank, a till, and a stranger. */
import { execFileSync } from 'node:child_process';
import { createPrivateKey } from 'node:crypto';
import { join } from 'node:path';
import { isCode } from '../../../drivers/lib/errors.ts';

export const PASSWORD = 'pass of the profile';

export interface Paths {
  readonly caPath: string;
  readonly certPath: string;
  readonly keyPath: string;
  readonly pfxPath: string;
  readonly otherCa: string;
}

export const openssl = (folder: string, ...args: string[]): void => {
  execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
};

function newAuthority(folder: string, name: string): void {
  openssl(
    folder,
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
    ...['-subj', `/CN=${name}`, '-days', '2', '-keyout', `${name}.key`, '-out', `${name}.crt`],
  );
}

export function newCertificate(folder: string, name: string, keyArgs: readonly string[]): void {
  openssl(
    folder,
    ...['req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', ...keyArgs],
    ...['-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1'],
    ...['-keyout', `${name}.key`, '-out', `${name}.csr`],
  );
  openssl(
    folder,
    ...['x509', '-req', '-in', `${name}.csr`, '-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial'],
    ...['-days', '2', '-copy_extensions', 'copy', '-out', `${name}.crt`],
  );
}

export function makeCertificates(folder: string): Paths {
  newAuthority(folder, 'ca');
  newAuthority(folder, 'stranger');
  newCertificate(folder, 'bank', ['-nodes']);
  newCertificate(folder, 'till', ['-passout', `pass:${PASSWORD}`]);
  openssl(
    folder,
    ...['pkcs12', '-export', '-in', 'till.crt', '-inkey', 'till.key', '-passin', `pass:${PASSWORD}`],
    ...['-passout', `pass:${PASSWORD}`, '-out', 'till.pfx'],
  );
  return {
    caPath: join(folder, 'ca.crt'),
    certPath: join(folder, 'till.crt'),
    keyPath: join(folder, 'till.key'),
    pfxPath: join(folder, 'till.pfx'),
    otherCa: join(folder, 'stranger.crt'),
  };
}

/** A password that does not open a locked key, but unlocks its end by chance, as one in 256 does. */
export function luckyPassword(key: Buffer): string {
  for (let tries = 0; ; tries++) {
    const passphrase = `made-up-${tries}`;
    try {
      createPrivateKey({ key, passphrase });
    } catch (error) {
      if (!isCode(error, 'ERR_OSSL_BAD_DECRYPT')) return passphrase;
    }
  }
}
