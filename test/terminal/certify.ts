/** Certificates for tests, made by the openssl program. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

export interface Validity {
  readonly from: Date;
  readonly to: Date;
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
/** Of a certificate authority that signs what it is given, without a question. */
const AUTHORITY = `[ca]
default_ca = any
[any]
database = index
serial = serial
new_certs_dir = .
default_md = sha256
policy = policy
x509_extensions = extensions
[policy]
commonName = supplied
[extensions]
subjectAltName = IP:127.0.0.1
`;

/** As 20260131093000Z. */
const asn1Time = (date: Date): string => `${date.toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')}Z`;

/** Self-signed, for a name and this machine, valid for two days unless told otherwise: NAME.crt and NAME.key. */
export function certify(folder: string, name: string, validity?: Validity): void {
  const openssl = (cwd: string, ...args: string[]) => execFileSync('openssl', args, { cwd, stdio: 'pipe' });
  const subject = ['-subj', `/CN=${name}`, '-keyout', `${name}.key`];
  if (validity === undefined) {
    const more = ['-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2', '-out', `${name}.crt`];
    openssl(folder, 'req', '-x509', ...NEW_KEY, ...subject, ...more);
    return;
  }
  const office = mkdtempSync(join(folder, 'authority-'));
  const request = join(office, 'request');
  openssl(folder, 'req', ...NEW_KEY, ...subject, '-out', request);
  for (const [file, text] of [
    ['config', AUTHORITY],
    ['index', ''],
    ['serial', '01'],
  ] as const) {
    writeFileSync(join(office, file), text);
  }
  const dates = ['-startdate', asn1Time(validity.from), '-enddate', asn1Time(validity.to)];
  const files = ['-keyfile', join(folder, `${name}.key`), '-in', request, '-out', join(folder, `${name}.crt`)];
  openssl(office, 'ca', '-batch', '-notext', '-selfsign', '-config', 'config', ...dates, ...files);
}
