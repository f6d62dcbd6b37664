/** Public keys of merchants who sign what they send: what a bank is given beforehand. */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { SandboxError } from './errors.ts';

export class MerchantKeys {
  readonly #keys = new Map<string, KeyObject>();

  /** @param pem a public key or a certificate @throws {SandboxError} `invalid` */
  add(name: string, pem: string): void {
    try {
      this.#keys.set(name, createPublicKey(pem));
    } catch {
      throw new SandboxError('invalid', 'publicKey must be a public key or a certificate in PEM');
    }
  }

  of(name: string): KeyObject | null {
    return this.#keys.get(name) ?? null;
  }
}
