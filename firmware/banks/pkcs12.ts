/**
 * PKCS #12 files of old ciphers, which OpenSSL 3 does not open: RFC 7292, appendix C. The names of the ciphers stand in the
 * clear, before what they lock.
 */
import { codeOf } from '../../drivers/lib/errors.ts';
import { isKept } from './kept-certificates.ts';

/** 1.2.840.113549.1.12.1 as it stands in a file; the next byte is the cipher. */
const OLD_CIPHERS = Buffer.from('060a2a864886f70d010c01', 'hex');
const NAMES: ReadonlyMap<number, string> = new Map([
  [1, 'RC4-128'],
  [2, 'RC4-40'],
  [3, '3DES'],
  [4, '3DES with two keys'],
  [5, 'RC2-128'],
  [6, 'RC2-40'],
]);

function ciphersOf(file: Buffer): string[] {
  const names = new Set<string>();
  for (let at = file.indexOf(OLD_CIPHERS); at >= 0; at = file.indexOf(OLD_CIPHERS, at + 1)) {
    const name = NAMES.get(file[at + OLD_CIPHERS.length] ?? 0);
    if (name !== undefined) names.add(name);
  }
  return [...names];
}

/** Of a file that was sent here, and lies under another name elsewhere. */
const KEPT_CONVERSION =
  'openssl pkcs12 -legacy -in OLD.pfx -noenc -out both.pem, then openssl pkcs12 -export -in both.pem -out NEW.pfx';

/** One word of a shell's line. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * A line that makes a file of today's ciphers out of an old one; it asks for the old password, and twice for the new one. Owner and rights
 * are those of the old one, which this device could read: the person who runs the line may be root.
 */
function conversion(path: string, converted: string): string {
  const [from, between, to] = [path, `${converted}.pem`, converted].map(quoted);
  const read = `openssl pkcs12 -legacy -in ${from} -noenc -out ${between}`;
  const write = `openssl pkcs12 -export -in ${between} -out ${to}`;
  const own = ['chmod', 'chown'].map((change) => `${change} --reference=${from} ${to}`).join(' && ');
  return `(umask 077; ${read} && ${write} && ${own}; rm -f ${between})`;
}

/**
 * What is wrong with a file that was refused for its ciphers, to be read after its field; null where it was for something else.
 * @param error with which it was refused
 */
export function oldCipherProblem(file: Buffer, path: string, error: unknown): string | null {
  const isUnsupported =
    codeOf(error) === 'ERR_CRYPTO_UNSUPPORTED_OPERATION' || codeOf(error) === 'ERR_OSSL_EVP_UNSUPPORTED';
  if (!isUnsupported) return null;
  const ciphers = ciphersOf(file);
  const which = ciphers.length === 0 ? 'an old cipher' : ciphers.join(' and ');
  const locked = `is locked with ${which}, which is no longer opened`;
  if (isKept(path))
    return `${locked}. Ask the bank for a new one, or make one where the file came from: ${KEPT_CONVERSION}`;
  const converted = `${path.replace(/\.(pfx|p12)$/i, '')}-new.pfx`;
  return `${locked}. Make a new one, as root (sudo -s): ${conversion(path, converted)} and name ${converted} in its place`;
}
