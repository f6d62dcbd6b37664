/**
 * What the chain puts down for its stores: a document in an envelope that it has signed. The signature binds it to the key
 * that it lies under, to the store that it is for, and to a number that only grows: neither a store nor one who has the
 * servers of the hub can make one, or put one where it does not belong.
 */
import { createPublicKey, type KeyLike, sign, verify } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { Counted, fits } from '../store/index.ts';
import { ChainError } from './errors.ts';

/** Set before what is signed: the chain's key signs nothing else that begins so. */
const PURPOSE = 'laneware-down-1';
const FOR_ALL = 'all';

const Envelope = Type.Object({
  key: Type.String(),
  number: Counted,
  body: Type.String(),
  /** base64 of Ed25519. */
  signature: Type.String(),
});

/** Where a document belongs. */
export interface Place {
  /** Public key of the account of the store that it is for; null: for all stores. */
  readonly store: string | null;
  readonly key: string;
}

interface SignedDocument {
  /** Higher than that of each document before it at the same place. */
  readonly number: number;
  readonly body: string;
}

// a JSON list: no text of one field can be read as the end of it and another's beginning
const signedBytes = ({ store, key }: Place, { number, body }: SignedDocument): Buffer =>
  Buffer.from(JSON.stringify([PURPOSE, store ?? FOR_ALL, key, number, body]));

/** @param privateKey Ed25519, PEM @returns what is put down */
export function sealDocument(privateKey: KeyLike, place: Place, document: SignedDocument): string {
  const signature = sign(null, signedBytes(place, document), privateKey).toString('base64');
  const envelope: Static<typeof Envelope> = { key: place.key, ...document, signature };
  return JSON.stringify(envelope);
}

const forged = ({ key }: Place, why: string, cause?: unknown): ChainError =>
  new ChainError('forged', `what lies at the chain under ${key} is not taken: ${why}`, { cause });

/** @param publicKey Ed25519, PEM @throws {ChainError} `forged` */
export function openDocument(publicKey: string, place: Place, data: Uint8Array): SignedDocument {
  const envelope = envelopeIn(place, data);
  if (envelope.key !== place.key) throw forged(place, `it belongs under ${JSON.stringify(envelope.key)}`);
  const { number, body, signature } = envelope;
  const signed = signedBytes(place, { number, body });
  if (!verify(null, signed, createPublicKey(publicKey), Buffer.from(signature, 'base64')))
    throw forged(place, 'the chain has not signed it, or not for this store');
  return { number, body };
}

function envelopeIn(place: Place, data: Uint8Array): Static<typeof Envelope> {
  try {
    const said: unknown = JSON.parse(Buffer.from(data).toString());
    if (fits(Envelope, said)) return said;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw forged(place, 'it is no JSON', error);
  }
  throw forged(place, 'it is no signed document');
}
