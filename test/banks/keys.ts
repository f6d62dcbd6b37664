/** Public keys of merchants who sign what they send: what a bank is given beforehand. */
import { createPublicKey, type KeyObject } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { readBody } from '../../firmware/sandbox-bank/desk.ts';
import { SandboxError } from '../../firmware/sandbox-bank/errors.ts';

const KeyBody = Type.Object(
  { keyName: Type.String({ minLength: 1, maxLength: 128 }), publicKey: Type.String() },
  { additionalProperties: false },
);

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

export function addKeyRoute(app: FastifyInstance, keys: MerchantKeys): void {
  app.post('/keys', async (request) => {
    const { keyName, publicKey } = readBody(request, KeyBody);
    keys.add(keyName, publicKey);
    return { keyName };
  });
}
