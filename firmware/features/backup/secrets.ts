/** Moves secrets from one machine to another: opens them with the first machine's key, seals them with the second's. */

import Type, { type Static } from 'typebox';
import { sealedCertificates, sealedMerchants } from '../../banks/index.ts';
import { isStoreError, MAX_DOCUMENT_BYTES, readPlainFileIfAny } from '../../core/files/index.ts';
import type { SealedPart, Sealer } from '../../core/secrets/index.ts';
import { sealedParts } from '../../payments/index.ts';

/** A secret: sealed as in its document, its purpose, and its text. */
export const Secret = Type.Object({ sealed: Type.String(), purpose: Type.String(), text: Type.String() });
export type Secret = Readonly<Static<typeof Secret>>;

const PARTS_OF: Readonly<Record<string, (document: unknown) => readonly SealedPart[]>> = {
  'settings.json': sealedParts,
  'merchants.json': sealedMerchants,
  'certificates.json': sealedCertificates,
};

/** Documents with secrets that are sealed with the machine's key. */
export const SEALED_DOCUMENTS: readonly string[] = Object.keys(PARTS_OF);

interface OpenedSecrets {
  readonly secrets: readonly Secret[];
  /** Number of secrets that this key does not open, or whose text does not fit: they stay sealed as they are. */
  readonly unopened: number;
}

/** Parses a document; null for a missing or damaged one: the check before the restore finds the damage. */
function parsed(bytes: Buffer | null): unknown {
  try {
    return bytes === null ? null : JSON.parse(bytes.toString());
  } catch {
    return null;
  }
}

/** @param files paths of documents by name @throws the file system's error */
export function openSecrets(files: ReadonlyMap<string, string>, sealer: Pick<Sealer, 'open'> | null): OpenedSecrets {
  const secrets: Secret[] = [];
  let unopened = 0;
  for (const [name, partsOf] of Object.entries(PARTS_OF)) {
    const path = files.get(name);
    const document = parsed(path === undefined ? null : readPlainFileIfAny(path, MAX_DOCUMENT_BYTES));
    for (const { sealed, purpose, isFit } of partsOf(document)) {
      const text = openedOrNull(sealer, sealed, purpose);
      if (text === null || !isFit(text)) unopened += 1;
      else secrets.push({ sealed, purpose, text });
    }
  }
  return { secrets, unopened };
}

function openedOrNull(sealer: Pick<Sealer, 'open'> | null, sealed: string, purpose: string): string | null {
  try {
    return sealer?.open(sealed, purpose) ?? null;
  } catch (error) {
    if (isStoreError(error, 'SEAL_BROKEN')) return null;
    throw error;
  }
}

/** Whether the secrets of a document have the form that the device reads: others would be restored, and not used. */
export function areFitting(name: string, document: Buffer, secrets: readonly Secret[]): boolean {
  const texts = new Map(secrets.map(({ sealed, purpose, text }) => [`${purpose} ${sealed}`, text]));
  return (PARTS_OF[name]?.(parsed(document)) ?? []).every(({ sealed, purpose, isFit }) => {
    const text = texts.get(`${purpose} ${sealed}`);
    return text === undefined || isFit(text);
  });
}

/** A secret with the form that this machine's key has sealed (`here`). */
export interface Resealed extends Secret {
  readonly here: string;
}

export const resealedHere = (secrets: readonly Secret[], sealer: Pick<Sealer, 'seal'>): Resealed[] =>
  secrets.map((secret) => ({ ...secret, here: sealer.seal(secret.text, secret.purpose) }));

/**
 * Replaces each secret in a document by the one that this machine has sealed; returns a document that cannot be parsed
 * unchanged.
 * @throws {RangeError} where the document is too deep or gets too long
 */
export function resealed(document: Buffer, secrets: readonly Resealed[]): Buffer {
  const value = parsed(document);
  if (value === null) return document;
  const here = new Map(secrets.map((secret) => [secret.sealed, secret.here]));
  const reseal = (_name: string, part: unknown): unknown => (typeof part === 'string' && here.get(part)) || part;
  return Buffer.from(`${JSON.stringify(value, reseal, 2)}\n`);
}
