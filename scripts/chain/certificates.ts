/** The authority of a chain's servers, and their certificates: made by `openssl`, which every system with a shell has. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { replaceFile } from '../../firmware/store/durable-file.ts';

/** The authority outlives the lanes; a server's certificate is made anew with `servers` long before it ends. */
const AUTHORITY_DAYS = 36_500;
const SERVER_DAYS = 3650;
const OPENSSL_LIMIT_MS = 30_000;

/** The name that administrators ask for: the library checks no address, and all servers of a hub are one to them. */
export const HUB_NAME = 'laneware-hub';

const run = promisify(execFile);

interface Pair {
  /** PEM. */
  readonly certificate: string;
  readonly key: string;
}

async function openssl(parameters: readonly string[]): Promise<void> {
  await run('openssl', [...parameters], { timeout: OPENSSL_LIMIT_MS });
}

/** @param use of a folder that is gone afterwards */
async function inFolder<T>(use: (at: (name: string) => string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'laneware-chain-'));
  try {
    return await use((name) => join(folder, name));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

export function makeAuthority(chain: string): Promise<Pair> {
  return inFolder(async (at) => {
    const [certificate, key] = [at('authority.pem'), at('authority.key')];
    const subject = ['-subj', `/CN=${chain} authority`, '-days', String(AUTHORITY_DAYS)];
    const rights = ['-addext', 'keyUsage=critical,keyCertSign,cRLSign'];
    await openssl(['req', '-x509', ...NEW_KEY, ...subject, ...rights, '-keyout', key, '-out', certificate]);
    return { certificate: readFileSync(certificate, 'utf8'), key: readFileSync(key, 'utf8') };
  });
}

/** @param hosts names and addresses that the server is reached by */
export function makeServerCertificate(authority: Pair, name: string, hosts: readonly string[]): Promise<Pair> {
  return inFolder(async (at) => {
    replaceFile(at('authority.key'), authority.key);
    writeFileSync(at('authority.pem'), authority.certificate);
    const names = [...hosts, HUB_NAME].map((host) => `${isIP(host) === 0 ? 'DNS' : 'IP'}:${host}`).join(',');
    // both: each of the servers is a client of the others
    const extensions = `subjectAltName=${names}\nextendedKeyUsage=serverAuth,clientAuth\nbasicConstraints=CA:FALSE\n`;
    writeFileSync(at('extensions'), extensions);
    await openssl(['req', '-new', ...NEW_KEY, '-subj', `/CN=${name}`, '-keyout', at('key'), '-out', at('request')]);
    const signer = ['-CA', at('authority.pem'), '-CAkey', at('authority.key'), '-CAcreateserial'];
    const asked = ['-req', '-in', at('request'), '-extfile', at('extensions'), '-days', String(SERVER_DAYS)];
    await openssl(['x509', ...asked, ...signer, '-out', at('certificate')]);
    return { certificate: readFileSync(at('certificate'), 'utf8'), key: readFileSync(at('key'), 'utf8') };
  });
}
