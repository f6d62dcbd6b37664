/** A page that the device has signed: every byte before the signature is signed. */
import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { isSignatureOf, JournalError, keyFingerprint, keyIn, signatureOf } from '../audit/index.ts';
import { jsonFitting } from '../store/index.ts';

const KIND = 'self-test';
const BEGIN = '<pre id="signature">\n';
const END = '\n</pre></body></html>\n';
const Signature = Type.Object({
  kind: Type.Literal(KIND),
  publicKey: Type.String(),
  sha256: Type.String(),
  signature: Type.String(),
});

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const tailOf = (signature: Static<typeof Signature>): string => BEGIN + JSON.stringify(signature) + END;

const pemOf = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString();

/** @param page of HTML up to where its body ends */
export function signedPage(page: string, key: KeyObject): string {
  const sha256 = digestOf(page);
  const publicKey = pemOf(createPublicKey(key));
  return page + tailOf({ kind: KIND, publicKey, sha256, signature: signatureOf(KIND, sha256, key) });
}

function signatureIn(tail: string): Static<typeof Signature> {
  const value = jsonFitting(Signature, tail.slice(BEGIN.length, -END.length));
  if (value !== null && tailOf(value) === tail) return value;
  throw new JournalError('changed', 'what stands at its end is no signature of a device');
}

/** @returns the fingerprint of the key that has signed it @throws {JournalError} */
export function checkedPage(text: string): string {
  const end = text.lastIndexOf(BEGIN);
  if (end < 0) throw new JournalError('cut', 'it has no signature at its end');
  const { publicKey, sha256, signature } = signatureIn(text.slice(end));
  const key = keyIn(publicKey);
  if (sha256 !== digestOf(text.slice(0, end)))
    throw new JournalError('changed', 'it was changed after the device had signed it');
  if (pemOf(key) !== publicKey || !isSignatureOf(KIND, sha256, key, signature))
    throw new JournalError('changed', 'the signature is not by the key that the file names');
  return keyFingerprint(key);
}
