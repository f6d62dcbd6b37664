/** What the chain wants configured, of all devices, of a store's, of one: put together key by key, and the particular wins. */
import { createHash } from 'node:crypto';
import Type, { type Static } from 'typebox';
import type { Wanted } from '../config/index.ts';
import { Counted, fits } from '../store/index.ts';
import { ChainError } from './errors.ts';
import type { Scope } from './subjects.ts';
import type { Trust } from './trust.ts';

/** Put down for all stores, and for one. */
export const CONFIG = 'config';
/** Of one device. @param part its encoded serial number */
export const configOf = (part: string): string => `${CONFIG}.${part}`;

export const DesiredDocument = Type.Object({
  format: Type.Literal(1),
  /** As in the envelope, which a reader of the body does not see. */
  number: Counted,
  /** Dotted key → value. */
  settings: Type.Record(Type.String(), Type.Unknown()),
});
export type DesiredDocument = Readonly<Static<typeof DesiredDocument>>;

/** Where they lie, the most general one first. */
export const placesOf = (part: string): readonly (readonly [Scope, string])[] => [
  ['all', CONFIG],
  ['own', CONFIG],
  ['own', configOf(part)],
];

/** @throws {ChainError} `forged`: signed, but for a release after this one */
export function desiredIn(body: string | null): DesiredDocument | null {
  if (body === null) return null;
  const said: unknown = JSON.parse(body);
  if (fits(DesiredDocument, said)) return said;
  throw new ChainError('forged', 'the configuration of the chain is of another kind than this release knows');
}

const Mark = Type.Tuple([Type.String(), Type.Number(), Type.Number(), Type.Number()]);

/**
 * Whether something that lay there is gone: taking a configuration back puts an empty one in its place, so the
 * hub has lost it, or hides it.
 */
export function isGone(before: string | null, now: Wanted): boolean {
  const [was, is]: unknown[] = [before, now.mark].map((mark) => JSON.parse(mark ?? 'null'));
  if (!fits(Mark, was) || !fits(Mark, is) || was[0] !== is[0]) return false;
  return is.slice(1).some((number, at) => Number(number) < Number(was[at + 1]));
}

/** @param documents as {@link placesOf} names them; null where nothing lies */
export function wantedOf(documents: readonly (DesiredDocument | null)[], { account, signingKey }: Trust): Wanted {
  const numbers = documents.map((each) => each?.number ?? 0);
  const chain = createHash('sha256').update(`${signingKey}\n${account}`).digest('base64url');
  return {
    mark: JSON.stringify([chain, ...numbers]),
    number: Math.max(...numbers),
    settings: Object.assign({}, ...documents.map((each) => each?.settings ?? {})),
  };
}
