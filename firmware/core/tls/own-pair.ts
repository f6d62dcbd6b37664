/** The device's own key and certificate: made at the first start, kept in one file, so that they always fit. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { isThere, readPlainFile, replaceFile, setAside } from '../store/index.ts';
import { makeCertificate } from './certificate.ts';
import { MAX_CERTIFICATE_FILE_BYTES } from './certificate-file.ts';
import { selfSignedPair, type TlsPair, tlsPair } from './pair.ts';

const KEY = /-----BEGIN PRIVATE KEY-----[\s\S]*-----END PRIVATE KEY-----\n/;
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]*-----END CERTIFICATE-----\n/;

export interface OwnNames {
  /** What the certificate must be for: otherwise another one is made. */
  readonly needed: readonly string[];
  /** What a new one is for beside that, such as addresses of the moment. */
  readonly more: readonly string[];
}

export interface OwnPair {
  readonly pair: TlsPair;
  /** Where a damaged file was set aside; null when none was. */
  readonly setAside: string | null;
  /** Why it could not be written: the next start makes another. Null when it is stored. */
  readonly unsaved: unknown;
}

function read(file: string): TlsPair | null {
  try {
    const text = readPlainFile(file, MAX_CERTIFICATE_FILE_BYTES).toString();
    const [[key = ''] = [], [certificate = ''] = []] = [KEY.exec(text) ?? [], CERTIFICATE.exec(text) ?? []];
    return selfSignedPair(certificate, key);
  } catch {
    return null; // a file with any fault is set aside and reported
  }
}

export function namesOf({ certificate }: TlsPair, names: readonly string[]): string[] {
  const read = new X509Certificate(certificate);
  return names.filter((name) => (isIP(name) === 0 ? read.checkHost(name) : read.checkIP(name)) !== undefined);
}

/** Whether another is for more of the names; a name that no certificate can have does not count. */
const lacks = (pair: TlsPair, other: TlsPair, needed: readonly string[]): boolean => {
  const present = new Set(namesOf(pair, needed));
  return namesOf(other, needed).some((name) => !present.has(name));
};

/** @param now wall clock in milliseconds, for the name of a file that is set aside */
export function openOwnPair(file: string, { needed, more }: OwnNames, now: number): OwnPair {
  const present = read(file);
  const made = makeCertificate([...new Set([...needed, ...more])], present?.key);
  const pair = tlsPair(made.certificate, made.key);
  if (present !== null && !lacks(present, pair, needed)) return { pair: present, setAside: null, unsaved: null };
  try {
    const aside = present === null && isThere(file) ? setAside(file, now) : null;
    replaceFile(file, made.key + made.certificate, 0o600);
    return { pair, setAside: aside, unsaved: null };
  } catch (unsaved) {
    return { pair, setAside: null, unsaved };
  }
}

/** The key of the device, whatever certificate it shows. @throws the file system's error where a new one could not be kept */
export function ownKey(file: string, now: number): KeyObject {
  const { pair, unsaved } = openOwnPair(file, { needed: [], more: [] }, now);
  if (unsaved !== null) throw unsaved;
  return createPrivateKey(pair.key);
}
