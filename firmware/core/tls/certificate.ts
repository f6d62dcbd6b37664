/**
 * Makes certificates of devices and masters: self-signed (RFC 5280), valid for all time, since peers know them by their
 * bytes, and both sides may have a clock that is years off. Node makes keys and signatures but no certificates, so
 * their few fields are written in DER (X.690) here.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import { isIP } from 'node:net';

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const OBJECT_ID = 0x06;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
const GENERALIZED_TIME = 0x18;
const VERSION_TAG = 0xa0;
const EXTENSIONS_TAG = 0xa3;
const DNS_NAME_TAG = 0x82;
const IP_ADDRESS_TAG = 0x87;
const VERSION_3 = 2;
const SERIAL_BYTES = 16;
/** RFC 5280, appendix A.1. */
const MAX_COMMON_NAME = 64;

const COMMON_NAME = '550403';
const SUBJECT_ALT_NAME = '551d11';
const ECDSA_WITH_SHA256 = '2a8648ce3d040302';

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  if (content.length < 0x80) return Buffer.concat([Buffer.from([tag, content.length]), content]);
  const size = Buffer.alloc(2);
  size.writeUInt16BE(content.length);
  const short = content.length < 0x100;
  return Buffer.concat([Buffer.from([tag, short ? 0x81 : 0x82]), short ? size.subarray(1) : size, content]);
}

const oid = (hex: string): Buffer => der(OBJECT_ID, Buffer.from(hex, 'hex'));

/** Bytes of a positive INTEGER: the first byte has no sign bit, and is not zero (X.690, 8.3.2). */
function positive(bytes: Buffer): Buffer {
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x01;
  return bytes;
}

export interface Certificate {
  /** PEM. */
  readonly certificate: string;
  /** PEM, PKCS #8. */
  readonly key: string;
}

const IPV6_WORDS = 8;

function ipv6Bytes(address: string): Buffer {
  // the form of a URL is short, in hexadecimal, and has no IPv4 in it
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = short.split('::');
  const words = (text: string | undefined): string[] => (text ?? '').split(':').filter((word) => word !== '');
  const [before, after] = [words(head), words(tail)];
  const zeros = new Array<string>(IPV6_WORDS - before.length - after.length).fill('0');
  const all = [...before, ...zeros, ...after].map((word) => Number.parseInt(word, 16));
  return Buffer.from(all.flatMap((word) => [word >> 8, word & 0xff]));
}

function alternative(name: string): Buffer {
  switch (isIP(name)) {
    case 4:
      return der(IP_ADDRESS_TAG, Buffer.from(name.split('.').map(Number)));
    case 6:
      return der(IP_ADDRESS_TAG, ipv6Bytes(name));
    default:
      return der(DNS_NAME_TAG, Buffer.from(name));
  }
}

export interface Validity {
  readonly from: Date;
  readonly to: Date;
}

const FOR_ALL_TIME: Validity = { from: new Date(0), to: new Date('9999-12-31T23:59:59Z') };
/** From this time years have four digits (RFC 5280, 4.1.2.5). */
const LONG_YEARS = new Date('2050-01-01T00:00:00Z');

function time(date: Date): Buffer {
  const digits = `${date.toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')}Z`;
  return date < LONG_YEARS ? der(UTC_TIME, Buffer.from(digits.slice(2))) : der(GENERALIZED_TIME, Buffer.from(digits));
}

const newKey = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey;

/**
 * @param names its host names and addresses; the first one is its subject, too
 * @param pem an EC key to use again, PKCS #8; made when left out
 * @param validity for all time when left out
 */
export function makeCertificate(
  names: readonly string[],
  pem?: string,
  { from, to }: Validity = FOR_ALL_TIME,
): Certificate {
  const privateKey = pem === undefined ? newKey() : createPrivateKey(pem);
  const algorithm = der(SEQUENCE, oid(ECDSA_WITH_SHA256));
  const common = Buffer.from((names[0] ?? '').slice(0, MAX_COMMON_NAME));
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, oid(COMMON_NAME), der(UTF8_STRING, common))));
  const validity = der(SEQUENCE, time(from), time(to));
  const alternatives = der(SEQUENCE, ...names.map(alternative));
  const extension = der(SEQUENCE, oid(SUBJECT_ALT_NAME), der(OCTET_STRING, alternatives));
  const body = der(
    SEQUENCE,
    der(VERSION_TAG, der(INTEGER, Buffer.from([VERSION_3]))),
    der(INTEGER, positive(randomBytes(SERIAL_BYTES))),
    algorithm,
    name,
    validity,
    name,
    createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
    der(EXTENSIONS_TAG, der(SEQUENCE, extension)),
  );
  const signature = der(BIT_STRING, Buffer.from([0]), sign('sha256', body, privateKey));
  return {
    certificate: new X509Certificate(der(SEQUENCE, body, algorithm, signature)).toString(),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** SHA-256 over the whole certificate. */
export const fingerprintOf = (certificate: string): Buffer =>
  createHash('sha256').update(new X509Certificate(certificate).raw).digest();
