/** Reads the RSA key with which a shop signs its calls, and signs. */
import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { CertificateError, readCertificateFile } from '../core/tls/index.ts';
import { type BankContext, unusableField } from './adapter.ts';
import { isWrongPassphrase, reasonOfFile, wrongPassphrase } from './certificates.ts';

/** @param path value of the field `signKeyPath` @param passphrase empty where the key is not locked @throws {FieldError} */
export async function readSignKey(
  path: string,
  passphrase: string,
  { readFile = readCertificateFile }: BankContext,
): Promise<KeyObject> {
  let file: Buffer | undefined;
  let key: KeyObject;
  try {
    file = await readFile(path);
    key = createPrivateKey({ key: file, passphrase });
  } catch (cause) {
    if (isWrongPassphrase(cause, file)) throw wrongPassphrase('passphrase', cause);
    if (cause instanceof CertificateError)
      throw unusableField('signKeyPath', `it ${cause.message}`, cause, reasonOfFile(cause));
    throw unusableField('signKeyPath', 'it holds no key in PEM, or another passphrase opens it', cause, 'unopened');
  }
  if (key.asymmetricKeyType !== 'rsa') throw unusableField('signKeyPath', 'it holds no RSA key', undefined, 'not-rsa');
  return key;
}

/** The signature: PKCS #1 v1.5 over SHA-256, base64. */
export const signatureOf = (body: Buffer, signKey: KeyObject): string =>
  sign('sha256', body, signKey).toString('base64');
